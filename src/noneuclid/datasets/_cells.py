"""Single cells of tables: numbers as programs write them, and what stands for nothing."""

import re

import numpy as np

from noneuclid.typing import Array

MISSING = {"", "na", "n/a", "nan", "null", "none", "?", "-", "#n/a"}
# What laboratories and spreadsheets write for the same.
TELLING = {"n.a.", "n.a", "nd", "n.d.", "n.d", "<na>", "--", "missing", "#div/0!", "#value!"}
MISSING |= TELLING
_LONGEST_MISSING = 8
_LONGEST_NUMBER = 1000
# Double precision of Fortran; without a point it may as well be a name: plate 1, well D2.
FORTRAN = re.compile(r"([+-]?(?:\d+\.\d*|\.\d+))[dD]([+-]?\d{1,3})")
MINUS = "\N{MINUS SIGN}"


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is nothing in it."""
    words = cell.strip()
    return len(words) < _LONGEST_MISSING and words.lower() in MISSING


def as_python(cell: str) -> str:
    """A number of Fortran, or with a printer's minus, as Python writes it.

    Examples
    --------
    >>> as_python("3.4558D-01"), as_python("−2.5"), as_python("1D2")
    ('3.4558e-01', '-2.5', '1D2')
    """
    plain = cell.strip().replace(MINUS, "-")
    return FORTRAN.sub(r"\1e\2", plain) if FORTRAN.fullmatch(plain) else plain


def number(cell: str) -> float | None:
    """What a cell holds, None if it is no number."""
    if len(cell) > _LONGEST_NUMBER or "_" in cell:  # Python takes 1_1 for 11
        return None
    try:
        return float(cell)
    except ValueError:
        pass
    try:
        return float(as_python(cell))
    except ValueError:
        return None


def numbers_of(cells: list[str]) -> Array | None:
    """The cells as numbers, NaN where one is empty; None if one is text, or all are empty."""
    if "_" not in "".join(cells):
        try:
            return np.array(cells, dtype=np.float64)
        except ValueError:
            pass
    values = [np.nan if is_missing(cell) else number(cell) for cell in cells]
    if any(value is None for value in values) or all(is_missing(cell) for cell in cells):
        return None
    return np.array(values, dtype=np.float64)
