"""The rules by which widths of Parzen windows are found."""

from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from noneuclid._checks import check_choice
from noneuclid._warnings import warn
from noneuclid.information._checks import check_width
from noneuclid.information._densities import log_peak
from noneuclid.kernels import Gaussian
from noneuclid.numerics import first_argmax
from noneuclid.numerics.information import gaussian_log_sums, scaled_columns
from noneuclid.typing import Array

METHODS = ("silverman", "median", "loo")
AGGREGATE = "aggregate"
_MEDIAN_ROWS = 1000  # a median of the distances of more hardly changes
_NEIGHBOURS = 0.01  # kernel values that a sample shares with all others: fewer tell nothing
# The search for the best likelihood: between these multiples of Silverman's width.
_RANGE = (1e-2, 10.0)
_GRID = 16


def find_width(X: Array, method: str, name: str = "X") -> float:
    """The width that a rule finds on the rows of X, called ``name`` if they are all equal."""
    if (X[0] == X).all():
        raise ValueError(f"all rows of {name} are equal: there is no width to find, give a number")
    if method == "median":
        return float(Gaussian("median").resolve(X).width)
    silverman = silverman_width(X, np.ones(len(X)))
    return silverman if method == "silverman" else _leave_one_out(X, silverman, name)


def resolve_width(width: Any, X: Array, name: str = "X") -> float:
    """The width itself, or the one a rule finds on the rows of X."""
    if not isinstance(width, str):
        return check_width(width)
    check_choice("width", width, METHODS)
    return find_width(X, width, name)


def kernel_width(width: Any, X: Array, n: int | None = None, name: str = "X") -> float:
    """Width of κ = G_{σ√2} for a test; the median rule is about κ itself.

    X may be a sample of n rows: the best width of a density falls with their number.
    """
    if isinstance(width, str):
        check_choice("width", width, (*METHODS, AGGREGATE))
    if is_aggregate(width):
        raise ValueError(
            f'width="{AGGREGATE}" is for samples in memory without low_rank: use "median" here'
        )
    s = resolve_width(width, X, name)
    if isinstance(width, str) and width == "median":
        return s
    falls = isinstance(width, str) and n is not None
    factor = (len(X) / n) ** (1.0 / (X.shape[1] + 4.0)) if falls and n else 1.0
    return float(np.sqrt(2.0) * factor * s)


def is_aggregate(width: Any) -> bool:
    """Whether many widths are asked for."""
    return isinstance(width, str) and width == AGGREGATE


def median_width(X: Array, rng: np.random.Generator, name: str) -> float:
    """The median distance of rows drawn at random.

    Of rows at fixed places it would not be exchangeable with that of a permutation.
    """
    if len(X) <= _MEDIAN_ROWS:
        return find_width(X, "median", name)
    some = rng.choice(len(X), _MEDIAN_ROWS, replace=False)
    return find_width(X[some], "median", f"a sample of {name}")


def warn_if_narrow(width: Any, found: float, total: float, n: int, name: str) -> None:
    """Say that a rule for densities found a width at which a test sees no two samples together.

    ``total`` is the sum of all kernel values, those of n samples with themselves being one.
    """
    neighbours = (total - n) / n
    if isinstance(width, str) and width in ("silverman", "loo") and neighbours < _NEIGHBOURS:
        warn(
            f'width="{width}" finds {found:.3g} for {name}, so narrow that a sample shares '
            f"{neighbours:.1g} of a kernel value with all others: in many dimensions the test then "
            'never rejects; use width="median" or "aggregate"'
        )


def silverman_width(X: Array, counts: Array) -> float:
    """Silverman's width of samples that occur so many times each.

    Every row occurs once at least, on average; smaller numbers are shares, of whatever sum.
    """
    d, n = X.shape[1], float(counts.sum())
    if n < len(X):
        counts, n = counts * (len(X) / n), float(len(X))
    equal = bool((X[0] == X).all())
    centred = X - counts @ X / n
    spread = 0.0 if equal else float(np.sqrt((counts @ centred**2).mean() / (n - 1.0)))
    if not spread > 0:
        raise ValueError("all rows of X are equal: there is no width to find, give a number")
    return float(spread * (4.0 / ((d + 2.0) * n)) ** (1.0 / (d + 4.0)))


def log_likelihood(X: Array, width: float) -> float:
    """Mean log density of the samples, each under the Parzen estimate of all others."""
    n, d = X.shape
    at = scaled_columns(X, width, X[0])
    logs = gaussian_log_sums(at, at, np.full(n, 1.0 / (n - 1)), leave_out=True)
    return float(logs.mean()) + log_peak(width, d)


def _leave_one_out(X: Array, start: float, name: str) -> float:
    low, high = np.log(np.multiply(_RANGE, start))
    steps = np.linspace(low, high, _GRID)
    scores = [log_likelihood(X, float(np.exp(step))) for step in steps]
    best = int(first_argmax(np.array(scores)))
    if best == 0 and len(np.unique(X, axis=0)) < len(X):
        raise ValueError(
            f"{name} has repeated rows, so that the likelihood grows without end as the width "
            'shrinks: use "silverman" instead of "loo", or give a number'
        )
    found = minimize_scalar(
        lambda step: -log_likelihood(X, float(np.exp(step))),
        bounds=(steps[max(best - 1, 0)], steps[min(best + 1, _GRID - 1)]),
        method="bounded",
        options={"xatol": 1e-4},
    )
    return float(np.exp(found.x))
