"""Principal components in any geometry."""

from noneuclid.pca.generalized import GeneralizedPCA
from noneuclid.pca.hebbian import HebbianPCA

__all__ = ["GeneralizedPCA", "HebbianPCA"]
