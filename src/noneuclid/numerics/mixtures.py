"""Costs and forces of robust soft LVQ for many samples, compiled: no pass over the matrix but one.

The plain form is :meth:`noneuclid.prototypes.costs.RSLVQCost.per_sample`; it is taken for few
samples, for which nothing shall be compiled.
"""

import math

import numpy as np

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import quotient
from noneuclid.typing import Array, IntArray

# Shares of the own prototypes below this are computed once more, relative to the nearest of them.
FAINT = 1e-200


@jit(sums=True, borrows=True, nogil=True)
def rslvq_rows(
    D: Array,
    own_of_class: np.ndarray,
    y: IntArray,
    sigma2: Array,
    log_prior: Array,
    e: Array,
    values: Array,
    F: Array,
) -> None:
    """Value of every sample (n,) and its forces (n, m), from finite distances (n, m).

    ``own_of_class[c, j]`` says whether prototype j is of class c; every class has one. ``e`` (m,)
    is scratch. All in one function: to compile several takes longer than a hundred fits.
    """
    n, m = D.shape
    for i in range(n):
        c = y[i]
        top = -np.inf
        for j in range(m):
            e[j] = log_prior[j] - quotient(D[i, j], sigma2[j])
        for j in range(m):
            top = e[j] if e[j] > top else top
        for j in range(m):
            F[i, j] = exp_scalar(e[j] - top)
        total = own_total = 0.0
        for j in range(m):
            total += F[i, j]
            own_total += F[i, j] if own_of_class[c, j] else 0.0
        own_top = top
        is_far = own_total < FAINT
        if is_far:  # their shares would be 0/0: once more, relative to the nearest of them
            own_top, own_total = -np.inf, 0.0
            for j in range(m):
                own_top = e[j] if own_of_class[c, j] and e[j] > own_top else own_top
            for j in range(m):
                if own_of_class[c, j]:
                    F[i, j] = math.exp(e[j] - own_top)
                    own_total += F[i, j]
        values[i] = math.log(quotient(total, own_total)) + (top - own_top)
        a = quotient(1.0, total)
        b = quotient(1.0, own_total) - (0.0 if is_far else a)
        for j in range(m):
            F[i, j] = quotient(F[i, j] * (b if own_of_class[c, j] else -a), sigma2[j])
