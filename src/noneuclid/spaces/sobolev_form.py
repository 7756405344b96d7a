"""Compiled learning in Sobolev spaces: the distance is that of l_p between the images Tx."""

import numpy as np
from scipy import sparse

from noneuclid.numerics import cleaned_images, lp_moments
from noneuclid.spaces.forms import LpForm, Moments
from noneuclid.typing import Array

# Differences of equal values come out as a few units in the last place.
ROUNDING = 1e-14


def rounding(T: sparse.csr_array, X: Array, W: Array) -> tuple[Array, Array, Array]:
    """Differences of Tx and Tw that are rounding, as `lp_moments` takes them."""
    return _levels(T), _sizes(X), _sizes(W)


def _levels(T: sparse.csr_array) -> Array:
    """How large a difference is rounding, for numbers of size one."""
    return ROUNDING * np.asarray(abs(T).sum(axis=1))


def _sizes(X: Array) -> Array:
    """Largest modulus of each row, of many short ones: column by column that is faster."""
    return np.asarray(np.abs(np.ascontiguousarray(X.T)).max(axis=0))


def _times(X: Array, T: sparse.csr_array) -> Array:
    """X T', the sparse factor first: it would be turned at every call."""
    return np.ascontiguousarray((T @ X.T).T)


class SobolevForm(LpForm):
    """The distance of a Sobolev space with p ≠ 2.

    Parameters
    ----------
    p : float
    T : sparse array
        All derivatives with their weights; the first rows are those of the curve itself.
    """

    def __init__(self, p: float, T: sparse.csr_array):
        super().__init__(p)
        self.T, self.heights = T, np.asarray(T[: T.shape[1]].diagonal())
        self._turned, self._noise = sparse.csr_array(T.T), _levels(T)
        # Of T' C T with a diagonal C, whose sums of moduli are an upper bound: it times C's.
        sizes = abs(T)
        self.bound = sparse.csr_array(sizes.T @ sparse.diags_array(np.asarray(sizes.sum(axis=1))))
        self.forth, self.back = self._forth, self._back

    def _forth(self, X: Array) -> Array:
        return _times(X, self.T)

    def _back(self, Z: Array) -> Array:
        return np.ascontiguousarray(Z[:, : len(self.heights)] / self.heights)

    def response_images(self, V: Array) -> Array:
        """Images Tv, without rounding where it would be taken for a sign."""
        Z = cleaned_images(V, self.T, ROUNDING if self.p < 2 else 0.0)
        return Z if self.factor == 1.0 else Z * np.sqrt(self.factor)

    def _moments(self, Z: Array, V: Array, F: Array, curved: bool) -> Moments:
        """Cost, gradient in the coordinates of the curves, and a bound of how it changes."""
        noise = None
        if self.p < 2:
            noise = self._noise, _sizes(self._back(Z)), _sizes(self._back(V))
        cost, slope, curve = lp_moments(Z, V, F, self.p, noise, curved=curved)
        bend = _times(curve, self.bound) if curved else curve
        return self._times_factor((cost, _times(slope, self._turned), bend))
