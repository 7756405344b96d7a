"""Sums over blocks of samples, and bounded samples of all of them."""

import copy
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from noneuclid._blocks import door
from noneuclid._blocks.journal import Journal
from noneuclid._blocks.passes import Directly, Graph, Pass
from noneuclid._data import check_array, check_labels, check_range, validate_data
from noneuclid.typing import Array

# So many results are added at once, in a tree whose shape depends on the number of blocks only.
_FAN_IN = 8
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Part:
    """A block of samples: rows of numbers or objects, and what stands beside them."""

    X: Any
    y: np.ndarray | None
    weights: Array | None
    start: int
    """Number of the first sample among all."""

    def __len__(self) -> int:
        return len(self.X)

    def __sizeof__(self) -> int:
        """What a cluster counts as the memory of a block; of objects it cannot be known."""
        there = (self.X, self.y, self.weights)
        return 100 + sum(getattr(values, "nbytes", sys.getsizeof(values)) for values in there)


class Drawn(NamedTuple):
    """Some of all samples, in their order."""

    X: Any
    y: np.ndarray | None
    weights: Array | None
    rows: np.ndarray
    """Their numbers among all samples."""


@dataclass
class Survey:
    """What the first pass finds."""

    sizes: list[int]
    total: Array | None = None
    """Σ_i x_i."""
    labels: dict[Any, int] = field(default_factory=dict)
    """How many samples have each label."""
    masses: dict[Any, float] | None = None
    """The total weight of the samples of each label, where they have weights."""

    @property
    def n(self) -> int:
        """How many samples there are."""
        return int(sum(self.sizes))


@dataclass(frozen=True)
class _Look:
    """What the first pass looks for, and in whose name it refuses."""

    learner: str
    rows: bool
    labels: bool
    name: str = "X"


