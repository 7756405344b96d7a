"""Vector spaces with a semi-inner product: everything follows from the duality map."""

import functools
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from noneuclid._memory import require_matrices
from noneuclid.numerics import blocked_squared_distance, factor_gram, row_blocks, squared_euclidean
from noneuclid.numerics.duality import row_scale
from noneuclid.numerics.linalg import BandedFactor
from noneuclid.spaces.base import SEMI_INNER_PRODUCT_LAWS, Space
from noneuclid.spaces.charts import Chart, eigen_chart
from noneuclid.spaces.rows import finite
from noneuclid.typing import Array


def _claims(law: str) -> Callable[[Space], bool]:
    def claimed(space: Space) -> bool:
        if law in space.laws:
            return True
        raise AttributeError(f"{space} claims no {law}, so this method makes no sense for it")

    return claimed


def _hilbert(space: Space) -> bool:
    if space.is_hilbert:
        return True
    raise AttributeError(f"{space} is not a Hilbert space: it cannot be flattened")


class LinearSpace(Space):
    r"""A vector space with a semi-inner product. Implement :meth:`dual`; the rest is derived.

    A subclass writes the bare formula for valid rows; calls from outside are validated first.
    What it claims in ``laws`` picks the algorithms: an additive :math:`J` (symmetric or
    indefinite inner products) turns sums of forces into matrix products, and a Hilbert space is
    *flattened* to Euclidean coordinates.

    Attributes
    ----------
    degree : float
        Degree of homogeneity of the duality map: :math:`J(cw) = c|c|^{degree-1}J(w)`.
    """

    laws = SEMI_INNER_PRODUCT_LAWS
    _looks_along: ClassVar[bool] = False  # whether the order of the features matters

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # A subclass gives the formula; `dual` checks its input, `_dual` is the formula itself.
        super().__init_subclass__(**kwargs)
        if "dual" in cls.__dict__:
            formula = cls.__dict__["dual"]

            @functools.wraps(formula)
            def dual(self: LinearSpace, V: ArrayLike) -> Array:
                return cast(Array, formula(self, self._check(V, "V")))

            dual.__doc__ = formula.__doc__ or LinearSpace.dual.__doc__
            cls._dual = formula  # type: ignore[method-assign]
            cls.dual = finite(dual)  # type: ignore[method-assign]

    @property
    def degree(self) -> float:
        """Degree of homogeneity of the duality map."""
        return 1.0

    @abstractmethod
    def dual(self, V: Array) -> Array:
        """Duality map J of each row: (n, d) → (n, d).

        Parameters
        ----------
        V : array of shape (n, d)
            A vector per row.

        Returns
        -------
        array of shape (n, d)
            J(v) of every row.
        """

    def on_grid(self, positions: Sequence[Array]) -> Space:
        """The space of curves at these positions: with several channels, a product.

        A space that looks at neighbours along the axis has none across the end of a channel; one
        that does not, such as l1, or that fixes what all the columns mean, stays as it is.

        Parameters
        ----------
        positions : list of arrays
            Of each channel.
        """
        if len(positions) == 1:
            return self._on_axis(positions[0])
        if not self._looks_along or self.n_features is not None:
            return self
        from noneuclid.spaces.product import product_on_grid

        return product_on_grid(self, positions)

    def _on_axis(self, grid: Array) -> "LinearSpace":
        """The space of curves of one channel at these positions; positions may mean nothing."""
        return self

    def _dual(self, V: Array) -> Array:
        """The formula of the subclass's ``dual``, for rows that are valid already."""
        return self.dual(V)

    def product(self, X: ArrayLike, W: ArrayLike) -> Array:
        """Semi-inner products [x_i, w_j], linear in x: (n, d), (m, d) → (n, m).

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.
        W : array of shape (m, d)
            Vectors.

        Returns
        -------
        array of shape (n, m)
            Linear in X, not always in W.
        """
        X, W = self._check_pair(X, W)
        return np.asarray(X @ self._dual(W).T)

    def squared_norm(self, V: ArrayLike) -> Array:
        """[v, v] of each row.

        Parameters
        ----------
        V : array of shape (n, d)
            A vector per row.

        Returns
        -------
        array of shape (n,)
            Squared norms.
        """
        return self._squared_norm(self._check(V, "V"))

    def _squared_norm(self, V: Array) -> Array:
        return np.asarray(np.einsum("ij,ij->i", V, self._dual(V)))

    @available_if(_claims("positivity"))  # type: ignore[untyped-decorator]
    @finite
    def norm(self, V: ArrayLike) -> Array:
        """Norm of each row; neither overflows nor underflows where the square would.

        Parameters
        ----------
        V : array of shape (n, d)
            A vector per row.

        Returns
        -------
        array of shape (n,)
            Norms.
        """
        V = self._check(V, "V")
        scale = row_scale(V)
        square = np.maximum(self._squared_norm(V / scale), 0.0)  # rounding may go below 0
        return np.asarray(scale[:, 0] * np.sqrt(square))

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """[x_i − w_j, x_i − w_j]: (n, d), (m, d) → (n, m).

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.
        W : array of shape (m, d)
            Vectors.

        Returns
        -------
        array of shape (n, m)
            Squared distances of all pairs.
        """
        X, W = self._check_pair(X, W)
        if self.is_hilbert:
            flat = cast(Chart, self.chart(X.shape[1])).forth
            return squared_euclidean(flat(X), flat(W))
        return blocked_squared_distance(self._squared_norm, X, W)

    def squared_distance_gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂‖x − w_j‖²/∂w_j = −2 J(x − w_j) for one point x: (d,), (m, d) → (m, d).

        Parameters
        ----------
        x : array of shape (d,)
            One point.
        W : array of shape (m, d)
            Points at which the derivative is taken.

        Returns
        -------
        array of shape (m, d)
            A gradient per row of W.
        """
        x, W = self._check_point(x, W)
        return -2.0 * self._dual(x - W)

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂‖x_i − w_j‖²/∂w_j, the gradient of a cost with forces F: (m, d).

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        W : array of shape (m, d)
            Prototypes.
        F : array of shape (n, m)
            Forces: the derivative of a cost with respect to every pair.

        Returns
        -------
        array of shape (m, d)
            The gradient of the cost with respect to W.
        """
        X, W, F = self._check_forces(X, W, F)
        if "additivity" in self.laws:
            return -2.0 * self._dual(F.T @ X - F.sum(axis=0)[:, None] * W)
        gradient = np.zeros_like(W)
        for rows in row_blocks(len(X), W.size * 8):
            V = X[rows, None, :] - W[None, :, :]
            J = self._dual(V.reshape(-1, V.shape[2])).reshape(V.shape)
            gradient -= 2.0 * np.einsum("ij,ijk->jk", F[rows], J)
        return gradient

    def _factor(self, d: int) -> BandedFactor:
        """Cholesky factor of the Gram matrix, whose rows are J(e_i) because J is linear here."""
        return factor_gram(self._images_of_axes(d))

    def _images_of_axes(self, d: int) -> Array:
        """J(e_i): the Gram matrix, where J is linear."""
        what = f"the Gram matrix of {type(self).__name__} in {d:,} features"
        require_matrices(what, d, copies=3.0, instead="reduce the number of features first")
        return self._dual(np.eye(d))

    def _chart(self, d: int) -> Chart | None:
        if self.is_hilbert:
            factor = self._factor(d)
            return Chart(factor.flatten, factor.unflatten, np.ones(d))
        if self.laws >= {"symmetry", "additivity"}:
            return eigen_chart(self._images_of_axes(d))
        return None

    @available_if(_hilbert)  # type: ignore[untyped-decorator]
    @finite
    def flatten(self, X: ArrayLike) -> Array:
        """Coordinates in which this space is Euclidean: [x, w] = ⟨flat x, flat w⟩.

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.

        Returns
        -------
        array of shape (n, d)
            Coordinates in which the product is the Euclidean one.
        """
        X = self._check(X)
        return cast(Chart, self.chart(X.shape[1])).forth(X)

    @available_if(_hilbert)  # type: ignore[untyped-decorator]
    @finite
    def unflatten(self, Z: ArrayLike) -> Array:
        """The inverse of :meth:`flatten`.

        Parameters
        ----------
        Z : array of shape (n, d)
            Flat coordinates.

        Returns
        -------
        array of shape (n, d)
            Vectors.
        """
        Z = self._check(Z, "Z")
        return cast(Chart, self.chart(Z.shape[1])).back(Z)
