"""What parameters are excused from, and why. An exception that is not needed is an error."""

import numpy as np

from noneuclid.kernels import Gaussian, SpikeTrainKernel
from noneuclid.pca import Objective
from noneuclid.prototypes import ConformalClassifier, ConformalRegressor
from noneuclid.spaces import KernelMetric, KernelResponse
from noneuclid.spikes import SpikeTrainPCA

# Parameters that may be anything: {(class, parameter): why}.
_LABEL = "whatever stands for no label in y: labels may be of any kind"
ANYTHING = {
    ("FuzzyLabelledNeuralGas", "missing_label"): _LABEL,
    ("FuzzyLabelledProximityNeuralGas", "missing_label"): _LABEL,
    ("FuzzyLabelledProximitySOM", "missing_label"): _LABEL,
    ("FuzzyLabelledSOM", "missing_label"): _LABEL,
}

# What to change one parameter of, where neither defaults nor examples are a good start.
EXAMPLES = {
    "ConformalClassifier": lambda: ConformalClassifier(alpha=0.5, calibration=0.5),
    "ConformalRegressor": lambda: ConformalRegressor(alpha=0.5, calibration=0.5),
    "KernelMetric": lambda: KernelMetric(Gaussian()),
    "KernelResponse": lambda: KernelResponse(Gaussian()),
    "Objective": lambda: Objective(slope=np.tanh),
    "SpikeTrainPCA": lambda: SpikeTrainPCA(1, kernel=SpikeTrainKernel(0.01)),
}

# Documented values that do not go with the defaults of the class: {(class, parameter, value): why}.
_RIESZ = "it follows the coordinate gradient, and the default is the other one"
_AFFINE = "distances from dissimilarities hold for coefficients that sum to one"
_SIMILAR = "it is about distances, and the default is a similarity"
_OF_SIMILARITIES = (
    "FuzzyLabelledProximityNeuralGas",
    "FuzzyLabelledProximitySOM",
    "ProximityLVQ",
    "ProximityNeuralGas",
    "ProximityRegressor",
    "ProximitySOM",
    "Relation",
)
TOGETHER = {
    ("KernelGLVQ", "solver", "lbfgs"): _RIESZ,
    ("KernelRSLVQ", "solver", "lbfgs"): _RIESZ,
    ("ProximityLVQ", "solver", "lbfgs"): _RIESZ,
    ("RelationalGLVQ", "constraint", "none"): _AFFINE,
    ("RelationalRSLVQ", "constraint", "none"): _AFFINE,
    **dict.fromkeys(((name, "squared", False) for name in _OF_SIMILARITIES), _SIMILAR),
    (
        "FunctionalPCA",
        "smoothing",
        1e300,
    ): "so smooth curves are zero, which the sentence says of X",
    ("Objective", "slope", None): "it comes after value, which may be left out, but is needed",
}
