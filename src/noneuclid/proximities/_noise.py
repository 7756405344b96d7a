r"""Which eigenvalues of a landmark block are noise.

Features :math:`z_l(x) = k(x)'u_l/\sqrt{|\lambda_l|}` of objects beyond the landmarks blow up where
an eigenvalue of the block happens to lie near zero, as one does sooner or later wherever the
spectrum reaches through it: that of edit distances between strings that all differ, say. Some
other objects, whose proximities are known, tell which directions serve those beyond the landmarks.
"""

import numpy as np
from scipy import linalg

from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.conversions import centred_similarity_rows
from noneuclid.typing import Array, IntArray

# At most so many others are looked at, and twice as many as there are landmarks; fewer say little.
_MOST, _PER_LANDMARK, FEWEST = 100, 2, 10
# Eigenvalues below this share of the largest modulus are zero.
_ZERO = 1e-10
# So much more error than the least is the same: directions are dropped only if they do harm.
_HARMLESS = 1.1


def others(n: int, landmarks: IntArray, m: int) -> IntArray:
    """Some of n objects that are not among m landmarks, evenly spread; none if there are few."""
    is_other = np.ones(n, dtype=bool)
    is_other[landmarks] = False
    rest = np.flatnonzero(is_other)
    if len(rest) < FEWEST:
        return rest[:0]
    return rest[np.unique(np.linspace(0, len(rest) - 1, n_witnesses(m)).astype(int))]


def n_witnesses(m: int) -> int:
    """How many others are looked at for m landmarks."""
    return min(_MOST, max(_PER_LANDMARK * m, FEWEST))


def noise_share(inner: Array, rows: Array, truth: Array, proximity: Proximity) -> float:
    """Below which share of the largest modulus eigenvalues of a landmark block do harm.

    Proximities between objects beyond the landmarks are compared with their approximation by the
    directions of the k largest moduli: as many are kept as make that no worse. All of them are
    if the proximities are positive or of low rank, for then each direction makes it better.

    Parameters
    ----------
    inner : array of shape (m, m)
        Proximities between the landmarks.
    rows : array of shape (s, m)
        Those of others to the landmarks.
    truth : array of shape (s, s)
        Those between the others.
    proximity : {"similarity", "dissimilarity"}

    Returns
    -------
    float
        Zero if all are kept.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(60, 30))
    >>> noise_share(X[:20] @ X[:20].T, X[20:] @ X[:20].T, X[20:] @ X[20:].T, "similarity")
    0.0
    """
    if proximity == "dissimilarity":
        means = inner.mean(axis=0)
        squares = rows.mean(axis=1) - 0.5 * means.mean()  # their distances from the mean landmark
        truth = 0.5 * (squares[:, None] + squares - truth)
        rows, inner = (centred_similarity_rows(P, means) for P in (rows, inner))
    if not np.abs(inner).max() > 0:
        return 0.0
    values, vectors = linalg.eigh((inner + inner.T) / 2)
    order = np.argsort(-np.abs(values), kind="stable")
    order = order[np.abs(values[order]) > _ZERO * np.abs(values).max()]
    sizes = np.abs(values[order])
    errors = _errors(truth, rows @ (vectors[:, order] / np.sqrt(sizes)), np.sign(values[order]))
    good = errors <= _HARMLESS * errors.min() + 1e-12 * np.sum(truth**2)
    kept = len(good) - int(np.argmax(good[::-1]))
    return 0.0 if kept == len(sizes) else float(np.sqrt(sizes[kept - 1] * sizes[kept]) / sizes[0])


def _errors(truth: Array, Z: Array, signs: Array) -> Array:
    """Squared error of the products of the first k features, for every k.

    ‖T − Σ_l s_l z_l z_l'‖² = ‖T‖² − 2 Σ_l s_l z_l'T z_l + Σ_kl s_k s_l (z_k'z_l)²: running sums of
    two products of matrices. What cancels is rounding of ‖T‖², less than is asked of it.
    """
    within = signs * (Z * (truth @ Z)).sum(axis=0)
    pairs = signs[:, None] * (Z.T @ Z) ** 2 * signs
    both = 2.0 * np.tril(pairs, -1).sum(axis=1) + np.diag(pairs)
    return np.asarray(np.sum(truth**2) + np.cumsum(both - 2.0 * within))
