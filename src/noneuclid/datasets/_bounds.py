"""Cells among numbers that are none, such as ``<0.05``, and whole numbers too long for one."""

import re
from collections.abc import Iterator

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._table import LABEL_NAMES, Column, Table, is_missing, number, numbers_of
from noneuclid.datasets._written import BOUND
from noneuclid.datasets.content import Wishes

# A column with this share of numbers is one of numbers with something wrong in it.
_MOSTLY = 0.8
# Beyond it numbers of double precision skip whole ones.
_LARGEST_EXACT = 2.0**53
_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}")


def refuse_bounds(table: Table, wishes: Wishes) -> None:
    """Raise if bounds stand among numbers, or have them be empty cells if --missing says so."""
    for column in table.columns:
        named = wishes.labels or ""
        is_label = column.name.lower() in ({named.lower()} if named else LABEL_NAMES)
        if column.is_number or (table.has_header and is_label):
            continue
        bounds = [k for k, cell in enumerate(column.cells) if BOUND.fullmatch(cell)]
        if not bounds or not _are_others_numbers(column, set(bounds)):
            continue
        if wishes.missing is None:
            cell = column.cells[bounds[0]]
            more = f" ({len(bounds)} such cells in all)" if len(bounds) > 1 else ""
            raise DataError(
                f"{table.place(bounds[0], column)} holds {cell!r}, a bound and no number{more}: "
                "write a number, or say --missing drop or mean to take such cells as empty"
            )
        for k in bounds:
            column.cells[k] = ""
        column.numbers = numbers_of(column.cells)
        column.is_number = column.numbers is not None
        table.notes.append(f"{len(bounds)} bounds in {column.name!r} taken as empty cells")


def _are_others_numbers(column: Column, bounds: set[int]) -> bool:
    """Whether there are numbers beside the bounds, and no words."""
    others = [cell for k, cell in enumerate(column.cells) if k not in bounds]
    known = [number(cell) is not None for cell in others if not is_missing(cell)]
    return any(known) and all(known)


def refuse_broken_numbers(table: Table, wanted: str | None) -> None:
    """Raise if a few cells of a column of numbers are words."""
    classes = {wanted.lower()} if wanted is not None else LABEL_NAMES
    for column in table.columns:
        if column.is_number or (table.has_header and column.name.lower() in classes):
            continue
        bad = [k for k, cell in enumerate(column.cells) if number(cell) is None]
        wrong = [k for k in bad if not is_missing(column.cells[k])]
        if wrong and len(table) > 4 and len(bad) <= (1 - _MOSTLY) * len(table):
            raise DataError(
                f"{table.place(wrong[0], column)} holds {column.cells[wrong[0]][:30]!r} where the "
                "others are numbers: correct the cell or remove the row"
            )


def merged_integers(columns: list[Column]) -> Iterator[str]:
    """What is to be said of columns in which whole numbers that differ become equal."""
    for column in columns:
        large = np.abs(np.asarray(column.numbers)) > _LARGEST_EXACT
        cells = [column.cells[i] for i in np.flatnonzero(large)]
        whole = {int(cell) for cell in cells if _INTEGER.fullmatch(cell)}
        if len(whole) > len(set(map(float, whole))):
            yield (
                f"column {column.name!r} holds whole numbers of more than 15 digits, some of which "
                "become equal (--id or --ignore if they only name objects)"
            )
