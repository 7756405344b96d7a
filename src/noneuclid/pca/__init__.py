"""Principal components in any geometry."""

from noneuclid.pca.generalized import GeneralizedPCA
from noneuclid.pca.generalized_kernel import GeneralizedKernelPCA
from noneuclid.pca.hebbian import HebbianPCA
from noneuclid.pca.subspace import SubspaceClassifier

__all__ = ["GeneralizedKernelPCA", "GeneralizedPCA", "HebbianPCA", "SubspaceClassifier"]
