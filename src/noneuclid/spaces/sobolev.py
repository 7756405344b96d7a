"""Spaces of curves and images in which derivatives count."""

import functools
import itertools
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from noneuclid._checks import is_count, is_number, shown
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Rule, Whole, numbers
from noneuclid.numerics import (
    difference_matrix,
    factor_columns,
    factor_gram,
    lp_dual,
    lp_norm,
    lp_pull,
    lp_squared_distance,
    quadrature_weights,
    savgol_matrix,
)
from noneuclid.numerics.linalg import BandedFactor
from noneuclid.spaces.base import HILBERT_LAWS, SEMI_INNER_PRODUCT_LAWS
from noneuclid.spaces.forms import Form
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.lp import Exponent
from noneuclid.spaces.sobolev_form import ROUNDING, SobolevForm, rounding
from noneuclid.typing import Array

# Positions that were float32 once differ by this share of the largest, and steps by at most that.
_SINGLE, _MOST_ROUNDING = 3e-7, 1e-3


class _Axis(NamedTuple):
    """One axis of a curve or image: its derivatives by order, and its quadrature weights."""

    derivatives: list[sparse.csr_array]
    weights: Array


def _is_row(value: Any, least: int) -> bool:
    array = numbers(value)
    row = array is not None and array.ndim == 1 and len(array) >= least
    return row and bool(np.isfinite(array).all())  # type: ignore[arg-type]


def _is_step(value: Any) -> bool:
    number = is_number(value) and 0 < value < np.inf
    return number or (isinstance(value, str) and value == "unit")


_Step = float | Literal["unit"]
_Spacing = Annotated[
    _Step | tuple[_Step, ...],
    Rule(
        'a positive number or "unit"',
        lambda s: all(map(_is_step, s)) if isinstance(s, tuple) else _is_step(s),
    ),
]
_Weights = Annotated[Sequence[float], Rule("a sequence of numbers", lambda v: _is_row(v, 1))]
_Positions = Annotated[
    ArrayLike, Rule("a 1-d array of at least two finite positions", lambda v: _is_row(v, 2))
]
_Shape = Annotated[
    tuple[int, ...],
    Rule(
        "a tuple of positive integers",
        lambda s: isinstance(s, (tuple, list)) and len(s) > 0 and all(map(is_count, s)),
    ),
]


