"""What a matrix of proximities is like: symmetry, spectrum, corrections, low rank."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import spearmanr

from noneuclid._memory import require_matrices
from noneuclid.numerics import first_argmin, level
from noneuclid.proximities.checks import Proximity, check_kind, check_square, largest_modulus
from noneuclid.proximities.conversions import symmetrize, to_dissimilarity, to_similarity
from noneuclid.proximities.corrections import SpectrumCorrection
from noneuclid.proximities.nystroem_check import NystroemCheck, nystroem_check
from noneuclid.proximities.spectrum import Signature, count_signs, spectrum
from noneuclid.typing import Array, IntArray

TRIPLES = 200_000
# Below this share of the largest, an eigenvalue counts as zero.
CUTOFF = 1e-4
# Rounding of a computed matrix; more than that is an asymmetric measurement.
ASYMMETRY = 1e-8
_FEWEST_FOR_LANDMARKS = 30
# How many further matrices of its size the diagnosis of one takes, at most at the same time.
_COPIES = 8.0
_INSTEAD = "diagnose a sample of the objects, P[np.ix_(some, some)], or use nystroem_check"


@dataclass(frozen=True)
class CorrectionEffect:
    """What making the matrix positive would change."""

    method: str
    change: float
    """‖corrected − S‖ / ‖S‖, Frobenius."""
    rank_correlation: float
    """Spearman's, over all pairs of objects."""
    neighbours: float
    """Share of objects whose nearest neighbour becomes another."""


@dataclass(frozen=True)
class MatrixDiagnosis:
    """All there is to know about a matrix of proximities before learning from it."""

    proximity: Proximity
    asymmetry: float
    """Largest \\|p_ij − p_ji\\| over the largest entry, as given; what follows is of the mean of
    both directions."""
    values: Array
    """Eigenvalues of the similarities, largest first."""
    squared_values: Array | None
    """Those of dissimilarities that are squared first."""
    triangle_violations: float | None
    """Share of triples of objects with d_ij > d_ik + d_kj."""
    corrections: list[CorrectionEffect]
    nystroem: NystroemCheck | None
    """Whether landmarks would do; of 30 objects or more."""

    @property
    def is_symmetric(self) -> bool:
        """Whether both directions agree up to rounding."""
        return self.asymmetry <= ASYMMETRY

    @property
    def signature(self) -> Signature:
        """Numbers of positive, negative and zero eigenvalues."""
        return count_signs(self.values, CUTOFF)

    @property
    def negative_mass(self) -> float:
        """Σ|λ < 0| / Σ|λ|."""
        return negative_mass(self.values)

    @property
    def is_euclidean(self) -> bool:
        """Whether no eigenvalue is negative beyond rounding."""
        return self.signature.negative == 0


def diagnose(
    P: ArrayLike, proximity: Proximity = "similarity", *, random_state: int | None = 0
) -> MatrixDiagnosis:
    """Examine a matrix of proximities before learning from it.

    Parameters
    ----------
    P : array of shape (n, n)
        Of an asymmetric one, the mean of both directions is examined.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
    random_state : int, optional
        Decides the triples and the landmarks tried.

    Returns
    -------
    Diagnosis
        What a person should know before learning, in words and numbers.

    Examples
    --------
    >>> from noneuclid.datasets import make_indefinite
    >>> found = diagnose(make_indefinite(60, signature=(3, 2)).X, "similarity")
    >>> found.signature, found.is_euclidean, found.is_symmetric
    (Signature(positive=3, negative=2, zero=55), False, True)
    """
    check_kind(proximity)
    P = check_square(P)
    require_matrices(
        f"the diagnosis of {len(P):,} objects", len(P), copies=_COPIES, instead=_INSTEAD
    )
    size = largest_modulus(P)
    asymmetry = float(largest_modulus(P - P.T) / size) if size > 0 else 0.0
    P = symmetrize(P)
    S = P if proximity == "similarity" else to_similarity(P)
    values = spectrum(S)
    squared = triangle = check = None
    if proximity == "dissimilarity":
        squared = spectrum(to_similarity(P**2))
        triangle = _triangle_violations(P, random_state)
    effects = []
    if count_signs(values, CUTOFF).negative:
        effects = [_effect(S, method) for method in ("clip", "flip")]
    if len(P) >= _FEWEST_FOR_LANDMARKS:
        check = nystroem_check(P, proximity=proximity, random_state=random_state)
    return MatrixDiagnosis(proximity, asymmetry, values, squared, triangle, effects, check)


def negative_mass(values: ArrayLike) -> float:
    """Σ|λ < 0| / Σ|λ|: the share of a spectrum that is not Euclidean.

    Parameters
    ----------
    values : array
        Eigenvalues.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> negative_mass([2.0, 1.0, -1.0])
    0.25
    """
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise ValueError(
            f"values must be a 1-d array of eigenvalues; its shape is {found.shape}: of a matrix, "
            "diagnose(P).negative_mass is what you want"
        )
    total = np.abs(found).sum()
    return float(-found[found < 0].sum() / total) if total > 0 else 0.0


def _triangle_violations(D: Array, random_state: int | None) -> float:
    rng = np.random.default_rng(random_state)
    i, j, k = rng.integers(len(D), size=(3, TRIPLES))
    apart = (i != j) & (j != k) & (i != k)
    i, j, k = i[apart], j[apart], k[apart]
    slack = 1e-12 * largest_modulus(D)
    return float((D[i, j] > D[i, k] + D[k, j] + slack).mean()) if len(i) else 0.0


def _effect(S: Array, method: str) -> CorrectionEffect:
    corrected = SpectrumCorrection(method=method).fit_transform(S)  # type: ignore[arg-type]
    change = float(np.linalg.norm(corrected - S) / np.linalg.norm(S))
    pairs = np.triu_indices(len(S), 1)
    before, after = to_dissimilarity(S), to_dissimilarity(corrected)
    rho = float(spearmanr(level(before[pairs]), level(after[pairs])).statistic)
    moved = float((_nearest(before) != _nearest(after)).mean())
    return CorrectionEffect(method, change, rho, moved)


def _nearest(D: Array) -> IntArray:
    D = D.copy()
    np.fill_diagonal(D, np.inf)
    return first_argmin(D)
