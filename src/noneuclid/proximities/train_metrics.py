"""Distances of spike trains, or of any sequences of events, that have a name of their own."""

from abc import abstractmethod
from typing import Any, Literal, Self

import numpy as np

from noneuclid._memory import require_matrices
from noneuclid._parameters import NotNegative, Positive, check_parameters
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.kernels.pairs import FEWER_PAIRS
from noneuclid.kernels.trains import Trains, as_trains, check_units
from noneuclid.numerics.spike_edits import edit_costs
from noneuclid.typing import Array

# Squared distances below this share of both squared lengths are rounding, which a root would show.
_ROUNDING = 1e-13


class TrainMetric(BaseEstimator):
    """A distance of two trains, computed for all pairs at once.

    It goes wherever a metric goes, as an object or by its name, and clones, prints and
    grid-searches (``metric__cost``). Called with two trains it gives their distance.
    """

    def __call__(self, a: Any, b: Any) -> float:
        """Return the distance of two trains."""
        return float(self.between([a], [b])[0, 0])

    def as_objects(self, X: Any, name: str = "X") -> Trains:
        """Return the trains in one form, checked and sorted.

        Parameters
        ----------
        X : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``
        name : str, default="X"
            What errors call it.

        Returns
        -------
        Trains
        """
        return as_trains(X, name)

    def between(self, X: Any, Y: Any = None) -> Array:
        """Return the distances of all trains of X to all of Y, or to each other.

        Parameters
        ----------
        X, Y : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``

        Returns
        -------
        array of shape (n, m)
        """
        check_parameters(self)
        X = self.as_objects(X)
        Y = X if Y is None else self.as_objects(Y, "Y")
        check_units(X, Y)
        what = f"{type(self).__name__} distances of {len(X):,} and {len(Y):,} trains"
        require_matrices(what, len(X), len(Y), instead=FEWER_PAIRS)
        return self._evaluate(X, Y)

    @abstractmethod
    def _evaluate(self, X: Trains, Y: Trains) -> Array:
        """Distances of valid trains; ``Y is X`` if those between all of X are wanted."""

    @abstractmethod
    def resolve(self, X: Any) -> Self:
        """Return the metric with what it leaves to the data fixed on X.

        Parameters
        ----------
        X : list of 1-d arrays
            Training trains.

        Returns
        -------
        TrainMetric
            A copy.
        """

    def _number(self, name: str) -> float:
        value = getattr(self, name)
        if isinstance(value, str):
            raise ValueError(
                f'{name} (="{value}") of {type(self).__name__} depends on the data: call '
                "resolve(X), or let a learner fit it"
            )
        return float(value)


def _typical_interval(X: Any) -> float:
    """Median interval between the events of a train, of all trains together."""
    trains = as_trains(X)
    within = np.diff(trains.times)
    borders = trains.offsets[1:-1] - 1
    inner = np.ones(len(within), dtype=bool)
    inner[borders[(borders >= 0) & (borders < len(within))]] = False
    intervals = within[inner & (within > 0)]
    if len(intervals) == 0:
        raise ValueError(
            '"auto" is the median interval between the events of a train, and no train has two at '
            "different times: give a number"
        )
    return float(np.median(intervals))


class VictorPurpura(TrainMetric):
    r"""The least cost of turning one train into another: an edit distance of events.

    Inserting or deleting an event costs 1, moving it by t costs :math:`q|t|`. Events farther
    apart than 2/q are cheaper deleted and inserted than moved: 2/q is the time at which the
    distance looks. With q = 0 it is the difference of the numbers of events; for large q it
    counts the events that do not coincide.

    By name it is ``metric="victor_purpura"``, with ``cost="auto"``. It is a metric, but not the
    distance of a Euclidean space: expect negative eigenvalues. Time grows with the product of the
    numbers of events.

    Parameters
    ----------
    cost : float or "auto", default="auto"
        q, per unit of time. ``"auto"``: two over the median interval between the events of the
        training trains.

    References
    ----------
    J. D. Victor and K. P. Purpura (1996), Nature and precision of temporal coding in visual cortex:
    a metric-space analysis. Journal of Neurophysiology 76.

    Examples
    --------
    >>> VictorPurpura(cost=2.0).between([[0.0], [0.25, 1.0], []])
    array([[0. , 1.5, 1. ],
           [1.5, 0. , 2. ],
           [1. , 2. , 0. ]])
    """

    def __init__(self, *, cost: Literal["auto"] | NotNegative = "auto"):
        self.cost = cost

    def resolve(self, X: Any) -> "VictorPurpura":
        """Return the metric with its cost fixed.

        Parameters
        ----------
        X : trains

        Returns
        -------
        VictorPurpura
        """
        check_parameters(self)
        if not isinstance(self.cost, str):
            return self
        return VictorPurpura(cost=2.0 / _typical_interval(X))

    def _evaluate(self, X: Trains, Y: Trains) -> Array:
        q = self._number("cost")
        return edit_costs(X.times, X.offsets, Y.times, Y.offsets, q, same=Y is X)


class VanRossum(TrainMetric):
    r"""The distance of trains smoothed by a causal exponential.

    .. math:: d^2(x, y) = \frac2\tau\int_0^\infty (f_x - f_y)^2\,dt, \qquad
              f_x(t) = \sum_m e^{-(t - t_m)/\tau}\,[t \ge t_m] ,

    so that one event is at distance 1 from none, and two far apart at :math:`\sqrt2` (van Rossum's
    own has no factor 2). It is :math:`\sqrt{2\tau}` times that of
    ``SpikeTrainKernel(tau, smoothing="exponential")``, and its square that of a Hilbert space:
    ``Relation(squared=False)`` squares it. Time is linear in the number of events.

    By name it is ``metric="van_rossum"``, with ``tau="auto"``.

    Parameters
    ----------
    tau : float or "auto", default="auto"
        Time constant τ. ``"auto"``: the median interval between the events of the training trains.

    References
    ----------
    M. C. W. van Rossum (2001), A novel spike distance. Neural Computation 13.

    Examples
    --------
    >>> VanRossum(tau=0.5).between([[0.0], [0.0, 1.0], []]).round(4)
    array([[0.    , 1.    , 1.    ],
           [1.    , 0.    , 1.5069],
           [1.    , 1.5069, 0.    ]])
    """

    def __init__(self, *, tau: Literal["auto"] | Positive = "auto"):
        self.tau = tau

    def resolve(self, X: Any) -> "VanRossum":
        """Return the metric with its time constant fixed.

        Parameters
        ----------
        X : trains

        Returns
        -------
        VanRossum
        """
        check_parameters(self)
        return VanRossum(tau=_typical_interval(X)) if isinstance(self.tau, str) else self

    def _evaluate(self, X: Trains, Y: Trains) -> Array:
        tau = self._number("tau")
        kernel = SpikeTrainKernel(tau, smoothing="exponential")
        D = kernel.squared_distance(X, None if Y is X else Y)
        sizes = kernel.diag(X)[:, None] + kernel.diag(Y)
        D[_ROUNDING * sizes >= D] = 0.0
        return np.sqrt(2.0 * tau * D)
