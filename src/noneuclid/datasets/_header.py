"""Whether the first row of a table names its columns, even if the names are numbers."""

import re
from collections import Counter
from itertools import pairwise

import numpy as np

from noneuclid.datasets._cells import is_missing, number, numbers_of

INDEX_NAMES = {"", "id", "ids", "index", "name", "names", "object", "objects", "sample", "key"}
_KINDS_OF_CLASSES = "species category group diagnosis family"
LABEL_NAMES = {*f"label labels class classes target y {_KINDS_OF_CLASSES}".split()}
SEQUENCE_NAMES = {"sequence", "sequences", "seq", "string", "strings", "word", "words", "dna"}
_NAMES = INDEX_NAMES | LABEL_NAMES | SEQUENCE_NAMES
# sample_id, "sample id", sampleId, id, and what pandas calls an index it has written.
IDENTIFIER = re.compile(r"(?i:(.*[\s_.-])?ids?)|.*[a-z]I[Dd]|(?i:unnamed: \d+(\.\d+)*)")
# Fewer header numbers than this may rise by chance.
_FEWEST_POSITIONS = 8
# Two columns may begin with 0 and 1 by themselves, as a table of x and cos(x) does.
_FEWEST_COUNTED = 3
# A column of measured numbers has this share of fractions; a spreadsheet writes 2.0 as 2.
_MOSTLY = 0.8
FIRST_ROW = "the first row, 0"
_WHOLE = re.compile(r"0|[1-9]\d*")


def has_header(rows: list[list[str]]) -> bool:
    """Whether the first of some rows of equal length names the columns."""
    if len(rows) < 2:
        return False
    first, rest = rows[0], rows[1:]
    below = [numbers_of([row[j] for row in rest]) is not None for j in range(len(first))]
    words = [number(cell) is None and not is_missing(cell) for cell in first]
    if any(word and number for word, number in zip(words, below)):
        return True
    if not any(below):  # a table of words: names of columns do not occur in them
        return (
            all(words)
            and len(first) > 1
            and not any(row[j] == cell for row in rest[:200] for j, cell in enumerate(first))
            and any(_is_name(cell) for cell in first)
        )
    numeric = [j for j, number in enumerate(below) if number and first[j]]  # a corner may be empty
    return (
        _positions_on_top(rows, numeric)
        or _names_beside_numbers(rows, numeric, [j for j, word in enumerate(words) if word])
        or _counts_on_top(rows, numeric)
    )


def note_on_counts(rows: list[list[str]]) -> list[str]:
    """What is to be said of a first row that counts: it may be names, or else an object."""
    numeric = [j for j, cell in enumerate(rows[0]) if cell]
    first = [rows[0][j] for j in numeric]
    if len(numeric) < len(rows[0]) or not _count_from_zero(first):
        return []
    if len(first) >= _FEWEST_COUNTED and _counts_on_top(rows, numeric):
        names = f"{FIRST_ROW} … {first[-1]}, taken for names of columns"
        return [f"{names} (if it is an object, write 0.0 for 0)"]
    if len(first) == 2 and _are_fractions(rows, numeric):
        return [f"{FIRST_ROW} and 1, taken for an object (if these are names, add letters)"]
    return []


def _is_name(cell: str) -> bool:
    return cell.lower() in _NAMES or IDENTIFIER.fullmatch(cell) is not None


def _names_beside_numbers(rows: list[list[str]], numeric: list[int], words: list[int]) -> bool:
    """Whether a word of the first row names its column, by what it says or by numbers that rise."""
    top = [value for j in numeric if (value := number(rows[0][j])) is not None]
    if not top or len(top) < len(numeric) or len(rows) < 3:
        return False
    rising = all(a < b for a, b in pairwise(top)) or all(a > b for a, b in pairwise(top))
    counts = _counts([rows[0][j] for j in numeric])
    whole = len(top) >= _FEWEST_COUNTED and all(_WHOLE.fullmatch(rows[0][j]) for j in numeric)
    differs = counts or (whole and _are_fractions(rows, numeric))
    for j in words:
        cell, below = rows[0][j], Counter(row[j] for row in rows[1:])
        # A y may say yes, and one number rises by itself.
        named = _is_name(cell) and (len(cell) > 1) + (len(top) > 1) + counts > 1
        alone = differs and len(top) > 1 and min(below.values()) > 1
        # Wavelengths that were rounded, or of two detectors, and numbers of genes do not rise.
        if cell not in below and ((rising and (named or alone)) or (named and len(cell) > 1)):
            return True
    return False


def _counts(cells: list[str]) -> bool:
    return cells[0] in ("0", "1") and cells == [str(int(cells[0]) + k) for k in range(len(cells))]


def _count_from_zero(cells: list[str]) -> bool:
    return bool(cells) and cells[0] == "0" and _counts(cells)


def _counts_on_top(rows: list[list[str]], numeric: list[int]) -> bool:
    """Whether the first row is what pandas writes for columns without names, 0, 1, 2."""
    if not _count_from_zero([rows[0][j] for j in numeric]) or len(rows) < 3:
        return False
    if not rows[0][0] and numeric == list(range(1, len(rows[0]))):  # with an index before them
        return len({row[0] for row in rows[1:]}) == len(rows) - 1
    whole = len(numeric) == len(rows[0]) >= _FEWEST_COUNTED and len(rows) != len(numeric)
    return whole and _are_fractions(rows, numeric)


def _are_fractions(rows: list[list[str]], numeric: list[int]) -> bool:
    """Whether the numbers below the first row are no whole ones, with few exceptions."""
    below = rows[1:]
    return all(
        sum(not _WHOLE.fullmatch(row[j].lstrip("+-")) for row in below) >= _MOSTLY * len(below)
        for j in numeric
    )


def _positions_on_top(rows: list[list[str]], numeric: list[int]) -> bool:
    """Whether the first row holds positions that rise or fall (wavelengths, numbers of objects)."""
    if len(rows) == len(numeric):  # a square matrix, complete as it is
        return False
    if len(numeric) < _FEWEST_POSITIONS and len(rows) - 1 != len(numeric):
        return False
    values = [number(rows[0][j]) for j in numeric]
    if any(value is None for value in values):
        return False
    top = np.array(values, float)
    sign = 1 if (top[:-1] < top[1:]).all() else -1
    if not (sign * top[:-1] < sign * top[1:]).all():  # differences of infinite numbers are none
        return False
    below = [[number(row[j]) for j in numeric] for row in rows[1:21]]
    return not any(
        all(a is not None and b is not None and sign * (b - a) > 0 for a, b in pairwise(cells))
        for cells in below
    )
