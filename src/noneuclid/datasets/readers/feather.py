"""Feather files, which are Arrow's tables as they are in memory."""

import mmap
import struct
from collections.abc import Iterator
from typing import Any

from noneuclid._files import DataError, check_file, require_plausible
from noneuclid.datasets._columns import from_table
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.datasets.readers.tables import arrow_columns

_MAGIC = b"ARROW1"
_BLOCK = 24
# Where the tables of Arrow's metadata have what is needed here (Message.fbs, File.fbs).
_DICTIONARIES, _BATCHES = 2, 3
_HEADER_TYPE, _HEADER = 1, 2
_DICTIONARY_BATCH, _DATA = 2, 1
_LENGTH, _BUFFERS, _COMPRESSION = 0, 2, 3


class FeatherReader(Reader):
    """A table with its index, compressed or not."""

    suffixes = (".feather", ".arrow")
    formats = ("feather",)

    def read(self, file: DataFile) -> Content:
        try:
            import pyarrow as pa
        except ImportError:
            raise DataError(f'{file.name} needs pyarrow: pip install "noneuclid[cli]"') from None
        length = check_file(file.path)
        if file.head[: len(_MAGIC)] != _MAGIC:
            raise DataError(f"{file.name} is not a feather file: save it with to_feather")
        try:
            with file.path.open("rb") as opened:
                data = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
            with data:
                size = sum(_sizes(data))
            require_plausible(file.name, length, size, "save it as npy")
            with pa.ipc.open_file(file.path.read_bytes()) as batches:
                found = batches.read_all()
            found.validate(full=True)
        except (pa.ArrowException, OSError, struct.error, IndexError, KeyError) as error:
            raise DataError(f"{file.name} is damaged ({error}): save it with to_feather") from error
        if not found.num_rows or not found.num_columns:
            raise DataError(f"{file.name} is empty: it must hold one row per object")
        return from_table(arrow_columns(found, file.name), file.wishes)


def _sizes(data: Any) -> Iterator[int]:
    """What every buffer takes when it is unpacked, by the numbers in front of them."""
    if data[-len(_MAGIC) :] != _MAGIC:
        raise IndexError("it is cut off")
    footer = len(data) - len(_MAGIC) - 4
    start = footer - _int(data, footer, "<i")
    root = start + _int(data, start, "<I")
    for field in (_DICTIONARIES, _BATCHES):
        for at in _vector(data, root, field, _BLOCK):
            offset, metadata, body = struct.unpack_from("<qi4xq", data, at)
            if min(offset, metadata, body) < 0 or offset + metadata + body > len(data):
                raise IndexError("a number in it leads outside")
            yield from _batch_sizes(data, offset, offset + metadata)


def _batch_sizes(data: Any, start: int, body: int) -> Iterator[int]:
    start += 8 if data[start : start + 4] == b"\xff\xff\xff\xff" else 4
    message = start + _int(data, start, "<I")
    kind = data[_field(data, message, _HEADER_TYPE)]
    batch = _table(data, message, _HEADER)
    if kind == _DICTIONARY_BATCH:
        batch = _table(data, batch, _DATA)
    at = _field(data, batch, _LENGTH)
    rows = _int(data, at, "<q") if at else 0
    if rows < 0:
        raise IndexError("a number in it leads outside")
    yield rows
    packed = bool(_field(data, batch, _COMPRESSION))
    for at in _vector(data, batch, _BUFFERS, 16):
        offset, length = struct.unpack_from("<qq", data, at)
        if length < 0 or offset < 0 or body + offset + length > len(data):
            raise IndexError("a number in it leads outside")
        unpacked = _int(data, body + offset, "<q") if packed and length > 8 else length
        yield max(length, unpacked)


def _int(data: Any, at: int, form: str) -> int:
    if at < 0:
        raise IndexError("a number in it leads outside")
    return int(struct.unpack_from(form, data, at)[0])


def _field(data: Any, table: int, k: int) -> int:
    """Where a table of a flatbuffer has its k-th field; 0 if it has none."""
    vtable = table - _int(data, table, "<i")
    if 4 + 2 * k >= _int(data, vtable, "<H"):
        return 0
    offset = _int(data, vtable + 4 + 2 * k, "<H")
    return table + offset if offset else 0


def _table(data: Any, table: int, k: int) -> int:
    at = _field(data, table, k)
    if not at:
        raise IndexError("a number in it leads outside")
    return at + _int(data, at, "<I")


def _vector(data: Any, table: int, k: int, size: int) -> Iterator[int]:
    at = _field(data, table, k)
    if not at:
        return
    at += _int(data, at, "<I")
    n = _int(data, at, "<I")
    if at + 4 + n * size > len(data):
        raise IndexError("a number in it leads outside")
    yield from range(at + 4, at + 4 + n * size, size)
