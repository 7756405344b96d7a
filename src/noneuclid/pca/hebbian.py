"""Principal components by Hebbian learning, in the geometry of any space."""

import copy
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import check_random_state

from noneuclid._blocks import Blocks, in_blocks
from noneuclid._data import check_is_fitted, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Positive
from noneuclid.numerics import fix_signs
from noneuclid.numerics.hebbian import RESIDUAL, SANGER, SUBSPACE
from noneuclid.pca import _online as online
from noneuclid.pca._base import BlockComponents, IterativeComponents, variance_shares, warn_anew
from noneuclid.pca._fixed_point import fixed_points, subspace_fixed_point
from noneuclid.pca._kernel_rule import kernel_rule
from noneuclid.pca._sums import Memory, Spread
from noneuclid.spaces import (
    Chart,
    Euclidean,
    IncompatibleSpace,
    LinearSpace,
    Space,
    as_space,
    require,
)
from noneuclid.spaces.charts import diagonal_chart
from noneuclid.spaces.names import SpaceLike, space_for
from noneuclid.typing import Array

# Most iterations and tolerance of each solver.
_LIMITS = {"online": (100, 1e-3), "batch": (2000, 1e-10), "kernel": (2000, 1e-8)}
_ADVICE = "raise max_iter or tol, ask for fewer components, or try another solver"


def require_linear(space: Space) -> None:
    """Raise unless responses in the space are linear: only then samples are to be summed."""
    if not isinstance(space, LinearSpace):
        raise IncompatibleSpace(
            f"HebbianPCA takes dask collections, and a checkpoint, in linear spaces; in {space} "
            "its rule needs all samples at once: give it a part of them, computed"
        )


