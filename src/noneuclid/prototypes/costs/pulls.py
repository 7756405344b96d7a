"""How strongly samples pull prototypes, all at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

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

    def sums(self, X: Array) -> Array:
        """H'X."""
        F = self.fields
        sums = np.asarray(F.T @ X) if sparse.issparse(F) else times(F.T, X)
        return sums if self.mixture is None else self.mixture.T @ sums

    def charted_sums(self, geometry: Any) -> Array:
        """H'Z for the coordinates Z of the samples in the chart."""
        return self.sums(geometry.Z)

    @property
    def mass(self) -> Array:
        """Σ_i h_ij."""
        mass = np.asarray(self.fields.sum(axis=0)).ravel()
        return mass if self.mixture is None else self.mixture.T @ mass

    def dense(self) -> Array:
        """H as an array."""
        F = self.fields
        H: Array = np.asarray(F.toarray()) if isinstance(F, sparse.csr_array) else F
        return H if self.mixture is None else np.asarray(F @ self.mixture)

    def shares(self) -> Array:
        """H as an array, the columns of sum 1 where they have any."""
        F, mass = self.fields, self.mass
        divisor = np.where(mass > 0, mass, 1.0)
        if self.mixture is None:
            return self.dense() / divisor
        M = self.mixture / divisor
        if isinstance(F, sparse.csr_array) and F.nnz == len(F.indptr) - 1 == np.count_nonzero(
            np.diff(F.indptr)
        ):  # every sample follows one unit
            H = M[F.indices]
            return H if (F.data == 1.0).all() else H * F.data[:, None]
        return np.asarray(F @ M)

    def weighted(self, weights: Array) -> "Pulls":
        """The same with every sample's row times its weight."""
        if sparse.issparse(self.fields):
            rows = sparse.csr_array(sparse.diags_array(weights) @ self.fields)
            return Pulls(rows, self.mixture, self.log_factors)
        return Pulls(self.fields * weights[:, None], self.mixture, self.log_factors)


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
