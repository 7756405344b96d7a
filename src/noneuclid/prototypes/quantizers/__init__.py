"""Quantisation without labels: neural gas and self-organising maps, of vectors and proximities."""

from noneuclid.prototypes.quantizers.fuzzy import FuzzyLabelledNeuralGas, FuzzyLabelledSOM
from noneuclid.prototypes.quantizers.proximity import ProximityNeuralGas, ProximitySOM
from noneuclid.prototypes.quantizers.vectors import NeuralGas, SelfOrganizingMap

__all__ = [
    "FuzzyLabelledNeuralGas",
    "FuzzyLabelledSOM",
    "NeuralGas",
    "ProximityNeuralGas",
    "ProximitySOM",
    "SelfOrganizingMap",
]
