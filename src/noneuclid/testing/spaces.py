"""What a space must satisfy.

A *law* is checked both ways: what is claimed must hold in every trial, and what is not claimed
must fail in some trial, so that a claim cannot be forgotten either.
"""

from collections.abc import Callable

import numpy as np

from noneuclid._discovery import all_spaces
from noneuclid.spaces import KernelMetric, LinearSpace, Space
from noneuclid.testing._tools import (
    SEEDS,
    assert_close,
    assert_gradient,
    check_bad_input,
    check_claim,
    check_copies,
    check_gradients,
    example_points,
)
from noneuclid.testing.kernels import example_kernels
from noneuclid.typing import Array

_TRIALS = 2000
_TOLERANCE = 1e-9


def example_spaces() -> list[Space]:
    """Instances of every space of the package, the metrics of its kernels included.

    Returns
    -------
    list of Space
        What ``examples()`` of every space returns.
    """
    differentiable = [k for k in example_kernels() if k.is_symmetric and hasattr(k, "gradient")]
    spaces = [space for cls in all_spaces() for space in cls.examples()]
    return spaces + [KernelMetric(kernel) for kernel in differentiable]


def check_space(space: Space) -> None:
    """Raise AssertionError, with a sentence, unless the space keeps its promises.

    Checked over several seeds: the claimed laws hold and the others do not; product, norm,
    distance, gradient and ``pull`` agree with each other and the derivatives with finite
    differences; flat coordinates are isometric; the space clones and pickles; empty, 1-d, NaN
    and wrong-width input gives an empty answer or a ValueError.

    Parameters
    ----------
    space : Space
        Any instance, of the package or your own.

    Examples
    --------
    >>> from noneuclid.spaces import Lp
    >>> check_space(Lp(1.5))
    """
    if not isinstance(space, Space):
        raise TypeError(f"check_space takes an instance of Space, not {space!r}")
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        X, W = example_points(space, rng, 7), example_points(space, rng, 4)
        if isinstance(space, LinearSpace):
            _check_dual(space, W)
            _check_products(space, X, W)
            _check_extremes(space, X)
        if hasattr(space, "squared_distance_gradient"):
            _check_distance(space, X, W, rng)
        if hasattr(space, "flatten"):
            _check_flat(space, X, W)  # type: ignore[arg-type]
        if isinstance(space, LinearSpace):
            _check_chart(space, X, W)
    if isinstance(space, LinearSpace):
        _check_laws(space)
    _check_negative_type(space)
    check_copies(space, lambda s, X: s.squared_distance(X, X), X)
    check_bad_input(space, space.squared_distance, X.shape[1])


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

# By how much a law fails for the rows x, y, z, relative to their size; ≤ 0 if it holds.
Violation = Callable[[LinearSpace, Array, Array, Array], Array]


def _product(space: LinearSpace, x: Array, y: Array) -> Array:
    return np.einsum("ij,ij->i", x, space.dual(y))


def _relative(space: LinearSpace, difference: Array, *rows: Array) -> Array:
    sizes = [np.abs(_product(space, a, b)) for a in rows for b in rows]
    return np.abs(difference) / (1e-300 + np.max(sizes, axis=0))


def _not_bounded(space: LinearSpace, x: Array, y: Array, degree: float) -> Array:
    # |[x, y]| ≤ [x, x]^(1/(degree+1)) [y, y]^(degree/(degree+1)): the powers might overflow.
    left, xx, yy = np.abs(_product(space, x, y)), _product(space, x, x), _product(space, y, y)
    root = 1 / (degree + 1)
    right = np.sign(xx) * np.abs(xx) ** root * np.sign(yy) * np.abs(yy) ** (degree * root)
    return (left - right) / (1e-300 + np.maximum(left, np.abs(right)))


def _not_triangle(space: LinearSpace, x: Array, y: Array, z: Array) -> Array:
    sides = space.norm(x) + space.norm(y)
    return np.asarray((space.norm(x + y) - sides) / (1e-300 + sides))


