"""Which columns of a table have drifted."""

from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal

import numpy as np
from scipy.stats import false_discovery_control

from noneuclid._blocks import in_blocks
from noneuclid._checks import is_number
from noneuclid._data import too_large
from noneuclid._parameters import Count, GeneratorSeed, Share, checked
from noneuclid.information._checks import check_enough, check_names
from noneuclid.information._drift_blocks import Tables
from noneuclid.information._permutations import check_permutations, compare_with_null, random_sides
from noneuclid.information.results import TestResult
from noneuclid.information.two_sample import NAMES, two_sample_test
from noneuclid.typing import Array

_TOLERANCE, _FINEST = 1e-8, 1e-15  # of the features of one column, whose rank is small


@dataclass(frozen=True)
class DriftResult:
    r"""What happened to each column.

    Attributes
    ----------
    columns : list
        Names of the columns.
    statistics : array
        D_ED of each column; of words and categories, :math:`\sum_c (p_c - q_c)^2` of the shares.
    pvalues : array
        Of each column alone.
    adjusted : array
        P-values corrected for their number.
    level : float
    results : list of TestResult
        One per column; None for a column that is constant in both tables.
    """

    columns: list[Any]
    statistics: Array
    pvalues: Array
    adjusted: Array
    level: float
    results: list[TestResult | None] = field(repr=False)

    @property
    def drifted(self) -> list[Any]:
        """Names of the columns whose corrected p-value is at most the level."""
        return [c for c, p in zip(self.columns, self.adjusted) if p <= self.level]

    def to_frame(self) -> Any:
        """Return a pandas table, the most drifted columns first.

        Returns
        -------
        DataFrame
            One row per column: statistic, p-value, adjusted p-value, whether it drifted.
        """
        import pandas as pd

        table = {
            "statistic": self.statistics,
            "pvalue": self.pvalues,
            "adjusted": self.adjusted,
            "drifted": self.adjusted <= self.level,
        }
        frame = pd.DataFrame(table, index=pd.Index(self.columns, name="column"))
        return frame.sort_values(["adjusted", "statistic"], ascending=[True, False], kind="stable")


@checked
def drifted_columns(
    reference: Any,
    current: Any,
    *,
    width: Any = "median",
    correction: Literal["holm", "benjamini-hochberg", "none"] = "holm",
    n_permutations: Count | None = None,
    level: Share = 0.05,
    random_state: GeneratorSeed = None,
) -> DriftResult:
    """Test every column of a table for a change of its distribution, corrected for their number.

    Parameters
    ----------
    reference, current : DataFrame or array, or dask collections of them
        Two tables with the same columns. Columns of numbers are compared as they are; columns of
        words, categories and truth values by the shares of each value.
    width : float, "silverman", "median" or "loo", default="median"
        As in :func:`~noneuclid.information.two_sample_test`, of every column of numbers.
    correction : "holm", "benjamini-hochberg" or "none", default="holm"
        ``"holm"`` bounds the probability of any false alarm, ``"benjamini-hochberg"`` the expected
        share of false alarms.
    n_permutations : int, optional
        By default 999, or more if there are so many columns that the correction needs it.
    level : float, default=0.05
    random_state : int, Generator or None, default=None

    Returns
    -------
    result : DriftResult
        With ``drifted``, the names of the columns, and ``to_frame()``.

    Notes
    -----
    Of dask collections all rows count, in three passes whatever the number of columns: to count the
    rows; for the counts of words and a sample of at most 2048 rows of numbers, which finds widths
    and landmarks; and for the moments of at most 128 features per column. Numbers are compared by
    the means of these features, with the normal law that permutations have for many rows, words
    by the exact law of their counts. Nothing else reaches the client: per column 133 kB of moments
    or 10 000 different words, more of which are refused. ``error`` of each result says how far
    features may have moved the statistic.

    References
    ----------
    S. Holm (1979), A simple sequentially rejective multiple test procedure.

    Y. Benjamini and Y. Hochberg (1995), Controlling the false discovery rate.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> before, after = rng.normal(size=(2, 200, 3))
    >>> after[:, 1] *= 2
    >>> drifted_columns(before, after, random_state=0).drifted
    [1]
    """
    blocks = Tables(reference, current) if in_blocks(reference, current) else None
    names, pairs = (blocks.names, []) if blocks else _columns(reference, current)
    n_tests = 1 if correction == "none" else len(names)
    if n_permutations is None:
        n_permutations = max(999, int(np.ceil(2 * n_tests / level)))
    B = check_permutations(n_permutations, level, n_tests)
    rng = np.random.default_rng(random_state)
    if blocks:
        results = blocks.results(width, B, level, NAMES["ed"], rng)
    else:
        results = [_test(*pair, width, B, level, rng, name) for name, pair in zip(names, pairs)]
    pvalues = np.array([1.0 if r is None else r.pvalue for r in results])
    statistics = np.array([0.0 if r is None else r.statistic for r in results])
    return DriftResult(names, statistics, pvalues, adjust(pvalues, correction), level, results)


