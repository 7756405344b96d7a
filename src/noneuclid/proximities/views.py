"""The two ways a relation sees its objects: all proximities, or features from landmarks.

Both give similarities between training objects, proximities of new ones, and a chart.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from scipy import linalg

from noneuclid.numerics import signed_eigh, signed_features
from noneuclid.proximities.charts import RelationChart
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.proximities.conversions import centred_similarity_rows, to_similarity
from noneuclid.proximities.corrections import Correction, SpectrumCorrection
from noneuclid.proximities.features import LandmarkFeatures
from noneuclid.proximities.sources import ASK, Source, copied
from noneuclid.proximities.spectrum import Signature, count_signs
from noneuclid.typing import Array, IntArray

# An eigenvalue below minus this share of the largest modulus is no rounding.
_NEGATIVE = 1e-8
# Directions of the full embedding below this share of the largest eigenvalue are rounding.
_NOISE = 1e-10


class View(ABC):
    """What a fitted relation is asked for; see there."""

    proximity: Proximity
    source: Source

    @property
    @abstractmethod
    def chart(self) -> RelationChart:
        """Vectors of the training objects."""

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Signs of the similarities, before a correction of all of them."""

    @property
    @abstractmethod
    def diagonal(self) -> Array:
        """Self-similarities."""

    @property
    @abstractmethod
    def is_positive(self) -> bool:
        """Whether no eigenvalue is negative but by rounding."""

    @abstractmethod
    def block(self, rows: IntArray | slice, columns: IntArray | slice) -> Array:
        """Similarities."""

    @abstractmethod
    def dot(self, G: Array) -> Array:
        """G S."""

    @abstractmethod
    def to(self, X: Any, columns: IntArray | None) -> tuple[Array, Array | None]:
        """Proximities of new objects."""

    @abstractmethod
    def vectors(self, X: Any) -> Array:
        """Coordinates of new objects."""

    @abstractmethod
    def recall(self, P: Any) -> "View":
        """The same with the training proximities at hand."""


class MatrixView(View):
    """All proximities between the training objects, corrected."""

    def __init__(self, source: Source, proximity: Proximity, correction: Correction | None):
        self.source, self.proximity = source, proximity
        self.correction: SpectrumCorrection | None = None
        self._cache: dict[str, Any] = {}
        if correction is None and source.is_symmetric:
            return  # nothing to refuse: the matrix is made when it is asked for
        P = check_proximities(source.within(), proximity, source.name)
        if correction is not None:
            self.correction = SpectrumCorrection(method=correction, proximity=proximity)
            P = self.correction.fit_transform(P)
        self._cache["matrix"] = np.ascontiguousarray(P)

    @property
    def matrix(self) -> Array:
        """The corrected proximities of their own kind."""
        if "matrix" not in self._cache:
            if not self.source.is_at_hand:
                raise ValueError(ASK)
            self._cache["matrix"] = self._corrected(self.source.within())
        return self._cache["matrix"]

    def _corrected(self, P: Array) -> Array:
        P = check_proximities(P, self.proximity)
        if self.correction is not None:
            P = self.correction.transform(P)
        return np.ascontiguousarray(P)

    @property
    def _means(self) -> Array:
        """Column means, where similarities are those of double-centred dissimilarities."""
        if "means" not in self._cache:
            self._cache["means"] = self.matrix.mean(axis=0)
        return self._cache["means"]

    def block(self, rows: IntArray | slice, columns: IntArray | slice) -> Array:
        """s_ij, of dissimilarities −½(d_ij − mean_i − mean_j + mean)."""
        P = self.matrix
        if isinstance(rows, slice) or isinstance(columns, slice):
            part = P[rows][:, columns]
        else:
            part = P[np.ix_(rows, columns)]
        if self.proximity == "similarity":
            return part
        means = self._means
        return -0.5 * (part - means[rows][:, None] - means[columns] + means.mean())

    @property
    def diagonal(self) -> Array:
        """s_ii."""
        if self.proximity == "similarity":
            return np.diag(self.matrix).copy()
        return -0.5 * (np.diag(self.matrix) - 2.0 * self._means + self._means.mean())

    def dot(self, G: Array) -> Array:
        """G S."""
        product = G @ self.matrix
        if self.proximity == "similarity":
            return product
        means, total = self._means, G.sum(axis=-1, keepdims=True)
        offset = (G @ means)[..., None] - total * means.mean()
        return -0.5 * (product - total * means - offset)

    @property
    def is_positive(self) -> bool:
        """No eigenvalue below −1e-8 of the largest modulus."""
        if "positive" not in self._cache:
            values = linalg.eigvalsh(self._similarities())
            lowest = values[0] / max(float(np.abs(values).max()), 1e-300)
            self._cache["positive"] = bool(lowest >= -_NEGATIVE)
        return self._cache["positive"]

    def _similarities(self) -> Array:
        return self.matrix if self.proximity == "similarity" else to_similarity(self.matrix)

    @property
    def signature(self) -> Signature:
        """Of the training similarities, before the correction."""
        if self.correction is not None:
            return self.correction.signature_
        if "signature" not in self._cache:
            if not self.source.is_at_hand and "matrix" not in self._cache:
                raise AttributeError("signature_ was not asked for before the model was saved")
            self._cache["signature"] = count_signs(linalg.eigvalsh(self._similarities())[::-1])
        return self._cache["signature"]

    @property
    def chart(self) -> RelationChart:
        """The pseudo-Euclidean embedding."""
        if "chart" not in self._cache:
            values, vectors = signed_eigh(self._similarities(), _NOISE)
            Z, signs = signed_features(values, vectors)
            self._cache["chart"] = RelationChart(Z, signs)
            self._cache["map"] = vectors * (signs / np.sqrt(np.abs(values)))
        return self._cache["chart"]

    def to(self, X: Any, columns: IntArray | None) -> tuple[Array, Array | None]:
        """Proximities of new objects to training objects, and to themselves if known."""
        own = np.zeros(len(X)) if self.proximity == "dissimilarity" else self.source.own(X)
        if self.correction is None:
            return self.source.to(X, columns), own
        rows = self.source.to(X)
        if own is not None and self.proximity == "similarity":
            own = self.correction.transform_self(rows, own)
        rows = self.correction.transform(rows)
        return rows if columns is None else rows[:, columns], own

    def vectors(self, X: Any) -> Array:
        """r Q |Λ|^(-1/2), signed, of the corrected rows r."""
        self.chart  # noqa: B018 - computes the map
        rows = self.to(X, None)[0]
        if self.proximity == "dissimilarity":
            rows = centred_similarity_rows(rows, self._means)
        return np.asarray(rows @ self._cache["map"])

    def restrict(self, columns: IntArray) -> "MatrixView":
        """The same over some objects."""
        small: MatrixView = copied(self, source=self.source.restrict(columns), _cache={})
        if "matrix" in self._cache:
            small._cache["matrix"] = self.matrix[np.ix_(columns, columns)]
        return small

    def recall(self, P: Any) -> "MatrixView":
        """The same with the training matrix P at hand."""
        n = self.source.n
        P = check_proximities(P, self.proximity)
        if P.shape != (n, n):
            raise ValueError(
                f"P has shape {P.shape}, but the model was trained on {n} objects: give the "
                "proximities between those"
            )
        return copied(self, _cache={**self._saved(), "matrix": self._corrected(P)})

    def _saved(self) -> dict[str, Any]:
        return {k: v for k, v in self._cache.items() if k in ("signature", "positive")}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": self._saved()}


