"""Principal components for objectives other than the variance."""

from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import check_random_state

from noneuclid._blocks import Blocks, in_blocks
from noneuclid._data import check_is_fitted, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Positive
from noneuclid.numerics import first_argmin, fix_signs
from noneuclid.pca._ascent import Samples, ascend, climb_all, joint
from noneuclid.pca._base import BlockComponents, IterativeComponents, refuse_extremes, warn_anew
from noneuclid.pca._block_ascent import BlockSamples, Choice
from noneuclid.pca._charted import Charted
from noneuclid.pca._climbing import Ascent
from noneuclid.pca._robust_online import RobustState
from noneuclid.pca.objectives import Objective, ObjectiveLike, make_objective, skeleton
from noneuclid.spaces import Chart
from noneuclid.spaces.names import SpaceLike, hilbert_space_for
from noneuclid.typing import Array

_N_CANDIDATES = 9


def residual_norms(X: Array, W: Array) -> Array:
    """‖x − W'Wx‖ of each row."""
    return np.asarray(np.linalg.norm(X - (X @ W.T) @ W, axis=1))


@estimator
class ObjectiveComponents(IterativeComponents):
    """Components that maximise any function of the projections.

    Parameters
    ----------
    objective : str, Objective or callable, default="l1"
        By f'(u): ``"lp"`` u^(p−1) (also ``"l1"``, ``"l1.5"`` …), ``"tanh"`` tanh u, ``"sech"``
        3 − 3 sech u, ``"tanh2"`` 2 tanh² u, ``"sigmoid"`` 4σ(u) − 2, ``"tanh_sech"`` 2 tanh u
        sech u, ``"cosine"`` 1 − cos(πu/2), ``"skeleton"`` min(u, a), ``"gaussian"`` exp(−u^q);
        an :class:`Objective` of your own, or just a function f' of an array u ≥ 0, which is not
        taken for the slope of a convex f. All but the powers depend on the unit of the data.
    p : float, optional
        Exponent of ``"lp"``, positive. Below 1 the result depends on the start.
    a : float or "auto", optional
        Of ``"skeleton"``: where l2 turns into l1. ``"auto"`` (as None) takes the value of smallest
        median reconstruction error on the training data; of those in blocks, on a sample of at
        most 10,000 rows. With labels it may be chosen by training performance:
        :class:`SubspaceClassifier` has a recipe.
    q : float, optional
        Exponent of ``"gaussian"``; None is 2.
    deflation : {"greedy", "joint"}, default="greedy"
        One component after the other, or all together from the greedy solution on.
    n_init : int, default=1
        Starts per component: the sample of largest norm, then random samples.
    random_state : int, RandomState or None, default=None
        For the starts beyond the first.

    Attributes
    ----------
    objective_curve_ : array
        The objective, summed over the components found so far, after every iteration.
    a_ : float or None
        The a in use.
    n_iter_ : int
        Iterations of the slowest component.
    """

    objective: ObjectiveLike = "l1"
    p: Positive | None = None
    a: Literal["auto"] | Positive | None = None
    q: Positive | None = None
    deflation: Literal["greedy", "joint"] = "greedy"
    n_init: Count = 1
    max_iter: Count = 1000
    tol: Positive = 1e-10

    def _check_params(self) -> None:
        if isinstance(self.objective, str):
            make_objective(self.objective, self.p, a=1.0)

    def _limits(self, rng: np.random.RandomState | None = None) -> dict[str, Any]:
        """The parameters of the search."""
        rng = check_random_state(self.random_state) if rng is None else rng
        return {"n_init": self.n_init, "max_iter": self.max_iter, "tol": self.tol, "rng": rng}

    def _climb(
        self, data: Any, k: int, *, serial: bool = False, rng: np.random.RandomState | None = None
    ) -> tuple[Ascent, Objective]:
        """Components of centred samples, and the objective they climbed."""
        limits = self._limits(rng)
        objective, self.a_ = self._resolve_objective(data, k)
        if objective.is_l2 and not serial:
            return data.exact_l2(k, objective), objective
        found = climb_all(data.landscape(objective), k, serial=serial, **limits)
        if self.deflation == "joint":
            found = joint(data, found, objective, max_iter=limits["max_iter"], tol=limits["tol"])
        return found, objective

    def _resolve_objective(self, data: Any, k: int) -> tuple[Objective, float | None]:
        r"""The objective, and a if it has one.

        ``"auto"`` tries values of a from :math:`10^{-4}` of the largest norm up to that norm,
        evenly spaced in the logarithm, and keeps the one whose components leave the smallest
        *median* reconstruction error: what most samples lose counts, what outliers lose does not.
        """
        is_skeleton = isinstance(self.objective, str) and self.objective == "skeleton"
        a: Any = self.a if is_skeleton else None
        if is_skeleton and (a is None or isinstance(a, str)):
            a = self._choose_a(data.few(), data.largest, k)
        made = data.make(self.objective, self.p, a, self.q)
        return made, None if a is None else float(a)

    def _choose_a(self, X: Array, largest: float, k: int) -> float:
        if largest == 0:
            return 1.0
        candidates = largest * np.logspace(-4, 0, _N_CANDIDATES)
        errors = []
        for candidate in candidates:
            rng = np.random.RandomState(0)
            tried = skeleton(float(candidate))
            W = ascend(X, k, tried, n_init=1, max_iter=50, tol=1e-4, rng=rng).components
            errors.append(np.median(residual_norms(X, W)))
        return float(candidates[first_argmin(np.array(errors))])

    def _record(self, found: Ascent) -> None:
        self.objective_curve_, self.n_iter_ = found.curve, found.n_iter
        if not found.converged:
            self._warn_restless("raise max_iter or tol, or choose a convex objective")


