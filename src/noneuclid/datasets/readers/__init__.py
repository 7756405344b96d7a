"""One file per format: every public :class:`Reader` in here is found, none is listed."""

from noneuclid.datasets.readers.base import Reader, reader_of, readers, register_reader

__all__ = ["Reader", "reader_of", "readers", "register_reader"]
