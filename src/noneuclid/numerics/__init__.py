"""Pure array functions: arrays in, arrays out; no classes, no validation.

The only home of compiled code. Everything above validates its input once and then relies on
C-contiguous ``float64`` arrays here.
"""

from noneuclid.numerics._exp import exp_nonpositive
from noneuclid.numerics.differences import difference_matrix, quadrature_weights, savgol_matrix
from noneuclid.numerics.duality import functional_dual, functional_magnitudes, lp_dual, lp_norm
from noneuclid.numerics.images import cleaned_images
from noneuclid.numerics.lee_dual import lee_dual
from noneuclid.numerics.linalg import (
    BandedFactor,
    factor_columns,
    factor_gram,
    nystroem_map,
    signed_eigh,
    signed_features,
    triangular_map,
)
from noneuclid.numerics.lp import lp_squared_distance
from noneuclid.numerics.lp_pull import lp_moments, lp_pull
from noneuclid.numerics.pairwise import blocked_squared_distance, row_blocks, squared_euclidean
from noneuclid.numerics.signs import fix_signs, fix_vectors, orientation
from noneuclid.numerics.ties import first_argmax, first_argmin, level, steady_order

__all__ = [
    "BandedFactor",
    "blocked_squared_distance",
    "cleaned_images",
    "difference_matrix",
    "exp_nonpositive",
    "factor_columns",
    "factor_gram",
    "first_argmax",
    "first_argmin",
    "fix_signs",
    "fix_vectors",
    "functional_dual",
    "functional_magnitudes",
    "lee_dual",
    "level",
    "lp_dual",
    "lp_moments",
    "lp_norm",
    "lp_pull",
    "lp_squared_distance",
    "nystroem_map",
    "orientation",
    "quadrature_weights",
    "row_blocks",
    "savgol_matrix",
    "signed_eigh",
    "signed_features",
    "squared_euclidean",
    "steady_order",
    "triangular_map",
]
