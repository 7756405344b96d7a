"""Prototypes that are objects of the training set."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from noneuclid._progress import progress
from noneuclid.numerics.median import glvq_move_costs, rslvq_move_costs
from noneuclid.prototypes.combinations import CombinationGeometry
from noneuclid.prototypes.costs import GLVQCost, RSLVQCost
from noneuclid.prototypes.initial import initial_coefficients
from noneuclid.prototypes.proximity import ProximityLVQ
from noneuclid.prototypes.solvers import FitResult, Gradient, Task
from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.corrections import Correction
from noneuclid.typing import Array, IntArray


class MedianLVQ(ProximityLVQ):
    r"""Learning vector quantisation whose prototypes are training objects.

    The cost of GLVQ or RSLVQ is minimised over all choices of objects, one prototype at a time:
    each moves to the object of its class that lowers the cost most, until none can. Nothing is
    assumed of the proximities but that they are symmetric; a prototype is an object to look at.

    Parameters
    ----------
    cost : {"glvq", "rslvq"}, default="glvq"
        What is minimised.
    proximity : {"similarity", "dissimilarity"}, default="dissimilarity"
        What the matrix holds. Dissimilarities are squared-distance-like.
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where the proximities come from, as in :class:`ProximityLVQ`.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    sigma2 : float, "scale" or array, default="scale"
        Bandwidth of RSLVQ.
    prior : array, optional
        RSLVQ's prior P(j) of each prototype; uniform by default.
    transfer : {"identity", "sigmoid", "tanh"}, default="identity"
        GLVQ's transfer function.
    slope : float or "auto", default=1.0
        Steepness of sigmoid and tanh.
    correction : {None, "clip", "flip", "shift", "square"}, default=None
        Make the proximities positive first, see ``SpectrumCorrection``.
    init : {"kmedoids", "random"} or array of int of shape (m,), default="kmedoids"
        Class-wise medoids, random objects of the class, or indices of objects, class by class in
        the order of ``classes_``.
    max_epochs : int, default=30
        Rounds over all prototypes.
    tol : float, default=0.0
        A move must lower the cost by more than this share of it.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation.

    Attributes
    ----------
    prototype_indices_ : array of int of shape (m,)
        Which training objects the prototypes are.
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    coefficients_ : array of shape (m, n)
        A one per row, so that everything that takes a :class:`ProximityLVQ` takes this too.
    classes_, support_, signature_, loss_curve_, n_iter_, sigma2_
        As in :class:`ProximityLVQ`.

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

    def __init__(
        self,
        *,
        cost: Literal["glvq", "rslvq"] = "glvq",
        proximity: Proximity = "dissimilarity",
        metric: Any = "precomputed",
        n_prototypes: int | Mapping[Any, int] = 1,
        sigma2: float | Literal["scale"] | ArrayLike = "scale",
        prior: ArrayLike | None = None,
        transfer: Literal["identity", "sigmoid", "tanh"] = "identity",
        slope: float | Literal["auto"] = 1.0,
        correction: Correction | None = None,
        init: str | ArrayLike = "kmedoids",
        max_epochs: int = 30,
        tol: float = 0.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool = False,
        random_state: Any = None,
    ):
        super().__init__(
            cost=cost,
            proximity=proximity,
            metric=metric,
            n_prototypes=n_prototypes,
            sigma2=sigma2,
            prior=prior,
            transfer=transfer,
            slope=slope,
            correction=correction,
            init=init,
            max_epochs=max_epochs,
            tol=tol,
            class_weight=class_weight,
            verbose=verbose,
            random_state=random_state,
        )

    @property
    def prototype_indices_(self) -> IntArray:
        """Which training objects the prototypes are."""
        return self.coefficients_.argmax(axis=1)

    def _start(
        self, geometry: CombinationGeometry, y: IntArray, counts: IntArray, rng: Any
    ) -> Array:
        if self.cost not in ("glvq", "rslvq"):
            raise ValueError(
                f'cost (={self.cost!r}) must be "glvq" or "rslvq": heuristics have no cost to '
                "compare objects by"
            )
        if isinstance(self.init, str) and self.init == "kmedoids":
            return initial_coefficients("kmedoids", geometry, y, counts, rng)
        if isinstance(self.init, str) and self.init != "random":
            raise ValueError(
                f'init (={self.init!r}) must be "kmedoids", "random" or an array of indices'
            )
        owner = np.repeat(np.arange(len(counts)), counts)
        if isinstance(self.init, str):
            parts = [rng.permutation(np.flatnonzero(y == c))[:k] for c, k in enumerate(counts)]
            chosen = np.concatenate(parts)
        else:
            chosen = _given_objects(self.init, owner, y)
        G = np.zeros((len(owner), len(y)))
        G[np.arange(len(owner)), chosen] = 1.0
        return G

    def _solve(
        self, geometry: Any, theta: Any, task: Task, gradient: Gradient, rng: np.random.RandomState
    ) -> FitResult[Any]:
        D = geometry.all_distances()
        chosen = theta.G.argmax(axis=1)
        mover = _MOVERS[str(self.cost)](D, task, self._cost)
        curve = [mover.cost(chosen)]
        for _ in progress(range(self.max_epochs), self.max_epochs, "rounds", self.verbose):
            before = chosen.copy()
            for j in range(len(chosen)):
                mover.move(chosen, j, self.tol)
            curve.append(mover.cost(chosen))
            if (chosen == before).all():
                break
        G = np.zeros_like(theta.G)
        G[np.arange(len(G)), chosen] = 1.0
        return FitResult(geometry.state(G), curve)


