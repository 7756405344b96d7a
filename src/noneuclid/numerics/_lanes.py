"""Operations on single numbers that the compiler can do on several at once.

Python asks before it divides whether the divisor is 0, and compares numbers by branches: a loop
with either is not vectorised.
"""

from typing import TYPE_CHECKING, Any

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

_PAIR = types.float64(types.float64, types.float64)


if TYPE_CHECKING or numba.config.DISABLE_JIT:  # the same in Python

    def quotient(a: float, b: float) -> float:
        return a / b if b != 0 else float("inf") if a > 0 else float("nan")

    def larger(a: float, b: float) -> float:
        return max(a, b)

    def where_negative(a: float, b: float) -> float:
        return b if a < 0 else 0.0

    def signed(a: float, b: float) -> float:
        return -a if b < 0 else a

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
