"""Prototypes without labels, or with few of them, learned from samples in blocks."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid.prototypes.geometries.blocks import BlockQuantized
from noneuclid.prototypes.geometries.sums import Spread, SummedGeometry, spread_of
from noneuclid.typing import Array

# A start looks at so many samples, or at so many of each prototype.
_LOOKED_AT = 20_000
_PER_PROTOTYPE = 20


@dataclass
class VectorsLocally:
    """A block of rows as a geometry of its own, where it lies."""

    model: Any

    def __call__(self, part: Part) -> Any:
        """Its geometry, with what labels say beside it."""
        return self.model._geometry_beside(part.X, part.y)


@dataclass
class _Alone:
    """A block as the sums ask for it: its vectors, all of one class."""

    model: Any

    def __call__(self, part: Part) -> tuple[Any, Any, Array | None]:
        return self.model._geometry_of(part.X), _OneClass(np.zeros(len(part), dtype=int)), None


@dataclass
class _OneClass:
    y: Any


def fit_in_blocks(model: Any, X: Any, y: Any = None) -> Any:
    """Learn prototypes of vectors in blocks.

    The start, and what a space leaves to the data, see a bounded sample; all else are sums.
    """
    if model.solver != "batch":
        raise ValueError(
            f"solver (={model.solver!r}) shows samples one by one: for data in blocks use "
            'solver="batch", or partial_fit block by block'
        )
    neighbourhood = model._make_neighbourhood()
    blocks = Blocks.of_rows(model, X, y, checkpoint=model.checkpoint)
    rng = blocks.rng(model.random_state)
    size = max(_LOOKED_AT, _PER_PROTOTYPE * len(neighbourhood))
    few = blocks.sample(size, rng.randint(2**31))
    model._set_space(few.X)
    spread = spread_of(blocks, _Alone(copy.copy(model)), 1, slopes=False)
    model._look_at_labels(blocks, SummedGeometry(model._geometry_of(few.X), spread).scale())
    anchor = model._geometry_beside(few.X, few.y)
    theta = model._begin(anchor, rng)
    model._give_prior(theta)
    units = _units(spread)
    geometry = BlockQuantized(blocks, VectorsLocally(copy.copy(model)), anchor, units)
    result = model._batch(neighbourhood).run(geometry, neighbourhood, theta)
    model._keep_state(result.theta)
    model.loss_curve_ = result.loss_curve
    model.n_iter_ = len(result.loss_curve)
    return model


def _units(spread: Spread) -> float:
    return float(np.sqrt(spread.squares / spread.n)) or 1.0
