"""Where prototypes start that are vectors among samples in blocks."""

from typing import Any

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid.numerics import first_argmin
from noneuclid.prototypes.starts.classes import CLASS_SHARE
from noneuclid.typing import Array, IntArray


def cluster_means(blocks: Blocks, locally: Any, W: Array, classes: IntArray) -> Array:
    """Means of the samples nearest to each prototype of their class, drawn to the class mean.

    As in memory, where few samples are clustered, and all others then join the nearest cluster.
    """
    counts, sums = blocks.sum(_nearest, locally, W)
    same = (classes[:, None] == classes).astype(np.float64)
    class_means = same @ sums / (same @ counts)[:, None]
    means = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1.0)[:, None], W)
    return (1 - CLASS_SHARE) * means + CLASS_SHARE * class_means


def _nearest(part: Part, locally: Any, W: Array) -> tuple[Array, Array]:
    geometry, who, _ = locally(part)
    D = geometry.distances(geometry.state(W))
    nearest = first_argmin(np.where(who.own, D, np.inf))
    fields = (nearest == np.arange(len(W))[:, None]).astype(np.float64)
    return fields.sum(axis=1), fields @ geometry.Z
