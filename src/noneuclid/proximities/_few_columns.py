r"""A correction seen from a few objects: corrected rows from the proximities to those only.

A corrected row :math:`rM`, :math:`M = Qf(\Lambda)\Lambda^+Q'`, mixes the similarities r to all
objects. With vectors of the objects in the geometry of :math:`|S| = Q|\Lambda|Q'`, which is that of
a flip, :math:`r\beta` is the product of a new object with the vector
:math:`t = \sum_l\beta_l\varphi_l`. Proximities to the objects I tell the products with all vectors
in the span of I, so the best they can do is the projection of t:

.. math:: r\beta \approx r_I\tilde\beta, \quad \tilde\beta = |S|_{II}^{-1}(|S|\beta)_I, \qquad
          |r\beta - r_I\tilde\beta| \le \|\xi\|\sqrt{(\beta-\tilde\beta)'|S|(\beta-\tilde\beta)} .

It is exact where the objects I span those of all others. Of dissimilarities, which do not know
where the middle is, the coefficients of prototypes sum to one, and so must :math:`\tilde\beta`.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import linalg

from noneuclid.numerics import first_argmax
from noneuclid.proximities.checks import Proximity, check_rows, largest_modulus
from noneuclid.proximities.conversions import to_dissimilarity
from noneuclid.typing import Array, IntArray

# What is left of an object beside the chosen ones, below this share of the longest, is rounding.
_DEPENDENT = 1e-10
# So is what is left of a combination below this share of its length.
_ROUNDING = 1e-7


class Spectrum(NamedTuple):
    """Eigenvalues and eigenvectors of the training similarities, and the corrected eigenvalues."""

    values: Array
    vectors: Array
    corrected: Array

    def part(self, weights: Array) -> Array:
        """Q diag(weights) Q'."""
        return (self.vectors * weights) @ self.vectors.T

    def times(self, weights: Array, G: Array) -> Array:
        """Q diag(weights) Q'G' for coefficients G of shape (m, n): (n, m)."""
        return (self.vectors * weights) @ (self.vectors.T @ G.T)

    @property
    def turned(self) -> Array:
        """sgn(Λ)f(Λ): eigenvalues of |S|M."""
        return np.sign(self.values) * self.corrected


class FewColumns:
    """What a correction makes of the proximities to a few of its objects.

    Parameters
    ----------
    method : {"clip", "flip", "shift", "square"}
    proximity : {"similarity", "dissimilarity"}
    blocks : dict of arrays
        Of the few objects, rows and columns: ``training``, the proximities as they were given;
        ``given``, ``corrected``, ``modulus`` and ``turned``, the similarities S, f(S), |S|
        and |S|M; and the ``means`` of the columns of dissimilarities.
    eigenvalues, signature
        Of all training similarities.
    """

    def __init__(
        self,
        method: str,
        proximity: Proximity,
        blocks: dict[str, Array],
        eigenvalues: Array,
        signature: Any,
    ):
        self.method, self.proximity, self.blocks = method, proximity, blocks
        self.eigenvalues_, self.signature_ = eigenvalues, signature
        self.n_features_in_ = len(blocks["means"])
        H = self._inverse()
        self._rows = H @ blocks["turned"]
        gain = blocks["corrected"] - (0.0 if method == "square" else blocks["given"])
        self._own = H @ gain @ H
        self._middle = np.zeros(len(H))
        if proximity == "dissimilarity":  # the combination that is nearest to the middle
            self._middle = np.eye(len(H))[0] - H @ blocks["modulus"][0]
            self._rows += self._middle[:, None]

    def restrict(self, columns: IntArray) -> "FewColumns":
        """The same from still fewer objects."""
        few = {name: _sub(block, columns) for name, block in self.blocks.items()}
        return FewColumns(self.method, self.proximity, few, self.eigenvalues_, self.signature_)

    @property
    def matrix(self) -> Array:
        """Corrected proximities between the few objects."""
        S = self.blocks["corrected"]
        S = (S + S.T) / 2
        return to_dissimilarity(S) if self.proximity == "dissimilarity" else S

    def transform(self, P: Any) -> Array:
        """Corrected proximities to the few objects, from those that were measured."""
        R = check_rows(P, self.n_features_in_, "SpectrumCorrection")
        T = self.blocks["training"]
        if R.shape == T.shape and largest_modulus(R - T) <= 1e-8 * largest_modulus(T):
            return self.matrix
        return self.of_new(R)

    def of_new(self, R: Array) -> Array:
        """The same of rows of new objects, each by itself."""
        if self.method == "shift":
            return R - 2.0 * self._shift if self.proximity == "dissimilarity" else R.copy()
        if self.proximity == "similarity":
            return self.relative(R)
        own = np.zeros(len(R))
        if self.method == "square":  # what relative distances begin with is not squared
            own -= (R - np.diag(self.blocks["given"])) @ self._middle
        return (self.transform_self(R, own) + own)[:, None] + self.relative(R)

    def relative(self, R: Array) -> Array:
        """Corrected similarities, or dissimilarities but for what the correction adds to rows."""
        if self.proximity == "similarity":
            return R @ self._rows
        constants = np.diag(self.blocks["corrected"]) - np.diag(self.blocks["given"]) @ self._rows
        return R @ self._rows + constants

    def transform_self(self, P: Any, own: Array) -> Array:
        """Self-similarities after the correction, from the proximities to the few objects."""
        if self.method == "shift":
            return own - self._shift
        U = self._similarities(np.asarray(P, dtype=np.float64))
        gain = np.asarray(np.einsum("ik,kl,il->i", U, self._own, U))
        return gain if self.method == "square" else own + gain

    @property
    def _shift(self) -> float:
        return min(float(self.eigenvalues_.min()), 0.0)

    def _similarities(self, R: Array) -> Array:
        """Similarities to the few objects, up to one number per row of dissimilarities."""
        return R if self.proximity == "similarity" else -0.5 * (R - self.blocks["means"])

    def _inverse(self) -> Array:
        """|S|_II^{-1}; of dissimilarities, among directions, whose coefficients sum to zero."""
        A = self.blocks["modulus"]
        if self.proximity == "similarity":
            return np.asarray(linalg.pinvh(A, rtol=_DEPENDENT))
        if len(A) == 1:
            return np.zeros((1, 1))
        E = np.vstack([-np.ones(len(A) - 1), np.eye(len(A) - 1)])
        return np.asarray(E @ linalg.pinvh(E.T @ A @ E, rtol=_DEPENDENT) @ E.T)


