"""What a matrix of proximities is like, and whether a few of its columns would do."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noneuclid._speech import spoken
from noneuclid.proximities import MatrixDiagnosis, NystroemCheck, Signature, negative_mass
from noneuclid.proximities.diagnosis import CUTOFF, TRIPLES
from noneuclid.proximities.spectrum import count_signs
from noneuclid.report._numbers import Shown, number, percent
from noneuclid.report.blocks import Block, Facts, Figure, Table
from noneuclid.report.figures import Series, lines, spectrum_figure
from noneuclid.report.matrices import Matrix
from noneuclid.report.parts.base import Part, Study
from noneuclid.typing import Array

# Negative masses that differ by less say nothing.
_SAME_MASS = 1e-3


def _nearer(values: Array, squared: Array) -> str:
    """Which of two readings of dissimilarities is nearer to Euclidean."""
    as_squares, as_distances = negative_mass(values), negative_mass(squared)
    if abs(as_squares - as_distances) > _SAME_MASS:
        better = "distances" if as_distances < as_squares else "squared distances"
        return f"The numbers are nearer to Euclidean when taken as {better}."
    many, few = count_signs(values, CUTOFF).positive, count_signs(squared, CUTOFF).positive
    if few < many:
        return (
            "Both readings are as near to Euclidean, but distances need fewer dimensions "
            f"({few} instead of {many}): they may well be distances between points."
        )
    return "Both readings are as near to Euclidean."


@dataclass(eq=False)
class Diagnosis(Part):
    """Symmetry, spectrum, and what corrections would change."""

    matrix: Matrix
    found: MatrixDiagnosis
    study: Study | None = None
    title = "What the matrix is like"

    @property
    def _of(self) -> str:
        """Of which the matrix is, if not of all objects."""
        if self.study is None or not self.study.is_large:
            return ""
        return f" (a random sample of {len(self.study.rows):,} of {len(self.study.data):,})"

    @cached_property
    def sentence(self) -> str:
        found = self.found
        if found.is_euclidean:
            start = f"The proximities{self._of} are Euclidean: no eigenvalue is negative, so"
            return f"{start} every kernel method applies as it is."
        return (
            f"The proximities{self._of} are not Euclidean: {found.signature.negative} of "
            f"{len(found.values)} eigenvalues are negative and hold "
            f"{percent(found.negative_mass)} of the spectrum."
        )

    def results(self) -> list[tuple[str, str]]:
        return [("signature", str(tuple(self.found.signature)))]

    def code(self) -> list[str]:
        S = "X" if self.found.proximity == "similarity" else "to_similarity(X)"
        if not self._of or self.study is None:
            return [f"X = {self.matrix.code}", f"print(signature({S}))"]
        few = f"data.sample({len(self.study.rows)}, random_state={self.study.seed})"
        code = self.matrix.code.replace("data", "few")
        given = self.study.data.is_matrix
        whole = self.matrix.code if given else "data.X"
        after = [f"X = {whole}"] * (self.study.data.labels is not None)
        return [f"few = {few}", f"X = {code}", f"print(signature({S}))", *after]

    def blocks(self) -> list[Block]:
        return [self._facts(), self._spectrum(), *self._readings(), *self._corrections()]

    def _facts(self) -> Facts:
        found, asymmetry = self.found, self.matrix.asymmetry
        symmetric = "The largest |p_ij − p_ji| is at most 1e-8 of the largest entry."
        if asymmetry > 1e-8:
            symmetric = (
                f"The largest |p_ij − p_ji| was {number(asymmetry)} of the largest entry: "
                "everything on this page is about the mean of both directions."
            )
        signature = (
            "Numbers of positive, negative and zero eigenvalues of the similarities; zero means "
            f"at most {CUTOFF:g} of the largest modulus. Dissimilarities are double-centred first."
        )
        mass = (
            "Sum of the moduli of negative eigenvalues over the sum of all moduli; 0 is Euclidean."
        )
        euclidean = (
            "Yes if no eigenvalue is negative: then the objects are points whose squared "
            "distances are the dissimilarities."
        )
        facts = [
            ("Symmetric", "yes" if asymmetry <= 1e-8 else "no", symmetric),
            ("Signature", _triple(found.signature), signature),
            ("Negative mass", percent(found.negative_mass), mass),
            ("Euclidean", "yes" if found.is_euclidean else "no", euclidean),
        ]
        broken = found.triangle_violations
        if broken is not None:
            how = f"Share of {TRIPLES:,} random triples of objects with d_ij > d_ik + d_kj."
            fails = f"fails for {percent(broken)}" if broken else "holds"
            facts.append(("Triangle inequality", fails, how))
        return Facts.of(*facts)

    def _spectrum(self) -> Figure:
        values = self.found.values
        total = np.abs(values).sum()
        share = float(np.sort(np.abs(values))[::-1][:2].sum() / total) if total > 0 else 0.0
        rest = f"the most negative one is {number(values[-1])}, the largest {number(values[0])}."
        if self.found.is_euclidean:
            rest = "none is negative."
        similarities = "Eigenvalues λ of the symmetric matrix of similarities S"
        if self.found.proximity == "dissimilarity":
            similarities += ", here −½ H D H with the centring matrix H = I − 1/n"
        return spectrum_figure(
            values,
            reading=f"The two largest eigenvalues hold {percent(share)} of the spectrum; {rest}",
            how=f"{similarities}, by scipy.linalg.eigvalsh, largest first.",
        )

    def _readings(self) -> list[Table]:
        """Dissimilarities can be meant as distances or as squared distances."""
        squared = self.found.squared_values
        if squared is None:
            return []
        spectra = {"squared distances (as used here)": self.found.values, "distances": squared}
        rows = [
            [name, _triple(count_signs(values, CUTOFF)), percent(negative_mass(values))]
            for name, values in spectra.items()
        ]
        return [
            Table(
                "Two ways to read the numbers",
                ["taken as", "signature", "negative mass"],
                rows,
                "The learners take dissimilarities as squared distances. If yours are distances, "
                + spoken("say --plain, or square them first; ")
                + "the second line is the matrix of squares.",
                _nearer(self.found.values, squared),
                numeric=(1, 2),
            )
        ]

    def _corrections(self) -> list[Table]:
        effects = self.found.corrections
        if not effects:
            return []
        least = min(effects, key=lambda effect: effect.change)
        rows = [
            [
                one.method,
                percent(one.change),
                Shown(f"{one.rank_correlation:.3f}", one.rank_correlation),
                percent(one.neighbours),
            ]
            for one in effects
        ]
        return [
            Table(
                "What making it Euclidean would change",
                ["correction", "change of the matrix", "rank correlation", "new nearest neighbour"],
                rows,
                "clip sets negative eigenvalues to zero, flip takes their moduli. Change: "
                "‖corrected − S‖ / ‖S‖ (Frobenius). Rank correlation: Spearman's, of the "
                "dissimilarities of all pairs before and after. Last column: share of objects "
                "whose nearest neighbour becomes another one.",
                f"The gentler correction is {least.method}: it changes the matrix by "
                f"{percent(least.change)}.",
                numeric=(1, 2, 3),
            )
        ]


def _triple(found: Signature) -> str:
    return f"({found.positive}, {found.negative}, {found.zero})"


@dataclass(eq=False)
class Landmarks(Part):
    """Whether proximities to a few of n objects would do."""

    check: NystroemCheck
    n: int
    title = "Would fewer comparisons do?"

    @cached_property
    def lead(self) -> str:
        check, enough = self.check, self.check.suggested_n_landmarks
        if check.suitable:
            return f"Yes: proximities to {enough} of the {self.n} objects should do."
        if enough is None:
            return "No: learn from all proximities."
        return f"Not with {check.n_landmarks} of them; {enough} might do."

    def blocks(self) -> list[Block]:
        check = self.check
        rho = np.array(list(check.curve.values()))
        given = check.rho_original
        original = "" if given is None else f" With the given matrix itself it is {given:.2f}."
        figure = lines(
            np.array(list(check.curve)),
            [Series("agreement of two approximations", rho, marks=True)],
            title="Agreement of approximations from few landmarks",
            axes=("number of landmarks", "rank correlation"),
            reading=f"With {check.n_landmarks} landmarks the rank correlation is "
            f"{check.rho_pairwise:.2f}; from 0.5 up the approximation is suitable.{original}",
            how="Ten times, two approximations K̃ are made from two disjoint random sets of "
            "landmarks; they can only agree if both are near the truth. Shown is the mean rank "
            "correlation of their rows on 50 objects that are no landmarks "
            "(noneuclid.nystroem_check).",
            ylim=(min(-0.05, float(rho.min()) - 0.05), 1.05),
            height=300,
            whole=True,
            horizontal=(0.5, "suitable from here up"),
        )
        return [figure]
