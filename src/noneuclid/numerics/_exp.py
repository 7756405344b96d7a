r"""A vectorisable exponential for sums of Gaussians.

numba calls the scalar ``exp`` of the C library, which no compiler vectorises. With
:math:`x = k\ln 2 + r`, :math:`|r| \le \tfrac12\ln 2`, a polynomial of degree 11 in :math:`r`
(interpolating at Chebyshev nodes) is exact to rounding, and :math:`2^k` is made from its bits.
"""

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array

_LOWEST = -708.0  # below, the result is subnormal: it is given as 0
_LOG2_E = 1.4426950408889634
# ln 2 in two parts (Cody & Waite): the first has trailing zeros, so k * _LN2_HIGH is exact.
_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10
# Adding 1.5 * 2^52 rounds to an integer and leaves it in the lowest bits; 1023 is the bias of
# the exponent, so that a shift by 52 turns those bits into 2^k.
_ROUND = 1.5 * 2.0**52 + 1023.0


@intrinsic
def _float_from_bits(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen


@intrinsic
def _bits_of_float(typing_context: Any, x: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), codegen


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # intrinsics are the compiler's; the same in Python

    def _float_from_bits(bits: int) -> float:  # type: ignore[misc]
        return float(np.uint64(bits % 2**64).view(np.float64))

    def _bits_of_float(x: float) -> int:  # type: ignore[misc]
        return int(np.float64(x).view(np.int64))


# Not `inline=True`: as a function of its own it keeps strict arithmetic inside a caller whose
# sums may be reassociated, and the compiler inlines it all the same.
@jit()
def exp_scalar(x: float) -> float:
    """exp(x) for x ≤ 0 inside compiled code; relative error below 1e-15. NaN is not handled."""
    bounded = _LOWEST if x < _LOWEST else x  # `max` would be compiled as a function
    shifted = bounded * _LOG2_E + _ROUND
    k = shifted - _ROUND
    r = (bounded - k * _LN2_HIGH) - k * _LN2_LOW
    # Horner's rule, written out: a loop over coefficients is not vectorised.
    s = 2.5110037605963777e-08
    s = s * r + 2.763263963904103e-07
    s = s * r + 2.755724091857897e-06
    s = s * r + 2.4801485482328494e-05
    s = s * r + 0.00019841269890047113
    s = s * r + 0.0013888888952314775
    s = s * r + 0.008333333333319601
    s = s * r + 0.0416666666664881
    s = s * r + 0.1666666666666668
    s = s * r + 0.5000000000000019
    s = s * r + 1.0
    s = s * r + 1.0
    power_of_two: float = _float_from_bits(_bits_of_float(shifted) << 52)  # type: ignore[call-arg]
    return s * power_of_two * np.float64(x >= _LOWEST)  # a branch would not be vectorised


_BLOCK = 1 << 13
_NEXT_TO_NOTHING = 3.3075e-308  # exp of just below the lowest
_FEW = 1 << 15  # for so few, the time is saved that compiled code takes to be made or loaded
_PARALLEL = 1 << 18  # for fewer, waking the threads may take longer than the work


# In place: of two arrays that may be one and the same the compiler would take number by number.
@jit()
def exp_block(x: Array, factor: float) -> None:
    """x ← exp(factor · x) inside compiled code, for numbers as `exp_scalar` takes them."""
    for i in range(x.size):
        x[i] = exp_scalar(factor * x[i])


@jit(parallel=True)
def _exp_at_once(x: Array, factor: float) -> None:
    n = x.size
    for block in numba.prange((n + _BLOCK - 1) // _BLOCK):
        exp_block(x[block * _BLOCK : min((block + 1) * _BLOCK, n)], factor)


def exp_nonpositive(x: Array, out: Array | None = None, factor: float = 1.0) -> Array:
    """Elementwise exp(factor · x) where factor · x ≤ 0 is finite or −inf, threaded.

    ``out``, a C-contiguous array of x's shape, may be ``x`` itself.

    Parameters
    ----------
    x : array
        Numbers, none of them positive, or none negative with a negative factor.
    out : array, optional
        Where the result goes.
    factor : float, default=1.0
        In the same pass: over large data, that takes as long as the exponentials.

    Returns
    -------
    array of the shape of x
        ``out``, if it was given.

    Examples
    --------
    >>> import numpy as np
    >>> exp_nonpositive(np.array([0.0, -1.0, -np.inf])).round(6)
    array([1.      , 0.367879, 0.      ])
    """
    x = np.asarray(x, dtype=np.float64, order="C")
    if out is None:
        out = np.empty(x.shape)
    elif not out.flags.c_contiguous or out.shape != x.shape:
        raise ValueError(f"out must be a C-contiguous array of shape {x.shape}")
    if x.size <= _FEW:
        np.exp(x if factor == 1.0 else factor * x, out=out)
        np.multiply(out, out > _NEXT_TO_NOTHING, out=out)
        return out
    if out is not x:
        np.copyto(out, x)
    evaluate = _exp_at_once if x.size > _PARALLEL else exp_block
    evaluate(out.reshape(-1), float(factor))
    return out
