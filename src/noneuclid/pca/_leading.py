r"""Samples known by features of which few tell nearly all, as those of a smooth kernel.

With orthonormal axes V, a direction w and a sample x have the projection

.. math:: w'x = (V'w)'(V'x) + w_\perp'x_\perp, \qquad |w_\perp'x_\perp| \le \|w_\perp\|\,\|x_\perp\|

and where few axes hold nearly all of the samples, the second term is small of a small one. Signs
are then known from few features for nearly all samples, and the others are looked at. A smooth
objective is climbed among the directions in the span of V first, where its value is the true one
and a step costs little; from there few steps among all features remain.
"""

import numpy as np
from scipy import linalg

from noneuclid.numerics.threads import one_blas_thread
from noneuclid.pca._ascent import Rows, Samples
from noneuclid.pca._climbing import Climb, climb_convex
from noneuclid.pca._signs import LeadingSigns, Signs
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array, IntArray

# Axes along which the samples have less than this share of the largest sum of squares are left out:
# of the features as they are, for signs, and of their principal axes, which fall faster.
_OF_FEATURES, _OF_AXES = 1e-3, 1e-3
# More axes than this share of the features gain too little.
_WORTH = 0.4
# A start with less than this share of its square in their span begins among all features.
_INSIDE = 0.5
# Where the stage in their span ends: what it leaves out moves a component farther.
_STAGE_TOL = 1e-6


class FeatureSamples(Samples):
    """Centred features of a kernel, in memory."""

    def landscape(self, objective: Objective) -> Rows:
        """Where components climb."""
        if objective.is_l1:
            return SignedRows(self.X, objective)
        if not objective.convex:
            return Rows(self.X, objective)
        return LeadingRows(self.X, objective)


def _leading(values: Array, share: float) -> IntArray:
    """Where values are more than a share of the largest; nowhere if they are too many."""
    leading = np.flatnonzero(values > share * values.max())
    return leading if len(leading) <= _WORTH * len(values) else leading[:0]


class SignedRows(Rows):
    """The landscape of ``"l1"``: signs by the leading features where these can tell."""

    def take_signs(self) -> Signs:
        """What tells the signs of projections."""
        squares = np.einsum("ij,ij->j", self.X, self.X)
        leading = _leading(squares, _OF_FEATURES)
        return LeadingSigns(self.X, self.left, leading) if len(leading) else Signs(self.X)


class LeadingRows(Rows):
    """The landscape of a smooth objective, and that in the span of the leading principal axes."""

    def __init__(self, X: Array, objective: Objective):
        super().__init__(X, objective)
        self.axes = _leading_axes(X)
        with one_blas_thread(X.size * self.axes.shape[1]):
            self.few = Rows(X @ self.axes, objective)

    def climb(self, w: Array, max_iter: int, tol: float) -> Climb:
        """In the span of the leading axes first, as far as the start lies there."""
        curve: list[float] = []
        self.few.components = _orthonormal(self.components @ self.axes)
        start, size = self.few.unit(w @ self.axes)
        if start is not None and size**2 > _INSIDE:
            v, curve, _ = yield from climb_convex(self.few, start, max_iter, max(tol, _STAGE_TOL))
            w = self.axes @ v
        w, rest, converged = yield from climb_convex(self, w, max_iter - len(curve), tol)
        return w, curve + rest, converged


def _leading_axes(X: Array) -> Array:
    """Principal axes of the leading features, those of them that lead; of all, if none do."""
    squares = np.einsum("ij,ij->j", X, X)
    features = _leading(squares, _OF_FEATURES)
    if len(features) == 0:
        features = np.arange(X.shape[1])
    near = X[:, features]
    with one_blas_thread(near.size * len(features) // 2):  # and of small eigenvectors
        values, vectors = linalg.eigh(near.T @ near)
    leading = np.flatnonzero(values > _OF_AXES * values.max(initial=0.0))
    axes = np.zeros((X.shape[1], len(leading)))
    if len(leading) <= _WORTH * X.shape[1]:
        axes[features] = vectors[:, leading]
        return axes
    return axes[:, :0]


def _orthonormal(W: Array) -> Array:
    """Rows that span those of W."""
    return np.asarray(linalg.qr(W.T, mode="economic")[0].T if W.size else W)
