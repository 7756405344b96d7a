"""Prototypes that are objects of the training set."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._estimator import estimator
from noneuclid._parameters import Indices, NotNegative
from noneuclid.prototypes.classifiers.proximity import ProximityLVQ
from noneuclid.prototypes.geometries.base import Constraint, Gradient
from noneuclid.prototypes.geometries.combinations import CombinationGeometry
from noneuclid.prototypes.solvers.moves import Moves
from noneuclid.prototypes.solvers.problem import Solver
from noneuclid.prototypes.starts.classes import initial_coefficients
from noneuclid.prototypes.starts.common import one_hot
from noneuclid.proximities.checks import Proximity
from noneuclid.typing import Array, IntArray


@estimator
class MedianLVQ(ProximityLVQ):
    r"""Learning vector quantisation whose prototypes are training objects.

    The cost of GLVQ or RSLVQ is minimised over all choices of objects, one prototype at a time:
    each moves to the object of its class that lowers the cost most, until none can. Nothing is
    assumed of the proximities but that they are symmetric; a prototype is an object to look at.

    Parameters
    ----------
    init : {"kmedoids", "random"} or array of int of shape (m,), default="kmedoids"
        Class-wise medoids, random objects of the class, or indices of objects, class by class in
        the order of ``classes_``.
    max_epochs : int, default=30
        Rounds over all prototypes.
    tol : float, default=0.0
        A move must lower the cost by more than this share of it.

    Attributes
    ----------
    prototype_indices_ : array of int of shape (m,)
        Which training objects the prototypes are.
    coefficients_ : array of shape (m, n)
        A one per row, so that everything that takes a :class:`ProximityLVQ` takes this too.

    References
    ----------
    D. Nebel, B. Hammer, K. Frohberg and T. Villmann (2015), Median variants of learning vector
    quantization for learning of dissimilarity data.

    Examples
    --------
    >>> words = ["ACGTACGT", "ACGTACGA", "ACGTCCGT", "TTGACCAA", "TTGACCAT", "TTGGCCAA"]
    >>> family = ["left", "left", "left", "right", "right", "right"]
    >>> model = MedianLVQ(metric="levenshtein", random_state=0).fit(words, family)
    >>> [words[i] for i in model.prototype_indices_]
    ['ACGTACGT', 'TTGACCAA']
    """

    proximity: Proximity = "dissimilarity"
    init: Literal["kmedoids", "random"] | Indices = "kmedoids"
    tol: NotNegative = 0.0

    # What only descent by gradients has.
    gradient: ClassVar[str] = "riesz"  # type: ignore[misc]
    constraint: ClassVar[Constraint] = "convex"  # type: ignore[misc]
    solver: ClassVar[Literal["sgd"]] = "sgd"  # type: ignore[misc]
    learning_rate: ClassVar[Literal["auto"]] = "auto"  # type: ignore[misc]
    schedule: ClassVar[None] = None  # type: ignore[misc]
    batch_size: ClassVar[None] = None  # type: ignore[misc]
    n_iter_no_change: ClassVar[int] = 5  # type: ignore[misc]
    shuffle: ClassVar[bool] = True  # type: ignore[misc]
    sparsity_penalty: ClassVar[float] = 0.0  # type: ignore[misc]
    window: ClassVar[float] = 0.3  # type: ignore[misc]
    n_landmarks: ClassVar[None] = None  # type: ignore[misc]
    landmarks: ClassVar[str] = "uniform"  # type: ignore[misc]
    checkpoint: ClassVar[None] = None  # type: ignore[misc]
    _instead: ClassVar[str] = "use ProximityLVQ with n_landmarks=…"  # type: ignore[misc]

    @property
    def prototype_indices_(self) -> IntArray:
        """Which training objects the prototypes are."""
        return self.coefficients_.argmax(axis=1)

    @property
    def _fit_blocks(self) -> Any:  # type: ignore[override]
        raise AttributeError("a move looks at all distances between objects at once")

    def _make_solver(self, gradient: Gradient) -> Solver:
        return Moves(max_epochs=self.max_epochs, tol=self.tol, verbose=self.verbose)

    def _check_params(self) -> None:
        if self._make_cost().is_heuristic:
            raise ValueError(
                f"cost (={self.cost!r}) must not be a heuristic: it has no value to compare "
                "objects by"
            )

    def _start(
        self, geometry: CombinationGeometry, y: IntArray, counts: IntArray, rng: Any
    ) -> Array:
        if isinstance(self.init, str) and self.init == "kmedoids":
            return initial_coefficients("kmedoids", geometry, y, counts, rng)
        if isinstance(self.init, str):
            parts = [rng.permutation(np.flatnonzero(y == c))[:k] for c, k in enumerate(counts)]
            return one_hot(np.concatenate(parts), len(y))
        classes = np.repeat(np.arange(len(counts)), counts)
        return one_hot(_given_objects(self.init, classes, y), len(y))


def _given_objects(init: ArrayLike, classes: IntArray, y: IntArray) -> IntArray:
    chosen = np.asarray(init)
    if chosen.shape != classes.shape or not np.issubdtype(chosen.dtype, np.integer):
        raise ValueError(
            f"init must be {len(classes)} indices of training objects, one per prototype; it is "
            f"{chosen.dtype} of shape {chosen.shape}"
        )
    if chosen.min() < 0 or chosen.max() >= len(y):
        raise ValueError(f"init must hold indices from 0 to {len(y) - 1}")
    wrong = np.flatnonzero(y[chosen] != classes)
    if len(wrong) > 0:
        raise ValueError(
            f"init[{wrong[0]}] (={chosen[wrong[0]]}) is an object of another class than its "
            "prototype"
        )
    return chosen
