"""Principal components in any geometry."""

from noneuclid.pca.banach import BanachKernelPCA
from noneuclid.pca.distributions import DistributionPCA
from noneuclid.pca.functional import FunctionalPCA
from noneuclid.pca.generalized import GeneralizedPCA
from noneuclid.pca.generalized_kernel import GeneralizedKernelPCA
from noneuclid.pca.hebbian import HebbianPCA
from noneuclid.pca.kernel_hebbian import KernelHebbianPCA
from noneuclid.pca.objectives import Objective, objectives
from noneuclid.pca.outliers import RobustComponents, outlyingness, robust_components
from noneuclid.pca.subspace import SubspaceClassifier

__all__ = [
    "BanachKernelPCA",
    "DistributionPCA",
    "FunctionalPCA",
    "GeneralizedKernelPCA",
    "GeneralizedPCA",
    "HebbianPCA",
    "KernelHebbianPCA",
    "Objective",
    "RobustComponents",
    "SubspaceClassifier",
    "objectives",
    "outlyingness",
    "robust_components",
]
