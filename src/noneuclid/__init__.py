"""noneuclid: machine learning in the geometry your data really has.

Names are imported on first use, so that ``import noneuclid`` costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

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


# What editors and type checkers see; a test compares it with the lists above.
# isort: off
if TYPE_CHECKING:
    from noneuclid import (
        curves as curves,
        datasets as datasets,
        displays as displays,
        information as information,
        kernels as kernels,
        numerics as numerics,
        pca as pca,
        prototypes as prototypes,
        proximities as proximities,
        report as report,
        search as search,
        spaces as spaces,
        spikes as spikes,
        testing as testing,
    )
    from noneuclid._persistence import load as load, save as save
    from noneuclid.curves import Curves as Curves, as_curves as as_curves
    from noneuclid.information import (
        KernelICA as KernelICA,
        ParzenClassifier as ParzenClassifier,
        bandwidth as bandwidth,
        cauchy_schwarz_divergence as cauchy_schwarz_divergence,
        euclidean_divergence as euclidean_divergence,
        independence_test as independence_test,
        information_potential as information_potential,
        joint_independence_test as joint_independence_test,
        quadratic_mutual_information as quadratic_mutual_information,
        renyi_entropy as renyi_entropy,
        two_sample_test as two_sample_test,
    )
    from noneuclid.kernels import (
        CrossInformationPotential as CrossInformationPotential,
        Gaussian as Gaussian,
        Laplacian as Laplacian,
        Linear as Linear,
        Polynomial as Polynomial,
        SpikeTrainKernel as SpikeTrainKernel,
        as_kernel as as_kernel,
    )
    from noneuclid.pca import (
        BanachKernelPCA as BanachKernelPCA,
        DistributionPCA as DistributionPCA,
        FunctionalPCA as FunctionalPCA,
        GeneralizedKernelPCA as GeneralizedKernelPCA,
        GeneralizedPCA as GeneralizedPCA,
        HebbianPCA as HebbianPCA,
        KernelHebbianPCA as KernelHebbianPCA,
        SubspaceClassifier as SubspaceClassifier,
    )
    from noneuclid.prototypes import (
        GLVQ as GLVQ,
        GMLVQ as GMLVQ,
        GRLVQ as GRLVQ,
        LGMLVQ as LGMLVQ,
        LVQ1 as LVQ1,
        LVQ21 as LVQ21,
        RSLVQ as RSLVQ,
        ConformalClassifier as ConformalClassifier,
        ConformalRegressor as ConformalRegressor,
        FuzzyLabelledNeuralGas as FuzzyLabelledNeuralGas,
        FuzzyLabelledProximityNeuralGas as FuzzyLabelledProximityNeuralGas,
        FuzzyLabelledProximitySOM as FuzzyLabelledProximitySOM,
        FuzzyLabelledSOM as FuzzyLabelledSOM,
        KernelGLVQ as KernelGLVQ,
        KernelRSLVQ as KernelRSLVQ,
        MatrixRSLVQ as MatrixRSLVQ,
        MedianLVQ as MedianLVQ,
        MedianNeuralGas as MedianNeuralGas,
        MedianSOM as MedianSOM,
        NeuralGas as NeuralGas,
        PrototypeRegressor as PrototypeRegressor,
        ProximityLVQ as ProximityLVQ,
        ProximityNeuralGas as ProximityNeuralGas,
        ProximityRegressor as ProximityRegressor,
        ProximitySOM as ProximitySOM,
        RelationalGLVQ as RelationalGLVQ,
        RelationalRSLVQ as RelationalRSLVQ,
        SelfOrganizingMap as SelfOrganizingMap,
        VectorLVQ as VectorLVQ,
        compact as compact,
        exemplars as exemplars,
        sparsify as sparsify,
    )
    from noneuclid.proximities import (
        NystroemEmbedding as NystroemEmbedding,
        PseudoEuclideanEmbedding as PseudoEuclideanEmbedding,
        Relation as Relation,
        SpectrumCorrection as SpectrumCorrection,
        nystroem_check as nystroem_check,
        signature as signature,
    )
    from noneuclid.report import analyze as analyze
    from noneuclid.search import GeometrySearch as GeometrySearch
    from noneuclid.spaces import (
        Euclidean as Euclidean,
        FourierSobolev as FourierSobolev,
        Hilbert as Hilbert,
        IncompatibleSpace as IncompatibleSpace,
        KernelMetric as KernelMetric,
        KernelResponse as KernelResponse,
        LeeVerleysen as LeeVerleysen,
        Lp as Lp,
        ProductSpace as ProductSpace,
        PseudoEuclidean as PseudoEuclidean,
        Sobolev as Sobolev,
        as_space as as_space,
    )
    from noneuclid.spikes import SpikeTrainPCA as SpikeTrainPCA
# isort: on
else:

    def __getattr__(name: str) -> Any:
        if name in _SUBPACKAGES:
            return importlib.import_module(f"noneuclid.{name}")
        if name in _HOME_OF:
            return getattr(importlib.import_module(_HOME_OF[name]), name)
        raise AttributeError(f"module 'noneuclid' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
