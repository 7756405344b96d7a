"""Files that are there completely or not at all."""

import os
import uuid
from pathlib import Path

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
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    if is_stream(path):
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "wb") as stream:
            stream.write(data)
        return
    path = Path(os.path.realpath(path))
    # The name is known before the file is there: no interrupt can come in between and leave it.
    temporary = path.with_name(f".noneuclid-{uuid.uuid4().hex}.tmp")
    UNFINISHED.add(temporary)
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:  # named by the file that was asked for
        raise type(error)(error.errno, error.strerror, str(path)) from error
    finally:
        remove(temporary)


def remove(temporary: Path) -> None:
    """Leave nothing of a file that was not finished."""
    temporary.unlink(missing_ok=True)
    UNFINISHED.discard(temporary)


def is_stream(path: Path) -> bool:
    """Whether the path leads to a pipe, a terminal or another device, not to a file or a folder."""
    if path.is_dir():
        return False
    # /dev/stdout may be redirected to a file, which must not be replaced under the shell's hands.
    return path.exists() and (not path.is_file() or str(path).startswith(("/dev/", "/proc/")))