def adjust(pvalues: Array, correction: str) -> Array:
    """P-values corrected for their number, in the same order.

    Examples
    --------
    >>> import numpy as np
    >>> adjust(np.array([0.01, 0.04, 0.03]), "holm")
    array([0.03, 0.06, 0.06])
    """
    if correction == "none" or len(pvalues) == 0:
        return pvalues.copy()
    if correction == "benjamini-hochberg":
        return np.asarray(false_discovery_control(pvalues, method="bh"))
    order = np.argsort(pvalues, kind="stable")
    m = len(pvalues)
    steps = np.maximum.accumulate(pvalues[order] * np.arange(m, 0, -1))
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def _columns(reference: Any, current: Any) -> tuple[list[Any], list[tuple[Any, Any]]]:
    if np.ma.is_masked(reference) or np.ma.is_masked(current):
        raise ValueError("the tables have masked entries: fill them, or leave out their rows")
    if hasattr(reference, "columns") and hasattr(current, "columns"):
        names = check_names(list(reference.columns), list(current.columns))
        pairs = [(_values(reference[c], c), _values(current[c], c)) for c in names]
    else:
        old, new = np.asarray(reference), np.asarray(current)
        if old.ndim != 2 or new.ndim != 2 or old.shape[1] != new.shape[1]:
            raise ValueError(
                "reference and current must be tables with the same columns; their shapes are "
                f"{old.shape} and {new.shape}"
            )
        names = list(range(old.shape[1]))
        pairs = [(old[:, c], new[:, c]) for c in names]
    if not names:
        raise ValueError("the tables have no columns")
    return names, pairs


def _values(column: Any, name: Any) -> Any:
    """The values of a column of a table; those of categories, which may be numbers, as words."""
    if str(getattr(column, "dtype", "")) != "category":
        return np.asarray(column)
    values = np.asarray(column.astype(object))
    _refuse_missing(values, name)
    return values.astype(str)


def _refuse_missing(column: Any, name: Any) -> None:
    if np.any(np.isnan(column) if column.dtype.kind == "f" else list(map(_is_missing, column))):
        raise ValueError(f"column {name!r} has missing values: fill or drop them first")


def _is_missing(value: Any) -> bool:
    try:
        return bool(value is None or value != value)
    except TypeError:  # pandas' NA is neither equal nor unequal to anything
        return True


def _test(
    old: Any, new: Any, width: Any, B: int, level: float, rng: np.random.Generator, name: Any
) -> TestResult | None:
    old, new = (_as_numbers(column, name) for column in (old, new))
    numbers = old.dtype.kind in "iuf" and new.dtype.kind in "iuf"
    for column in (old, new):
        _refuse_missing(column, name)
    if not numbers:
        return _test_categories(old, new, B, level, rng)
    X, Y = (np.asarray(v, dtype=np.float64)[:, None] for v in (old, new))
    if len(old) and len(new) and (np.vstack([X, Y]) == X[0]).all():
        return None
    tolerance = _TOLERANCE
    if is_number(width) and width > 0:  # all differences are small beside a wide window
        tolerance *= min(1.0, float(np.vstack([X, Y]).std() / float(width)) ** 2)
    return two_sample_test(
        X,
        Y,
        width,
        n_permutations=B,
        level=level,
        low_rank=max(tolerance, _FINEST),
        random_state=rng,
    )


def _as_numbers(column: Any, name: Any) -> Any:
    """A column, of numbers if all its objects are; what is neither number nor word is refused."""
    kind = column.dtype.kind
    if kind in "cmM":
        found = "complex numbers" if kind == "c" else "times"
        raise ValueError(f"column {name!r} holds {found}: turn them into real numbers first")
    if kind == "O" and all(isinstance(v, Real) and not isinstance(v, bool) for v in column):
        try:
            return column.astype(np.float64)
        except OverflowError:
            raise too_large(f"column {name!r}") from None
    return column


def _test_categories(
    old: Any, new: Any, B: int, level: float, rng: np.random.Generator
) -> TestResult | None:
    """Test the shares of the values: of every permutation, only the counts are needed."""
    n, m = len(old), len(new)
    check_enough(old, "reference")
    check_enough(new, "current")
    values, codes = np.unique(np.concatenate([old, new]).astype(str), return_inverse=True)
    if len(values) == 1:
        return None
    both = np.bincount(codes)
    statistics = np.empty(B + 1)
    for b, side in enumerate(random_sides(np.arange(n + m) < n, B, rng).T):
        counts = np.bincount(codes[side == 1], minlength=len(values))
        difference = counts / n - (both - counts) / m
        statistics[b] = difference @ difference
    return compare_with_null(statistics, level, NAMES["ed"])
