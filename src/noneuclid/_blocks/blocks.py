"""Sums over blocks of samples, and bounded samples of all of them."""

import copy
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from noneuclid._blocks import door
from noneuclid._blocks.draws import Draw, Drawn, Merge, Pick, taken
from noneuclid._blocks.journal import Journal
from noneuclid._blocks.passes import Directly, Graph, Pass
from noneuclid._blocks.survey import Look, check_together, known_together, part_of, surveyed
from noneuclid._data import rows_of, validate_data
from noneuclid.typing import Array

# So many results are added at once, in a tree whose shape depends on the number of blocks only.
_FAN_IN = 8


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
        look: Look,
        lazy: bool,
        checkpoint: tuple[Any, str] | None = None,
    ):
        self.journal, self._look = None, look
        self._graph = Graph(blocks, labels, weights) if lazy else None
        nothing = [None] * len(blocks)
        raw = list(zip(blocks, labels or nothing, weights or nothing))
        run = self._begin()
        held = run.held(look)
        tasks = [run.call(surveyed, *block, k, held) for k, block in enumerate(raw)]
        found = run.values(tasks)
        for error in found:
            if isinstance(error, Exception):  # that of the first block that has one
                raise error
        sizes = [size for size, *_ in found]
        check_together(found, look)
        self.survey = known_together(found)
        starts = np.cumsum([0, *sizes])
        self._raw = [
            (*block, int(start), look.rows)
            for block, start, size in zip(raw, starts, sizes)
            if size
        ]
        if checkpoint is not None:
            self.journal = Journal(*checkpoint)
            seen = self.survey
            known = (seen.sizes, seen.total, seen.labels, seen.masses, seen.marks)
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
        X = X if lazy else rows_of(owner, X, reset=True)
        look = _look(owner, y, rows=True, labels=labels, marks=checkpoint is not None)
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
        look = replace(look, columns=opened.columns)
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
        look = _look(owner, y, rows=False, labels=labels, marks=checkpoint is not None)
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
        """Other blocks of as many rows each, in the place of these."""
        return self._changed(
            _graph=Graph(blocks) if self.is_lazy else None,
            _raw=[(new, None, None, *old[3:]) for new, old in zip(blocks, self._raw)],
        )

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
        return self._gathered(Draw(most, per_class), Merge(most, per_class), int(seed))

    def pick(self, rows: np.ndarray) -> Drawn:
        """The samples with these numbers, in their order."""
        return self._gathered(Pick(), Merge(len(rows), False), rows)

    def _gathered(self, draw: Any, merge: Any, *args: Any) -> Drawn:
        # A journal holds numbers and words; objects are drawn anew when a fit goes on.
        source = self if self._look.rows else self._changed(journal=None)
        found = source.reduce(draw, merge, *args)
        order = np.argsort(found[1])
        X, rows, y, weights = found[0], *(None if v is None else v[order] for v in found[1:4])
        assert rows is not None
        return Drawn(taken(X, order), y, weights, rows)

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


def _look(owner: Any, y: Any, *, rows: bool, labels: bool, marks: bool) -> Look:
    """What the first pass looks for in the name of an estimator; it must have labels if asked."""
    look = Look(type(owner).__name__, rows, labels, marks=marks)
    if labels and y is None:
        raise ValueError(f"{look.learner} requires y to be passed, but the target y is None")
    return look


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
    return function(part_of(*block), *args)


def _combined(combine: Callable[[list[Any]], Any], *group: Any) -> Any:
    return combine(list(group))


def _stepped(
    held: tuple[Callable[..., Any], tuple[Any, ...]], state: Any, k: int, *block: Any
) -> Any:
    function, args = held
    return function(part_of(*block), state, k, *args)


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
