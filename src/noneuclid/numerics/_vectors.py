"""Several numbers at once, said outright: for loops that the compiler does not vectorise itself.

Where a loop writes to several rows of the same array, LLVM would have to prove them apart, and soon
gives up. A vector of eight numbers is one, two or four registers on every processor of today, and
sums of vectors are added in the same order on all of them.
"""

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import intrinsic, register_model

LANES = 8
_CONTRACT = ("contract",)


class Lanes(types.Type):
    """So many numbers as LANES says."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = Lanes()
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_INT = ir.IntType(32)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any):
        super().__init__(manager, kind, _VECTOR)  # type: ignore[no-untyped-call]


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())


def _splat(builder: Any, x: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    v = builder.insert_element(nothing, x, ir.Constant(_INT, 0))
    return builder.shuffle_vector(v, v, ir.Constant(ir.VectorType(_INT, LANES), [0] * LANES))


def _fused(builder: Any, c: Any, a: Any, b: Any) -> Any:
    return builder.fadd(c, builder.fmul(a, b, flags=_CONTRACT), flags=_CONTRACT)


def _call(builder: Any, name: str, v: Any) -> Any:
    kind = ir.FunctionType(_VECTOR, [_VECTOR])
    name = f"llvm.{name}.v{LANES}f64"
    function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
    return builder.call(function, [v])


if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the same in Python

    def load(array: Any, index: int) -> Any:
        return np.array(array[index : index + LANES])

    def store(array: Any, index: int, value: Any) -> None:
        array[index : index + LANES] = value

    def zeros() -> Any:
        return np.zeros(LANES)

    def add_product(c: Any, a: Any, b: Any) -> Any:
        return c + a * b

    def add_multiple(c: Any, a: float, b: Any) -> Any:
        return c + a * b

    def moduli(v: Any) -> Any:
        return np.abs(v)

    def roots(v: Any) -> Any:
        return np.sqrt(v)

    def with_signs(a: Any, b: Any) -> Any:
        return np.where(b < 0, -a, np.where(b > 0, a, 0.0))

    def total(v: Any) -> float:
        while len(v) > 1:
            v = v[: len(v) // 2] + v[len(v) // 2 :]
        return float(v[0])

    def repeated(x: float) -> Any:
        return np.full(LANES, x)

    def difference(a: Any, b: Any) -> Any:
        return a - b

    def add_number(v: Any, x: float) -> Any:
        return v + x

    def smaller_ones(a: Any, b: Any) -> Any:
        return np.minimum(a, b)

else:

    @intrinsic
    def load(typing_context: Any, array: Any, index: Any) -> Any:
        """Numbers of an array of one axis, from an index on."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _place(context, builder, signature.args[0], *args)
            return builder.load(place, align=8)

        return _lanes(array, types.intp), codegen

    @intrinsic
    def store(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
        """Put them there."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _place(context, builder, signature.args[0], *args[:2])
            builder.store(args[2], place, align=8)
            return context.get_dummy_value()

        return types.void(array, types.intp, _lanes), codegen

    @intrinsic
    def zeros(typing_context: Any) -> Any:
        """Zeros."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return ir.Constant(_VECTOR, [0.0] * LANES)

        return _lanes(), codegen

    @intrinsic
    def add_product(typing_context: Any, c: Any, a: Any, b: Any) -> Any:
        """c + a b."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _fused(builder, *args)

        return _lanes(_lanes, _lanes, _lanes), codegen

    @intrinsic
    def add_multiple(typing_context: Any, c: Any, a: Any, b: Any) -> Any:
        """c + a b, where a is one number."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _fused(builder, args[0], _splat(builder, args[1]), args[2])

        return _lanes(_lanes, types.float64, _lanes), codegen

    @intrinsic
    def moduli(typing_context: Any, v: Any) -> Any:
        """|v|."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _call(builder, "fabs", args[0])

        return _lanes(_lanes), codegen

    @intrinsic
    def roots(typing_context: Any, v: Any) -> Any:
        """√v."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _call(builder, "sqrt", args[0])

        return _lanes(_lanes), codegen

    @intrinsic
    def with_signs(typing_context: Any, a: Any, b: Any) -> Any:
        """a sgn(b), which is 0 where b is."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            a, b = args
            kind = ir.VectorType(ir.IntType(64), LANES)
            bits = [builder.bitcast(v, kind) for v in (a, b)]
            sign = builder.and_(bits[1], ir.Constant(kind, [-(2**63)] * LANES))
            flipped = builder.bitcast(builder.xor(bits[0], sign), _VECTOR)
            zero = ir.Constant(_VECTOR, [0.0] * LANES)
            return builder.select(builder.fcmp_unordered("!=", b, zero), flipped, zero)

        return _lanes(_lanes, _lanes), codegen

    @intrinsic
    def total(typing_context: Any, v: Any) -> Any:
        """Their sum, halves first."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            v = [builder.extract_element(args[0], ir.Constant(_INT, k)) for k in range(LANES)]
            while len(v) > 1:
                half = len(v) // 2
                v = [builder.fadd(a, b) for a, b in zip(v[:half], v[half:])]
            return v[0]

        return types.float64(_lanes), codegen

    @intrinsic
    def repeated(typing_context: Any, x: Any) -> Any:
        """One number again and again."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _splat(builder, args[0])

        return _lanes(types.float64), codegen

    @intrinsic
    def difference(typing_context: Any, a: Any, b: Any) -> Any:
        """a − b."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.fsub(*args)

        return _lanes(_lanes, _lanes), codegen

    @intrinsic
    def add_number(typing_context: Any, v: Any, x: Any) -> Any:
        """v + x, where x is one number."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.fadd(args[0], _splat(builder, args[1]))

        return _lanes(_lanes, types.float64), codegen

    @intrinsic
    def smaller_ones(typing_context: Any, a: Any, b: Any) -> Any:
        """The smaller of each two numbers, of which none is NaN."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.select(builder.fcmp_ordered("<", *args), *args)

        return _lanes(_lanes, _lanes), codegen
