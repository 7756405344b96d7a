r"""Fuzzy labels beside vectors or objects: samples with a class pull also by it.

.. math:: d_i(w_j, y_j) = (1-\beta_i)\,\frac{\|x_i - w_j\|^2}{v} + \beta_i\,\|l_i - y_j\|^2

with the labels :math:`l_i`, distributions over the classes, and those :math:`y_j` of the
prototypes; v is the variance of the data, so that :math:`\beta` has no unit. Samples without a
label have :math:`\beta_i = 0`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from noneuclid.numerics.quantization import Table
from noneuclid.numerics.space_steps import space_steps
from noneuclid.prototypes.costs.pulls import Pulls
from noneuclid.prototypes.geometries.base import Meeting
from noneuclid.prototypes.geometries.combinations import CombinationGeometry
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.typing import Array, IntArray

# How much of what the labels of one epoch said counts in the next (online).
_MEMORY = 0.3


@dataclass
class LabelledVectors:
    """Prototypes, their distributions over the classes, and by how many pulls those are known."""

    vectors: Any
    Y: Array
    mass: Array


def _has_compiled_steps(geometry: "LabelledGeometry") -> bool:
    if hasattr(geometry.vectors, "step_code"):
        return True
    raise AttributeError("these steps are not compiled: they are taken one by one")


class LabelledGeometry(Meeting):
    """Vectors, or combinations of objects, and labels together.

    Parameters
    ----------
    vectors : VectorGeometry or CombinationGeometry
    L : array of shape (n, n_classes)
        Distributions; rows of samples without a label are not looked at.
    known : array of shape (n,)
        Which samples have a label.
    beta : float
        Weight of the labels.
    variance : float
        Unit of the distances of the vectors.
    """

    def __init__(
        self,
        vectors: VectorGeometry | CombinationGeometry,
        L: Array,
        known: np.ndarray,
        beta: float,
        variance: float,
    ):
        self.vectors: Any = vectors
        self.L, self.variance = L, variance
        self.known = known.astype(float)
        self.beta = beta * self.known

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return int(self.vectors.n_samples)

    def multiplications(self, theta: LabelledVectors) -> int:
        """Those of the vectors: labels are few."""
        return int(self.vectors.multiplications(theta.vectors))

    def start(self, W: Array) -> LabelledVectors:
        """Prototypes at W; all say of the classes what the labels say on average."""
        told = self.L[self.known > 0]
        m, k = len(W), self.L.shape[1]
        prior = told.mean(axis=0) if len(told) > 0 else np.full(k, 1.0 / k)
        return LabelledVectors(self.vectors.state(W), np.tile(prior, (m, 1)), np.zeros(m))

    def distances(self, theta: LabelledVectors, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of both parts: (n, m)."""
        beta, L, Y = self.beta[rows, None], self.L[rows], theta.Y
        D: Array = self.vectors.distances(theta.vectors, rows) * ((1.0 - beta) / self.variance)
        D += beta * ((L**2).sum(axis=1)[:, None] - 2.0 * L @ Y.T + (Y**2).sum(axis=1))
        return D

    def centres(self, pulls: Pulls, theta: LabelledVectors) -> LabelledVectors:
        """Both parts of the best prototypes for given pulls; without any, a part stays."""
        vectors = self.vectors.centres(pulls.weighted(1.0 - self.beta), theta.vectors)
        told = pulls.weighted(self.known)
        mass = told.mass[:, None]
        Y = np.where(mass > 0, told.sums(self.L) / np.where(mass > 0, mass, 1.0), theta.Y)
        return LabelledVectors(vectors, Y, mass[:, 0])

    def step(self, theta: LabelledVectors, i: int, pull: Array) -> None:
        """Move both parts towards one sample; labels become running means, as they are few."""
        beta = self.beta[i]
        if beta < 1:
            self.vectors.step(theta.vectors, i, (1.0 - beta) * pull)
        if self.known[i] > 0:
            theta.mass += pull
            share = np.where(theta.mass > 0, pull / np.where(theta.mass > 0, theta.mass, 1.0), 0.0)
            theta.Y += share[:, None] * (self.L[i] - theta.Y)

    @available_if(_has_compiled_steps)
    def steps(
        self, theta: LabelledVectors, order: IntArray, table: Table, by_rank: bool, rate: float
    ) -> float:
        """The same over many samples, compiled."""
        vectors, Z = self.vectors, np.array(theta.vectors.Z, order="C")
        labels = self.L, self.known, self.beta, float(self.variance), theta.Y, theta.mass
        code = vectors.step_code()
        cost = space_steps(vectors.Z, code, order, table, by_rank or None, rate, labels, Z)
        theta.vectors.Z = Z
        return cost

    def settle(self, theta: LabelledVectors) -> None:
        """Let the labels seen so far fade."""
        if hasattr(self, "steps"):
            self.vectors.settle(theta.vectors)
        theta.mass *= _MEMORY
