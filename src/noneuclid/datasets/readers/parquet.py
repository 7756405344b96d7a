"""Parquet files."""

from pathlib import Path

from noneuclid.datasets._columns import from_table
from noneuclid.datasets._table import Column, Table
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import Reader


class ParquetReader(Reader):
    """A table with its index."""

    suffixes = (".parquet",)

    def read(self, path: Path, labels: str | None, kind: str) -> Content:
        """Give every column of the table its role."""
        try:
            import pandas as pd
            import pyarrow as pa
        except ImportError:
            raise DataError(
                f'{path.name} needs pandas and pyarrow: pip install "noneuclid[cli]"'
            ) from None
        try:
            frame = pd.read_parquet(path)
        except (pa.ArrowException, OSError, ValueError):
            raise DataError(f"{path.name} is not a parquet file: save it with to_parquet") from None
        if frame.empty:
            raise DataError(f"{path.name} is empty: it must hold one row per object")
        if not isinstance(frame.index, pd.RangeIndex):
            frame = frame.reset_index(names=frame.index.name or "index")
        columns = [
            Column(
                str(name),
                ["" if missing else str(cell) for cell, missing in zip(cells, cells.isna())],
            )
            for name, cells in frame.items()
        ]
        return from_table(Table(path.name, columns, True), labels, kind)
