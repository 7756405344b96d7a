"""Principal components for objectives other than the variance."""

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from noneuclid.pca._ascent import Ascent, exact_l2, greedy, joint
from noneuclid.pca._base import (
    check_choice,
    check_count,
    check_positive,
    checked_rows,
    component_count,
    refuse_extremes,
    refuse_single_sample,
    warn_not_converged,
)
from noneuclid.pca._objectives import Objective, make_objective
from noneuclid.typing import Array

_N_CANDIDATES = 9


def ascent_limits(model: Any) -> dict[str, Any]:
    """The checked max_iter and tol of an estimator; its other parameters are checked alongside."""
    check_choice("deflation", model.deflation, ("greedy", "joint"))
    for name in ("n_init", "max_iter"):
        check_count(name, getattr(model, name))
    check_positive("tol", model.tol)
    return {"max_iter": model.max_iter, "tol": model.tol}


def solve(model: Any, X: Array, k: int, objective: Objective, *, serial: bool = False) -> Ascent:
    """Components of the centred rows of X with the parameters of an estimator."""
    limits = ascent_limits(model)
    if objective.is_l2 and not serial:
        return exact_l2(X, k, objective)
    rng = check_random_state(model.random_state)
    found = greedy(X, k, objective, n_init=model.n_init, rng=rng, serial=serial, **limits)
    return joint(X, found, objective, **limits) if model.deflation == "joint" else found


def resolve_objective(model: Any, X: Array, k: int) -> tuple[Objective, float | None]:
    r"""The estimator's objective, and a if it has one.

    ``"auto"`` tries values of a from :math:`10^{-4}` of the largest norm up to that norm, evenly
    spaced in the logarithm, and keeps the one whose components leave the smallest *median*
    reconstruction error: what most samples lose counts, what outliers lose does not.
    """
    largest = float(np.sqrt(np.einsum("ij,ij->i", X, X).max(initial=0.0)))
    a = model.a
    if model.objective != "skeleton" or not (a is None or isinstance(a, str)):
        used = a if model.objective == "skeleton" else None
        return make_objective(model.objective, model.p, a, model.q, largest), used
    if a is not None:
        check_choice("a", a, ("auto",))
    if largest == 0:
        return make_objective("skeleton", None, 1.0, None, 0.0), 1.0
    candidates = largest * np.logspace(-4, 0, _N_CANDIDATES)
    errors = []
    for candidate in candidates:
        objective = make_objective("skeleton", None, float(candidate), None, largest)
        W = greedy(X, k, objective, n_init=1, max_iter=50, tol=1e-4, rng=np.random.RandomState(0)).W
        errors.append(np.median(residual_norms(X, W)))
    best = float(candidates[int(np.argmin(errors))])
    return make_objective("skeleton", None, best, None, largest), best


def residual_norms(X: Array, W: Array) -> Array:
    """‖x − W'Wx‖ of each row."""
    return np.asarray(np.linalg.norm(X - (X @ W.T) @ W, axis=1))


class GeneralizedPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Orthonormal components that maximise any function of the projections.

    .. math:: \max_{\|w\|_2 = 1} \sum_i f(|w'x_i|), \qquad
        w \leftarrow \frac{g}{\|g\|}, \quad g = \sum_i f'(|w'x_i|)\,\mathrm{sgn}(w'x_i)\,x_i

    f grows slower than the square for most objectives here, so that outliers count for less than
    in PCA. For convex f the objective never falls; otherwise a line search sees to it.

    Parameters
    ----------
    n_components : int or None, default=2
    objective : str or callable, default="l1"
        By f'(u): ``"lp"`` u^(p−1) (also ``"l1"``, ``"l1.5"`` …), ``"tanh"`` tanh u, ``"sech"``
        3 − 3 sech u, ``"tanh2"`` 2 tanh² u, ``"sigmoid"`` 4σ(u) − 2, ``"tanh_sech"`` 2 tanh u
        sech u, ``"cosine"`` 1 − cos(πu/2), ``"skeleton"`` min(u, a), ``"gaussian"`` exp(−u^q),
        or any function f' of an array u ≥ 0. All but the powers depend on the unit of the data.
    p : float, optional
        Exponent of ``"lp"``, positive. Below 1 the result depends on the start.
    a : float or "auto", optional
        Of ``"skeleton"``: where l2 turns into l1. ``"auto"`` (as None) takes the value of smallest
        median reconstruction error on the training data.
    q : float, optional
        Exponent of ``"gaussian"``; None is 2.
    deflation : {"greedy", "joint"}, default="greedy"
        One component after the other, or all together from the greedy solution on.
    n_init : int, default=1
        Starts per component: the sample of largest norm, then random samples.
    tol : float, default=1e-10
        Stop when a component moves less in one iteration.
    max_iter : int, default=1000
        Iterations per component.
    random_state : int, RandomState or None, default=None
        For the starts beyond the first.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Orthonormal rows.
    mean_ : array of shape (n_features,)
    objective_curve_ : array
        The objective, summed over the components found so far, after every iteration.
    a_ : float or None
        The a in use.
    n_iter_ : int
        Iterations of the slowest component.

    References
    ----------
    N. Kwak (2008), Principal component analysis based on L1-norm maximization. F. Nie et al.
    (2011), Robust principal component analysis with non-greedy l1-norm maximization.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.pca import GeneralizedPCA
    >>> line = np.outer(np.linspace(-1, 1, 21), [1.0, 0.0])
    >>> X = np.vstack([line, [[0.0, 4.0], [0.0, -4.0]]])  # two outliers
    >>> np.abs(GeneralizedPCA(n_components=1, objective="l2").fit(X).components_).round(2)
    array([[0., 1.]])
    >>> np.abs(GeneralizedPCA(n_components=1, objective="l1").fit(X).components_).round(2)
    array([[0.81, 0.59]])
    """

    def __init__(
        self,
        *,
        n_components: int | None = 2,
        objective: str | Callable[[Any], Any] = "l1",
        p: float | None = None,
        a: float | Literal["auto"] | None = None,
        q: float | None = None,
        deflation: Literal["greedy", "joint"] = "greedy",
        n_init: int = 1,
        tol: float = 1e-10,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.n_components = n_components
        self.objective = objective
        self.p = p
        self.a = a
        self.q = q
        self.deflation = deflation
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the components of the rows of X."""
        rows, self.mean_ = checked_rows(self, X)
        refuse_single_sample(self, len(rows))
        k = component_count(self.n_components, *rows.shape)
        rows = rows - self.mean_
        refuse_extremes(rows)
        objective, self.a_ = resolve_objective(self, rows, k)
        found = solve(self, rows, k, objective)
        self.components_ = found.W
        self.objective_curve_ = found.curve
        self.n_iter_ = found.n_iter
        if not found.converged:
            warn_not_converged(
                self,
                f"did not come to rest in {self.n_iter_} iterations",
                "raise max_iter or tol, or choose a convex objective",
            )
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Projections on the components."""
        check_is_fitted(self)
        rows: Array = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray((rows - self.mean_) @ self.components_.T)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """The points with the given projections in the plane of the components."""
        check_is_fitted(self)
        scores: Array = check_array(X, dtype=np.float64)
        if scores.shape[1] != len(self.components_):
            raise ValueError(
                f"X has {scores.shape[1]} columns, but there are {len(self.components_)} components"
            )
        return np.asarray(scores @ self.components_ + self.mean_)

    def reconstruction_error(self, X: ArrayLike) -> Array:
        """Distance of each row to the plane of the components: large for outliers."""
        check_is_fitted(self)
        rows: Array = validate_data(self, X, dtype=np.float64, reset=False)
        return residual_norms(rows - self.mean_, self.components_)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Minus the mean reconstruction error."""
        return -float(self.reconstruction_error(X).mean())

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)
