r"""A vectorisable power for sums over many numbers.

The C library's ``pow`` is scalar: no compiler vectorises it. With :math:`u = 2^e m`,
:math:`\tfrac1{\sqrt2} \le m < \sqrt2`,

.. math:: u^p = 2^{pe + p\log_2 m}, \qquad
          \ln m = 2\,\mathrm{artanh}\,s, \quad s = \frac{m - 1}{m + 1}, \quad |s| \le 0.172 ,

a polynomial of degree 9 in :math:`s^2` being exact to rounding. p has a leading part of 26 bits
whose product with e is exact, so that the error does not grow with :math:`|\log u|`: it is below
:math:`(2 + p)\,2^{-52}` relative.

The common p = 3/2 and 5/2 need only third and fifth roots, in a third of that time: the bits of
:math:`u^{-1/b}` are about a constant minus a b-th of those of u, to 3.4 %, and four steps

.. math:: r \leftarrow r + \tfrac{r}{b}\,(1 - u\,r^b)

of Newton, each of which squares the error, lead to rounding. Square roots have an instruction of
their own, which is slow, and in whose time a processor does other things: one of three roots by
products is a quarter less time for all.
"""

from noneuclid.numerics._exp import _bits_of_float, _float_from_bits
from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import quotient

_MANTISSA = 0x000FFFFFFFFFFFFF
_ONE = 0x3FF0000000000000
# Added to the bits of a number, it carries into the exponent from a mantissa of √2 on.
_CARRY = 0x3FF0000000000000 - 0x3FE6A09E667F3BCD
_BITS_OF_2_52 = 0x4330000000000000
_BIASED_2_52 = 2.0**52 + 1023.0
_SPLIT = 134217729.0  # 2^27 + 1 (Dekker)
_LN2 = 0.6931471805599453
_LOG2_E_TWICE = 2.8853900817779268
_ROUND = 1.5 * 2.0**52
_HIGHEST, _LOWEST = 1023.0, -1022.0
_SMALLEST = 2.2250738585072014e-308  # below, numbers are subnormal: they count as 0
# Upper halves of bits: a third and a fifth, of 2^32; and the constants of least error.
_THIRD, _FIFTH = 0x55555556, 0x33333334
_THIRD_ROOT, _FIFTH_ROOT = 0x553EF1A9, 0x4CB8A8C1
_SQUARE_ROOT = 0x5FE3E7B700000000


@jit()
def root_by_products(u: float) -> float:
    """√u of a normal number or 0, to rounding, by steps of second, third and second order."""
    y: float = _float_from_bits(_SQUARE_ROOT - (_bits_of_float(u) >> 1))  # type: ignore[call-arg]
    y *= 1.6885926 - (0.71237098 * u) * y * y
    error = 1.0 - (u * y) * y
    y += (y * error) * (0.5 + 0.375 * error)
    root: float = u * y
    return root + (0.5 * root) * (1.0 - root * y)


@jit()
def inverse_third_root(u: float) -> float:
    """u^(−1/3) of a normal number above 0, to a few units in the last place."""
    high = _bits_of_float(u) >> 32  # type: ignore[call-arg]
    r: float = _float_from_bits((_THIRD_ROOT - ((high * _THIRD) >> 32)) << 32)
    for _ in range(4):
        r += r * ((1.0 - (u * r) * (r * r)) * (1.0 / 3.0))
    return r


@jit()
def inverse_fifth_root(u: float) -> float:
    """u^(−1/5) of a normal number above 0, to a few units in the last place."""
    high = _bits_of_float(u) >> 32  # type: ignore[call-arg]
    r: float = _float_from_bits((_FIFTH_ROOT - ((high * _FIFTH) >> 32)) << 32)
    for _ in range(4):
        square = r * r
        r += r * ((1.0 - (u * r) * (square * square)) * 0.2)
    return r


@jit()
def pow_scalar(u: float, p: float) -> float:
    """u^p for u ≥ 0 and p > 0 inside compiled code; 0 and ∞ beyond the range of normal numbers."""
    bits = _bits_of_float(u) + _CARRY  # type: ignore[call-arg]
    # The mantissa of 2^52 + e holds e: turned into a number without a conversion, which only the
    # newest processors have for several at once.
    e = _float_from_bits(((bits >> 52) & 0x7FF) | _BITS_OF_2_52) - _BIASED_2_52
    m = _float_from_bits((bits & _MANTISSA) + (_ONE - _CARRY))
    s = quotient(m - 1.0, m + 1.0)
    z = s * s
    t = 1.0 / 21.0
    t = t * z + 1.0 / 19.0
    t = t * z + 1.0 / 17.0
    t = t * z + 1.0 / 15.0
    t = t * z + 1.0 / 13.0
    t = t * z + 1.0 / 11.0
    t = t * z + 1.0 / 9.0
    t = t * z + 1.0 / 7.0
    t = t * z + 1.0 / 5.0
    t = t * z + 1.0 / 3.0
    log2_m = _LOG2_E_TWICE * (s + s * (z * t))
    shifted = p * _SPLIT
    high = shifted - (shifted - p)
    whole = high * e  # exact
    k = (whole + _ROUND) - _ROUND
    r = (whole - k) + ((p - high) * e + p * log2_m)
    more = (r + _ROUND) - _ROUND
    k += more
    r = (r - more) * _LN2
    # As in exp_scalar, written out.
    x = 2.5110037605963777e-08
    x = x * r + 2.763263963904103e-07
    x = x * r + 2.755724091857897e-06
    x = x * r + 2.4801485482328494e-05
    x = x * r + 0.00019841269890047113
    x = x * r + 0.0013888888952314775
    x = x * r + 0.008333333333319601
    x = x * r + 0.0416666666664881
    x = x * r + 0.1666666666666668
    x = x * r + 0.5000000000000019
    x = x * r + 1.0
    x = x * r + 1.0
    power_of_two: float = _float_from_bits(_bits_of_float(k + (_ROUND + 1023.0)) << 52)
    # Choices between two numbers, not branches: those would not be vectorised.
    power = x * power_of_two if k >= _LOWEST else 0.0
    power = power if k <= _HIGHEST else float("inf")
    return power if u >= _SMALLEST else 0.0
