"""Kernels: functions of two objects, called on whole matrices."""

from noneuclid.kernels.alignment import Alignment
from noneuclid.kernels.banach import BanachGaussian
from noneuclid.kernels.base import FunctionKernel, Kernel
from noneuclid.kernels.cross_information import CrossInformationPotential
from noneuclid.kernels.dot import Linear, Polynomial, SemiInnerProduct
from noneuclid.kernels.multi_neuron import MultiNeuronKernel
from noneuclid.kernels.names import as_kernel
from noneuclid.kernels.pairs import PairKernel
from noneuclid.kernels.radial import Gaussian, Laplacian, MatrixGaussian, PowerExponential
from noneuclid.kernels.rational import InverseMultiquadric, RationalPower, RationalQuadratic
from noneuclid.kernels.schoenberg import Schoenberg
from noneuclid.kernels.spike_train import SpikeTrainKernel

__all__ = [
    "Alignment",
    "BanachGaussian",
    "CrossInformationPotential",
    "FunctionKernel",
    "Gaussian",
    "InverseMultiquadric",
    "Kernel",
    "Laplacian",
    "Linear",
    "MatrixGaussian",
    "MultiNeuronKernel",
    "PairKernel",
    "Polynomial",
    "PowerExponential",
    "RationalPower",
    "RationalQuadratic",
    "Schoenberg",
    "SemiInnerProduct",
    "SpikeTrainKernel",
    "as_kernel",
]
