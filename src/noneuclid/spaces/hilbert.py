"""Spaces whose product is bilinear: Euclidean, any Gram matrix, and the indefinite case."""

from dataclasses import field
from typing import Annotated, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from noneuclid._checks import is_count
from noneuclid._data import check_array
from noneuclid._estimator import estimator
from noneuclid._parameters import Matrix, Rule, check_parameters, is_pair
from noneuclid.numerics import factor_gram, squared_euclidean
from noneuclid.spaces.base import HILBERT_LAWS
from noneuclid.spaces.charts import Chart, diagonal_chart
from noneuclid.spaces.linear import LinearSpace
from noneuclid.typing import Array


class Euclidean(LinearSpace):
    r"""The ordinary space: :math:`J(w) = w`.

    Examples
    --------
    >>> Euclidean().squared_distance([[0.0, 0.0]], [[3.0, 4.0]])
    array([[25.]])
    """

    laws = HILBERT_LAWS

    def dual(self, V: Array) -> Array:
        """J(w) = w."""
        return V.copy()

    def _chart(self, d: int) -> Chart:
        return diagonal_chart(np.ones(d))


@estimator
class Hilbert(LinearSpace):
    r"""Inner product with a Gram matrix: :math:`[x, w] = x'Gw`, :math:`J(w) = Gw`.

    Parameters
    ----------
    gram : array of shape (d, d)
        Symmetric and positive definite.

    Examples
    --------
    >>> space = Hilbert([[2.0, 0.0], [0.0, 1.0]])
    >>> space.norm([[1.0, 1.0]]).round(4)
    array([1.7321])
    """

    laws = HILBERT_LAWS

    gram: Matrix = field(kw_only=False)

    @classmethod
    def examples(cls) -> list[Self]:
        """Return one full and one ill-scaled Gram matrix."""
        A = np.random.default_rng(0).normal(size=(6, 6))
        return [cls(A @ A.T + np.eye(6)), cls(np.diag([1e-3, 1.0, 1e3]))]

    @property
    def n_features(self) -> int | None:
        """The size of the Gram matrix."""
        return len(np.asarray(self.gram))

    def _gram(self) -> Array:
        return self._remember("gram", lambda: _positive_definite(self.gram))

    def _check_params(self) -> None:
        self._gram()

    def dual(self, V: Array) -> Array:
        """J(w) = G w."""
        return np.asarray(V @ self._gram())


def _positive_definite(gram: ArrayLike) -> Array:
    G: Array = check_array(gram, dtype=np.float64, input_name="gram")
    if G.shape[0] != G.shape[1]:
        raise ValueError(f"gram must be a square matrix; its shape is {G.shape}")
    asymmetry = np.abs(G - G.T).max()
    if asymmetry > 1e-10 * np.abs(G).max():
        raise ValueError(
            f"gram must be symmetric; it differs from its transpose by up to {asymmetry:.3g}"
        )
    G = (G + G.T) / 2
    try:
        factor_gram(G)
    except np.linalg.LinAlgError:
        values = linalg.eigvalsh(G)
        raise ValueError(
            "gram must be positive definite; its eigenvalues lie between "
            f"{values[0]:.3g} and {values[-1]:.3g}. An indefinite matrix of similarities belongs "
            "into a proximity learner, or into PseudoEuclidean after an embedding"
        ) from None
    return G


_Signature = Annotated[
    tuple[int, int],
    Rule(
        "two counts (positive, negative), not both zero",
        lambda s: is_pair(s, lambda k: is_count(k, 0)) and any(s),
    ),
]


@estimator
class PseudoEuclidean(LinearSpace):
    r"""Indefinite inner product of signature (p, q): :math:`J(w) = I_{pq} w`.

    .. math:: [x, w] = \sum_{k \le p} x_k w_k - \sum_{k > p} x_k w_k

    Squared "distances" may be negative, so the space has no ``norm``.

    Parameters
    ----------
    signature : (int, int)
        Number of positive directions (which come first) and of negative ones.

    References
    ----------
    L. Goldfarb (1985), A new approach to pattern recognition. E. Pękalska and R. P. W. Duin
    (2005), The Dissimilarity Representation for Pattern Recognition.

    Examples
    --------
    >>> space = PseudoEuclidean(signature=(1, 1))
    >>> space.squared_distance([[0.0, 0.0]], [[1.0, 2.0]])
    array([[-3.]])
    """

    signature: _Signature

    @classmethod
    def examples(cls) -> list[Self]:
        """Return indefinite, positive and negative signatures."""
        return [cls(signature=(4, 2)), cls(signature=(3, 0)), cls(signature=(0, 3))]

    @property
    def n_features(self) -> int | None:
        """The number of directions of either sign."""
        return sum(self.signature)

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Bilinear always; positive, and with a triangle inequality, only without a q."""
        check_parameters(self)
        positive, negative = self.signature
        laws = {"linearity", "homogeneity", "symmetry", "additivity"}
        laws |= {"cauchy_schwarz"} if 0 in (positive, negative) else set()
        return frozenset(laws | {"positivity", "triangle"} if negative == 0 else laws)

    def _signs(self) -> Array:
        return np.repeat([1.0, -1.0], self.signature)

    def dual(self, V: Array) -> Array:
        """J(w) = I_pq w: the negative directions change sign."""
        return np.asarray(V * self._signs())

    def _chart(self, d: int) -> Chart:
        return diagonal_chart(self._signs())

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """Positive part minus negative part, each a Euclidean squared distance.

        Returns
        -------
        array of shape (n, m)
            Some of them negative.
        """
        X, W = self._check_pair(X, W)
        p = self.signature[0]
        return squared_euclidean(X[:, :p], W[:, :p]) - squared_euclidean(X[:, p:], W[:, p:])
