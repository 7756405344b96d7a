"""Labelled prototypes of objects in blocks: landmarks here, features of all where they lie."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.base import clone

from noneuclid._blocks import Blocks, in_blocks
from noneuclid.prototypes.classifiers.base import GRADIENTS
from noneuclid.prototypes.classifiers.deciding import evenly
from noneuclid.prototypes.costs import Membership
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.prototypes.geometries.landmarks import (
    FeaturesLocally,
    FeatureVectors,
    FrameGeometry,
    landmark_coefficients,
    root_frame,
    summed,
)
from noneuclid.prototypes.labels import class_factors
from noneuclid.prototypes.solvers.blocks import ClassesOf
from noneuclid.prototypes.starts.blocks import cluster_means
from noneuclid.prototypes.starts.classes import clusters
from noneuclid.proximities import Relation
from noneuclid.typing import IntArray


def fit_objects_in_blocks(model: Any, X: Any, y: Any, sample_weight: Any) -> None:
    """Learn prototypes of objects in blocks.

    The model is one of its landmarks; scales, bandwidths and costs are those of all samples.
    """
    relation = _relation(model)
    X = X if in_blocks(X) or relation.takes_rows else list(X)
    blocks = Blocks.of_objects(model, X, y, sample_weight, labels=True, checkpoint=model.checkpoint)
    who, counts = model._set_classes(*_labels_that_count(model, blocks.survey.labels))
    features, landmarks = relation.fit_blocks(blocks, model, least=counts)
    assert landmarks.y is not None
    model.relation_, model._y = relation, np.searchsorted(model.classes_, landmarks.y)
    model._counted = evenly(len(model._y))
    model._forget_origin()
    _require_landmarks(model, counts)
    chart, rng = relation.chart, blocks.rng(model.random_state)
    here = FeatureGeometry(chart.Z, chart.signature[0], model.constraint)
    factors = class_factors(blocks.survey, model.class_weight, model.classes_)
    locally = _locally(model, features, ClassesOf(model.classes_, who.classes, factors))
    free = locally.A is not chart.Z
    if free and isinstance(model.init, str) and model.init == "kmeans":
        few = clusters(here, model._y, counts, rng) @ chart.Z
        start = cluster_means(features, locally.vectors(), few, who.classes)
    else:
        start = model._start(here, model._y, counts, rng)
        start = start @ chart.Z if free else start
    geometry = summed(features, locally, chart.Z, len(model.classes_))
    theta = geometry.state(linalg.solve(locally.A, start.T).T if free else start)
    known = Membership(np.empty(0, dtype=int), who.classes)
    problem = model._pose_blocks(features, locally, geometry, theta, known)
    result = model._make_solver(GRADIENTS[model.gradient]).run(problem, theta, rng)
    G = result.theta.parameters
    G = landmark_coefficients(geometry.state(G).images, chart.Z) if free else G
    model._look_back(here, model._combine(here, here.state(G)))
    model._note(result)
    model.n_clipped_ = result.clipped


def _locally(model: Any, features: Blocks, classes: ClassesOf) -> FeaturesLocally:
    """What prototypes are made of: nothing but features, a root of Z'Z, or the landmarks."""
    chart, constraint = model.relation_.chart, model.constraint
    if GRADIENTS[model.gradient] == "riesz":
        axes = np.eye(chart.Z.shape[1])
        return FeaturesLocally(FeatureVectors, axes, chart.signature[0], constraint, classes)
    if constraint == "convex":
        return FeaturesLocally(FrameGeometry, chart.Z, chart.signature[0], constraint, classes)
    frame = root_frame(features, centred=constraint == "affine")
    return FeaturesLocally(FrameGeometry, frame, chart.signature[0], "none", classes)


def _relation(model: Any) -> Relation:
    """The relation that is asked for, or an error before anything is read."""
    if model.sparsity_penalty > 0 and GRADIENTS[model.gradient] == "riesz":
        raise ValueError(
            f"sparsity_penalty (={model.sparsity_penalty}) is taken off coefficients, and Riesz "
            'steps over blocks move vectors: use gradient="coordinates"'
        )
    relation: Relation = model._make_relation()
    relation.metric = clone(relation.metric, safe=False)
    relation._check_blocks(model)
    return relation


def _labels_that_count(model: Any, sizes: dict[Any, int]) -> tuple[np.ndarray, int]:
    """As many labels of each class as there are, or as it has prototypes; and their number."""
    wanted = model.n_prototypes
    most = max(wanted.values()) if isinstance(wanted, Mapping) else wanted
    y = np.repeat(np.array(list(sizes)), np.minimum(list(sizes.values()), most))
    return y, len(y)


def _require_landmarks(model: Any, counts: IntArray) -> None:
    """Raise where landmarks that were given leave out a class."""
    found = np.bincount(model._y, minlength=len(counts))
    if isinstance(model.init, str) and (found < counts).any():
        c = int(np.argmax(found < counts))
        raise ValueError(
            f"class {model.classes_.tolist()[c]!r} has {found[c]} landmarks, fewer than its "
            f"{counts[c]} prototypes, which start at landmarks of their class: give more of them"
        )
