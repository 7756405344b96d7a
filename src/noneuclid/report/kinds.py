"""Which parts an analysis has, by kind of data."""

from collections.abc import Callable
from typing import Any

import numpy as np

from noneuclid.displays.scaling import scale_matrix
from noneuclid.pca import robust_components
from noneuclid.prototypes import Groups
from noneuclid.proximities import diagnose
from noneuclid.report.baselines import distances_by
from noneuclid.report.blocks import Figure
from noneuclid.report.calibration import calibrated
from noneuclid.report.classification import Classified, classify, sparse_versions
from noneuclid.report.comparison import Candidate
from noneuclid.report.matrices import Matrix, given_matrix, matrix_of, train_matrix, train_widths
from noneuclid.report.models import (
    curve_models,
    geometries,
    object_models,
    proximity_models,
    row_models,
)
from noneuclid.report.numbers import number_models, regress
from noneuclid.report.parts import curves, robust, spikes
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.certainty import Certainty
from noneuclid.report.parts.comparison import ModelComparison
from noneuclid.report.parts.exemplars import ExemplarModel, Sparsity
from noneuclid.report.parts.geometry import GeometryPart
from noneuclid.report.parts.groups import drawn_groups, group_names, group_parts
from noneuclid.report.parts.landmarks import LandmarkModel
from noneuclid.report.parts.matrix import Diagnosis, Landmarks
from noneuclid.report.parts.numbers import NumberComparison, NumberModel
from noneuclid.report.parts.pictures import embedding_picture
from noneuclid.report.parts.prototypes import RowModel
from noneuclid.spaces import Euclidean, attention
from noneuclid.spikes import SpikeTrainPCA
from noneuclid.typing import Array, IntArray

_STANDARDISED = (
    " Columns are standardised for every model, by the means and standard deviations of its "
    "training objects."
)
_MATRIX = "the dissimilarities themselves"


def proximity_parts(study: Study) -> list[Part]:
    """Parts of an analysis of proximities, or of sequences, compared by an edit distance first."""
    matrix = matrix_of(study.few, study.seed, study.settings.metric)
    if study.data.kind == "sequences":
        study.advance("edit distances")
    return matrix_parts(study, matrix)


def spike_parts(study: Study) -> list[Part]:
    """Trains are smoothed first; that their products are Euclidean is no finding."""
    data = study.few
    widths = train_widths(data, study.seed)
    study.advance("width")
    matrix = train_matrix(data, widths)
    pca = SpikeTrainPCA(min(3, len(data) - 1), kernel=matrix.metric).fit(data.X)
    study.advance("components")
    return [
        spikes.Trains(study, widths, matrix.metric.width),
        spikes.TrainComponents(data, pca),
        *matrix_parts(study, matrix, is_finding=False),
    ]


def matrix_parts(study: Study, matrix: Matrix, *, is_finding: bool = True) -> list[Part]:
    """Objects by their proximities: what the matrix is like, and classes, or groups without.

    The matrix is that of a sample, if there are too many objects for all pairs of them.
    ``is_finding`` tells whether what it is like is one of the findings and results.
    """
    data = study.data
    found = diagnose(matrix.P, matrix.proximity, random_state=study.seed)
    study.advance("diagnosis")
    diagnosis = Diagnosis(matrix, found, study)
    numbers = diagnosis.only("code", "results") if is_finding else diagnosis.only("code")
    words = [diagnosis.only("findings", "sections") if is_finding else diagnosis.only("sections")]
    if found.nystroem is not None:
        words.append(Landmarks(found.nystroem, len(study.few)))
    if data.labels is None:
        return [numbers, *_matrix_groups(study, matrix), *words]
    y = np.asarray(data.labels)
    if study.is_large:
        X = given_matrix(data).P if data.is_matrix else data.X
        models = object_models(matrix, X, y, found.is_euclidean, study.settings)
        model, comparison = _classified(study, models)
        landmarks = _sure(study, LandmarkModel(study, model), model, X)
        return [numbers, *words, comparison, *landmarks]
    models = proximity_models(matrix, y, found.is_euclidean, study.settings)
    model, comparison = _classified(study, models)
    sparse = sparse_versions(model, matrix.P)
    study.advance("sparse versions")
    X = matrix.P if data.is_matrix else data.X
    prototypes = _sure(study, ExemplarModel(data, matrix, model), model, X)
    return [numbers, *words, comparison, *prototypes, Sparsity(sparse)]


def _classified(
    study: Study, models: list[Candidate], preparation: str = ""
) -> tuple[Classified, Part]:
    """The best model of prototypes, and the part that compares it with all others."""
    y = np.asarray(study.data.labels)
    found = classify(models, y, study.settings, study.advance, study.data.groups, study.expect)
    return found, ModelComparison(found.comparison, study.settings, found.recalls, preparation)


def _sure(study: Study, own: Part, found: Classified, X: Any) -> list[Part]:
    """The part of the model, and one on how sure its predictions are."""
    known = calibrated(own.model, X, found.y, found.splits)
    study.advance("certainty")
    return [own, Certainty(*known)]


def _geometry(study: Study, found: Classified) -> list[GeometryPart]:
    """What the search over geometries found."""
    comparison = found.comparison
    search = next(filter(None, (score.candidate.searched for score in comparison.scores)))
    return [GeometryPart(study, search, comparison.measure)]


