"""Files that may hold anything: what can be known about one before it is read."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noneuclid._memory import NotEnoughMemory, readable, require_memory
from noneuclid._speech import spoken
from noneuclid._text import sentence

# Whatever it is packed with, so much may come out of a small file.
_SMALL = 2**25
# Numbers shrink to a third, text to a tenth; only what is nearly empty shrinks to less.
_LARGEST_RATIO = 100
# Text as cells and columns, each a Python object, over the text itself.
_TEXT = 12

# How files begin, what they are, and the ending that says so.
_BEGINNINGS = (
    (b"\x93NUMPY", "a NumPy array", ".npy"),
    (b"PAR1", "a parquet file", ".parquet"),
    (b"ARROW1", "a feather file", ".feather"),
    (b"MATLAB 5.0 MAT-file", "a MATLAB file", ".mat"),
    (b"MATLAB 7.3 MAT-file", "a MATLAB file", ".mat"),
)
# What is a zip archive, too, and how to know it by the names of what is inside.
_ZIPPED = (".npz", ".xlsx", ".xlsm", ".ods", ".zip")
_INSIDE = (
    (b".npy", "an npz file", ".npz"),
    (b"opendocument.spreadsheet", "a workbook of LibreOffice", ".ods"),
    (b"xl/", "a workbook of Excel", ".xlsx"),
)


class DataError(ValueError):
    """A file that cannot be used: one sentence that names it, the place, and the remedy."""

    def __init__(self, words: str = ""):
        super().__init__(sentence(spoken(words)))


class NoSuchColumn(DataError):
    """A file without a column that was named."""


class BadClasses(DataError):
    """Classes that nothing can be learned from; a file may be looked at without them."""


@contextmanager
def in_one_sentence(name: str, what: str = "cannot be used") -> Iterator[None]:
    """Turn whatever a parser raises into an error that names the file and says what to do."""
    try:
        yield
    except DataError:
        raise
    except NotEnoughMemory as error:
        raise DataError(f"{name}: {error}") from error
    except (UnicodeError, OSError) as error:
        raise DataError(f"{name} {what}: {error}; save it once more") from error
    except ValueError as error:  # the sentence of a reader, which anybody may have written
        raise DataError(f"{name} {what}: {error}") from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise DataError(
            f"{name} {what}: it is damaged or not what its ending says ({why}); save it once more"
        ) from error


def check_file(path: Path) -> int:
    """Return the length of a file; raise unless it is one that can be read and is not empty."""
    try:
        found = os.stat(path)
    except PermissionError:
        raise DataError(f"{path.name} may not be read: change its permissions") from None
    except (OSError, ValueError):  # or no name that a file could have
        raise DataError(f"there is no file {os.fspath(path)!r}: check the path") from None
    if not stat.S_ISREG(found.st_mode):  # reading one might never end
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "a pipe or a device"
        raise DataError(f"{path.name} is {kind}, not a file: save the data to a file first")
    if not found.st_size:
        raise DataError(f"{path.name} is empty: it must hold one row per object")
    return found.st_size


def text_bytes(path: Path) -> bytes:
    """What a file of text holds, if it fits into memory."""
    require_memory(f"the text of {path.name}", _TEXT * check_file(path), "give a part of it")
    return path.read_bytes()


def require_plausible(name: str, stored: int, unpacked: int, remedy: str) -> None:
    """Raise if a file of ``stored`` bytes would become far more than such files do."""
    if unpacked > _SMALL and unpacked > _LARGEST_RATIO * stored:
        raise DataError(
            f"{name} would grow from {readable(stored)} to {readable(unpacked)} when it is read: "
            f"{remedy}"
        )
    require_memory(name, 3 * unpacked, "read a part of it")


def largest_plausible(stored: int) -> int:
    """How many bytes may come out of so many."""
    return max(_SMALL, _LARGEST_RATIO * stored)


def true_nature(head: bytes, suffix: str) -> str:
    """What a file is by its beginning, in words with a remedy, if its ending says otherwise."""
    for beginning, what, right in _BEGINNINGS:
        if head.startswith(beginning):
            return "" if suffix in (right, ".arrow") else f"is {what}: give it the ending {right}"
    if head.startswith(b"PK\x03\x04") and suffix not in _ZIPPED:
        for inside, what, right in _INSIDE:
            if inside in head:
                return f"is {what}: give it the ending {right}"
        return "is a zip archive: unpack it, or give it the ending .zip"
    if head.startswith(b"\x1f\x8b") and suffix != ".gz":
        return "is compressed: unpack it, or give it the ending .gz"
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return "is a workbook of an old Excel: save it as xlsx or csv"
    return ""
