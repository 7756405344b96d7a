r"""Fuzzy labels beside vectors: samples with a class pull also by it.

.. math:: d_i(w_j, y_j) = (1-\beta_i)\,\frac{\|x_i - w_j\|^2}{v} + \beta_i\,\|l_i - y_j\|^2

with the labels :math:`l_i`, distributions over the classes, and those :math:`y_j` of the
prototypes; v is the variance of the data, so that :math:`\beta` has no unit. Samples without a
label have :math:`\beta_i = 0`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from noneuclid.prototypes.pulls import Pulls
from noneuclid.prototypes.quantization.vectors import QuantizedVectors
from noneuclid.prototypes.vectors import Vectors
from noneuclid.typing import Array, IntArray

# How much of what the labels of one epoch said counts in the next (online).
_MEMORY = 0.3


@dataclass
class LabelledVectors:
    """Prototypes, their distributions over the classes, and by how many pulls those are known."""

    vectors: Vectors
    Y: Array
    mass: Array


class LabelledGeometry:
    """Vectors and labels together.

    Parameters
    ----------
    vectors : QuantizedVectors
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
        self, vectors: QuantizedVectors, L: Array, known: np.ndarray, beta: float, variance: float
    ):
        self.vectors, self.L, self.variance = vectors, L, variance
        self.known = known.astype(float)
        self.beta = beta * self.known
        self.X, self.gradient = vectors.X, vectors.gradient
        self.n_samples = vectors.n_samples
        self.coordinate_size = vectors.coordinate_size

    def distances(self, theta: LabelledVectors, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of both parts: (n, m)."""
        beta, L, Y = self.beta[rows, None], self.L[rows], theta.Y
        D = self.vectors.distances(theta.vectors, rows) * ((1.0 - beta) / self.variance)
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

    def settle(self, theta: LabelledVectors) -> None:
        """Let the labels seen so far fade."""
        theta.mass *= _MEMORY


def fuzzy_labels(
    y: Any, n: int, missing_label: Any, learner: str, classes: ArrayLike | None = None
) -> tuple[np.ndarray, Array, np.ndarray]:
    """The classes, a distribution over them per sample, and which samples have one."""
    if y is None:
        raise ValueError(f"{learner} requires y to be passed, but the target y is None")
    given = np.asarray(y)
    if given.ndim == 2 and given.shape[1] > 1:
        L, known = _distributions(given, n)
        return np.arange(L.shape[1]), L, known
    given = column_or_1d(given, warn=True)
    if len(given) != n:
        raise ValueError(f"there are {n} samples but {len(given)} labels")
    known = ~_is_missing(given, missing_label)
    if not known.any() and classes is None:
        raise ValueError(
            f"all labels are missing ({missing_label!r} or NaN): at least one sample needs one; "
            "without any use NeuralGas or SelfOrganizingMap"
        )
    told = np.array(given[known].tolist()) if given.dtype == object else given[known]
    if known.any():
        assert_all_finite(told, input_name="y")
        check_classification_targets(told)
    names = np.unique(told if classes is None else np.asarray(classes))
    index = np.searchsorted(names, told)
    unseen = (index == len(names)) | (names[np.minimum(index, len(names) - 1)] != told)
    if unseen.any():
        raise ValueError(f"y holds {told[unseen][0]!r}, which is not one of the classes {names}")
    L = np.zeros((n, len(names)))
    L[np.flatnonzero(known), index] = 1.0
    return names, L, known


def _is_missing(y: np.ndarray, missing_label: Any) -> np.ndarray:
    if y.dtype == object:
        return np.array([_absent(value, missing_label) for value in y], dtype=bool)
    gone = np.isnan(y) if y.dtype.kind == "f" else np.zeros(len(y), dtype=bool)
    same_kind = isinstance(missing_label, str) == (y.dtype.kind in "US")
    return gone | (y == missing_label) if same_kind and missing_label is not None else gone


def _absent(value: Any, missing_label: Any) -> bool:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return True
    return type(value) is type(missing_label) and bool(value == missing_label)


def _distributions(y: np.ndarray, n: int) -> tuple[Array, np.ndarray]:
    L = np.array(y, dtype=np.float64)
    if len(L) != n:
        raise ValueError(f"there are {n} samples but {len(L)} labels")
    known = np.asarray(~np.isnan(L).any(axis=1))
    if not known.any():
        raise ValueError("all labels are missing (NaN): at least one sample needs one")
    if (L[known] < 0).any() or np.abs(L[known].sum(axis=1) - 1).max() > 1e-6:
        raise ValueError("rows of y must be distributions over the classes: at least 0, sum 1")
    L[~known] = 0.0
    return L, known