class LandmarkView(View):
    """Nystroem features of the training objects."""

    def __init__(self, source: Source, features: LandmarkFeatures):
        self.source, self.features = source, features
        self.proximity = features.proximity
        self._chart: RelationChart | None = None

    @property
    def chart(self) -> RelationChart:
        """The features."""
        if self._chart is None:
            if not self.source.is_at_hand:
                raise ValueError(ASK)
            self._chart = RelationChart(self.features.embed(self.source), self.features.signs)
        return self._chart

    @property
    def signature(self) -> Signature:
        """Of the approximated similarities."""
        positive, negative = self.features.signature
        return Signature(positive, negative, self.source.n - positive - negative)

    @property
    def is_positive(self) -> bool:
        """Whether there is no negative direction."""
        return self.features.signature[1] == 0

    @property
    def diagonal(self) -> Array:
        """z_i' I_pq z_i."""
        return self.chart.diagonal

    def block(self, rows: IntArray | slice, columns: IntArray | slice) -> Array:
        """z_i' I_pq z_j."""
        return self.chart.similarities(rows, columns)

    def dot(self, G: Array) -> Array:
        """G Z I_pq Z'."""
        return self.chart.dot(G)

    def to(self, X: Any, columns: IntArray | None) -> tuple[Array, Array | None]:
        """Products with, or squared distances from, the training vectors."""
        V, chart = self.vectors(X), self.chart
        Z = chart.Z if columns is None else chart.Z[columns]
        products, own = (V * chart.signs) @ Z.T, chart.squares(V)
        if self.proximity == "similarity":
            return products, own
        return own[:, None] - 2.0 * products + chart.squares(Z), np.zeros(len(V))

    def vectors(self, X: Any) -> Array:
        """Features of new objects."""
        return self.features.of_new(X)

    def recall(self, P: Any) -> "LandmarkView":
        """The same with the features of the training objects at hand."""
        if len(P) != self.source.n:
            raise ValueError(
                f"P has {len(P)} rows, but the model was trained on {self.source.n} objects: give "
                "the proximities of those"
            )
        return copied(self, _chart=RelationChart(self.vectors(P), self.features.signs))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_chart": None}
