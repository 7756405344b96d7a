"""A folder of curves."""

from pathlib import Path

import numpy as np

from noneuclid.datasets._table import read_table
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import Reader
from noneuclid.typing import Array


class FolderReader(Reader):
    """Curves, one file each: the last column of every csv, tsv or txt file, sorted by name."""

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether it is a folder."""
        return path.is_dir()

    def read(self, path: Path, labels: str | None, kind: str) -> Content:
        """Read all files; the first column, where there are two, is the common grid."""
        files = sorted(f for f in path.iterdir() if f.suffix.lower() in (".csv", ".tsv", ".txt"))
        if not files:
            raise DataError(f"{path.name} is a folder without csv, tsv or txt files of curves")
        rows: list[Array] = []
        grid = None
        for file in files:
            table = read_table(file)
            values = table.columns[-1].numbers
            if values is None:
                raise DataError(f"{file.name} must hold numbers in its last column, one per line")
            if rows and len(values) != len(rows[0]):
                raise DataError(
                    f"{file.name} has {len(values)} points where {files[0].name} has "
                    f"{len(rows[0])}: curves need one common grid"
                )
            rows.append(values)
            if len(table.columns) > 1 and grid is None:
                grid = table.columns[0].numbers
        return Content(
            path.name,
            np.array(rows),
            kind="curves",
            grid=grid,
            names=[file.stem for file in files],
            place=lambda row, j: f"{files[row].name}, point {j + 1}",
        )
