"""The two ways a relation sees its objects: all proximities, or features from landmarks.

Both answer what a relation is asked, by the same names.
"""

from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg

from noneuclid._memory import require_matrices
from noneuclid.proximities._features import LandmarkFeatures
from noneuclid.proximities._few_columns import FewColumns
from noneuclid.proximities._sources import Index, Source, copied, part
from noneuclid.proximities.charts import RelationChart
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.proximities.conversions import to_similarity
from noneuclid.proximities.corrections import CORRECTING, Correction, SpectrumCorrection
from noneuclid.proximities.embedding import PseudoEuclideanEmbedding
from noneuclid.proximities.spectrum import Signature, count_signs
from noneuclid.typing import Array, IntArray

# An eigenvalue below minus this share of the largest modulus is no rounding.
_NEGATIVE = 1e-8
FEWER_OBJECTS = "use n_landmarks=…"
# What a file needs of a matrix.
_LASTING = ("source", "proximity", "correction", "eigenvalues", "is_positive")


class MatrixView:
    """All proximities between the training objects, corrected."""

    def __init__(self, source: Source, proximity: Proximity, correction: Correction | None):
        self.source, self.proximity = source, proximity
        self.correction: SpectrumCorrection | FewColumns | None = None
        if correction is not None:
            self._require("corrected proximities", CORRECTING[proximity], source)
            whole = SpectrumCorrection(method=correction, proximity=proximity)
            P = check_proximities(source.within(), proximity, source.name)
            self.matrix = np.ascontiguousarray(whole.fit_transform(P))
            whole._signed = True  # the relation has looked at new rows before
            self.correction = whole
        elif not source.is_symmetric:  # what a kernel claims need not be looked at now
            self.matrix  # noqa: B018
        if source.measure is None:  # the matrix is kept once
            self.source = source.forgotten()

    def _require(self, what: str, copies: float, source: Source) -> None:
        """Raise unless there is memory for matrices beside that of the proximities themselves."""
        copies += source.measure is not None and "matrix" not in self.__dict__
        what = f"the matrix of {what} between {source.n:,} objects"
        require_matrices(what, source.n, copies=copies, instead=FEWER_OBJECTS)

    @cached_property
    def matrix(self) -> Array:
        self._require("proximities", 2.0 * self.source.plain, self.source)
        P = check_proximities(self.source.within(), self.proximity, self.source.name)
        return self._corrected(P)

    def _corrected(self, P: Array) -> Array:
        P = P if self.correction is None else self.correction.transform(P)
        return np.ascontiguousarray(P)

    @property
    def _is_direct(self) -> bool:
        """Whether similarities come from the source as they are, and not all are there."""
        absent = "matrix" not in self.__dict__ and self.source.given is not None
        return absent and self.correction is None and self.proximity == "similarity"

    @property
    def is_as_given(self) -> bool:
        """Whether the matrix is the one that was given."""
        changed = self.correction is not None or self.source.plain
        return self.source.measure is None and "matrix" in self.__dict__ and not changed

    @cached_property
    def _similarities(self) -> Array:
        if self.proximity == "similarity":
            return self.matrix
        self._require("similarities", 1.0, self.source)
        return to_similarity(self.matrix)

    def block(self, rows: Index, columns: Index) -> Array:
        if self._is_direct:
            return self.source.block(rows, columns)
        return part(self._similarities, rows, columns)

    @property
    def diagonal(self) -> Array:
        return self.source.diagonal() if self._is_direct else np.diag(self._similarities).copy()

    def dot(self, G: Array) -> Array:
        return G @ self._similarities

    @cached_property
    def is_positive(self) -> bool:
        known = self.correction is None  # those of the corrected matrix otherwise
        values = self.eigenvalues if known else linalg.eigvalsh(self._similarities)
        lowest = values.min() / max(float(np.abs(values).max()), 1e-300)
        return bool(lowest >= -_NEGATIVE)

    @cached_property
    def eigenvalues(self) -> Array:
        if self.correction is not None:
            return self.correction.eigenvalues_
        if self.source.given is None and "matrix" not in self.__dict__:
            raise AttributeError("signature_ was not asked for before the model was saved")
        return linalg.eigvalsh(self._similarities)[::-1]

    @property
    def signature(self) -> Signature:
        return count_signs(self.eigenvalues)

    @cached_property
    def _embedding(self) -> PseudoEuclideanEmbedding:
        embedding = PseudoEuclideanEmbedding(proximity=self.proximity).fit(self.matrix)
        embedding._signed = True  # the relation has looked at new rows before
        return embedding

    @property
    def chart(self) -> RelationChart:
        signs = np.sign(self._embedding.eigenvalues_)
        return RelationChart(self._embedding.embedding_, signs)

    def to(
        self,
        X: Any,
        columns: IntArray | None,
        self_values: bool = True,
        *,
        recognise: bool = True,
    ) -> tuple[Array, Array | None]:
        own = np.zeros(len(X)) if self.proximity == "dissimilarity" else None
        if self_values and own is None:
            own = self.source.own(X)
        if self.correction is None:
            return self.source.to(X, columns), own
        rows = self.source.to(X)
        if own is not None and self.proximity == "similarity":
            own = self.correction.transform_self(rows, own)
        known = self.correction.transform if recognise else self.correction.of_new
        rows = known(rows)
        return rows if columns is None else rows[:, columns], own

    def vectors(self, X: Any) -> Array:
        return self._embedding.transform(self.to(X, None, False)[0])

    def restrict(self, columns: IntArray) -> "MatrixView":
        few = None if self.correction is None else self.correction.restrict(columns)
        known = {} if few is None else {"matrix": few.matrix}
        if "matrix" in self.__dict__:
            known = {"matrix": part(self.matrix, columns, columns)}
        state = {"proximity": self.proximity, "correction": few, **known}
        return copied(self, state, source=self.source.restrict(columns))

    def recall(self, P: Any) -> "MatrixView":
        n = self.source.n
        P = check_proximities(P, self.proximity)
        if P.shape != (n, n):
            raise ValueError(
                f"P has shape {P.shape}, but the model was trained on {n} objects: give the "
                "proximities between those"
            )
        return copied(self, self.__getstate__(), matrix=self._corrected(self.source.entered(P)))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name in _LASTING}


