"""Files that are there completely or not at all."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: str | Path, content: str | bytes) -> None:
    """Write under a temporary name in the same folder, then rename.

    Whatever happens before the last step, an interrupt included, leaves the old file as it was and
    removes the temporary one. A link stays one: the file it points to is written. What is no
    regular file, such as ``/dev/stdout``, is written to directly.

    Examples
    --------
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
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def is_stream(path: Path) -> bool:
    """Whether the path leads to a pipe, a terminal or another device, not to a file or a folder."""
    if path.is_dir():
        return False
    # /dev/stdout may be redirected to a file, which must not be replaced under the shell's hands.
    return path.exists() and (not path.is_file() or str(path).startswith(("/dev/", "/proc/")))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
