"""Which data are read by blocks, and the blocks they have."""

import importlib.util
import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noneuclid._files import DataError, check_file
from noneuclid._memory import allowed_memory, readable
from noneuclid.datasets._written import WITH_COMMAS
from noneuclid.datasets.large import parquet, text
from noneuclid.datasets.large.arrays import array_blocks, is_zarr
from noneuclid.datasets.large.listing import Listing, PartFile, format_of, parts_in
from noneuclid.datasets.large.rows import Block, other_columns, reading

# More than that at once gains nothing, and less tells more often how far a pass is.
_LARGEST_BLOCK = 2**26
_MOST_BLOCKS = 100_000
# A block of numbers: as they are read, and as a learner scales and compares them.
_NUMBERS = 6
# Text becomes so much when it is read as a whole, as _files says; arrays are there twice.
_WHOLE = {".npy": 2, ".csv": 12, ".tsv": 12, ".parquet": 10}
# Text is packed to a tenth.
_PACKED = 10 * _WHOLE[".csv"]
# Files of curves, one each, have a column of positions and one of values at the most.
_MOST_IN_CURVES = 2


@dataclass(frozen=True)
class Memory:
    """How much data may be in memory at a time.

    Parameters
    ----------
    limit : float
        Bytes for all blocks that are read at the same time.
    n_threads : int
        How many those are.
    kept : float
        Bytes that may stay in memory between two passes, beside those.
    """

    limit: float
    n_threads: int
    kept: float = 0.0

    @classmethod
    def of(cls, limit: float | None = None, n_threads: int | None = None) -> "Memory":
        """By default what this process may take, and all processors."""
        return cls(limit or allowed_memory(), n_threads or os.cpu_count() or 1)

    def block(self, needs: float) -> int:
        """Bytes of one block, if so many times as much is needed to read it."""
        return int(max(1, min(_LARGEST_BLOCK, self.limit / (2 * self.n_threads * needs))))


@dataclass
class Source:
    """Blocks of rows of one table or array."""

    name: str
    blocks: list[Any]
    width: int
    names: list[str] | None = None
    """Of the columns, where they have some."""
    is_table: bool = False
    n_parts: int = 1
    notes: list[str] = field(default_factory=list)


Computed = Callable[[Sequence[Any]], Sequence[Any]]


def is_large(path: Path, limit: float | None = None, *, wanted: bool = False) -> bool:
    """Whether data are read by blocks: parts in a folder, zarr arrays, and what is too large.

    A folder of files with one or two columns each is one of curves. ``limit`` is what the user
    allows, and ``wanted`` that blocks are wanted anyway.
    """
    path = Path(path)
    if path.is_dir():
        return is_zarr(path) or _has_parts(path)
    if not path.is_file():
        return False
    is_packed = path.name.lower().endswith(".gz") and format_of(path)
    needs = _PACKED if is_packed else _WHOLE.get(path.suffix.lower())
    if needs is None:
        if wanted or (limit is not None and path.stat().st_size > limit):
            raise DataError(
                f"{path.name} cannot be read by blocks: save it as parquet, csv, npy or zarr, or "
                "leave --memory-limit and --scheduler out"
            )
        return False
    return wanted or needs * path.stat().st_size > (limit or allowed_memory())


def _has_parts(folder: Path) -> bool:
    with reading(folder.name):
        names = [name for name in os.listdir(folder) if not name.startswith((".", "_"))]
        if any("=" in name and (folder / name).is_dir() for name in names):
            return True
        parts = [name for name in names if format_of(name)]
        if any(format_of(name) == "parquet" or name.lower().endswith(".gz") for name in parts):
            return True
        return any(_is_wide(PartFile(folder / name, name)) for name in parts)


def _is_wide(part: PartFile) -> bool:
    try:
        layout = text.layout_of(part)
    except DataError:  # the reader of curves says what is wrong, or another part tells
        return False
    return layout is not None and len(layout.names) > _MOST_IN_CURVES


