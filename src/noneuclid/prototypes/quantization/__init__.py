"""Quantisation without labels: neural gas and self-organising maps, of vectors and proximities."""

from noneuclid.prototypes.quantization.fuzzy import FuzzyLabelledNeuralGas, FuzzyLabelledSOM
from noneuclid.prototypes.quantization.grids import Grid
from noneuclid.prototypes.quantization.neural_gas import NeuralGas
from noneuclid.prototypes.quantization.proximity import ProximityNeuralGas, ProximitySOM
from noneuclid.prototypes.quantization.som import SelfOrganizingMap

__all__ = [
    "FuzzyLabelledNeuralGas",
    "FuzzyLabelledSOM",
    "Grid",
    "NeuralGas",
    "ProximityNeuralGas",
    "ProximitySOM",
    "SelfOrganizingMap",
]
