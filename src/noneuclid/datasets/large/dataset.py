"""Rows of numbers that are read by blocks, and samples of them."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from noneuclid._blocks.draws import lots
from noneuclid._blocks.passes import computed
from noneuclid._files import DataError
from noneuclid._text import visible
from noneuclid.datasets.dataset import Dataset, classes_in_words
from noneuclid.datasets.large.opening import Memory, Source
from noneuclid.datasets.large.rows import Block
from noneuclid.datasets.large.survey import Classes, Columns, Outline
from noneuclid.typing import Array

# A sample has so many of every class, or all of them, however rare it is.
_FEWEST_OF_CLASS = 8
_PIECE = 2**20


@dataclass(frozen=True)
class Piece:
    """A block, its first row, its length, and what its columns are."""

    block: Block
    start: int
    n: int
    columns: Columns
    classes: Classes | None
    beside: Array | None
    """Classes from a file of their own."""

    def numbers(self) -> Array:
        """The rows."""
        rows = self.block.load(self.columns.numeric)
        self._check(rows.n)
        return rows.numbers(self.columns.numeric)

    def labels(self) -> np.ndarray:
        """The classes."""
        if self.beside is not None:
            return self.beside
        assert self.classes is not None
        assert self.columns.label is not None
        rows = self.block.load((), (self.columns.label,))
        self._check(rows.n)
        return self.classes.of(rows.words(self.columns.label))

    def names(self, rows: Any = None) -> list[str]:
        """Names of the rows, or their numbers from 1."""
        chosen = np.arange(self.n) if rows is None else rows
        if self.columns.index is None:
            return [str(self.start + i + 1) for i in chosen.tolist()]
        found = self.block.load((), (self.columns.index,))
        self._check(found.n)
        return found.words(self.columns.index, chosen)

    def _check(self, n: int) -> None:
        if n != self.n:
            raise DataError(f"{self.block.name} has changed while it was read: start again")

    def drawn(self, rows: Array) -> tuple[Array, Any, list[str]]:
        """Some of the rows, their classes and names."""
        has_classes = self.classes is not None or self.beside is not None
        labels = self.labels()[rows] if has_classes else None
        return self.numbers()[rows], labels, self.names(rows)

    def rare(self, rare: list[Any], per: int, seed: int) -> dict[Any, tuple[Any, Any]]:
        """Of each of some classes, the rows with the least lots, and these."""
        labels, lot = self.labels(), lots(seed, self.start, self.n)
        found = {}
        for name in rare:
            rows = np.flatnonzero(labels == name)
            rows = rows[np.argsort(lot[rows], kind="stable")[:per]]
            found[name] = self.start + rows, lot[rows]
        return found


@dataclass
class LargeDataset:
    """Rows of numbers in blocks, their classes and names, and what they are.

    Parameters
    ----------
    storage : Source
        The blocks.
    outline : Outline
        What the columns are.
    memory : Memory
    code : tuple of str
        The path, and the arguments :func:`read_sample` needs to find the same data.
    classes : dict
        Every class and how many rows have it.
    written : Classes, optional
        How classes are written in a column.
    beside : array of shape (n,), optional
        Classes from a file of their own.
    """

    storage: Source
    outline: Outline
    memory: Memory
    code: tuple[str, str]
    classes: dict[Any, int] = field(default_factory=dict)
    written: Classes | None = None
    beside: Array | None = None

    def __len__(self) -> int:
        return int(sum(self.outline.sizes))

    @property
    def kind(self) -> str:
        """Curves or vectors."""
        return str(self.outline.kind)

    @property
    def source(self) -> str:
        """Name of the folder or file."""
        return self.storage.name

    @property
    def noun(self) -> str:
        """What the objects are called."""
        return self.described.noun

    @property
    def features(self) -> list[str] | None:
        """Names of the columns."""
        return self.outline.features

    @property
    def n_features(self) -> int:
        """How many columns of numbers there are."""
        return len(self.outline.columns.numeric)

    @property
    def has_labels(self) -> bool:
        """Whether there are classes."""
        return self.written is not None or self.beside is not None

    @property
    def n_bytes(self) -> float:
        """What all numbers take."""
        return 8.0 * len(self) * self.n_features

    @cached_property
    def pieces(self) -> list[Piece]:
        """The blocks that have rows."""
        starts = np.cumsum([0, *self.outline.sizes]).tolist()
        columns = self.outline.columns
        return [
            Piece(block, start, n, columns, self.written, self._beside(start, n))
            for block, start, n in zip(self.storage.blocks, starts, self.outline.sizes)
            if n
        ]

    def _beside(self, start: int, n: int) -> Array | None:
        return None if self.beside is None else self.beside[start : start + n]

    @property
    def X(self) -> Any:
        """All rows, as a dask array of blocks that are read when they are needed."""
        import dask
        import dask.array as da

        read = dask.delayed(Piece.numbers, pure=True)
        d = self.n_features
        blocks = [da.from_delayed(read(p), (p.n, d), np.float64) for p in self.pieces]
        return da.concatenate(blocks)

    @property
    def y(self) -> Any:
        """All classes, likewise."""
        import dask
        import dask.array as da

        known = self.beside if self.written is None else self.written.labels
        assert known is not None
        read = dask.delayed(Piece.labels, pure=True)
        return da.concatenate([da.from_delayed(read(p), (p.n,), known.dtype) for p in self.pieces])

    @property
    def understood(self) -> str:
        """One line: what the data were taken to be."""
        blocks = f"{len(self.pieces)} block{'s' * (len(self.pieces) > 1)}"
        parts = self.storage.n_parts
        where = f"{parts} parts, sorted by name, and {blocks}" if parts > 1 else blocks
        said = f"{self.source}: {len(self)} {self.described.objects}"
        notes = [classes_in_words(self.classes), f"read by blocks ({where})", *self.outline.notes]
        return visible(", ".join([said, *notes]))

    @cached_property
    def described(self) -> Dataset:
        """None of the rows, as a dataset."""
        X, out = np.empty((0, self.n_features)), self.outline
        return Dataset(out.kind, X, features=out.features, grid=out.grid, source=self.storage.name)

    def sample(self, n: int, *, random_state: int = 0) -> Dataset:
        """At most n of the rows at random, from all blocks, whatever their sizes are.

        Every class has at least eight rows in it, or all it has.
        """
        rows = least_lots(random_state, len(self), n)
        rare = [k for k, m in self.classes.items() if m * n < 2 * _FEWEST_OF_CLASS * len(self)]
        if rare and n < len(self):
            rows = np.union1d(rows, self._rare(rare, random_state))
        starts = [piece.start for piece in self.pieces]
        edges = np.searchsorted(rows, [*starts, len(self)])
        import dask

        draw = dask.delayed(Piece.drawn, pure=False)
        parts = computed(
            [
                draw(piece, rows[a:b] - piece.start)
                for piece, a, b in zip(self.pieces, edges, edges[1:])
                if b > a
            ]
        )
        X = np.vstack([part[0] for part in parts])
        labels = np.concatenate([part[1] for part in parts]) if self.has_labels else None
        names = [name for part in parts for name in part[2]]
        path, said = self.code
        code = f"read_sample({path!r}, {n}, random_state={random_state}{said})"
        found = replace(self.described, X=X, labels=labels, names=names, code=code)
        notes = list(self.outline.notes)
        if len(rows) < len(self):
            notes.append(f"a random sample of {len(rows)} out of {len(self)}")
        return found.with_notes(*notes)

    def _rare(self, rare: list[Any], seed: int) -> np.ndarray:
        import dask

        draw = dask.delayed(Piece.rare, pure=False)
        found = computed([draw(piece, rare, _FEWEST_OF_CLASS, seed) for piece in self.pieces])
        chosen = []
        for name in rare:
            rows, lot = (np.concatenate([part[name][k] for part in found]) for k in (0, 1))
            chosen.append(rows[np.argsort(lot, kind="stable")[:_FEWEST_OF_CLASS]])
        return np.concatenate(chosen)


def least_lots(seed: int, n: int, most: int) -> np.ndarray:
    """Numbers of at most so many of n rows, in order; none of the data is needed for that."""
    if n <= most:
        return np.arange(n)
    rows, kept = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint64)
    for start in range(0, n, _PIECE):
        lot = lots(seed, start, min(_PIECE, n - start))
        rows = np.concatenate([rows, np.arange(start, start + len(lot))])
        kept = np.concatenate([kept, lot])
        order = np.argsort(kept, kind="stable")[:most]
        rows, kept = rows[order], kept[order]
    return np.sort(rows)
