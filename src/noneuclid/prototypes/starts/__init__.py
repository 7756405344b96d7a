"""Where prototypes start: in their classes, on samples, or in the plane of the data."""

from noneuclid.prototypes.starts.classes import initial_coefficients, initial_vectors
from noneuclid.prototypes.starts.common import given, one_hot
from noneuclid.prototypes.starts.samples import combination_plane, sampled, spread, vector_plane

__all__ = [
    "combination_plane",
    "given",
    "initial_coefficients",
    "initial_vectors",
    "one_hot",
    "sampled",
    "spread",
    "vector_plane",
]
