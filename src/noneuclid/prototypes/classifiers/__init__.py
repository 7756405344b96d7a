"""Classifiers: prototypes with a label, learned by a cost in a geometry."""

from noneuclid.prototypes.classifiers.base import PrototypeClassifier
from noneuclid.prototypes.classifiers.gmlvq import GMLVQ, GRLVQ, MatrixRSLVQ
from noneuclid.prototypes.classifiers.heuristics import LVQ1, LVQ21
from noneuclid.prototypes.classifiers.local_matrices import LGMLVQ
from noneuclid.prototypes.classifiers.median import MedianLVQ
from noneuclid.prototypes.classifiers.proximity import (
    KernelGLVQ,
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
)
from noneuclid.prototypes.classifiers.vectors import GLVQ, RSLVQ, VectorLVQ

__all__ = [
    "GLVQ",
    "GMLVQ",
    "GRLVQ",
    "LGMLVQ",
    "LVQ1",
    "LVQ21",
    "RSLVQ",
    "KernelGLVQ",
    "KernelRSLVQ",
    "MatrixRSLVQ",
    "MedianLVQ",
    "PrototypeClassifier",
    "ProximityLVQ",
    "RelationalGLVQ",
    "RelationalRSLVQ",
    "VectorLVQ",
]
