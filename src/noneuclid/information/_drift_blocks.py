"""Columns of dask tables: numbers by moments of their features, words by their counts.

Three passes whatever the number of columns: to count the rows, for a summary, and for the moments.
To the client come a sample of the numbers, the counts of words, and one small matrix per column.
"""

import hashlib
from collections import Counter
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from noneuclid._blocks import Blocks, Part, is_collection, tables
from noneuclid._blocks.door import whole_rows
from noneuclid._blocks.draws import lots
from noneuclid._data import check_range
from noneuclid.information._checks import check_enough, check_names
from noneuclid.information._densities import log_peak
from noneuclid.information._features import features_on, sample_size
from noneuclid.information._permutations import compare_with_null
from noneuclid.information._relabelling import hypergeometric, tiles
from noneuclid.information._widths import kernel_width
from noneuclid.information.results import TestResult
from noneuclid.typing import Array

WORDS = 10_000  # different values of one column, at most
_LONGEST = 64  # letters of a word; of longer ones a digest is counted
_FEATURES = 128


class Summary(NamedTuple):
    """What a block says of its columns."""

    counts: dict[Any, Counter[str]]
    """Of words, per column."""
    ends: Array
    """Smallest and largest numbers, per column."""
    lots: np.ndarray
    """The least lots of the rows, in their order."""
    sample: Array
    """The numbers of the rows that drew them."""


class Tables:
    """Two tables with the same columns, at least one of them on dask."""

    def __init__(self, reference: Any, current: Any):
        reference, current = _as_frame(reference, "reference"), _as_frame(current, "current")
        self.names = check_names(list(reference.columns), list(current.columns))
        kinds = [_kinds(table) for table in (reference, current)]
        if not self.names:
            raise ValueError("the tables have no columns")
        for name in self.names:
            if kinds[0][name] != kinds[1][name]:
                raise ValueError(
                    f"column {name!r} holds numbers in one table and words in the other: give both "
                    "the same dtype"
                )
        self.numbers = [name for name in self.names if kinds[0][name]]
        self.words = [name for name in self.names if not kinds[0][name]]
        self.old = tables("drifted_columns", reference, "reference")
        self.new = tables("drifted_columns", current, "current")
        self.n, self.m = self.old.n_samples, self.new.n_samples
        check_enough(range(self.n), "reference")
        check_enough(range(self.m), "current")

    def results(
        self, width: Any, B: int, level: float, name: str, rng: np.random.Generator
    ) -> list[TestResult | None]:
        """One per column, in their order."""
        old, new, both = self._summaries(int(rng.integers(2**32)))
        found: dict[Any, TestResult | None] = dict.fromkeys(self.names)
        for word in self.words:
            if len(both.counts[word]) > 1:
                values = _shares(old.counts[word], new.counts[word], B, rng)
                found[word] = compare_with_null(values, level, name)
        for number, test in self._features(both, width, rng).items():
            found[number] = compare_with_null(test[0](B, rng), level, name, *test[1:])
        return [found[column] for column in self.names]

    def _summaries(self, seed: int) -> tuple[Summary, Summary, Summary]:
        most = sample_size(max(len(self.numbers), 1))
        merge = Merge(most)
        old, new = (
            blocks.reduce(summary, merge, self.numbers, self.words, starts, offset, most, seed, who)
            for blocks, starts, offset, who in (
                (self.old, _starts(self.old), 0, "reference"),
                (self.new, _starts(self.new), self.n, "current"),
            )
        )
        return old, new, merge([old, new])

    def _features(self, both: Summary, width: Any, rng: np.random.Generator) -> dict[Any, Any]:
        """For each column of numbers that is not constant: its draws, log of scale and error."""
        widths, maps = {}, {}
        for name, ends, sample in zip(self.numbers, both.ends, both.sample.T):
            check_range(ends[None, :], f"column {name!r}", tiny=True)
            if ends[0] < ends[1]:
                # A sample of one value knows no width; the rare others are among the ends.
                rows = np.append(sample, ends) if np.ptp(sample) == 0 else sample
                widths[name] = kernel_width(width, rows[:, None], self.n + self.m)
                maps[name] = features_on(rows[:, None], widths[name], _FEATURES, None, rng)
        if not maps:
            return {}
        old, new = (blocks.sum(moments, maps) for blocks in (self.old, self.new))
        sizes = self.n, self.m
        return {
            name: (draws := _Draws(A, C, *sizes), log_peak(widths[name], 1), draws.error(features))
            for (name, features), A, C in zip(maps.items(), old, new)
        }


# --- what runs where the blocks are -----------------------------------------------------------


def summary(
    part: Part,
    numbers: list[Any],
    words: list[Any],
    starts: Any,
    offset: int,
    most: int,
    seed: int,
    table: str,
) -> Summary:
    """Counts, ends and a sample of a block without missing values."""
    k = int(np.searchsorted(starts, part.start, side="right")) - 1
    where = f"of block {k} of the {table} table"
    counts = {name: _counted(part.X[name], name, where) for name in words}
    X = np.empty((len(part), len(numbers)))
    for j, name in enumerate(numbers):
        X[:, j] = _numbers(part.X[name], name, where)
    lot = lots(seed, part.start + offset, len(part))
    order = np.argsort(lot, kind="stable")[:most]
    ends = np.column_stack([X.min(axis=0), X.max(axis=0)])
    return Summary(counts, ends, lot[order], X[order])


