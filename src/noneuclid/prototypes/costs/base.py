r"""What a cost of learning vector quantisation is: distances in, value and forces out.

A cost never sees data, prototypes or a geometry. It takes the distances :math:`d_{ij}` of sample i
to prototype j and who belongs to whom, and returns a value for every sample, always minimised,
with the forces :math:`F = \partial\,\mathrm{value}/\partial D`. Everything else is derived, or
has a default that a cost may replace.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from noneuclid._checks import shown
from noneuclid._documentation import Documented
from noneuclid._parameters import Rule, check, check_parameters, is_array, numbers
from noneuclid._sklearn import BaseEstimator
from noneuclid.numerics import first_argmin
from noneuclid.typing import Array, IntArray

Mask = np.ndarray


def _are_positive(value: Any) -> bool:
    array = numbers(value)
    if array is None:
        return False
    sizes = array.astype(np.float64)  # the bounds are beyond float16
    return bool(((sizes >= 1e-150) & (sizes <= 1e150)).all())


PositiveNumbers = Annotated[
    ArrayLike,
    Rule("positive numbers, one per prototype", lambda v: is_array(v) and _are_positive(v)),
]
Bandwidths = Annotated[
    Any, Rule("positive (from 1e-150 to 1e150)", _are_positive), Literal["scale"]
]


LearnedBandwidths = Annotated[Any, Bandwidths, Literal["learn", "learn_each"]]


class Evaluation(NamedTuple):
    """What a cost says about a matrix of distances."""

    value: float
    forces: Array
    refused: int = 0
    """Samples left out because GLVQ's denominator was not positive."""


class PerSample(NamedTuple):
    """Value of every sample (n,), and forces (n, m)."""

    values: Array
    forces: Array
    refused: int = 0


class CostCode(NamedTuple):
    """A cost for compiled code: its parameters, which tell it.

    What it does not have stays None, and then code for it is not compiled either. See
    :func:`noneuclid.numerics.lvq.sample_forces`.
    """

    reward: float | None = None
    transfer: int | None = None
    slope: float | None = None
    window: float | None = None
    sigma2: Array | None = None
    log_prior: Array | None = None


@dataclass
class Membership:
    """Who belongs to whom: the class of every sample (n,) and of every prototype (m,)."""

    y: IntArray
    classes: IntArray

    @cached_property
    def own(self) -> Mask:
        """(n, m): whether prototype j has the class of sample i."""
        return self.of_class[self.y]

    @cached_property
    def of_class(self) -> Mask:
        """(n_classes, m): whether prototype j has the class."""
        last = max(self.y.max(initial=-1), self.classes.max(initial=-1))
        return self.classes == np.arange(last + 1)[:, None]

    def rows(self, index: IntArray | slice) -> "Membership":
        """The same for some of the samples."""
        part = Membership(self.y[index], self.classes)
        part.__dict__["of_class"], part.__dict__["own"] = self.of_class, self.own[index]
        return part


@dataclass
class Outset:
    """What automatic parameters of a cost may look at, before learning begins."""

    average: Callable[[Callable[[Array, "Membership"], Array]], tuple[float, float]]
    """Mean and standard deviation of a function of the distances to the first prototypes."""
    who: Membership
    bandwidth: Callable[[], float] = field(default=lambda: 1.0)
    """A share of the variance within classes."""
    literal: bool = False
    """Whether every step shall be the published one."""
    steepness: float = 2.0
    """An automatic slope times the standard deviation of the margins."""


def mean_and_deviation(values: Array, weights: Array | None) -> tuple[float, float]:
    """Weighted mean and standard deviation."""
    mean = float(np.average(values, weights=weights))
    return mean, float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))


