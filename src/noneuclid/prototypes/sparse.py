"""Prototypes of few objects, which a person can inspect."""

import copy
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes._gram import Gram
from noneuclid.prototypes.approximations import core_set_ball, hull, matching_pursuit
from noneuclid.prototypes.costs import RSLVQCost
from noneuclid.prototypes.proximity import ProximityLVQ
from noneuclid.typing import Array, IntArray

Method = Literal["nearest", "hull", "omp", "meb"]
METHODS = ("nearest", "hull", "omp", "meb")


def sparsify(
    model: ProximityLVQ,
    P: ArrayLike | None = None,
    *,
    method: Method = "nearest",
    k: int | None = None,
    epsilon: float | None = None,
) -> ProximityLVQ:
    r"""Return the classifier with prototypes of fewer objects.

    ============= ===============================================================================
    ``"nearest"`` each prototype becomes its k nearest objects of the same class
    ``"hull"``    the k largest coefficients, divided by their sum
    ``"omp"``     orthogonal matching pursuit until
                  :math:`(\gamma-\tilde\gamma)'K(\gamma-\tilde\gamma) \le \epsilon^2`, or k objects
    ``"meb"``     centre of the smallest ball around the objects the prototype wins, up to
                  :math:`1+\epsilon`, from a core set (of at most k objects)
    ============= ===============================================================================

    ``"omp"`` and ``"meb"`` need positive semi-definite similarities. A k larger than what there is
    takes all; ε = 0 means exact up to rounding. Under ``"meb"`` a prototype that wins no object of
    its class becomes the nearest one.

    Parameters
    ----------
    model : ProximityLVQ
        Fitted; it stays as it is.
    P : array of shape (n, n), optional
        Proximities between the training objects, where the model did not keep them (it keeps them
        in memory, not in files).
    method : {"nearest", "hull", "omp", "meb"}, default="nearest"
    k : int, optional
        Objects per prototype.
    epsilon : float, optional
        Accuracy of ``"omp"`` and ``"meb"``.

    References
    ----------
    D. Hofmann, F.-M. Schleif, B. Paaßen and B. Hammer (2014), Learning interpretable kernelized
    prototype-based models. M. Bădoiu and K. Clarkson (2008), Optimal core-sets for balls.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid.prototypes import KernelRSLVQ, n_exemplars, sparsify
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelRSLVQ(random_state=0).fit(X, y)
    >>> small = sparsify(model, method="nearest", k=1)
    >>> n_exemplars(small), small.score(X, y) > 0.85
    (1.0, True)
    """
    check_is_fitted(model)
    _check(method, k, epsilon)
    return _sparsified(model, Gram(model, P), method, k, epsilon)


def _check(method: str, k: Any, epsilon: Any) -> None:
    if method not in METHODS:
        raise ValueError(f"method (={method!r}) must be one of {METHODS}")
    if k is not None and (not isinstance(k, Integral) or isinstance(k, bool) or k < 1):
        raise ValueError(f"k (={k!r}) must be a positive integer")
    if epsilon is not None and not (isinstance(epsilon, Real) and 0 <= float(epsilon) < np.inf):
        raise ValueError(f"epsilon (={epsilon!r}) must be a number, at least 0")
    if method in ("nearest", "hull"):
        if k is None or epsilon is not None:
            raise ValueError(f'method="{method}" needs k, the number of objects, and no epsilon')
    elif k is None and epsilon is None:
        raise ValueError(f'method="{method}" needs epsilon, its accuracy, or k')


def _sparsified(
    model: ProximityLVQ, gram: Gram, method: str, k: int | None, epsilon: float | None
) -> ProximityLVQ:
    if method in ("omp", "meb"):
        gram.require_positive(method)
    G, counts = _APPROXIMATIONS[method](model, gram, k, 0.0 if epsilon is None else epsilon)
    return with_coefficients(model, gram, G, counts)


def with_coefficients(model: ProximityLVQ, gram: Gram, G: Array, counts: IntArray) -> ProximityLVQ:
    """The model with other coefficients, ``counts[j]`` prototypes in the place of prototype j."""
    small = copy.copy(model)
    small._features = copy.copy(model._features)
    small._n_original = getattr(model, "_n_original", len(model.coefficients_))
    small.prototype_labels_ = np.repeat(model.prototype_labels_, counts)
    small._cost = _spread(model._cost, counts)
    small._set_coefficients(gram.geometry.state(G))
    return small


def _spread(cost: Any, counts: IntArray) -> Any:
    """The cost with its parameters per prototype repeated."""
    if not isinstance(cost, RSLVQCost):
        return cost
    if np.ndim(cost.sigma2):
        cost = replace(cost, sigma2=np.repeat(cost.sigma2, counts))
    if cost.prior is not None:
        cost = replace(cost, prior=np.repeat(cost.prior / counts, counts))
    return cost


def _members(model: ProximityLVQ, j: int) -> IntArray:
    """Training objects of the class of prototype j."""
    return np.flatnonzero(model.classes_[model._y] == model.prototype_labels_[j])


def _one(G: list[Array]) -> tuple[Array, IntArray]:
    return np.array(G), np.ones(len(G), dtype=int)


def _nearest(model: Any, gram: Gram, k: int, epsilon: float) -> tuple[Array, IntArray]:
    D = gram.geometry.distances(gram.geometry.state(model.coefficients_))
    chosen = []
    for j in range(D.shape[1]):
        members = _members(model, j)
        chosen.append(members[np.argsort(D[members, j], kind="stable")[:k]])
    counts = np.array([len(index) for index in chosen])
    G = np.zeros((counts.sum(), gram.n))
    G[np.arange(len(G)), np.concatenate(chosen)] = 1.0
    return G, counts


def _hull(model: Any, gram: Gram, k: int, epsilon: float) -> tuple[Array, IntArray]:
    return _one([hull(gamma, k) for gamma in model.coefficients_])


def _omp(model: Any, gram: Gram, k: int | None, epsilon: float) -> tuple[Array, IntArray]:
    affine = model.proximity == "dissimilarity" and model._features is None
    return _one(
        [matching_pursuit(gram, g, epsilon, k, affine=affine)[0] for g in model.coefficients_]
    )


def _meb(model: Any, gram: Gram, k: int | None, epsilon: float) -> tuple[Array, IntArray]:
    D = gram.geometry.distances(gram.geometry.state(model.coefficients_))
    winner = D.argmin(axis=1)
    rows = []
    for j in range(D.shape[1]):
        members = _members(model, j)
        field = members[winner[members] == j]
        if len(field) == 0:
            field = members[[D[members, j].argmin()]]
        rows.append(core_set_ball(gram, field, epsilon, k)[0])
    return _one(rows)


_APPROXIMATIONS: dict[str, Any] = {"nearest": _nearest, "hull": _hull, "omp": _omp, "meb": _meb}
