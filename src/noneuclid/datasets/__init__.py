"""Data files of many formats, and generators whose right answer is known."""

from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import KINDS, DataError, Dataset
from noneuclid.datasets.generators import (
    make_contaminated,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
)
from noneuclid.datasets.kinds import guess_kind
from noneuclid.datasets.large import read_sample
from noneuclid.datasets.objects import as_dataset
from noneuclid.datasets.readers import DataFile, Reader, all_readers, register_reader
from noneuclid.datasets.reading import read_dataset
from noneuclid.datasets.together import kept_together

__all__ = [
    "KINDS",
    "Content",
    "DataError",
    "DataFile",
    "Dataset",
    "Reader",
    "all_readers",
    "as_dataset",
    "guess_kind",
    "kept_together",
    "make_contaminated",
    "make_families",
    "make_indefinite",
    "make_spectra",
    "make_spike_trains",
    "read_dataset",
    "read_sample",
    "register_reader",
]