class LandmarkView:
    """Nystroem features of the training objects."""

    def __init__(self, source: Source, features: LandmarkFeatures, rows: Array | None):
        self.source, self.features, self.proximity = source, features, features.proximity
        if rows is not None:
            self.chart = RelationChart(features(rows), features.signs)
        if source.measure is None:  # features are all that is kept of a matrix
            self.chart  # noqa: B018
            self.source = source.forgotten()

    @cached_property
    def chart(self) -> RelationChart:
        return RelationChart(self.features.embed(self.source), self.features.signs)

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
        positive, negative = self.features.signature
        return Signature(positive, negative, self.source.n - positive - negative)

    @property
    def is_positive(self) -> bool:
        return self.features.signature[1] == 0

    @property
    def diagonal(self) -> Array:
        return self.chart.diagonal

    def block(self, rows: Index, columns: Index) -> Array:
        return self.chart.similarities(rows, columns)

    def dot(self, G: Array) -> Array:
        return self.chart.dot(G)

    def to(
        self,
        X: Any,
        columns: IntArray | None,
        self_values: bool = True,
        *,
        recognise: bool = True,
    ) -> tuple[Array, Array | None]:
        V, chart = self.vectors(X), self.chart
        Z = chart.Z if columns is None else chart.Z[columns]
        products, own = (V * chart.signs) @ Z.T, chart.squares(V)
        if self.proximity == "similarity":
            return products, own
        return own[:, None] - 2.0 * products + chart.squares(Z), np.zeros(len(V))

    def vectors(self, X: Any) -> Array:
        return self.features.of_new(X)

    def recall(self, P: Any) -> "LandmarkView":
        if len(P) != self.source.n:
            raise ValueError(
                f"P has {len(P)} rows, but the model was trained on {self.source.n} objects: give "
                "the proximities of those"
            )
        return copied(self, chart=RelationChart(self.vectors(P), self.features.signs))

    def __getstate__(self) -> dict[str, Any]:
        only = self.source is self.features.landmarks  # nothing but landmarks: they stay
        return {
            "source": self.source if only else self.source.forgotten(),
            "features": self.features,
            "proximity": self.proximity,
        }


View = MatrixView | LandmarkView
