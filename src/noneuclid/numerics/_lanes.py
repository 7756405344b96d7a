"""Operations on single numbers that the compiler can do on several at once.

Python asks before it divides whether the divisor is 0, and compares numbers by branches: a loop
with either is not vectorised.
"""

import itertools
import math
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

LANES = 4
"""How many sums `small_product` makes in one register."""
# It uses so many of them: of the 16 that most processors have, four are left.
_ROWS, _PLACES = 4, 3
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

    def small_product(
        A: Any, start: int, down: int, along: int, n: int, B: Any, out: Any, rows: int, length: int
    ) -> None:
        factors = A.reshape(-1)[start + down * np.arange(rows)[:, None] + along * np.arange(n)]
        product = factors @ B.reshape(-1)[: n * length].reshape(n, length)
        out.reshape(-1)[: rows * length] = product.reshape(-1)


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

    def _memory(context: Any, builder: Any, kinds: Any, arrays: Any) -> list[Any]:
        return [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(kinds, arrays)
        ]

    _VECTOR = ir.VectorType(ir.DoubleType(), LANES)

    def _lanes_at(builder: Any, pointer: Any, place: Any) -> Any:
        return builder.bitcast(builder.gep(pointer, [place]), _VECTOR.as_pointer())

    def _repeated(builder: Any, x: Any) -> Any:
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        v = builder.insert_element(nothing, x, ir.Constant(ir.IntType(32), 0))
        same = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(v, v, same)

    def _at_most(builder: Any, a: Any, limit: Any) -> Any:
        return builder.select(builder.icmp_signed("<", a, limit), a, limit)

    def _number(value: int) -> Any:
        return ir.Constant(ir.IntType(64), value)

    def _places(builder: Any, group: Any, count: int, width: int, last: Any) -> list[Any]:
        """Where parts of a group begin; those beyond the last one are the last one again."""
        first = builder.mul(group, _number(count * width))
        return [
            _at_most(builder, builder.add(first, _number(k * width)), last) for k in range(count)
        ]

    def _groups(builder: Any, length: Any, size: int) -> Any:
        return builder.sdiv(builder.add(length, _number(size - 1)), _number(size))

    @intrinsic
    def small_product(
        typing_context: Any,
        A: Any,
        start: Any,
        down: Any,
        along: Any,
        n: Any,
        B: Any,
        out: Any,
        rows: Any,
        length: Any,
    ) -> Any:
        """out_yx = Σ_j A_(start + y·down + j·along) B_jx for y < rows, x < length, n terms.

        The length is at least LANES. Rows of B and of what comes out follow one another in memory.
        The sums of several rows and places stay in registers, share what is read, and do not wait
        for one another: of a short loop in Python the compiler writes and reads each term.
        """
        signature = types.void(A, *[types.intp] * 4, B, out, *[types.intp] * 2)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            A, start, down, along, n, B, out, rows, length = args
            kinds = [signature.args[k] for k in (0, 5, 6)]
            A, B, out = _memory(context, builder, kinds, (A, B, out))
            zero = ir.Constant(_VECTOR, [0.0] * LANES)
            sums = [
                [cgutils.alloca_once_value(builder, zero) for _ in range(_PLACES)]
                for _ in range(_ROWS)
            ]
            last_row = builder.sub(rows, _number(1))
            last_place = builder.sub(length, _number(LANES))
            with (
                cgutils.for_range(builder, _groups(builder, rows, _ROWS)) as upper,
                cgutils.for_range(builder, _groups(builder, length, _PLACES * LANES)) as left,
            ):
                ys = _places(builder, upper.index, _ROWS, 1, last_row)
                xs = _places(builder, left.index, _PLACES, LANES, last_place)
                origins = [builder.add(start, builder.mul(y, down)) for y in ys]
                for total in itertools.chain(*sums):
                    builder.store(zero, total)
                with cgutils.for_range(builder, n) as term:
                    row = builder.mul(term.index, length)
                    places = [builder.add(row, x) for x in xs]
                    read = [builder.load(_lanes_at(builder, B, place), align=8) for place in places]
                    far = builder.mul(term.index, along)
                    for origin, totals in zip(origins, sums):
                        factor = builder.load(builder.gep(A, [builder.add(origin, far)]))
                        factor = _repeated(builder, factor)
                        for values, total in zip(read, totals):
                            product = builder.fmul(factor, values, flags=("contract",))
                            summed = builder.fadd(builder.load(total), product, flags=("contract",))
                            builder.store(summed, total)
                for y, totals in zip(ys, sums):
                    row = builder.mul(y, length)
                    for x, total in zip(xs, totals):
                        to = _lanes_at(builder, out, builder.add(row, x))
                        builder.store(builder.load(total), to, align=8)
            return context.get_dummy_value()

        return signature, codegen
