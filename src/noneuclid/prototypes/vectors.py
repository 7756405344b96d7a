r"""Prototypes that are vectors, in any space.

A force on the distances :math:`d(x_i, w_j) = \|x_i - w_j\|^2` moves :math:`w_j` along

.. math:: -\sum_i F_{ij}\frac{\partial d_{ij}}{\partial w_j} = 2\sum_i F_{ij} J(x_i - w_j)
          \quad\text{(coordinates) or}\quad \sum_i F_{ij}(x_i - w_j) \quad\text{(Riesz)}.

Where the duality map J is linear, both are matrix products. Samples and prototypes are then also
kept in *flat* coordinates, in which the product is Euclidean up to signs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from sklearn.utils.metaestimators import available_if

from noneuclid.numerics.linalg import signed_eigh
from noneuclid.numerics.lvq_vectors import vector_epoch
from noneuclid.prototypes.costs import CostCode
from noneuclid.prototypes.geometry import Geometry
from noneuclid.spaces import Euclidean, Space
from noneuclid.typing import Array, IntArray

_BARYCENTER_STEPS = 200


def check_range(X: Array) -> Array:
    """Return X, or raise if sums of its squared distances overflow."""
    largest = float(np.abs(X).max(initial=0.0, where=~np.isnan(X)))
    if largest > np.sqrt(np.finfo(np.float64).max / (16.0 * max(X.size, 1))):
        raise ValueError(
            f"X holds values up to {largest:.0e}, whose squared distances overflow: rescale it"
        )
    return X


@dataclass
class Vectors:
    """Coordinates of the prototypes, and beside them flat ones if the space has such."""

    W: Array
    flat: Array

    @property
    def parameters(self) -> Array:
        """The coordinates W."""
        return self.W

    def copy(self) -> "Vectors":
        """Return an independent copy."""
        return Vectors(self.W.copy(), self.flat.copy())


class _Chart(NamedTuple):
    """Coordinates in which a bilinear product is diagonal, with ``positive`` ones first."""

    flatten: Callable[[Array], Array]
    unflatten: Callable[[Array], Array]
    positive: int


def _as_it_is(X: Array) -> Array:
    return X


def _chart(space: Space, d: int) -> _Chart | None:
    if isinstance(space, Euclidean):
        return _Chart(_as_it_is, _as_it_is, d)
    if hasattr(space, "flatten"):
        return _Chart(space.flatten, space.unflatten, d)
    if not space.laws >= {"symmetry", "additivity"}:
        return None
    values, vectors = signed_eigh(space.dual(np.eye(d)))  # type: ignore[attr-defined]
    root = np.sqrt(np.abs(values))
    forth, back = vectors * root, (vectors / root).T
    return _Chart(lambda X: X @ forth, lambda Z: Z @ back, int((values > 0).sum()))


def _is_linear(geometry: "VectorGeometry") -> bool:
    if hasattr(geometry.space, "dual"):
        return True
    raise AttributeError(f"{geometry.space} is not linear: it has no Riesz gradient")


def _is_flat(geometry: "VectorGeometry") -> bool:
    if geometry.chart is not None:
        return True
    raise AttributeError(f"the product of {geometry.space} is not bilinear")


class VectorGeometry(Geometry[Vectors]):
    """Prototypes among the vectors X of a space.

    Parameters
    ----------
    space : Space
        Without anything left to the data: ``KernelMetric`` after its ``resolve``.
    X : array of shape (n, d)
    weights : array of shape (n,), optional
        Of the samples, for means and variances.
    """

    largest_block = 200
    bandwidth_share = 0.2

    def __init__(self, space: Space, X: Array, weights: Array | None = None):
        self.space, self.X, self.weights = space, X, weights
        self.chart = self._make_chart()
        if self.chart is not None:
            Z = self.chart.flatten(X)
            self.origin = Z.mean(axis=0)  # distances lose fewer digits around the middle
            self.Z = np.ascontiguousarray(Z - self.origin)
            self.signs = np.where(np.arange(Z.shape[1]) < self.chart.positive, 1.0, -1.0)
            self.squares = self._squares(self.Z)

    def _make_chart(self) -> _Chart | None:
        return _chart(self.space, self.X.shape[1])

    def _squares(self, Z: Array) -> Array:
        return np.einsum("ik,ik,k->i", Z, Z, self.signs)

    def _flat(self, W: Array) -> Array:
        return W if self.chart is None else self.chart.flatten(W) - self.origin

    def state(self, parameters: Array) -> Vectors:
        """Prototypes at these coordinates."""
        W = np.array(parameters, dtype=np.float64, order="C")
        return Vectors(W, self._flat(W))

    def move(self, theta: Vectors, parameters: Array) -> None:
        """Set new coordinates."""
        theta.W[:] = parameters
        theta.flat = self._flat(theta.W)

    def distances(self, theta: Vectors, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``: (n, m)."""
        if self.chart is None:
            return self.space.squared_distance(self.X[rows], theta.W)  # type: ignore[attr-defined]
        return self._flat_distances(rows, theta.flat)

    def _flat_distances(self, rows: IntArray | slice, W: Array) -> Array:
        assert self.chart is not None
        D = self.Z[rows] @ (-2.0 * self.signs * W).T
        D += self.squares[rows, None]
        D += self._squares(W)
        if self.chart.positive == len(self.signs):
            np.maximum(D, 0.0, out=D)  # below 0 is rounding
        return D

    @staticmethod
    def distances_to(space: Space, X: Array, W: Array) -> Array:
        """d_ij of new vectors to prototypes; missing values (NaN) are left out."""
        missing = np.isnan(X)
        if missing.any():
            middle = W.mean(axis=0)
            known = np.where(missing, 0.0, X - middle)
            return _observed_distances(known, (~missing).astype(float), W - middle)
        return space.squared_distance(X, W)  # type: ignore[attr-defined]

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some samples."""
        if self.chart is not None:
            return self._flat_distances(members, self.Z[members])
        return self.space.squared_distance(self.X[members], self.X[members])  # type: ignore[attr-defined]

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` samples."""
        if self.chart is not None:
            return self._flat_distances(members, G @ self.Z[some]).argmin(axis=1)
        W = G @ self.X[some]
        return self.space.squared_distance(self.X[members], W).argmin(axis=1)  # type: ignore[attr-defined]

    def pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂w_j, the coordinate gradient."""
        if self.chart is None:
            return self.space.pull(self.X[rows], theta.W, F)  # type: ignore[attr-defined]
        return 2.0 * self.space._dual(self.riesz_pull(theta, rows, F))  # type: ignore[attr-defined]

    @available_if(_is_linear)
    def riesz_pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − x_i), the Riesz gradient."""
        pull = F.sum(axis=0)[:, None] * theta.W
        pull -= F.T @ self.X[rows]
        return pull

    def barycenter(self, H: ArrayLike, start: Array | None = None) -> Array:
        r"""Minimiser of :math:`\sum_i H_{ij} d(x_i, w_j)` for every column of weights: (m, d).

        Where the product is bilinear it is the weighted mean. Elsewhere it is found by quasi-Newton
        descent from the weighted mean: a minimum in spaces with a norm, a local one otherwise. A
        column of zeros gives its row of ``start``, or the mean of all.
        """
        H = np.asarray(H, dtype=np.float64)
        if start is None:
            start = np.broadcast_to(self._mean(), (H.shape[1], self.X.shape[1]))
        total = H.sum(axis=0)
        shares = H / np.where(total == 0, 1.0, total)
        means = np.where(total[:, None] == 0, start, shares.T @ self.X)
        if self.chart is not None:
            return means

        def cost(theta: Vectors) -> float:
            return float((shares * self.distances(theta)).sum())

        unit = abs(cost(self.state(means))) or 1.0

        def value_and_slope(W: Array) -> tuple[float, Array]:
            theta = self.state(W)
            return cost(theta) / unit, self.pull(theta, slice(None), shares) / unit

        options = {"maxiter": _BARYCENTER_STEPS}
        return descended(value_and_slope, means, self.units(len(means)), options)

    def _average(self, values: Array, rows: IntArray | slice) -> Array:
        """Mean over samples, weighted unless no sample among the rows has a weight."""
        weights = None if self.weights is None else self.weights[rows]
        if weights is None or not weights.any():
            return values.mean(axis=0)
        return weights @ values / weights.sum()

    def _mean(self, rows: IntArray | slice = slice(None)) -> Array:
        return self._average(self.X[rows], rows)

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of samples from their mean; may be negative if indefinite."""
        D = self.distances(self.state(self._mean(rows)[None, :]), rows)
        return float(self._average(D[:, 0], rows))

    def magnitude(self) -> float:
        """Mean modulus of the squared distances from the mean."""
        return float(np.abs(self.distances(self.state(self._mean()[None, :]))).mean())

    def units(self, n_rows: int) -> float:
        """Root mean square of the coordinates around their mean."""
        deviations = self.X - self._mean()
        largest = float(np.abs(deviations).max(initial=0.0))
        if largest == 0:
            return 1.0
        # Divided first: squares of very small numbers vanish.
        squares = ((deviations / largest) ** 2).sum(axis=1)
        return largest * float(np.sqrt(self._average(squares, slice(None)))) or 1.0

    def stiffness(self, m: int) -> float:
        """Samples per prototype, times the size of J."""
        mean = self._mean()
        slopes = self.space.squared_distance_gradient(mean, self.X)  # type: ignore[attr-defined]
        size = float(np.linalg.norm(self.X - mean))
        return len(self.X) / m * (0.5 * float(np.linalg.norm(slopes)) / size if size > 0 else 1.0)

    @available_if(_is_flat)
    def riesz_epoch(
        self,
        theta: Vectors,
        y: IntArray,
        own_of_class: np.ndarray,
        order: IntArray,
        step: Array,
        code: CostCode,
    ) -> tuple[int, int]:
        """Prototype steps over all samples in order, compiled; equals the generic path."""
        assert self.chart is not None
        flat = np.ascontiguousarray(theta.flat)
        refused = vector_epoch(
            self.Z, self.chart.positive, own_of_class, y, order, step, *code, flat
        )
        theta.W[:] = self.chart.unflatten(flat + self.origin)
        theta.flat = flat
        return refused, 0


def descended(
    value_and_slope: Callable[[Array], tuple[float, Array]],
    start: Array,
    unit: float,
    options: dict[str, int],
) -> Array:
    """Where quasi-Newton descent ends, with steps in a unit of the data, so in any unit."""

    def objective(u: Array) -> tuple[float, Array]:
        value, slope = value_and_slope(start + unit * u.reshape(start.shape))
        return value, unit * slope.ravel()

    zero = np.zeros(start.size)
    found = minimize(objective, zero, jac=True, method="L-BFGS-B", options=options)
    return start + unit * found.x.reshape(start.shape)


class MissingGeometry(VectorGeometry):
    r"""Vectors with missing values: distances are sums over the features a sample has.

    .. math:: d(x, w) = \sum_{k: x_k\,\text{is there}} (x_k - w_k)^2

    For a mixture of Gaussians, as RSLVQ models it, that is the distribution of what is there.
    """

    def __init__(self, X: Array, weights: Array | None = None):
        missing = np.isnan(X)
        self.there = (~missing).astype(float)
        count = self.there.sum(axis=0)
        means = np.where(missing, 0.0, X).sum(axis=0) / np.where(count == 0, 1.0, count)
        # Distances lose fewer digits around the middle.
        self.middle = means
        self.known = np.where(missing, 0.0, X - means)
        self.squares = (self.known**2).sum(axis=1)
        super().__init__(Euclidean(), np.where(missing, means, X), weights)

    def _make_chart(self) -> None:
        return None

    def distances(self, theta: Vectors, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``, over the features they have: (n, m)."""
        W = theta.W - self.middle
        return _observed_distances(self.known[rows], self.there[rows], W, self.squares[rows])

    def pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂w_j, the coordinate gradient."""
        return 2.0 * self.riesz_pull(theta, rows, F)

    def riesz_pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − x_i), the Riesz gradient."""
        return (F.T @ self.there[rows]) * (theta.W - self.middle) - F.T @ self.known[rows]

    def barycenter(self, H: ArrayLike, start: Array | None = None) -> Array:
        """Weighted means of what is there; where nothing is, the mean of all."""
        H = np.asarray(H, dtype=np.float64)
        count = H.T @ self.there
        means = self.middle + H.T @ self.known / np.where(count == 0, 1.0, count)
        return np.where(count == 0, self._mean() if start is None else start, means)


def _observed_distances(
    known: Array, there: Array, W: Array, squares: Array | None = None
) -> Array:
    if squares is None:
        squares = (known**2).sum(axis=1)
    D = squares[:, None] - 2.0 * known @ W.T + there @ (W**2).T
    return np.maximum(D, 0.0)
