"""What a kernel is: a function of two objects, evaluated on whole matrices."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from noneuclid._parameters import Rule
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels._gaussian_process import Hyperparameters, SklearnKernel
from noneuclid.numerics.pairwise import row_blocks
from noneuclid.spaces.base import parts_on_grid
from noneuclid.spaces.names import as_space
from noneuclid.spaces.rows import RowInput
from noneuclid.typing import Array


class Kernel(Hyperparameters, RowInput, BaseEstimator):
    """A kernel κ(x, y). Implement ``_evaluate``; ``diag`` follows, better ones are welcome.

    Called as ``k(X)`` or ``k(X, Y)`` on all rows at once, also by scikit-learn: the class counts
    as one of its Gaussian-process kernels, which ``KernelPCA``, ``KernelRidge`` and ``Nystroem``
    hand whole matrices, and ``GaussianProcessRegressor`` learns the width of radial ones.
    Parameters only: a kernel clones, prints and grid-searches.

    Attributes
    ----------
    laws : frozenset of str
        Of ``"symmetry"`` and ``"positivity"`` (no Gram matrix has a negative eigenvalue), those
        the kernel claims; ``noneuclid.testing.check_kernel`` checks the claim both ways.
    takes_objects : bool
        Whether the kernel compares objects of its own kind rather than rows of a matrix. It then
        has ``as_objects(X)``, which checks them and returns something that can be sliced, and
        ``example_objects(rng, n)`` for the checks.
    """

    if TYPE_CHECKING:  # what makes no sense for a kernel is absent, which learners ask for by name

        def __getattr__(self, name: str) -> Any: ...

    laws: frozenset[str] = frozenset({"symmetry", "positivity"})
    takes_objects: bool = False
    _second_argument = "Y"

    @property
    def is_symmetric(self) -> bool:
        """Whether κ(x, y) = κ(y, x)."""
        return "symmetry" in self.laws

    @property
    def is_positive_definite(self) -> bool:
        """Whether no Gram matrix has a negative eigenvalue, whatever the data: a theorem, or False.

        A kernel of which nothing is known counts as indefinite. Support vector machines and
        Gaussian processes rely on positivity; our own learners on similarities do not.
        """
        return self.laws >= {"symmetry", "positivity"}

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a few small instances; every test over all kernels runs on them.

        Returns
        -------
        list of Kernel
            Of this class.
        """
        return [cls()]

    def _check_pair(self, X: ArrayLike, Y: ArrayLike | None) -> tuple[Array, Array]:
        if Y is None:
            X = self._check(X)
            self._require_pairs(len(X), len(X))
            return X, X
        return super()._check_pair(X, Y)

    def as_objects(self, X: Any, name: str = "X") -> Any:
        """Return X checked: the rows, or objects of the kernel's own kind.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            What the kernel is to compare.
        name : str, default="X"
            What an error calls it.

        Returns
        -------
        array, or sequence of objects
            In a form that takes indices.
        """
        return self._check(X, name)

    def joined(self, X: Any, Y: Any) -> Any:
        """Return X and then Y as one collection, both as `as_objects` returned them.

        Parameters
        ----------
        X, Y : array, or sequence of objects
            What is to be compared with one kernel.

        Returns
        -------
        array, or sequence of objects
            As `as_objects` returns it.
        """
        # Those that know more than their elements do, such as a unit, join themselves.
        return X.followed_by(Y) if hasattr(X, "followed_by") else self.as_objects([*X, *Y])

    def example_objects(self, rng: np.random.Generator, n: int) -> Any:
        """Return n random objects, for kernels that take objects.

        Parameters
        ----------
        rng : numpy Generator
            What draws them.
        n : int
            How many.

        Returns
        -------
        sequence of length n
            Objects of the kernel's own kind.
        """
        raise TypeError(f"{type(self).__name__} takes rows of a matrix")

    def resolve(self, X: ArrayLike) -> "Kernel":
        """Return the kernel with its data-dependent parameters fixed on X.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            Training data.

        Returns
        -------
        Kernel
            A copy, or this one if nothing depends on data.
        """
        return self

    def on_grid(self, positions: Sequence[Array]) -> "Kernel":
        """The kernel of curves at these positions: its spaces get the grid they do not have.

        Parameters
        ----------
        positions : list of arrays
            Of each channel.

        Returns
        -------
        Kernel
        """
        named = getattr(self, "space", None)
        if isinstance(named, str):
            return clone(self).set_params(space=as_space(named).on_grid(positions))
        return parts_on_grid(self, positions)

    def __call__(self, X: Any, Y: Any = None, eval_gradient: bool = False) -> Any:
        """Gram matrix κ(x_i, y_j); of X with itself if Y is None.

        With ``eval_gradient``, as Gaussian processes ask: (K, ∂K/∂theta), of X with itself.
        """
        if eval_gradient and Y is not None:
            raise ValueError("the gradient by theta is that of a Gram matrix: leave out Y")
        X, Y = self._check_pair(X, Y)
        K = self._evaluate(X, Y)
        return (K, self._theta_gradient(X, K)) if eval_gradient else K

    @abstractmethod
    def _evaluate(self, X: Array, Y: Array) -> Array:
        """κ(x_i, y_j) for valid rows, a new array; ``Y is X`` if the Gram matrix of X is wanted."""

    def log_values(self, X: Any, Y: Any = None) -> Array:
        """log κ(x_i, y_j); for kernels that are exponentials, also where κ is too small a number.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            What is compared.
        Y : array of shape (m, d), or m objects, optional
            With what; by default with X itself.

        Returns
        -------
        array of shape (n, m)
            Minus infinity where κ is 0.
        """
        K = np.asarray(self(X, Y))
        if K.min(initial=0.0) < 0:
            raise ValueError(f"{self} has negative values ({K.min():.3g}), without a logarithm")
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(K))

    def diag(self, X: ArrayLike) -> Array:
        """κ(x_i, x_i) without the rest of the Gram matrix.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            What the kernel compares.

        Returns
        -------
        array of shape (n,)
            The diagonal of ``k(X)``.
        """
        X = self._check(X)
        blocks = [np.diag(self._evaluate(X[rows], X[rows])) for rows in row_blocks(len(X), 1, 32)]
        return np.concatenate([np.empty(0), *blocks])


