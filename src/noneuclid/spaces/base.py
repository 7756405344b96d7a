r"""What a geometry is.

A semi-inner product :math:`[x, w]` is linear in :math:`x`, so it is
:math:`\langle x, J(w)\rangle` for one map :math:`J`, the *duality map* of the space. With it

.. math::
    [x, w] = \langle x, J(w)\rangle, \qquad \|w\|^2 = \langle w, J(w)\rangle, \qquad
    \frac{\partial \|x - w\|^2}{\partial w} = -2 J(x - w),

and a learner needs nothing else.
"""

import functools
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from noneuclid._memory import require_matrices
from noneuclid._parameters import check_parameters
from noneuclid._sklearn import BaseEstimator
from noneuclid.numerics import blocked_squared_distance, factor_gram, row_blocks, squared_euclidean
from noneuclid.numerics.duality import row_scale
from noneuclid.numerics.linalg import BandedFactor
from noneuclid.spaces.charts import Chart, eigen_chart
from noneuclid.spaces.forms import Form
from noneuclid.spaces.rows import RowInput, finite
from noneuclid.typing import Array

SEMI_INNER_PRODUCT_LAWS = frozenset(
    {"positivity", "linearity", "homogeneity", "cauchy_schwarz", "triangle"}
)
"""Laws of every semi-inner product (Lumer 1961; Giles 1967)."""

HILBERT_LAWS = SEMI_INNER_PRODUCT_LAWS | {"symmetry", "additivity"}
"""Symmetry, and additivity in the second argument, hold in Hilbert spaces only."""

T = TypeVar("T")


# What a space is called that has a method.
_KINDS = {"flatten": " (a Hilbert space)"}


class IncompatibleSpace(TypeError):
    """A learner needs something of its space that makes no sense there."""


def require(space: object, learner: str, *methods: str) -> None:
    """Raise :class:`IncompatibleSpace` unless the space has all the methods.

    Parameters
    ----------
    space : Space
        What a learner was given.
    learner : str
        Its name, for the message.
    *methods : str
        What it needs.

    Examples
    --------
    >>> from noneuclid.spaces import PseudoEuclidean
    >>> require(PseudoEuclidean(signature=(2, 1)), "HebbianPCA", "product", "norm")
    Traceback (most recent call last):
    ...
    noneuclid.spaces.base.IncompatibleSpace: HebbianPCA needs a space with `norm`;
    PseudoEuclidean(signature=(2, 1)) has none
    """
    for method in methods:
        if not hasattr(space, method):
            kind = _KINDS.get(method, "")
            raise IncompatibleSpace(
                f"{learner} needs a space with `{method}`{kind}; {space} has none"
            )


class Space(RowInput, BaseEstimator):
    """Where data live. Parameters only: a space clones, prints and grid-searches.

    A method that makes no sense for a space is absent.

    Attributes
    ----------
    laws : frozenset of str
        The laws the space claims; ``noneuclid.testing.check_space`` holds it to the claim, and
        to what it does not claim as well.
    n_features : int or None
        The dimension, where the parameters fix it.
    """

    if TYPE_CHECKING:  # what makes no sense for a space is absent, which learners ask for by name

        def __getattr__(self, name: str) -> Any: ...

    laws: frozenset[str] = frozenset()

    @property
    def is_hilbert(self) -> bool:
        """Whether the product is an inner product."""
        return self.laws >= HILBERT_LAWS

    @property
    def negative_type(self) -> float:
        r"""The largest q ≤ 2 for which :math:`d^q` is known to be of negative type; 0 if none is.

        Then :math:`\sum_{ij} c_i c_j d^q(x_i, x_j) \le 0` for all coefficients that sum to 0, and
        :math:`e^{-s d^q}` is a positive definite kernel for every s > 0 (Schoenberg 1938): 2 in
        Hilbert spaces, p in l_p with p ≤ 2.
        """
        return 2.0 if self.is_hilbert else 0.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a few small instances; every test over all spaces runs on them.

        Returns
        -------
        list of Space
            Of this class.
        """
        return [cls()]

    def chart(self, d: int) -> Chart | None:
        """Coordinates of d-dimensional rows in which the product is diagonal.

        +1 first, then −1; None where the product is not bilinear and symmetric.

        Parameters
        ----------
        d : int
            Dimension of the rows.

        Returns
        -------
        Chart or None
            Coordinates, and the sign of each.
        """
        check_parameters(self)
        if self.n_features not in (None, d):
            raise ValueError(f"X has {d} features, but {self} takes {self.n_features}")
        return self._remember(("chart", d), lambda: self._chart(d))

    def _chart(self, d: int) -> Chart | None:
        return None

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks of a space without a chart; None where there is no such."""
        return None

    def on_grid(self, positions: Sequence[Array]) -> "Space":
        """The space for curves at these positions, for each channel.

        What has no grid of its own gets it from the data; rows are the channels side by side.

        Parameters
        ----------
        positions : list of arrays

        Returns
        -------
        Space
        """
        return parts_on_grid(self, positions)

    def _remember(self, what: object, make: Callable[[], T]) -> T:
        """Compute once per parameter setting. An array changed in place is not noticed.

        Threads that share a space need no lock: what is known is replaced as a whole, never
        changed, so that two threads at worst compute the same thing; and what was computed while
        another thread set parameters is not kept.
        """
        params: dict[str, Any] = self.get_params(deep=False)
        known = self._remembered(params)
        if what in known:
            return cast(T, known[what])
        value = make()
        if _same_values(self.get_params(deep=False), params):
            self.__dict__["_memory"] = (params, {**self._remembered(params), what: value})
        return value

    def _remembered(self, params: dict[str, Any]) -> dict[object, Any]:
        memory: tuple[dict[str, Any], dict[object, Any]] | None = self.__dict__.get("_memory")
        return memory[1] if memory is not None and _same_values(memory[0], params) else {}

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_memory"}


def parts_on_grid(thing: T, positions: Sequence[Array]) -> T:
    """The same space or kernel; spaces and kernels among its parameters on the grid of curves."""
    parts = {
        name: part.on_grid(positions)
        for name, part in cast(Any, thing).get_params(deep=False).items()
        if hasattr(part, "on_grid")
    }
    return cast(T, clone(thing, safe=False).set_params(**parts)) if parts else thing


def _same_values(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[name] is other[name] for name in other)


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

        Returns
        -------
        Space
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
