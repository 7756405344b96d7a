"""Principal components of curves, by way of a basis of functions."""

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from sklearn.utils.validation import check_is_fitted

from noneuclid._blocks import in_blocks, lazily
from noneuclid._blocks.door import is_frame, opened_rows
from noneuclid._checks import is_number
from noneuclid._data import check_array, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, NotNegative, Numbers, Rule, is_pair
from noneuclid.curves.bases import inner_products, make_basis
from noneuclid.numerics import orientation
from noneuclid.pca._base import BlockComponents
from noneuclid.pca.hebbian import HebbianPCA
from noneuclid.spaces import Hilbert
from noneuclid.typing import Array

_Interval = Annotated[
    tuple[float, float],
    Rule("an interval that holds the grid", lambda pair: is_pair(pair, is_number)),
]


def _observed(rows: Array) -> Array:
    if np.isnan(rows).all(axis=1).any():
        raise ValueError("a curve has no observed value: every row needs one that is not NaN")
    return rows


@estimator
class FunctionalPCA(BlockComponents):
    r"""PCA of functions :math:`f_i(t) = \sum_j c_{ij}\varphi_j(t)` with the product of L².

    .. math:: \langle f, g\rangle = \int fg = c'\Phi d, \qquad \Phi_{jk} = \int\varphi_j\varphi_k

    Each row of X holds one curve at the positions of ``grid``; its coefficients minimise

    .. math:: \sum_k \bigl(x_k - f(t_k)\bigr)^2 + \text{smoothing} \int (f'')^2 .

    The components are those of the coefficients in the Hilbert space with Gram matrix Φ.

    Parameters
    ----------
    basis : {"bspline", "fourier", "monomial"}, default="bspline"
        Cubic B-splines on uniform knots; the Fourier basis of the interval, for periodic curves;
        powers of the position.
    n_basis : int, optional
        Number of functions; by default 15 splines, 11 waves or 5 powers, or as many as points.
    grid : array of shape (n_features,), optional
        Increasing positions, uniform or not; by default uniform on [0, 1].
    domain : (float, float), optional
        The interval on which the functions live (for Fourier, one period); by default the range
        of the grid.
    smoothing : float, default=0.0
        Weight of the roughness penalty.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Component functions on the grid, of norm 1 in L².
    coefficients_ : array of shape (n_components, n_basis)
        The same in the basis.
    mean_ : array of shape (n_features,)
        The mean function on the grid.
    explained_variance_, explained_variance_ratio_ : array of shape (n_components,)
        Mean squared scores, and their share of the mean squared norm.

    Notes
    -----
    Missing values (NaN) are positions at which a curve was not observed: every curve may have
    its own grid within the common one. With few observations per curve use ``smoothing``.

    References
    ----------
    J. O. Ramsay and B. W. Silverman (2005), Functional Data Analysis, chapter 8.

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
    """

    basis: Literal["bspline", "fourier", "monomial"] = "bspline"
    n_basis: Count | None = None
    grid: Numbers | None = None
    domain: _Interval | None = None
    smoothing: NotNegative = 0.0

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the component functions of the curves in the rows of X.

        X may be a dask array or DataFrame.
        """
        if in_blocks(X):
            return self._fit_blocks(X)
        rows = self._curves(X, reset=True)
        self._refuse_single_sample(len(rows))
        self._make_basis(rows.shape[1])
        k = self._count(len(rows), self._basis.size, "n_basis")
        return self._learn(self._fit_coefficients(rows), k)

    def _fit_blocks(self, X: Any) -> Self:
        """The coefficients are a collection too, never all in one place."""
        validate_data(self, opened_rows(X).example, reset=True)
        self._make_basis(self.n_features_in_)
        self._count(self._basis.size, self._basis.size, "n_basis")
        curves = X.to_dask_array(lengths=True) if is_frame(X) else X
        return self._learn(lazily(self, "_coefficients_of", curves), self.n_components)

    def _make_basis(self, n_points: int) -> None:
        grid = self._grid(n_points)
        self._basis = make_basis(self.basis, self.n_basis, len(grid), self._domain(grid))
        self._design = self._basis.evaluate(grid)
        self._penalty = self.smoothing * inner_products(self._basis, order=2)

    def _learn(self, coefficients: Any, k: int | None) -> Self:
        space = Hilbert(inner_products(self._basis))
        pca = HebbianPCA(n_components=k, space=space, checkpoint=self.checkpoint)
        self._pca = pca.fit(coefficients)
        pca.components_ *= orientation(pca.components_ @ self._design.T, axis=1)
        self.coefficients_ = pca.components_
        self.components_ = pca.components_ @ self._design.T
        self.mean_ = self._design @ pca.mean_
        self.explained_variance_ = pca.explained_variance_
        self.explained_variance_ratio_ = pca.explained_variance_ratio_
        return self

    def _curves(self, X: ArrayLike, *, reset: bool) -> Array:
        rows: Array = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset
        )
        return _observed(rows)

    def _coefficients_of(self, X: ArrayLike) -> Array:
        """Of the curves of a block."""
        rows: Array = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        return self._fit_coefficients(_observed(rows))

    def _grid(self, n: int) -> Array:
        if n < 2:
            raise ValueError("FunctionalPCA needs curves of at least 2 points, got n_features=1")
        if self.grid is None:
            return np.linspace(0.0, 1.0, n)
        grid = np.asarray(self.grid, dtype=np.float64)
        if grid.shape != (n,) or not np.isfinite(grid).all() or (np.diff(grid) <= 0).any():
            raise ValueError(f"grid must be {n} increasing positions, one per feature of X")
        return grid

    def _domain(self, grid: Array) -> tuple[float, float]:
        low, high = (grid[0], grid[-1]) if self.domain is None else self.domain
        if not low <= grid[0] < grid[-1] <= high:
            raise ValueError(f"domain (={self.domain!r}) must be an interval that holds the grid")
        return float(low), float(high)

    def _fit_coefficients(self, X: Array) -> Array:
        """Penalised least squares; curves observed at the same positions together."""
        observed = ~np.isnan(X)
        patterns, which = np.unique(observed, axis=0, return_inverse=True)
        coefficients = np.empty((len(X), self._basis.size))
        for number, seen in enumerate(patterns):
            members = np.flatnonzero(which.ravel() == number)
            B = self._design[seen]
            if self.smoothing > 0:  # as rows of the least-squares problem: no squared condition
                values, vectors = linalg.eigh(self._penalty)
                root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
                B = np.vstack([B, root])
            target = np.zeros((len(B), len(members)))
            target[: seen.sum()] = X[np.ix_(members, np.flatnonzero(seen))].T
            coefficients[members] = linalg.lstsq(B, target)[0].T
        return coefficients

    def transform(self, X: ArrayLike) -> Array:
        """Scores ∫(f − mean)ξ of each curve."""
        check_is_fitted(self)
        return self._pca.transform(self._fit_coefficients(self._curves(X, reset=False)))

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Curves on the grid with the given scores."""
        return np.asarray(self._pca.inverse_transform(self._scores(X)) @ self._design.T)

    def reconstruction_error(self, X: ArrayLike) -> Array:
        """Norm in L² of what the components leave of each function: large for outliers.

        Parameters
        ----------
        X : array of shape (n, n_features)

        Returns
        -------
        errors : array of shape (n,)
        """
        check_is_fitted(self)
        coefficients = self._fit_coefficients(self._curves(X, reset=False))
        return self._pca.reconstruction_error(coefficients)

    def _n_directions(self, X: Any) -> int:
        return make_basis(self.basis, self.n_basis, X.shape[1], (0.0, 1.0)).size

    def component_functions(self, t: ArrayLike) -> Array:
        """The components at any positions t within the grid's range: (n_components, len(t))."""
        check_is_fitted(self)
        return np.asarray(self.coefficients_ @ self._basis.evaluate(np.asarray(t, float)).T)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
