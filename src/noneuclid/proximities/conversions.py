"""From similarities to dissimilarities and back."""

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._memory import require_matrices
from noneuclid.proximities.checks import (
    FEWER_OBJECTS,
    check_proximities,
    check_square,
    check_symmetric,
    mean_of_both,
)
from noneuclid.typing import Array


def symmetrize(P: ArrayLike) -> Array:
    """(P + P')/2.

    Parameters
    ----------
    P : array of shape (n, n)
        Proximities.

    Returns
    -------
    array of shape (n, n)
        (P + P')/2.

    Examples
    --------
    >>> symmetrize([[0.0, 1.0], [3.0, 0.0]])
    array([[0., 2.],
           [2., 0.]])
    """
    return mean_of_both(check_square(P))


def normalize(S: ArrayLike) -> Array:
    r"""Similarities with unit self-similarity: :math:`s_{ij}/\sqrt{s_{ii}s_{jj}}`.

    Parameters
    ----------
    S : array of shape (n, n)
        Similarities with a positive diagonal.

    Returns
    -------
    array of shape (n, n)
        With ones on the diagonal.

    Examples
    --------
    >>> normalize([[4.0, 1.0], [1.0, 1.0]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    S = check_square(S, "S")
    diagonal = np.diag(S)
    if diagonal.min() <= 0:
        i = int(diagonal.argmin())
        raise ValueError(
            f"S cannot be normalised: object {i} has self-similarity {diagonal[i]:.3g}, which "
            "must be positive"
        )
    _require(S)
    root = np.sqrt(diagonal)
    sizes = np.outer(root, root)
    return np.divide(S, sizes, out=sizes)


def to_dissimilarity(S: ArrayLike) -> Array:
    """d_ij = s_ii − 2 s_ij + s_jj: the squared distances the similarities imply.

    Negative where S is indefinite enough.

    Parameters
    ----------
    S : array of shape (n, n)
        Similarities.

    Returns
    -------
    array of shape (n, n)
        Squared distances.

    Examples
    --------
    >>> to_dissimilarity([[1.0, 0.5], [0.5, 1.0]])
    array([[0., 1.],
           [1., 0.]])
    """
    S = check_symmetric(S, "S")
    _require(S)
    diagonal = np.diag(S)
    D = -2 * S
    D += diagonal[:, None]
    D += diagonal
    np.fill_diagonal(D, 0.0)
    return D


def to_similarity(D: ArrayLike) -> Array:
    r"""Double centring :math:`s = -\tfrac12 HDH`, :math:`H = I - \tfrac1n 11'`.

    D is squared-distance-like. D → S → D is the identity, S → D → S is S centred.

    Parameters
    ----------
    D : array of shape (n, n)
        Squared distances.

    Returns
    -------
    array of shape (n, n)
        Similarities, centred.

    Examples
    --------
    >>> to_similarity([[0.0, 4.0], [4.0, 0.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    D = check_proximities(D, "dissimilarity", "D")
    return centred_similarity_rows(D, D.mean(axis=0))


def centred_similarity_rows(rows: Array, column_means: Array) -> Array:
    """−½(d_il − mean_l − mean_i + mean), where the means over columns are the training ones."""
    _require(rows)
    S = rows - column_means
    S -= rows.mean(axis=1, keepdims=True)
    S += column_means.mean()
    S *= -0.5
    return S


def _require(P: Array) -> None:
    n, m = P.shape
    require_matrices(f"a conversion of {n:,} × {m:,} proximities", n, m, instead=FEWER_OBJECTS)
