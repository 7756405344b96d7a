"""How well two sequences of letters can be aligned."""

import functools
import importlib
import importlib.util
from typing import Annotated, Any, Literal, Self

import numpy as np

from noneuclid._parameters import Count, Rule, Whole, check_parameters
from noneuclid.kernels.base import ObjectKernel
from noneuclid.kernels.pairs import Objects, all_pairs, as_object_list, pair_values
from noneuclid.typing import Array

Named = Annotated[
    str, Rule("the name of a matrix", lambda value: isinstance(value, str) and bool(value))
]
_NUCLEOTIDES = set("ACGTUNacgtun")
_AS_DNA = str.maketrans("Uu", "Tt")


class Alignment(ObjectKernel):
    r"""Score of the best alignment of two sequences.

    The sum of the substitution scores of letters that stand above each other, minus what gaps
    cost: the first letter of a gap ``gap_open``, each further one ``gap_extend``. Globally, both
    sequences are aligned from end to end (Needleman and Wunsch); locally, the best pieces of them
    (Smith and Waterman). Symmetric, but not positive definite: learners report the signature, and
    take a ``correction``. By name it is ``metric="needleman_wunsch"`` or ``"smith_waterman"``.

    ``parasail`` computes it: ``pip install "noneuclid[sequences]"``.

    Parameters
    ----------
    method : {"global", "local"}, default="global"
    matrix : str, default="auto"
        Substitution scores: a name that parasail knows, such as ``"blosum62"``, ``"pam250"`` or
        ``"dnafull"``; or ``"match"``, 2 for equal letters and −1 for others, of any
        alphabet. ``"auto"`` is ``"dnafull"`` for nucleotides (U counts as T) and ``"blosum62"``
        for others, by the training sequences.
    gap_open : int, default=10
    gap_extend : int, default=1
        At most ``gap_open``.

    References
    ----------
    S. B. Needleman and C. D. Wunsch (1970), A general method applicable to the search for
    similarities. T. F. Smith and M. S. Waterman (1981), Identification of common molecular
    subsequences. J. Daily (2016), Parasail: SIMD C library for pairwise sequence alignments.

    Examples
    --------
    >>> Alignment(matrix="match", gap_open=2)(["ACGT"], ["ACGT", "AGT", "TTTT"])
    array([[ 8.,  4., -1.]])
    """

    laws = frozenset({"symmetry"})

    def __init__(
        self,
        method: Literal["global", "local"] = "global",
        *,
        matrix: Named = "auto",
        gap_open: Count = 10,
        gap_extend: Whole = 1,
    ):
        self.method = method
        self.matrix = matrix
        self.gap_open = gap_open
        self.gap_extend = gap_extend

    def _check_params(self) -> None:
        if self.gap_extend > self.gap_open:
            raise ValueError(
                f"gap_extend (={self.gap_extend}) must not be larger than gap_open "
                f"(={self.gap_open}): a long gap would be cheaper as many short ones"
            )

    @classmethod
    def examples(cls) -> list[Self]:
        """Return global ones, where parasail is there; local ones of few words are positive."""
        if importlib.util.find_spec("parasail") is None:
            return []
        return [cls(matrix="dnafull"), cls(matrix="match", gap_open=3)]

    def example_objects(self, rng: np.random.Generator, n: int) -> Objects:
        """Return n random sequences of nucleotides."""
        sizes = rng.integers(3, 9, size=n)
        return Objects("".join(rng.choice(list("ACGT"), size=k)) for k in sizes)

    def as_objects(self, X: Any, name: str = "X") -> Any:
        """Return the sequences in a form that takes indices, checked.

        Parameters
        ----------
        X : list of str
        name : str, default="X"
            What errors call it.

        Returns
        -------
        Objects
        """
        check_parameters(self)
        objects = as_object_list(X, name)
        for i, sequence in enumerate(objects):
            if not isinstance(sequence, str) or not sequence:
                raise ValueError(
                    f"{name}[{i}] (={sequence!r}) must be a word of at least one letter"
                )
        return objects

    def resolve(self, X: Any) -> "Alignment":
        """Return the kernel with its matrix chosen.

        Parameters
        ----------
        X : list of str

        Returns
        -------
        Alignment
        """
        check_parameters(self)
        if self.matrix != "auto":
            return self
        letters = set().union(*map(set, self.as_objects(X)))
        matrix = "dnafull" if letters <= _NUCLEOTIDES else "blosum62"
        gaps = {"gap_open": self.gap_open, "gap_extend": self.gap_extend}
        return Alignment(self.method, matrix=matrix, **gaps)

    def _score(self, *collections: Any) -> "Score":
        letters = "".join(sorted(set().union(*(set(word) for X in collections for word in X))))
        if self.matrix == "auto":
            raise ValueError(
                'matrix (="auto") depends on the data: call resolve(X), or let a learner fit it'
            )
        if self.matrix == "dnafull":
            letters = letters.translate(_AS_DNA)
        return Score(self.method, self.matrix, letters, int(self.gap_open), int(self.gap_extend))

    def _evaluate(self, X: Any, Y: Any) -> Array:
        return all_pairs(X, Y, self._score(X, Y), symmetric=Y is X)

    def diag(self, X: Any) -> Array:
        """Score of every sequence with itself.

        Parameters
        ----------
        X : list of str

        Returns
        -------
        array of shape (n,)
        """
        words = self.as_objects(X)
        score = self._score(words)
        return np.array(pair_values(score, ((a, a) for a in words)))


class Score:
    """A function of two sequences that goes to other processes.

    Parameters
    ----------
    method, matrix, gap_open, gap_extend
        As for ``Alignment``.
    letters : str
        All letters there are.
    """

    def __init__(self, method: str, matrix: str, letters: str, gap_open: int, gap_extend: int):
        self.method, self.matrix, self.letters = method, matrix, letters
        self.gaps = gap_open, gap_extend
        _scores(matrix, letters)  # complains before any work

    def __call__(self, a: str, b: str) -> float:
        """Return the score."""
        parasail = _parasail()
        # Its "striped" functions are wrong where opening a gap costs no more than extending it.
        align = parasail.nw_scan_32 if self.method == "global" else parasail.sw_scan_32
        if self.matrix == "dnafull":
            a, b = a.translate(_AS_DNA), b.translate(_AS_DNA)
        return float(align(a, b, *self.gaps, _scores(self.matrix, self.letters)).score)


def _parasail() -> Any:
    try:
        return importlib.import_module("parasail")
    except ImportError:
        raise ImportError('Alignment needs parasail: pip install "noneuclid[sequences]"') from None


@functools.lru_cache(maxsize=16)
def _scores(name: str, letters: str) -> Any:
    """parasail's matrix of that name, which knows all letters, or an error."""
    parasail = _parasail()
    strange = [letter for letter in letters if ord(letter) > 127]
    if name == "match":
        if strange:
            raise ValueError(f"letters must be ASCII, and {strange[0]!r} is not")
        return parasail.matrix_create(letters, 2, -1, True)
    matrix = getattr(parasail, name, None)
    if not isinstance(matrix, parasail.Matrix):
        raise ValueError(f"matrix (={name!r}) is none that parasail knows")
    # What a matrix does not know it takes for its last letter, a wildcard.
    unknown = strange or [c for c in letters if matrix.mapper[ord(c)] == matrix.size - 1]
    unknown = [letter for letter in unknown if letter != "*"]
    if unknown:
        raise ValueError(
            f'matrix (={name!r}) has no letter {unknown[0]!r}: matrix="match" takes any alphabet'
        )
    return matrix
