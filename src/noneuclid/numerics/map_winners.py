r"""Which unit of a rectangular map wins every sample, from its distances to all of them.

Heskes' local errors are products with the table of the neighbourhood, which is one along the rows
of the map times one across them (see :mod:`noneuclid.numerics.quantization`): for r rows of c units
that takes rc(r + c) products per sample, where the whole table takes (rc)².
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit, suited
from noneuclid.numerics.quantization import Table, local_errors_on_grid
from noneuclid.numerics.ties import first_least
from noneuclid.typing import Array, IntArray

_ROWS = 64  # of a block, whose scratch is made once


@jit(parallel=True)
def _set_winners(D: Array, rows: Array, columns: Array, winners: IntArray, errors: Array) -> None:
    n, m = D.shape
    for block in numba.prange((n + _ROWS - 1) // _ROWS):
        d, e, spare = np.empty(m), np.empty(m), np.empty(m)
        for i in range(block * _ROWS, min(n, (block + 1) * _ROWS)):
            for j in range(m):
                d[j] = D[i, j]
            local_errors_on_grid(d, rows, columns, e, spare)
            winner = first_least(e)
            winners[i], errors[i] = winner, e[winner]


def map_winners(D: Array, table: Table) -> tuple[IntArray, Array]:
    """The unit of least local error Σ_j T_kj d_ij of every sample, and that error.

    Parameters
    ----------
    D : array of shape (n, m)
        Distances.
    table : (array, array)
        Transposed factors of T, across and along the rows of the map, the second of at least
        `SHORTEST_ROW` rows.

    Returns
    -------
    winners : array of int of shape (n,)
        Of those equal up to rounding, the first.
    errors : array of shape (n,)
    """
    winners, errors = np.empty(len(D), dtype=np.intp), np.empty(len(D))
    rows, columns = table
    operations = D.size * (len(rows) + len(columns))
    suited(_set_winners, operations)(np.ascontiguousarray(D), rows, columns, winners, errors)
    return winners, errors