@estimator
class Sobolev(LinearSpace):
    r"""The Sobolev space :math:`W_{K,p}` of functions on a grid.

    .. math::
        \|f\|^p = \sum_{k=0}^{K} a_k \int |f^{(k)}|^p, \qquad
        J(w) = \|w\|^{2-p} \sum_k a_k D_k'\bigl(q \circ |D_k w|^{p-1}\mathrm{sgn}(D_k w)\bigr)

    with :math:`D_k` the k-th derivative as a matrix and q quadrature weights. The norm is the
    :math:`l_p` norm of :math:`Tw`, :math:`T` the stack of all :math:`(a_k q)^{1/p} D_k`; at
    p = 2 the space is a Hilbert space with banded Gram matrix :math:`T'T`.

    **The unit of the axis decides how much a derivative weighs.** Halving ``spacing`` doubles
    every first derivative. With 100 channels at spacing 1 a smooth curve's derivative hardly
    counts; ``spacing="unit"`` (axis of length 1) is often the better choice.

    Parameters
    ----------
    p : float, default=2
        Exponent, at least 1; ``float("inf")`` takes the maximum over all derivatives.
    weights : sequence of float, default=(1, 1)
        :math:`a_0, \dots, a_K`; the first one positive, none negative. ``(1, 0, α)`` is the
        function and its second derivative.
    spacing : float, "unit" or tuple of these, default=1.0
        Distance of neighbouring grid points (with ``grid``: the length of one unit of it), for
        images optionally one per axis. ``"unit"`` scales the axis to length 1.
    grid : array of shape (d,), optional
        Increasing positions, if they are not uniform. Of ``Curves`` they come from the data.
    shape : tuple of int, optional
        Rows of the data are images of this shape, flattened in C order. The sum then runs over
        all mixed derivatives :math:`|α| \le K` with weight :math:`a_{|α|}`.
    quadrature : {"rectangle", "trapezoid"}, default="rectangle"
        How integrals are taken. On a non-uniform grid always the trapezoidal rule.
    derivative : {"central", "savgol"}, default="central"
        Central differences (one-sided at the ends, as ``numpy.gradient``; higher derivatives by
        repetition) or Savitzky–Golay filters, which smooth, on uniform grids.
    window_length, polyorder : int, default=7 and 3
        Of the Savitzky–Golay filter.

    References
    ----------
    T. Villmann (2007), Sobolev metrics for learning of functional data. A. Savitzky and
    M. J. E. Golay (1964), Smoothing and differentiation of data.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(0, 1, 101)
    >>> space = Sobolev(p=2, spacing="unit", quadrature="trapezoid")
    >>> space.squared_norm([np.sin(2 * np.pi * t)]).round(1)  # 1/2 + (2π)²/2
    array([20.2])
    """

    _looks_along = True

    p: Exponent = 2
    weights: _Weights = (1, 1)
    spacing: _Spacing = 1.0
    grid: _Positions | None = None
    shape: _Shape | None = None
    quadrature: Literal["rectangle", "trapezoid"] = "rectangle"
    derivative: Literal["central", "savgol"] = "central"
    window_length: Count = 7
    polyorder: Whole = 3

    @classmethod
    def examples(cls) -> list[Self]:
        """Return p below, at and above 2; grids, images and filters."""
        grid = np.array([0.0, 0.4, 1.0, 1.3, 2.0, 3.1])
        return [
            cls(),
            cls(p=1, spacing="unit"),
            cls(p=1.5, weights=(1, 0.5, 0.2), quadrature="trapezoid"),
            cls(p=np.inf),
            cls(p=2, grid=grid, weights=(1, 0, 2)),
            cls(p=3, grid=grid),
            cls(p=2, shape=(3, 4), weights=(1, 1, 1)),
            cls(p=1.5, shape=(3, 2), spacing=(0.5, "unit")),
            cls(p=2, derivative="savgol", window_length=5, weights=(1, 1, 1)),
        ]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Those of a semi-inner product; all of a Hilbert space at p = 2."""
        return HILBERT_LAWS if self.p == 2 else SEMI_INNER_PRODUCT_LAWS

    @property
    def negative_type(self) -> float:
        """That of l_p, of which the space is a part: p up to 2, none beyond."""
        return float(self.p) if self.p <= 2 else 0.0

    @property
    def n_features(self) -> int | None:
        """The number of grid points or pixels, if given."""
        if self.grid is not None:
            return len(np.asarray(self.grid))
        return None if self.shape is None else int(np.prod(self.shape))

    def _on_axis(self, grid: Array) -> "Sobolev":
        if self.grid is not None or self.shape is not None:
            return self
        return type(self)(**{**self.get_params(deep=False), "grid": grid})

    def _check_params(self) -> None:
        self._remember("checked", self._validate)

    def _validate(self) -> bool:
        weights = np.asarray(self.weights, dtype=float)
        if weights[0] <= 0 or weights.min() < 0:
            raise ValueError(
                f"weights (={shown(self.weights)}) must start with a positive number (else "
                "constant functions have norm 0) and contain no negative one"
            )
        self._check_spacing()
        self._check_grid()
        if self.derivative == "savgol":
            self._check_filter()
        return True

    def _check_spacing(self) -> None:
        spacings = self.spacing if isinstance(self.spacing, tuple) else (self.spacing,)
        if isinstance(self.spacing, tuple) and len(spacings) != len(self.shape or (0,)):
            raise ValueError(
                f"spacing (={self.spacing!r}) must have one entry per axis of shape "
                f"(={self.shape!r})"
            )

    def _check_grid(self) -> None:
        if self.shape is not None and self.grid is not None:
            raise ValueError("give either a grid (of a curve) or a shape (of an image)")
        if self.grid is None:
            return
        grid = np.asarray(self.grid, dtype=float)
        if (np.diff(grid) <= 0).any():
            at = int(np.argmax(np.diff(grid) <= 0))
            raise ValueError(
                f"grid must increase; {grid[at]:g} at index {at} is followed by {grid[at + 1]:g}"
            )

    def _check_filter(self) -> None:
        window, order = self.window_length, self.polyorder
        if not order < window:
            raise ValueError(f"polyorder (={order}) must be less than window_length (={window})")
        if len(self.weights) - 1 > order:
            raise ValueError(
                f"polyorder (={order}) must be at least the order of the highest derivative, "
                f"{len(self.weights) - 1} for weights (={self.weights!r})"
            )
        if self.grid is not None and not _is_uniform(np.asarray(self.grid, dtype=float)):
            raise ValueError(
                'derivative="savgol" needs a uniform grid; use derivative="central" here'
            )

    def _axis(self, n: int, spacing: float | Literal["unit"]) -> _Axis:
        order = len(self.weights) - 1
        if n == 1:  # no neighbour, no derivative: only the function itself counts
            step = 1.0 if spacing == "unit" else float(spacing)
            zero = sparse.csr_array((1, 1))
            return _Axis([sparse.eye_array(1, format="csr")] + [zero] * order, np.array([step]))
        grid: Array = np.asarray(np.arange(n) if self.grid is None else self.grid, dtype=float)
        unit = spacing == "unit"
        grid = (grid - grid[0]) / (grid[-1] - grid[0]) if unit else grid * float(spacing)
        weights = quadrature_weights(grid, self.quadrature if _is_uniform(grid) else "trapezoid")
        derivatives = [sparse.eye_array(n, format="csr")]
        if self.derivative == "central":
            D = difference_matrix(grid)
            for _ in range(order):
                derivatives.append(sparse.csr_array(D @ derivatives[-1]))
        else:
            if self.window_length > n:
                raise ValueError(f"window_length (={self.window_length}) exceeds the {n} points")
            step = grid[1] - grid[0]
            derivatives += [
                savgol_matrix(n, k, step, self.window_length, self.polyorder)
                for k in range(1, order + 1)
            ]
        return _Axis(derivatives, weights)

    def _stack(self, n_features: int) -> sparse.csr_array:
        """T: the rows (a_|α| q)^(1/p) D^α over all multi-indices |α| ≤ K."""
        return self._remember(("stack", n_features), lambda: _known_stack(*self._key(), n_features))

    def _key(self) -> tuple[Any, tuple[tuple[str, Any], ...]]:
        """Class and parameters: equal spaces, such as the clones that learners make, share."""
        return type(self), tuple((name, _frozen(v)) for name, v in self._values().items())

    def _make_stack(self, n_features: int) -> sparse.csr_array:
        shape, a = self.shape or (n_features,), self.weights
        spacings = self.spacing if isinstance(self.spacing, tuple) else len(shape) * [self.spacing]
        axes = [self._axis(n, step) for n, step in zip(shape, spacings)]
        q: Array = functools.reduce(np.kron, [axis.weights for axis in axes])  # type: ignore[arg-type]
        parts = []
        orders = itertools.product(range(len(a)), repeat=len(shape))
        for alpha in sorted(orders, key=lambda alpha: (sum(alpha), alpha)):
            if sum(alpha) >= len(a) or a[sum(alpha)] == 0:
                continue
            D = axes[0].derivatives[alpha[0]]
            for axis, order in zip(axes[1:], alpha[1:]):
                D = sparse.kron(D, axis.derivatives[order], format="csr")
            scale = (a[sum(alpha)] * q) ** (1 / self.p) if self.p < np.inf else np.ones_like(q)
            parts.append(sparse.diags_array(scale) @ D)
        T = sparse.csr_array(sparse.vstack(parts))
        T.sum_duplicates()  # else SciPy sorts T when it first needs to: sums would change
        return T

    def _factor(self, d: int) -> BandedFactor:
        T = self._stack(d)
        G = sparse.csr_array(T.T @ T)
        # G is at least the part of order 0, a diagonal matrix: that bounds its condition.
        condition = abs(G).sum(axis=0).max() / (T[:d].diagonal() ** 2).min()
        return factor_gram(G) if condition < _ILL_CONDITIONED else factor_columns(T)

    def dual(self, V: Array) -> Array:
        """J(w) = T' J_p(T w), with J_p the duality map of l_p."""
        T = self._stack(V.shape[1])
        Z = V @ T.T
        if self.p < 2:  # near p = 1 the sign of a difference counts, not its size: remove noise
            Z[np.abs(Z) <= ROUNDING * (np.abs(V) @ abs(T).T)] = 0.0
        return np.ascontiguousarray(lp_dual(Z, self.p) @ T)

    def _squared_norm(self, V: Array) -> Array:
        return lp_norm(V @ self._stack(V.shape[1]).T, self.p) ** 2

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """‖x_i − w_j‖²: Euclidean in flat coordinates at p = 2, else l_p on Tx, Tw."""
        if self.p == 2:
            return super().squared_distance(X, W)
        X, W = self._check_pair(X, W)
        T = self._stack(X.shape[1])
        return lp_squared_distance(X @ T.T, W @ T.T, self.p)

    def squared_distance_gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """−2 J(x − w_j)."""
        x, W = self._check_point(x, W)
        return self.pull(x[None, :], W, np.ones((1, len(W))))

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """−2 Σ_i F_ij J(x_i − w_j), summed in the coordinates of T."""
        if self.p == 2:
            return super().pull(X, W, F)
        X, W, F = self._check_forces(X, W, F)
        T = self._stack(X.shape[1])
        noise = rounding(T, X, W) if self.p < 2 else None
        return np.ascontiguousarray(lp_pull(X @ T.T, W @ T.T, F, self.p, noise) @ T)

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks: the distance of l_p between the images Tx."""
        if self.p == 2:
            return None
        return self._remember(("form", d), lambda: _known_form(*self._key(), d))

    def balance(self, X: ArrayLike) -> Self:
        """Return the same space with weights under which every term has equal mean on X.

        The natural starting point of a search over weights: no derivative is drowned, none drowns
        the curve itself. Weights that are zero stay zero, the first one stays as it is.

        Parameters
        ----------
        X : array of shape (n, d)
            Curves.

        Returns
        -------
        Sobolev
            A copy.

        Examples
        --------
        >>> import numpy as np
        >>> t = np.linspace(0, 1, 200)
        >>> curves = np.sin(np.outer([1, 2, 3], 2 * np.pi * t))
        >>> space = Sobolev(spacing="unit").balance(curves)
        >>> round(float(space.weights[1]), 4)
        0.0054
        """
        X = self._check(X)
        if not X.any():
            raise ValueError(f"X must have a row that is not zero; its shape is {X.shape}")
        if self.p == np.inf:
            raise ValueError("at p = inf the weights have no effect: there is nothing to balance")
        U: Array = X / np.abs(X).max()  # powers might overflow, and the result has no scale
        weights = [float(a) for a in self.weights]
        means = [self._term(U, k) for k in range(len(weights))]
        balanced = [weights[0]] + [
            weights[0] * means[0] / mean if a > 0 and mean > 0 else a
            for a, mean in zip(weights[1:], means[1:])
        ]
        return type(self)(**{**self.get_params(deep=False), "weights": tuple(balanced)})

    def _term(self, X: Array, order: int) -> float:
        """Mean over the rows of the unweighted term of one order (∫|f^(k)|^p)."""
        only = tuple(float(k in (0, order)) for k in range(order + 1))
        space = type(self)(**{**self.get_params(deep=False), "weights": only})
        terms = np.abs(X @ space._stack(X.shape[1]).T) ** self.p
        first = X.shape[1] if order > 0 else 0
        return float(terms[:, first:].sum(axis=1).mean())


# Beyond, forming G would cost half of the digits; a QR decomposition is slower, but keeps them.
_ILL_CONDITIONED = 1e8


def equal_step(grid: Array, space: Any, instead: str) -> float | None:
    """The step of positions, None of a single one; raise for a space that needs equal steps."""
    if not _is_uniform(grid):
        raise ValueError(
            f"{space} needs curves at equally spaced positions, and theirs are not: use {instead}, "
            "or Curves(…, points=…) with a number of points"
        )
    return float(np.mean(np.diff(grid))) if len(grid) > 1 else None


def _is_uniform(grid: Array) -> bool:
    """Whether steps are equal up to the rounding of the positions, which may have been float32."""
    step = np.diff(grid)
    if len(step) == 0:
        return True
    rounding = min(_SINGLE * float(np.abs(grid).max()), _MOST_ROUNDING * float(step.mean()))
    return bool(np.ptp(step) <= 1e-8 * step.mean() + rounding)


def _frozen(value: Any) -> Any:
    if isinstance(value, (list, tuple, np.ndarray)):
        return tuple(_frozen(item) for item in value)
    return value.item() if isinstance(value, np.generic) else value


@functools.lru_cache(maxsize=8)
def _known_stack(cls: Any, frozen: tuple[tuple[str, Any], ...], d: int) -> sparse.csr_array:
    """T of all spaces with these parameters: to make it takes as long as a short fit."""
    return cls(**dict(frozen))._make_stack(d)


@functools.lru_cache(maxsize=8)
def _known_form(cls: Any, frozen: tuple[tuple[str, Any], ...], d: int) -> SobolevForm:
    return SobolevForm(dict(frozen)["p"], _known_stack(cls, frozen, d))
