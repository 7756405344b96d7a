"""Spaces of functions of several channels, spanned by bases, with the product of L²."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from noneuclid.curves.bases import Basis, inner_products
from noneuclid.typing import Array, IntArray


@dataclass(eq=False)
class Functions:
    r"""Combinations of the basis functions of all channels.

    .. math:: \langle f, g\rangle = \sum_c a_c \int f_c g_c

    Attributes
    ----------
    bases : list of bases
        One per channel.
    weights : array of shape (n_channels,)
        Of the channels in the product.
    """

    bases: list[Basis]
    weights: Array

    @property
    def size(self) -> int:
        """How many coefficients a function has."""
        return sum(basis.size for basis in self.bases)

    def part(self, channel: int) -> slice:
        """The coefficients of a channel among all."""
        ends = np.cumsum([0, *(basis.size for basis in self.bases)])
        return slice(int(ends[channel]), int(ends[channel + 1]))

    def design(self, times: Array, channels: IntArray) -> Array:
        """Values of all basis functions at the times of the channels: (n_points, size)."""
        values = np.zeros((len(times), self.size))
        for c, basis in enumerate(self.bases):
            there = channels == c
            values[there, self.part(c)] = basis.evaluate(times[there])
        return values

    def constants(self, levels: Array) -> Array:
        """Coefficients of the function that is constant in each channel, at the given levels."""
        return np.concatenate([a * basis.constant() for a, basis in zip(levels, self.bases)])

    def gram(self) -> Array:
        """Products of the basis functions."""
        return self._blocks(0, self.weights)

    def roughness(self) -> Array:
        """Products of their second derivatives."""
        return self._blocks(2, self.weights)

    def scaled(self, order: int) -> Array:
        """Products of derivatives as on intervals of length 1, where no unit matters."""
        lengths = np.array([basis.pieces[-1] - basis.pieces[0] for basis in self.bases])
        return self._blocks(order, lengths ** (2 * order - 1))

    def of_channel(self) -> IntArray:
        """The channel of each coefficient."""
        return np.repeat(np.arange(len(self.bases)), [basis.size for basis in self.bases])

    def _blocks(self, order: int, factors: Array) -> Array:
        parts = [a * inner_products(basis, order) for a, basis in zip(factors, self.bases)]
        return np.asarray(linalg.block_diag(*parts))


@dataclass(eq=False)
class Sample:
    """Observations of curves, one curve after the other.

    Attributes
    ----------
    curves, channels : arrays of int
        The number of the curve and of the channel of each observation.
    times, values : arrays
    n : int
        Number of curves.
    """

    curves: IntArray
    channels: IntArray
    times: Array
    values: Array
    n: int

    def bounds(self) -> IntArray:
        """Where the observations of each curve begin, and the last ones end."""
        return np.searchsorted(self.curves, np.arange(self.n + 1))