@estimator
class HebbianPCA(BlockComponents, IterativeComponents):
    r"""Principal components in any geometry, by the rules of Oja and Sanger.

    With the response :math:`O_i = [v, w_i]` of component i to a centred sample v,

    .. math:: \Delta w_i = \varepsilon\, O_i \Bigl(v - \sum_{j \le i} O_j w_j\Bigr)

    (``rule="sanger"``; the sum over all j is Oja's ``"subspace"`` rule). In a Hilbert space with
    Gram matrix G the components solve :math:`CGw = \lambda w`, which ``solver="eigen"`` does
    exactly. In a Banach space such as :math:`l_1` they are fixed points of a nonlinear map; there
    can be several, and the one of largest mean squared response is kept.

    Parameters
    ----------
    space : str or Space, default="l2"
        Anything :func:`noneuclid.spaces.as_space` accepts. With a ``KernelMetric``, or with the
        ``KernelResponse`` of a semi-inner-product kernel, the response is the centred kernel value
        of the sample and a component *in the data space*. That rule is a heuristic: a kernel is
        not linear there, so components have neither norm 1 nor are they orthogonal,
        ``inverse_transform`` is no best approximation, and for bounded kernels the rule is
        stopped where the variance of the response is largest. For components in feature space
        use ``KernelHebbianPCA``, ``BanachKernelPCA`` or kernel PCA.
    rule : {"sanger", "subspace"}, default="sanger"
        The subspace rule finds the span of the components only.
    deflation : {"auto", "sanger", "residual"}, default="auto"
        What later components see. ``"sanger"``: the rule above, literally; in a Banach space its
        components are normalised afterwards, may be out of order, and for p near 1 may collapse.
        ``"residual"``: Oja's rule on :math:`v - O_1w_1 - \dots`, where every response is one to
        what the earlier components left. The two agree in Hilbert spaces; ``"auto"`` is
        ``"residual"`` elsewhere.
    solver : {"auto", "online", "batch", "eigen"}, default="auto"
        ``"eigen"`` is exact and for Hilbert spaces, ``"batch"`` iterates the expected update to its
        fixed point from several starts, ``"online"`` learns sample by sample. ``"auto"`` is
        ``"eigen"`` where possible and ``"batch"`` elsewhere.
    learning_rate : "auto" or float, default="auto"
        Of the online solver. ``"auto"`` decays and divides each step by the component's mean
        squared response, so that units and norms do not matter; a number is ε itself, constant.
    max_iter : int or None, default=None
        Epochs of the online solver (None: 100) or iterations of the batch solver (None: 2000).
    tol : float or None, default=None
        Stop when no component moves further than this, in the norm of the space, in an epoch
        (None: 1e-3) or iteration (None: 1e-10).
    n_init : int, default=10
        Starts of the batch solver in Banach spaces.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Of norm 1 in the space. The entry of largest modulus is positive.
    explained_variance_ : array of shape (n_components,)
        Mean squared response to the training data. Not sorted again.
    explained_variance_ratio_ : array of shape (n_components,)
        Share of the mean squared norm; in Hilbert spaces only, where shares add up.
    mean_ : array of shape (n_features,)

    Notes
    -----
    Of a dask array or DataFrame the exact and the batch solver sum the covariance in two passes; of
    fewer than five rows per feature they merge triangular roots of the blocks. The online solver
    goes from block to block in an order drawn for every epoch, over their rows in an order drawn
    for every block, so that its components depend on how the rows are divided.

    References
    ----------
    E. Oja (1982), A simplified neuron model as a principal component analyzer. T. D. Sanger
    (1989), Optimal unsupervised learning in a single-layer linear feedforward neural network.
    M. Biehl, M. Kästner, M. Lange and T. Villmann (2013), Non-Euclidean principal component
    analysis and Oja's learning rule.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.pca import HebbianPCA
    >>> angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    >>> ellipse = np.column_stack([np.cos(angle), 1.2 * np.sin(angle)])
    >>> w = HebbianPCA(n_components=1, space="l1", random_state=0).fit(ellipse).components_[0]
    >>> float(np.degrees(np.arctan2(abs(w[1]), abs(w[0]))).round(2))
    55.22
    """

    space: SpaceLike = "l2"
    rule: Literal["sanger", "subspace"] = "sanger"
    deflation: Literal["auto", "sanger", "residual"] = "auto"
    solver: Literal["auto", "online", "batch", "eigen"] = "auto"
    learning_rate: Literal["auto"] | Positive = "auto"
    max_iter: Count | None = None
    tol: Positive | None = None
    n_init: Count = 10

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
        if in_blocks(X) or self.checkpoint is not None:
            return self._fit_blocks(X)
        return self._learn(Memory(*self._rows(X)))

    def _fit_blocks(self, X: Any) -> Self:
        require_linear(as_space(self.space))
        return self._learn(Spread(Blocks.of_rows(self, X, checkpoint=self.checkpoint)))

    def _learn(self, data: Memory | Spread) -> Self:
        self._refuse_single_sample(data.shape[0])
        k = self._count(*data.shape)
        self.space_ = self._resolve_space(data)
        self.__dict__.pop("_state", None)
        self.__dict__.pop("explained_variance_ratio_", None)
        self._is_residual = self._code() == RESIDUAL
        solver = self._solver()
        getattr(self, f"_fit_{solver}")(data, k)
        return self

    def partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Show the rows of X once, in their order; the mean is learned alongside.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        y : ignored
            For scikit-learn.

        Returns
        -------
        self : object
            Fitted.
        """
        first = not hasattr(self, "_state")
        if first and "components_" in self.__dict__:
            warn_anew('solver="online"')
        rows, mean = self._rows(X, reset=first)
        if first:
            k = self._count(rows.shape[1], rows.shape[1])
            self.space_ = self._resolve_space(Memory(rows, mean))
            self._solver(online_only=True)
            self._is_residual = self._code() == RESIDUAL
        space, chart = self._coordinates()
        rows, mean = chart.forth(rows), chart.forth(mean[None, :])[0]
        if first:
            rng = check_random_state(self.random_state)
            self._state = online.first_state(space, np.zeros(rows.shape[1]), k, rng)
        self._state = state = copy.deepcopy(self._state)  # an interrupt leaves the old one
        total = state.clock + len(rows)
        state.mean = state.mean + (len(rows) / total) * (mean - state.mean)
        online.show(space, rows, np.arange(len(rows)), state, rule=self._code(), rate=self._rate())
        self._publish(state.W)
        self.explained_variance_ = state.power.copy()
        self.__dict__.pop("explained_variance_ratio_", None)  # of all samples before these
        self.mean_ = chart.back(state.mean[None, :])[0]
        self.n_iter_ = 1
        return self

    def _fit_eigen(self, data: Memory | Spread, k: int) -> None:
        chart = self._coordinates()[1]
        variances, axes, total = data.axes(chart.forth, k)
        self.components_, self.mean_ = fix_signs(chart.back(axes), axis=1), data.mean
        self.explained_variance_ = variances
        self.explained_variance_ratio_ = variance_shares(variances, total)
        self.n_iter_ = 1

    def _fit_batch(self, data: Memory | Spread, k: int) -> None:
        rng = data.rng(self.random_state)
        limits = self._limits("batch")
        B = data.root()
        if self.rule == "subspace":
            found = subspace_fixed_point(self.space_, B, k, rng=rng, **limits)  # type: ignore[arg-type]
        else:
            limits |= {"residual": self._is_residual, "n_init": self.n_init}
            found = fixed_points(self.space_, B, k, rng=rng, **limits)  # type: ignore[arg-type]
        self.components_, self.mean_ = fix_signs(found.W, axis=1), data.mean
        self.explained_variance_ = found.variances
        self.n_iter_ = found.n_iter
        if self.space_.is_hilbert:  # E‖v‖² is that of the rows of B
            self._share(float(self.space_.squared_norm(B).sum()))
        if found.collapsed:
            self._warn_not_converged(
                "lost a component to Sanger's deflation", 'use deflation="residual"'
            )
        elif not found.converged:
            self._warn_restless(_ADVICE)

    def _fit_online(self, data: Memory | Spread, k: int) -> None:
        rng, self.mean_ = data.rng(self.random_state), data.mean
        space, chart = self._coordinates()
        state = online.first_state(space, chart.forth(self.mean_[None, :])[0], k, rng)
        lesson = online.Lesson(space, self._code(), self._rate())
        epochs = data.epochs(lesson, state, chart.forth, rng)
        limits = self._limits("online")
        self._state, W, self.n_iter_, converged = online.learn_online(lesson, epochs, **limits)
        self._publish(W)
        self.explained_variance_, total = data.squares(self._response_matrix(), chart.forth)
        if self.space_.is_hilbert:
            self._share(total)
        if not converged:
            self._warn_restless(_ADVICE)

    def _fit_kernel(self, data: Memory, k: int) -> None:
        self.mean_ = data.mean
        found = kernel_rule(self.space_, data.X - self.mean_, k, **self._limits("kernel"))
        self.components_, self.response_mean_ = found.W, found.response_mean
        self.explained_variance_, self.n_iter_ = found.variances, found.n_iter
        if not found.converged:
            self._warn_restless(_ADVICE)

    def _publish(self, W: Array) -> None:
        space, chart = self._coordinates()
        self.components_ = fix_signs(chart.back(online.summarise(space, W)), axis=1)

    def _coordinates(self) -> tuple[LinearSpace, Chart]:
        """The space in which learning runs, and its chart: Euclidean for every Hilbert space."""
        chart = self.space_.chart(self.n_features_in_)
        if chart is None:
            return self.space_, diagonal_chart(np.ones(self.n_features_in_))  # type: ignore[return-value]
        return Euclidean(), chart

    def _share(self, total: float) -> None:
        self.explained_variance_ratio_ = variance_shares(self.explained_variance_, total)

    def _resolve_space(self, data: Memory | Spread) -> Space:
        space = space_for(self)
        require(space, type(self).__name__, "product")
        if not isinstance(space, LinearSpace):
            assert isinstance(data, Memory)
            space = space.resolve(data.X) if hasattr(space, "resolve") else space
            return clone(space, safe=False)
        require(space, type(self).__name__, "dual", "norm")
        space = clone(space, safe=False)
        space.chart(data.shape[1])  # complains about its parameters or the width of X
        return space

    def _solver(self, *, online_only: bool = False) -> str:
        space = self.space_
        solver = "online" if online_only else self.solver
        if not isinstance(space, LinearSpace):
            if solver not in ("auto", "batch"):
                require(space, f'HebbianPCA(solver="{solver}")', "dual")
            return "kernel"
        if solver == "auto":
            return "eigen" if space.is_hilbert else "batch"
        if solver == "eigen" and not space.is_hilbert:
            raise IncompatibleSpace(f'solver="eigen" needs a Hilbert space; {space} is none')
        return solver

    def _code(self) -> int:
        if self.rule == "subspace":
            return SUBSPACE
        by_space = "sanger" if self.space_.is_hilbert else "residual"
        deflation = by_space if self.deflation == "auto" else self.deflation
        return RESIDUAL if deflation == "residual" else SANGER

    def _rate(self) -> float | None:
        return None if isinstance(self.learning_rate, str) else float(self.learning_rate)

    def _limits(self, solver: str) -> dict[str, Any]:
        max_iter, tol = _LIMITS[solver]
        return {
            "max_iter": max_iter if self.max_iter is None else int(self.max_iter),
            "tol": tol if self.tol is None else self.tol,
        }

    def transform(self, X: ArrayLike) -> Array:
        """Responses O_i of the components; under residual deflation those to the residuals.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Samples.

        Returns
        -------
        array of shape (n, n_components)
            Scores.
        """
        check_is_fitted(self)
        rows: Array = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return self._responses(rows)

    def _responses(self, X: Array) -> Array:
        V = X - self.mean_
        if not isinstance(self.space_, LinearSpace):
            return np.asarray(self.space_.product(V, self.components_) - self.response_mean_)
        return np.asarray(V @ self._response_matrix().T)

    def _response_matrix(self) -> Array:
        """A with responses Av: under residual deflation [v − Σ_j O_j w_j, w_i], by linearity."""
        A = np.array(self.space_.dual(self.components_))
        if self._is_residual:
            overlap = self.components_ @ A.T
            for i in range(1, len(A)):
                A[i] -= overlap[:i, i] @ A[:i]
        return A

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Σ_i O_i w_i, back at the mean.

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
        """‖v − Σ_i O_i w_i‖ of each row, in the norm of the space: large for outliers.

        Parameters
        ----------
        X : array of shape (n, n_features)

        Returns
        -------
        errors : array of shape (n,)
        """
        check_is_fitted(self)
        require(self.space_, "reconstruction_error", "norm")
        rows: Array = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        rest = rows - self.mean_ - self._responses(rows) @ self.components_
        return np.asarray(self.space_.norm(rest))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Share of the Euclidean variance of X that the reconstruction keeps, in any space.

        At most 1, and comparable between spaces, as a grid search over them needs.

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
        return self._score_of(self._score_sums(X))

    def _score_sums(self, X: ArrayLike, y: Any = None, weights: Any = None) -> Array:
        """What is lost, and all there is."""
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        lost = np.square(rows - self.inverse_transform(self.transform(X))).sum()
        return np.array([lost, np.square(rows - self.mean_).sum()])

    def _score_of(self, sums: Array) -> float:
        lost, total = sums
        return float(1.0 - lost / total) if total > 0 else 1.0