_LAWS: dict[str, Violation] = {
    "positivity": lambda s, x, y, z: np.where(x.any(axis=1) & (_product(s, x, x) <= 0), 1.0, 0.0),
    "linearity": lambda s, x, y, z: _relative(
        s, _product(s, 2 * x - 3 * y, z) - 2 * _product(s, x, z) + 3 * _product(s, y, z), x, y, z
    ),
    "homogeneity": lambda s, x, y, z: _relative(
        s, _product(s, x, -3.0 * y) + 3.0 * _product(s, x, y), x, y
    ),
    "cauchy_schwarz": lambda s, x, y, z: _not_bounded(s, x, y, 1.0),
    "hoelder": lambda s, x, y, z: _not_bounded(s, x, y, s.degree),
    "triangle": _not_triangle,
    "symmetry": lambda s, x, y, z: _relative(s, _product(s, x, y) - _product(s, y, x), x, y),
    "additivity": lambda s, x, y, z: _relative(
        s, _product(s, z, x + y) - _product(s, z, x) - _product(s, z, y), x, y, z
    ),
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
        rows = (_triples(space.n_features or 6, np.random.default_rng(seed)) for seed in SEEDS)
        worst = max(float(violation(space, *xyz).max()) for xyz in rows)
        check_claim(space, law, claimed, worst, _TOLERANCE)


def _not_of_negative_type(space: Space, q: float) -> float:
    """By how much centred −d^q/2 has negative eigenvalues, relative to the largest; 0 if none."""
    worst = 0.0
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        d = space.n_features or 6
        for X in (rng.normal(size=(40, d)), rng.integers(-1, 2, size=(40, d)).astype(float)):
            A = np.maximum(space.squared_distance(X, X), 0.0) ** (q / 2)
            values = np.linalg.eigvalsh(A.mean(axis=0) + A.mean(axis=1)[:, None] - A - A.mean())
            worst = max(worst, -values[0] / values[-1])
    return float(worst)


def _check_negative_type(space: Space) -> None:
    """The claimed power of the distance is of negative type, and more is not."""
    q = space.negative_type
    assert 0 <= q <= 2, f"{space}: negative_type (={q}) must be between 0 and 2"
    if q > 0:
        check_claim(space, f"negative type {q:g}", True, _not_of_negative_type(space, q), 1e-8)
    if q < 2 and space.n_features != 1 and "positivity" in space.laws:
        more = min(2.0, q + 0.5) if q > 0 else 2.0
        found = _not_of_negative_type(space, more)
        check_claim(space, f"negative type {more:g}", False, found, 1e-8)


# --- consistency ----------------------------------------------------------------------------


def _check_dual(space: LinearSpace, W: Array) -> None:
    """J is the gradient of ⟨w, J(w)⟩/(degree + 1), by Euler's theorem on homogeneous functions."""
    J = space.dual(W)
    for w, j in zip(W, J):
        primitive = lambda v: float(v @ space.dual(v[None, :])[0]) / (space.degree + 1)  # noqa: E731
        assert_gradient(j, primitive, w, f"{space}: dual")
    zeros = space.dual(np.zeros_like(W))
    assert (zeros == 0).all(), f"{space}: dual(0) must be 0"


def _check_products(space: LinearSpace, X: Array, W: Array) -> None:
    J = space.dual(W)
    assert_close(space.product(X, W), X @ J.T, f"{space}: product is not <x, J(w)>")
    if space.degree == 1:
        expected = np.einsum("ij,ij->i", W, J)
        assert_close(space.squared_norm(W), expected, f"{space}: squared_norm is not <w, J(w)>")
    if hasattr(space, "norm"):
        assert_close(space.norm(W) ** 2, space.squared_norm(W), f"{space}: norm² ≠ squared_norm")


def _check_extremes(space: LinearSpace, X: Array) -> None:
    """Huge and tiny rows are scaled rows; the zero row has norm 0. numpy must stay silent."""
    expected = space.squared_distance(X, X[:3])
    size = np.sqrt(np.abs(expected).max())
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for scale in (1e-150 / min(size, 1.0), 1e150 / max(size, 1.0)):  # squares within 1e±300
            D = space.squared_distance(scale * X, scale * X[:3]) / scale / scale
            assert_close(D, expected, f"{space}: squared_distance at {scale:g}")
            if hasattr(space, "norm"):
                norms = space.norm(scale * X) / scale
                assert_close(norms, space.norm(X), f"{space}: norm at {scale:g}")
            if space.degree == 1:
                J = space.dual(scale * X) / scale
                assert_close(J, space.dual(X), f"{space}: dual at {scale:g}")
        zero = np.zeros((1, X.shape[1]))
        assert space.squared_distance(zero, zero) == 0, f"{space}: d(0, 0) ≠ 0"


def _check_distance(space: Space, X: Array, W: Array, rng: np.random.Generator) -> None:
    D = space.squared_distance(X, W)
    if isinstance(space, LinearSpace):
        direct = np.array([space.squared_norm(x - W) for x in X])
        assert_close(D, direct, f"{space}: squared_distance is not squared_norm(x − w)")
    same = np.diag(space.squared_distance(X, X))
    assert np.abs(same).max() <= 1e-12 * (1 + np.abs(D).max()), f"{space}: d(x, x) ≠ 0"
    gradients = check_gradients(
        f"{space}: squared_distance_gradient",
        space.squared_distance_gradient,
        space.squared_distance,
        X,
        W,
    )
    F = rng.normal(size=D.shape)
    F[:, -1] = 0.0
    expected = np.einsum("ij,ijk->jk", F, gradients)
    assert_close(space.pull(X, W, F), expected, f"{space}: pull is not the sum of gradients")


def _check_chart(space: LinearSpace, X: Array, W: Array) -> None:
    chart = space.chart(X.shape[1])
    if chart is None:
        return
    Z = chart.forth(X)
    products = (Z * chart.signs) @ chart.forth(W).T
    assert_close(products, space.product(X, W), f"{space}: its chart does not keep products")
    assert_close(chart.back(Z), X, f"{space}: the chart's way back does not undo its way forth")


def _check_flat(space: LinearSpace, X: Array, W: Array) -> None:
    flat_X, flat_W = space.flatten(X), space.flatten(W)
    assert_close(flat_X @ flat_W.T, space.product(X, W), f"{space}: flatten is not isometric")
    assert_close(space.unflatten(flat_X), X, f"{space}: unflatten does not undo flatten")
