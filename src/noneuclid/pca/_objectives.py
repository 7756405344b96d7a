"""Objectives of generalised PCA: f, its derivative, and whether f is convex, on u ≥ 0."""

import re
from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy import interpolate, special

from noneuclid.pca._base import check_positive
from noneuclid.typing import Array

Function = Callable[[Array], Array]

_LP_NAME = re.compile(r"l(\d+(?:\.\d+)?)")
_TABLE_POINTS = 4097


class Objective(NamedTuple):
    """Maximise Σ f(|w'x_i|); ``slope`` is f', ``convex`` guarantees ascent of the plain step."""

    value: Function
    slope: Function
    convex: bool
    is_l1: bool = False
    is_l2: bool = False


def _sech(u: Array) -> Array:
    decay = np.exp(-u)
    return np.asarray(2.0 * decay / (1.0 + decay * decay))


def _log_cosh(u: Array) -> Array:
    return np.asarray(u + np.log1p(np.exp(-2.0 * u)) - np.log(2.0))


_SMOOTH: dict[str, Objective] = {
    "tanh": Objective(_log_cosh, np.tanh, True),
    "sech": Objective(
        lambda u: 3.0 * u - 6.0 * np.arctan(np.tanh(u / 2.0)), lambda u: 3.0 - 3.0 * _sech(u), True
    ),
    "tanh2": Objective(lambda u: 2.0 * (u - np.tanh(u)), lambda u: 2.0 * np.tanh(u) ** 2, True),
    "sigmoid": Objective(
        lambda u: 4.0 * _log_cosh(u / 2.0), lambda u: 2.0 * np.tanh(u / 2.0), True
    ),
    "tanh_sech": Objective(
        lambda u: 2.0 - 2.0 * _sech(u), lambda u: 2.0 * np.tanh(u) * _sech(u), False
    ),
    "cosine": Objective(
        lambda u: u - 2.0 / np.pi * np.sin(np.pi * u / 2.0),
        lambda u: 1.0 - np.cos(np.pi * u / 2.0),
        False,
    ),
}
_PARAMETRIC = ("lp", "l1", "l2", "skeleton", "gaussian")


def _power(p: float) -> Objective:
    if p == 1:
        return Objective(lambda u: u, np.ones_like, True, is_l1=True)
    if p == 2:
        return Objective(lambda u: u**2 / 2.0, lambda u: u, True, is_l2=True)

    def slope(u: Array) -> Array:
        if p > 1:
            return np.asarray(u ** (p - 1.0))
        positive = u > 0  # zero projections have weight 0: f' is infinite there
        return np.where(positive, np.where(positive, u, 1.0) ** (p - 1.0), 0.0)

    return Objective(lambda u: u**p / p, slope, p > 1)


def skeleton(a: float) -> Objective:
    """min(u, a): l2 near zero, l1 far away (Huber)."""
    return Objective(
        lambda u: np.where(u < a, u**2 / 2.0, a * u - a * a / 2.0),
        lambda u: np.minimum(u, a),
        True,
    )


def _gaussian(q: float) -> Objective:
    scale = special.gamma(1.0 / q) / q
    return Objective(
        lambda u: scale * special.gammainc(1.0 / q, u**q), lambda u: np.exp(-(u**q)), False
    )


def _tabulated(slope: Callable[[Any], Any], largest: float) -> Objective:
    """A callable f'; f is its integral on a fine grid, with f' itself as the derivative."""

    def checked(u: Array) -> Array:
        values = np.asarray(slope(u), dtype=np.float64)
        if values.shape != u.shape or not np.isfinite(values).all():
            raise ValueError(
                "objective, a callable, must map an array of numbers u ≥ 0 to finite numbers f'(u)"
            )
        return values

    grid = np.linspace(0.0, max(largest, 1e-300), _TABLE_POINTS)
    slopes, middles = checked(grid), checked((grid[1:] + grid[:-1]) / 2.0)
    pieces = (slopes[:-1] + 4.0 * middles + slopes[1:]) * (grid[1] - grid[0]) / 6.0  # Simpson
    values = np.concatenate([[0.0], np.cumsum(pieces)])
    return Objective(interpolate.CubicHermiteSpline(grid, values, slopes), checked, False)


def make_objective(
    objective: str | Callable[[Any], Any], p: Any, a: float | None, q: Any, largest: float
) -> Objective:
    """The objective a name or callable stands for; ``largest`` bounds its argument."""
    if not isinstance(objective, str):
        if not callable(objective):
            raise TypeError(f"objective (={objective!r}) must be a name or a callable f'(u)")
        return _tabulated(objective, largest)
    if objective in _SMOOTH:
        return _SMOOTH[objective]
    if objective == "skeleton":
        check_positive("a", a)
        return skeleton(float(a or 0.0))
    if objective == "gaussian":
        q = 2.0 if q is None else q
        check_positive("q", q)
        return _gaussian(float(q))
    return _power(_exponent(objective, p))


def _exponent(objective: str, p: Any) -> float:
    match = _LP_NAME.fullmatch(objective)
    if match is not None:
        p = float(match[1])
    elif objective != "lp":
        names = ", ".join(f'"{name}"' for name in sorted((*_SMOOTH, *_PARAMETRIC)))
        raise ValueError(f"objective (={objective!r}) must be a callable f'(u) or one of {names}")
    if not isinstance(p, Real) or isinstance(p, bool) or not 0 < float(p) < np.inf:
        raise ValueError(f'p (={p!r}) must be a positive number for objective="{objective}"')
    return float(p)
