"""Operations on single numbers that the compiler can do on several at once.

Python asks before it divides whether the divisor is 0, and compares numbers by branches: a loop
with either is not vectorised.
"""

import math
from typing import TYPE_CHECKING, Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 4
"""How many sums `sums_of_products` makes at once."""
_PAIR = types.float64(types.float64, types.float64)


if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the same in Python

    def quotient(a: float, b: float) -> float:
        return a / b if b != 0 else float("inf") if a > 0 else float("nan")

    def larger(a: float, b: float) -> float:
        return max(a, b)

    def smaller(a: float, b: float) -> float:
        return min(a, b)

    def where_negative(a: float, b: float) -> float:
        return b if a < 0 else 0.0

    def signed(a: float, b: float) -> float:
        return -a if b < 0 else a

    def flipped(a: float, b: float) -> float:
        return -a if math.copysign(1.0, b) < 0 else a

    def sums_of_products(
        c: Any, start: int, stride: int, n: int, M: Any, first: int, step: int, out: Any, to: int
    ) -> None:
        c, M, out = c.reshape(-1), M.reshape(-1), out.reshape(-1)
        for lane in range(LANES):
            out[to + lane] = sum(
                c[start + j * stride] * M[first + j * step + lane] for j in range(n)
            )

else:

    @intrinsic
    def quotient(typing_context: Any, a: Any, b: Any) -> Any:
        """a / b, infinite or NaN where b is 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.fdiv(*args)

        return _PAIR, codegen

    @intrinsic
    def larger(typing_context: Any, a: Any, b: Any) -> Any:
        """The larger of two numbers, of which none is NaN."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            # A choice of two, written to where one of them came from, would be a masked store,
            # which takes some processors as long as ten others.
            double = ir.DoubleType()
            kind = ir.FunctionType(double, [double, double])
            function = builder.module.declare_intrinsic("llvm.maxnum", [double], kind)
            return builder.call(function, args, fastmath=("nnan", "nsz"))

        return _PAIR, codegen

    @intrinsic
    def smaller(typing_context: Any, a: Any, b: Any) -> Any:
        """The smaller of two numbers, of which none is NaN."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            double = ir.DoubleType()
            kind = ir.FunctionType(double, [double, double])
            function = builder.module.declare_intrinsic("llvm.minnum", [double], kind)
            return builder.call(function, args, fastmath=("nnan", "nsz"))

        return _PAIR, codegen

    @intrinsic
    def signed(typing_context: Any, a: Any, b: Any) -> Any:
        """a ≥ 0 with the sign of b; a itself where b is 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero = ir.Constant(ir.DoubleType(), 0.0)
            negative = builder.fcmp_ordered("<", args[1], zero)
            return builder.select(negative, builder.fneg(args[0]), args[0])

        return _PAIR, codegen

    @intrinsic
    def where_negative(typing_context: Any, a: Any, b: Any) -> Any:
        """b where a < 0, else 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zero = ir.Constant(ir.DoubleType(), 0.0)
            return builder.select(builder.fcmp_ordered("<", args[0], zero), args[1], zero)

        return _PAIR, codegen

    @intrinsic
    def flipped(typing_context: Any, a: Any, b: Any) -> Any:
        """−a where b has a minus sign, also before 0, else a: two operations on bits."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            bits = ir.IntType(64)
            a, b = (builder.bitcast(arg, bits) for arg in args)
            sign = builder.and_(b, ir.Constant(bits, -(2**63)))
            return builder.bitcast(builder.xor(a, sign), ir.DoubleType())

        return _PAIR, codegen

    @intrinsic
    def sums_of_products(
        typing_context: Any,
        c: Any,
        start: Any,
        stride: Any,
        n: Any,
        M: Any,
        first: Any,
        step: Any,
        out: Any,
        to: Any,
    ) -> Any:
        """out_(to + l) = Σ_j c_(start + j·stride) M_(first + j·step + l) for l < LANES, n terms.

        Places are counted in the memory of the arrays, whose rows follow one another. The sums
        stay in registers: of a short loop in Python the compiler writes and reads each term.
        """
        signature = types.void(c, *[types.intp] * 3, M, *[types.intp] * 2, out, types.intp)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            c, start, stride, n, M, first, step, out, to = args
            kinds = [signature.args[k] for k in (0, 4, 7)]
            data = [
                context.make_array(kind)(context, builder, value).data
                for kind, value in zip(kinds, (c, M, out))
            ]
            vector = ir.VectorType(ir.DoubleType(), LANES)
            total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))

            def lanes_at(pointer: Any, place: Any) -> Any:
                return builder.bitcast(builder.gep(pointer, [place]), vector.as_pointer())

            def at(origin: Any, k: Any, far: Any) -> Any:
                return builder.add(origin, builder.mul(k, far))

            with cgutils.for_range(builder, n) as loop:
                factor = builder.load(builder.gep(data[0], [at(start, loop.index, stride)]))
                row = builder.load(lanes_at(data[1], at(first, loop.index, step)), align=8)
                one = ir.Constant(ir.IntType(32), 0)
                spread = builder.insert_element(ir.Constant(vector, ir.Undefined), factor, one)
                places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
                spread = builder.shuffle_vector(spread, spread, places)
                product = builder.fmul(spread, row, flags=("contract",))
                summed = builder.fadd(builder.load(total), product, flags=("contract",))
                builder.store(summed, total)
            builder.store(builder.load(total), lanes_at(data[2], to), align=8)
            return context.get_dummy_value()

        return signature, codegen
