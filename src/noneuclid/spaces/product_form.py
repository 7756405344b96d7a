"""Compiled learning in products of spaces: distances of parts of the columns, added up."""

import copy
import functools
from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy import linalg

from noneuclid.numerics.space_distances import PRODUCT
from noneuclid.spaces.forms import Form, Moments
from noneuclid.typing import Array


class ProductForm(Form):
    """Distances of several forms, each of some columns, one after the other.

    Parameters
    ----------
    forms : list of Form
        All of them linear.
    sizes : list of int
        Columns of the rows that each has.
    scales : array of shape (n_parts,)
        Factors of the distances.
    """

    def __init__(self, forms: Sequence[Form], sizes: Sequence[int], scales: Array):
        super().__init__(
            kind=PRODUCT,
            steps=max(form.steps for form in forms),
            lasting=min(form.lasting for form in forms),
            by_prototype=any(form.by_prototype for form in forms),
        )
        rows = zip(forms, sizes)
        self._widths = [form.images(np.zeros((1, size))).shape[1] for form, size in rows]
        self.forms = [_times(form, scale) for form, scale in zip(forms, scales)]
        self._cuts, self._image_cuts = np.cumsum(sizes)[:-1], np.cumsum(self._widths)[:-1]
        self.forth, self.back = self._forth, self._back

    def _forth(self, X: Array) -> Array:
        parts = np.split(X, self._cuts, axis=1)
        return np.hstack([form.forth(part) for form, part in zip(self.forms, parts)])

    def _back(self, Z: Array) -> Array:
        parts = np.split(Z, self._image_cuts, axis=1)
        return np.hstack([form.back(part) for form, part in zip(self.forms, parts)])

    def in_unit_of(self, X: Array) -> Self | None:
        """The same with images of about size one, all in one unit."""
        forms = [form.in_unit_of(X) for form in self.forms]
        if any(form is None for form in forms):
            return None
        found = copy.copy(self)
        found.forms = [form for form in forms if form is not None]
        found.forth, found.back, found.unit = found._forth, found._back, found.forms[0].unit
        return found

    @property
    def has_slopes(self) -> bool:
        """Whether steps along the gradient can be taken on the images."""
        return all(form.has_slopes for form in self.forms)

    def parts(self, width: int) -> Array:
        """Kind, p and factor of the distances, and between which columns they are taken."""
        ends = [0, *self._image_cuts, width]
        rows = zip(self.forms, ends, ends[1:])
        return np.array([[form.kind, form.p, form.factor, *cut] for form, *cut in rows])

    @functools.cached_property
    def mixing(self) -> Array | None:
        """Those of the parts, along the diagonal."""
        blocks = [form.mixing for form in self.forms]
        if all(block is None for block in blocks):
            return None
        some = [np.eye(n) if block is None else block for block, n in zip(blocks, self._widths)]
        return np.asarray(linalg.block_diag(*some))

    def response_images(self, V: Array) -> Array:
        """Those of the parts side by side: responses are added up."""
        parts = zip(self.forms, np.split(V, self._cuts, axis=1))
        return np.hstack([form.response_images(part) for form, part in parts])

    def response_rows(self, Z: Array) -> Array:
        """The rows of such images."""
        parts = zip(self.forms, np.split(Z, self._image_cuts, axis=1))
        return np.hstack([form.response_rows(np.ascontiguousarray(part)) for form, part in parts])

    def _split(self, *images: Array) -> list[list[Array]]:
        parts = [np.split(Z, self._image_cuts, axis=1) for Z in images]
        return [[np.ascontiguousarray(part) for part in some] for some in zip(*parts)]

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """Σ_c d_c."""
        parts = zip(self.forms, self._split(Z, V))
        return np.asarray(sum(form.squared_distance(z, v) for form, (z, v) in parts))

    def moments(self, Z: Array, V: Array, F: Array, *, curved: bool = True) -> Moments:
        """The sum of the costs, and gradients side by side."""
        found = [
            form.moments(z, v, F, curved=curved)
            for form, (z, v) in zip(self.forms, self._split(Z, V))
        ]
        costs, slopes, curves = zip(*found)
        return np.asarray(sum(costs)), np.hstack(slopes), np.hstack(curves)


def _times(form: Form, scale: float) -> Form:
    found = copy.copy(form)
    found.factor = form.factor * float(scale)
    return found
