r"""Objectives of generalised PCA: functions f of the modulus of a projection.

Components maximise :math:`\sum_i f(|w'x_i|)`. A new named objective is one entry of ``_NAMED``.
"""

import re
from collections.abc import Callable
from dataclasses import field
from typing import Annotated, Any, Literal

import numpy as np
from scipy import interpolate, special

from noneuclid._checks import shown
from noneuclid._documentation import Documented
from noneuclid._estimator import estimator
from noneuclid._parameters import Made, Rule, check_parameters
from noneuclid._sklearn import BaseEstimator
from noneuclid.typing import Array

Function = Callable[[Array], Any]
_Function = Annotated[Function, Rule("a function of an array u ≥ 0", callable)]

_LP_NAME = re.compile(r"l(\d+(?:\.\d+)?)")
_TABLE_POINTS = 4097
# Slopes that fall by less than this share of the largest are taken for rounding.
_ROUNDING = 1e-12
# A value and the integral of its slope may differ by this share: slopes may have kinks and jumps.
_SAME = 0.05


@estimator
class Objective(Documented, BaseEstimator):
    r"""What generalised components maximise: :math:`\sum_i f(|w'x_i|)`.

    For convex f the plain step never lowers the objective, and nothing has to be searched along
    it. Parameters only: an objective clones, prints, and is saved if its functions can be imported.

    Parameters
    ----------
    value : callable, optional
        f of an array u ≥ 0. None integrates the slope numerically.
    slope : callable
        f', its derivative, finite.
    convex : bool or "auto", default="auto"
        Whether f(\|·\|) is convex: its slope never falls and is not negative at 0. ``"auto"`` looks
        at the slopes up to the largest norm of the data. A claim that the data refute is refused.

    Examples
    --------
    Log-cosh with a width, a smooth version of the modulus:

    >>> import numpy as np
    >>> from noneuclid.pca import GeneralizedPCA, Objective
    >>> objective = Objective(lambda u: np.log(np.cosh(3 * u)) / 3, lambda u: np.tanh(3 * u))
    >>> X = np.random.default_rng(0).normal(size=(50, 3)) * [3, 1, 0.3]
    >>> w = GeneralizedPCA(n_components=1, objective=objective).fit(X).components_[0]
    >>> bool(abs(w[0]) > 0.9)
    True
    >>> objective.resolve(10.0).convex
    True
    """

    value: Annotated[Any, _Function | None] = field(default=None, kw_only=False)
    slope: Annotated[Any, _Function] = field(default=None, kw_only=False)
    convex: Literal["auto"] | bool = "auto"
    is_l1 = False  # whether it is f(u) = u, whose slopes are signs
    is_l2 = False  # whether it is f(u) = u²/2, whose components are eigenvectors

    def resolve(self, largest: float) -> "Objective":
        """The same with a value and a known convexity, checked for arguments up to the largest.

        Parameters
        ----------
        largest : float
            The largest argument there will be.

        Returns
        -------
        Objective
            A copy.
        """
        check_parameters(self)
        slope = _checked(
            self.slope,
            "slope, a callable, must map an array of numbers u ≥ 0 to finite numbers f'(u)",
        )
        grid = np.linspace(0.0, max(largest, 1e-300), _TABLE_POINTS)
        slopes, middles = slope(grid), slope((grid[1:] + grid[:-1]) / 2.0)
        pieces = (slopes[:-1] + 4.0 * middles + slopes[1:]) * (grid[1] - grid[0]) / 6.0  # Simpson
        table = np.concatenate([[0.0], np.cumsum(pieces)])
        convex = self._convexity(np.insert(middles, np.arange(len(middles)), slopes[:-1]), largest)
        if self.value is None:
            value: Any = interpolate.CubicHermiteSpline(grid, table, slopes)
        else:
            value = _checked(
                self.value, "value must map an array of numbers u ≥ 0 to finite numbers f(u)"
            )
            rise = value(grid) - value(grid[:1])
            if np.abs(rise - table).max() > _SAME * max(np.abs(table).max(), 1e-300):
                raise ValueError(
                    "slope is not the derivative of value: between 0 and "
                    f"{largest:.3g} the one integrates to {table[-1]:.3g}, the other rises by "
                    f"{rise[-1]:.3g}"
                )
        return Objective(value, slope, convex=convex)

    def _convexity(self, slopes: Array, largest: float) -> bool:
        if self.convex is False:
            return False
        margin = _ROUNDING * np.abs(slopes).max()
        falls = np.flatnonzero((np.diff(slopes) < -margin) | (slopes[:-1] < -margin))
        if self.convex == "auto" or not len(falls):
            return not len(falls)
        at = largest * falls[0] / len(slopes)
        raise ValueError(f"convex (=True): the slope falls, or is negative, near u = {at:.3g}")


def _checked(function: Function, complaint: str) -> Function:
    def checked(u: Array) -> Array:
        values = np.asarray(function(u), dtype=np.float64)
        if values.shape != u.shape or not np.isfinite(values).all():
            raise ValueError(f"objective: {complaint}")
        return values

    return checked


def power(p: float) -> Objective:
    """f(u) = u^p/p; for p < 1 projections of zero have weight 0, as f' is infinite there."""

    def slope(u: Array) -> Array:
        if p >= 1:
            return np.asarray(np.ones_like(u) if p == 1 else u ** (p - 1.0))
        positive = u > 0
        return np.where(positive, np.where(positive, u, 1.0) ** (p - 1.0), 0.0)

    made = Objective(lambda u: u if p == 1 else u**p / p, slope, convex=p >= 1)
    made.is_l1, made.is_l2 = p == 1, p == 2
    return made


