r"""A vectorisable exponential for sums of Gaussians.

numba calls the scalar ``exp`` of the C library, which no compiler vectorises. With
:math:`x = k\ln 2 + r`, :math:`|r| \le \tfrac12\ln 2`, the Taylor polynomial of degree 12 in
:math:`r` is exact to rounding, and :math:`2^k` is a shift of the exponent bits.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from noneuclid.numerics._jit import jit
from noneuclid.numerics._types import Array

_LOWEST = -708.0  # below, the result is subnormal: it is given as 0
_LOG2_E = 1.4426950408889634
# ln 2 in two parts (Cody & Waite): the first has trailing zeros, so k * _LN2_HIGH is exact.
_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10


@intrinsic  # type: ignore[untyped-decorator]
def _float_from_bits(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen


@jit(inline=True)
def exp_scalar(x: float) -> float:
    """exp(x) for x ≤ 0 inside compiled code; relative error below 1e-15. NaN is not handled."""
    bounded = max(x, _LOWEST)
    k = np.floor(bounded * _LOG2_E + 0.5)
    r = (bounded - k * _LN2_HIGH) - k * _LN2_LOW
    # Horner's rule, written out: a loop over coefficients is not vectorised.
    s = 1 / 479001600
    s = s * r + 1 / 39916800
    s = s * r + 1 / 3628800
    s = s * r + 1 / 362880
    s = s * r + 1 / 40320
    s = s * r + 1 / 5040
    s = s * r + 1 / 720
    s = s * r + 1 / 120
    s = s * r + 1 / 24
    s = s * r + 1 / 6
    s = s * r + 0.5
    s = s * r + 1.0
    s = s * r + 1.0
    bits = (np.int64(np.int32(k)) + 1023) << 52
    power_of_two: float = _float_from_bits(bits)  # type: ignore[call-arg]
    return s * power_of_two * np.float64(x >= _LOWEST)  # a branch would not be vectorised


_BLOCK = 1 << 13


@jit()
def _exp_block(x: Array, out: Array) -> None:
    for i in range(x.size):
        out[i] = exp_scalar(x[i])


@jit(parallel=True)
def _exp_into(x: Array, out: Array) -> None:
    n = x.size
    for block in numba.prange((n + _BLOCK - 1) // _BLOCK):
        rows = slice(block * _BLOCK, min((block + 1) * _BLOCK, n))
        _exp_block(x[rows], out[rows])


def exp_nonpositive(x: Array, out: Array | None = None) -> Array:
    """Elementwise exp(x) for finite or −inf x ≤ 0, threaded; ``out`` may be ``x`` itself.

    Examples
    --------
    >>> import numpy as np
    >>> exp_nonpositive(np.array([0.0, -1.0, -np.inf])).round(6)
    array([1.      , 0.367879, 0.      ])
    """
    x = np.ascontiguousarray(x, dtype=np.float64)
    if out is None:
        out = np.empty_like(x)
    _exp_into(x.ravel(), out.reshape(-1))
    return out