class Blocks:
    """All samples, in blocks that dask keeps, or as one block in memory.

    Parameters
    ----------
    blocks, labels, weights : lists of delayed blocks, or of blocks
    checkpoint : (folder, fit), optional
        A journal there remembers the answers to all passes of this fit.
    """

    def __init__(
        self,
        blocks: Sequence[Any],
        labels: Sequence[Any] | None = None,
        weights: Sequence[Any] | None = None,
        *,
        look: _Look,
        lazy: bool,
        checkpoint: tuple[Any, str] | None = None,
    ):
        self.journal, self._look = None, look
        self._graph = Graph(blocks, labels, weights) if lazy else None
        nothing = [None] * len(blocks)
        raw = list(zip(blocks, labels or nothing, weights or nothing))
        run = self._begin()
        held = run.held(look)
        tasks = [run.call(_surveyed, *block, k, held) for k, block in enumerate(raw)]
        found = run.values(tasks)
        for error in found:
            if isinstance(error, Exception):  # that of the first block that has one
                raise error
        sizes = [size for size, *_ in found]
        self._check(found)
        self.survey = self._known(found)
        starts = np.cumsum([0, *sizes])
        self._raw = [
            (*block, int(start), look.rows)
            for block, start, size in zip(raw, starts, sizes)
            if size
        ]
        if checkpoint is not None:
            self.journal = Journal(*checkpoint)
            known = (self.survey.sizes, self.survey.total, self.survey.labels, self.survey.masses)
            self.journal.ask("survey", lambda: known, check=True)

    @classmethod
    def of_rows(
        cls,
        owner: Any,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        labels: bool = False,
        checkpoint: Any = None,
    ) -> "Blocks":
        """Rows of numbers, and labels and weights beside them, surveyed for an estimator."""
        lazy = door.in_blocks(X, y, sample_weight)
        learner = type(owner).__name__
        look = _Look(learner, True, labels)
        if labels and y is None:
            raise ValueError(f"{learner} requires y to be passed, but the target y is None")
        kept = _kept(checkpoint, owner)
        if not lazy:
            blocks, ys, ws = [X], *([None if v is None else [v] for v in (y, sample_weight)])
            found = cls(blocks, ys, ws, look=look, lazy=False, checkpoint=kept)
            validate_data(owner, X, reset=True, skip_check_array=True)
            return found
        door.import_dask()
        if not door.is_collection(X):
            raise TypeError("y or sample_weight is a dask collection, so X must be one too")
        opened = door.opened_rows(X)
        validate_data(owner, opened.example, reset=True)
        beside = [
            None if v is None else door.opened_beside(v, opened, name)
            for v, name in ((y, "y"), (sample_weight, "sample_weight"))
        ]
        return cls(opened.blocks, *beside, look=look, lazy=True, checkpoint=kept)

    @classmethod
    def of_objects(
        cls,
        owner: Any,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        labels: bool = False,
        checkpoint: Any = None,
    ) -> "Blocks":
        """Objects of a bag or a list, and labels and weights beside them; rows as `of_rows`."""
        lazy = door.in_blocks(X, y, sample_weight)
        if not (door.holds_objects(X) if lazy else isinstance(X, list)):
            return cls.of_rows(owner, X, y, sample_weight, labels=labels, checkpoint=checkpoint)
        look = _Look(type(owner).__name__, False, labels)
        if labels and y is None:
            raise ValueError(f"{look.learner} requires y to be passed, but the target y is None")
        kept = _kept(checkpoint, owner)
        if not lazy:
            beside = [None if v is None else [v] for v in (y, sample_weight)]
            return cls([X], *beside, look=look, lazy=False, checkpoint=kept)
        door.import_dask()
        opened = door.opened_objects(X)
        beside = [
            None if v is None else door.opened_beside(v, opened, name)
            for v, name in ((y, "y"), (sample_weight, "sample_weight"))
        ]
        return cls(opened.blocks, *beside, look=look, lazy=True, checkpoint=kept)

    # --- the first pass ---------------------------------------------------------------------

    def _check(self, found: list[Any]) -> None:
        """Raise for what no block can know alone."""
        name = self._look.name
        if sum(size for size, *_ in found) == 0:
            raise ValueError(f"{name} has no samples, and {self._look.learner} needs some")
        kinds = {isinstance(label, str) for _, _, _, labels, _ in found for label in labels}
        if len(kinds) > 1:
            raise ValueError("y mixes text and numbers: labels must be of one type")
        widths = {len(total) for size, total, *_ in found if size and total is not None}
        if len(widths) > 1:
            raise ValueError(
                f"blocks of {name} have different numbers of features: {sorted(widths)}"
            )
        if self._look.rows:
            largest = max(part[2] for part in found)
            check_range(np.array([[largest]]), name)

    def _known(self, found: list[Any]) -> Survey:
        labels: Counter[Any] = Counter()
        masses: Counter[Any] = Counter()
        total = None
        for size, part, _, counts, weights in found:
            labels.update(counts)
            masses.update(weights)
            if size and part is not None:
                total = part if total is None else total + part
        weighted = dict(sorted(masses.items())) if masses else None
        return Survey([size for size, *_ in found], total, dict(sorted(labels.items())), weighted)

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return self.survey.n

    @property
    def mean(self) -> Array:
        """The mean of all rows."""
        assert self.survey.total is not None
        return self.survey.total / self.n_samples

    @property
    def is_lazy(self) -> bool:
        """Whether the blocks are dask's."""
        return self._graph is not None

    @property
    def raw(self) -> list[Any]:
        """The blocks that have samples, as they came."""
        return [block[0] for block in self._raw]

    def replaced(self, blocks: Sequence[Any]) -> "Blocks":
        """Other delayed blocks of as many rows each, in the place of these."""
        other = copy.copy(self)
        other._graph = Graph(blocks)
        other._raw = [(new, None, None, *old[3:]) for new, old in zip(blocks, self._raw)]
        return other

    @property
    def n_blocks(self) -> int:
        """How many blocks have samples."""
        return len(self._raw)

    def rng(self, random_state: Any) -> np.random.RandomState:
        """The generator of a fit; one that goes on has the seed it began with."""
        if random_state is None and self.journal is not None:
            random_state = self.journal.seed
        return check_random_state(random_state)

    # --- passes -----------------------------------------------------------------------------

    def sum(self, function: Callable[..., Any], *args: Any) -> Any:
        """Σ over all blocks of ``function(part, *args)``, numbers and arrays or tuples of them."""
        return self.reduce(function, added, *args)

    def reduce(
        self, function: Callable[..., Any], combine: Callable[[list[Any]], Any], *args: Any
    ) -> Any:
        """``function(part, *args)`` of all blocks, combined in a fixed order.

        Function and combine are module-level functions, or objects that can be pickled.
        """

        def answer() -> Any:
            run = self._begin()
            held, together = run.held((function, args)), run.held(combine)
            level = [run.call(_applied, held, *block) for block in self._raw]
            while len(level) > 1:
                groups = [level[k : k + _FAN_IN] for k in range(0, len(level), _FAN_IN)]
                level = [run.call(_combined, together, *group) for group in groups]
            return run.values(level)[0]

        return self._asked((_name(function), args), answer)

    def chain(
        self, function: Callable[..., Any], state: Any, order: Iterable[int], *args: Any
    ) -> Any:
        """``state = function(part, state, k, *args)`` for the blocks k, one after the other."""

        def answer() -> Any:
            run = self._begin()
            held, now = run.held((function, args)), run.held(state)
            for k in order:
                now = run.call(_stepped, held, now, int(k), *self._raw[k])
            return run.values([now])[0]

        return self._asked((_name(function), state, list(map(int, order)), args), answer)

    def sample(self, most: int, seed: int, per_class: bool = False) -> Drawn:
        """At most so many samples (of each class), every one with the same chance.

        Which ones depends on the seed and on their numbers, not on the blocks they lie in.
        """
        return self._gathered(_Draw(most, per_class), _Merge(most, per_class), int(seed))

    def pick(self, rows: np.ndarray) -> Drawn:
        """The samples with these numbers, in their order."""
        return self._gathered(_Pick(), _Merge(len(rows), False), rows)

    def _gathered(self, draw: Any, merge: Any, *args: Any) -> Drawn:
        # A journal holds numbers and words; objects are drawn anew when a fit goes on.
        source = self if self._look.rows else self._changed(journal=None)
        found = source.reduce(draw, merge, *args)
        order = np.argsort(found[1])
        X, rows, y, weights = found[0], *(None if v is None else v[order] for v in found[1:4])
        assert rows is not None
        return Drawn(_taken(X, order), y, weights, rows)

    def mapped(self, function: Callable[..., Array], *args: Any) -> "Blocks":
        """The same samples as rows ``function(part, *args)``, computed once.

        They are kept where they are computed: in the memory of the workers, or in this process.
        """
        X, y, weights = ([block[k] for block in self._raw] for k in range(3))
        if self._graph is None:
            X = [_applied((function, args), *block) for block in self._raw]
        else:
            dask = door.import_dask()
            held = dask.delayed((function, args), pure=False, traverse=False)
            X = [dask.delayed(_applied, pure=False)(held, *block) for block in self._raw]
            with threadpool_limits(1, user_api="blas"):
                X, y, weights = dask.persist(X, y, weights)
        return self._changed(
            _raw=[(*new, old[3], True) for *new, old in zip(X, y, weights, self._raw)],
            _graph=None if self._graph is None else Graph(X, y, weights),
            _look=replace(self._look, rows=True),
        )

    def _changed(self, **changed: Any) -> "Blocks":
        other = copy.copy(self)
        other.__dict__.update(changed)
        return other

    def _asked(self, question: Any, answer: Callable[[], Any]) -> Any:
        return answer() if self.journal is None else self.journal.ask(question, answer)

    def _begin(self) -> Directly | Pass:
        return Directly() if self._graph is None else self._graph.begin()


