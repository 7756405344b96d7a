"""Nystroem features: vectors of low rank from the proximities to a few landmarks."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from noneuclid.numerics import nystroem_map, row_blocks, signed_eigh
from noneuclid.proximities.checks import Proximity, check_kind, check_proximities, check_rows
from noneuclid.proximities.conversions import centred_similarity_rows
from noneuclid.proximities.landmarks import (
    Landmarks,
    MatrixProximities,
    ObjectProximities,
    Proximities,
    ProximityFunction,
    check_indices,
    choose_landmarks,
    landmark_count,
    take,
)
from noneuclid.spaces import PseudoEuclidean
from noneuclid.typing import Array, IntArray

# Eigenvalues of the landmark block below this share of the largest count as zero.
_CUTOFF = 1e-10
# With a correction: those below this share of the modulus of the lowest one.
_NOISE = 0.5
# Rows are mapped in blocks of so many bytes, so that features are the only large array.
_BLOCK_BYTES = 4 * 2**20
_CORRECTIONS = (None, "clip", "flip", "square")


class NystroemEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Features of rank at most m that reproduce proximities approximately, in linear time.

    From the proximities of all n objects to m landmarks,

    .. math:: \tilde K = K_{nm} K_{mm}^{+} K_{mn} = Z\,I_{pq}\,Z', \qquad
              Z = K_{nm}\,Q|\Lambda|^{-1/2}, \quad K_{mm} = Q\Lambda Q',

    for kernels and for indefinite similarities. Dissimilarities are double-centred on the
    landmarks first (landmark multidimensional scaling), so that *squared distances* of the
    features approximate them. Exact if the landmarks reach the rank of the whole matrix. No n×n
    matrix is ever made, and of one that is given only the columns of the landmarks are read.

    Parameters
    ----------
    n_landmarks : int or float, default=100
        At most so many; a number below one is a share of the objects.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the proximities are. Dissimilarities are squared-distance-like.
    landmarks : {"uniform", "kmeans++", "pivoted"} or array of int, default="uniform"
        Drawn uniformly; far from each other; those that are approximated worst so far (pivoted
        Cholesky); or the indices themselves.
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where proximities come from: X itself; a kernel or its name (similarities); a name of
        ``sklearn.metrics.pairwise_distances`` or ``"levenshtein"`` (dissimilarities); or a
        function of two objects.
    correction : {None, "clip", "flip", "square"}, default=None
        Make the approximation positive: its negative eigenvalues are dropped, turned, or all of
        them squared. This is the correction of the whole spectrum of the approximation, which a
        matrix of its rank gives exactly, in O(n m²).
    cutoff : float or "auto", default="auto"
        Eigenvalues of the landmark block below this share of the largest are dropped, so that
        duplicated landmarks do no harm. ``"auto"`` is 1e-10; with a correction, and a block that
        is indefinite and of full rank, it is half the modulus of its lowest eigenvalue: smaller
        ones, of either sign, are noise, which their inverses would blow up.
    random_state : int, RandomState or None, default=None
        For the choice of landmarks.

    Attributes
    ----------
    landmark_indices_ : array of shape (m,)
    signature_ : (int, int)
        Numbers of positive and negative directions; the positive columns come first.
    space_ : PseudoEuclidean
        The space the features live in.

    References
    ----------
    C. Williams and M. Seeger (2001), Using the Nyström method to speed up kernel machines.
    V. de Silva and J. Tenenbaum (2004), Sparse multidimensional scaling using landmark points.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> S = X * [1, 1, -1] @ X.T  # indefinite, of rank three
    >>> model = NystroemEmbedding(n_landmarks=5, random_state=0)
    >>> Z = model.fit_transform(S)
    >>> model.signature_, np.allclose(model.space_.product(Z, Z), S)
    ((2, 1), True)
    """

    def __init__(
        self,
        *,
        n_landmarks: int | float = 100,
        proximity: Proximity = "similarity",
        landmarks: Landmarks | ArrayLike = "uniform",
        metric: Any = "precomputed",
        correction: Literal["clip", "flip", "square"] | None = None,
        cutoff: float | Literal["auto"] = "auto",
        random_state: Any = None,
    ):
        self.n_landmarks = n_landmarks
        self.proximity = proximity
        self.landmarks = landmarks
        self.metric = metric
        self.correction = correction
        self.cutoff = cutoff
        self.random_state = random_state

    # --- learning ---------------------------------------------------------------------------

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Choose the landmarks and learn the map of their proximities to features.

        Parameters
        ----------
        X : array of shape (n, n) or (n, m), or n objects
            All proximities; or those to the landmarks only, if ``landmarks`` holds their indices
            (column k belongs to landmark k); or the objects, as ``metric`` says.
        y : ignored
        """
        self._fit(X)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> Array:
        """Fit, and return the features of all objects."""
        source, columns = self._fit(X)
        return self._embed(source, columns)

    def _fit(self, X: ArrayLike) -> tuple[Proximities, IntArray]:
        check_kind(self.proximity)
        if self.correction not in _CORRECTIONS:
            raise ValueError(
                f"correction (={self.correction!r}) must be one of {_CORRECTIONS}: features of low "
                "rank hold no other"
            )
        if isinstance(self.cutoff, str):
            if self.cutoff != "auto":
                raise ValueError(f'cutoff (={self.cutoff!r}) must be "auto" or a number')
        elif not 0 <= self.cutoff < 1:
            raise ValueError(f"cutoff (={self.cutoff!r}) must be at least 0 and below 1")
        source, columns = self._source(X)
        self._columns = columns
        block = check_proximities(
            source.between(self.landmark_indices_, columns), self.proximity, "the landmark block"
        )
        if isinstance(source, ObjectProximities):
            self._objects = take(source.objects, self.landmark_indices_)
        self._learn_map(block)
        if self.correction is not None and (self.correction == "square" or self.signature_[1]):
            self._correct(source, columns)
        self._n_features_out = self._map.shape[1]
        return source, columns

    def _source(self, X: ArrayLike) -> tuple[Proximities, IntArray]:
        """Where the proximities are, and which of its columns belong to the landmarks."""
        if not self._is_precomputed:
            source: Proximities = self._object_source(X)
        else:
            P = check_array(X, dtype=np.float64, ensure_min_samples=2, input_name="X")
            self.n_features_in_ = P.shape[1]
            source = MatrixProximities(P)
            if P.shape[0] != P.shape[1]:
                return source, self._slab_columns(P)
        m = landmark_count(self.n_landmarks, source.n)
        rng = check_random_state(self.random_state)
        chosen = choose_landmarks(self.landmarks, source, m, self.proximity, rng)
        self.landmark_indices_ = chosen
        return source, chosen

    def _object_source(self, X: Any) -> ObjectProximities:
        function = ProximityFunction(self.metric, self.proximity)
        if function.takes_rows:
            objects = validate_data(self, X, dtype=np.float64)
        else:
            objects = function.as_objects(X)
            if len(objects) < 2:
                raise ValueError(f"X holds {len(objects)} objects: at least two are needed")
        self._function = function.resolve(objects)
        return ObjectProximities(objects, self._function)

    def _slab_columns(self, P: Array) -> IntArray:
        if isinstance(self.landmarks, str):
            raise ValueError(
                f"X has shape {P.shape}: give the square matrix of all proximities, or the indices "
                "of the landmarks its columns belong to as landmarks=[...]"
            )
        self.landmark_indices_ = check_indices(self.landmarks, len(P))
        if len(self.landmark_indices_) != P.shape[1]:
            raise ValueError(
                f"X has {P.shape[1]} columns, but there are {len(self.landmark_indices_)} landmarks"
            )
        return np.arange(P.shape[1])

    def _learn_map(self, block: Array) -> None:
        self._column_means = block.mean(axis=0)
        if self.proximity == "dissimilarity":
            block = centred_similarity_rows(block, self._column_means)
            block = (block + block.T) / 2
        if not np.abs(block).max() > 0:
            raise ValueError(
                "the proximities between the landmarks are all equal to zero: choose other or "
                "more landmarks"
            )
        self._map, signs = nystroem_map(block, self._cutoff(block))
        self.signature_ = (int((signs > 0).sum()), int((signs < 0).sum()))

    def _cutoff(self, block: Array) -> float:
        if not isinstance(self.cutoff, str):
            return float(self.cutoff)
        if self.correction is None:
            return _CUTOFF
        values = linalg.eigvalsh(block)
        share = values / np.abs(values).max()
        distinct = len(np.unique(block.round(-int(np.log10(np.abs(block).max())) + 8), axis=0))
        if (np.abs(share) > _CUTOFF).sum() < distinct - (self.proximity == "dissimilarity"):
            return _CUTOFF  # the landmarks reach the rank of the whole matrix: nothing is noise
        return max(_CUTOFF, float(-_NOISE * share[0]))

    def _correct(self, source: Proximities, columns: IntArray) -> None:
        """Eigenvalues of K̃ = Z I_pq Z' from those of a matrix of its rank, and their correction.

        With Z'Z = V diag(c) V' and R = diag(√c) V', Q = Z V diag(c)^(-1/2) is orthonormal and
        K̃ = Q (R I_pq R') Q'.
        """
        C = np.zeros((self._map.shape[1],) * 2)
        for rows in row_blocks(source.n, 8 * len(columns), _BLOCK_BYTES):
            Z = self._features(source.between(rows, columns))
            C += Z.T @ Z
        c, V = signed_eigh(C, 1e-13)
        R = np.sqrt(np.abs(c))[:, None] * V.T
        values, U = linalg.eigh((R * self._signs) @ R.T)
        corrected = {"clip": np.maximum(values, 0), "flip": np.abs(values), "square": values**2}
        size = corrected[str(self.correction)]
        order = np.argsort(-size, kind="stable")
        order = order[size[order] > _CUTOFF * size.max()]
        turn = (V / np.sqrt(np.abs(c))) @ U[:, order] * np.sqrt(size[order])
        self._map = self._map @ turn
        self.signature_ = (len(order), 0)

    # --- features ---------------------------------------------------------------------------

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _takes_rows(self) -> bool:
        return ProximityFunction(self.metric, self.proximity).takes_rows

    @property
    def _signs(self) -> Array:
        return np.repeat([1.0, -1.0], self.signature_)

    @property
    def space_(self) -> PseudoEuclidean:
        """The space the features live in."""
        return PseudoEuclidean(signature=self.signature_)

    def transform(self, X: ArrayLike) -> Array:
        """Features of new objects.

        Parameters
        ----------
        X : array of shape (n_new, n) or (n_new, m), or n_new objects
            Proximities to all training objects or to the landmarks only, or objects.
        """
        check_is_fitted(self)
        if not self._is_precomputed:
            return self._transform_objects(X)
        m = len(self.landmark_indices_)
        if self.n_features_in_ != m and np.ndim(X) == 2 and np.shape(X)[1] == m:
            return self._features(check_rows(X, m, type(self).__name__))
        rows = check_rows(X, self.n_features_in_, type(self).__name__)
        return self._embed(MatrixProximities(rows), self._columns)

    def _transform_objects(self, X: Any) -> Array:
        if self._function.takes_rows:
            X = validate_data(self, X, dtype=np.float64, reset=False)
        else:
            X = self._function.as_objects(X)
        Z = np.empty((len(X), self._map.shape[1]))
        for rows in row_blocks(len(Z), 8 * len(self._map), _BLOCK_BYTES):
            Z[rows] = self._features(self._function(X[rows], self._objects))
        return Z

    def _embed(self, source: Proximities, columns: IntArray) -> Array:
        Z = np.empty((source.n, self._map.shape[1]))
        for rows in row_blocks(source.n, 8 * len(columns), _BLOCK_BYTES):
            Z[rows] = self._features(source.between(rows, columns))
        return Z

    def _features(self, rows: Array) -> Array:
        if self.proximity == "dissimilarity":
            rows = centred_similarity_rows(rows, self._column_means)
        return rows @ self._map

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        return tags