def open_source(path: Path, memory: Memory, computed: Computed) -> Source:
    """The blocks of a folder, a zarr array or a large file."""
    if is_zarr(path) or path.suffix.lower() == ".npy":
        blocks, width = array_blocks(path, memory.block(_NUMBERS))
        found = Source(path.name, blocks, width)
    else:
        if not path.is_dir():
            check_file(path)
        with reading(path.name):
            whole = [PartFile(path.resolve(), path.name)]
            listing = parts_in(path) if path.is_dir() else Listing(whole)
        if not listing.parts:
            raise DataError(f"{path.name} is a folder without parts in parquet, csv or tsv files")
        opened = _parquet if format_of(listing.parts[0].name) == "parquet" else _text
        found = opened(path.name, listing, memory, computed)
    if len(found.blocks) > _MOST_BLOCKS:
        raise DataError(
            f"{path.name} would be read in {len(found.blocks)} blocks of {readable(memory.limit)} "
            "in all: raise --memory-limit"
        )
    return found


def _parquet(name: str, listing: Listing, memory: Memory, computed: Computed) -> Source:
    files = [parquet.described(part) for part in listing.parts]
    first = files[0]
    for file in files[1:]:
        if sorted(file.names) != sorted(first.names):
            raise other_columns(file.part.name, file.names, first.part.name, first.names)
    keys = _keys(listing, first.names)
    names = [*first.names, *keys]
    most = memory.block(_NUMBERS)
    blocks: list[Block] = []
    for file in files:
        blocks += file.blocks(names, most, memory.limit)
    return _source(name, listing, blocks, names)


def _text(name: str, listing: Listing, memory: Memory, computed: Computed) -> Source:
    if importlib.util.find_spec("pyarrow") is None:
        raise DataError(f'{name} needs pyarrow: pip install "noneuclid[cli]"')
    import dask

    first, layout = _first_layout(name, listing)
    keys = _keys(listing, layout.names)
    names = [*layout.names, *keys]
    most = memory.block(text.NEEDS)
    limit = int(memory.limit / text.NEEDS) if memory.limit < float("inf") else 2**62
    layouts = [
        layout if part is first else text.layout_like(part, layout) for part in listing.parts
    ]
    filled = [(part, own) for part, own in zip(listing.parts, layouts) if own is not None]
    cuts = computed([dask.delayed(text.cuts_of, pure=False)(part, most) for part, _ in filled])
    blocks: list[Block] = []
    for (part, own), edges in zip(filled, cuts):
        order = _order(layout.names, own.names) + tuple(range(len(layout.names), len(names)))
        for start, stop in itertools.pairwise(edges):
            if text.NEEDS * (stop - start) > memory.limit and stop - start > 2 * most:
                raise DataError(
                    f"{part.name} has no ends of rows for {readable(stop - start)}: save it as "
                    "UTF-8 with one row per line, or raise --memory-limit"
                )
            block = text.TextBlock(part, start, stop, own, order, tuple(names), limit)
            blocks.append(block)
    found = _source(name, listing, blocks, names)
    if not layout.has_header:
        found.names = None
    if layout.has_commas:
        found.notes.append(WITH_COMMAS)
    found.notes += layout.notes
    return found


def _first_layout(name: str, listing: Listing) -> tuple[PartFile, text.Layout]:
    """The first part with rows, and how it is written."""
    refused: DataError | None = None
    for part in listing.parts:
        try:
            layout = text.layout_of(part)
        except DataError as error:
            if "below it" not in str(error):
                raise
            refused = refused or error  # a header without rows may be one of many parts
            continue
        if layout is not None:
            return part, layout
    raise refused or DataError(f"{name} is empty: it must hold one row per object")


def _order(names: Sequence[str], own: Sequence[str]) -> tuple[int, ...]:
    """The position in a part of every column; columns of one name are in the same order."""
    if tuple(names) == tuple(own):
        return tuple(range(len(names)))
    left = list(enumerate(own))
    found = []
    for name in names:
        k = next(k for k, (_, other) in enumerate(left) if other == name)
        found.append(left.pop(k)[0])
    return tuple(found)


def _keys(listing: Listing, names: Sequence[str]) -> list[str]:
    keys = [key for key, _ in listing.parts[0].keys]
    for key in keys:
        if key in names:
            raise DataError(
                f"{listing.parts[0].name}: {key!r} is a column and the name of a folder: keep one"
            )
    return keys


def _source(name: str, listing: Listing, blocks: list[Block], names: list[str]) -> Source:
    if not blocks:
        raise DataError(f"{name} is empty: it must hold one row per object")
    found = Source(name, blocks, len(names), names, is_table=True, n_parts=len(listing.parts))
    if listing.left_out:
        more = ", …" if len(listing.left_out) > 5 else ""
        found.notes.append(f"files left out: {', '.join(sorted(listing.left_out)[:5])}{more}")
    return found
