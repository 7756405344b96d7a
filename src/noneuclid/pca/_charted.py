"""Blocks of rows in the coordinates of a chart: nothing is kept, every pass maps what it reads."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid._blocks.blocks import added
from noneuclid._blocks.draws import Drawn
from noneuclid.typing import Array

Forth = Callable[[Array], Array]


@dataclass(frozen=True, repr=False)
class _Through:
    """A function of a block, asked about the block in other coordinates."""

    function: Callable[..., Any]
    forth: Forth

    def __repr__(self) -> str:  # by which a checkpoint knows a pass
        return getattr(self.function, "__qualname__", None) or repr(self.function)

    def __call__(self, part: Part, *args: Any) -> Any:
        return self.function(replace(part, X=self.forth(part.X)), *args)


class Charted:
    """What components ask of :class:`Blocks`, answered in the coordinates of a chart."""

    def __init__(self, blocks: Blocks, forth: Forth):
        self.blocks, self.forth = blocks, forth
        self.n_samples, self.rng = blocks.n_samples, blocks.rng

    @property
    def mean(self) -> Array:
        """The mean of all rows; the chart is linear."""
        return np.asarray(self.forth(self.blocks.mean[None, :])[0])

    def sum(self, function: Callable[..., Any], *args: Any) -> Any:
        """Σ over all blocks of ``function(part, *args)``."""
        return self.reduce(function, added, *args)

    def reduce(self, function: Callable[..., Any], combine: Any, *args: Any) -> Any:
        """``function(part, *args)`` of all blocks, combined."""
        return self.blocks.reduce(_Through(function, self.forth), combine, *args)

    def sample(self, most: int, seed: int) -> Drawn:
        """At most so many samples."""
        drawn = self.blocks.sample(most, seed)
        return drawn._replace(X=self.forth(drawn.X))
