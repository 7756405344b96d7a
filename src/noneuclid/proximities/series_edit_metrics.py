"""Dissimilarities of series by edits: points are matched, left out, split or merged."""

from typing import Any, ClassVar, Literal, Self

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._parameters import Finite, NotNegative, check_parameters
from noneuclid.numerics import series_edits
from noneuclid.proximities.series import Series, as_series
from noneuclid.proximities.series_metrics import SeriesMetric, number
from noneuclid.typing import Array, IntArray


@estimator
class _EditMetric(SeriesMetric):
    """Series turned into each other, point by point."""

    _code: ClassVar[int]

    def _numbers(self) -> tuple[float, float]:
        """At most two parameters, for compiled code."""
        return 0.0, 0.0

    def _fill(self, X: Series, Y: Series, rows: IntArray, same: bool, out: Array) -> None:
        p, q = self._numbers()
        given = X.values, X.offsets, Y.values, Y.offsets, rows, same, self._share
        series_edits.edited_rows(*given, self._code, p, q, out)


@estimator
class EditRealPenalty(_EditMetric):
    r"""Edit distance with a real penalty (ERP): a point left out costs its distance to a number.

    .. math:: g_{ij} = \min(g_{i-1,j-1} + \|x_i - y_j\|,\; g_{i-1,j} + \|x_i - g\|,\;
              g_{i,j-1} + \|y_j - g\|)

    A metric. By name it is ``metric="erp"``.

    Parameters
    ----------
    gap : float, default=0.0
        The number g, in all channels; the mean of the data is a good one, 0 for standardised
        series.

    References
    ----------
    L. Chen and R. Ng (2004), On the marriage of Lp-norms and edit distance.

    Examples
    --------
    >>> EditRealPenalty()([0.0, 1.0, 2.0], [1.0, 2.0])
    0.0
    """

    _code = series_edits.ERP
    gap: Finite = 0.0

    def _numbers(self) -> tuple[float, float]:
        return float(self.gap), 0.0


@estimator
class _Tolerant(_EditMetric):
    """Points match up to a tolerance.

    Parameters
    ----------
    epsilon : float or "auto", default="auto"
        Points at most so far apart match. ``"auto"``: a quarter of the standard deviation of all
        points of the training series.
    """

    epsilon: Literal["auto"] | NotNegative = "auto"

    def resolve(self, X: Any) -> Self:
        """Return the metric with its tolerance fixed.

        Returns
        -------
        metric of the same kind
        """
        check_parameters(self)
        if not isinstance(self.epsilon, str):
            return self
        values = as_series(X).values
        spread = float(np.sqrt(values.var(axis=0).sum())) if len(values) else 0.0
        return type(self)(window=self.window, epsilon=spread / 4.0)

    def _numbers(self) -> tuple[float, float]:
        return number(self, "epsilon"), 0.0


@estimator
class EditRealSequence(_Tolerant):
    r"""Edit distance on real sequences (EDR): the share of points to be changed, or left out.

    The number of insertions, deletions and replacements of points that do not match, over the
    length of the longer series. By name it is ``metric="edr"``.

    References
    ----------
    L. Chen, M. T. Özsu and V. Oria (2005), Robust and fast similarity search for moving object
    trajectories.

    Examples
    --------
    >>> EditRealSequence(epsilon=0.1)([0.0, 1.0, 2.0, 9.0], [0.0, 1.0, 2.0, 3.0])
    0.25
    """

    _code = series_edits.EDR


@estimator
class CommonSubsequence(_Tolerant):
    r"""One minus the share of the longest common subsequence (LCSS) in the shorter series.

    By name it is ``metric="lcss"``.

    References
    ----------
    M. Vlachos, G. Kollios and D. Gunopulos (2002), Discovering similar multidimensional
    trajectories.

    Examples
    --------
    >>> CommonSubsequence(epsilon=0.1)([0.0, 5.0, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0])
    0.25
    """

    _code = series_edits.LCSS


@estimator
class MoveSplitMerge(_EditMetric):
    r"""Least cost of moving, splitting and merging points (MSM).

    Moving a point by v costs \|v\|, splitting one in two or merging two costs c, and more if the
    new point is not between its neighbours. A metric that is not changed by an offset of both
    series. Channels are edited each by itself, and their costs added. By name it is
    ``metric="msm"``.

    Parameters
    ----------
    cost : float, default=1.0
        c.

    References
    ----------
    A. Stefan, V. Athitsos and G. Das (2013), The move-split-merge metric for time series.

    Examples
    --------
    >>> MoveSplitMerge(cost=0.1)([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 2.0])
    0.1
    """

    _code = series_edits.MSM
    cost: NotNegative = 1.0

    def _numbers(self) -> tuple[float, float]:
        return float(self.cost), 0.0


@estimator
class TimeWarpEdit(_EditMetric):
    r"""Time warp edit distance (TWE): matches pay for the difference of times, too.

    .. math:: g_{ij} = \min(g_{i-1,j-1} + \|x_i - y_j\| + \|x_{i-1} - y_{j-1}\| + 2\nu|i - j|,\;
              g_{i-1,j} + \|x_i - x_{i-1}\| + \nu + \lambda,\; \dots)

    A metric for ν > 0. By name it is ``metric="twe"``.

    Parameters
    ----------
    stiffness : float, default=0.001
        ν, per step of time.
    penalty : float, default=1.0
        λ, of a point that is left out.

    References
    ----------
    P.-F. Marteau (2009), Time warp edit distance with stiffness adjustment for time series
    matching.

    Examples
    --------
    >>> TimeWarpEdit()([0.0, 1.0], [0.0, 1.0])
    0.0
    """

    _code = series_edits.TWE
    stiffness: NotNegative = 0.001
    penalty: NotNegative = 1.0

    def _numbers(self) -> tuple[float, float]:
        return float(self.stiffness), float(self.penalty)
