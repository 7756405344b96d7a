"""ARFF of Weka, in which the UCR archive and OpenML have their tables, too."""

import csv
import re
from collections.abc import Iterator

from noneuclid._files import DataError
from noneuclid.datasets._columns import from_table
from noneuclid.datasets._table import Column, Table, number
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader

_ATTRIBUTE = re.compile(r"""@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.+)""", re.IGNORECASE)
_NUMERIC = ("numeric", "real", "integer")


class ArffReader(Reader):
    """A table with names and types of columns; not the sparse form, nor series in a cell."""

    suffixes = (".arff",)

    def read(self, file: DataFile) -> Content:
        lines = enumerate(file.text().splitlines(), 1)
        filled = [(k, line.strip()) for k, line in lines if line.strip()]
        kept = iter([(k, line) for k, line in filled if not line.startswith("%")])
        attributes = _attributes(kept, file.name)
        rows = dict(_rows(kept, attributes, file.name))
        if not rows:
            raise DataError(f"{file.name} has no rows after @data")
        cells = zip(*rows.values())
        columns = [Column(name, list(values)) for (name, _), values in zip(attributes, cells)]
        table = Table(file.name, columns, True, list(rows))
        for column, (_, kind) in zip(columns, attributes):
            if kind.lower() in _NUMERIC and not column.is_number and any(column.cells):
                bad = next(k for k, c in enumerate(column.cells) if number(c or "nan") is None)
                raise DataError(
                    f"{table.place(bad, column)} holds {column.cells[bad][:30]!r} where the file "
                    f"says {kind}: correct it"
                )
        return from_table(table, file.wishes)


def _attributes(lines: Iterator[tuple[int, str]], file: str) -> list[tuple[str, str]]:
    """Names and types of the columns."""
    found: list[tuple[str, str]] = []
    for k, line in lines:
        if line.lower().startswith("@data"):
            if not found:
                raise DataError(f"{file} has no @attribute before @data")
            return found
        if line.lower().startswith("@attribute"):
            parts = _ATTRIBUTE.fullmatch(line)
            if parts is None:
                raise DataError(f"{file}, line {k} is no @attribute: {line[:40]!r}")
            if parts[2].lower().startswith("relational"):
                raise DataError(f"{file}, line {k}: series in cells are not read: give .ts")
            found.append((parts[1].strip("'\""), parts[2]))
        elif not line.startswith("@"):
            raise DataError(f"{file}, line {k} stands before @data: {line[:40]!r}")
    raise DataError(f"{file} has no @data")


def _rows(
    lines: Iterator[tuple[int, str]], attributes: list[tuple[str, str]], file: str
) -> Iterator[tuple[int, list[str]]]:
    """The cells of every line, by its number; ``?`` is an empty one."""
    for k, line in lines:
        if line.startswith("{"):
            raise DataError(f"{file}, line {k} is sparse: save all values of every row")
        quote = "'" if "'" in line else '"'
        mark = "," if "," in line else "\t"
        try:
            parsed = csv.reader(
                [line], delimiter=mark, quotechar=quote, escapechar="\\", skipinitialspace=True
            )
            cells = next(parsed, [])
        except csv.Error as error:
            raise DataError(f"{file}, line {k}: {error}: check its quotation marks") from None
        if len(cells) != len(attributes):
            raise DataError(
                f"{file}, line {k} has {len(cells)} values for {len(attributes)} attributes"
            )
        yield k, ["" if cell.strip() == "?" else cell.strip() for cell in cells]