class Cost(Documented, BaseEstimator):
    """A cost of distances. Implement :meth:`per_sample`; the rest has defaults.

    Parameters only: a cost clones, prints and grid-searches (``cost__sigma2``). A sub-class with a
    ``name`` is found by it, by every learner, table and test.
    """

    name: ClassVar[str]
    """What ``cost=`` calls it."""
    is_heuristic: ClassVar[bool] = False
    """Whether the value has no lower bound: learning is judged by errors, and has no gradient."""
    is_soft: ClassVar[bool] = False
    """Whether the scores are log-probabilities of the classes."""
    per_distance: ClassVar[bool] = False
    """Whether forces are reciprocal distances, so that rescaled data rescale them."""

    @property
    def learns_bandwidth(self) -> Literal["one", "each"] | None:
        """Whether its bandwidth is to be learned with the prototypes: one for all, or each."""
        return None

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a few instances; every test over all costs runs on them.

        Returns
        -------
        list of Cost
            Of this class.
        """
        return [cls()]

    @abstractmethod
    def per_sample(self, D: Array, who: Membership) -> PerSample | tuple[Array, Array]:
        """Values (n,) and forces ∂value_i/∂d_ij (n, m).

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.
        who : Membership
            Which prototypes are of the class of each sample.

        Returns
        -------
        values : array of shape (n,)
            What each sample costs.
        forces : array of shape (n, m)
            Derivatives.
        """

    def check(self) -> None:
        """Raise ValueError for parameters that make no sense."""
        check_parameters(self)

    def resolve(self, outset: Outset) -> Self:
        """The cost with its automatic parameters fixed, independent of this one.

        Parameters
        ----------
        outset : Outset
            What is known of data and prototypes before learning.

        Returns
        -------
        Cost
            A copy.
        """
        return clone(self)

    def evaluate(self, D: Array, who: Membership, weights: Array | None = None) -> Evaluation:
        """Value and ∂value/∂D of all samples together.

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.
        who : Membership
            Which prototypes are of the class of each sample.
        weights : array of shape (n,), optional
            Of the samples; one each by default.

        Returns
        -------
        Evaluation
            Value, forces, and which samples were refused.
        """
        values, F, *refused = self.per_sample(D, who)
        if weights is None:
            return Evaluation(float(values.sum()), F, *refused)
        return Evaluation(float(weights @ values), weights[:, None] * F, *refused)

    def loss(self, D: Array, who: Membership, weights: Array | None = None) -> float:
        """What learning is judged by: the value, or the errors where the cost is a heuristic.

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.
        who : Membership
            Which prototypes are of the class of each sample.
        weights : array of shape (n,), optional
            Of the samples; one each by default.

        Returns
        -------
        float
            The smaller, the better.
        """
        if not self.is_heuristic:
            return self.evaluate(D, who, weights).value
        wrong = ~who.own[np.arange(len(D)), first_argmin(D)]
        return float(wrong.sum() if weights is None else weights[wrong].sum())

    def unit(self) -> float | Array:
        """What turns F into the force φ of the published learning rules.

        Returns
        -------
        float or array of shape (m,)
            A factor.
        """
        return 1.0

    def class_scores(self, D: Array, of_class: Mask) -> Array:
        """Evidence for every class (n, n_classes); minus the distance to its nearest prototype.

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.
        of_class : array of bool of shape (n_classes, m)
            Which prototypes are of which class.

        Returns
        -------
        array of shape (n, n_classes)
            The largest one is predicted.
        """
        if one_each(of_class):
            return -D
        return np.stack([-D[:, own].min(axis=1) for own in of_class], axis=1)

    def assignment_logits(self, D: Array) -> Array:
        """Log-weight of every prototype for every sample, up to a constant per sample.

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.

        Returns
        -------
        array of shape (n, m)
            Larger for nearer prototypes.
        """
        return -D / max(float(D.min(axis=1).mean()), 1e-300)

    def spread(self, counts: IntArray) -> Self:
        """The cost where ``counts[j]`` prototypes stand in the place of prototype j.

        Parameters
        ----------
        counts : array of int of shape (m,)
            How many stand in the place of each prototype.

        Returns
        -------
        Cost
            A copy, or this one if nothing depends on the prototypes.
        """
        return self

    def code(self, n_prototypes: int) -> CostCode | None:
        """The cost for compiled code, where there is such a thing.

        Parameters
        ----------
        n_prototypes : int
            How many there are.

        Returns
        -------
        CostCode or None
            None where only Python knows the cost.
        """
        return None

    def move_costs(
        self, D: Array, who: Membership, weights: Array, j: int, R: Array, candidates: IntArray
    ) -> Array:
        """Value of all samples if prototype j were at object k, for every candidate k.

        Row k of R holds the distances of all samples to object k.

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.
        who : Membership
            Which prototypes are of the class of each sample.
        weights : array of shape (n,)
            Of the samples.
        j : int
            The prototype that moves.
        R : array of shape (n_objects, n)
            Squared distances of objects to samples.
        candidates : array of int
            Objects to try.

        Returns
        -------
        array of shape (n_candidates,)
            Values.
        """
        D = D.copy()
        costs = np.empty(len(candidates))
        for k, candidate in enumerate(candidates):
            D[:, j] = R[candidate]
            costs[k] = self.evaluate(D, who, weights).value
        return costs


def one_each(of_class: Mask) -> bool:
    """Whether every class has one prototype, in order: nothing has to be looked for."""
    n_classes, m = of_class.shape
    return n_classes == m and bool(of_class.diagonal().all())


def nearest(D: Array, mask: Mask) -> tuple[IntArray, Array]:
    """Index and distance of the nearest prototype among those of the mask, per row."""
    index = first_argmin(np.where(mask, D, np.inf))
    return index, D[np.arange(len(D)), index]


def positive_numbers(name: str, values: ArrayLike, m: int) -> Array:
    """Return m positive numbers as an array, or raise."""
    array = np.asarray(values, dtype=float)
    if array.shape != (m,):
        raise ValueError(f"{name} (={shown(values)}) must be positive, one number or {m} of them")
    return array


def resolved_bandwidth(sigma2: Any, outset: Outset) -> float | Array:
    """Bandwidth of a soft cost: as given, or ``"scale"``, a share of the variance in classes."""
    check("sigma2", sigma2, LearnedBandwidths)
    if isinstance(sigma2, str):
        return outset.bandwidth()
    if np.ndim(sigma2) == 0:
        return float(sigma2)
    return positive_numbers("sigma2", sigma2, len(outset.who.classes))
