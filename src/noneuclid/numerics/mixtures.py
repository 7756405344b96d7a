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


@jit(sums=True)
def _largest(E: Array, i: int) -> float:
    top: float = E[i, 0]
    for j in range(1, E.shape[1]):
        top = E[i, j] if E[i, j] > top else top
    return top


@jit(sums=True)
def _totals(p: Array, i: int, own: np.ndarray, c: int) -> tuple[float, float]:
    total = own_total = 0.0
    for j in range(p.shape[1]):
        total += p[i, j]
        own_total += p[i, j] if own[c, j] else 0.0
    return total, own_total


@jit()
def _far_forces(
    e: Array, F: Array, i: int, own: np.ndarray, c: int, total: float, sigma2: Array
) -> float:
    """Forces where the shares of the own prototypes would be 0/0; log of their sum."""
    m, top, own_total = e.size, -np.inf, 0.0
    for j in range(m):
        if own[c, j]:
            top = max(top, e[j])
    for j in range(m):
        if own[c, j]:
            own_total += exp_scalar(e[j] - top)
    for j in range(m):
        share = exp_scalar(e[j] - top) / own_total if own[c, j] else 0.0
        F[i, j] = (share - F[i, j] / total) / sigma2[j]
    return top + math.log(own_total)


@jit()
def rslvq_rows(
    D: Array,
    own_of_class: np.ndarray,
    y: IntArray,
    sigma2: Array,
    log_prior: Array,
    values: Array,
    F: Array,
) -> None:
    """Value of every sample (n,) and its forces (n, m), from finite distances (n, m).

    ``own_of_class[c, j]`` says whether prototype j is of class c; every class has one.
    """
    n, m = D.shape
    e = np.empty(m)
    for i in range(n):
        c = y[i]
        for j in range(m):
            F[i, j] = log_prior[j] - quotient(D[i, j], sigma2[j])
        top = _largest(F, i)
        for j in range(m):
            e[j] = F[i, j]
            F[i, j] = exp_scalar(F[i, j] - top)
        total, own_total = _totals(F, i, own_of_class, c)
        if own_total < FAINT:
            own_log = _far_forces(e, F, i, own_of_class, c, total, sigma2)
            values[i] = math.log(total) + top - own_log
            continue
        values[i] = math.log(total / own_total)
        a, b = 1.0 / total, 1.0 / own_total
        for j in range(m):
            share = (b if own_of_class[c, j] else 0.0) - a
            F[i, j] = quotient(F[i, j] * share, sigma2[j])
