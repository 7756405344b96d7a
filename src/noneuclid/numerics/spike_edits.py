r"""What it costs to turn one event sequence into another.

Inserting or deleting an event costs one, moving it by t costs q|t|. The least cost is found event
by event (Victor and Purpura 1996):

.. math:: g_{ij} = \min(g_{i-1,j} + 1,\; g_{i,j-1} + 1,\; g_{i-1,j-1} + q|s_i - t_j|) .
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.pairwise import mirrored
from noneuclid.typing import Array, IntArray


@jit()
def _edit_cost(x: Array, y: Array, q: float, row: Array) -> float:
    """Least cost of one pair; ``row`` has room for one number more than y has events."""
    for j in range(y.size + 1):
        row[j] = j
    for s in x:
        corner, left = row[0], row[0] + 1.0
        row[0] = left
        for j in range(y.size):
            moved = corner + q * abs(s - y[j])
            corner = row[j + 1]
            left = min(moved, min(left, corner) + 1.0)
            row[j + 1] = left
    cost: float = row[y.size]
    return cost


@jit(parallel=True)
def _edit_rows(
    times: Array,
    offsets: IntArray,
    others: Array,
    other_offsets: IntArray,
    q: float,
    longest: int,
    same: bool,
    out: Array,
) -> None:
    for i in numba.prange(offsets.size - 1):
        row = np.empty(longest + 1)
        x = times[offsets[i] : offsets[i + 1]]
        for j in range(i if same else 0, other_offsets.size - 1):
            y = others[other_offsets[j] : other_offsets[j + 1]]
            out[i, j] = _edit_cost(x, y, q, row)


def edit_costs(
    times: Array,
    offsets: IntArray,
    others: Array,
    other_offsets: IntArray,
    q: float,
    *,
    same: bool = False,
) -> Array:
    """Costs (n, m) between all trains of two collections; ``same``: these are one.

    Examples
    --------
    >>> import numpy as np
    >>> one, ends = np.array([0.0, 1.0, 1.25]), np.array([0, 1, 3])
    >>> edit_costs(one, ends, one, ends, 2.0, same=True)
    array([[0., 3.],
           [3., 0.]])
    """
    out = np.zeros((len(offsets) - 1, len(other_offsets) - 1))
    longest = int(np.diff(other_offsets).max(initial=0))
    ends, other_ends = (np.ascontiguousarray(o, dtype=np.int64) for o in (offsets, other_offsets))
    _edit_rows(times, ends, others, other_ends, q, longest, same, out)
    return mirrored(out) if same else out
