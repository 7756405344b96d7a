"""Decompositions that keep signs: Gram matrices here need not be positive."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse
from scipy.linalg import lapack

from noneuclid.numerics.signs import fix_vectors
from noneuclid.typing import Array

# Ranks up to this one are looked for in matrices so many times larger: it hardly takes time there.
_LOW_RANK, _LARGE = 64, 8
# Low rank has to hold as well as an eigendecomposition does, far below what a cutoff drops.
_ROUNDING, _LEAST_CUTOFF = 4e-15, 1e-12


def signed_eigh(S: Array, cutoff: float = 0.0, *, relative: bool = True) -> tuple[Array, Array]:
    """Eigenvalues and -vectors of a symmetric matrix; near-zero ones dropped, signs kept.

    Positive eigenvalues first, then negative ones, each group by falling modulus. ``cutoff`` is a
    share of the largest modulus if ``relative``. Exact zeros are always dropped. Vectors have
    their entry of largest modulus positive, those of a repeated eigenvalue a fixed basis.

    Parameters
    ----------
    S : array of shape (n, n)
        Symmetric.
    cutoff : float, default=0.0
        Moduli up to it count as zero.
    relative : bool, default=True
        Whether the cutoff is a share of the largest modulus.

    Returns
    -------
    values : array of shape (r,)
        Eigenvalues.
    vectors : array of shape (n, r)
        Eigenvectors, as columns.

    Examples
    --------
    >>> import numpy as np
    >>> values, vectors = signed_eigh(np.diag([0.0, -3.0, 1.0, 2.0]))
    >>> values
    array([ 2.,  1., -3.])
    """
    Q = _range(S) if relative and cutoff >= _LEAST_CUTOFF else None
    if Q is None:
        # The fastest for all vectors; old versions of SciPy cannot take one row by it.
        values, vectors = linalg.eigh(S, driver="evd" if len(S) > 1 else "ev")
    else:
        values, vectors = linalg.eigh(Q.T @ S @ Q)
        vectors = Q @ vectors
    size = np.abs(values)
    limit = cutoff * size.max(initial=0.0) if relative else cutoff
    kept = np.flatnonzero(size > limit)
    order = kept[np.lexsort((-size[kept], values[kept] < 0))]
    return values[order], fix_vectors(values[order], vectors[:, order])


def _range(S: Array) -> Array | None:
    """Few orthonormal columns Q with S = QQ'SQQ' up to rounding; None if S is small or has none.

    S times random vectors spans the range of S if that has fewer dimensions; S times a basis of it
    spans it again, with less rounding. What is left of S beside it says whether that is all.
    """
    n = len(S)
    if n < _LARGE * _LOW_RANK:
        return None
    sample = S @ np.random.default_rng(0).normal(size=(n, _LOW_RANK))
    Q, R = linalg.qr(sample, mode="economic", pivoting=True, check_finite=False)[:2]
    if not abs(R[-1, -1]) <= _LEAST_CUTOFF * abs(R[0, 0]):
        return None
    Q = linalg.qr(S @ Q, mode="economic", check_finite=False)[0]
    rest = Q @ (Q.T @ S)
    rest -= S
    # Sums of moduli: squares over- or underflow in some units.
    return Q if linalg.norm(rest, 1) <= _ROUNDING * linalg.norm(S, 1) else None


def signed_features(values: Array, vectors: Array) -> tuple[Array, Array]:
    """Rows of Q|Λ|^½ and the signs of Λ: S = Z diag(signs) Z'.

    Parameters
    ----------
    values : array of shape (r,)
        Eigenvalues.
    vectors : array of shape (n, r)
        Eigenvectors, as columns.

    Returns
    -------
    Z : array of shape (n, r)
        Features.
    signs : array of shape (r,)
        ±1 per feature.
    """
    return vectors * np.sqrt(np.abs(values)), np.sign(values)


def nystroem_map(K_mm: Array, cutoff: float = 1e-10) -> tuple[Array, Array]:
    """The map M and signs s with ``Z = K_nm M`` and ``Z diag(s) Z' = K_nm K_mm⁺ K_mn``.

    K_mm is symmetric and may be indefinite. Eigenvalues whose modulus is at most ``cutoff`` times
    the largest are treated as zero.

    Parameters
    ----------
    K_mm : array of shape (m, m)
        Similarities between landmarks.
    cutoff : float, default=1e-10
        Share of the largest modulus below which an eigenvalue is zero.

    Returns
    -------
    M : array of shape (m, r)
        The map.
    signs : array of shape (r,)
        ±1 per feature, positive ones first.
    """
    values, vectors = signed_eigh(K_mm, cutoff)
    return vectors / np.sqrt(np.abs(values)), np.sign(values)


def triangular_map(K_mm: Array, cutoff: float = 1e-10) -> Array | None:
    """The upper triangular M with ``Z = K_nm M`` and ``Z Z' = K_nm K_mm⁻¹ K_mn``.

    With the Cholesky factor L of K_mm it is the transpose of L⁻¹, and found several times sooner
    than eigenvectors.

    Parameters
    ----------
    K_mm : array of shape (m, m)
        Similarities between landmarks.
    cutoff : float, default=1e-10
        As in :func:`nystroem_map`.

    Returns
    -------
    array of shape (m, m) or None
        None if an eigenvalue is negative, or may be below the cutoff.

    Examples
    --------
    >>> import numpy as np
    >>> K = np.array([[4.0, 2.0], [2.0, 2.0]])
    >>> triangular_map(K)
    array([[ 0.5, -0.5],
           [ 0. ,  1. ]])
    >>> triangular_map(np.ones((2, 2))) is None
    True
    """
    factor, failed = lapack.dpotrf(K_mm, lower=1)
    if failed:
        return None
    size = float(np.abs(K_mm).sum(axis=0).max())
    if not lapack.dpocon(factor, size, uplo="L")[0] > cutoff:
        return None
    return np.asarray(lapack.dtrtri(factor, lower=1)[0].T)


@dataclass(frozen=True)
class BandedFactor:
    """Cholesky factor of a banded Gram matrix G = L L', with the maps to flat coordinates."""

    lower: sparse.csr_array | Array
    bands: Array
    """L' in LAPACK's upper banded storage (the last row is the diagonal)."""

    def flatten(self, X: Array) -> Array:
        """x ↦ L'x for every row: the Gram product becomes the Euclidean one.

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.

        Returns
        -------
        array of shape (n, d)
            Flat coordinates.
        """
        return np.ascontiguousarray(X @ self.lower)

    def unflatten(self, Z: Array) -> Array:
        """The inverse of :meth:`flatten`.

        Parameters
        ----------
        Z : array of shape (n, d)
            Flat coordinates.

        Returns
        -------
        array of shape (n, d)
            Vectors.
        """
        if len(Z) == 0:
            return Z.copy()
        if len(self.bands) == 1:  # which solve_banded of SciPy 1.13 does not take for one column
            return np.ascontiguousarray(Z / self.bands[0])
        return np.ascontiguousarray(
            linalg.solve_banded((0, len(self.bands) - 1), self.bands, Z.T).T
        )


