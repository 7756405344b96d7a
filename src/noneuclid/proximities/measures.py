"""What is measured between two sets of objects: a kernel, a named metric, a function of two.

A measure knows no training objects. It says what it compares, and gives values of all pairs.
"""

import importlib
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import pairwise_distances

from noneuclid.kernels import Kernel, as_kernel
from noneuclid.kernels.pairs import PairFunction, all_pairs, as_object_list, pair_values
from noneuclid.numerics import squared_euclidean
from noneuclid.proximities.registry import describe_metric
from noneuclid.typing import Array

# Rounding of a function; more than that is an asymmetric one.
_ASYMMETRY = 1e-8


class Measure(ABC):
    """Values of all pairs of two sets of objects.

    Attributes
    ----------
    metric : str, Kernel or callable
        What was given, with all that depends on data fixed.
    takes_rows : bool
        Whether the objects are rows of a numeric table.
    name : str
        How an error calls the matrix of values.
    is_zero_at_itself : bool
        Whether an object is at exactly 0 from itself, whatever rounding says.
    is_symmetric : bool
        Whether that is known without looking.
    """

    metric: Any
    takes_rows: bool = True
    name: ClassVar[str] = "X"
    is_zero_at_itself: ClassVar[bool] = False
    is_symmetric: bool = False

    def as_objects(self, X: Any) -> Any:
        """Objects that are no rows, in a form that takes indices."""
        return as_object_list(X)

    def resolve(self, objects: Any) -> "Measure":
        """The same with what depends on the data fixed on them."""
        return self

    @abstractmethod
    def between(self, objects: Any, others: Any, **options: Any) -> Array:
        """(n, m) values; the options are those of ``landmark_pairwise``."""

    def within(self, objects: Any, **options: Any) -> Array:
        """(n, n) values of one set of objects."""
        return self.between(objects, objects, **options)

    def own(self, objects: Any) -> Array:
        """Values of the objects with themselves."""
        return np.zeros(len(objects))


class KernelMeasure(Measure):
    """Similarities, by a kernel."""

    name = "the Gram matrix"

    def __init__(self, kernel: Kernel):
        self.metric = kernel

    @property
    def takes_rows(self) -> bool:  # type: ignore[override]
        """Whether the kernel compares rows."""
        return not self.metric.takes_objects

    @property
    def is_symmetric(self) -> bool:  # type: ignore[override]
        """Whether the kernel says so."""
        return self.metric.is_symmetric

    def as_objects(self, X: Any) -> Any:
        """Objects of the kernel's own kind."""
        return self.metric.as_objects(X)

    def resolve(self, objects: Any) -> "KernelMeasure":
        """Fix what the kernel leaves to the data."""
        return KernelMeasure(self.metric.resolve(objects))

    def between(self, objects: Any, others: Any, **options: Any) -> Array:
        """κ(x_i, y_j)."""
        return np.asarray(self.metric(objects, others))

    def within(self, objects: Any, **options: Any) -> Array:
        """κ(x_i, x_j)."""
        return np.asarray(self.metric(objects))

    def own(self, objects: Any) -> Array:
        """κ(x_i, x_i)."""
        return np.asarray(self.metric.diag(objects))


class RowMeasure(Measure):
    """Dissimilarities of rows, by a name scikit-learn knows."""

    is_zero_at_itself = True

    def __init__(self, name: str, parameters: dict[str, Array] | None = None):
        self.metric = name
        self.parameters = parameters or {}

    def resolve(self, objects: Any) -> "RowMeasure":
        """Fix variances and covariances: those of other rows would be another metric."""
        if self.metric == "seuclidean":
            return RowMeasure(self.metric, {"V": np.var(objects, axis=0, ddof=1)})
        if self.metric == "mahalanobis":
            C = np.atleast_2d(np.cov(objects.T))
            if np.linalg.matrix_rank(C) < len(C):
                raise ValueError(
                    f"{self.metric!r} needs a covariance of full rank, and that of X has rank "
                    f"{np.linalg.matrix_rank(C)} of {len(C)}"
                )
            return RowMeasure(self.metric, {"VI": np.linalg.inv(C).T})
        return self

    def between(self, objects: Any, others: Any, **options: Any) -> Array:
        """d(x_i, y_j)."""
        if self.metric == "sqeuclidean":
            return squared_euclidean(objects, others)
        n_jobs = options.get("n_jobs")
        return pairwise_distances(
            objects, others, metric=self.metric, n_jobs=n_jobs, **self.parameters
        )


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


