"""Tables and arrays that are read by blocks, with dask: parts in a folder, zarr, large files."""

from noneuclid.datasets.large.dataset import LargeDataset
from noneuclid.datasets.large.opening import Memory, is_large
from noneuclid.datasets.large.reading import open_large, read_sample

__all__ = ["LargeDataset", "Memory", "is_large", "open_large", "read_sample"]
