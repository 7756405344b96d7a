"""Products of spaces: curves of several channels, measurements of several kinds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from noneuclid._checks import is_count, shown
from noneuclid._estimator import estimator
from noneuclid._parameters import InvalidParameter, Rule, are_positive, check_parameters
from noneuclid.spaces.base import Space
from noneuclid.spaces.charts import Chart
from noneuclid.spaces.forms import Form, form_of
from noneuclid.spaces.hilbert import Euclidean, PseudoEuclidean
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.lp import Lp
from noneuclid.spaces.names import as_space
from noneuclid.spaces.product_form import ProductForm
from noneuclid.spaces.sobolev import Sobolev
from noneuclid.typing import Array, IntArray

_LAWS_OF_ALL = {"positivity", "linearity", "homogeneity", "triangle", "symmetry", "additivity"}


def _are_spaces(value: Any) -> bool:
    several = isinstance(value, (list, tuple)) and len(value) > 0
    return several and all(isinstance(part, (str, Space)) for part in value)


def _are_counts(value: Any) -> bool:
    if isinstance(value, np.ndarray) and value.ndim != 1:
        return False
    return isinstance(value, (list, tuple, np.ndarray)) and all(is_count(k) for k in value)


_Spaces = Annotated[
    Sequence[str | Space],
    Rule("a list of spaces or their names", _are_spaces),
]
_Weights = Annotated[Sequence[float], Rule("positive numbers, one per space", are_positive)]
_Splits = Annotated[Sequence[int], Rule("a sequence of positive integers", _are_counts)]


@estimator
class ProductSpace(LinearSpace):
    r"""Rows that consist of several parts, each in a space of its own.

    .. math:: \|x\|^2 = \sum_c a_c \|x_c\|_c^2, \qquad
              J(x) = (a_1 J_1(x_1), a_2 J_2(x_2), \dots)

    It is a norm where all the parts are, a Hilbert space where all of them are; its chart is made
    of theirs. Curves of several channels are put in it by themselves.

    Parameters
    ----------
    spaces : list of str or Space
        One per part: anything ``as_space`` accepts that has a duality map of degree 1.
    weights : sequence of float, optional
        :math:`a_c > 0`; by default 1.
    splits : sequence of int, optional
        How many features each part has; or, one number fewer, where the rows are cut, as
        ``numpy.split`` takes it. By default parts whose space fixes their number have it, and the
        others share what is left equally.

    Examples
    --------
    >>> from noneuclid.spaces import Lp, ProductSpace
    >>> space = ProductSpace([Lp(1), Lp(2)], weights=[1.0, 2.0])
    >>> space.squared_norm([[1.0, 1.0, 3.0, 4.0]])  # (1 + 1)² + 2 · 5²
    array([54.])
    >>> space.dual([[1.0, 1.0, 3.0, 4.0]])
    array([[2., 2., 6., 8.]])
    """

    spaces: _Spaces = field(kw_only=False)
    weights: _Weights | None = None
    splits: _Splits | None = None

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a Hilbert space, a Banach space and an indefinite one."""
        return [
            cls([Sobolev(), "l2"], weights=(1.0, 0.3), splits=(4, 2)),
            cls([Lp(1), Sobolev(p=1.5), "l2"]),
            cls([PseudoEuclidean(signature=(2, 1)), Euclidean()], weights=(2.0, 1.0), splits=(3,)),
        ]

    # --- parts ------------------------------------------------------------------------------

    def _parts(self) -> list[LinearSpace]:
        return [as_space(space) for space in self.spaces]  # type: ignore[misc]

    def _scales(self) -> Array:
        if self.weights is None:
            return np.ones(len(self.spaces))
        return np.asarray(self.weights, dtype=np.float64)

    def _check_params(self) -> None:
        for part in self._checked_parts():
            if not isinstance(part, LinearSpace) or part.degree != 1:
                raise InvalidParameter(
                    f"spaces must have a duality map of degree 1, and {shown(part)} has none"
                )
            check_parameters(part)
        n = len(self.spaces)
        if len(self._scales()) != n:
            raise InvalidParameter(
                f"weights (={shown(self.weights)}) must be {n} numbers, one per space"
            )
        if self.splits is not None:
            self._check_splits(n, self.splits)

    def _checked_parts(self) -> list[Space]:
        try:
            return [as_space(space) for space in self.spaces]
        except ValueError as error:
            raise InvalidParameter(f"spaces: {error}") from None

    def _check_splits(self, n: int, given: Sequence[int]) -> None:
        splits = [int(k) for k in given]  # those without a sign have no differences
        if len(splits) not in (n, n - 1):
            raise InvalidParameter(
                f"splits (={shown(self.splits)}) must be the sizes of {n} parts, or {n - 1} cuts"
            )
        if len(splits) == n - 1 and (np.diff(splits) <= 0).any():
            raise InvalidParameter(f"splits (={shown(self.splits)}), as cuts, must increase")

    @property
    def n_features(self) -> int | None:
        """The sum of the parts, where it is known."""
        if self.splits is not None and len(self.splits) == len(self.spaces):
            return sum(map(int, self.splits))
        known = [part.n_features for part in self._parts()]
        return sum(known) if None not in known else None  # type: ignore[arg-type]

    def _sizes(self, d: int) -> list[int]:
        """The number of features of each part, of d in all."""
        n = len(self.spaces)
        known: list[int | None] = [part.n_features for part in self._parts()]
        if self.splits is not None:
            splits = [int(k) for k in self.splits]
            known = [*splits] if len(splits) == n else np.diff([0, *splits, d]).tolist()
        unknown, left = known.count(None), d - sum(size or 0 for size in known)
        if unknown:
            if left <= 0 or left % unknown:
                raise ValueError(
                    f"{d} features cannot be shared equally by the {n} parts of {shown(self)}: say "
                    "in splits how many each has"
                )
            known = [left // unknown if size is None else size for size in known]
        sizes = [int(size or 0) for size in known]
        if sum(sizes) != d or min(sizes) < 1:
            raise ValueError(f"X has {d} features, and the parts of {shown(self)} take {sizes}")
        for part, size in zip(self._parts(), sizes):
            if part.n_features not in (None, size):
                raise ValueError(f"a part has {size} features, but {part} takes {part.n_features}")
        return sizes

    def _cuts(self, d: int) -> IntArray:
        return np.cumsum(self._sizes(d))[:-1]

    def _split(self, X: Array) -> list[Array]:
        return [np.ascontiguousarray(x) for x in np.split(X, self._cuts(X.shape[1]), axis=1)]

    # --- geometry ---------------------------------------------------------------------------

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Those that all parts claim; Cauchy–Schwarz also needs them to have one sign."""
        claimed = [part.laws for part in self._parts()]
        common = frozenset.intersection(*claimed)
        one_sign = len({"positivity" in laws for laws in claimed}) == 1
        return common & (_LAWS_OF_ALL | ({"cauchy_schwarz"} if one_sign else set()))

    def dual(self, V: Array) -> Array:
        """J(x) = (a_1 J_1(x_1), a_2 J_2(x_2), …)."""
        parts = zip(self._scales(), self._parts(), self._split(V))
        return np.hstack([a * part._dual(v) for a, part, v in parts])

    def _squared_norm(self, V: Array) -> Array:
        parts = zip(self._scales(), self._parts(), self._split(V))
        return np.asarray(sum(a * part._squared_norm(v) for a, part, v in parts))

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """Σ_c a_c d_c(x_i, w_j)."""
        X, W = self._check_pair(X, W)
        parts = zip(self._scales(), self._parts(), self._split(X), self._split(W))
        return np.asarray(sum(a * part.squared_distance(x, w) for a, part, x, w in parts))

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Those of the parts, side by side."""
        X, W, F = self._check_forces(X, W, F)
        parts = zip(self._scales(), self._parts(), self._split(X), self._split(W))
        return np.hstack([a * part.pull(x, w, F) for a, part, x, w in parts])

    def chart(self, d: int) -> Chart | None:
        """The charts of the parts side by side; None where one has none."""
        check_parameters(self)  # a part may change its parameters: nothing is remembered here
        sizes = self._sizes(d)
        charts = [part.chart(size) for part, size in zip(self._parts(), sizes)]
        if any(chart is None for chart in charts):
            return None
        return _joined(charts, sizes, np.sqrt(self._scales()))  # type: ignore[arg-type]

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks: the forms of the parts, if all have one."""
        sizes = self._sizes(d)
        forms = [form_of(part, size) for part, size in zip(self._parts(), sizes)]
        known = [form for form in forms if form is not None]
        return ProductForm(known, sizes, self._scales()) if len(known) == len(forms) else None

    # --- on the grid of curves --------------------------------------------------------------

    def on_grid(self, positions: Sequence[Array]) -> Space:
        """One part per channel, each on its grid."""
        if len(positions) == 1 and len(self.spaces) > 1:
            return self  # the user cuts one curve into parts
        if len(self.spaces) != len(positions):
            raise ValueError(
                f"{shown(self)} has {len(self.spaces)} parts, and the curves have "
                f"{len(positions)} channels"
            )
        parts = [part.on_grid([grid]) for part, grid in zip(self._parts(), positions)]
        sizes = tuple(len(grid) for grid in positions)
        return type(self)(parts, weights=self.weights, splits=sizes)


def product_on_grid(space: LinearSpace, positions: Sequence[Array]) -> Space:
    """A product of one space with itself, one factor per channel of curves."""
    parts = [clone(space).on_grid([grid]) for grid in positions]
    return ProductSpace(parts, splits=tuple(len(grid) for grid in positions))


# --- charts -----------------------------------------------------------------------------------


def _joined(charts: list[Chart], sizes: list[int], scales: Array) -> Chart:
    signs = np.concatenate([chart.signs for chart in charts])
    order = np.argsort(signs < 0, kind="stable")  # +1 first
    widths = [len(chart.signs) for chart in charts]
    forth = _SideBySide([chart.forth for chart in charts], sizes, scales, order, after=True)
    back = _SideBySide([chart.back for chart in charts], widths, 1.0 / scales, order, after=False)
    return Chart(forth, back, signs[order])


@dataclass(frozen=True, eq=False)
class _SideBySide:
    """Maps of parts of the columns, times a factor; coordinates are put in an order."""

    maps: list[Any]
    sizes: list[int]
    scales: Array
    order: IntArray
    after: bool

    def __call__(self, X: Array) -> Array:
        if not self.after:
            X = X[:, np.argsort(self.order)]
        parts = np.split(X, np.cumsum(self.sizes)[:-1], axis=1)
        columns = [a * go(part) for a, go, part in zip(self.scales, self.maps, parts)]
        joined = np.hstack(columns)
        return np.ascontiguousarray(joined[:, self.order] if self.after else joined)
