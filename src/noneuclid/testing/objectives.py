"""What an objective of generalised components must satisfy."""

from typing import Any

import numpy as np

from noneuclid.testing._tools import SEEDS, assert_close, assert_gradient, check_claim
from noneuclid.typing import Array

_TRIALS = 2000
# Values beyond it would be lost in rounding or saturation.
_LARGEST = 6.0
_TOLERANCE = 1e-10


def check_objective(objective: Any) -> None:
    """Raise AssertionError, with a sentence, unless an objective keeps its promises.

    ``slope`` must be the derivative of ``value`` on u ≥ 0, except at kinks; both take arrays of
    any shape. ``convex`` is checked both ways: claimed, ``f(|u|)`` must be convex in every trial;
    not claimed, it must fail in some.

    Parameters
    ----------
    objective : Objective
        With ``value``, ``slope`` and ``convex``.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_objective(SimpleNamespace(value=np.square, slope=lambda u: 2.0 * u, convex=True))
    """
    for name in ("value", "slope", "convex"):
        if not hasattr(objective, name):
            raise TypeError(f"check_objective takes an Objective; {objective!r} has no {name}")
    worst = -np.inf
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        u = rng.uniform(0.01, _LARGEST, size=(4, 6))
        _check_values(objective, u)
        assert_gradient(
            np.asarray(objective.slope(u)).ravel(),
            lambda v: float(np.sum(objective.value(v.reshape(u.shape)))),  # noqa: B023
            u.ravel(),
            f"{objective}: slope",
        )
        worst = max(worst, _violation(objective, rng))
    check_claim(objective, "to be convex", objective.convex, worst, _TOLERANCE)


def _check_values(objective: Any, u: Array) -> None:
    for name in ("value", "slope"):
        function = getattr(objective, name)
        kept = u.copy()
        found = np.asarray(function(u))
        assert found.shape == u.shape, f"{objective}: {name} of shape {found.shape} for {u.shape}"
        assert (u == kept).all(), f"{objective}: {name} changes the array it is given"
        assert_close(np.asarray(function(u[0])), found[0], f"{objective}: {name} mixes its entries")
        ends = np.asarray(function(np.array([0.0, 1e-300, 1e-3])))
        assert np.isfinite(ends).all(), f"{objective}: {name} is not finite at 0"


def _violation(objective: Any, rng: np.random.Generator) -> float:
    """By how much a chord of f(|u|) lies below it, relative to the size of the values."""
    a, b = rng.uniform(-_LARGEST, _LARGEST, size=(2, _TRIALS))
    near = np.arange(_TRIALS) % 2 == 0  # short chords see what is concave in few places only
    b[near] = a[near] + 0.1 * rng.normal(size=near.sum())
    share = rng.random(_TRIALS)
    f = [np.asarray(objective.value(np.abs(u))) for u in (share * a + (1 - share) * b, a, b)]
    excess = f[0] - share * f[1] - (1 - share) * f[2]
    return float(excess.max() / max(np.abs(f).max(), 1e-300))
