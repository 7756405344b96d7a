"""Files that are there completely or not at all."""

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

# Files that are being written; who ends the process without unwinding removes them.
UNFINISHED: set[Path] = set()


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write under a temporary name in the same folder, then rename.

    Whatever happens before the last step, an interrupt included, leaves the old file as it was and
    removes the temporary one. A link stays one: the file it points to is written. What is no
    regular file, such as ``/dev/stdout``, is written to directly.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "a.txt", "text")
    ...     os.listdir(folder)
    ['a.txt']
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with writing_atomically(path) as write:
        write(data)


@contextmanager
def writing_atomically(path: str | Path) -> Iterator[Callable[[bytes], object]]:
    """A function that writes; the file is there when the block of code ends, all of it or nothing.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with writing_atomically(Path(folder) / "a.txt") as write:
    ...         _ = write(b"one"), write(b"two")
    ...     (Path(folder) / "a.txt").read_text()
    'onetwo'
    """
    path = Path(path)
    if is_stream(path):
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
            yield stream.write
        return
    path = Path(os.path.realpath(path))
    temporary = temporary_beside(path)
    try:
        UNFINISHED.add(temporary)
        with _named(path):
            file = open(temporary, "xb")  # noqa: SIM115
        try:
            yield lambda data: _write(file, data, path)
            with _named(path):
                file.flush()
                os.fsync(file.fileno())
        finally:
            with _named(path):  # it writes what is left, and may fail once more
                file.close()
        with _named(path):
            os.replace(temporary, path)
    finally:
        remove(temporary)


def _write(file: IO[bytes], data: bytes, path: Path) -> None:
    with _named(path):
        file.write(data)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Name an error by the file that was asked for, not by the temporary one."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def temporary_beside(path: Path) -> Path:
    """A name for what will be a file or a folder.

    Who takes it adds it to ``UNFINISHED`` where :func:`remove` follows whatever happens, and before
    it is there: no interrupt can come in between and leave it.
    """
    return path.with_name(f".noneuclid-{uuid.uuid4().hex}.tmp")


def remove(temporary: Path) -> None:
    """Leave nothing of a file, or of a folder, that was not finished."""
    try:
        temporary.unlink(missing_ok=True)
    except OSError:  # a folder
        shutil.rmtree(temporary, ignore_errors=True)
    UNFINISHED.discard(temporary)


def is_stream(path: Path) -> bool:
    """Whether the path leads to a pipe, a terminal or another device, not to a file or a folder."""
    if path.is_dir():
        return False
    # /dev/stdout may be redirected to a file, which must not be replaced under the shell's hands.
    return path.exists() and (not path.is_file() or str(path).startswith(("/dev/", "/proc/")))
