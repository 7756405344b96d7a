"""Geometries: how far samples are from prototypes, and what forces on distances do to them."""

from noneuclid.prototypes.geometries.base import Constraint, Geometry, Gradient
from noneuclid.prototypes.geometries.combinations import (
    GEOMETRIES,
    Combination,
    CombinationGeometry,
    DissimilarityGeometry,
    SimilarityGeometry,
)
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.prototypes.geometries.labelled import LabelledGeometry, LabelledVectors
from noneuclid.prototypes.geometries.matrices import KernelMatrixGeometry, Matrix, MatrixGeometry
from noneuclid.prototypes.geometries.relational import Combined, combinations_of
from noneuclid.prototypes.geometries.vectors import (
    MissingGeometry,
    VectorGeometry,
    Vectors,
    check_range,
)

__all__ = [
    "GEOMETRIES",
    "Combination",
    "CombinationGeometry",
    "Combined",
    "Constraint",
    "DissimilarityGeometry",
    "FeatureGeometry",
    "Geometry",
    "Gradient",
    "KernelMatrixGeometry",
    "LabelledGeometry",
    "LabelledVectors",
    "Matrix",
    "MatrixGeometry",
    "MissingGeometry",
    "SimilarityGeometry",
    "VectorGeometry",
    "Vectors",
    "check_range",
    "combinations_of",
]
