"""Dissimilarities of series by warping: the axis of time is bent."""

from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._parameters import NotNegative, Whole, check_parameters
from noneuclid.numerics.warping import shaped_rows, warped_rows
from noneuclid.proximities.series import Series, as_series
from noneuclid.proximities.series_metrics import SeriesMetric, number
from noneuclid.typing import Array, IntArray


@estimator
class DTW(SeriesMetric):
    r"""Dynamic time warping: the least sum of squared differences along a path.

    .. math:: \min_{\text{path}}\sum_{(i,j)\,\in\,\text{path}} \|x_i - y_j\|^2

    No root is taken, so that it is squared-distance-like. It is no metric: expect negative
    eigenvalues. By name it is ``metric="dtw"``.

    References
    ----------
    H. Sakoe and S. Chiba (1978), Dynamic programming algorithm optimization for spoken word
    recognition.

    Examples
    --------
    >>> DTW().between([[0.0, 0.0, 1.0, 2.0], [0.0, 1.0, 2.0, 2.0], [0.0, 2.0]])
    array([[0., 0., 1.],
           [0., 0., 1.],
           [1., 1., 0.]])
    """

    _cells: ClassVar[int] = 1_000_000_000

    def _fill(self, X: Series, Y: Series, rows: IntArray, same: bool, out: Array) -> None:
        self._warp(X, Y, rows, same, out)

    def _warp(
        self,
        X: Series,
        Y: Series,
        rows: IntArray,
        same: bool,
        out: Array,
        *,
        steepness: float = -1.0,
        penalty: float = 0.0,
    ) -> None:
        warped_rows(
            X.values,
            X.offsets,
            Y.values,
            Y.offsets,
            rows,
            same,
            self._share,
            steepness,
            penalty,
            out,
        )


@estimator
class DerivativeDTW(DTW):
    r"""Dynamic time warping of slopes.

    .. math:: x'_i = \tfrac12\Big((x_i - x_{i-1}) + \tfrac12(x_{i+1} - x_{i-1})\Big)

    It does not see an offset. By name it is ``metric="ddtw"``.

    References
    ----------
    E. Keogh and M. Pazzani (2001), Derivative dynamic time warping.

    Examples
    --------
    >>> DerivativeDTW()([0.0, 1.0, 3.0, 3.0], [5.0, 6.0, 8.0, 8.0])
    0.0
    """

    def _prepared(self, X: Series, name: str = "X") -> Series:
        if len(X) and X.lengths.min() < 3:
            raise ValueError(
                f"{type(self).__name__} needs slopes, and {name}[{X.lengths.argmin()}] has fewer "
                "than 3 points"
            )
        return _slopes(X)


def _slopes(X: Series) -> Series:
    V, ends = X.values, X.offsets
    inner = np.zeros_like(V)
    inner[1:-1] = 0.5 * ((V[1:-1] - V[:-2]) + 0.5 * (V[2:] - V[:-2]))
    keep = np.ones(len(V), dtype=bool)
    keep[ends[:-1]] = keep[ends[1:] - 1] = False
    offsets = ends - 2 * np.arange(len(ends))
    return Series(np.ascontiguousarray(inner[keep]), offsets)


@estimator
class WeightedDTW(DTW):
    r"""Dynamic time warping that pays more for pairs far from the diagonal.

    .. math:: w_{|i-j|} = \frac{1}{1 + e^{-g(|i-j| - n/2)}}

    times the squared difference, with the length n of the longer series. By name it is
    ``metric="wdtw"``.

    Parameters
    ----------
    g : float, default=0.05
        How steeply weights rise.

    References
    ----------
    Y.-S. Jeong, M. Jeong and O. Omitaomu (2011), Weighted dynamic time warping for time series
    classification.

    Examples
    --------
    >>> round(WeightedDTW(g=0.0)([0.0, 1.0], [0.0, 3.0]), 3)
    2.0
    """

    g: NotNegative = 0.05

    def _fill(self, X: Series, Y: Series, rows: IntArray, same: bool, out: Array) -> None:
        self._warp(X, Y, rows, same, out, steepness=float(self.g))


@estimator
class AmercingDTW(DTW):
    r"""Dynamic time warping that pays for every step off the diagonal.

    With a penalty ω of 0 it is :class:`DTW`; a large one gives the squared Euclidean distance of
    series of one length. By name it is ``metric="adtw"``, where ω is the mean squared step between
    neighbours of the training series.

    Parameters
    ----------
    penalty : float or "auto", default="auto"
        ω. ``"auto"``: the mean squared difference of neighbouring points of the training series.

    References
    ----------
    M. Herrmann and G. I. Webb (2023), Amercing: an intuitive and effective constraint for dynamic
    time warping.

    Examples
    --------
    >>> AmercingDTW(penalty=0.5)([0.0, 0.0, 1.0], [0.0, 1.0, 1.0])
    1.0
    """

    penalty: Literal["auto"] | NotNegative = "auto"

    def resolve(self, X: Any) -> Self:
        """Return the metric with its penalty fixed.

        Returns
        -------
        AmercingDTW
        """
        check_parameters(self)
        if not isinstance(self.penalty, str):
            return self
        series = as_series(X)
        steps = [np.diff(points, axis=1).ravel() for points in series]
        squares = np.concatenate([np.empty(0), *steps]) ** 2
        penalty = float(squares.mean()) * series.n_channels if len(squares) else 0.0
        return type(self)(window=self.window, penalty=penalty)

    def _fill(self, X: Series, Y: Series, rows: IntArray, same: bool, out: Array) -> None:
        self._warp(X, Y, rows, same, out, penalty=number(self, "penalty"))


@estimator
class ShapeDTW(SeriesMetric):
    r"""Sum of squared differences along the path that is best for the shapes around points.

    The shape of a point are the points at most ``reach`` before and after it, the first and the
    last one repeated. By name it is ``metric="shape_dtw"``.

    Parameters
    ----------
    reach : int, default=5
        How many points before and after belong to a shape.

    References
    ----------
    J. Zhao and L. Itti (2018), shapeDTW: shape dynamic time warping.

    Examples
    --------
    >>> ShapeDTW(reach=1)([0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0])
    0.0
    """

    reach: Whole = 5

    def _prepared(self, X: Series, name: str = "X") -> "_Shaped":
        at = np.repeat(np.arange(len(X)), X.lengths)
        point = np.arange(len(X.values))
        low, high = X.offsets[at], X.offsets[at + 1] - 1
        shifts = np.arange(-self.reach, self.reach + 1)
        around = np.clip(point[:, None] + shifts, low[:, None], high[:, None])
        return _Shaped(X, np.ascontiguousarray(X.values[around].reshape(len(point), -1)))

    def _fill(self, X: "_Shaped", Y: "_Shaped", rows: IntArray, same: bool, out: Array) -> None:
        one, other = X.series, Y.series
        shaped_rows(
            one.values,
            X.shapes,
            one.offsets,
            other.values,
            Y.shapes,
            other.offsets,
            rows,
            same,
            self._share,
            out,
        )


class _Shaped(NamedTuple):
    """Series, and the shape around every point."""

    series: Series
    shapes: Array
