"""What a new space or kernel must satisfy: public checks, run on everything the package has.

A *law* is checked both ways: what is claimed must hold in every trial, and what is not claimed
must fail in some trial, so that a claim cannot be forgotten either.
"""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from noneuclid._discovery import all_estimators, all_kernels, all_spaces
from noneuclid.kernels import Kernel
from noneuclid.spaces import KernelMetric, LinearSpace, Space
from noneuclid.typing import Array

__all__ = [
    "all_estimators",
    "all_kernels",
    "all_spaces",
    "check_kernel",
    "check_space",
    "example_kernels",
    "example_points",
    "example_spaces",
]


def example_kernels() -> list[Kernel]:
    """Instances of every kernel of the package."""
    return [kernel for cls in all_kernels() for kernel in cls.examples()]


def example_spaces() -> list[Space]:
    """Instances of every space of the package, the metrics of its kernels included."""
    differentiable = [k for k in example_kernels() if k.is_symmetric and hasattr(k, "gradient")]
    spaces = [space for cls in all_spaces() for space in cls.examples()]
    return spaces + [KernelMetric(kernel) for kernel in differentiable]


def example_points(thing: Space | Kernel, rng: np.random.Generator, n: int) -> Any:
    """Return n random points that a space or kernel takes: rows, or objects of its own kind."""
    if isinstance(thing, Kernel) and thing.takes_objects:
        return thing.example_objects(rng, n)
    return rng.normal(size=(n, thing.n_features or 6))


_SEEDS = range(5)
_TRIALS = 2000
_TOLERANCE = 1e-9


def check_space(space: Space) -> None:
    """Raise AssertionError, with a sentence, unless the space keeps its promises.

    Checked over several seeds: the claimed laws hold and the others do not; product, norm,
    distance, gradient and ``pull`` agree with each other and the derivatives with finite
    differences; flat coordinates are isometric; the space clones and pickles; empty, 1-d, NaN
    and wrong-width input gives an empty answer or a ValueError.

    Examples
    --------
    >>> from noneuclid.spaces import Lp
    >>> check_space(Lp(1.5))
    """
    if not isinstance(space, Space):
        raise TypeError(f"check_space takes an instance of Space, not {space!r}")
    for seed in _SEEDS:
        rng = np.random.default_rng(seed)
        X, W = example_points(space, rng, 7), example_points(space, rng, 4)
        if isinstance(space, LinearSpace):
            _check_dual(space, W)
            _check_products(space, X, W)
            _check_extremes(space, X)
        if hasattr(space, "squared_distance_gradient"):
            _check_distance(space, X, W, rng)
        if hasattr(space, "flatten"):
            _check_flat(space, X, W)
    if isinstance(space, LinearSpace):
        _check_laws(space)
    _check_copies(space, lambda s, X: s.squared_distance(X, X), X)
    _check_bad_input(space, space.squared_distance, X.shape[1])


def check_kernel(kernel: Kernel) -> None:
    """Raise AssertionError, with a sentence, unless the kernel keeps its promises.

    Symmetry and positivity are claimed exactly if they hold; ``diag``, ``gradient`` and ``pull``
    agree with the kernel itself; it clones and pickles; bad input gives a ValueError.

    Examples
    --------
    >>> from noneuclid.kernels import Gaussian
    >>> check_kernel(Gaussian(width=2.0))
    """
    if not isinstance(kernel, Kernel):
        raise TypeError(f"check_kernel takes an instance of Kernel, not {kernel!r}")
    holds = {"symmetry": True, "positivity": True}
    for seed in _SEEDS:
        rng = np.random.default_rng(seed)
        both = example_points(kernel, rng, 13)
        X, W = both[:9], both[9:]
        K = kernel(X)
        size = np.abs(K).max()
        _assert_close(kernel(X, X), K, f"{kernel}: k(X, X) differs from k(X)")
        _assert_close(kernel.diag(X), np.diag(K), f"{kernel}: diag(X) is not k(X)'s diagonal")
        _assert_close(kernel(X, W), kernel(both)[:9, 9:], f"{kernel}: k(X, Y) differs")
        asymmetry = np.abs(K - K.T).max()
        holds["symmetry"] &= bool(asymmetry <= 1e-10 * size)
        lowest = np.linalg.eigvalsh((K + K.T) / 2).min() if asymmetry <= 1e-10 * size else -size
        holds["positivity"] &= bool(lowest >= -1e-10 * size)
        if hasattr(kernel, "gradient"):
            _check_kernel_gradient(kernel, X, W, rng)
    for law, held in holds.items():
        assert held or law not in kernel.laws, f"{kernel} claims {law}, which fails"
        assert not held or law in kernel.laws, f"{kernel} does not claim {law}, which holds"
    _check_copies(kernel, lambda k, X: k(X), X)
    if kernel.takes_objects:
        _check_objects(kernel, X)
    else:
        _check_bad_input(kernel, kernel, X.shape[1])


