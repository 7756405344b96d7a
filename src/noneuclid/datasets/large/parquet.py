"""Parts in parquet files: blocks are groups of rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from noneuclid._files import DataError
from noneuclid._memory import readable
from noneuclid.datasets.large.listing import PartFile
from noneuclid.datasets.large.rows import Block, TableRows, reading
from noneuclid.datasets.readers.tables import UNNAMED, index_of

# A group of rows: as it is in the file, as columns, and as rows.
_READ = 3


@dataclass
class ParquetFile:
    """What a file says of itself."""

    part: PartFile
    stored: list[str]
    """Names of the columns in the file, its index first."""
    sizes: list[int] = field(default_factory=list)
    """Rows of each group."""

    @property
    def names(self) -> list[str]:
        """Names of the columns for people."""
        return ["index" if UNNAMED.fullmatch(name) else name for name in self.stored]

    def blocks(self, names: Sequence[str], most: int, limit: float) -> list["ParquetBlock"]:
        """Groups of rows, joined as far as about so many bytes reach."""
        width = max(len(self.stored), 1)
        largest = max(self.sizes, default=0)
        if _READ * 8.0 * width * largest > limit:
            raise DataError(
                f"{self.part.name} has groups of {largest} rows, which need "
                f"{readable(_READ * 8.0 * width * largest)} of memory: write it with smaller "
                "groups, to_parquet(…, row_group_size=…), or raise --memory-limit"
            )
        at = dict(zip(self.names, self.stored)) | {key: None for key, _ in self.part.keys}
        columns = tuple(at[name] for name in names)
        found: list[list[int]] = []
        rows = 0
        for group, size in enumerate(self.sizes):
            if not found or (rows + size) * width * 8 > most:
                found.append([])
                rows = 0
            found[-1].append(group)
            rows += size
        blocks = []
        for groups in found:
            start, n = sum(self.sizes[: groups[0]]), sum(self.sizes[g] for g in groups)
            blocks.append(ParquetBlock(self.part, tuple(groups), columns, tuple(names), start, n))
        return [block for block in blocks if block.n_rows]


def described(part: PartFile) -> ParquetFile:
    """The columns of a parquet file, and how many rows its groups have."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise DataError(f'{part.name} needs pyarrow: pip install "noneuclid[cli]"') from None
    with reading(part.name):
        try:
            with parquet.ParquetFile(part.path) as file:
                about, schema = file.metadata, file.schema_arrow
                flat = [file.schema.column(j) for j in range(about.num_columns)]
                lists = [column.path for column in flat if column.max_repetition_level]
                sizes = [about.row_group(k).num_rows for k in range(about.num_row_groups)]
                index = index_of(schema)
        except FileNotFoundError:
            raise
        except (ArrowException, OSError) as error:
            raise _damaged(part) from error
    if lists:
        raise DataError(f"{part.name}: {lists[0]!r} holds lists: save one value per row")
    names = list(schema.names)
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise DataError(f"{part.name} has several columns {twice[0]!r}: give each its own name")
    return ParquetFile(part, sorted(names, key=lambda name: name not in index), sizes)


def _damaged(part: PartFile) -> DataError:
    return DataError(f"{part.name} is not a parquet file, or damaged: save it with to_parquet")


@dataclass(frozen=True)
class ParquetBlock(Block):
    """Groups of rows of a parquet file."""

    part: PartFile
    groups: tuple[int, ...]
    columns: tuple[str | None, ...]
    """The names in the file of the columns of the table; None for keys of folders."""
    names: tuple[str, ...]
    start: int
    """Rows of the file before it."""
    n_rows: int  # type: ignore[misc]

    @property
    def name(self) -> str:  # type: ignore[override]
        """That of its part."""
        return self.part.name

    def read(self, numeric: Sequence[int], words: Sequence[int]) -> TableRows:
        """These columns of its group of rows."""
        from pyarrow import ArrowException, parquet

        wanted = [*numeric, *words]
        stored = {j: self.columns[j] for j in wanted}
        try:
            with parquet.ParquetFile(self.part.path, read_dictionary=_texts(self, words)) as file:
                names = [name for name in stored.values() if name is not None]
                found = file.read_row_groups(list(self.groups), columns=names)
        except FileNotFoundError:
            raise
        except (ArrowException, OSError) as error:
            raise _damaged(self.part) from error
        keys = dict(self.part.keys)
        columns: dict[int, Any] = {
            j: keys[self.names[j]] if name is None else found.column(name)
            for j, name in stored.items()
        }
        return TableRows(self.n_rows, columns, self.names, self._where)

    def _where(self, row: int) -> str:
        return f"{self.name}, row {self.start + row + 1}"


def _texts(block: ParquetBlock, words: Sequence[int]) -> list[str]:
    """Columns read as words: one that occurs often is kept once."""
    return [name for name in (block.columns[j] for j in words) if name is not None]
