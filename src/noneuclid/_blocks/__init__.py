"""Data in blocks, on dask: everything learned is a sum over samples, so over blocks of them.

A learner that sums asks :class:`Blocks` for the sum of a function over all blocks. They stay where
they lie, in the memory of workers or in storage, and are read once per pass; only parameters go
out, and only sums come back. Without dask, rows in memory are one block.
"""

from noneuclid._blocks.blocks import Blocks
from noneuclid._blocks.door import in_blocks, is_collection
from noneuclid._blocks.journal import Journal
from noneuclid._blocks.lazily import lazily
from noneuclid._blocks.samples import edges, paired, samples, tables
from noneuclid._blocks.survey import Part

__all__ = [
    "Blocks",
    "Journal",
    "Part",
    "edges",
    "in_blocks",
    "is_collection",
    "lazily",
    "paired",
    "samples",
    "tables",
]
