"""The axis of curves, however people write it: 850, 850.00 nm, X850.00, wl_850, 4000 → 400."""

import re
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from noneuclid.datasets._table import Column, Table
from noneuclid.datasets.content import Content
from noneuclid.datasets.kinds import is_rough
from noneuclid.typing import Array, IntArray

_POSITION = re.compile(
    r"(?P<before>[^\d+.-]*[._ ]?)(?P<value>[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"(?P<after>[\s_.]*[^\s\d._][^\s]*)?"
)
# What such names begin or end with; of other names the curves themselves must tell.
_UNITS = frozenset(
    """nm um µm μm mm cm cm-1 cm^-1 cm⁻¹ 1/cm å ppm ev kev s sec ms us µs min h hz khz mhz ghz
    m/z da th ° deg °c k v mv rpm""".split()  # noqa: SIM905
)
_WORDS = frozenset(
    """wl wavelength wavelengths wn wavenumber wavenumbers lambda λ nm t time mz m/z freq frequency
    f shift ramanshift energy ppm theta 2theta spc spec abs absorbance reflectance intensity
    nir""".split()  # noqa: SIM905
)
# Fewer positions than this may rise by chance.
_FEWEST = 8
# Fewer points than this are as well no curve.
_FEWEST_DOWN = 16
# Steps of an axis that is written with few digits.
_REGULAR = 0.02


@dataclass(frozen=True)
class Axis:
    """Columns that are points of curves, in the order in which the axis rises."""

    columns: IntArray
    values: Array
    falls: bool = False
    """Whether the file has them the other way round."""


def axis_across(names: list[str], X: Array) -> Axis | None:
    """The axis that the names of columns hold, if they do.

    Parameters
    ----------
    names : list of str
        Of all columns of numbers.
    X : array of shape (n, d)
        The numbers; may hold NaN.

    Returns
    -------
    axis : Axis or None
        Of at least half of the columns. Numbers alone, or with a unit or a word for an axis, are
        positions; if they only count, or have other words around them, curves must be smooth.
    """
    groups: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for j, name in enumerate(names):
        if found := _POSITION.fullmatch(name.strip()):
            key = _bare(found["before"]), _bare(found["after"] or "")
            groups[key].append((j, float(found["value"])))
    if not groups:
        return None
    (before, after), points = max(groups.items(), key=lambda group: len(group[1]))
    columns = np.array([j for j, _ in points])
    values = np.array([value for _, value in points])
    whole = len(points) == len(names) and not before and not after
    if 2 * len(points) < len(names) or len(points) < (2 if whole else _FEWEST):
        return None
    if not is_monotone(values):
        return None
    sure = (not before or before in _WORDS) and (not after or after in _UNITS)
    if (not sure or only_counts(values)) and is_rough(X[:, columns]):
        return None
    falls = bool(values[0] > values[-1])
    order = slice(None, None, -1 if falls else 1)
    return Axis(columns[order], values[order], falls)


def axis_down(table: Table, *, asked: bool = False) -> bool:
    """Whether the first column is the axis, and every other one a curve.

    It must rise or fall, and be called so or be regular; and the curves must be smooth. If the user
    said so, the first is enough.
    """
    first, *others = table.columns
    values = first.numbers
    if not others or values is None or any(column.numbers is None for column in others):
        return False
    if not is_monotone(values):
        return False
    if asked:
        return True
    if not table.has_header or len(others) < _FEWEST or len(values) < _FEWEST_DOWN:
        return False
    words = set(re.split(r"[\s_()\[\]/,.:]+", first.name.lower()))
    named = bool(words & (_WORDS | _UNITS)) or _bare(first.name) in _WORDS | _UNITS
    with np.errstate(over="ignore"):  # of numbers that are refused later
        steps = np.diff(values)
        regular = np.allclose(steps, steps.mean(), rtol=_REGULAR, atol=0.0)
    regular = regular and not only_counts(values)
    X = np.column_stack([np.asarray(column.numbers) for column in others])
    return bool((named or regular) and not is_rough(X.T))


def is_monotone(values: Array) -> bool:
    """Whether several finite numbers rise, or fall, from each to the next."""
    before, after = values[:-1], values[1:]  # not their differences: those may be infinite
    one_way = (before < after).all() or (before > after).all()
    return bool(len(values) > 1 and np.isfinite(values).all() and one_way)


def put_rising(content: Content) -> None:
    """Have the points of curves in the order in which the axis rises."""
    grid = content.grid
    if grid is None or content.matrix is None or grid[0] < grid[-1]:
        return
    d, place = len(grid), content.place
    content.matrix, content.grid = content.matrix[:, ::-1], grid[::-1]
    if content.features is not None:
        content.features = content.features[::-1]
    if place is not None:
        content.place = lambda row, j: place(row, d - 1 - j)
    content.notes.append(falling(grid))


def falling(grid: Array) -> str:
    """What is said of an axis that falls."""
    return f"the axis falls from {grid[0]:g} to {grid[-1]:g}: points put in rising order"


def turned(table: Table) -> Table:
    """The table with a curve in every row: its name, then its points in the order of the file."""
    first, *others = table.columns
    names = Column("name", [column.name for column in others])
    cells = zip(*(column.cells for column in others))
    points = [Column(position, list(row)) for position, row in zip(first.cells, cells)]
    return _Turned(table.file, [names, *points], True, table.lines, table.notes)


class _Turned(Table):
    """A table that stands on its side in the file."""

    def place(self, row: int, column: Column) -> str:
        """Where a cell is, as a person would look for it."""
        line = next(k for k, one in enumerate(self.columns[1:]) if one is column)
        name = self.columns[0].cells[row]
        where = self.lines[line] if self.lines else line + 1
        return f"{self.file}, line {where}, column {name!r}"


def _bare(word: str) -> str:
    return word.strip(" ._()[]").lower().replace(" ", "")


def only_counts(values: Array) -> bool:
    """Whether they count from 0 or 1, and so only say which row or column it is."""
    return values[0] in (0, 1) and np.array_equal(values, values[0] + np.arange(len(values)))
