"""The two ways a relation sees its objects: all proximities, or features from landmarks.

Both answer what a relation is asked, by the same names.
"""

from typing import Any

import numpy as np
from scipy import linalg

from noneuclid.numerics import signed_eigh, signed_features
from noneuclid.proximities.charts import RelationChart
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.proximities.conversions import centred_similarity_rows, to_similarity
from noneuclid.proximities.corrections import Correction, SpectrumCorrection
from noneuclid.proximities.features import LandmarkFeatures
from noneuclid.proximities.sources import ASK, Source, copied, part
from noneuclid.proximities.spectrum import Signature, count_signs
from noneuclid.typing import Array, IntArray

# An eigenvalue below minus this share of the largest modulus is no rounding.
_NEGATIVE = 1e-8
# Directions of the full embedding below this share of the largest eigenvalue are rounding.
_NOISE = 1e-10


class MatrixView:
    """All proximities between the training objects, corrected."""

    def __init__(self, source: Source, proximity: Proximity, correction: Correction | None):
        self.source, self.proximity = source, proximity
        self.correction: SpectrumCorrection | None = None
        self._cache: dict[str, Any] = {}
        if correction is not None:
            self.correction = SpectrumCorrection(method=correction, proximity=proximity)
            P = check_proximities(source.within(), proximity, source.name)
            self._cache["matrix"] = np.ascontiguousarray(self.correction.fit_transform(P))
        elif not source.is_symmetric:  # what a kernel claims need not be looked at now
            self.matrix  # noqa: B018
        if source.objects is None:  # the matrix is kept once
            self.source = source.only(np.arange(0))

    @property
    def matrix(self) -> Array:
        """The corrected proximities of their own kind."""
        if "matrix" not in self._cache:
            if not self.source.is_at_hand:
                raise ValueError(ASK)
            P = check_proximities(self.source.within(), self.proximity, self.source.name)
            self._cache["matrix"] = self._corrected(P)
        return self._cache["matrix"]

    def _corrected(self, P: Array) -> Array:
        P = P if self.correction is None else self.correction.transform(P)
        return np.ascontiguousarray(P)

    @property
    def _is_direct(self) -> bool:
        """Whether similarities come from the source as they are, and not all are there."""
        absent = "matrix" not in self._cache and self.source.is_at_hand
        return absent and self.correction is None and self.proximity == "similarity"

    @property
    def _means(self) -> Array:
        """Column means, where similarities are those of double-centred dissimilarities."""
        if "means" not in self._cache:
            self._cache["means"] = self.matrix.mean(axis=0)
        return self._cache["means"]

    def block(self, rows: IntArray | slice, columns: IntArray | slice) -> Array:
        """s_ij, of dissimilarities −½(d_ij − mean_i − mean_j + mean)."""
        if self._is_direct:
            return self.source.block(rows, columns)
        block = part(self.matrix, rows, columns)
        if self.proximity == "similarity":
            return block
        means = self._means
        return -0.5 * (block - means[rows][:, None] - means[columns] + means.mean())

    @property
    def diagonal(self) -> Array:
        """s_ii."""
        if self._is_direct:
            return self.source.diagonal()
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
            known = self.correction is None  # those of the corrected matrix otherwise
            values = self.eigenvalues if known else linalg.eigvalsh(self._similarities())
            lowest = values.min() / max(float(np.abs(values).max()), 1e-300)
            self._cache["positive"] = bool(lowest >= -_NEGATIVE)
        return self._cache["positive"]

    def _similarities(self) -> Array:
        return self.matrix if self.proximity == "similarity" else to_similarity(self.matrix)

    @property
    def eigenvalues(self) -> Array:
        """Of the training similarities, before the correction."""
        if self.correction is not None:
            return self.correction.eigenvalues_
        if "eigenvalues" not in self._cache:
            if not self.source.is_at_hand and "matrix" not in self._cache:
                raise AttributeError("signature_ was not asked for before the model was saved")
            self._cache["eigenvalues"] = linalg.eigvalsh(self._similarities())[::-1]
        return self._cache["eigenvalues"]

    @property
    def signature(self) -> Signature:
        """Signs of the eigenvalues."""
        return count_signs(self.eigenvalues)

    @property
    def chart(self) -> RelationChart:
        """The pseudo-Euclidean embedding."""
        if "chart" not in self._cache:
            values, vectors = signed_eigh(self._similarities(), _NOISE)
            Z, signs = signed_features(values, vectors)
            self._cache["chart"] = RelationChart(Z, signs)
            self._cache["map"] = vectors * (signs / np.sqrt(np.abs(values)))
        return self._cache["chart"]

    def to(
        self, X: Any, columns: IntArray | None, self_values: bool = True
    ) -> tuple[Array, Array | None]:
        """Proximities of new objects to training objects, and to themselves if known."""
        own: Array | None = np.zeros(len(X))
        if self.proximity == "similarity":
            own = self.source.own(X) if self_values else None
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
        rows = self.to(X, None, self_values=False)[0]
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
        return {k: v for k, v in self._cache.items() if k in ("eigenvalues", "positive")}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": self._saved()}


class LandmarkView:
    """Nystroem features of the training objects."""

    def __init__(self, source: Source, features: LandmarkFeatures, Z: Array):
        self.source, self.features = source, features
        self.proximity = features.proximity
        self._chart: RelationChart | None = RelationChart(Z, features.signs)
        if source.objects is None:  # features are all that is kept of a matrix
            self.source = source.only(features.indices)

    @property
    def chart(self) -> RelationChart:
        """The features."""
        if self._chart is None:
            if not self.source.is_at_hand:
                raise ValueError(ASK)
            self._chart = RelationChart(self.features.embed(self.source), self.features.signs)
        return self._chart

    @property
    def eigenvalues(self) -> Array:
        """Of Z I_pq Z': those of (Z'Z)^½ I_pq (Z'Z)^½, and zeros."""
        chart = self.chart
        c, V = linalg.eigh(chart.Z.T @ chart.Z)
        R = np.sqrt(np.maximum(c, 0.0))[:, None] * V.T
        values = np.zeros(self.source.n)
        values[: len(R)] = linalg.eigvalsh((R * chart.signs) @ R.T)
        return np.sort(values)[::-1]

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

    def to(
        self, X: Any, columns: IntArray | None, self_values: bool = True
    ) -> tuple[Array, Array | None]:
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
        return {**self.__dict__, "_chart": None, "source": self.source.forgotten()}


View = MatrixView | LandmarkView
