"""Information-theoretic learning: distributions as vectors of a Hilbert space.

A density is known by its samples or as a Gaussian mixture. Products of densities, the *information
potentials* V(p, q) = ∫pq, make them vectors of a Hilbert space, a geometry whose duality map is the
identity. So entropies are lengths there, divergences are distances and angles, and tests and
classifiers compare means.
"""

from noneuclid.information.bandwidths import bandwidth
from noneuclid.information.conditional import conditional_cauchy_schwarz_divergence
from noneuclid.information.dependence import cross_covariance_norm, quadratic_mutual_information
from noneuclid.information.divergences import (
    angle,
    cauchy_schwarz_divergence,
    euclidean_divergence,
    geodesic_distance,
)
from noneuclid.information.drift import DriftResult, drifted_columns
from noneuclid.information.f_correlations import f_correlation
from noneuclid.information.ica import KernelICA
from noneuclid.information.independence import independence_test
from noneuclid.information.joint_independence import joint_independence_test
from noneuclid.information.matrix_entropies import (
    matrix_mutual_information,
    matrix_renyi_entropy,
)
from noneuclid.information.parzen import ParzenClassifier
from noneuclid.information.potentials import (
    cross_information_potential,
    information_potential,
    renyi_entropy,
)
from noneuclid.information.results import AggregateResult, TestResult
from noneuclid.information.support_vectors import ParzenView, svm_as_parzen
from noneuclid.information.two_sample import two_sample_test
from noneuclid.kernels import CrossInformationPotential

__all__ = [
    "AggregateResult",
    "CrossInformationPotential",
    "DriftResult",
    "KernelICA",
    "ParzenClassifier",
    "ParzenView",
    "TestResult",
    "angle",
    "bandwidth",
    "cauchy_schwarz_divergence",
    "conditional_cauchy_schwarz_divergence",
    "cross_covariance_norm",
    "cross_information_potential",
    "drifted_columns",
    "euclidean_divergence",
    "f_correlation",
    "geodesic_distance",
    "independence_test",
    "information_potential",
    "joint_independence_test",
    "matrix_mutual_information",
    "matrix_renyi_entropy",
    "quadratic_mutual_information",
    "renyi_entropy",
    "svm_as_parzen",
    "two_sample_test",
]