class StringMeasure(Measure):
    """Dissimilarities of strings, by rapidfuzz."""

    takes_rows = False
    is_zero_at_itself = True

    def __init__(self, name: str):
        self.metric = name

    def between(self, objects: Any, others: Any, **options: Any) -> Array:
        """d(a_i, b_j)."""
        try:
            distance = importlib.import_module("rapidfuzz.distance")
            cdist = importlib.import_module("rapidfuzz.process").cdist
        except ImportError:
            raise ImportError(
                f'metric="{self.metric}" needs rapidfuzz: pip install "noneuclid[cli]"'
            ) from None
        scorer = getattr(distance, _RAPIDFUZZ[self.metric]).distance
        exact = {"scorer_kwargs": {"pad": False}} if self.metric == "string_hamming" else {}
        try:
            values = cdist(
                list(objects),
                list(others),
                scorer=scorer,
                dtype=np.float64,
                workers=options.get("n_jobs") or 1,
                **exact,
            )
        except (TypeError, ValueError) as error:
            raise ValueError(f"{self.metric!r} compares strings: {error}") from error
        return np.asarray(values)


class PairMeasure(Measure):
    """Dissimilarities by a function of two objects, or by the name a user gave it."""

    def __init__(self, metric: PairFunction | str):
        self.metric = metric

    @property
    def takes_rows(self) -> bool:  # type: ignore[override]
        """Whether a registered function asked for rows."""
        return isinstance(self.metric, str) and describe_metric(self.metric).kind == "rows"

    @property
    def function(self) -> PairFunction:
        """The function of two objects."""
        function = describe_metric(self.metric).function if isinstance(self.metric, str) else None
        return self.metric if function is None else function

    def between(self, objects: Any, others: Any, **options: Any) -> Array:
        """f(a_i, b_j)."""
        return all_pairs(objects, others, self.function, **options)

    def within(self, objects: Any, **options: Any) -> Array:
        """f(a_i, a_j) for i ≤ j; neighbours both ways, so that asymmetry shows."""
        P = all_pairs(objects, objects, self.function, **{"symmetric": True, **options})
        below = pair_values(self.function, zip(objects[1:], objects[:-1]))
        i = np.arange(len(below))
        if np.abs(below - P[i + 1, i]).max(initial=0.0) > _ASYMMETRY * np.abs(P).max():
            P[i + 1, i] = below
        return P


def as_measure(metric: Any, proximity: str) -> Measure:
    """What a metric of this kind measures.

    Parameters
    ----------
    metric : str, Kernel or callable
        Similarities: anything ``as_kernel`` accepts. Dissimilarities: a name that ``metrics()``
        lists, or a function of two objects.
    proximity : {"similarity", "dissimilarity"}
    """
    if proximity == "similarity":
        _refuse_other_kind(metric, proximity)
        return KernelMeasure(as_kernel(metric))
    if isinstance(metric, str):
        known = describe_metric(metric)
        _refuse_other_kind(metric, proximity)
        if known.function is not None:
            return PairMeasure(metric)
        return RowMeasure(metric) if known.kind == "rows" else StringMeasure(metric)
    if isinstance(metric, Kernel):
        raise TypeError(f"metric (={metric!r}) is a kernel: kernels give similarities")
    if not callable(metric) or isinstance(metric, type):
        raise TypeError(f"metric (={metric!r}) must be a name or a function of two objects")
    return PairMeasure(metric)


def _refuse_other_kind(metric: Any, proximity: str) -> None:
    try:
        known = describe_metric(metric) if isinstance(metric, str) else None
    except ValueError:
        return  # as_kernel says what it takes
    if known is not None and known.proximity != proximity:
        other = "dissimilarities" if proximity == "similarity" else "similarities"
        asked = "similarities" if proximity == "similarity" else "dissimilarities"
        raise ValueError(f"metric (={metric!r}) gives {other}, and {asked} are asked for")
