"""Matrices of similarities and dissimilarities as data."""

from noneuclid.proximities.conversions import (
    normalize,
    symmetrize,
    to_dissimilarity,
    to_similarity,
)
from noneuclid.proximities.corrections import SpectrumCorrection
from noneuclid.proximities.diagnosis import (
    CorrectionEffect,
    MatrixDiagnosis,
    diagnose,
    negative_mass,
)
from noneuclid.proximities.embedding import PseudoEuclideanEmbedding
from noneuclid.proximities.nystroem import NystroemEmbedding
from noneuclid.proximities.nystroem_check import NystroemCheck, nystroem_check
from noneuclid.proximities.objects import landmark_pairwise, pairwise
from noneuclid.proximities.spectrum import Signature, signature, spectrum

__all__ = [
    "CorrectionEffect",
    "MatrixDiagnosis",
    "NystroemCheck",
    "NystroemEmbedding",
    "PseudoEuclideanEmbedding",
    "Signature",
    "SpectrumCorrection",
    "diagnose",
    "landmark_pairwise",
    "negative_mass",
    "normalize",
    "nystroem_check",
    "pairwise",
    "signature",
    "spectrum",
    "symmetrize",
    "to_dissimilarity",
    "to_similarity",
]
