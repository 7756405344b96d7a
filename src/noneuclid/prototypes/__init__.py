"""Prototype learners: costs × geometries × gradients."""

from noneuclid.prototypes.cells import KernelGLVQ, KernelRSLVQ, RelationalGLVQ, RelationalRSLVQ
from noneuclid.prototypes.compact import compact
from noneuclid.prototypes.proximity import ProximityLVQ

__all__ = [
    "KernelGLVQ",
    "KernelRSLVQ",
    "ProximityLVQ",
    "RelationalGLVQ",
    "RelationalRSLVQ",
    "compact",
]