def skeleton(a: float) -> Objective:
    """f'(u) = min(u, a): l2 near zero, l1 far away (Huber)."""
    return Objective(
        lambda u: np.where(u < a, u**2 / 2.0, a * u - a * a / 2.0),
        lambda u: np.minimum(u, a),
        convex=True,
    )


def gaussian(q: float) -> Objective:
    """f'(u) = exp(−u^q)."""
    scale = special.gamma(1.0 / q) / q
    return Objective(
        lambda u: scale * special.gammainc(1.0 / q, u**q), lambda u: np.exp(-(u**q)), convex=False
    )


# Differences such as u − tanh u lose their digits near zero: there, a few terms of the series in u.
_NEAR_ZERO = 0.1


def _near_zero(u: Array, far: Array, *series: float) -> Array:
    """u³(c₀ + c₁u² + …) near zero, else what was computed in closed form."""
    v = np.minimum(u, _NEAR_ZERO)
    return np.where(u < _NEAR_ZERO, v**3 * np.polynomial.polynomial.polyval(v * v, series), far)


def _sech(u: Array) -> Array:
    decay = np.exp(-u)
    return np.asarray(2.0 * decay / (1.0 + decay * decay))


def _one_minus_sech(u: Array) -> Array:
    return np.asarray(np.expm1(-u) ** 2 / (1.0 + np.exp(-2.0 * u)))


# From here on log cosh grows by 1 per 1, to the last digit; its square is still a number.
_STRAIGHT = 300.0


def _log_cosh(u: Array) -> Array:
    v = np.minimum(u, _STRAIGHT)
    return np.asarray(np.log1p(2.0 * np.sinh(0.5 * v) ** 2) + (u - v))


def _minus_tanh(u: Array) -> Array:
    """u − tanh u."""
    series = 1 / 3, -2 / 15, 17 / 315, -62 / 2835, 1382 / 155925, -21844 / 6081075
    return _near_zero(u, u - np.tanh(u), *series)


def _minus_gudermannian(u: Array) -> Array:
    """u − 2 arctan(tanh(u/2))."""
    series = 1 / 6, -1 / 24, 61 / 5040, -277 / 72576, 50521 / 39916800, -540553 / 95800320
    return _near_zero(u, u - 2.0 * np.arctan(np.tanh(u / 2.0)), *series)


def _minus_sine(v: Array) -> Array:
    """v − sin v."""
    return _near_zero(v, v - np.sin(v), 1 / 6, -1 / 120, 1 / 5040, -1 / 362880)


_NAMED: dict[str, Objective] = {
    "tanh": Objective(_log_cosh, np.tanh, convex=True),
    "sech": Objective(
        lambda u: 3.0 * _minus_gudermannian(u),
        lambda u: 3.0 * _one_minus_sech(u),
        convex=True,
    ),
    "tanh2": Objective(
        lambda u: 2.0 * _minus_tanh(u), lambda u: 2.0 * np.tanh(u) ** 2, convex=True
    ),
    "sigmoid": Objective(
        lambda u: 4.0 * _log_cosh(u / 2.0), lambda u: 2.0 * np.tanh(u / 2.0), convex=True
    ),
    "tanh_sech": Objective(
        lambda u: 2.0 * _one_minus_sech(u), lambda u: 2.0 * np.tanh(u) * _sech(u), convex=False
    ),
    "cosine": Objective(
        lambda u: 2.0 / np.pi * _minus_sine(np.pi * u / 2.0),
        lambda u: 2.0 * np.sin(np.pi * u / 4.0) ** 2,
        convex=False,
    ),
    "l1": power(1.0),
    "l2": power(2.0),
}
_FAMILIES = ("lp", "skeleton", "gaussian")


def objectives() -> list[str]:
    """Names of the objectives; ``"lp"``, ``"skeleton"`` and ``"gaussian"`` have a parameter.

    ``"l1.5"`` and the like are ``"lp"`` with that p.

    Returns
    -------
    list of str
        In the order of the alphabet.

    Examples
    --------
    >>> "tanh" in objectives()
    True
    """
    return sorted((*_NAMED, *_FAMILIES))


def check_objective(objective: Any) -> Any:
    """Return the objective; raise unless it is a name, an Objective or a function."""
    if not isinstance(objective, str):
        function = callable(objective) and not isinstance(objective, type)
        if not function and not isinstance(objective, Objective):
            raise TypeError(
                f"objective (={shown(objective)}) must be a name, an Objective or a callable f'(u)"
            )
    elif objective not in (*_NAMED, *_FAMILIES) and not _LP_NAME.fullmatch(objective):
        names = ", ".join(f'"{name}"' for name in objectives())
        raise ValueError(
            f"objective (={shown(objective)}) must be an Objective, a function or {names}"
        )
    return objective


ObjectiveLike = Annotated[str | Objective | Callable[[Any], Any], Made(check_objective)]


def make_objective(
    objective: Any, p: Any = None, a: Any = None, q: Any = None, largest: float = 1.0
) -> Objective:
    """The objective that a name, a function f' or an :class:`Objective` stands for.

    ``largest`` bounds its argument. A bare function is not taken for the slope of a convex f.
    """
    if isinstance(objective, Objective):
        return objective.resolve(largest)
    if not isinstance(check_objective(objective), str):
        return Objective(slope=objective, convex=False).resolve(largest)
    if objective in _NAMED:
        return _NAMED[objective]
    if objective == "skeleton":
        return skeleton(float(a))
    if objective == "gaussian":
        return gaussian(2.0 if q is None else float(q))
    return power(_exponent(objective, p))


def _exponent(objective: str, p: Any) -> float:
    match = _LP_NAME.fullmatch(objective)
    if match is not None:
        p = float(match[1])
    if p is None or not 0 < p < np.inf:
        raise ValueError(f'p (={p!r}) must be a positive number for objective="{objective}"')
    return float(p)