@estimator
class GeneralizedPCA(BlockComponents, ObjectiveComponents):
    r"""Orthonormal components that maximise any function of the projections.

    .. math:: \max_{\|w\| = 1} \sum_i f(|[x_i, w]|), \qquad
        w \leftarrow \frac{g}{\|g\|}, \quad g = \sum_i f'(|[x_i, w]|)\,\mathrm{sgn}[x_i, w]\,x_i

    with the inner product :math:`[x, w]` of a Hilbert space. f grows slower than the square for
    most objectives here, so that outliers count for less than in PCA. For convex f the objective
    never falls; otherwise a line search sees to it.

    Parameters
    ----------
    space : str or Space, default="l2"
        A Hilbert space, such as ``Sobolev()`` for curves or ``Hilbert(gram)``. Learning runs in its
        chart, coordinates in which the space is Euclidean.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Orthonormal rows: in the product of the space.
    mean_ : array of shape (n_features,)
    space_ : Space
        The space in use.

    Notes
    -----
    Every iteration on a dask array or DataFrame is a pass over its blocks, which all starts share
    (a line search takes one or two). Starts are the samples that rows in memory would have.

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

    Components of curves, of norm 1 in a Sobolev space:

    >>> from noneuclid.spaces import Sobolev
    >>> space = Sobolev(spacing="unit")
    >>> curves = np.random.default_rng(0).normal(size=(30, 20)).cumsum(axis=1)
    >>> space.norm(GeneralizedPCA(space=space).fit(curves).components_).round(6)
    array([1., 1.])
    """

    space: SpaceLike = "l2"

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the components of the rows of X, which may be a dask array or DataFrame.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Samples.
        y : ignored
            For scikit-learn.

        Returns
        -------
        self : object
            Fitted.
        """
        hilbert_space_for(self)
        self.__dict__.pop("_online", None)
        if in_blocks(X) or self.checkpoint is not None:
            return self._fit_blocks(X)
        rows, self.mean_ = self._rows(X)
        k = self._count_of(rows.shape)
        rows = self._take_chart().forth(rows - self.mean_)
        refuse_extremes(float(np.abs(rows).max(initial=0.0)))
        return self._learn(Samples(rows), k, check_random_state(self.random_state))

    def partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        r"""Show the rows of X once, in their order; the mean is learned alongside.

        Sanger's rule with the slope of the objective,

        .. math:: \Delta w_i = \varepsilon\, f'(|O_i|)\,\mathrm{sgn}(O_i)
                  \Bigl(v - \sum_{j \le i} O_j w_j\Bigr), \qquad O_i = [v, w_i],

        rests where greedy components do (``deflation="joint"`` has a rule of its own). What an
        objective takes from the data (a of ``"skeleton"``) it takes from the rows of a first call.

        Parameters
        ----------
        X : array of shape (n, n_features)
            In random order, that of the stream.
        y : ignored

        Returns
        -------
        self

        References
        ----------
        J. Karhunen and J. Joutsensalo (1995), Generalizations of principal component analysis,
        optimization problems, and neural networks.
        """
        first = "_online" not in self.__dict__
        if first and "components_" in self.__dict__:
            warn_anew()
        rows, mean = self._rows(X, reset=first)
        if first:
            k = self._count(rows.shape[1], rows.shape[1])
            self._online = self._begin(self._take_chart().forth(rows - mean), k)
        chart = self._chart()
        Z = chart.forth(rows)
        refuse_extremes(float(np.abs(Z).max(initial=0.0)))
        self._online = state = self._online.shown(Z, make_objective(*self._choice))
        self.components_ = fix_signs(chart.back(state.components), axis=1)
        self.mean_ = chart.back(state.mean[None, :])[0]
        self.n_iter_ = 1
        return self

    def _begin(self, Z: Array, k: int) -> RobustState:
        """Random components, and the objective as the first rows have it."""
        data = Samples(Z)
        _, self.a_ = self._resolve_objective(data, min(k, len(Z)))
        objective = clone(self.objective, safe=False)
        self._choice = Choice(objective, self.p, self.a_, self.q, data.largest)
        self.__dict__.pop("objective_curve_", None)
        rng, together = check_random_state(self.random_state), self.deflation == "joint"
        return RobustState.start(k, Z.shape[1], rng, together=together)

    def _fit_blocks(self, X: Any) -> Self:
        if self.checkpoint is not None and not isinstance(self.objective, str):
            raise ValueError(
                f"checkpoint (={str(self.checkpoint)!r}) needs an objective with a name: after a "
                "restart one function cannot be told from another"
            )
        blocks = Blocks.of_rows(self, X, checkpoint=self.checkpoint)
        k = self._count_of((blocks.n_samples, self.n_features_in_))
        chart = self._take_chart()
        data = BlockSamples(blocks if chart.is_identity else Charted(blocks, chart.forth))
        refuse_extremes(data.size)
        self.mean_ = chart.back(data.mean[None, :])[0]
        return self._learn(data, k, blocks.rng(self.random_state))

    def _count_of(self, shape: tuple[int, int]) -> int:
        self._refuse_single_sample(shape[0])
        return self._count(*shape)

    def _learn(self, data: Samples | BlockSamples, k: int, rng: np.random.RandomState) -> Self:
        found, _ = self._climb(data, k, rng=rng)
        self.components_ = self._chart().back(found.components)
        self._record(found)
        return self

    def _take_chart(self) -> Chart:
        self.space_ = hilbert_space_for(self)
        return self._chart()

    def _chart(self) -> Chart:
        return cast(Chart, self.space_.chart(self.n_features_in_))

    def _centred(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False) - self.mean_)

    def transform(self, X: ArrayLike) -> Array:
        """Projections on the components: products with them, in the space.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Samples.

        Returns
        -------
        array of shape (n, n_components)
            Scores.
        """
        return np.asarray(self._centred(X) @ self.space_.dual(self.components_).T)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """The points with the given projections in the plane of the components.

        Parameters
        ----------
        X : array of shape (n, n_components)
            Scores.

        Returns
        -------
        array of shape (n, d)
            Points.
        """
        return np.asarray(self._scores(X) @ self.components_ + self.mean_)

    def reconstruction_error(self, X: ArrayLike) -> Array:
        """Distance of each row to the plane of the components, in the space: large for outliers.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Samples.

        Returns
        -------
        array of shape (n,)
            Distances, not squared.
        """
        chart = self._chart()
        return residual_norms(chart.forth(self._centred(X)), chart.forth(self.components_))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Minus the mean reconstruction error.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Samples.
        y : ignored
            For scikit-learn.

        Returns
        -------
        float
            The larger, the better.
        """
        return -float(self.reconstruction_error(X).mean())
