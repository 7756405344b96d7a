"""NumPy's files: sizes are compared with the length of the file before anything is allocated."""

import math
import threading
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np

from noneuclid._files import DataError, check_file, require_plausible
from noneuclid._memory import require_memory

_PICKLE = "object arrays, which could run code when read: save numbers or strings instead"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LARGEST_LETTER = 0x10FFFF
# Headers are Python literals, and before Python 3.13 two threads cannot parse at once: when the
# garbage collector runs a finaliser in between, the parser raises (CPython's issue 106905).
_PARSING = threading.RLock()


def read_npy(path: Path) -> Any:
    """Return the array of an npy file; a pickle is an error."""
    length = check_file(path)
    require_memory(path.name, 2 * length, "read a part of it with numpy.load(…, mmap_mode='r')")
    with path.open("rb") as stream:
        return _array(stream, length, path.name, path.name)


def read_npz(path: Path) -> dict[str, Any]:
    """Return the arrays of an npz file by their names; anything else inside is an error."""
    length, arrays = check_file(path), {}
    remedy = "save it with numpy.savez"
    if not zipfile.is_zipfile(path):
        raise DataError(f"{path.name} is not an npz file: {remedy}")
    with zipfile.ZipFile(path) as file:
        members = file.infolist()
        unpacked = sum(member.file_size for member in members)
        require_plausible(path.name, length, unpacked, f"{remedy}, not savez_compressed")
        for member in members:
            name, ending = member.filename[:-4], member.filename[-4:]
            if ending != ".npy" or member.compress_type not in _METHODS:
                raise DataError(f"{path.name}: {member.filename!r} is not an array: {remedy}")
            if name in arrays:
                raise DataError(f"{path.name} holds {name!r} twice: {remedy}")
            with file.open(member) as stream:
                arrays[name] = _array(stream, member.file_size, path.name, f"{path.name}: {name!r}")
    return arrays


def npy_header(
    stream: IO[bytes], length: int, file: str, what: str
) -> tuple[tuple[int, ...], bool, Any]:
    """Shape, order and dtype of an array; raise for pickles and for what promises too much."""
    shape, is_fortran, dtype = _header(stream, file)
    if dtype.hasobject:
        raise DataError(f"{what} holds {_PICKLE}")
    count = math.prod(shape)
    if min(shape, default=0) < 0 or count * max(dtype.itemsize, 1) > length:
        raise DataError(
            f"{what} is damaged: an array of shape {shape} and type {dtype} needs more than the "
            f"{length} bytes there are; save it once more"
        )
    return shape, is_fortran, dtype


def _array(stream: IO[bytes], length: int, file: str, what: str) -> Any:
    shape, is_fortran, dtype = npy_header(stream, length, file, what)
    count = math.prod(shape)
    content = stream.read(count * dtype.itemsize)
    if len(content) < count * dtype.itemsize:
        raise DataError(f"{what} is cut off: save it once more")
    if stream.read(1):  # in an archive, reading to the end compares the check sums
        raise DataError(f"{what} holds more than one array: save it once more")
    if not content:
        return np.zeros(shape, dtype)
    array = np.frombuffer(content, dtype)
    if dtype.kind == "U" and array.view(f"{dtype.byteorder}u4").max() > _LARGEST_LETTER:
        raise DataError(f"{what} is damaged: it holds letters that do not exist; save it once more")
    return array.reshape(shape, order="F" if is_fortran else "C")


def _header(stream: IO[bytes], file: str) -> tuple[tuple[int, ...], bool, Any]:
    try:
        # Version 3 is for names of fields, and records are no table of numbers.
        return parse_header(stream)
    except (OSError, zipfile.BadZipFile, zlib.error):
        raise
    except Exception as error:  # Python's own parser reads it, and raises what it likes
        raise DataError(f"{file} is not a NumPy file: save it with numpy.save") from error


def parse_header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, Any]:
    """Shape, order and dtype that a header of version 1 or 2 announces, from any thread."""
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    reader = readers[np.lib.format.read_magic(stream)]
    with _PARSING:
        return reader(stream)
