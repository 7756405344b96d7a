"""Spike trains and other event sequences: principal components, intensities, generators, files."""

from noneuclid.kernels import MultiNeuronKernel, SpikeTrainKernel
from noneuclid.proximities import VanRossum, VictorPurpura
from noneuclid.spikes.files import read_spike_trains
from noneuclid.spikes.generators import JitteredTemplates, jittered_templates, poisson_trains
from noneuclid.spikes.intensities import intensity
from noneuclid.spikes.pca import SpikeTrainPCA
from noneuclid.spikes.widths import WidthSelection, select_width

__all__ = [
    "JitteredTemplates",
    "MultiNeuronKernel",
    "SpikeTrainKernel",
    "SpikeTrainPCA",
    "VanRossum",
    "VictorPurpura",
    "WidthSelection",
    "intensity",
    "jittered_templates",
    "poisson_trains",
    "read_spike_trains",
    "select_width",
]
