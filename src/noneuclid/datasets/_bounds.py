"""Cells such as ``<0.05``, which tell where a number lies but not which one it is."""

from noneuclid._files import DataError
from noneuclid.datasets._table import LABEL_NAMES, Column, Table, is_missing, number, numbers_of
from noneuclid.datasets._written import BOUND
from noneuclid.datasets.content import Wishes


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
