"""What a cost of learning vector quantisation must satisfy."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.special import logsumexp

from noneuclid.numerics import lvq
from noneuclid.testing._tools import SEEDS, assert_close, assert_gradient, check_copies
from noneuclid.typing import Array, IntArray

_SAMPLES, _CLASSES = 9, np.array([0, 1, 2, 0, 1])
_TINY, _HUGE = 1e-100, 1e100


def check_cost(cost: Any) -> None:
    """Raise AssertionError, with a sentence, unless the cost keeps its promises.

    Checked over several seeds: the forces are the derivatives of the value (unless the cost is a
    heuristic), the value is a sum over samples, weights weigh them, no order of samples,
    prototypes or classes matters, scores have one column per class and are log-probabilities
    where the cost is soft; compiled code gives the same; automatic parameters are fixed in a copy;
    the cost clones, prints and pickles, and changes nothing it is given.

    Parameters
    ----------
    cost : Cost
        An instance; what is automatic is resolved first.
    """
    if isinstance(cost, type) or not hasattr(cost, "evaluate"):
        raise TypeError(f"check_cost takes an instance of Cost, not {cost!r}")
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        D = rng.gamma(2.0, size=(_SAMPLES, len(_CLASSES)))
        who = _membership(np.arange(_SAMPLES) % 3, _CLASSES)
        fixed = _resolved(cost, D, who)
        _check_shapes(fixed, D, who)
        if not getattr(fixed, "is_heuristic", False):
            _check_forces(fixed, D, who)
        _check_sums(fixed, D, who, rng)
        _check_orders(fixed, D, who, rng)
        _check_scores(fixed, D, who)
        _check_scale(fixed, D, who)
        _check_compiled(fixed, D, who, rng)
    check_copies(fixed, lambda c, D: c.evaluate(D, who).forces, D)


def _membership(y: IntArray, classes: IntArray) -> Any:
    of_class = classes == np.arange(3)[:, None]
    return SimpleNamespace(y=y, classes=classes, of_class=of_class, own=of_class[y])


def _resolved(cost: Any, D: Array, who: Any) -> Any:
    """The cost with its automatic parameters fixed; it must be another object."""
    if not hasattr(cost, "resolve"):
        return cost
    before = repr(cost.get_params())
    given = {"who": who, "weights": None, "literal": False, "steepness": 2.0}
    outset = SimpleNamespace(distances=lambda: D, bandwidth=lambda: 1.0, **given)
    fixed = cost.resolve(outset)
    assert fixed is not cost, f"{cost}: resolve must return a copy"
    assert repr(cost.get_params()) == before, f"{cost}: resolve must not change the cost itself"
    return fixed


def _check_shapes(cost: Any, D: Array, who: Any) -> None:
    for what, given in (
        ("random distances", D),
        ("tiny distances", _TINY * D),
        ("huge distances", _HUGE * D),
        ("equal distances", np.ones_like(D)),
        ("zero distances", np.zeros_like(D)),
    ):
        kept = given.copy()
        with np.errstate(all="ignore"):
            found = cost.evaluate(given, who)
        assert np.ndim(found.value) == 0, f"{cost}: the value is no number"
        assert np.shape(found.forces) == D.shape, (
            f"{cost}: forces of shape {np.shape(found.forces)} for distances of shape {D.shape}"
        )
        finite = np.isfinite(found.value) and np.isfinite(found.forces).all()
        assert finite, f"{cost}: value or forces are not finite for {what}"
        assert 0 <= found.refused <= len(D), f"{cost}: refused {found.refused} of {len(D)} samples"
        assert (given == kept).all(), f"{cost} changes the distances it is given"


def _check_forces(cost: Any, D: Array, who: Any) -> None:
    assert_gradient(
        cost.evaluate(D, who).forces.ravel(),
        lambda d: cost.evaluate(d.reshape(D.shape), who).value,
        D.ravel(),
        f"{cost}: forces",
    )


def _check_sums(cost: Any, D: Array, who: Any, rng: np.random.Generator) -> None:
    parts = [cost.evaluate(D[[i]], _membership(who.y[[i]], who.classes)) for i in range(len(D))]
    values, forces = np.array([p.value for p in parts]), np.vstack([p.forces for p in parts])
    found = cost.evaluate(D, who)
    assert_close(found.value, values.sum(), f"{cost}: the value is not a sum over samples")
    assert_close(found.forces, forces, f"{cost}: forces of a sample depend on other samples")
    weights = np.r_[0.0, rng.random(len(D) - 1)]
    found = cost.evaluate(D, who, weights)
    assert_close(found.value, weights @ values, f"{cost}: weights do not weigh the values")
    weighed = weights[:, None] * forces
    assert_close(found.forces, weighed, f"{cost}: weights do not weigh the forces")


def _check_orders(cost: Any, D: Array, who: Any, rng: np.random.Generator) -> None:
    expected = cost.evaluate(D, who)
    n, k = D.shape
    per_prototype = any(np.ndim(value) for value in cost.get_params().values())
    prototypes = np.arange(k) if per_prototype else rng.permutation(k)
    for what, i, j, rename in (
        ("samples", rng.permutation(n), np.arange(k), np.arange(3)),
        ("prototypes", np.arange(n), prototypes, np.arange(3)),
        ("classes", np.arange(n), np.arange(k), rng.permutation(3)),
    ):
        other = _membership(rename[who.y[i]], rename[who.classes[j]])
        found, block = cost.evaluate(D[np.ix_(i, j)], other), expected.forces[np.ix_(i, j)]
        by = f"on the order of {what}"
        assert_close(found.value, expected.value, f"{cost}: the value depends {by}")
        assert_close(found.forces, block, f"{cost}: forces depend {by}")


def _check_scores(cost: Any, D: Array, who: Any) -> None:
    if not hasattr(cost, "class_scores"):
        return
    scores = cost.class_scores(D, who.of_class)
    assert np.shape(scores) == (len(D), 3), (
        f"{cost}: class_scores of shape {np.shape(scores)}, not (samples, classes)"
    )
    assert np.isfinite(scores).all(), f"{cost}: class_scores are not finite"
    if getattr(cost, "is_soft", False):
        total = np.exp(logsumexp(scores, axis=1))
        assert_close(total, np.ones(len(D)), f"{cost} is soft; its scores are no log-probabilities")
    nearer = D.copy()
    nearer[:, who.of_class[1]] *= 0.5
    gained = cost.class_scores(nearer, who.of_class)[:, 1] - scores[:, 1]
    assert (gained >= -1e-12).all(), f"{cost}: a class scores less when its prototypes come nearer"


def _check_scale(cost: Any, D: Array, who: Any) -> None:
    claimed = getattr(cost, "per_distance", None)
    if claimed is None:
        return
    F, scaled = cost.evaluate(D, who).forces, 4.0 * cost.evaluate(4.0 * D, who).forces
    holds = bool(np.abs(F - scaled).max() <= 1e-9 * np.abs(F).max())
    assert holds or not claimed, f"{cost} claims forces that are reciprocal distances; they are not"
    assert claimed or not holds, f"{cost} does not claim per_distance, which holds"


def _check_compiled(cost: Any, D: Array, who: Any, rng: np.random.Generator) -> None:
    code = cost.code(D.shape[1]) if hasattr(cost, "code") else None
    if code is not None:
        phi = np.zeros_like(D)
        for d, own, row in zip(D.copy(), who.own, phi):
            arguments: list[Any] = [d, own, *code, row]
            lvq.sample_forces(*arguments)
        unit = cost.unit() if hasattr(cost, "unit") else 1.0
        expected = unit * cost.evaluate(D, who).forces
        assert_close(phi, expected, f"{cost}: compiled forces differ", tolerance=1e-6)
    if hasattr(cost, "move_costs"):
        weights, R = rng.random(len(D)), rng.gamma(2.0, size=(4, len(D)))
        candidates = np.array([2, 0, 3])
        found = cost.move_costs(D.copy(), who, weights, 1, R, candidates)
        moved = [np.column_stack([D[:, :1], R[k], D[:, 2:]]) for k in candidates]
        expected = np.array([cost.evaluate(M, who, weights).value for M in moved])
        assert_close(found, expected, f"{cost}: move_costs differ from the values")
