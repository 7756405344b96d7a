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

    Parameters
    ----------
    S : array of shape (n, n)
        Symmetric.

    Returns
    -------
    array of shape (n,)
        Eigenvalues, falling.

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

    Returns
    -------
    Signature
        (positive, negative, zero).

    Notes
    -----
    Signatures in print depend on a cutoff "at 0.0001" that is not said to be relative, nor to
    what. Those of Hammer, Hofmann, Schleif and Zhu (2014) come out with a relative one near the
    default, all of them at once between 5.0e-4 and 9.9e-4; an absolute one would have to lie
    between 0.035 and 0.040.

    ============= ============== ============== ============== ==============
    similarities  published      relative 1e-4  relative 7e-4  absolute 1e-4
    ============= ============== ============== ============== ==============
    Aural Sonar   (61, 38, 1)    (61, 38, 1)    (61, 38, 1)    (62, 38, 0)
    Voting        (16, 1, 418)   (16, 1, 418)   (16, 1, 418)   (31, 16, 388)
    Protein       (169, 38, 6)   (170, 40, 3)   (169, 38, 6)   (170, 40, 3)
    ============= ============== ============== ============== ==============

    References
    ----------
    B. Hammer, D. Hofmann, F.-M. Schleif and X. Zhu (2014), Learning vector quantization for
    (dis-)similarities. Neurocomputing 131.

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
