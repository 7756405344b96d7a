"""Source A, figures 1 and 2: principal directions of a circle and of ellipses in l_p.

python literature/a_toy.py [--reduced]
"""

import numpy as np
from _experiment import Result, claim, run

from noneuclid.pca import HebbianPCA
from noneuclid.spaces import Lp


def ellipse(second, n):
    """Points of an ellipse with half-axes 1 and ``second``, even in the angle parameter."""
    angle = 2 * np.pi * (np.arange(n) + 0.5) / n
    return np.column_stack([np.cos(angle), second * np.sin(angle)])


def angle(X, p, n_init=8, seed=0):
    """Direction of the first component against the first axis, in degrees from 0 to 90."""
    model = HebbianPCA(n_components=1, space=Lp(p), n_init=n_init, random_state=seed, max_iter=5000)
    x, y = np.abs(model.fit(X).components_[0])
    return float(np.degrees(np.arctan2(y, x)))


def circle(n):
    """Angles in l1 and l∞; in l2 the ratio of the two variances."""
    X = ellipse(1.0, n)
    variances = HebbianPCA(n_components=2, space=Lp(2)).fit(X).explained_variance_
    found = {"p = 1": angle(X, 1), "p = ∞": angle(X, np.inf)}
    # An axis is an axis: 0 and 90 degrees are the same answer.
    found["p = ∞"] = min(found["p = ∞"], 90 - found["p = ∞"])
    return found, float(variances[1] / variances[0])


def figures(setting):
    """Both figures: nothing is random but the starts."""
    n = 3600 if setting == "full" else 360
    found, ratio = circle(n)
    cells = {f"angle (degrees), {name}": {"value": _number(v)} for name, v in found.items()}
    claims = [
        claim(
            "p = 2 has no preferred direction",
            abs(ratio - 1) < 1e-6,
            f"All directions respond alike: λ₂/λ₁ = {ratio:.6f}",
        )
    ]
    protocol = f"{n} points of the unit circle, even in the angle; first component, eight starts."
    one = Result(protocol, cells, claims)

    angles = {r: angle(ellipse(r, n), 1) for r in (1.2, np.sqrt(2), 2.0)}
    exact = {r: np.degrees(np.arctan(r**2)) for r in angles}
    cells = {f"angle (degrees), r₂ = {r:.4g}": {"value": _number(v)} for r, v in angles.items()}
    claims = [
        claim(
            "The l1 direction of the ellipse 1 × 1.2 lies between the diagonal and the major axis",
            45 < angles[1.2] < 90,
            f"{angles[1.2]:.2f} degrees (exactly {exact[1.2]:.2f}, atan r₂²/r₁²)",
        ),
        claim(
            "It falls onto the major axis when r₂ > √2",
            "erratum",
            f"It is atan(r₂²/r₁²): {angles[2.0]:.2f} degrees at r₂ = 2, and never 90; the axis is "
            "an unstable fixed point",
        ),
    ]
    two = Result(f"{n} points of ellipses with r₁ = 1, even in the angle; l1.", cells, claims)
    return {"A-figure-1": one, "A-figure-2": two}


def _number(value):
    return {"value": round(value, 4), "error": None, "n": 1}


if __name__ == "__main__":
    run(figures)
