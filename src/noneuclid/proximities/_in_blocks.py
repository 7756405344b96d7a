"""Landmarks of objects that lie in blocks, and features of all objects, computed where they lie.

Of the objects only a bounded sample comes here, and of that only the landmarks stay.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import clone

from noneuclid._blocks import Blocks, Part
from noneuclid._data import check_array
from noneuclid.kernels import Kernel
from noneuclid.proximities._features import LandmarkFeatures, products_and_sums
from noneuclid.proximities._inputs import checked_objects, is_precomputed
from noneuclid.proximities._measures import Measure, as_measure
from noneuclid.proximities._noise import others
from noneuclid.proximities._sources import Source
from noneuclid.proximities._views import LandmarkView, View
from noneuclid.proximities.landmarks import check_indices, choose_landmarks, landmark_count
from noneuclid.proximities.registry import Carried
from noneuclid.typing import Array, IntArray

# Landmarks are chosen, and what a metric leaves to the data is fixed, on so many objects, or on
# so many per landmark if that is more.
_FEW = 2_000
_PER_LANDMARK = 10


class Landmarks(NamedTuple):
    """Some of the samples."""

    source: Source
    rows: IntArray
    """Their numbers among all samples."""
    y: np.ndarray | None
    others: Source
    """Some that are no landmarks."""


class InBlocks:
    """A relation among objects in blocks: its training objects are the landmarks."""

    def _fit_blocks(self, X: Any) -> Self:
        self._check_blocks(self)
        self.fit_blocks(Blocks.of_objects(self, X), self, fit_features)
        return self

    def _check_blocks(self: Any, owner: Any) -> None:
        """Raise for what blocks of objects cannot do, before they are read."""
        measure_in_blocks(self, owner)
        if self.n_landmarks is None:
            raise ValueError(
                f"{type(owner).__name__} needs n_landmarks for a dask collection or a checkpoint, "
                "and it is None: n_landmarks=100 takes proximities to 100 objects instead of all"
            )

    def fit_blocks(
        self: Any, blocks: Blocks, owner: Any, learn: Any = None, least: IntArray | None = None
    ) -> tuple[Any, Landmarks]:
        """Take the landmarks of objects in blocks, in the name of an owner.

        Parameters
        ----------
        blocks : Blocks
        owner : BaseEstimator
        learn : callable, optional
            Default :func:`embedded`: the features of all objects are computed, and returned.
        least : array of int, optional
            So many landmarks of each class.

        Returns
        -------
        found : object
            What ``learn`` returned.
        landmarks : Landmarks
            Which objects they are.
        """
        measure = measure_in_blocks(self, owner)
        landmarks = landmarks_of(blocks, owner, measure, self, least=least)
        features = LandmarkFeatures(self.proximity, self.correction, along_axes=False)
        found = (learn or embedded)(features, blocks, landmarks)
        source = landmarks.source
        view: View = LandmarkView(source, features, None)
        self.metric_, self._view = fixed(source.measure), view
        self.n_objects_, self.objects_ = source.n, source.objects
        return found, landmarks

    def _values(self: Any, X: Any, columns: Any) -> Array:
        return np.asarray(self.to(X, columns, self_values=False)[0])

    def _own_values(self: Any, X: Any) -> Array:
        own = self.to(X, [0])[1]
        if own is None:
            raise ValueError(
                "a matrix of proximities does not say those of new objects to themselves: "
                "give self_values=False"
            )
        return np.asarray(own)

    def _example_objects(self: Any) -> Any:
        """One object, of those this relation can say something about."""
        view = self._fitted
        source = view.features.landmarks if isinstance(view, LandmarkView) else view.source
        if source.objects is None:
            raise TypeError(
                "X is a dask bag, and the relation was fitted on a matrix of proximities: give "
                "rows of proximities, as a dask array"
            )
        return list(source.objects[:1])

    def _carried(self: Any) -> Carried:
        """Itself, for other processes."""
        return Carried(self, self._fitted.source.measure)


def measure_in_blocks(relation: Any, owner: Any) -> Measure:
    """What a relation or an embedding measures between objects in blocks."""
    if is_precomputed(relation.metric):
        raise TypeError(
            f"{type(owner).__name__} takes objects from dask, or with a checkpoint, and its metric "
            'is "precomputed": give the objects, and a metric between them'
        )
    return as_measure(clone(relation.metric, safe=False), relation.proximity)


def fixed(measure: Any) -> Any:
    """The metric of a measure, with all that depends on data fixed."""
    return measure if isinstance(measure, Kernel) else measure.metric


def landmarks_of(
    blocks: Blocks, owner: Any, measure: Measure, asked: Any, *, least: IntArray | None = None
) -> Landmarks:
    """Landmarks among objects in blocks, in the name of an estimator.

    Parameters
    ----------
    blocks : Blocks
    owner : BaseEstimator
        Whose ``n_features_in_`` is set.
    measure : Measure
        Not yet resolved.
    asked : NystroemEmbedding or Relation
        For how many landmarks, and which.
    least : array of int, optional
        So many of each class are among them, where they are chosen here.
    """
    rng, n = blocks.rng(asked.random_state), blocks.n_samples
    m = landmark_count(asked.n_landmarks, n)
    size = max(_FEW, _PER_LANDMARK * m)
    few = blocks.sample(size, 0 if n <= size else rng.randint(2**31))
    objects = _entered(few.X, measure, owner)
    measure = measure.resolve(objects)
    source = Source(objects, measure, plain=getattr(asked, "squared", "auto") is False)
    if isinstance(asked.landmarks, str):
        chosen = choose_landmarks(asked.landmarks, source, m, asked.proximity, rng)
        rows = few.rows[chosen]
        if least is not None:
            assert few.y is not None
            rows = _of_all_classes(blocks, rows, few.y[chosen], least)
    else:
        rows = check_indices(asked.landmarks, n)
    found = blocks.pick(rows)
    order = np.searchsorted(found.rows, rows)
    picked = Source(_entered(found.X, measure)[order], measure, plain=source.plain)
    labels = None if found.y is None else found.y[order]
    beside = others(source.n, np.flatnonzero(np.isin(few.rows, rows)), m)
    return Landmarks(picked, rows, labels, source.restrict(beside))


def _of_all_classes(
    blocks: Blocks, rows: IntArray, labels: np.ndarray, least: IntArray
) -> IntArray:
    """As many landmarks; where a class has fewer of them than it needs, some of it come first."""
    names, counts = np.unique(labels, return_counts=True)
    having = dict(zip(names.tolist(), counts.tolist()))
    lacking = [
        (name, int(k))
        for name, k in zip(blocks.survey.labels, least)
        if having.get(name, 0) < min(k, blocks.survey.labels[name])
    ]
    if not lacking:
        return rows
    if least.sum() > len(rows):
        raise ValueError(
            f"n_landmarks (={len(rows)}) must be at least the number of prototypes "
            f"(={least.sum()}): each starts at landmarks of its class"
        )
    drawn = blocks.sample(int(least.max()), 0, per_class=True)
    assert drawn.y is not None
    first = [drawn.rows[drawn.y == name][:k] for name, k in zip(blocks.survey.labels, least)]
    rows, kept = np.concatenate([*first, rows]), len(rows)
    return rows[np.sort(np.unique(rows, return_index=True)[1])][:kept]


def _entered(X: Any, measure: Measure, owner: Any = None) -> Any:
    """Objects of a block as the measure takes them; of a bag, checked in the name of an owner."""
    if owner is not None and not isinstance(X, np.ndarray):
        return checked_objects(X, measure, owner, reset=True)
    if measure.takes_objects:
        return measure.as_objects(X)
    return check_array(X, dtype=np.float64, input_name="X")


def fit_features(features: LandmarkFeatures, blocks: Blocks, landmarks: Landmarks) -> None:
    """Learn the map of proximities to landmarks; a correction is that of all samples."""
    features.take(landmarks.source, landmarks.rows, landmarks.others)
    if features.asks_for_products:
        features.correct(blocks.sum(_products_of, carried(features)))


def embedded(features: LandmarkFeatures, blocks: Blocks, landmarks: Landmarks) -> Blocks:
    """Learn the map, and the features of all samples, which stay where they are computed.

    Proximities cost most, and are computed once.
    """
    features.take(landmarks.source, landmarks.rows, landmarks.others)
    if not features.asks_for_products:
        return blocks.mapped(features_of, carried(features))
    slab = blocks.mapped(proximities_of, carried(features))
    features.correct(slab.sum(_products, features))
    return slab.mapped(_features, features)


def carried(features: LandmarkFeatures) -> Carried:
    """The features, with the metric that a user named, for other processes."""
    return Carried(features, features.landmarks.measure)


def features_of(part: Part, features: Any) -> Array:
    """Features of a block of objects, where it lies."""
    return _in_block(part, features, features.of_new)


def proximities_of(part: Part, features: Any) -> Array:
    """Proximities of a block of objects to the landmarks."""
    return _in_block(part, features, features.proximities)


def _in_block(part: Part, features: Any, function: Callable[[Any], Array]) -> Array:
    try:
        return np.asarray(function(_entered(part.X, features.landmarks.measure)))
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{error} (among the samples {part.start} to {part.start + len(part) - 1})"
        ) from error


def _products_of(part: Part, features: Any) -> Array:
    return products_and_sums(features_of(part, features))


def _features(part: Part, features: LandmarkFeatures) -> Array:
    return features(part.X)


def _products(part: Part, features: LandmarkFeatures) -> Array:
    return products_and_sums(features(part.X))
