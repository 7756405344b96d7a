"""Letters of sequences that mean the same: capitals and small ones, U and T, gaps, stops."""

from noneuclid.datasets._cells import number
from noneuclid.datasets.understanding import Ambiguous, trains_or_text

_NUCLEOTIDES = set("ACGTUNRYSWKMBDHV")
_AMINO_ACIDS = set("ACDEFGHIKLMNPQRSTVWYXBZ")
_GAPS = str.maketrans("", "", "-.~")
# Shorter words of these letters may be words of a language.
_SHORTEST_PROTEIN = 20


def normalized(sequences: list[str], *, sure: bool) -> tuple[list[str], list[str]]:
    """Sequences of nucleotides or amino acids in one way of writing, and what was done to them.

    Parameters
    ----------
    sequences : list of str
    sure : bool
        Whether the format tells that they are biological sequences.

    Returns
    -------
    sequences, notes : list of str
        Others than biological sequences as they are, and no notes.
    """
    letters = set("".join(sequences).upper()) - set("-.~*")
    nucleotides = bool(letters) and letters <= _NUCLEOTIDES
    long = sum(map(len, sequences)) >= _SHORTEST_PROTEIN * len(sequences)
    if not (nucleotides or (letters and letters <= _AMINO_ACIDS and long) or sure):
        return sequences, []
    notes = []
    found = [sequence.upper() for sequence in sequences]
    if any(a != b for a, b in zip(found, sequences)) and any(s != s.lower() for s in sequences):
        notes.append("small letters taken as capitals")
    found, before = [sequence.translate(_GAPS).rstrip("*") for sequence in found], found
    if any(a != b.rstrip("*") for a, b in zip(found, before)):
        notes.append("gaps taken out")
    if any(sequence.endswith("*") for sequence in before):
        notes.append("stops at the end taken off")
    text = "".join(found)
    if nucleotides and "U" in text and "T" in text:
        found = [sequence.replace("U", "T") for sequence in found]
        notes.append("U taken as T")
    if notes:
        notes[-1] += " (--case keep: as they are)"
    return found, notes


def refuse_numbers(lines: list[str], file: str) -> None:
    """Raise if what would be compared letter by letter are numbers."""
    words = [line.replace(",", " ").replace(";", " ").split() for line in lines]
    several = sum(sum(number(w) is not None for w in row) > len(row) / 2 for row in words)
    if 2 * several > len(lines):
        raise Ambiguous(
            f"{file} holds numbers, but no table, matrix or list of trains that is known: give "
            "rows of one length, say --kind spikes if every line is a train, or --kind sequences "
            "to compare the lines letter by letter",
            trains_or_text(),
        )
