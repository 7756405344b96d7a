"""Event sequences in files."""

import re
import zipfile
from pathlib import Path

import numpy as np

from noneuclid._files import check_file, in_one_sentence, text_bytes
from noneuclid._npy import read_npz
from noneuclid.kernels.trains import as_trains
from noneuclid.typing import Array

_TIMES = ("times", "spike_times", "spikes")
_WITH_COMMA = re.compile(r"[-+]?\d+(,\d+)?")


def read_spike_trains(path: str | Path) -> list[Array]:
    r"""Read event sequences from a text file, one train per line, or from an npz file.

    In text, times are separated by blanks, tabs, commas or semicolons; an empty line is a train
    without events, and ``#`` begins a comment (a line that is only a comment is no train). An npz
    file holds all times, train after train, as ``times`` or ``spike_times``, and ``offsets``:
    train i is ``times[offsets[i]:offsets[i + 1]]``. Trains come back sorted.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    list of array
        Times of every train, rising.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "trains.txt"
    ...     _ = path.write_text("# seconds\n0.1 0.25\n\n0.3, 0.2\n")
    ...     read_spike_trains(path)
    [array([0.1 , 0.25]), array([], dtype=float64), array([0.2, 0.3])]
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    if path.is_file() and not path.stat().st_size:
        return []
    check_file(path)
    return _from_npz(path) if zipfile.is_zipfile(path) else _from_text(path)


def _from_npz(path: Path) -> list[Array]:
    with in_one_sentence(path.name):
        file = read_npz(path)
    names = [name for name in _TIMES if name in file]
    if not names or "offsets" not in file:
        raise ValueError(
            f"{path.name!r} must hold the arrays times (or spike_times) and offsets; it holds "
            f"{', '.join(file) or 'nothing'}"
        )
    return list(as_trains((file[names[0]], file["offsets"]), path.name))


def _has_decimal_commas(content: str) -> bool:
    """Whether all words between blanks and semicolons are numbers such as 0,1."""
    words = content.replace(";", " ").split()
    return "," in content and len(words) > 1 and all(map(_WITH_COMMA.fullmatch, words))


def _from_text(path: Path) -> list[Array]:
    try:
        lines = text_bytes(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(
            f"{path.name!r} is neither text, one train per line, nor an npz file"
        ) from None
    trains = []
    for number, line in enumerate(lines, start=1):
        content, *comment = line.split("#", 1)
        if comment and not content.strip():
            continue
        if _has_decimal_commas(content):
            raise ValueError(
                f"line {number} of {path.name!r} has commas within its numbers "
                f"({line.strip()[:40]!r}): write decimals with a point"
            )
        words = content.replace(",", " ").replace(";", " ").split()
        try:
            # To Python 1_1 is eleven; in a file it is a name.
            times = np.array([float(word.replace("_", "no number")) for word in words])
        except ValueError:
            raise ValueError(
                f"line {number} of {path.name!r} must hold numbers only: {line.strip()[:40]!r}"
            ) from None
        if not np.isfinite(times).all():
            raise ValueError(f"line {number} of {path.name!r} holds NaN or infinity")
        trains.append(np.sort(times))
    return trains
