"""Labelled prototypes learned from samples in blocks: a start on some of them, sums over all."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from noneuclid._blocks import Blocks, Part
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
    few = blocks.sample(size, rng.randint(2**31), per_class=True)
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
