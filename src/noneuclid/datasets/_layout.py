"""What programs put around a table: titles above it, a row of units, empty rows and columns."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from noneuclid.datasets._cells import number
from noneuclid.datasets._written import plain

_SEPARATOR = re.compile(r'"?sep=(\\t|.)"?', re.IGNORECASE)
_BRACKETS = re.compile(r"\(.*\)|\[.*\]|\{.*\}")
# Signs of units; words of others are taken for units beside one of these, or in brackets.
_UNITS = frozenset(
    """% ‰ ppm ppb g mg µg μg ug ng kg t m cm mm µm μm nm km s ms µs us ns min h hr d day days yr
    year years hz khz mhz ghz °c °f c k deg ° rad v mv µv a ma w kw j kj n pa kpa mpa bar mbar l ml
    µl ul dl mol mmol µmol m² m2 cm² m³ m3 cm3 au a.u. arb. counts cm-1 cm^-1 cm⁻¹ 1/cm ev kev da
    rpm ph usd eur""".split()  # noqa: SIM905
)
_COMPOUND = re.compile(r"[^\W\d]{1,6}\.?(?:[\^*·/ .-]*[^\W\d]{0,6}[\^-]*\d?){0,3}")
_NOTHING = {"", "-", "--", "–", "—", "1", "."}
_MOST_TITLES = 30
_MOSTLY = 0.8
_SHOWN = 60


@dataclass
class Grid:
    """Rows of cells, the lines of the file they come from, and what was done to them."""

    rows: list[list[str]]
    lines: list[int]
    notes: list[str] = field(default_factory=list)
    is_plain: bool = True
    """Whether nothing was left out."""

    def keep(self, chosen: list[int], note: str) -> None:
        """Forget all rows but some, and say so."""
        self.rows = [self.rows[i] for i in chosen]
        self.lines = [self.lines[i] for i in chosen]
        self.notes.append(note)
        self.is_plain = False


def told_delimiter(line: str) -> str:
    """What a first line such as ``sep=;`` says, which is there for Excel; empty if it is none."""
    found = _SEPARATOR.fullmatch(line.strip())
    return "" if found is None else found[1].replace("\\t", "\t")


def filled_up(rows: list[list[str]]) -> list[list[str]]:
    """Rows of a triangle, each one longer or shorter by a cell than the last, at full length."""
    below = rows[1:] if len(rows) > 1 and len(rows[0]) > len(rows[1]) + 1 else rows
    lengths = np.array([len(row) for row in below])
    if len(below) < 3 or not (np.diff(lengths) == 1).all():
        return rows
    width = max(int(lengths[-1]), len(rows[0]))
    return [row + [""] * (width - len(row)) for row in rows]


def without_empties(grid: Grid) -> None:
    """Take out rows without a cell that holds something, and such columns at the end."""
    lengths = [_filled_length(row) for row in grid.rows]
    width = max(lengths, default=0)
    if len(grid.rows) == max(map(len, grid.rows)):  # a triangle may have such rows and columns
        return
    if any(len(row) > width for row in grid.rows) and width:
        grid.rows = [row[:width] for row in grid.rows]
        grid.notes.append("empty columns at the end left out")
        grid.is_plain = False
    empty = lengths.count(0)
    if empty and empty < len(lengths):
        note = f"{empty} empty row{'s' * (empty > 1)} left out"
        grid.keep([i for i, length in enumerate(lengths) if length], note)


def without_titles(grid: Grid, has_header: Callable[[list[list[str]]], bool]) -> None:
    """Take out lines above a table: fewer cells than it has columns, and a header below them."""
    lengths = [_filled_length(row) for row in grid.rows]
    width = max(lengths, default=0)
    first = next((i for i, n in enumerate(lengths) if n > 2 or 2 * n > width), 0)
    if not 0 < first <= _MOST_TITLES or first > len(lengths) - 2:
        return
    below = grid.rows[first:]
    filled = [_filled(row) >= _MOSTLY * width for row in below[:3]]
    full = filled[0] and any(filled[1:])  # which a triangle is not; units may stand between
    titles = [" ".join(filter(None, row)) for row in grid.rows[:first]]
    if not full or any(_is_number(title) for title in titles) or not has_header(below):
        return
    shown = titles[0][:_SHOWN] + "…" * (len(titles[0]) > _SHOWN or first > 1)
    note = f"{first} line{'s' * (first > 1)} above the table left out: {shown!r}"
    grid.keep(list(range(first, len(lengths))), note)


def without_units(grid: Grid) -> None:
    """Take out a row of units below the header."""
    if len(grid.rows) < 3 or len(grid.rows[0]) != len(grid.rows[1]):
        return
    head, units, *rest = grid.rows
    if not any(map(_is_unit, units)):
        return
    if any(len(row) != len(head) for row in rest):
        return
    columns = [list(cells) for cells in zip(*rest)]
    written = plain(columns, "", "auto").columns
    over_numbers = []
    for j, cells in enumerate(columns):
        if _are_numbers(written.get(j, cells)):
            if not _may_be_unit(units[j]) or (_is_number(head[j]) and _is_number(units[j])):
                return
            over_numbers.append(units[j])
    if any(cell not in _NOTHING for cell in over_numbers):
        shown = ", ".join(dict.fromkeys(cell for cell in over_numbers if cell not in _NOTHING))
        below = [0, *range(2, len(grid.rows))]
        grid.keep(below, f"a row of units below the header: {shown[:_SHOWN]}")


def _may_be_unit(cell: str) -> bool:
    return bool(cell in _NOTHING or _is_unit(cell) or _COMPOUND.fullmatch(cell))


def _is_unit(cell: str) -> bool:
    """Whether it is a sign of a unit, several with a slash or the like, or in brackets."""
    parts = [part for part in re.split(r"[/·*\s^()]+|-?\d+", cell.lower()) if part]
    known = cell.lower() in _UNITS or (bool(parts) and _UNITS.issuperset(parts))
    return known or _BRACKETS.fullmatch(cell) is not None


def _filled_length(row: list[str]) -> int:
    """How many cells there are up to the last that holds something."""
    if row and row[-1]:
        return len(row)
    return next((k + 1 for k in range(len(row) - 1, -1, -1) if row[k]), 0)


def _filled(row: list[str]) -> int:
    return sum(bool(cell) for cell in row)


def _is_number(cell: str) -> bool:
    return number(cell) is not None


def _are_numbers(cells: list[str]) -> bool:
    """Whether there are numbers, and nothing else but empty cells."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(map(_is_number, filled))
