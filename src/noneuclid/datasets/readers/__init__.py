"""Formats of files: every public :class:`Reader` in here is found, none is listed."""

from noneuclid.datasets.readers.base import (
    DataFile,
    Reader,
    all_readers,
    reader_of,
    register_reader,
)

__all__ = ["DataFile", "Reader", "all_readers", "reader_of", "register_reader"]
