"""What is measured between two sets of objects: a kernel, a named metric, a function of two."""

import importlib
from typing import Annotated, Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import pairwise_distances

from noneuclid._checks import shown
from noneuclid._data import all_finite
from noneuclid._memory import require_matrices
from noneuclid._parameters import Rule, check_parameters
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels import Kernel, as_kernel
from noneuclid.kernels.pairs import (
    FEWER_PAIRS,
    PairFunction,
    all_pairs,
    as_object_list,
    pair_values,
)
from noneuclid.numerics import squared_euclidean
from noneuclid.proximities.checks import largest_modulus
from noneuclid.proximities.registry import describe_metric, metrics
from noneuclid.typing import Array

# Rounding of a function; more than that is an asymmetric one.
_ASYMMETRY = 1e-8
# Modules of rapidfuzz.distance.
_RAPIDFUZZ = {
    "damerau_levenshtein": "DamerauLevenshtein",
    "indel": "Indel",
    "jaro": "Jaro",
    "jaro_winkler": "JaroWinkler",
    "lcs": "LCSseq",
    "levenshtein": "Levenshtein",
    "osa": "OSA",
    "string_hamming": "Hamming",
}


class Dissimilarity:
    """Dissimilarities by a name or by a function of two objects, asked for as a kernel is.

    Parameters
    ----------
    metric : str or callable
        A name that ``metrics()`` lists, or a function of two objects.
    **parameters
        What a named metric takes from the data.
    """

    is_symmetric = False

    def __init__(self, metric: PairFunction | str, **parameters: Array):
        self.metric, self.parameters = metric, parameters

    @property
    def takes_objects(self) -> bool:
        return not isinstance(self.metric, str) or describe_metric(self.metric).kind != "rows"

    @property
    def function(self) -> PairFunction | None:
        """The function of two objects; None if the name is the package's."""
        return (
            describe_metric(self.metric).function if isinstance(self.metric, str) else self.metric
        )

    @property
    def _whole(self) -> Any:
        """A metric that computes all pairs at once and knows its objects, or None."""
        return self.function if hasattr(self.function, "between") else None

    @property
    def is_distance(self) -> bool:
        """Whether objects are at distance zero from themselves, whatever rounding says."""
        return self.function is None or self._whole is not None

    def as_objects(self, X: Any) -> Any:
        return as_object_list(X) if self._whole is None else self._whole.as_objects(X)

    def resolve(self, X: Any) -> "Dissimilarity":
        """Fix variances and covariances: those of other rows would be another metric."""
        if self._whole is not None:
            return Dissimilarity(self._whole.resolve(X))
        if self.metric == "seuclidean":
            return Dissimilarity(self.metric, V=np.var(X, axis=0, ddof=1))
        if self.metric == "mahalanobis":
            n, d = X.shape
            if n <= d:
                raise ValueError(
                    f"{self.metric!r} needs a covariance of full rank, and that of {n} rows of "
                    f"{d} features has none: give more than {d} rows"
                )
            C = np.atleast_2d(np.cov(X.T))
            if np.linalg.matrix_rank(C) < len(C):
                raise ValueError(
                    f"{self.metric!r} needs a covariance of full rank, and that of X has rank "
                    f"{np.linalg.matrix_rank(C)} of {len(C)}"
                )
            return Dissimilarity(self.metric, VI=np.linalg.inv(C).T)
        return self

    def __call__(self, X: Any, Y: Any = None, *, n_jobs: Any = None, verbose: Any = False) -> Array:
        """d(x_i, y_j); of X with itself if Y is None."""
        n, m = len(X), len(X if Y is None else Y)
        require_matrices(f"{self.metric} of {n:,} and {m:,} objects", n, m, instead=FEWER_PAIRS)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            D = self._evaluate(X, Y, n_jobs=n_jobs, verbose=verbose)
        if not all_finite(D):
            i, j = np.argwhere(~np.isfinite(D))[0]
            raise ValueError(
                f"{self.metric!r} gives {D[i, j]} for the objects {i} and {j}: it is not defined "
                "for all of these, such as rows that are constant"
            )
        return D

    def _evaluate(self, X: Any, Y: Any, *, n_jobs: Any, verbose: Any) -> Array:
        if self._whole is not None:
            told = {"verbose": verbose} if getattr(self._whole, "takes_verbose", False) else {}
            return np.asarray(self._whole.between(X, Y, **told))
        if self.function is not None:
            options = {"n_jobs": n_jobs, "verbose": verbose}
            return _pairs(self.function, X, Y, options)
        Y = X if Y is None else Y
        if self.metric in _RAPIDFUZZ:
            return _strings(self.metric, X, Y, n_jobs)
        if self.metric == "sqeuclidean":
            return squared_euclidean(X, Y)
        if self.metric == "cosine":  # scikit-learn takes short rows for zero
            whole, X = Y is X, X / _powers(X)
            Y = X if whole else Y / _powers(Y)
        return pairwise_distances(X, Y, metric=self.metric, n_jobs=n_jobs, **self.parameters)

    def diag(self, X: Any) -> Array:
        return np.zeros(len(X))