# A factor denser than this multiplies faster as a dense matrix.
_DENSE_SHARE = 0.1


def factor_gram(G: Array | sparse.csr_array) -> BandedFactor:
    """Cholesky factor of a positive-definite matrix, using its bandwidth.

    Raises ``numpy.linalg.LinAlgError`` if the matrix is not positive definite.

    Parameters
    ----------
    G : array or sparse array of shape (d, d)
        Symmetric and positive definite.

    Returns
    -------
    BandedFactor
        Of G.
    """
    G = sparse.coo_array(G)
    n = G.shape[0]
    row, col = G.coords
    above = col >= row
    width = int((col - row).max(initial=0))
    bands = np.zeros((width + 1, n))
    bands[width + row[above] - col[above], col[above]] = G.data[above]
    return _from_bands(linalg.cholesky_banded(bands))


def factor_columns(T: sparse.csr_array) -> BandedFactor:
    """Cholesky factor of T'T from the QR decomposition of a sparse T of full column rank.

    Forming T'T would square the condition number: high derivatives on fine grids then lose all
    digits, and positive definiteness with them.

    Parameters
    ----------
    T : sparse array of shape (m, d)
        Of full column rank.

    Returns
    -------
    BandedFactor
        Of T'T.
    """
    T = sparse.csr_array(T, copy=True)
    T.eliminate_zeros()
    T = T[np.diff(T.indptr) > 0]
    T.sort_indices()
    first, last = T.indices[T.indptr[:-1]], T.indices[T.indptr[1:] - 1]
    width, n = int((last - first).max()), T.shape[1]
    order = np.argsort(first, kind="stable")
    T, first = T[order], first[order]
    bands, rest = np.zeros((width + 1, n)), np.zeros((0, 0))
    # Rows that begin in the same block of columns are reduced together with what is left of the
    # rows before (Lawson and Hanson 1974, chapter 27).
    step = max(width, 32)
    for start in range(0, n, step):
        stop = min(start + step, n)
        begin_here = slice(*np.searchsorted(first, (start, stop)))
        block = T[begin_here, start : min(stop + width, n)].toarray()
        padded = np.pad(rest, ((0, 0), (0, block.shape[1] - rest.shape[1])))
        R = linalg.qr(np.vstack([padded, block]), mode="r")[0][: block.shape[1]]
        R *= np.where(np.diag(R) < 0, -1.0, 1.0)[:, None]
        row, col = np.nonzero(np.tril(R[: stop - start], width))
        bands[width + row - col, start + col] = R[row, col]
        rest = R[stop - start :, stop - start :]
    return _from_bands(bands)


def _from_bands(factor: Array) -> BandedFactor:
    n, width = factor.shape[1], len(factor) - 1
    upper = sparse.dia_array((factor, np.arange(width, -1, -1)), shape=(n, n))
    lower = sparse.csr_array(upper.T)
    if lower.nnz > _DENSE_SHARE * n * n:
        return BandedFactor(lower.toarray(), factor)
    return BandedFactor(lower, factor)


def _log_sum_exp(terms: list[float]) -> float:
    """The same of a few numbers, which arrays are slow for."""
    top = max(terms)
    if top == -math.inf:
        return top
    terms.remove(top)
    return top + math.log1p(math.fsum(math.exp(term - top) for term in terms))


def log_sum_exp(E: Array) -> Array:
    r"""log Σ_j exp(e_ij) of every row, also where it is nearly its largest term.

    As SciPy's ``logsumexp``, which takes ten times as long for a few rows.

    Parameters
    ----------
    E : array of shape (n, m)
        Numbers below infinity, m at least 1.

    Returns
    -------
    array of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> log_sum_exp(np.array([[0.0, -50.0], [1000.0, 1000.0], [-np.inf, -np.inf]])).round(6)
    array([   0.      , 1000.693147,       -inf])
    """
    if E.shape[1] == 1:
        return np.asarray(E[:, 0])
    if len(E) == 1:
        return np.array([_log_sum_exp(E[0].tolist())])
    rows, largest = np.arange(len(E)), E.argmax(axis=1)
    top = E[rows, largest]
    shift = np.where(top == -np.inf, 0.0, top)
    terms = np.exp(E - shift[:, None])
    terms[rows, largest] = 0.0
    return np.asarray(top + np.log1p(terms.sum(axis=1)))
