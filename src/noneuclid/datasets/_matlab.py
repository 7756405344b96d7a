"""MATLAB's files of versions 4 to 7, by slices of the bytes that are there.

SciPy's reader trusts the sizes a file claims, and a damaged one ends the process. Here nothing is
allocated that the file does not hold, so the worst a file can do is to be refused.

The format: MathWorks, "MAT-File Format" (R2020a).
"""

import math
import struct
import zlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from noneuclid._files import DataError, largest_plausible, require_plausible
from noneuclid.typing import Array

Order = Literal["<", ">"]

_REMEDY = "save it with save(…, '-v7')"
# What elements hold, by the numbers of their types; 16 to 18 are letters.
_NUMBERS = dict(enumerate(["i1", "u1", "i2", "u2", "i4", "u4", "f4"], 1)) | {
    9: "f8",
    12: "i8",
    13: "u8",
}
_CODECS = {1: "latin1", 2: "latin1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_MATRIX, _PACKED = 14, 15
_CELL, _CHAR, _SPARSE, _NUMERIC = 1, 4, 5, range(6, 16)
_COMPLEX = 0x0800
_OLD_NUMBERS = ("f8", "f4", "i4", "i2", "u2", "u1")
_OLD_TEXT, _OLD_SPARSE = 1, 2


class _DamagedError(Exception):
    """Something is not where it should be."""


def matlab_arrays(content: bytes, file: str) -> dict[str, Any]:
    """Return the variables of a file: arrays, words, and lists for cells of anything else.

    Matrices of one row or column become vectors, sparse ones full, and structs and objects arrays
    without dimensions.

    Parameters
    ----------
    content : bytes
    file : str
        Its name, for messages.
    """
    try:
        found: dict[str, Any] = {}
        for name, value in _variables(content, file):
            if name in found:
                raise DataError(f"{file} holds {name!r} twice: {_REMEDY}")
            found[name] = value
        return found
    except (
        _DamagedError,
        LookupError,
        ValueError,
        OverflowError,
        struct.error,
        zlib.error,
    ) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{file} is not a MATLAB file, or damaged: {_REMEDY}") from error


def _variables(content: bytes, file: str) -> Iterator[tuple[str, Any]]:
    if 0 in content[:4]:
        yield from _old_variables(content, file)
        return
    orders: dict[bytes, Order] = {b"IM": "<", b"MI": ">"}
    order = orders.get(content[126:128])
    if order is None:
        raise _DamagedError
    version = struct.unpack(order + "H", content[124:126])[0] >> 8
    if version == 2:
        raise DataError(f"{file} is a MATLAB 7.3 file: {_REMEDY}")
    if version != 1:
        raise _DamagedError
    left = largest_plausible(len(content))
    for kind, payload in _elements(memoryview(content)[128:], order):
        whole = [(kind, payload)]
        if kind == _PACKED:
            data = _unpacked(payload, left, len(content), file)
            left -= len(data)
            whole = list(_elements(memoryview(data), order))[:1]
        for kind, payload in whole:
            if kind == _MATRIX:
                name, value = _matrix(payload, order, file)
                if value is not None:
                    yield name, value


def _unpacked(payload: memoryview, most: int, stored: int, file: str) -> bytes:
    """What was compressed, if it is whole."""
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(payload, most + 1)
    if len(data) > most:
        require_plausible(file, stored, largest_plausible(stored) + 1, "save it with '-v6'")
    if not unpacking.eof:
        raise _DamagedError
    return data


def _elements(data: memoryview, order: Order) -> Iterator[tuple[int, memoryview]]:
    """The type and the content of one element after the other."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack(order + "II", data[at : at + 8])
        start, end = at + 8, at + 8 + size
        if kind >> 16:  # up to four bytes beside the type
            kind, size = kind & 0xFFFF, kind >> 16
            start, end = at + 4, at + 4 + min(size, 4)
        elif kind != _PACKED:
            size += -size % 8
        yield kind, data[start:end]
        if end > len(data):
            raise _DamagedError
        at = max(start + size, at + 8) if start == at + 8 else at + 8


def _numbers(kind: int, payload: memoryview, order: Order) -> Any:
    return np.frombuffer(payload, np.dtype(_NUMBERS[kind]).newbyteorder(order))


def _matrix(
    payload: memoryview, order: Order, file: str, *, inside: bool = False
) -> tuple[str, Any]:
    """Name and value; the value is None of what is for MATLAB only."""
    if not payload:  # an empty cell
        return "", np.zeros(0)
    (_, flags), *parts = _elements(payload, order)
    word = struct.unpack(order + "I", flags[:4])[0]
    cls = word & 0xFF
    if cls not in (*_NUMERIC, _CELL, _CHAR, _SPARSE, 2, 3):
        return "", None
    dims = tuple(_numbers(*parts[0], order).tolist())
    if len(dims) < 2 or min(dims) < 0:
        raise _DamagedError
    name = bytes(parts[1][1]).decode("utf-8", errors="replace")
    rest = parts[2:]
    if cls == _CHAR:
        return name, _words(*rest[0], dims, order)
    if cls in _NUMERIC:
        pieces = [_numbers(*part, order) for part in rest[: 2 if word & _COMPLEX else 1]]
        return name, _flat(_joined(pieces).reshape(dims, order="F"))
    if cls == _SPARSE:
        return name, _flat(_sparse(rest[: 3 + bool(word & _COMPLEX)], dims, order, file))
    if cls == _CELL and not inside:
        return name, _cells([p for kind, p in rest if kind == _MATRIX], dims, order, file)
    return name, np.zeros((), dtype=object)


def _sparse(
    parts: list[tuple[int, memoryview]], dims: tuple[int, ...], order: Order, file: str
) -> Array:
    """Of the rows of its entries, where the columns begin among them, and the entries."""
    stored = sum(len(part) for _, part in parts)
    rows, counts = _numbers(*parts[0], order), np.diff(_numbers(*parts[1], order))
    if len(dims) != 2 or len(counts) != dims[1] or counts.min(initial=0) < 0:
        raise _DamagedError
    n = int(counts.sum(dtype=np.int64))
    if n > len(rows):
        raise _DamagedError
    # MATLAB calls the bytes of truth values numbers of eight bytes.
    entries = [_numbers(2 if len(p) == n else kind, p, order)[:n] for kind, p in parts[2:]]
    columns = np.repeat(np.arange(dims[1]), counts)
    return _dense(rows[:n], columns, _joined(entries), dims, stored, file)


def _joined(pieces: list[Array]) -> Any:
    """Real numbers, or complex ones of their two parts."""
    return pieces[0] if len(pieces) == 1 else pieces[0] + 1j * pieces[1]


def _flat(value: Array) -> Array:
    """Without MATLAB's second dimension."""
    return value.ravel() if value.ndim == 2 and 1 in value.shape else value


def _dense(
    rows: Any, columns: Any, values: Array, dims: tuple[int, ...], stored: int, file: str
) -> Array:
    m, n = dims
    require_plausible(f"the sparse matrix in {file}", stored, 8 * m * n, "save a smaller part")
    if len(values) and not (rows.min() >= 0 and rows.max() < m and len(rows) == len(values)):
        raise _DamagedError
    full = np.zeros(dims, dtype=np.result_type(values.dtype, np.float64))
    np.add.at(full, (rows, columns), values)
    return full


def _words(kind: int, payload: memoryview, dims: tuple[int, ...], order: Order) -> Array:
    """The rows of a matrix of letters, without the blanks that fill them up."""
    codec = _CODECS[kind]
    if codec in ("utf-16", "utf-32"):
        codec += "-le" if order == "<" else "-be"
    text = bytes(payload).decode(codec, errors="replace")
    if dims[0] == 1 and len(dims) == 2:
        return np.array([text.rstrip()])
    return _rows(text, dims)


def _rows(text: str, dims: tuple[int, ...]) -> Array:
    if len(dims) > 2:
        return np.zeros((), dtype=object)
    if len(text) != math.prod(dims):
        raise _DamagedError
    return np.array(
        [text[i :: dims[0]].rstrip() for i in range(dims[0])] if text else [], dtype=str
    )


def _cells(parts: list[memoryview], dims: tuple[int, ...], order: Order, file: str) -> Any:
    """Words as an array, everything else as a list."""
    if len(parts) != math.prod(dims):
        raise _DamagedError
    values = [_matrix(part, order, file, inside=True)[1] for part in parts]
    places = np.arange(len(values)).reshape(dims, order="F").ravel().tolist()
    values = [np.zeros((), dtype=object) if values[k] is None else values[k] for k in places]
    if values and all(value.dtype.kind == "U" for value in values):
        return np.array(["".join(value.tolist()) for value in values])
    return [value.ravel() if not value.size else value for value in values]


def _old_variables(content: bytes, file: str) -> Iterator[tuple[str, Any]]:
    """Of version 4: a header of five numbers, a name, and the numbers column by column."""
    order: Order = "<" if 0 <= struct.unpack("<i", content[:4])[0] < 5000 else ">"
    at = 0
    while at + 20 <= len(content):
        code, m, n, is_complex, length = struct.unpack(order + "5i", content[at : at + 20])
        swapped, kind, what = code // 1000, code // 10 % 100, code % 10
        if swapped != (order == ">") or min(m, n, kind, length) < 0 or kind >= len(_OLD_NUMBERS):
            raise _DamagedError
        dtype = np.dtype(_OLD_NUMBERS[kind]).newbyteorder(order)
        start = at + 20 + length
        at = start + m * n * dtype.itemsize * (1 + bool(is_complex))
        if length < 1 or at > len(content):
            raise _DamagedError
        name = content[start - length : start].split(b"\0")[0].decode("latin1")
        values = np.frombuffer(content[start:at], dtype)
        whole = _joined([values[: m * n], values[m * n :]] if is_complex else [values])
        yield name, _old_value(whole.reshape((m, n), order="F"), what, file)


def _old_value(value: Array, what: int, file: str) -> Array:
    if what == _OLD_TEXT:
        text = "".join(map(chr, value.ravel(order="F").astype(np.int64).tolist()))
        return _rows(text, value.shape)
    if what == _OLD_SPARSE:  # rows of (i, j, value), from 1; the last one holds the size
        i, j = value[:, 0].astype(np.int64), value[:, 1].astype(np.int64)
        numbers = value[:, 2] if value.shape[1] == 3 else _joined([value[:, 2], value[:, 3]])
        dims = (int(i[-1]), int(j[-1]))
        if min(dims) < 0 or (len(j) > 1 and not (j[:-1].min() > 0 and j[:-1].max() <= dims[1])):
            raise _DamagedError
        full = _dense(i[:-1] - 1, j[:-1] - 1, numbers[:-1], dims, value.nbytes, file)
        return _flat(full)
    return _flat(value)