def _sub(block: Array, columns: IntArray) -> Array:
    return block[np.ix_(columns, columns)] if block.ndim == 2 else block[columns]


class Chosen(NamedTuple):
    """Objects whose proximities tell those to combinations, and what they leave open."""

    columns: IntArray
    rest: Array
    """Length of the part of each combination that they do not reach, in the flipped geometry."""


def spanning(
    spectrum: Spectrum, G: Array, first: IntArray, most: int, enough: float, *, affine: bool
) -> Chosen:
    """Objects that tell corrected proximities to the combinations G, ``first`` among them.

    One after the other, each the one that leaves least open of all combinations together
    (orthogonal least squares), until no more than ``enough`` is left of any, or ``most`` are
    taken, or all others depend on them.
    """
    A, T = spectrum.part(np.abs(spectrum.values)), spectrum.times(spectrum.turned, G)
    known = np.abs(spectrum.values) > 1e-12 * np.abs(spectrum.values).max()
    squares = np.where(known, spectrum.corrected**2, 0.0)
    squares[known] /= np.abs(spectrum.values[known])
    rest = (G @ spectrum.vectors) ** 2 @ squares
    enough = max(enough, _ROUNDING * float(np.sqrt(rest.max())))
    if affine:  # seen from one of them, as coefficients sum to one
        base, b = A[first[0]].copy(), first[0]
        rest += base[b] - 2.0 * T[b]
        T -= T[b] + (base - base[b])[:, None]
        A -= base[:, None] + base - base[b]
    pursuit = _Pursuit(A, T, rest, most)
    for i in first:
        pursuit.take(int(i))
    while len(pursuit.chosen) < most and np.sqrt(max(float(rest.max()), 0.0)) > enough:
        best = pursuit.best()
        if best is None:
            break
        pursuit.take(best)
    return Chosen(np.array(pursuit.chosen), np.sqrt(np.maximum(rest, 0.0)))


class _Pursuit:
    """Orthogonal least squares of several targets by vectors with the products A.

    Parameters
    ----------
    A : array of shape (n, n)
    T : array of shape (n, m)
        Products of the vectors with what is left of the targets; changed in place.
    rest : array of shape (m,)
        Squared lengths of what is left; changed in place.
    most : int
        Vectors to be chosen at most.
    """

    def __init__(self, A: Array, T: Array, rest: Array, most: int):
        self.A, self.T, self.rest, self.chosen = A, T, rest, list[int]()
        self.heights = np.diag(A).copy()  # squared lengths beside the span of the chosen ones
        self.floor = _DEPENDENT * max(float(self.heights.max()), 1e-300)
        self.basis, self.used = np.empty((most, len(A))), 0

    def best(self) -> int | None:
        """The vector that takes most off the rest; None if all depend on the chosen ones."""
        free = self.heights > self.floor
        free[self.chosen] = False
        if not free.any():
            return None
        gains = np.where(free, (self.T**2).sum(axis=1), -1.0) / np.where(free, self.heights, 1.0)
        return int(first_argmax(gains))

    def take(self, i: int) -> None:
        """Choose a vector, and take what it tells off the targets, if the others do not."""
        self.chosen.append(i)
        if self.heights[i] <= self.floor:
            return
        B, length = self.basis[: self.used], np.sqrt(self.heights[i])
        self.basis[self.used] = v = (self.A[:, i] - B.T @ B[:, i]) / length
        self.used += 1
        told = self.T[i] / length
        self.T -= v[:, None] * told
        self.rest -= told**2
        self.heights -= v**2
