"""What a reader of files must satisfy."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid.datasets import DataError, DataFile, Dataset, Reader, all_readers, read_dataset
from noneuclid.datasets.readers.base import reader_of, temporarily

_PIECES = 12


def check_reader(reader: Reader | type[Reader], path: str | Path) -> Dataset:
    """Raise AssertionError, with a sentence, unless the reader reads a file, and refuses the rest.

    The file must be recognised and read, twice alike; what is cut off, empty or full of noise must
    be read or be refused in one sentence; files of the other formats must be left to their readers.

    Parameters
    ----------
    reader : Reader or class of Reader
        It need not be registered.
    path : str or Path
        A file of the format.

    Returns
    -------
    data : Dataset
        What it holds.
    """
    made = reader() if isinstance(reader, type) else reader
    if not isinstance(made, Reader):
        raise TypeError(f"check_reader takes a Reader, not {reader!r}")
    path, name = Path(path), type(made).__name__
    with temporarily(made):
        assert reader_of(DataFile(path)) is made, f"{name} does not recognise {path.name}"
        data = read_dataset(path)
        same = _same(data.X, read_dataset(path).X)
        assert same, f"{name} reads {path.name} differently a second time"
        if not path.is_dir():
            _check_damaged(path, name)
        for other in all_readers():
            for suffix in other.suffixes if other is not made else ():
                file = DataFile(Path(f"file{suffix}"))
                file.head = b"1,2\n3,4\n"
                assert not made.recognises(file), (
                    f"{name} takes {suffix} from {type(other).__name__}"
                )
    return data


def _same(first: Any, second: Any) -> bool:
    return len(first) == len(second) and all(np.array_equal(a, b) for a, b in zip(first, second))


def _check_damaged(path: Path, name: str) -> None:
    whole = path.read_bytes()
    noise = np.random.default_rng(0).bytes(len(whole))
    cut = [whole[: k * len(whole) // _PIECES] for k in range(_PIECES)]
    middle = len(whole) // 2
    spoilt = whole[:middle] + noise[middle : middle + 8] + whole[middle + 8 :]
    with tempfile.TemporaryDirectory() as folder:
        for k, content in enumerate([*cut, spoilt, noise, whole + noise, b"\n\n"]):
            damaged = Path(folder) / f"damaged{k}{path.suffix}"
            damaged.write_bytes(content)
            sentence = _complaint(damaged)
            assert damaged.name in sentence, f"{name} does not name the file: {sentence}"


def _complaint(path: Path) -> str:
    """What is said about a file that cannot be read; its name if it can."""
    try:
        read_dataset(path)
    except DataError as error:
        return str(error)
    return path.name