class Merge:
    """Summaries of blocks, as one of all their rows."""

    def __init__(self, most: int):
        self.most = most

    def __call__(self, found: list[Summary]) -> Summary:
        counts: dict[Any, Counter[str]] = {name: Counter() for name in found[0].counts}
        for one in found:
            for name, some in one.counts.items():
                counts[name].update(some)
                _check_words(counts[name], name)
        lot = np.concatenate([one.lots for one in found])
        order = np.argsort(lot, kind="stable")[: self.most]
        ends = np.array([one.ends for one in found])
        ends = np.stack([ends[:, :, 0].min(axis=0), ends[:, :, 1].max(axis=0)], axis=1)
        return Summary(counts, ends, lot[order], np.vstack([one.sample for one in found])[order])


def moments(part: Part, maps: dict[Any, Any]) -> tuple[Array, ...]:
    """Σ z z' of every column, where z begins with 1, and ends with √r of the features."""
    sums: list[Any] = [0.0] * len(maps)
    for tile in tiles(len(part), _FEATURES):
        frame = part.X.iloc[tile]
        for j, (name, features) in enumerate(maps.items()):
            rows = frame[name].to_numpy(dtype=np.float64)
            Z = np.column_stack([np.ones(len(rows)), features(rows[:, None])])
            sums[j] = sums[j] + Z.T @ Z
    return tuple(sums)


def _numbers(column: Any, name: Any, where: str) -> Array:
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    good = np.isfinite(values)
    if not good.all():
        i = int(np.flatnonzero(~good)[0])
        what = "missing values" if np.isnan(values[i]) else "infinity"
        raise ValueError(f"column {name!r} has {what}, in row {i} {where}: fill or drop them first")
    return np.asarray(values)


def _counted(column: Any, name: Any, where: str) -> Counter[str]:
    missing = column.isna().to_numpy()
    if missing.any():
        i = int(np.flatnonzero(missing)[0])
        raise ValueError(
            f"column {name!r} has missing values, in row {i} {where}: fill or drop them first"
        )
    if column.dtype == object and any(
        isinstance(v, Real) and not isinstance(v, (bool, np.bool_)) for v in column
    ):
        raise ValueError(
            f"column {name!r} holds numbers as objects: turn them into numbers with "
            "astype(float), or into words with astype(str)"
        )
    found = Counter(dict(column.astype(str).value_counts()))
    _check_words(found, name)
    return Counter({_short(word): int(count) for word, count in found.items() if count})


def _check_words(found: Counter[str], name: Any) -> None:
    if len(found) > WORDS:
        raise ValueError(
            f"column {name!r} has more than {WORDS:,} different values, too many to compare their "
            "shares: leave it out, or group them"
        )


def _short(word: str) -> str:
    if len(word) <= _LONGEST:
        return word
    return hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=24).hexdigest()


# --- what the client makes of it --------------------------------------------------------------


class _Draws:
    """D_ED of one column, and of permutations of the rows: normal, with their covariance."""

    def __init__(self, old: Array, new: Array, n: int, m: int):
        N = n + m
        p, q, both = old[0] / n, new[0] / m, (old + new) / N
        self.difference, self.lost = (p - q)[1:-1], float(p[-1] + q[-1])
        covariance = both[1:-1, 1:-1] - np.outer(both[0, 1:-1], both[0, 1:-1])
        self.weights = np.linalg.eigvalsh(covariance).clip(0.0) * N / (N - 1) * N / n / m

    def __call__(self, B: int, rng: np.random.Generator) -> Array:
        statistic = self.difference @ self.difference
        return np.append(statistic, rng.standard_normal((B, len(self.weights))) ** 2 @ self.weights)

    def error(self, features: Any) -> float:
        return float(features.error(self.difference**2, self.lost**2))


def _shares(old: Counter[str], new: Counter[str], B: int, rng: np.random.Generator) -> Array:
    """Σ_c (p_c − q_c)² of the data and of B permutations: their counts are hypergeometric."""
    n, m = sum(old.values()), sum(new.values())
    values, left, rest = np.zeros(B + 1), np.full(B, n), n + m
    for word in sorted(old | new):
        both = old[word] + new[word]
        counts = hypergeometric(both, rest - both, left, rng)
        left, rest = left - counts, rest - both
        counts = np.append(old[word], counts)
        values += (counts / n - (both - counts) / m) ** 2
    return values


def _starts(blocks: Blocks) -> np.ndarray:
    return np.cumsum([0, *blocks.survey.sizes])[:-1]


def _as_frame(table: Any, name: str) -> Any:
    """A DataFrame, on dask if the table is; arrays have columns 0, 1, …."""
    if np.ndim(table) != 2:
        raise ValueError(f"{name} must be a table, and it has {np.ndim(table)} dimensions")
    if hasattr(table, "columns"):
        return table
    if not is_collection(table):
        import pandas as pd

        return pd.DataFrame(np.asarray(table))
    from dask.dataframe import from_dask_array

    return from_dask_array(whole_rows(table, name), columns=list(range(table.shape[1])))


def _kinds(table: Any) -> dict[Any, bool]:
    """Whether each column holds numbers; what is neither number nor word is refused."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    kinds = {}
    for name, dtype in zip(table.columns, table.dtypes):
        kind = getattr(dtype, "kind", "O")
        if kind in "cmM":
            found = "complex numbers" if kind == "c" else "times"
            raise ValueError(f"column {name!r} holds {found}: turn them into real numbers first")
        kinds[name] = is_numeric_dtype(dtype) and not is_bool_dtype(dtype)
    return kinds
