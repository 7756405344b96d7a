"""How strongly samples pull prototypes, all at once."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.numerics.map_fields import sums_by_unit
from noneuclid.prototypes.costs.grids import Coarse
from noneuclid.typing import Array, IntArray

# For fewer numbers nothing is compiled.
_MUCH = 1 << 14
# Below this share of non-zero entries a sparse product is the faster one.
_SPARSE = 0.15


def times(B: Array, M: Array, rows: IntArray | slice = slice(None)) -> Array:
    """B M[rows]. Clipped coefficients and GLVQ's forces are mostly zero: that saves most work."""
    if np.count_nonzero(B) >= _SPARSE * B.size:
        return np.ascontiguousarray(B @ M[rows])
    S = sparse.csr_array(B)
    if not isinstance(rows, slice):  # spread the columns instead of copying rows of M
        S = sparse.csr_array((S.data, rows[S.indices], S.indptr), shape=(len(B), len(M)))
    return np.ascontiguousarray(S @ M)


@dataclass
class Won:
    """Fields (n, m) of samples that each follow one unit: their weight there, else 0.

    Parameters
    ----------
    units : array of int of shape (n,)
        Which unit won every sample.
    n_units : int
    weights : array of shape (n,)
        Of the samples.
    """

    units: IntArray
    n_units: int
    weights: Array

    def sums(self, X: Array) -> Array:
        """Of the rows that every unit won, by their weights."""
        if X.size > _MUCH:
            return sums_by_unit(self.units, self.weights, X, self.n_units)
        return np.asarray(self._sparse.T @ X)

    @cached_property
    def _sparse(self) -> sparse.csr_array:
        n = len(self.units)
        entries = self.weights, self.units, np.arange(n + 1)
        return sparse.csr_array(entries, shape=(n, self.n_units))

    @cached_property
    def mass(self) -> Array:
        """Weight of the samples of every unit."""
        return np.bincount(self.units, self.weights, self.n_units).astype(np.float64)

    def times(self, M: Array) -> Array:
        """Their product with M (m, k)."""
        return np.asarray(M[self.units] * self.weights[:, None])


@dataclass
class Pulls:
    """H (n, m), up to a factor per prototype, which their centres do not see.

    Either H itself, or a mixture of fields: H = fields · mixture. Where factors were taken out, so
    that nothing underflows, ``log_factors`` has them, for who adds pulls of several blocks.
    """

    fields: Array | sparse.csr_array | Won
    mixture: Array | None = None
    log_factors: Array | None = None
    passing: bool = False
    """Whether the neighbourhood goes on shrinking: centres need not be the best ones then."""
    coarse: Coarse | None = None
    """Units of a map that tell what those between them do, meanwhile."""

    def sums(self, X: Array) -> Array:
        """H'X."""
        sums = self.field_sums(X)
        return sums if self.mixture is None else self.mixture.T @ sums

    def field_sums(self, X: Array) -> Array:
        """The same of the fields alone."""
        F = self.fields
        if isinstance(F, Won):
            return F.sums(X)
        return np.asarray(F.T @ X) if sparse.issparse(F) else times(F.T, X)

    @cached_property
    def _field_mass(self) -> Array:
        F = self.fields
        if isinstance(F, Won):
            return F.mass
        if isinstance(F, sparse.csr_array):
            return np.bincount(F.indices, F.data, F.shape[1]).astype(np.float64)
        return np.asarray(F.sum(axis=0))

    def charted_sums(self, geometry: Any) -> Array:
        """H'Z for the coordinates Z of the samples in the chart."""
        return self.sums(geometry.Z)

    @property
    def mass(self) -> Array:
        """Σ_i h_ij."""
        mass = self._field_mass
        return mass if self.mixture is None else self.mixture.T @ mass

    def dense(self) -> Array:
        """H as an array."""
        F = self.fields
        if isinstance(F, Won):
            return F.times(np.eye(F.n_units) if self.mixture is None else self.mixture)
        H: Array = np.asarray(F.toarray()) if isinstance(F, sparse.csr_array) else F
        return H if self.mixture is None else np.asarray(F @ self.mixture)

    def shares(self) -> Array:
        """H as an array, the columns of sum 1 where they have any."""
        F = self.fields
        if self.mixture is None:
            return self.dense() / self._divisor()
        mixed = self.mixed_shares()
        return F.times(mixed) if isinstance(F, Won) else np.asarray(F @ mixed)

    def mixed_shares(self) -> Array:
        """The mixture of which those shares are made."""
        assert self.mixture is not None
        return self.mixture / self._divisor()

    def _divisor(self) -> Array:
        mass = self.mass
        return np.where(mass > 0, mass, 1.0)

    def weighted(self, weights: Array) -> "Pulls":
        """The same with every sample's row times its weight."""
        F = self.fields
        if isinstance(F, Won):
            return replace(self, fields=Won(F.units, F.n_units, F.weights * weights))
        if sparse.issparse(F):
            return replace(self, fields=sparse.csr_array(sparse.diags_array(weights) @ F))
        return replace(self, fields=F * weights[:, None])


@dataclass
class Fields:
    """Pulls of samples that each follow one unit, known by sums over those of every unit.

    Attributes
    ----------
    cost : float
        Of all samples.
    sums_won : array of shape (m, k)
        Of the coordinates in the chart.
    counts : array of shape (m,)
        How many samples every unit won.
    mixture : array of shape (m, m)
        How units pull one another's samples.
    """

    cost: float
    sums_won: Array
    counts: Array
    mixture: Array

    def charted_sums(self, geometry: Any) -> Array:
        """H'Z for the coordinates Z of the samples in the chart."""
        return self.mixture.T @ self.sums_won

    @property
    def mass(self) -> Array:
        """Σ_i h_ij."""
        return self.mixture.T @ self.counts