# --- points ---------------------------------------------------------------------------------


def _triples(n_features: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Rows x, y, z of all kinds: generic, sparse, integer, nearly parallel, collinear."""
    shape = (_TRIALS, n_features)
    x, y, z = rng.normal(size=(3, *shape))
    integer, sparse, close, collinear = (np.arange(_TRIALS) % 5 == kind for kind in (1, 2, 3, 4))
    x[integer], y[integer] = rng.integers(-3, 4, size=(2, integer.sum(), n_features))
    x[sparse] *= rng.random(x[sparse].shape) < 0.4
    y[sparse] *= rng.random(y[sparse].shape) < 0.4
    common = np.abs(x[close]) * (rng.random(x[close].shape) < 0.5)
    opposite = rng.random((close.sum(), 1)) * y[close]
    x[close], y[close] = common + opposite, common - opposite
    y[collinear] = rng.normal(size=(collinear.sum(), 1)) * x[collinear]
    return x, y, z


# --- laws -----------------------------------------------------------------------------------

Violation = Callable[[LinearSpace, Array, Array, Array], Array]
"""By how much a law fails for the rows x, y, z, relative to their size; ≤ 0 if it holds."""


def _product(space: LinearSpace, x: Array, y: Array) -> Array:
    return np.einsum("ij,ij->i", x, space.dual(y))


def _relative(space: LinearSpace, difference: Array, *rows: Array) -> Array:
    sizes = [np.abs(_product(space, a, b)) for a in rows for b in rows]
    return np.abs(difference) / (1e-300 + np.max(sizes, axis=0))


def _not_positive(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    square = _product(space, x, x)
    return np.where(x.any(axis=1) & (square <= 0), 1.0, 0.0)


def _not_linear(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    whole = _product(space, 2 * x - 3 * y, z)
    return _relative(space, whole - 2 * _product(space, x, z) + 3 * _product(space, y, z), x, y, z)


def _not_homogeneous(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    return _relative(space, _product(space, x, -3.0 * y) + 3.0 * _product(space, x, y), x, y)


def _not_bounded(space: LinearSpace, x: Array, y: Array, degree: float) -> Array:
    # |[x, y]| ≤ [x, x]^(1/(degree+1)) [y, y]^(degree/(degree+1)): the powers might overflow.
    left, xx, yy = np.abs(_product(space, x, y)), _product(space, x, x), _product(space, y, y)
    root = 1 / (degree + 1)
    right = np.sign(xx) * np.abs(xx) ** root * np.sign(yy) * np.abs(yy) ** (degree * root)
    return (left - right) / (1e-300 + np.maximum(left, np.abs(right)))


def _not_triangle(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    sides = space.norm(x) + space.norm(y)
    return np.asarray((space.norm(x + y) - sides) / (1e-300 + sides))


def _not_symmetric(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    return _relative(space, _product(space, x, y) - _product(space, y, x), x, y)


def _not_additive(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    parts = _product(space, z, x) + _product(space, z, y)
    return _relative(space, _product(space, z, x + y) - parts, x, y, z)


_LAWS: dict[str, Violation] = {
    "positivity": _not_positive,
    "linearity": _not_linear,
    "homogeneity": _not_homogeneous,
    "cauchy_schwarz": lambda space, x, y, z: _not_bounded(space, x, y, 1.0),
    "hoelder": lambda space, x, y, z: _not_bounded(space, x, y, space.degree),
    "triangle": _not_triangle,
    "symmetry": _not_symmetric,
    "additivity": _not_additive,
}


def _check_laws(space: LinearSpace) -> None:
    unknown = space.laws - set(_LAWS)
    assert not unknown, f"{space} claims laws nobody knows: {sorted(unknown)}"
    for law, violation in _LAWS.items():
        claimed = law in space.laws
        if law == "triangle" and not hasattr(space, "norm"):
            assert not claimed, f"{space} claims the triangle inequality, but has no norm"
            continue
        if law == "hoelder" and space.degree == 1 and not claimed:
            continue  # the same as Cauchy–Schwarz
        worst = -np.inf
        for seed in _SEEDS:
            x, y, z = _triples(space.n_features or 6, np.random.default_rng(seed))
            worst = max(worst, violation(space, x, y, z).max())
        holds = worst <= _TOLERANCE
        assert holds or not claimed, f"{space} claims {law}, violated by {worst:.3g}"
        assert claimed or not holds, f"{space} does not claim {law}, but no trial violates it"


# --- consistency ----------------------------------------------------------------------------


def _assert_close(got: Array, expected: Array, sentence: str, tolerance: float = 1e-8) -> None:
    size = np.abs(expected).max(initial=1e-300)
    error = np.abs(got - expected).max(initial=0.0) / size
    assert np.shape(got) == np.shape(expected), f"{sentence}: shape {np.shape(got)}"
    assert error <= tolerance, f"{sentence} (relative error {error:.3g})"


def _finite_differences(function: Callable[[Array], float], at: Array) -> tuple[Array, Array]:
    """Central differences, and where two step sizes agree (elsewhere a kink is near)."""
    estimates = []
    for step in (2e-6, 1e-6):
        units = step * np.eye(len(at))
        estimates.append([(function(at + h) - function(at - h)) / (2 * step) for h in units])
    coarse, fine = np.array(estimates)
    return fine, np.abs(coarse - fine) <= 1e-5 * (1e-3 + np.abs(fine).max())


def _assert_gradient(got: Array, function: Callable[[Array], float], at: Array, what: str) -> None:
    expected, smooth = _finite_differences(function, at)
    assert smooth.any(), f"{what}: no coordinate could be differentiated"
    size = np.abs(expected[smooth]).max() + 1e-3
    error = np.abs(got - expected)[smooth].max() / size
    assert error < 1e-4, f"{what} differs from finite differences (relative error {error:.3g})"


def _check_dual(space: LinearSpace, W: Array) -> None:
    """J is the gradient of ⟨w, J(w)⟩/(degree + 1), by Euler's theorem on homogeneous functions."""
    J = space.dual(W)
    for w, j in zip(W, J):
        _assert_gradient(
            j,
            lambda v: float(v @ space.dual(v[None, :])[0]) / (space.degree + 1),
            w,
            f"{space}: dual",
        )
    zeros = space.dual(np.zeros_like(W))
    assert (zeros == 0).all(), f"{space}: dual(0) must be 0"


def _check_products(space: LinearSpace, X: Array, W: Array) -> None:
    J = space.dual(W)
    _assert_close(space.product(X, W), X @ J.T, f"{space}: product is not <x, J(w)>")
    if space.degree == 1:
        expected = np.einsum("ij,ij->i", W, J)
        _assert_close(space.squared_norm(W), expected, f"{space}: squared_norm is not <w, J(w)>")
    if hasattr(space, "norm"):
        _assert_close(space.norm(W) ** 2, space.squared_norm(W), f"{space}: norm² ≠ squared_norm")


def _check_extremes(space: LinearSpace, X: Array) -> None:
    """Huge and tiny rows are scaled rows; the zero row has norm 0. numpy must stay silent."""
    expected = space.squared_distance(X, X[:3])
    size = np.sqrt(np.abs(expected).max())
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for scale in (1e-150 / min(size, 1.0), 1e150 / max(size, 1.0)):  # squares within 1e±300
            D = space.squared_distance(scale * X, scale * X[:3]) / scale / scale
            _assert_close(D, expected, f"{space}: squared_distance at {scale:g}")
            if hasattr(space, "norm"):
                norms = space.norm(scale * X) / scale
                _assert_close(norms, space.norm(X), f"{space}: norm at {scale:g}")
            if space.degree == 1:
                J = space.dual(scale * X) / scale
                _assert_close(J, space.dual(X), f"{space}: dual at {scale:g}")
        zero = np.zeros((1, X.shape[1]))
        assert space.squared_distance(zero, zero) == 0, f"{space}: d(0, 0) ≠ 0"


def _check_distance(space: Space, X: Array, W: Array, rng: np.random.Generator) -> None:
    D = space.squared_distance(X, W)
    if isinstance(space, LinearSpace):
        direct = np.array([space.squared_norm(x - W) for x in X])
        _assert_close(D, direct, f"{space}: squared_distance is not squared_norm(x − w)")
    same = np.diag(space.squared_distance(X, X))
    assert np.abs(same).max() <= 1e-12 * (1 + np.abs(D).max()), f"{space}: d(x, x) ≠ 0"
    gradients = np.array([space.squared_distance_gradient(x, W) for x in X])
    for j, w in enumerate(W):
        _assert_gradient(
            gradients[0, j],
            lambda v: float(space.squared_distance(X[:1], v[None, :])[0, 0]),
            w,
            f"{space}: squared_distance_gradient",
        )
    F = rng.normal(size=D.shape)
    F[:, -1] = 0.0
    expected = np.einsum("ij,ijk->jk", F, gradients)
    _assert_close(space.pull(X, W, F), expected, f"{space}: pull is not the sum of gradients")


def _check_flat(space: LinearSpace, X: Array, W: Array) -> None:
    flat_X, flat_W = space.flatten(X), space.flatten(W)
    _assert_close(flat_X @ flat_W.T, space.product(X, W), f"{space}: flatten is not isometric")
    _assert_close(space.unflatten(flat_X), X, f"{space}: unflatten does not undo flatten")


def _check_kernel_gradient(kernel: Kernel, X: Array, W: Array, rng: np.random.Generator) -> None:
    gradients = np.array([kernel.gradient(x, W) for x in X])
    for j, w in enumerate(W):
        _assert_gradient(
            gradients[0, j],
            lambda v: float(kernel(X[:1], v[None, :])[0, 0]),
            w,
            f"{kernel}: gradient",
        )
    if hasattr(kernel, "pull"):
        F = rng.normal(size=(len(X), len(W)))
        expected = np.einsum("ij,ijk->jk", F, gradients)
        _assert_close(kernel.pull(X, W, F), expected, f"{kernel}: pull is not Σ F ∂κ")


# --- manners --------------------------------------------------------------------------------


def _check_copies(thing: object, evaluate: Callable[..., Array], X: Array) -> None:
    expected = evaluate(thing, X)
    for how, copy in (("clone", clone(thing)), ("pickle", pickle.loads(pickle.dumps(thing)))):
        assert type(copy) is type(thing), f"{how} of {thing} is {copy}"
        assert (evaluate(copy, X) == expected).all(), f"{how} of {thing} computes something else"
    assert repr(thing), "repr must not be empty"


def _check_objects(kernel: Kernel, X: Any) -> None:
    assert kernel(X[:0], X[:0]).shape == (0, 0), f"{kernel}: no objects must give a (0, 0) answer"
    _assert_close(kernel(list(X)), kernel(X), f"{kernel}: a list of objects gives other values")
    bad: dict[str, Any] = {"a number": 3.0, "text": "word", "no object": [None]}
    for what, value in bad.items():
        try:
            kernel(value, value)
        except (TypeError, ValueError):
            continue
        raise AssertionError(f"{kernel} accepts {what}")


def _check_bad_input(
    thing: Space | Kernel, evaluate: Callable[..., Array], n_features: int
) -> None:
    good = np.ones((3, n_features))
    empty = evaluate(good[:0], good[:0])
    assert empty.shape == (0, 0), f"{thing}: no rows must give an empty (0, 0) answer"
    bad = {
        "a 1-d array": good[0],
        "a NaN": np.where(np.eye(3, n_features) > 0, np.nan, good),
        "an infinity": np.where(np.eye(3, n_features) > 0, np.inf, good),
        "text": np.full(good.shape, "word"),
    }
    if thing.n_features is not None:
        bad["a feature too many"] = np.ones((3, n_features + 1))
    pairs = {what: (value, value) for what, value in bad.items()}
    pairs["rows of different lengths"] = (good, np.ones((3, n_features + 1)))
    for what, pair in pairs.items():
        try:
            evaluate(*pair)
        except (TypeError, ValueError):
            continue
        raise AssertionError(f"{thing} accepts {what}")
