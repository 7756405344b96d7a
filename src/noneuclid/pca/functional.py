"""Principal components of curves, by way of a basis of functions."""

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._blocks import in_blocks, lazily
from noneuclid._blocks.door import is_frame, opened_rows
from noneuclid._checks import is_number
from noneuclid._data import check_array, check_is_fitted, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import (
    Count,
    NotNegative,
    Numbers,
    Rule,
    Share,
    are_positive,
    check,
    is_pair,
)
from noneuclid.curves import Curves
from noneuclid.curves.bases import inner_products, make_basis
from noneuclid.curves.grids import refuse_outside
from noneuclid.numerics import orientation
from noneuclid.pca._base import variance_shares
from noneuclid.pca._curve_rows import (
    LeastSquares,
    checked_domain,
    checked_grid,
    observed,
    smoother,
)
from noneuclid.pca._function_planes import FunctionPlanes
from noneuclid.pca._random_curves import (
    Band,
    RandomCurves,
    coefficients_at_times,
    curves_of_rows,
)
from noneuclid.pca.hebbian import HebbianPCA
from noneuclid.spaces import Hilbert
from noneuclid.typing import Array

_Interval = Annotated[
    tuple[float, float],
    Rule("an interval that holds the grid", lambda pair: is_pair(pair, is_number)),
]


_Weights = Annotated[ArrayLike, Rule("positive numbers, one per channel", are_positive)]


