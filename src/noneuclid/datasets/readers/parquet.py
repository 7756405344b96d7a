"""Parquet files."""

from noneuclid.datasets._columns import from_table
from noneuclid.datasets._table import Column, Table
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader


class ParquetReader(Reader):
    """A table with its index."""

    suffixes = (".parquet",)

    def read(self, file: DataFile) -> Content:
        """Give every column of the table its role."""
        try:
            import pandas as pd
            import pyarrow as pa
        except ImportError:
            raise DataError(
                f'{file.name} needs pandas and pyarrow: pip install "noneuclid[cli]"'
            ) from None
        try:
            frame = pd.read_parquet(file.path)
        except (pa.ArrowException, OSError, ValueError):
            raise DataError(f"{file.name} is not a parquet file: save it with to_parquet") from None
        if frame.empty:
            raise DataError(f"{file.name} is empty: it must hold one row per object")
        if not isinstance(frame.index, pd.RangeIndex):
            frame = frame.reset_index(names=frame.index.name or "index")
        columns = [
            Column(
                str(name),
                ["" if missing else str(cell) for cell, missing in zip(cells, cells.isna())],
            )
            for name, cells in frame.items()
        ]
        return from_table(Table(file.name, columns, True), file.labels, file.kind)