def _matrix_groups(study: Study, matrix: Matrix) -> list[Part]:
    def pictures(found: Groups) -> list[Figure]:
        scaling = scale_matrix(matrix.S, found.coefficients)
        drawn = drawn_groups(found, scaling.prototypes)
        return [embedding_picture(study.few, scaling, drawn, group_names(found))]

    data, rows = study.data, study.rows

    def others(some: IntArray) -> Array:
        if not data.is_matrix:
            return distances_by(matrix.metric, study.few.X, [data.X[i] for i in some])
        P = (data.X[np.ix_(some, rows)] + data.X[np.ix_(rows, some)].T) / 2
        if matrix.proximity == "dissimilarity":
            return P
        own = np.diagonal(data.X)
        return own[some, None] + own[rows] - 2.0 * P

    D = "X" if matrix.proximity == "dissimilarity" else "to_dissimilarity(X)"
    code = [D]
    if (matrix.D < 0).any():  # groups are found without, and so does the program
        code = ["import numpy as np", f"np.maximum({D}, 0)"]
    return group_parts(study, matrix.D, code, pictures, others, _MATRIX)


def curve_parts(study: Study) -> list[Part]:
    """Parts of an analysis of curves."""
    data, seed, few = study.data, study.seed, study.few
    every = geometries(data, study.settings)
    sobolev = every[2]
    components = curves.curve_components(study, every[:3])
    study.advance("components")

    def pictures(found: Groups) -> list[Figure]:
        places = curves.curve_places(components["Sobolev"], few.X)
        drawn = drawn_groups(found, found.coefficients @ places)
        picture = curves.curve_picture(study, places, drawn, group_names(found))
        return [picture, curves.group_curves(few, found)]

    model, middle, chosen = None, [], "Sobolev"
    if data.labels is None:
        code = [f"D = {sobolev.code}.squared_distance(X, X)", "D"]
        middle = group_parts(
            study,
            sobolev.distances(few.X),
            code,
            pictures,
            lambda some: sobolev.space.squared_distance(data.X[some], few.X),  # type: ignore[attr-defined]
            "the Sobolev distance",
        )
    else:
        model, comparison = _classified(study, curve_models(data, every, study.settings))
        geometry = _geometry(study, model)
        chosen = geometry[0].rows[0].geometry
        own = _sure(study, curves.CurveModel(data, model), model, data.X)
        middle = [comparison, *geometry, *own]
    shown = {"Euclidean", "l1", "Sobolev", chosen}
    chosen = chosen if chosen != "Euclidean" else "Sobolev"
    shares = {
        g.name: attention(g.space, data.X, data.labels, n_pairs=curves.PAIRS, random_state=seed)
        for g in every
        if g.name in shown
    }
    study.advance("contributions")
    return [
        curves.Curves(data),
        *middle,
        curves.Attention(data, shares, chosen),
        curves.CurveComponents(study, components, sobolev.code, model),
    ]


def row_parts(study: Study) -> list[Part]:
    """Parts of an analysis of rows of features."""
    data = study.data
    found = robust_components(data.X, random_state=study.seed)
    study.advance("components")

    def pictures(groups: Groups) -> list[Figure]:
        places = groups.coefficients @ robust.robust_places(found, study.few.X)
        drawn = drawn_groups(groups, places)
        return [robust.robust_picture(study, found, drawn, group_names(groups))]

    model, middle = None, []
    if data.labels is None:
        Z, few = found.scaler.transform(data.X), found.scaler.transform(study.few.X)
        code = ["Z = found.scaler.transform(X)", "D = Euclidean().squared_distance(Z, Z)", "D"]
        middle = group_parts(
            study,
            Euclidean().squared_distance(few, few),
            code,
            pictures,
            lambda some: Euclidean().squared_distance(Z[some], few),
            "the Euclidean distance of features scaled by median and interquartile range",
        )
    else:
        models = row_models(data, study.settings)
        model, comparison = _classified(study, models, _STANDARDISED)
        own = _sure(study, RowModel(study, model), model, data.X)
        middle = [comparison, *_geometry(study, model), *own]
    components = robust.RobustPart(study, found, model)
    return [
        components.only("code", "results"),
        *middle,
        components.only("findings", "sections"),
        robust.Outliers(data, found),
    ]


def number_parts(study: Study) -> list[Part]:
    """Parts of an analysis of objects with numbers to predict."""
    data = study.data
    models, matrix = number_models(data, study.settings)
    first: list[Part] = [robust.Rows()]
    last: list[Part] = []
    if data.kind == "curves":
        shares = {
            g.name: attention(g.space, data.X, n_pairs=curves.PAIRS, random_state=study.seed)
            for g in geometries(data)
        }
        first, last = [curves.Curves(data)], [curves.Attention(data, shares)]
    elif matrix is not None:
        first = [Diagnosis(matrix, diagnose(matrix.P, matrix.proximity, random_state=study.seed))]
    found = regress(models, np.asarray(data.target), study.settings, study.advance, data.groups)
    own = NumberModel(study, found)
    if matrix is not None:
        own.model = matrix.portable(found.model, data)
        own.model.half_width_, own.model.nearest_ = found.half_width, found.nearest
    return [*first, NumberComparison(study, found), own, *last]


PARTS: dict[str, Callable[[Study], list[Part]]] = {
    "similarity": proximity_parts,
    "dissimilarity": proximity_parts,
    "curves": curve_parts,
    "vectors": row_parts,
    "sequences": proximity_parts,
    "spikes": spike_parts,
}
