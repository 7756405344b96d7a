"""What is tried: geometries that make sense for a kind of data, and learners that take one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.datasets.kinds import is_rough
from noneuclid.kernels import Gaussian, Kernel, Laplacian
from noneuclid.prototypes import GLVQ, PrototypeRegressor, ProximityRegressor, RelationalGLVQ
from noneuclid.search._scaling import Standardised
from noneuclid.spaces import Euclidean, LeeVerleysen, Lp, Sobolev, Space, as_space

KINDS = ("vectors", "curves", "sequences")
_RIDGES = [1e-6, 1e-4, 1e-2, 1.0]


@dataclass(frozen=True)
class Candidate:
    """A learner in a geometry."""

    learner: str
    geometry: str
    estimator: Any
    part: Any

    def __str__(self) -> str:
        return f"{self.learner}, {self.geometry}"

    def on(self, X: Any, y: Any = None) -> Any:
        """The learner in the geometry; widths that are left to data are those of X."""
        return in_geometry(self.estimator, self.part, X, y)


def kind_of(X: Any) -> str:
    """Sequences of letters, curves if neighbouring columns are alike, or vectors."""
    if isinstance(X, list | tuple | np.ndarray) and len(X) and isinstance(X[0], str):
        return "sequences"
    if hasattr(X, "to_grid"):
        return "curves"
    is_rows = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind == "f"
    return "curves" if is_rows and not is_rough(X) else "vectors"


def usual_geometries(kind: str) -> dict[str, Any]:
    """Geometries that make sense for a kind of data, by their names.

    Parameters
    ----------
    kind : {"vectors", "curves", "sequences"}

    Returns
    -------
    geometries : dict
        Spaces, or names of metrics.

    Examples
    --------
    >>> list(usual_geometries("vectors"))
    ['Euclidean', 'l1', 'l1.5', 'linf']
    """
    if kind == "sequences":
        return {name: name for name in ("levenshtein", "indel", "lcs", "jaro_winkler")}
    spaces: dict[str, Any] = {"Euclidean": Euclidean(), "l1": Lp(1)}
    if kind == "vectors":
        return spaces | {"l1.5": Lp(1.5), "linf": Lp(np.inf)}
    return spaces | {
        "Sobolev": Sobolev(spacing="unit"),
        "Sobolev, derivative alone": Sobolev(spacing="unit", weights=(1e-6, 1.0)),
        "Sobolev, two derivatives": Sobolev(spacing="unit", weights=(1e-6, 0.0, 1.0)),
        "Lee–Verleysen": LeeVerleysen(p=1),
    }


def usual_learners(kind: str, task: str, random_state: Any = None) -> dict[str, Any]:
    """Learners that take a geometry, by their names.

    Parameters
    ----------
    kind : {"vectors", "curves", "sequences"}
    task : {"classification", "regression"}
    random_state : int, RandomState or None, default=None

    Returns
    -------
    learners : dict
        Those of vectors standardise their columns first.

    Examples
    --------
    >>> list(usual_learners("curves", "regression"))
    ['prototypes', 'kernel ridge']
    """
    seed: Any = {"random_state": random_state}
    if kind == "sequences":
        if task == "classification":
            return {"relational GLVQ": RelationalGLVQ(**seed)}
        return {"prototypes": ProximityRegressor(proximity="dissimilarity", **seed)}
    found: dict[str, Any] = {"GLVQ": GLVQ(**seed), "support vectors": SVC(C=10.0)}
    if task == "regression":
        # It has no intercept: it predicts differences from the mean.
        ridge = TransformedTargetRegressor(KernelRidge(), transformer=StandardScaler())
        ridge = GridSearchCV(ridge, {"regressor__alpha": _RIDGES})
        found = {"prototypes": PrototypeRegressor(**seed), "kernel ridge": ridge}
    if kind == "curves":
        return found
    return {
        name: Pipeline([("scale", Standardised()), ("learner", learner)])
        for name, learner in found.items()
    }


def on_grid(part: Any, grid: Any) -> Any:
    """A geometry for curves that come as rows on a grid; names of metrics stay what they are."""
    if isinstance(part, str) and _names_space(part):
        part = as_space(part)
    return part.on_grid(grid.positions) if isinstance(part, Kernel | Space) else part


def in_geometry(estimator: Any, part: Any, X: Any, y: Any = None) -> Any:
    """A copy of a learner in a geometry.

    It is the parameter ``space``, ``kernel`` or ``metric`` of the learner, or of what is inside of
    a pipeline or a search. What takes a kernel gets :func:`kernel_of` a space.
    """
    learner, prefix, rows = clone(estimator), "", X
    searches: list[tuple[str, Any]] = []
    inner: Any = learner
    while True:
        if isinstance(inner, Pipeline):
            for step in steps_before(inner):
                rows = clone(step).fit_transform(rows, y)
            prefix, inner = f"{prefix}{inner.steps[-1][0]}__", inner.steps[-1][1]
        elif hasattr(inner, "param_grid") or hasattr(inner, "param_distributions"):
            prefix, found = f"{prefix}estimator__", inner
            inner = found.estimator
            searches.append((prefix, found))
        elif isinstance(inner, TransformedTargetRegressor):
            prefix, inner = f"{prefix}regressor__", inner.regressor
        else:
            break
    name = _parameter(inner, part)
    for outer, search in searches:
        _refuse_chosen(search, f"{prefix.removeprefix(outer)}{name}")
    if name == "kernel" and not isinstance(part, Kernel):
        part = kernel_of(part).resolve(rows)
    elif name == "kernel":
        part = part.resolve(rows)
    elif name == "space":
        part = as_space(part)
    return learner.set_params(**{f"{prefix}{name}": part})


def _refuse_chosen(search: Any, name: str) -> None:
    """Raise if a search inside tries geometries itself, which would replace the one that is set."""
    which = "param_grid" if hasattr(search, "param_grid") else "param_distributions"
    tried = getattr(search, which)
    if any(name in some for some in ([tried] if isinstance(tried, Mapping) else tried)):
        raise ValueError(
            f"{which} of {type(search).__name__} names {name!r}, which GeometrySearch sets: leave "
            "it out there, and give its values as geometries"
        )


def steps_before(pipeline: Pipeline) -> list[Any]:
    """The steps of a pipeline before its last one that do something."""
    return [step for _, step in pipeline.steps[:-1] if step not in (None, "passthrough")]


def kernel_of(space: Any) -> Kernel:
    """The Gaussian kernel of a space where it is positive definite, else the Laplacian one.

    The width is the median distance. In l1 the Laplacian is positive definite, and the Gaussian is
    not; in l_p with p > 2 neither is.

    Examples
    --------
    >>> [type(kernel_of(space)).__name__ for space in ("l2", "l1")]
    ['Gaussian', 'Laplacian']
    """
    gaussian = Gaussian(width="median", space=as_space(space))
    if gaussian.is_positive_definite:
        return gaussian
    return Laplacian(width="median", space=as_space(space))


def _parameter(learner: Any, part: Any) -> str:
    """Which parameter of a learner takes the geometry."""
    wanted = {"kernel"} if isinstance(part, Kernel) else {"space", "kernel"}
    if not isinstance(part, Kernel | Space) and not _names_space(part):
        wanted = {"metric"}
    has = set(learner.get_params(deep=False))
    found = [name for name in ("space", "kernel", "metric") if name in wanted & has]
    if not found and isinstance(part, str) and "metric" in has:
        return "metric"  # which knows the names of some spaces, too
    if not found:
        known = " or ".join(sorted(wanted))
        if wanted == {"metric"} and has & {"space", "kernel"} and isinstance(part, str):
            known = f"metric, and {part!r} names no space"
        raise ValueError(
            f"{type(learner).__name__} does not take the geometry {part!r}: it has no parameter "
            f"{known}"
        )
    return found[0]


def _names_space(part: Any) -> bool:
    try:
        as_space(part)
    except (ValueError, TypeError):
        return False
    return True
