"""noneuclid: machine learning in the geometry your data really has.

Names are imported on first use, so that ``import noneuclid`` costs next to nothing.
"""

import importlib
from typing import Any

from noneuclid._version import __version__

_SUBPACKAGES = (
    "curves",
    "datasets",
    "displays",
    "information",
    "kernels",
    "numerics",
    "pca",
    "prototypes",
    "proximities",
    "report",
    "search",
    "spaces",
    "spikes",
    "testing",
)
_HOME = {
    "noneuclid._persistence": ("load", "save"),
    "noneuclid.curves": ("Curves", "as_curves"),
    "noneuclid.information": (
        "KernelICA",
        "ParzenClassifier",
        "bandwidth",
        "cauchy_schwarz_divergence",
        "euclidean_divergence",
        "independence_test",
        "information_potential",
        "joint_independence_test",
        "quadratic_mutual_information",
        "renyi_entropy",
        "two_sample_test",
    ),
    "noneuclid.kernels": (
        "CrossInformationPotential",
        "Gaussian",
        "Laplacian",
        "Linear",
        "Polynomial",
        "SpikeTrainKernel",
        "as_kernel",
    ),
    "noneuclid.pca": (
        "BanachKernelPCA",
        "DistributionPCA",
        "FunctionalPCA",
        "GeneralizedKernelPCA",
        "GeneralizedPCA",
        "HebbianPCA",
        "KernelHebbianPCA",
        "SubspaceClassifier",
    ),
    "noneuclid.prototypes": (
        "ConformalClassifier",
        "ConformalRegressor",
        "FuzzyLabelledNeuralGas",
        "FuzzyLabelledProximityNeuralGas",
        "FuzzyLabelledProximitySOM",
        "FuzzyLabelledSOM",
        "GLVQ",
        "GMLVQ",
        "GRLVQ",
        "KernelGLVQ",
        "KernelRSLVQ",
        "LGMLVQ",
        "LVQ1",
        "LVQ21",
        "MatrixRSLVQ",
        "MedianLVQ",
        "MedianNeuralGas",
        "MedianSOM",
        "NeuralGas",
        "PrototypeRegressor",
        "ProximityLVQ",
        "ProximityNeuralGas",
        "ProximityRegressor",
        "ProximitySOM",
        "RSLVQ",
        "RelationalGLVQ",
        "RelationalRSLVQ",
        "SelfOrganizingMap",
        "VectorLVQ",
        "compact",
        "exemplars",
        "sparsify",
    ),
    "noneuclid.proximities": (
        "NystroemEmbedding",
        "PseudoEuclideanEmbedding",
        "Relation",
        "SpectrumCorrection",
        "nystroem_check",
        "signature",
    ),
    "noneuclid.report": ("analyze",),
    "noneuclid.search": ("GeometrySearch",),
    "noneuclid.spaces": (
        "Euclidean",
        "FourierSobolev",
        "Hilbert",
        "IncompatibleSpace",
        "KernelMetric",
        "KernelResponse",
        "LeeVerleysen",
        "Lp",
        "ProductSpace",
        "PseudoEuclidean",
        "Sobolev",
        "as_space",
    ),
    "noneuclid.spikes": ("SpikeTrainPCA",),
}
_HOME_OF = {name: home for home, names in _HOME.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF), *_SUBPACKAGES]


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return importlib.import_module(f"noneuclid.{name}")
    if name in _HOME_OF:
        return getattr(importlib.import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'noneuclid' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
