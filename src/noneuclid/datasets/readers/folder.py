"""A folder of curves."""

import numpy as np

from noneuclid.datasets._table import read_table
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.typing import Array

_CURVES = (".csv", ".tsv", ".txt")


class FolderReader(Reader):
    """Curves, one file each: the last column of every csv, tsv or txt file, sorted by name."""

    def recognises(self, file: DataFile) -> bool:
        """Whether it is a folder."""
        return file.path.is_dir()

    def read(self, file: DataFile) -> Content:
        """Read all files; the first column, where there are two, is the common grid."""
        files = sorted(f for f in file.path.iterdir() if f.suffix.lower() in _CURVES)
        if not files:
            raise DataError(f"{file.name} is a folder without csv, tsv or txt files of curves")
        rows: list[Array] = []
        grid = None
        for part in files:
            table = read_table(part)
            values = table.columns[-1].numbers
            if values is None:
                raise DataError(f"{part.name} must hold numbers in its last column, one per line")
            if rows and len(values) != len(rows[0]):
                raise DataError(
                    f"{part.name} has {len(values)} points where {files[0].name} has "
                    f"{len(rows[0])}: curves need one common grid"
                )
            rows.append(values)
            if len(table.columns) > 1 and grid is None:
                grid = table.columns[0].numbers
        return Content(
            file.name,
            np.array(rows),
            kind="curves",
            grid=grid,
            names=[part.stem for part in files],
            place=lambda row, j: f"{files[row].name}, point {j + 1}",
        )
