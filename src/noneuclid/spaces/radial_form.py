r"""Compiled learning by the distance :math:`2 - 2\kappa` of a kernel of another distance.

As a function of :math:`d^2` it is concave where κ falls ever more slowly, as all kernels that are
positive definite do: a tangent lies above. The centre of samples is then approached by that of the
other distance, with forces :math:`-2F\kappa'`, and no step makes it worse.
"""

import copy
from typing import Self

import numpy as np

from noneuclid.numerics.profiles import Profile
from noneuclid.numerics.space_distances import Code
from noneuclid.spaces.forms import Form, Moments
from noneuclid.typing import Array


class RadialForm(Form):
    """The distance of a kernel.

    Parameters
    ----------
    base : Form
        Of the distance d.
    profile : Profile
        What the kernel is of d².
    """

    def __init__(self, base: Form, profile: Profile):
        super().__init__(
            kind=base.kind,
            p=base.p,
            forth=base.forth,
            back=base.back,
            linear=False,
            steps=base.steps,
            by_prototype=base.by_prototype,
        )
        self.base, self.profile = base, profile

    def in_unit_of(self, X: Array) -> Self | None:
        """The same with images of about size one."""
        base = self.base.in_unit_of(X)
        if base is None:
            return None
        found = copy.copy(self)
        found.base, found.unit, found.factor = base, base.unit, base.factor
        return found

    def images(self, X: Array) -> Array:
        """Images of rows, in the unit."""
        return self.base.images(X)

    def rows(self, Z: Array) -> Array:
        """The rows of images."""
        return self.base.rows(Z)

    @property
    def has_slopes(self) -> bool:
        """Whether steps along the gradient can be taken on the images."""
        return self.base.has_slopes

    def code(self, width: int, *, along_gradient: bool) -> Code:
        """What `space_steps` takes."""
        parts, kinds, _, *along = self.base.code(width, along_gradient=along_gradient)
        return parts, kinds, self.profile.code, along[0], along[1]

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """2 − 2κ."""
        D = self.profile.values(self.base.squared_distance(Z, V))
        D *= -2.0
        D += 2.0
        return D

    def moments(self, Z: Array, V: Array, F: Array, *, curved: bool = True) -> Moments:
        """Cost, gradient, and how steeply a tangent changes that lies above."""
        values, falls = self.profile.values_and_falls(self.base.squared_distance(Z, V))
        cost = 2.0 * (F.sum(axis=0) - np.einsum("ij,ij->j", F, values))
        falls *= 2.0 * F
        if self.by_prototype:
            falls = np.asfortranarray(falls)
        return cost, *self.base.slopes(Z, V, falls, curved=curved)