class ObjectKernel(Kernel):
    """A kernel of objects of its own kind. Implement ``as_objects``, ``_evaluate`` and ``diag``."""

    takes_objects = True

    @abstractmethod
    def as_objects(self, X: Any, name: str = "X") -> Any:
        """Return the objects in one form, checked; all methods take it too."""

    def _check(self, X: Any, name: str = "X") -> Any:
        return self.as_objects(X, name)

    def _check_pair(self, X: Any, Y: Any) -> tuple[Any, Any]:
        X = self.as_objects(X)
        Y = X if Y is None else self.as_objects(Y, "Y")
        self._require_pairs(len(X), len(Y))
        return X, Y

    def squared_distance(self, X: Any, Y: Any = None) -> Array:
        """κ(x_i, x_i) − 2κ(x_i, y_j) + κ(y_j, y_j) of all pairs of objects.

        Parameters
        ----------
        X : sequence of n objects
            What is compared.
        Y : sequence of m objects, optional
            With what; by default with X itself.

        Returns
        -------
        array of shape (n, m)
            Squared distances in feature space.
        """
        X, Y = self._check_pair(X, Y)
        own = self.diag(X)
        D = -2.0 * self._evaluate(X, Y)
        D += own[:, None]
        D += own if Y is X else self.diag(Y)
        np.maximum(D, 0.0, out=D)  # rounding of nearly equal objects
        if Y is X:
            np.fill_diagonal(D, 0.0)
        return D


# scikit-learn asks `isinstance(kernel, its own Kernel)` before it passes whole matrices.
SklearnKernel.register(Kernel)


MatrixFunction = Annotated[
    Callable[[Any, Any], ArrayLike],
    Rule("callable", lambda value: callable(value) and not isinstance(value, type)),
]


class FunctionKernel(Kernel):
    """A function ``f(X, Y) -> (n, m)`` of whole matrices as a kernel.

    A function of two objects is a ``PairKernel``.

    Parameters
    ----------
    function : callable
        Takes two matrices of rows and returns all values at once. Nothing is claimed about it.
    """

    laws = frozenset()

    def __init__(self, function: MatrixFunction):
        self.function = function

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a function that is neither symmetric nor positive."""
        return [cls(_first_times_sum)]

    def _evaluate(self, X: Array, Y: Array) -> Array:
        # A copy: matrices are centred and factorised in their place, and this may be somebody's.
        values = np.array(self.function(X, Y), dtype=np.float64, order="C")
        if values.shape != (len(X), len(Y)):
            raise ValueError(
                f"the kernel function must take whole matrices: for {len(X)} and {len(Y)} rows "
                f"it returned shape {values.shape} instead of {(len(X), len(Y))}"
            )
        return values


def _first_times_sum(X: Array, Y: Array) -> Array:
    return np.outer(X[:, 0], Y.sum(axis=1))
