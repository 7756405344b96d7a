r"""The signs of projections :math:`w'x_i`, and the sum of the samples with these signs.

A sum of single precision tells the sign of all but the samples nearest to the plane. With few
features that tell nearly all it is shorter still:

.. math:: |w'x - w_q'x_q| \le \|w_\perp\|\,\|x_\perp\|

where q are those features, and ⊥ the others.
"""

import math

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics.sign_changes import change_signs
from noneuclid.typing import Array, IntArray

_SINGLE_TINY = float(np.finfo(np.float32).tiny)
NO_SIGN = 2.0
"""What stands for signs at first."""
# If more than this share of the signs changes, their sum is made anew.
FEW = 8
# Of fewer numbers the plain form takes less time than the other one takes to be compiled.
_MUCH = 1 << 18


class Signs:
    """The signs of Xw, by single precision where it can tell: half the memory is read."""

    _scratch: tuple[IntArray, Array] | None = None

    def __init__(self, X: Array):
        self.X = X
        self._take(X)
        self.rest = self.doubt  # which is not asked for

    def _take(self, near: Array) -> None:
        self.scale = max(float(near.max(initial=0.0)), -float(near.min(initial=0.0)), 1e-300)
        self.single = np.empty(near.shape, dtype=np.float32)
        np.divide(near, self.scale, out=self.single, casting="same_kind")
        norms = np.sqrt(np.einsum("ij,ij->i", self.single, self.single, dtype=np.float64))
        unit = near.shape[1] + 4  # the worst case of a sum of so many products
        self.doubt = unit * (2.0**-24 * norms + _SINGLE_TINY)

    def near(self, w: Array) -> tuple[NDArray[np.float32], float]:
        """Projections in some unit, and by how many ``rest`` they may be wrong beside ``doubt``."""
        return self.single @ w.astype(np.float32), 0.0

    def __call__(self, w: Array) -> Array:
        """All signs.

        Parameters
        ----------
        w : array of shape (d,)
            A direction.

        Returns
        -------
        array of shape (n,)
            1, −1 or 0.
        """
        near, beyond = self.near(w)
        o = near.astype(np.float64)
        unsure = np.flatnonzero(np.abs(o) <= self.doubt + beyond * self.rest)
        o[unsure] = self.X[unsure] @ w
        return np.sign(o)

    def follow(self, w: Array, signs: Array, total: Array) -> None:
        """Change signs, `NO_SIGN` at first, and the sum of the samples with them, to those of w.

        Parameters
        ----------
        w : array of shape (d,)
            A direction.
        signs : array of shape (n,)
            Those of the direction before; changed in place.
        total : array of shape (d,)
            X' times them; changed in place.
        """
        count = (self._change if self.X.size > _MUCH else self._change_plainly)(w, signs, total)
        if count > len(signs) // FEW:
            np.matmul(signs, self.X, out=total)

    def _change(self, w: Array, signs: Array, total: Array) -> int:
        n = len(signs)
        if self._scratch is None:
            self._scratch = np.empty(n, dtype=np.intp), np.empty(n)
        near, beyond = self.near(w)
        about = self.doubt, self.rest, beyond, n // FEW
        return int(change_signs(self.X, w, near, *about, signs, total, *self._scratch))

    def _change_plainly(self, w: Array, signs: Array, total: Array) -> int:
        new = self(w)
        changed = np.flatnonzero(new != signs)
        if len(changed) <= len(signs) // FEW:
            total += (new[changed] - signs[changed]) @ self.X[changed]
        signs[changed] = new[changed]
        return len(changed)


class LeadingSigns(Signs):
    """The signs of Xw, by few features in single precision where these can tell."""

    def __init__(self, X: Array, squares: Array, leading: IntArray):
        near = X[:, leading]
        self.X, self.leading = X, leading
        self._take(near)
        self.others = np.setdiff1d(np.arange(X.shape[1]), leading)
        rounding = (X.shape[1] + 4) * np.finfo(np.float64).eps * squares
        rest = squares - np.einsum("ij,ij->i", near, near) + rounding
        self.rest = np.sqrt(np.maximum(rest, 0.0)) / self.scale

    def near(self, w: Array) -> tuple[NDArray[np.float32], float]:
        others = w[self.others]
        near = self.single @ w[self.leading].astype(np.float32)
        return near, math.sqrt(others @ others)
