"""Tables of text with a delimiter."""

from noneuclid.datasets._columns import from_table
from noneuclid.datasets._table import read_table
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader


class DelimitedReader(Reader):
    """Comma, semicolon, tab or ``|``; points or commas in numbers; any usual encoding."""

    suffixes = (".csv", ".tsv")

    def read(self, file: DataFile) -> Content:
        """Give every column of the table its role."""
        return from_table(read_table(file.path), file.labels, file.kind)
