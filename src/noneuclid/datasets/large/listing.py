"""Which files of a folder are parts of one table, and in which order."""

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from noneuclid._files import DataError

FORMATS = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".csv.gz": "csv",
    ".tsv.gz": "csv",
}
_KEY = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_MOST_KEYS = 16
_NOTHING = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class PartFile:
    """A file with some rows of a table."""

    path: Path
    name: str
    """As it is called in messages: its path in the folder."""
    keys: tuple[tuple[str, str], ...] = ()
    """What folders such as ``class=a`` say of all its rows."""


@dataclass
class Listing:
    """The parts in a folder, sorted, and what else lies there."""

    parts: list[PartFile] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def format_of(path: str | Path) -> str:
    """parquet, csv, or nothing."""
    name = os.fspath(path).lower()
    return next((kind for ending, kind in FORMATS.items() if name.endswith(ending)), "")


def parts_in(folder: Path) -> Listing:
    """The parts in a folder and in its folders ``key=value``, sorted with numbers as numbers.

    Files whose names begin with a dot or an underscore are those of the programs that wrote the
    others. Parts of several formats, and folders of other names, are refused.
    """
    found = Listing()
    _walk(folder, "", (), found)
    found.parts.sort(key=lambda part: [_natural(name) for name in part.name.split("/")])
    formats = Counter(format_of(part.name) for part in found.parts)
    if len(formats) > 1:
        counts = " and ".join(f"{n} {kind} files" for kind, n in sorted(formats.items()))
        raise DataError(f"{folder.name} holds {counts}: leave parts of one format in it")
    for part in found.parts:
        first = found.parts[0]
        if [key for key, _ in part.keys] != [key for key, _ in first.keys]:
            raise DataError(
                f"{folder.name}: {part.name} does not lie in folders of the same keys as "
                f"{first.name}: every part needs them all, in the same order"
            )
    return found


def _walk(folder: Path, inside: str, keys: tuple[tuple[str, str], ...], found: Listing) -> None:
    with os.scandir(folder) as there:
        entries = list(there)
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        name = f"{inside}{entry.name}"
        if not entry.is_dir():
            if format_of(entry.name):
                found.parts.append(PartFile(Path(entry.path).resolve(), name, keys))
            else:
                found.left_out.append(name)
            continue
        key = _KEY.fullmatch(entry.name)
        if key is None or len(keys) == _MOST_KEYS:
            raise DataError(
                f"{folder.name} holds the folder {entry.name!r}: parts may lie in folders called "
                "key=value only, move its files or name it as the data"
            )
        value = "" if key[2] == _NOTHING else unquote(key[2])
        _walk(Path(entry.path), f"{name}/", (*keys, (unquote(key[1]), value)), found)


def _natural(name: str) -> list[tuple[int, str]]:
    """Numbers in a name as numbers: part-9 comes before part-10."""
    pieces = re.split(r"([0-9]+)", name)
    return [(int(p) if k % 2 else 0, "" if k % 2 else p) for k, p in enumerate(pieces)] + [
        (0, name)
    ]
