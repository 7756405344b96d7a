"""From the proximities to landmarks to vectors of low rank."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg
from scipy.linalg import blas
from sklearn.utils import check_random_state

from noneuclid.numerics import (
    fix_signs,
    nystroem_map,
    row_blocks,
    signed_eigh,
    steady_order,
    triangular_map,
)
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.proximities._noise import noise_share, others
from noneuclid.proximities._sources import Source
from noneuclid.proximities.charts import sign_counts
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.proximities.conversions import centred_similarity_rows
from noneuclid.proximities.corrections import corrected_spectrum
from noneuclid.proximities.landmarks import check_indices, choose_landmarks, landmark_count
from noneuclid.typing import Array, IntArray

# Eigenvalues of the landmark block below this share of the largest count as zero.
CUTOFF = 1e-10
# With a correction: those below this share of the modulus of the lowest one.
_NOISE = 0.5
# Of the largest self-similarity: features are no longer than their objects, up to that.
_ROUNDING = 1e-4
# Rows are mapped in blocks of so many bytes, so that features are the only large array.
_BLOCK_BYTES = 4 * 2**20
# Rows that take no more than this are computed once and kept until they are mapped.
_AT_ONCE = 64 * 2**20
_CORRECTIONS = (None, "clip", "flip", "square")


class LandmarkFeatures:
    """The map from proximities to landmarks to features, and what it takes for new objects.

    Parameters
    ----------
    proximity : {"similarity", "dissimilarity"}
    correction : {"clip", "flip", "square"} or None
    cutoff : float or "auto", default="auto"
        Share of the largest eigenvalue of the landmark block below which others are dropped.
    along_axes : bool, default=True
        Features along the eigenvectors of the block. Where it has a good Cholesky factor, this
        gives features with the same products in half the time, for those who need no axes.
    """

    indices: IntArray
    """The landmarks among the training objects."""
    columns: IntArray
    """Their columns in the training matrix."""
    signs: Array
    """Of the directions, positive ones first."""
    _noise = 0.0
    """Share of the largest eigenvalue below which others do harm."""

    along_axes, _is_triangular = True, False  # as in files of versions that knew nothing else

    def __init__(
        self,
        proximity: Proximity,
        correction: str | None,
        cutoff: Any = "auto",
        along_axes: bool = True,
    ):
        if correction not in _CORRECTIONS:
            raise ValueError(
                f'correction="{correction}" has no features of low rank: use "clip", "flip" or '
                '"square" with n_landmarks'
            )
        self.proximity, self.correction, self.cutoff = proximity, correction, cutoff
        self.along_axes = along_axes

    @property
    def signature(self) -> tuple[int, int]:
        return sign_counts(self.signs)

    def fit(
        self, source: Source, n_landmarks: Any, landmarks: Any, rng: Any, everyone: bool = True
    ) -> Array | None:
        """Choose landmarks, and learn the map from their block.

        Returns the proximities of everyone to the landmarks, if they are wanted and few enough to
        be computed at once.
        """
        rng = check_random_state(rng)
        if source.n_columns != source.n:
            self.indices, self.columns = _given_columns(source, landmarks)
        else:
            m = landmark_count(n_landmarks, source.n)
            self.indices = choose_landmarks(landmarks, source, m, self.proximity, rng)
            self.columns = self.indices
        self.n_columns, self.landmarks = source.n_columns, source.only(self.indices)
        at_once = everyone and 8 * source.n * len(self.columns) <= _AT_ONCE
        rows = source.block(slice(None), self.columns) if at_once else None
        block = source.block(self.indices, self.columns) if rows is None else rows[self.indices]
        some = others(source.n, self.indices, len(self.indices))

        def near() -> Array:
            return source.block(some, self.columns) if rows is None else rows[some]

        if self._sees_noise(len(some)) and source.n_columns == source.n:
            self._learn_without_noise(block, source.restrict(some), near)
        else:
            self._learn(block)
        if self.asks_for_products:
            self.correct(self._products(source, rows))
        return rows

    def take(self, landmarks: Source, rows: IntArray, some: Source) -> None:
        """Learn the map from the landmarks, samples ``rows`` of many, and some others."""
        self.indices, self.columns = rows, np.arange(landmarks.n)
        self.n_columns, self.landmarks = landmarks.n, landmarks
        block = landmarks.block(slice(None), slice(None))
        if self._sees_noise(some.n):
            self._learn_without_noise(block, some, lambda: landmarks.to(some.known))
        else:
            self._learn(block)

    def _sees_noise(self, n_others: int) -> bool:
        """Whether eigenvalues are dropped that do harm to objects that are no landmarks."""
        return n_others > 0 and self.correction is None and isinstance(self.cutoff, str)

    def _learn_without_noise(self, block: Array, some: Source, near: Callable[[], Array]) -> None:
        """Learn the map without eigenvalues that do harm to some other objects.

        ``near()`` are their proximities to the landmarks. Of positive similarities none does harm:
        every direction makes their approximation better.
        """
        rows = near()
        if some.is_positive:
            self._learn(block)
            if self._is_positive_for(rows, some):
                return
        self._noise = noise_share(block, rows, some.within(), self.proximity)
        self._learn(block)

    def _is_positive_for(self, rows: Array, some: Source) -> bool:
        """Whether a claim of positivity is borne out: |z(x)|² ≤ k(x, x), as of a projection."""
        if self.signature[1] > 0:
            return False
        own, Z = some.diagonal(), self(rows)
        return bool((np.einsum("ij,ij->i", Z, Z) <= own + _ROUNDING * own.max()).all())

    def _learn(self, block: Array) -> None:
        block = check_proximities(block, self.proximity, "the landmark block")
        self._column_means = block.mean(axis=0)
        if self.proximity == "dissimilarity":
            block = centred_similarity_rows(block, self._column_means)
            block = (block + block.T) / 2
        if not np.abs(block).max() > 0:
            raise ValueError(
                "the proximities between the landmarks are all equal to zero: choose other "
                "ones, or raise n_landmarks"
            )
        share = self._share(block)
        free = not self.along_axes and self.proximity == "similarity" and share <= CUTOFF
        M = triangular_map(block, CUTOFF) if free and self.correction is None else None
        self._is_triangular = M is not None
        if M is None:
            self._map, self.signs = nystroem_map(block, share)
        else:
            self._map, self.signs = M, np.ones(len(M))

    @property
    def map(self) -> Array:
        """M of shape (m, r): features are proximities to landmarks times it."""
        return self._map

    @property
    def asks_for_products(self) -> bool:
        """Whether there is something to correct, which takes Z'Z of all objects."""
        return self.correction == "square" or (
            self.correction is not None and self.signature[1] > 0
        )

    def _share(self, block: Array) -> float:
        """Below which share of the largest eigenvalue others are dropped."""
        if not isinstance(self.cutoff, str):
            return float(self.cutoff)
        if self.correction is None:
            return max(CUTOFF, self._noise)
        values = linalg.eigvalsh(block)
        share = values / np.abs(values).max()
        distinct = len(np.unique(block.round(-int(np.log10(np.abs(block).max())) + 8), axis=0))
        if (np.abs(share) > CUTOFF).sum() < distinct - (self.proximity == "dissimilarity"):
            return CUTOFF  # the landmarks reach the rank of the whole matrix: nothing is noise
        return max(CUTOFF, float(-_NOISE * share[0]))

    def _products(self, source: Source, known: Array | None) -> Array:
        C = np.zeros((self._map.shape[1] + 1,) * 2)
        for rows in row_blocks(source.n, 8 * len(self.columns), _BLOCK_BYTES):
            block = source.block(rows, self.columns) if known is None else known[rows]
            C += products_and_sums(self(block))
        return C

    def correct(self, moments: Array) -> None:
        """Eigenvalues of K̃ = Z I_pq Z' from those of a matrix of its rank, and their correction.

        With C = Z'Z = V diag(c) V' and R = diag(√c) V', Q = Z V diag(c)^(-1/2) is orthonormal and
        K̃ = Q (R I_pq R') Q'. Of dissimilarities, K̃ is that of features centred over all objects;
        features themselves are then right up to a common shift, which no distance sees.

        Parameters
        ----------
        moments : array of shape (r + 1, r + 1)
            The sum of `products_and_sums` of all objects.
        """
        C, total, n = moments[:-1, :-1], moments[-1, :-1], moments[-1, -1]
        if self.proximity == "dissimilarity":
            C = C - np.outer(total, total) / n
        c, V = signed_eigh(C, 1e-13)
        R = np.sqrt(np.abs(c))[:, None] * V.T
        values, U = linalg.eigh((R * self.signs) @ R.T)
        size = corrected_spectrum(values, str(self.correction))
        order = steady_order(-size)
        order = order[size[order] > CUTOFF * size.max()]
        turn = (V / np.sqrt(np.abs(c))) @ U[:, order] * np.sqrt(size[order])
        self._map = fix_signs(self._map @ turn)
        self.signs = np.ones(len(order))

    def __call__(self, rows: Array) -> Array:
        """Features from the proximities to the landmarks."""
        if self.proximity == "dissimilarity":
            rows = centred_similarity_rows(rows, self._column_means)
        if self._is_triangular:  # which takes half as many multiplications
            return np.asarray(blas.dtrmm(1.0, self._map.T, rows.T, lower=1).T)
        return rows @ self._map

    def embed(self, source: Source, rows: Array | None = None) -> Array:
        """Features of all objects of a source, whose rows may be at hand."""
        if rows is not None:
            return self(rows)
        return self._embed(source.n, lambda rows: source.block(rows, self.columns))

    def proximities(self, X: Any) -> Array:
        """To the landmarks, of new objects, or out of rows of proximities to all objects."""
        whole = self.landmarks.measure is None and X.shape[1] == self.n_columns
        return self.landmarks.to(X, self.columns if whole else None)

    def of_new(self, X: Any) -> Array:
        """Features of new objects, or of rows of proximities to all objects or landmarks."""
        return self._embed(len(X), lambda rows: self.proximities(X[rows]))

    def _embed(self, n: int, proximities: Any) -> Array:
        Z = np.empty((n, len(self.signs)))
        # Between the products of blocks compiled code is at work, which wants all cores.
        with one_blas_thread(min(n * len(self._map), _BLOCK_BYTES // 8) * Z.shape[1]):
            for rows in row_blocks(n, 8 * len(self._map), _BLOCK_BYTES):
                Z[rows] = self(proximities(rows))
        return Z

    def width(self, X: Any) -> int:
        """How many columns precomputed rows have: those of the landmarks suffice."""
        m, n = len(self.indices), self.n_columns
        return m if m != n and np.ndim(X) == 2 and np.shape(X)[1] == m else n


def _given_columns(source: Source, landmarks: Any) -> tuple[IntArray, IntArray]:
    """The landmarks whose columns are all there is."""
    if isinstance(landmarks, str):
        raise ValueError(
            f"X has shape {(source.n, source.n_columns)}: give the square matrix of all "
            "proximities, or the indices of the landmarks its columns belong to as landmarks=[...]"
        )
    indices = check_indices(landmarks, source.n)
    if len(indices) != source.n_columns:
        raise ValueError(
            f"X has {source.n_columns} columns, but there are {len(indices)} landmarks"
        )
    return indices, np.arange(source.n_columns)


def products_and_sums(Z: Array) -> Array:
    """Products of features, their sums, and how many objects they are of, in one matrix."""
    both = np.column_stack([Z, np.ones(len(Z))])
    return np.asarray(both.T @ both)