# --- what runs where the blocks are -----------------------------------------------------------


def _kept(folder: Any, owner: Any) -> tuple[Any, str] | None:
    """Where, and of which fit: parameters without those that do not change what is learned."""
    if folder is None:
        return None
    Journal.check(folder)
    plain = clone(owner)
    names = plain.get_params(deep=False).keys() & {"checkpoint", "verbose"}
    words = repr(plain.set_params(**dict.fromkeys(names)))
    return folder, re.sub(r" at 0x[0-9a-f]+", "", words)  # functions move between processes


def _name(function: Any) -> str:
    return getattr(function, "__qualname__", None) or repr(function)


def _applied(held: tuple[Callable[..., Any], tuple[Any, ...]], *block: Any) -> Any:
    function, args = held
    return function(_part(*block), *args)


def _combined(combine: Callable[[list[Any]], Any], *group: Any) -> Any:
    return combine(list(group))


def _stepped(
    held: tuple[Callable[..., Any], tuple[Any, ...]], state: Any, k: int, *block: Any
) -> Any:
    function, args = held
    return function(_part(*block), state, k, *args)


def added(values: list[Any]) -> Any:
    """Sum of numbers or arrays, or sums of the entries of tuples, from first to last."""
    total = values[0]
    for value in values[1:]:
        total = (
            tuple(a + b for a, b in zip(total, value))
            if isinstance(total, tuple)
            else total + value
        )
    return total


def _part(X: Any, y: Any, weights: Any, start: int, rows: bool) -> Part:
    if rows and not (type(X) is np.ndarray and X.dtype == np.float64 and X.flags.c_contiguous):
        X = check_array(X, dtype=np.float64, order="C", ensure_all_finite=False)
    elif not (rows or isinstance(X, (list, np.ndarray)) or hasattr(X, "columns")):
        X = list(X)
    labels = None if y is None else _column(y)
    return Part(X, labels, None if weights is None else np.asarray(weights, float).ravel(), start)


