"""Curves as people have them: each with its own times, gaps and channels."""

import copy
from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np

from noneuclid._parameters import check
from noneuclid.curves._doors import of_array, of_table, opened
from noneuclid.curves._points import Flat, Packed, Repeated, packed
from noneuclid.curves.grids import CurveGrid, Method, make_grid
from noneuclid.curves.representations import InBasis, OnGrid, in_basis, on_grid
from noneuclid.typing import Array, IntArray


class Curves:
    """Curves, each observed at its own times, in one channel or several.

    A sequence: ``len(curves)``, ``curves[3]`` is a pair (times, values), and slices, masks and
    arrays of indices give curves again, so that cross-validation and searches take them. Every
    learner of rows takes them as well, on a grid that it remembers (``curve_grid_``), so that
    new curves come to the same one; spaces such as ``Sobolev()`` that have no grid get this
    one. :class:`noneuclid.pca.FunctionalPCA` takes the observations as they are.

    Times may come in any order: they are sorted. Values that are missing (NaN, or masked) are
    gaps.

    Parameters
    ----------
    curves : list of (times, values), array, table, or container of other packages
        In a pair, values are a row, or rows (channel, time); channels with times of their own are
        ``([t1, t2], [x1, x2])``. Or what :func:`as_curves` lists.
    repeated : {"refuse", "mean"}, default="refuse"
        What to do with several values at one time of a curve: refuse them, or take their mean.
    points : int or array, optional
        The grid for learners of rows: so many uniform points on the range that all curves have in
        common, or the positions themselves (of several channels: a list of these). By default
        the times themselves, where curves have at least half of all of them on average; else as
        many uniform points as a curve has in the median.
    method : {"linear", "spline", "kriging"}, default="linear"
        How values get there; see :meth:`to_grid`.

    Attributes
    ----------
    times, values : arrays
        All observations: by curve, channel and time.
    offsets : array of int
        Channel c of curve i begins at ``offsets[i * n_channels + c]``.
    n_channels : int
    ids : array or None
        What the curves are called, where a table says so.

    Examples
    --------
    >>> from noneuclid.curves import Curves
    >>> curves = Curves([([0, 1, 2], [1.0, 2.0, 4.0]), ([2, 0], [3.0, 1.0])])
    >>> curves
    Curves(2 curves, 2 to 3 points each, times 0 to 2)
    >>> curves[1]
    (array([0., 2.]), array([1., 3.]))
    >>> curves.to_grid([0.0, 0.5, 2.0]).rows
    array([[1. , 1.5, 4. ],
           [1. , 1.5, 3. ]])
    """

    def __init__(
        self,
        curves: Any,
        *,
        repeated: Repeated = "refuse",
        points: Any = None,
        method: Method = "linear",
    ):
        self._store(opened(curves), repeated, points, method)

    def _store(self, flat: Flat, repeated: Repeated, points: Any, method: Method) -> None:
        check("repeated", repeated, Literal["refuse", "mean"])
        check("method", method, Literal["linear", "spline", "kriging"])
        self._hold(packed(flat, repeated))
        self.n_channels, self.ids = flat.n_channels, flat.ids
        self.points, self.method = points, method

    def _hold(self, observations: Packed) -> None:
        self.times, self.values = observations.times, observations.values
        self.offsets = observations.offsets

    @classmethod
    def _made(cls, flat: Flat, options: dict[str, Any]) -> Self:
        made = cls.__new__(cls)
        made._store(flat, **{"repeated": "refuse", "points": None, "method": "linear"} | options)
        return made

    @classmethod
    def from_array(cls, X: Any, grid: Any = None, **options: Any) -> Self:
        """Curves on one grid: the rows of an array.

        Parameters
        ----------
        X : array of shape (curve, time) or (curve, channel, time)
            NaN and masked entries are gaps.
        grid : array of shape (time,), optional
            By default 0, 1, 2 …
        **options
            ``repeated``, ``points`` and ``method``, as for ``Curves``.

        Returns
        -------
        Curves

        Examples
        --------
        >>> Curves.from_array([[1.0, float("nan"), 3.0], [0.0, 1.0, 2.0]], grid=[0.0, 0.5, 1.0])
        Curves(2 curves, 2 to 3 points each, times 0 to 1)
        """
        return cls._made(of_array(X, grid), options)

    @classmethod
    def from_table(
        cls,
        table: Any,
        *,
        id: str = "id",  # noqa: A002 - the usual name of the column
        time: str = "time",
        value: str = "value",
        channel: str | None = None,
        **options: Any,
    ) -> Self:
        """Curves of a long table: one observation per row.

        Parameters
        ----------
        table : DataFrame of pandas or polars, or dict of columns
        id, time, value : str
            Columns that name the curve, the time and the value.
        channel : str, optional
            Column that names the channel.
        **options
            ``repeated``, ``points`` and ``method``, as for ``Curves``.

        Returns
        -------
        Curves
            In the order in which their names first appear; ``ids`` has the names.

        Examples
        --------
        >>> table = {"id": list("abab"), "time": [0, 0, 1, 2], "value": [1.0, 2.0, 3.0, 4.0]}
        >>> curves = Curves.from_table(table)
        >>> curves, curves.ids.tolist()
        (Curves(2 curves, 2 points each, times 0 to 2), ['a', 'b'])
        """
        return cls._made(of_table(table, id, time, value, channel), options)

    # --- a sequence -------------------------------------------------------------------------

    def __len__(self) -> int:
        return (len(self.offsets) - 1) // self.n_channels

    @property
    def shape(self) -> tuple[int, int]:
        """Number of curves and of channels."""
        return len(self), self.n_channels

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, which: Any) -> Any:
        """One curve as a pair of times and values, or several as curves."""
        if isinstance(which, tuple) and len(which) == 2 and which[1] is Ellipsis:
            which = which[0]  # as scikit-learn asks for rows
        if isinstance(which, tuple):
            raise IndexError("curves have one index: curves[k], curves[2:5], curves[mask]")
        index = np.arange(len(self))[which]
        return self._pair(int(index)) if np.ndim(index) == 0 else self._taken(index)

    def _pair(self, k: int) -> tuple[Any, Any]:
        pairs = [self.observed(k, c) for c in range(self.n_channels)]
        if self.n_channels == 1:
            return pairs[0]
        times = [t for t, _ in pairs]
        if all(np.array_equal(t, times[0]) for t in times):
            return times[0], np.stack([x for _, x in pairs])
        return times, [x for _, x in pairs]

    def _taken(self, index: IntArray) -> Self:
        part, counts = copy.copy(self), self.n_points[index].ravel()
        starts = self.offsets[:-1].reshape(-1, self.n_channels)[index].ravel()
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        where = np.repeat(starts - offsets[:-1], counts) + np.arange(offsets[-1])
        part._hold(Packed(self.times[where], self.values[where], offsets))
        part.ids = None if self.ids is None else self.ids[index]
        return part

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            "curves are not a table of numbers: curves.to_grid(points).rows is one, on the grid "
            "that you give"
        )

    def __repr__(self) -> str:
        n, counts = len(self), self.n_points.sum(axis=1)
        if n == 0:
            return "Curves(0 curves)"
        channels = f", {self.n_channels} channels" if self.n_channels > 1 else ""
        low, high = int(counts.min()), int(counts.max())
        points = f"{low}" if low == high else f"{low} to {high}"
        plural = "s" if n > 1 else ""
        return (
            f"Curves({n} curve{plural}{channels}, {points} points each, times "
            f"{self.times.min():g} to {self.times.max():g})"
        )

    # --- what is known ----------------------------------------------------------------------

    @property
    def n_points(self) -> IntArray:
        """How often each channel of each curve was observed: (n_curves, n_channels)."""
        return np.diff(self.offsets).reshape(-1, self.n_channels)

    def observed(self, k: int, channel: int = 0) -> tuple[Array, Array]:
        """Times and values of one channel of one curve.

        Parameters
        ----------
        k : int
        channel : int, default=0

        Returns
        -------
        times, values : arrays
        """
        at = range(len(self))[k] * self.n_channels + self._channel(channel)
        part = slice(self.offsets[at], self.offsets[at + 1])
        return self.times[part], self.values[part]

    def ranges(self, channel: int = 0) -> tuple[Array, Array]:
        """First and last time of every curve; NaN where the channel was not observed.

        Parameters
        ----------
        channel : int, default=0

        Returns
        -------
        first, last : arrays of shape (n_curves,)
        """
        there = self.n_points[:, channel] > 0
        starts = self.offsets[:-1].reshape(-1, self.n_channels)[:, channel]
        ends = self.offsets[1:].reshape(-1, self.n_channels)[:, channel] - 1
        first, last = np.full((2, len(self)), np.nan)
        first[there], last[there] = self.times[starts[there]], self.times[ends[there]]
        return first, last

    def grid(self, channel: int = 0) -> Array | None:
        """The times at which all curves were observed, if they are the same for all.

        Parameters
        ----------
        channel : int, default=0

        Returns
        -------
        array, or None
        """
        counts = self.n_points[:, channel]
        if len(counts) == 0 or counts[0] == 0 or (counts != counts[0]).any():
            return None
        times = self._column(self.times, channel)
        return times[0].copy() if (times == times[0]).all() else None

    def matrix(self, channel: int = 0) -> Array:
        """Values of curves that have as many of them each: (n_curves, n_points).

        Parameters
        ----------
        channel : int, default=0

        Returns
        -------
        array
        """
        return self._column(self.values, channel)

    def _channel(self, channel: int) -> int:
        if not 0 <= channel < self.n_channels:
            raise ValueError(
                f"channel (={channel}) must be between 0 and {self.n_channels - 1}: the curves "
                f"have {self.n_channels}"
            )
        return channel

    def _column(self, numbers: Array, channel: int) -> Array:
        counts = self.n_points[:, self._channel(channel)]
        if (counts != counts[:1]).any():
            raise ValueError(
                f"the curves have between {counts.min()} and {counts.max()} values each, which is "
                "no matrix: use to_grid(points)"
            )
        starts = self.offsets[:-1].reshape(-1, self.n_channels)[:, channel]
        return numbers[starts[:, None] + np.arange(self.n_points[0, channel])]

    def flat_points(self) -> Flat:
        """Every observation with the number of its curve and channel.

        Returns
        -------
        Flat
        """
        key = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        curves, channels = np.divmod(key, self.n_channels)
        return Flat(curves, channels, self.times, self.values, len(self), self.n_channels, self.ids)

    # --- as rows ----------------------------------------------------------------------------

    def to_grid(self, points: Any = None, method: Method | None = None) -> OnGrid:
        """The curves on one grid.

        ``"linear"`` and ``"spline"`` pass through the observations; ``"kriging"`` takes curves for
        Gaussian processes with one Matérn covariance, whose length, variance and noise are most
        likely for all of them, and tells how uncertain it is between observations.

        Parameters
        ----------
        points : int or array, optional
            As for ``Curves``; by default what was said there.
        method : {"linear", "spline", "kriging"}, optional
            By default what was said there.

        Returns
        -------
        OnGrid
            ``rows``, ``positions``, and the ``error`` of each curve.

        Examples
        --------
        >>> import numpy as np
        >>> t = np.linspace(0, 1, 30)
        >>> curves = Curves([(t, np.sin(6 * t)), (t**2, np.cos(6 * t**2))])
        >>> found = curves.to_grid(50, method="spline")
        >>> found.rows.shape, bool(found.error.max() < 0.002)
        ((2, 50), True)
        """
        method = self.method if method is None else method
        check("method", method, Literal["linear", "spline", "kriging"])
        return on_grid(self, make_grid(self, self.points if points is None else points, method))

    def to_basis(
        self, basis: str = "bspline", *, n_basis: Any = None, smoothing: Any = "gcv"
    ) -> InBasis:
        r"""The curves as combinations of basis functions, by penalised least squares.

        .. math:: \min_c \sum_k \bigl(x_k - f(t_k)\bigr)^2 + \text{smoothing}\int (f'')^2,
                  \qquad f = \sum_j c_j \varphi_j

        Parameters
        ----------
        basis : {"bspline", "fourier", "monomial"}, default="bspline"
        n_basis : int, optional
            Number of functions; by default 15 splines, 11 waves or 5 powers, at most as many as
            the points of most curves.
        smoothing : "gcv" or float, default="gcv"
            Weight of the roughness. ``"gcv"``: one weight for all curves of a channel, which
            minimises generalised cross-validation,
            :math:`\sum_i n_i\,\mathrm{RSS}_i/(n_i - \mathrm{tr} H_i)^2`.

        Returns
        -------
        InBasis
            ``coefficients``, ``evaluate(t)``, the ``smoothing`` of each channel, and the ``error``
            of each curve.

        References
        ----------
        P. Craven and G. Wahba (1979), Smoothing noisy data with spline functions.

        Examples
        --------
        >>> import numpy as np
        >>> t = np.linspace(0, 1, 40)
        >>> found = Curves([(t, np.sin(6 * t)), (t, np.cos(6 * t))]).to_basis("bspline")
        >>> found.coefficients[0].shape, bool(found.error.max() < 1e-4)
        ((2, 15), True)
        """
        return in_basis(self, basis, n_basis, smoothing)

    def rows_for(self, owner: Any, *, reset: bool) -> Array:
        """Rows on the grid of a learner, which it remembers when it is fitted.

        Parameters
        ----------
        owner : estimator
        reset : bool
            Whether these are the curves it learns from.

        Returns
        -------
        array of shape (n_curves, n_features)
        """
        learner = type(owner).__name__
        if reset:
            owner.curve_grid_ = make_grid(self, self.points, self.method, learner)
        grid: CurveGrid | None = getattr(owner, "curve_grid_", None)
        if grid is None:
            raise ValueError(
                f"this {learner} was fitted on a table, which has no times: give it rows of a "
                "table, or fit it on Curves"
            )
        return grid.rows(self, learner)
