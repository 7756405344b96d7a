"""How strongly samples pull prototypes, all at once."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.prototypes.costs.grids import Coarse
from noneuclid.typing import Array, IntArray

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
class Pulls:
    """H (n, m), up to a factor per prototype, which their centres do not see.

    Either H itself, or a mixture of fields: H = fields · mixture. Where factors were taken out, so
    that nothing underflows, ``log_factors`` has them, for who adds pulls of several blocks.
    """

    fields: Array | sparse.csr_array
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
        return np.asarray(self._turned @ X) if sparse.issparse(F) else times(F.T, X)

    @cached_property
    def _turned(self) -> sparse.csc_array:
        return self.fields.T

    @cached_property
    def _field_mass(self) -> Array:
        F = self.fields
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
        H: Array = np.asarray(F.toarray()) if isinstance(F, sparse.csr_array) else F
        return H if self.mixture is None else np.asarray(F @ self.mixture)

    def shares(self) -> Array:
        """H as an array, the columns of sum 1 where they have any."""
        if self.mixture is None:
            return self.dense() / self._divisor()
        return np.asarray(self.fields @ self.mixed_shares())

    def mixed_shares(self) -> Array:
        """The mixture of which those shares are made."""
        assert self.mixture is not None
        return self.mixture / self._divisor()

    def _divisor(self) -> Array:
        mass = self.mass
        return np.where(mass > 0, mass, 1.0)

    @property
    def winners(self) -> IntArray | None:
        """The one unit that every sample follows; None where some follow more or less than one."""
        F = self.fields
        if self.mixture is None or not isinstance(F, sparse.csr_array):
            return None
        return F.indices if (np.diff(F.indptr) == 1).all() else None

    def weighted(self, weights: Array) -> "Pulls":
        """The same with every sample's row times its weight."""
        if sparse.issparse(self.fields):
            rows = sparse.csr_array(sparse.diags_array(weights) @ self.fields)
        else:
            rows = self.fields * weights[:, None]
        return replace(self, fields=rows)


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