def _column(y: Any) -> np.ndarray:
    values = np.asarray(list(y) if isinstance(y, (list, tuple)) else y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    return np.array(values.tolist()) if values.dtype == object else values


def _surveyed(X: Any, y: Any, weights: Any, k: int, look: _Look) -> Any:
    """What there is in a block, or what is wrong with it."""
    try:
        return _found(X, y, weights, k, look)
    except (ValueError, TypeError) as error:
        return type(error)(str(error))


def _found(X: Any, y: Any, weights: Any, k: int, look: _Look) -> tuple[Any, ...]:
    """Length, sum, largest modulus, labels and weight of a block that is all right."""
    X = X if hasattr(X, "__len__") else list(X)
    n = len(X)
    for values, name in ((y, "y"), (weights, "sample_weight")):
        if values is not None and len(values) != n:
            raise ValueError(f"block {k} has {n} samples, but {len(values)} of {name}")
    if n == 0:
        return 0, None, 0.0, {}, {}
    total, largest = None, 0.0
    if look.rows:
        rows = check_array(
            X, dtype=np.float64, order="C", ensure_all_finite=False, input_name=look.name
        )
        total = rows.sum(axis=0)
        _refuse_infinite(rows, total, k, look)
        largest = float(np.abs(rows).max(initial=0.0))
    labels: dict[Any, int] = {}
    masses: dict[Any, float] = {}
    mass = _weights(weights, k)
    if look.labels:
        known = _in_block(k, lambda: check_labels(_column(y), look.learner))
        names, index, counts = np.unique(known, return_inverse=True, return_counts=True)
        labels = dict(zip(names.tolist(), counts.tolist()))
        if mass is not None:
            masses = dict(zip(names.tolist(), np.bincount(index, mass).tolist()))
    return n, total, largest, labels, masses


def _weights(weights: Any, k: int) -> Array | None:
    if weights is None:
        return None
    values = np.asarray(weights, dtype=np.float64).ravel()
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(
            f"sample_weight must be finite and not negative, and in block {k} it is not"
        )
    return values


def _in_block(k: int, check: Callable[[], Any]) -> Any:
    try:
        return check()
    except ValueError as error:
        raise ValueError(f"block {k}: {error}") from None


def _refuse_infinite(rows: Array, total: Array, k: int, look: _Look) -> None:
    if np.isfinite(total).all() or np.isfinite(rows).all():
        return
    i = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
    what = "NaN, a missing value" if np.isnan(rows[i]).any() else "infinity"
    raise ValueError(
        f"Input {look.name} contains {what}, in row {i} of block {k}, which {look.learner} does "
        "not take in blocks: fill it, or leave out the row"
    )


# --- samples ----------------------------------------------------------------------------------


def lots(seed: int, start: int, n: int) -> np.ndarray:
    """A pseudo-random number for each of n samples by its number (splitmix64)."""
    with np.errstate(over="ignore"):
        z = np.arange(start, start + n, dtype=np.uint64) + np.uint64(1)
        z = z * _GOLDEN + np.uint64(seed) * np.uint64(0xD1B54A32D192ED03)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


def _taken(X: Any, rows: Any) -> Any:
    return X[rows] if isinstance(X, np.ndarray) else [X[i] for i in rows]


def _least(lot: np.ndarray, y: np.ndarray | None, most: int, per_class: bool) -> np.ndarray:
    """Positions of the samples with the least lots, of each class or of all, in their order."""
    order = np.argsort(lot, kind="stable")
    if not per_class or y is None:
        return np.sort(order[:most])
    chosen = [order[y[order] == name][:most] for name in np.unique(y)]
    return np.sort(np.concatenate(chosen))


@dataclass(frozen=True)
class _Draw:
    most: int
    per_class: bool

    def __call__(self, part: Part, seed: int) -> tuple[Any, ...]:
        lot = lots(seed, part.start, len(part))
        rows = _least(lot, part.y, self.most, self.per_class)
        beside = (None if v is None else v[rows] for v in (part.y, part.weights))
        return _taken(part.X, rows), part.start + rows, *beside, lot[rows]


@dataclass(frozen=True)
class _Pick:
    def __call__(self, part: Part, wanted: np.ndarray) -> tuple[Any, ...]:
        inside = (wanted >= part.start) & (wanted < part.start + len(part))
        rows = np.sort(wanted[inside]) - part.start
        beside = (None if v is None else v[rows] for v in (part.y, part.weights))
        return _taken(part.X, rows), part.start + rows, *beside, np.zeros(len(rows), np.uint64)


@dataclass(frozen=True)
class _Merge:
    most: int
    per_class: bool

    def __call__(self, drawn: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        X, rows, y, weights, lot = (_joined(list(values)) for values in zip(*drawn))
        kept = _least(lot, y, self.most, self.per_class)
        beside = (None if v is None else v[kept] for v in (y, weights))
        return _taken(X, kept), rows[kept], *beside, lot[kept]


def _joined(values: list[Any]) -> Any:
    if values[0] is None:
        return None
    if isinstance(values[0], np.ndarray):
        return np.concatenate(values)
    return [value for block in values for value in block]
