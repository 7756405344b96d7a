r"""Vectors without labels, in any space: weighted centres and steps.

The centre of weighted samples minimises :math:`\sum_i h_i \|x_i - w\|^2`. It is their mean where
the product is bilinear. Elsewhere it is found by descent from where it was, and never gets worse.
"""

from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from noneuclid.numerics.quantization import vector_steps
from noneuclid.prototypes.pulls import Pulls
from noneuclid.prototypes.vectors import VectorGeometry, Vectors, descended
from noneuclid.spaces import Space
from noneuclid.typing import Array, IntArray

# Quasi-Newton steps per epoch: the next epoch goes on from there.
_STEPS = 10


def _is_euclidean(geometry: "QuantizedVectors") -> bool:
    chart = geometry.chart
    if geometry.gradient == "riesz" and chart is not None and chart.positive == len(geometry.signs):
        return True
    raise AttributeError("these steps are not Euclidean ones: they are taken one by one")


class QuantizedVectors(VectorGeometry):
    """Prototypes among vectors, with centres and steps for pulls.

    Parameters
    ----------
    space : Space
    X : array of shape (n, d)
    gradient : {"riesz", "coordinates"}
        Online steps along x − w or along J(x − w).
    """

    def __init__(self, space: Space, X: Array, gradient: str = "riesz"):
        super().__init__(space, X)
        self.gradient = gradient

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return len(self.X)

    def centres(self, pulls: Pulls, theta: Vectors) -> Vectors:
        """The best prototypes for given pulls; one without any stays."""
        mass = pulls.mass
        keep, divisor = mass <= 0, np.where(mass > 0, mass, 1.0)[:, None]
        if self.chart is None:
            means = np.where(keep[:, None], theta.W, pulls.sums(self.X) / divisor)
            return self.state(self._descended(pulls.dense(), theta.W, means))
        flat = np.where(keep[:, None], theta.flat, pulls.sums(self.Z) / divisor)
        return Vectors(self._unflat(flat), flat)

    def _unflat(self, flat: Array) -> Array:
        assert self.chart is not None
        return self.chart.unflatten(flat + self.origin)

    def _descended(self, H: Array, W: Array, means: Array) -> Array:
        """Centres at least as good as both the old ones and the means."""
        space: Any = self.space
        F = H / np.where(H.sum(axis=0) > 0, H.sum(axis=0), 1.0)

        def costs(W: Array) -> Array:
            return np.einsum("ij,ij->j", F, space.squared_distance(self.X, W))

        def better(W: Array, V: Array) -> tuple[Array, Array]:
            old, new = costs(W), costs(V)
            return np.where((new < old)[:, None], V, W), np.minimum(old, new)

        start, values = better(W, means)
        unit = float(np.abs(values).sum()) or 1.0

        def value_and_slope(V: Array) -> tuple[float, Array]:
            return costs(V).sum() / unit, space.pull(self.X, V, F) / unit

        options = {"maxiter": _STEPS, "maxfun": 2 * _STEPS}
        return better(start, descended(value_and_slope, start, self.units(len(W)), options))[0]

    @available_if(_is_euclidean)
    def steps(
        self, theta: Vectors, order: IntArray, table: Array, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order, compiled; equals ``step`` by ``step``."""
        columns = np.ascontiguousarray(theta.flat.T)
        cost = vector_steps(self.Z, order, table, by_rank, rate, columns)
        theta.flat = np.ascontiguousarray(columns.T)
        return cost

    def settle(self, theta: Vectors) -> None:
        """Bring the coordinates up to date with the flat ones, which the steps have moved."""
        if self.chart is not None:
            theta.W[:] = self._unflat(theta.flat)

    def step(self, theta: Vectors, i: int, pull: Array) -> None:
        """Move prototypes towards one sample: w ← w + a(x − w), or w + 2aJ(x − w)."""
        if self.gradient == "riesz":
            V = theta.W - self.X[i]
        else:
            V = self.space.squared_distance_gradient(self.X[i], theta.W)  # type: ignore[attr-defined]
        self.move(theta, theta.W - pull[:, None] * V)

    def coordinate_size(self) -> float:
        """Size of J(v) beside v: how much longer steps along J are than those along v."""
        mean = self.X.mean(axis=0)
        slopes = self.space.squared_distance_gradient(mean, self.X)  # type: ignore[attr-defined]
        size = float(np.linalg.norm(self.X - mean))
        return 0.5 * float(np.linalg.norm(slopes)) / size if size > 0 else 1.0
