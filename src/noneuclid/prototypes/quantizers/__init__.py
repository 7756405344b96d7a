"""Quantisation without labels: neural gas and self-organising maps, of vectors and proximities."""

from noneuclid.prototypes.quantizers.fuzzy import FuzzyLabelledNeuralGas, FuzzyLabelledSOM
from noneuclid.prototypes.quantizers.fuzzy_proximity import (
    FuzzyLabelledProximityNeuralGas,
    FuzzyLabelledProximitySOM,
)
from noneuclid.prototypes.quantizers.median import MedianNeuralGas, MedianSOM
from noneuclid.prototypes.quantizers.proximity import ProximityNeuralGas, ProximitySOM
from noneuclid.prototypes.quantizers.vectors import NeuralGas, SelfOrganizingMap

__all__ = [
    "FuzzyLabelledNeuralGas",
    "FuzzyLabelledProximityNeuralGas",
    "FuzzyLabelledProximitySOM",
    "FuzzyLabelledSOM",
    "MedianNeuralGas",
    "MedianSOM",
    "NeuralGas",
    "ProximityNeuralGas",
    "ProximitySOM",
    "SelfOrganizingMap",
]