def _powers(X: Array) -> Array:
    """A power of two near the largest modulus of each row: dividing by it rounds nothing."""
    exponents = np.frexp(np.abs(X).max(axis=1, keepdims=True, initial=0.0))[1]
    return np.ldexp(1.0, exponents)


def _pairs(function: PairFunction, X: Any, Y: Any, options: dict[str, Any]) -> Array:
    """Of X with itself, f(x_i, x_j) for i ≤ j; neighbours both ways, so that asymmetry shows."""
    if Y is not None:
        return all_pairs(X, Y, function, **options)
    P = all_pairs(X, X, function, symmetric=True, **options)
    below = pair_values(function, zip(X[1:], X[:-1]))
    i = np.arange(len(below))
    if np.abs(below - P[i + 1, i]).max(initial=0.0) > _ASYMMETRY * largest_modulus(P):
        P[i + 1, i] = below
    return P


def _strings(name: str, X: Any, Y: Any, n_jobs: int | None) -> Array:
    try:
        scorer = getattr(importlib.import_module("rapidfuzz.distance"), _RAPIDFUZZ[name]).distance
        cdist = importlib.import_module("rapidfuzz.process").cdist
    except ImportError:
        raise ImportError(
            f'metric="{name}" needs rapidfuzz: pip install "noneuclid[cli]"'
        ) from None
    exact = {"scorer_kwargs": {"pad": False}} if name == "string_hamming" else {}
    options = {"scorer": scorer, "dtype": np.float64, "workers": n_jobs or 1, **exact}
    try:
        return np.asarray(cdist(list(X), list(Y), **options))
    except (TypeError, ValueError) as error:
        others = [a for a in [*X, *Y] if not isinstance(a, str)]
        found = f"found {shown(others[0])}" if others else str(error)
        raise ValueError(f"{name!r} compares strings: {found}") from error


Measure = Kernel | Dissimilarity


def as_measure(metric: Any, proximity: str) -> Measure:
    """What a metric of this kind measures.

    Parameters
    ----------
    metric : str, Kernel or callable
        Similarities: anything ``as_kernel`` accepts. Dissimilarities: a name that ``metrics()``
        lists, or a function of two objects.
    proximity : {"similarity", "dissimilarity"}
    """
    similar = proximity == "similarity"
    if isinstance(metric, str) and (not similar or metric in metrics()):
        other = describe_metric(metric).proximity
        if other != proximity:
            raise ValueError(
                f"metric (={metric!r}) gives {other[:-1]}ies, and {proximity[:-1]}ies are asked for"
            )
    if similar:
        return as_kernel(metric, "metric")
    if isinstance(metric, Kernel):
        raise TypeError(f"metric (={metric!r}) is a kernel: kernels give similarities")
    if not isinstance(metric, str) and (not callable(metric) or isinstance(metric, type)):
        raise TypeError(f"metric (={shown(metric)}) must be a name or a function of two objects")
    if isinstance(metric, BaseEstimator):
        check_parameters(metric)
    return Dissimilarity(metric)


def placed(metric: Any, owner: Any) -> Any:
    """A copy of a metric, its spaces on the grid of the curves that its owner was given, if any."""
    metric, grid = clone(metric, safe=False), getattr(owner, "curve_grid_", None)
    if grid is None or not isinstance(metric, Kernel):
        return metric
    return metric.on_grid(grid.positions)


def _is_metric(value: Any) -> bool:
    return isinstance(value, str | Kernel) or (callable(value) and not isinstance(value, type))


MetricLike = Annotated[Any, Rule("a name or a function of two objects", _is_metric)]
