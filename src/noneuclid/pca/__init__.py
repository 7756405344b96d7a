"""Principal components in any geometry."""

from noneuclid.pca.hebbian import HebbianPCA

__all__ = ["HebbianPCA"]
