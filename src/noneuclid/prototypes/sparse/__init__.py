"""Prototypes of few objects, which a person can inspect, and how sparse they are."""

from noneuclid.prototypes.sparse.compact import compact
from noneuclid.prototypes.sparse.front import SparsityFront, SparsityPoint, sparsity_front
from noneuclid.prototypes.sparse.measures import (
    Exemplars,
    assignment_entropy,
    description_length,
    exemplars,
    n_exemplars,
)
from noneuclid.prototypes.sparse.sparsify import sparsify
from noneuclid.prototypes.sparse.training import fit_sparse

__all__ = [
    "Exemplars",
    "SparsityFront",
    "SparsityPoint",
    "assignment_entropy",
    "compact",
    "description_length",
    "exemplars",
    "fit_sparse",
    "n_exemplars",
    "sparsify",
    "sparsity_front",
]
