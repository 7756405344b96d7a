"""How far a matrix of proximities is from being Euclidean."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from noneuclid._memory import require_matrices
from noneuclid.proximities.checks import FEWER_OBJECTS, check_symmetric
from noneuclid.typing import Array


class Signature(NamedTuple):
    """Numbers of positive, negative and (nearly) zero eigenvalues."""

    positive: int
    negative: int
    zero: int


def spectrum(S: ArrayLike) -> Array:
    """Eigenvalues of a symmetric similarity matrix, largest first.

    Examples
    --------
    >>> spectrum([[0.0, 1.0], [1.0, 0.0]])
    array([ 1., -1.])
    """
    S = check_symmetric(S, "S")
    require_matrices(f"the spectrum of {len(S):,} objects", len(S), instead=FEWER_OBJECTS)
    return linalg.eigvalsh(S)[::-1]


def signature(S: ArrayLike, cutoff: float = 1e-4, relative: bool = True) -> Signature:
    """Count the eigenvalues of each sign.

    Parameters
    ----------
    S : array of shape (n, n)
        Symmetric similarities. Convert dissimilarities with ``to_similarity`` first.
    cutoff : float, default=1e-4
        Eigenvalues of at most this modulus count as zero.
    relative : bool, default=True
        Whether the cutoff is a share of the largest modulus.

    Examples
    --------
    >>> signature([[1.0, 2.0], [2.0, 1.0]])
    Signature(positive=1, negative=1, zero=0)
    """
    if not cutoff >= 0:
        raise ValueError(f"cutoff (={cutoff}) must be at least 0")
    return count_signs(spectrum(S), cutoff, relative)


def count_signs(values: Array, cutoff: float = 1e-4, relative: bool = True) -> Signature:
    """The signature of known eigenvalues."""
    limit = cutoff * np.abs(values).max(initial=0.0) if relative else cutoff
    positive, negative = int((values > limit).sum()), int((values < -limit).sum())
    return Signature(positive, negative, len(values) - positive - negative)
