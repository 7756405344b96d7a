"""What a matrix of proximities is like: symmetry, spectrum, corrections, low rank."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import spearmanr

from noneuclid.datasets import Dataset
from noneuclid.proximities import (
    NystroemCheck,
    Signature,
    SpectrumCorrection,
    nystroem_check,
    spectrum,
    to_dissimilarity,
    to_similarity,
)
from noneuclid.proximities.spectrum import count_signs
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Block, Fact, Facts, Figure, Section, Table
from noneuclid.report.figures import Series, lines, spectrum_figure
from noneuclid.typing import Array

_TRIPLES = 200_000
# Below this share of the largest, an eigenvalue counts as zero.
_CUTOFF = 1e-4


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

    proximity: str
    values: Array
    signature: Signature
    negative_mass: float
    """Σ|λ < 0| / Σ|λ|."""
    squared_signature: Signature | None
    """Of dissimilarities that are squared first."""
    squared_negative_mass: float | None
    triangle_violations: float | None
    corrections: list[CorrectionEffect]
    nystroem: NystroemCheck | None

    @property
    def is_euclidean(self) -> bool:
        """Whether no eigenvalue is negative beyond rounding."""
        return self.signature.negative == 0


def similarities(P: Array, proximity: str) -> Array:
    """The similarities a matrix of proximities implies."""
    return P if proximity == "similarity" else to_similarity(P)


def dissimilarities(P: Array, proximity: str) -> Array:
    """The dissimilarities a matrix of proximities implies."""
    return to_dissimilarity(P) if proximity == "similarity" else P


def diagnose(P: Array, proximity: str, *, random_state: int = 0) -> MatrixDiagnosis:
    """Examine a symmetric matrix of proximities.

    Examples
    --------
    >>> from noneuclid.datasets import make_indefinite
    >>> found = diagnose(make_indefinite(60, signature=(3, 2)).X, "similarity")
    >>> found.signature, found.is_euclidean
    (Signature(positive=3, negative=2, zero=55), False)
    """
    S = similarities(P, proximity)
    values = spectrum(S)
    squared = squared_mass = triangle = None
    if proximity == "dissimilarity":
        squared_values = spectrum(to_similarity(P**2))
        squared, squared_mass = count_signs(squared_values, _CUTOFF), _mass(squared_values)
        triangle = _triangle_violations(P, random_state)
    effects = []
    if count_signs(values, _CUTOFF).negative:
        effects = [_effect(S, method) for method in ("clip", "flip")]
    check = None
    if len(P) >= 30:
        check = nystroem_check(P, proximity=proximity, random_state=random_state)  # type: ignore[arg-type]
    return MatrixDiagnosis(
        proximity,
        values,
        count_signs(values, _CUTOFF),
        _mass(values),
        squared,
        squared_mass,
        triangle,
        effects,
        check,
    )


def _mass(values: Array) -> float:
    total = np.abs(values).sum()
    return float(-values[values < 0].sum() / total) if total > 0 else 0.0


def _triangle_violations(D: Array, random_state: int) -> float:
    rng = np.random.default_rng(random_state)
    i, j, k = rng.integers(len(D), size=(3, _TRIPLES))
    apart = (i != j) & (j != k) & (i != k)
    i, j, k = i[apart], j[apart], k[apart]
    slack = 1e-12 * np.abs(D).max()
    return float((D[i, j] > D[i, k] + D[k, j] + slack).mean()) if len(i) else 0.0


def _effect(S: Array, method: str) -> CorrectionEffect:
    corrected = SpectrumCorrection(method=method).fit_transform(S)  # type: ignore[arg-type]
    change = float(np.linalg.norm(corrected - S) / np.linalg.norm(S))
    pairs = np.triu_indices(len(S), 1)
    before, after = to_dissimilarity(S), to_dissimilarity(corrected)
    rho = float(spearmanr(before[pairs], after[pairs]).statistic)
    moved = float((_nearest(before) != _nearest(after)).mean())
    return CorrectionEffect(method, change, rho, moved)


def _nearest(D: Array) -> Array:
    D = D.copy()
    np.fill_diagonal(D, np.inf)
    return D.argmin(axis=1)


def finding(found: MatrixDiagnosis) -> str:
    """The diagnosis in one sentence."""
    if found.is_euclidean:
        return (
            "The proximities are Euclidean: no eigenvalue is negative, so every kernel method "
            "applies as it is."
        )
    return (
        f"The proximities are not Euclidean: {found.signature.negative} of {len(found.values)} "
        f"eigenvalues are negative and hold {percent(found.negative_mass)} of the spectrum."
    )


def sections(data: Dataset, found: MatrixDiagnosis) -> list[Section]:
    """The diagnosis as part of a report."""
    blocks: list[Block] = [_facts(found), _figure(found), *_readings(found), *_corrections(found)]
    out = [Section("What the matrix is like", blocks, finding(found))]
    if found.nystroem is not None:
        out.append(_nystroem(found.nystroem, len(data)))
    return out


def _facts(found: MatrixDiagnosis) -> Facts:
    p, q, z = found.signature
    facts = [
        Fact("Symmetric", "yes", "The largest |p_ij − p_ji| is at most 1e-8 of the largest entry."),
        Fact(
            "Signature",
            f"({p}, {q}, {z})",
            "Numbers of positive, negative and zero eigenvalues of the similarities; zero means at "
            f"most {_CUTOFF:g} of the largest modulus. Dissimilarities are double-centred first.",
        ),
        Fact(
            "Negative mass",
            percent(found.negative_mass),
            "Sum of the moduli of negative eigenvalues over the sum of all moduli; 0 is Euclidean.",
        ),
        Fact(
            "Euclidean",
            "yes" if found.is_euclidean else "no",
            "Yes if no eigenvalue is negative: then the objects are points whose squared distances "
            "are the dissimilarities.",
        ),
    ]
    if found.triangle_violations is not None:
        facts.append(
            Fact(
                "Triangle inequality",
                "holds"
                if found.triangle_violations == 0
                else f"fails for {percent(found.triangle_violations)}",
                f"Share of {_TRIPLES:,} random triples of objects with d_ij > d_ik + d_kj.",
            )
        )
    return Facts(facts)


def _figure(found: MatrixDiagnosis) -> Figure:
    values = found.values
    total = np.abs(values).sum()
    share = float(np.sort(np.abs(values))[::-1][:2].sum() / total) if total > 0 else 0.0
    reading = f"The two largest eigenvalues hold {percent(share)} of the spectrum; " + (
        "none is negative."
        if found.is_euclidean
        else f"the most negative one is {number(values[-1])}, the largest {number(values[0])}."
    )
    how = (
        "Eigenvalues λ of the symmetric matrix of similarities S"
        + (
            ", here −½ H D H with the centring matrix H = I − 1/n"
            if found.proximity == "dissimilarity"
            else ""
        )
        + ", by scipy.linalg.eigvalsh, largest first."
    )
    return spectrum_figure(values, reading=reading, how=how)


def _readings(found: MatrixDiagnosis) -> list[Table]:
    """Dissimilarities can be meant as distances or as squared distances."""
    if found.squared_signature is None or found.squared_negative_mass is None:
        return []
    rows = [
        [
            "squared distances (as used here)",
            _triple(found.signature),
            percent(found.negative_mass),
        ],
        ["distances", _triple(found.squared_signature), percent(found.squared_negative_mass)],
    ]
    nearer = (
        "distances" if found.squared_negative_mass < found.negative_mass else "squared distances"
    )
    return [
        Table(
            "Two ways to read the numbers",
            ["taken as", "signature", "negative mass"],
            rows,
            "The learners take dissimilarities as squared distances. If yours are distances, "
            "square "
            "them first; the second line is the matrix of squares.",
            f"The numbers are nearer to Euclidean when taken as {nearer}.",
            numeric=(1, 2),
        )
    ]


def _triple(found: Signature) -> str:
    return f"({found.positive}, {found.negative}, {found.zero})"


def _corrections(found: MatrixDiagnosis) -> list[Table]:
    if not found.corrections:
        return []
    rows = [
        [
            effect.method,
            percent(effect.change),
            f"{effect.rank_correlation:.3f}",
            percent(effect.neighbours),
        ]
        for effect in found.corrections
    ]
    least = min(found.corrections, key=lambda effect: effect.change)
    return [
        Table(
            "What making it Euclidean would change",
            ["correction", "change of the matrix", "rank correlation", "new nearest neighbour"],
            rows,
            "clip sets negative eigenvalues to zero, flip takes their moduli. Change: "
            "‖corrected − S‖ / ‖S‖ (Frobenius). Rank correlation: Spearman's, of the "
            "dissimilarities "
            "of all pairs before and after. Last column: share of objects whose nearest neighbour "
            "becomes another one.",
            f"The gentler correction is {least.method}: it changes the matrix by "
            f"{percent(least.change)}.",
            numeric=(1, 2, 3),
        )
    ]


def _nystroem(check: NystroemCheck, n: int) -> Section:
    lead = (
        f"Yes: proximities to {check.suggested_n_landmarks} of the {n} objects should do."
        if check.suitable
        else "No: learn from all proximities."
        if check.suggested_n_landmarks is None
        else f"Not with {check.n_landmarks} of them; {check.suggested_n_landmarks} might do."
    )
    sizes = np.array(list(check.curve))
    rho = np.array(list(check.curve.values()))
    original = (
        ""
        if check.rho_original is None
        else (f" With the given matrix itself it is {check.rho_original:.2f}.")
    )
    how = (
        "Ten times, two approximations K̃ are made from two disjoint random sets of landmarks; they "
        "can only agree if both are near the truth. Shown is the mean rank correlation of their "
        "rows "
        "on 50 objects that are no landmarks (noneuclid.nystroem_check)."
    )
    reading = (
        f"With {check.n_landmarks} landmarks the rank correlation is {check.rho_pairwise:.2f}; "
        "from "
        f"0.5 up the approximation is suitable.{original}"
    )
    figure = lines(
        sizes,
        [Series("agreement of two approximations", rho, marks=True)],
        title="Agreement of approximations from few landmarks",
        axes=("number of landmarks", "rank correlation"),
        reading=reading,
        how=how,
        ylim=(min(-0.05, float(rho.min()) - 0.05), 1.05),
        height=300,
        whole=True,
        horizontal=(0.5, "suitable from here up"),
    )
    return Section("Would fewer comparisons do?", [figure], lead)
