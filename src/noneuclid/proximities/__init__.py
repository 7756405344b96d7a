"""Objects known by their similarities or dissimilarities."""

from noneuclid.proximities.charts import RelationChart
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
from noneuclid.proximities.estimators import RelationMixin
from noneuclid.proximities.nystroem import NystroemEmbedding
from noneuclid.proximities.nystroem_check import NystroemCheck, nystroem_check
from noneuclid.proximities.objects import landmark_pairwise, pairwise
from noneuclid.proximities.registry import (
    NamedMetric,
    describe_metric,
    metrics,
    register_metric,
)
from noneuclid.proximities.relation import Relation
from noneuclid.proximities.series import Series, as_series
from noneuclid.proximities.series_edit_metrics import (
    CommonSubsequence,
    EditRealPenalty,
    EditRealSequence,
    MoveSplitMerge,
    TimeWarpEdit,
)
from noneuclid.proximities.spectrum import Signature, signature, spectrum
from noneuclid.proximities.train_metrics import VanRossum, VictorPurpura
from noneuclid.proximities.transport import Wasserstein
from noneuclid.proximities.warping_metrics import (
    DTW,
    AmercingDTW,
    DerivativeDTW,
    ShapeDTW,
    WeightedDTW,
)

__all__ = [
    "DTW",
    "AmercingDTW",
    "CommonSubsequence",
    "CorrectionEffect",
    "DerivativeDTW",
    "EditRealPenalty",
    "EditRealSequence",
    "MatrixDiagnosis",
    "MoveSplitMerge",
    "NamedMetric",
    "NystroemCheck",
    "NystroemEmbedding",
    "PseudoEuclideanEmbedding",
    "Relation",
    "RelationChart",
    "RelationMixin",
    "Series",
    "ShapeDTW",
    "Signature",
    "SpectrumCorrection",
    "TimeWarpEdit",
    "VanRossum",
    "VictorPurpura",
    "Wasserstein",
    "WeightedDTW",
    "as_series",
    "describe_metric",
    "diagnose",
    "landmark_pairwise",
    "metrics",
    "negative_mass",
    "normalize",
    "nystroem_check",
    "pairwise",
    "register_metric",
    "signature",
    "spectrum",
    "symmetrize",
    "to_dissimilarity",
    "to_similarity",
]
