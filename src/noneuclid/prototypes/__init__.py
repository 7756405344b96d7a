"""Prototype learners: costs × geometries × gradients."""

from noneuclid.prototypes.cells import KernelGLVQ, KernelRSLVQ, RelationalGLVQ, RelationalRSLVQ
from noneuclid.prototypes.compact import compact
from noneuclid.prototypes.front import SparsityFront, sparsity_front
from noneuclid.prototypes.gmlvq import GMLVQ
from noneuclid.prototypes.groups import Groups, find_groups
from noneuclid.prototypes.kohonen import LVQ1, LVQ21
from noneuclid.prototypes.measures import (
    Exemplars,
    assignment_entropy,
    description_length,
    exemplars,
    n_exemplars,
)
from noneuclid.prototypes.median import MedianLVQ
from noneuclid.prototypes.proximity import ProximityLVQ
from noneuclid.prototypes.quantization import (
    FuzzyLabelledNeuralGas,
    FuzzyLabelledSOM,
    NeuralGas,
    ProximityNeuralGas,
    ProximitySOM,
    SelfOrganizingMap,
)
from noneuclid.prototypes.sparse import sparsify
from noneuclid.prototypes.sparse_training import fit_sparse
from noneuclid.prototypes.vector_lvq import GLVQ, RSLVQ

__all__ = [
    "GLVQ",
    "GMLVQ",
    "LVQ1",
    "LVQ21",
    "RSLVQ",
    "Exemplars",
    "FuzzyLabelledNeuralGas",
    "FuzzyLabelledSOM",
    "Groups",
    "KernelGLVQ",
    "KernelRSLVQ",
    "MedianLVQ",
    "NeuralGas",
    "ProximityLVQ",
    "ProximityNeuralGas",
    "ProximitySOM",
    "RelationalGLVQ",
    "RelationalRSLVQ",
    "SelfOrganizingMap",
    "SparsityFront",
    "assignment_entropy",
    "compact",
    "description_length",
    "exemplars",
    "find_groups",
    "fit_sparse",
    "n_exemplars",
    "sparsify",
    "sparsity_front",
]
