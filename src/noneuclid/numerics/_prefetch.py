"""A hint to the memory: what will be read soon is on its way while something else is done.

Samples in random order come from anywhere. Beyond the size of the caches a processor waits for each
of them, which takes longer than a step; so they are asked for a few steps ahead.
"""

from typing import TYPE_CHECKING, Any

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array, IntArray

AHEAD = 8
"""How many samples before it is needed one is asked for."""
LINE = 8
"""Numbers that memory sends at once."""

if TYPE_CHECKING or numba.config.DISABLE_JIT:

    def prefetch(array: Any, place: int) -> None:
        """Nothing: it changes nothing but the time."""

else:

    @intrinsic
    def prefetch(typing_context: Any, array: Any, place: Any) -> Any:
        """Ask for the number at a place, counted in the memory of an array without gaps."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
            hint = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
            where = builder.bitcast(builder.gep(data, [args[1]]), byte)
            read, near, is_data = (ir.Constant(word, value) for value in (0, 3, 1))
            builder.call(hint, [where, read, near, is_data])
            return context.get_dummy_value()

        return types.void(array, types.intp), codegen


@jit(inline=True)
def ask_for_row(X: Array, i: int) -> None:
    """Ask for a row of an array whose rows follow one another."""
    width = X.shape[1]
    for k in range(0, width, LINE):
        prefetch(X, i * width + k)
    prefetch(X, i * width + width - 1)  # a row may end in a line of which it has little


@jit(inline=True)
def ask_ahead(X: Array, order: IntArray, t: int) -> None:
    """Ask for the row that a pass in this order will read some steps after step t."""
    if t + AHEAD < order.size:
        ask_for_row(X, order[t + AHEAD])