def _given_objects(init: ArrayLike, owner: IntArray, y: IntArray) -> IntArray:
    chosen = np.asarray(init)
    if chosen.shape != owner.shape or not np.issubdtype(chosen.dtype, np.integer):
        raise ValueError(
            f"init must be {len(owner)} indices of training objects, one per prototype; it is "
            f"{chosen.dtype} of shape {chosen.shape}"
        )
    if chosen.min() < 0 or chosen.max() >= len(y):
        raise ValueError(f"init must hold indices from 0 to {len(y) - 1}")
    wrong = np.flatnonzero(y[chosen] != owner)
    if len(wrong) > 0:
        raise ValueError(
            f"init[{wrong[0]}] (={chosen[wrong[0]]}) is an object of another class than its "
            "prototype"
        )
    return chosen


class _Mover:
    """The best object for one prototype, the others staying where they are."""

    def __init__(self, D: Array, task: Task, cost: Any):
        self.D, self.cost_function = np.ascontiguousarray(D), cost
        self.task, self.n = task, len(task.y)
        self.weights = np.ones(self.n) if task.weights is None else task.weights
        self.classes = task.own_of_class.argmax(axis=0)

    def to(self, chosen: IntArray) -> Array:
        """Distances of all samples to the prototypes; rows of D are read faster than columns."""
        return np.ascontiguousarray(self.D[chosen].T)

    def cost(self, chosen: IntArray) -> float:
        """Mean cost."""
        evaluation = self.cost_function.evaluate(self.to(chosen), self.task.own, self.task.weights)
        return float(evaluation.value / self.n)

    def move(self, chosen: IntArray, j: int, tol: float) -> None:
        """Move prototype j to the best object of its class, if that is better."""
        taken = np.delete(chosen, j)
        members = np.flatnonzero(self.task.y == self.classes[j])
        candidates = np.setdiff1d(members, taken)
        costs = np.empty(len(candidates))
        self.fill(chosen, j, candidates, costs)
        here = costs[np.searchsorted(candidates, chosen[j])] if chosen[j] in candidates else np.inf
        best = int(costs.argmin())
        if costs[best] < here - tol * abs(here) - 1e-12 * abs(here):
            chosen[j] = candidates[best]

    def fill(self, chosen: IntArray, j: int, candidates: IntArray, costs: Array) -> None:
        """Costs of all candidates."""
        raise NotImplementedError


class _GLVQMover(_Mover):
    def fill(self, chosen: IntArray, j: int, candidates: IntArray, costs: Array) -> None:
        cost: GLVQCost = self.cost_function
        stay = np.arange(len(chosen)) != j
        P, own = self.to(chosen), self.task.own
        right = np.where(own & stay, P, np.inf).min(axis=1)
        wrong = np.where(~own & stay, P, np.inf).min(axis=1)
        mine = own[:, j]
        rest, other = np.where(mine, right, wrong), np.where(mine, wrong, right)
        code = cost.code(len(chosen))
        glvq_move_costs(
            self.D, candidates, mine, rest, other, self.weights, code.transfer, code.slope, costs
        )


class _RSLVQMover(_Mover):
    def fill(self, chosen: IntArray, j: int, candidates: IntArray, costs: Array) -> None:
        cost: RSLVQCost = self.cost_function
        code = cost.code(len(chosen))
        stay = np.arange(len(chosen)) != j
        E = np.where(stay, cost.logits(self.to(chosen)), -np.inf)
        own = self.task.own
        rest_all = logsumexp(E, axis=1)
        with np.errstate(divide="ignore"):
            rest_own = logsumexp(np.where(own, E, -np.inf), axis=1)
        rslvq_move_costs(
            self.D,
            candidates,
            own[:, j],
            rest_own,
            rest_all,
            self.weights,
            float(code.sigma2[j]),
            float(code.log_prior[j]),
            costs,
        )


_MOVERS: dict[str, type[_Mover]] = {"glvq": _GLVQMover, "rslvq": _RSLVQMover}
