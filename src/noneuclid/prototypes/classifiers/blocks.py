"""Labelled prototypes learned from samples in blocks: a start on some of them, sums over all."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid._blocks.draws import Drawn
from noneuclid.prototypes.costs import Membership
from noneuclid.prototypes.geometries.sums import spread_of
from noneuclid.prototypes.labels import class_factors
from noneuclid.prototypes.solvers.blocks import ClassesOf
from noneuclid.prototypes.solvers.sgd import online_rate
from noneuclid.prototypes.starts.classes import sample_size
from noneuclid.typing import Array


@dataclass
class VectorsLocally:
    """A block of rows as a problem of its own, where it lies."""

    model: Any
    classes: ClassesOf

    def __call__(self, part: Part) -> tuple[Any, Membership, Array | None]:
        """Its geometry, who belongs to whom, and weights."""
        who, weights = self.classes(part)
        geometry, _ = self.model._widened(self.model._geometry_of(part.X, weights))
        return geometry, who, weights


def _that_weigh(few: Drawn, blocks: Blocks) -> Drawn:
    """Samples without those of weight 0, which no start, scale or width shall depend on."""
    if few.weights is None or (few.weights > 0).all() or not few.weights.any():
        return few  # of weights that are all zero the sentence is another one
    assert few.y is not None
    kept = np.flatnonzero(few.weights > 0)
    lost = [c for c in blocks.survey.labels if c not in set(few.y[kept].tolist())]
    if lost:
        raise ValueError(
            f"class {lost[0]!r} has no sample of positive weight: leave its samples out, or give "
            "them weights"
        )
    return Drawn(few.X[kept], few.y[kept], few.weights[kept], few.rows[kept])


def fit_in_blocks(model: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Learn prototypes of vectors in blocks.

    The start, and what a space or a matrix leaves to the data, see a bounded sample of each class;
    scales, bandwidths and slopes are those of all samples, and so is everything after.
    """
    blocks = Blocks.of_rows(model, X, y, sample_weight, labels=True, checkpoint=model.checkpoint)
    rng = blocks.rng(model.random_state)
    wanted = model.n_prototypes
    most = max(wanted.values()) if isinstance(wanted, Mapping) else wanted
    size = sample_size(most, len(blocks.survey.labels))
    few = _that_weigh(blocks.sample(size, rng.randint(2**31), per_class=True), blocks)
    model._set_space(few.X)
    who, counts = model._set_classes(few.y, len(few.X))
    factors = class_factors(blocks.survey, model.class_weight, model.classes_)
    geometry = model._geometry_of(few.X, few.weights)
    start = model._start(geometry, few.X, who, counts, rng)
    locally = VectorsLocally(copy.copy(model), ClassesOf(model.classes_, who.classes, factors))
    slopes = model._gradient == "coordinates"
    spread = spread_of(blocks, locally, len(model.classes_), slopes=slopes)
    geometry, start = model._widened(locally.model._summed(geometry, spread), start)
    theta = geometry.state(start)
    problem = model._pose_blocks(blocks, locally, geometry, theta, who.rows(slice(0)))
    model._rate = online_rate(problem, model._online_gradient)
    result = model._make_solver(model._gradient).run(problem, theta, rng)
    model._finish(geometry, result.theta)
    model._look_back(few.X, who.y, few.weights)
    model._note(result)
    return model