@estimator
class FunctionalPCA(FunctionPlanes):
    r"""PCA of functions :math:`f_i(t) = \sum_j c_{ij}\varphi_j(t)` with the product of L².

    .. math:: \langle f, g\rangle = \int fg = c'\Phi d, \qquad \Phi_{jk} = \int\varphi_j\varphi_k

    **Rows of X** hold one curve each at the positions of ``grid``; its coefficients minimise

    .. math:: \sum_k \bigl(x_k - f(t_k)\bigr)^2 + \text{smoothing} \int (f'')^2 ,

    and the components are those of the coefficients in the Hilbert space with Gram matrix Φ.

    **Curves** with their own times, however few (:class:`noneuclid.curves.Curves`), are taken for
    random functions observed with noise,

    .. math:: x_{ij} = \mu(t_{ij}) + \sum_k \xi_{ik}\phi_k(t_{ij}) + \varepsilon_{ij}, \qquad
        \hat\xi_{ik} = E[\xi_{ik} \mid x_i] ,

    of which smoothed mean, covariance and noise are estimated from all curves together, and the
    scores of one are conditional expectations (PACE), with their uncertainty. Several channels have
    components in common.

    Parameters
    ----------
    basis : {"bspline", "fourier", "monomial"}, default="bspline"
        Cubic B-splines on uniform knots; the Fourier basis of the interval, for periodic curves;
        powers of the position.
    n_basis : int, optional
        Number of functions; by default 15 splines, 11 waves or 5 powers, or as many as points. Of
        curves with fewer than 20 points each 10, 7 or 4, and fewer of many channels.
    grid : array of shape (n_features,), optional
        Increasing positions, uniform or not; by default uniform on [0, 1]. Of curves, where their
        components are shown; by default their common times, or 101 uniform points.
    domain : (float, float), optional
        The interval on which the functions live (for Fourier, one period); by default the range
        of the grid, or of the times.
    smoothing : "auto" or float, default="auto"
        Weight of the roughness penalty. ``"auto"``: none for rows; of mean and directions of curves
        as cross-validated moments suggest; by generalised cross-validation for curves with
        ``method="basis"``.
    method : {"auto", "basis", "conditional"}, default="auto"
        ``"basis"``: every curve is fitted by itself. ``"conditional"``: by conditional expectation,
        for curves with few or noisy observations. ``"auto"``: the first for rows, the second for
        ``Curves``.
    component_smoothing : float, default=0.0
        α of the product :math:`\int fg + \alpha\int f''g''` in which components have norm 1 and are
        orthogonal, a Sobolev product; scores stay those of L². Means and reconstructions of rows
        are smoothed alike.
    channel_weights : array of shape (n_channels,), optional
        Weights of the channels in the product, :math:`\sum_c a_c\int f_cg_c`; by default 1.
        Channels in different units may need them.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Component functions on the grid, of norm 1; channels side by side.
    coefficients_ : array of shape (n_components, n_basis)
        The same in the basis.
    mean_ : array of shape (n_features,)
        The mean function on the grid.
    grid_ : list of arrays
        The grid of each channel.
    explained_variance_, explained_variance_ratio_ : array of shape (n_components,)
        Mean squared scores (of curves: variances of the true ones), and their share of the mean
        squared norm.
    noise_variance_ : array of shape (n_channels,)
        Of curves by conditional expectation.

    Notes
    -----
    Missing values (NaN) in rows are positions at which a curve was not observed: every curve may
    have its own grid within the common one. With few observations per curve use
    ``method="conditional"``.

    Moments see the noise as a small difference of large numbers only. So the smoothed moments are
    the start, from which the penalised likelihood of the model is climbed by expectation and
    maximisation.

    References
    ----------
    J. O. Ramsay and B. W. Silverman (2005), Functional Data Analysis, chapters 8 and 9. F. Yao,
    H.-G. Müller and J.-L. Wang (2005), Functional data analysis for sparse longitudinal data.
    L. Xiao, C. Li, W. Checkley and C. Crainiceanu (2018), Fast covariance estimation for sparse
    functional data. G. M. James, T. J. Hastie and C. A. Sugar (2000), Principal component models
    for sparse functional data. B. W. Silverman (1996), Smoothed functional principal components
    analysis by choice of norm.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.pca import FunctionalPCA
    >>> t = np.sort(np.random.default_rng(0).uniform(size=60))
    >>> X = np.outer([1, -1, 2, -2], np.sin(2 * np.pi * t))
    >>> model = FunctionalPCA(n_components=1, basis="fourier", grid=t, domain=(0, 1))
    >>> model = model.fit(X)
    >>> model.component_functions([0.25]).round(4)  # √2 sin(2πt) has norm 1 on [0, 1]
    array([[1.4142]])

    Seven noisy observations of each curve:

    >>> from noneuclid.curves import Curves
    >>> rng = np.random.default_rng(0)
    >>> times = rng.uniform(size=(60, 7))
    >>> scores = rng.normal(size=60)
    >>> curves = Curves([
    ...     (t, z * np.sin(2 * np.pi * t) + 0.1 * rng.normal(size=7)) for t, z in zip(times, scores)
    ... ])
    >>> model = FunctionalPCA(n_components=1).fit(curves)
    >>> bool(abs(np.corrcoef(model.transform(curves)[:, 0], scores)[0, 1]) > 0.99)
    True
    >>> band = model.reconstruct(curves)
    >>> truth = np.outer(scores, np.sin(2 * np.pi * band.times[0]))
    >>> bool(((band.lower <= truth) & (truth <= band.upper)).mean() > 0.85)
    True
    """

    basis: Literal["bspline", "fourier", "monomial"] = "bspline"
    n_basis: Count | None = None
    grid: Numbers | None = None
    domain: _Interval | None = None
    smoothing: Literal["auto"] | NotNegative = "auto"
    method: Literal["auto", "basis", "conditional"] = "auto"
    component_smoothing: NotNegative = 0.0
    channel_weights: _Weights | None = None

    _smoother = _solver = None  # models of earlier releases have none

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the component functions of curves.

        Parameters
        ----------
        X : array of shape (n, n_features), Curves, dask array or DataFrame
            Rows at the positions of ``grid``, or curves with their own times.
        y : ignored

        Returns
        -------
        self
        """
        for name in ("_random", "noise_variance_", "n_iter_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        if in_blocks(X):
            return self._fit_blocks(X)
        if self.method == "conditional" or hasattr(X, "flat_points"):
            return self._fit_curves(X)
        rows = self._curves(X, reset=True)
        self._refuse_single_sample(len(rows))
        self._make_basis(rows.shape[1])
        k = self._count(len(rows), self._basis.size, "n_basis")
        return self._learn(self._fit_coefficients(rows), k)

    def _fit_curves(self, X: Any) -> Self:
        """Of random functions, or of each curve by itself, at its own times."""
        curves = self._as_curves(X, reset=True)
        self._refuse_single_sample(len(curves))
        self._random = random = RandomCurves.of(self, curves, self._positions(X))
        k = self._count(len(curves), random.functions.size, "n_basis")
        random.fit(curves, k)
        self.n_features_in_ = sum(map(len, random.grids))
        self.grid_, self.coefficients_ = random.grids, random.components
        self.components_ = random.components @ random.design.T
        self.mean_ = random.design @ random.mean
        self.explained_variance_, total = random.variances, random.total
        self.explained_variance_ratio_ = variance_shares(random.variances, total)
        if random.process is not None:
            self.noise_variance_, self.n_iter_ = random.process.noise, random.process.n_iter
        return self

    def _positions(self, X: Any) -> Array | None:
        """Of the columns of rows, gaps or not; curves have none in common."""
        return None if hasattr(X, "flat_points") else checked_grid(self.grid, self.n_features_in_)

    def _fit_blocks(self, X: Any) -> Self:
        """The coefficients are a collection too, never all in one place."""
        if self.method == "conditional":
            raise TypeError(
                'FunctionalPCA(method="conditional") does not take dask collections: it needs all '
                "curves at once"
            )
        validate_data(self, opened_rows(X).example, reset=True)
        self._make_basis(self.n_features_in_)
        self._count(self._basis.size, self._basis.size, "n_basis")
        curves = X.to_dask_array(lengths=True) if is_frame(X) else X
        return self._learn(lazily(self, "_coefficients_of", curves), self.n_components)

    def _make_basis(self, n_points: int) -> None:
        if self.channel_weights is not None:
            raise ValueError("channel_weights are for Curves of several channels: rows have one")
        grid = checked_grid(self.grid, n_points)
        self.grid_ = [grid]
        domain = checked_domain(self.domain, grid)
        self._basis = make_basis(self.basis, self.n_basis, len(grid), domain)
        self._design = self._basis.evaluate(grid)
        roughness = inner_products(self._basis, order=2)
        self._penalty = self._roughness_weight() * roughness
        self._solver = LeastSquares(self._basis, self._design, self._penalty)
        # Components of norm 1 in G + αP are those of curves smoothed by (G + αP)⁻¹G.
        self._smoother = None
        if self.component_smoothing > 0:
            G = inner_products(self._basis)
            self._smoother = smoother(G, roughness, float(self.component_smoothing))

    def _roughness_weight(self) -> float:
        return 0.0 if isinstance(self.smoothing, str) else float(self.smoothing)

    def _learn(self, coefficients: Any, k: int | None) -> Self:
        G = inner_products(self._basis)
        if self.component_smoothing > 0:
            G = G + self.component_smoothing * inner_products(self._basis, order=2)
        pca = HebbianPCA(n_components=k, space=Hilbert(G), checkpoint=self.checkpoint)
        self._pca = pca.fit(coefficients)
        pca.components_ *= orientation(pca.components_ @ self._design.T, axis=1)
        self.coefficients_ = pca.components_
        self.components_ = pca.components_ @ self._design.T
        self.mean_ = self._design @ pca.mean_
        self.explained_variance_ = pca.explained_variance_
        self.explained_variance_ratio_ = pca.explained_variance_ratio_
        if self._smoother is not None:  # a share of the curves as they were before
            rough = (coefficients - pca.mean_) @ np.linalg.inv(self._smoother).T
            total = ((rough @ inner_products(self._basis)) * rough).mean(axis=0).sum()
            self.explained_variance_ratio_ = variance_shares(pca.explained_variance_, float(total))
        return self

    def _as_curves(self, X: Any, *, reset: bool) -> Any:
        """Curves themselves; rows as curves at the positions of the grid, gaps included."""
        if hasattr(X, "flat_points"):
            return X
        rows = self._curves(X, reset=reset)
        if reset:
            return Curves.from_array(rows, checked_grid(self.grid, rows.shape[1]))
        cuts = np.cumsum([len(grid) for grid in self.grid_])[:-1]
        return curves_of_rows(np.split(rows, cuts, axis=1), self.grid_)

    def _curves(self, X: ArrayLike, *, reset: bool) -> Array:
        rows: Array = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset
        )
        return observed(rows)

    def _coefficients_of(self, X: ArrayLike) -> Array:
        """Of the curves of a block."""
        rows: Array = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        return self._fit_coefficients(observed(rows))

    def _least_squares(self) -> LeastSquares:
        return self._solver or LeastSquares(self._basis, self._design, self._penalty)

    def _fit_coefficients(self, X: Array) -> Array:
        found = self._least_squares()(X)
        return found if self._smoother is None else found @ self._smoother.T

    def transform(self, X: Any) -> Array:
        """Scores ∫(f − mean)ξ of each curve; of random functions their conditional expectations.

        Parameters
        ----------
        X : array of shape (n, n_features), or Curves
            Rows at the positions of the grid, with NaN as gaps; or curves, within the range of the
            training curves.

        Returns
        -------
        array of shape (n, n_components)
        """
        check_is_fitted(self)
        if hasattr(self, "_random"):
            return self._random.scores(self._as_curves(X, reset=False))[0]
        if hasattr(X, "flat_points"):
            return self._pca.transform(self._coefficients_of_curves(X))
        return self._pca.transform(self._fit_coefficients(self._curves(X, reset=False)))

    def _coefficients_of_curves(self, curves: Any) -> Array:
        """Of curves at other times than those of the rows that were learned from."""
        found = coefficients_at_times(curves, self._basis, self._least_squares())
        return found if self._smoother is None else found @ self._smoother.T

    def score_covariance(self, X: Any) -> Array:
        """Covariances of the scores given what was observed of each curve: their uncertainty.

        Parameters
        ----------
        X : array of shape (n, n_features), or Curves

        Returns
        -------
        array of shape (n, n_components, n_components)
        """
        return self._of_random("score_covariance").scores(self._as_curves(X, reset=False))[1]

    def reconstruct(
        self, X: Any, t: Any = None, *, level: float = 0.95, simultaneous: bool = False
    ) -> Band:
        r"""Whole curves from what was observed of them, with bands.

        .. math:: \hat f(t) \pm z\sqrt{\operatorname{var}(f(t) \mid x)}

        Parameters
        ----------
        X : array of shape (n, n_features), or Curves
        t : array, or list of arrays of each channel, optional
            Where; by default on the grid.
        level : float, default=0.95
            Probability with which a band holds the curve (not a further observation of it): at each
            point, or everywhere.
        simultaneous : bool, default=False
            Whether everywhere at once: z² is then a quantile of χ² with as many degrees of freedom
            as random directions.

        Returns
        -------
        Band
            ``mean``, ``lower`` and ``upper`` of shape (n, n_points), channels side by side, and
            ``times``.
        """
        random = self._of_random("reconstruct")
        check("level", level, Share)
        return random.band(self._as_curves(X, reset=False), t, level, simultaneous)

    def _of_random(self, what: str) -> RandomCurves:
        check_is_fitted(self)
        if not hasattr(self, "noise_variance_"):
            raise ValueError(f'{what} needs method="conditional": there is no noise without it')
        return self._random

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Curves on the grid with the given scores.

        Parameters
        ----------
        X : array of shape (n, n_components)

        Returns
        -------
        array of shape (n, n_features)
        """
        scores = self._scores(X)
        if hasattr(self, "_random"):
            return np.asarray(self.mean_ + scores @ self.components_)
        return np.asarray(self._pca.inverse_transform(scores) @ self._design.T)

    def component_functions(self, t: ArrayLike, *, channel: int = 0) -> Array:
        """The components at any positions t within the grid's range.

        Parameters
        ----------
        t : array of positions
        channel : int, default=0

        Returns
        -------
        array of shape (n_components, len(t))
        """
        check_is_fitted(self)
        times = np.asarray(t, float)
        if hasattr(self, "_random"):
            return self._random.evaluate(self.coefficients_, times, channel)
        refuse_outside(times, self._basis.pieces)
        return np.asarray(self.coefficients_ @ self._basis.evaluate(times).T)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
