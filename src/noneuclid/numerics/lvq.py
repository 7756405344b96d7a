r"""Learning vector quantisation on combinations of objects, one sample at a time, compiled.

A prototype is :math:`w_j = \sum_l \gamma_{jl}\xi_l`. With the symmetric proximities M kept beside
:math:`A = \Gamma M` and :math:`q_j = \gamma_j' M \gamma_j`, every distance is

.. math:: d(\xi_i, w_j) = c_0 M_{ii} + c_1 A_{ji} + c_2 q_j

with :math:`c = (1, -2, 1)` for similarities and :math:`(0, 1, -\tfrac12)` for dissimilarities, and
a Riesz step :math:`\gamma_j \leftarrow s\gamma_j + b e_i` is a rank-one change of all three. Only
A costs O(n); :math:`\gamma_j` is kept as a scale times a vector, so that it costs O(1).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import larger, quotient
from noneuclid.numerics.mixtures import FAINT
from noneuclid.numerics.ties import TIE, first_least
from noneuclid.typing import Array, IntArray

IDENTITY, SIGMOID, TANH = 0, 1, 2

# A step this small changes no digit that matters; most RSLVQ forces are.
_NO_STEP = 1e-15
# Lazy scales stay within these bounds, so that neither they nor the rest overflow.
_SCALE_LOW, _SCALE_HIGH = 1e-80, 1e80
# Below this share of |d₊| + |d₋| the sum d₊ + d₋ is no denominator any more.
GUARD = 1e-2


@jit(inline=True)
def transfer_derivative(mu: float, transfer: int, slope: float) -> float:
    """F'(μ) of GLVQ's transfer function F(slope · μ), to the last digit where F is flat."""
    if transfer == SIGMOID:
        decay = math.exp(-abs(slope * mu))
        return quotient(slope * decay, (1.0 + decay) * (1.0 + decay))
    if transfer == TANH:
        decay = math.exp(-2.0 * abs(slope * mu))
        return quotient(4.0 * slope * decay, (1.0 + decay) * (1.0 + decay))
    return slope


@jit(borrows=True)
def _nearest(d: Array, own: np.ndarray) -> tuple[int, int]:
    """The nearest of the own prototypes, and of the others."""
    right = wrong = -1
    right_limit = wrong_limit = np.inf  # only what is clearly nearer comes before the first
    for j in range(d.size):
        nearer = d[j] - TIE * abs(d[j])
        if own[j]:
            if right < 0 or d[j] < right_limit:
                right, right_limit = j, nearer
        elif wrong < 0 or d[j] < wrong_limit:
            wrong, wrong_limit = j, nearer
    return right, wrong


@jit(inline=True)
def _rslvq_forces(d: Array, own: np.ndarray, sigma2: Array, log_prior: Array, phi: Array) -> None:
    """Exponentials are relative to the nearest prototype, or else to the nearest own one.

    Loops of one purpose each, without branches, are what the compiler vectorises: the nearest own
    one is looked for only where it is needed.
    """
    top = -np.inf
    for j in range(d.size):
        phi[j] = log_prior[j] - quotient(d[j], sigma2[j])
        top = larger(top, phi[j])
    for j in range(d.size):
        d[j] = exp_scalar(phi[j] - top)  # no distances any more
    own_total = others_total = 0.0
    for j in range(d.size):
        own_total += d[j] if own[j] else 0.0
        others_total += 0.0 if own[j] else d[j]
    far = own_total < FAINT  # the shares of the own ones would be 0/0: relative to the nearest
    if far:
        top, own_total = -np.inf, 0.0
        for j in range(d.size):
            top = phi[j] if own[j] and phi[j] > top else top
        for j in range(d.size):
            if own[j]:
                d[j] = math.exp(phi[j] - top)
                own_total += d[j]
    a = quotient(1.0, others_total if far else others_total + own_total)
    b = quotient(1.0, own_total) - (0.0 if far else a)
    for j in range(d.size):
        phi[j] = d[j] * (b if own[j] else -a)


@jit(borrows=True)
def _window_forces(d: Array, own: np.ndarray, window: float, phi: Array) -> None:
    """LVQ2.1: the nearest of both kinds, if the sample is about as far from either."""
    right, wrong = _nearest(d, own)
    plus, minus = d[right], d[wrong]
    if plus > 0.0 and minus > 0.0:
        ratio = plus / minus if plus < minus else minus / plus
        if math.sqrt(ratio) > (1.0 - window) / (1.0 + window):
            phi[right], phi[wrong] = 1.0, -1.0


@jit(borrows=True)
def _glvq_forces(d: Array, own: np.ndarray, transfer: int, slope: float, phi: Array) -> bool:
    right, wrong = _nearest(d, own)
    plus, minus = d[right], d[wrong]
    total = plus + minus
    if not total > GUARD * (abs(plus) + abs(minus)):
        return False
    slope_here = transfer_derivative(quotient(plus - minus, total), transfer, slope)
    phi[right] = quotient(2.0 * minus, total * total) * slope_here
    phi[wrong] = quotient(-2.0 * plus, total * total) * slope_here
    return True


@jit(inline=True)
def sample_forces(
    d: Array,
    own: np.ndarray,
    reward: float | None,
    transfer: int | None,
    slope: float | None,
    window: float | None,
    sigma2: Array | None,
    log_prior: Array | None,
    phi: Array,
) -> bool:
    """Forces φ_j of one sample (positive: pulled to it); False if GLVQ's guard refused it.

    The parameters that are there tell the cost: ``sigma2`` and ``log_prior`` are RSLVQ's,
    ``transfer`` and ``slope`` GLVQ's, ``window`` LVQ2.1's, and ``reward``, the size of the force,
    LVQ1's. Code for a parameter that is None is not compiled. ``d`` is scratch afterwards.
    """
    if sigma2 is not None and log_prior is not None:
        _rslvq_forces(d, own, sigma2, log_prior, phi)
        return True
    for j in range(d.size):
        phi[j] = 0.0
    if transfer is not None and slope is not None:
        return _glvq_forces(d, own, transfer, slope, phi)
    if window is not None:
        _window_forces(d, own, window, phi)
    if reward is not None:
        j = first_least(d)
        phi[j] = reward if own[j] else -reward
    return True


@jit(sums=True, borrows=True)
def _axpby(s: float, a: Array, b: float, m: Array) -> None:
    """a ← s a + b m."""
    for k in range(a.size):
        a[k] = s * a[k] + b * m[k]


# A loop, as everywhere in compiled code: for `G[j] *= s` numba compiles what it would say of arrays
# that do not fit, which takes seconds.
@jit(borrows=True)
def scale_row(G: Array, j: int, s: float) -> None:
    """g_j ← s g_j."""
    for k in range(G.shape[1]):
        G[j, k] *= s


@jit(inline=True)
def find_moves(a: Array, H: Array, i: int, convex: bool, moves: IntArray) -> int:
    """How many steps of lengths a towards sample i move anything, and the prototypes of those.

    Most do not: they are too short, or away from what the prototype has not. Where they are in
    ``moves`` no branch has to be guessed; a wrong guess for each would take as long as the steps.
    """
    n = 0
    for j in range(a.size):
        moves[n] = j
        away = convex & (a[j] < 0.0) & (H[i, j] == 0.0)  # `and` would be a branch
        n += not (away | (abs(a[j]) < _NO_STEP))
    return n


@jit(inline=True)
def step_coefficients(
    H: Array, scale: Array, i: int, j: int, a: float, convex: bool
) -> tuple[float, float]:
    """γ_j ← s γ_j + b e_i for a step of length a towards e_i, in O(1): γ_j is ``scale[j] H[:, j]``.

    Returns s and b, which is 0 where the step would clip every coefficient: the prototype stays
    then. Under the convex constraint only coefficient i can turn negative: it is dropped then, and
    the others share its part. A step of a ≥ 1 leaves nothing but e_i.
    """
    s, b = 1.0 - a, a
    if convex:
        gamma = scale[j] * H[i, j]
        if a >= 1.0:
            s, b = 0.0, 1.0
        elif (1.0 - a) * gamma + a < 0.0:
            stays = 1.0 - gamma <= 1e-14
            s = 1.0 if stays else quotient(1.0, 1.0 - gamma)
            b = 0.0 if stays else -gamma * s
    factor = s * scale[j]
    if not _SCALE_LOW < abs(factor) < _SCALE_HIGH:
        for k in range(len(H)):
            H[k, j] *= factor
        factor = 1.0
    scale[j] = factor
    H[i, j] += quotient(b, factor)
    if convex and H[i, j] < 0.0:
        H[i, j] = 0.0
    return s, b


@jit(borrows=True)
def riesz_epoch(
    M: Array,
    c: Array,
    own_of_class: np.ndarray,
    y: np.ndarray,
    order: np.ndarray,
    step: Array,
    convex: bool,
    reward: float | None,
    transfer: int | None,
    slope: float | None,
    window: float | None,
    sigma2: Array | None,
    log_prior: Array | None,
    H: Array,
    A: Array,
    q: Array,
    scale: Array,
    d: Array,
    phi: Array,
    moves: IntArray,
) -> tuple[int, int]:
    """One pass of prototype steps over the samples in ``order``; to be run by `run_epoch`.

    The coefficients H = Γ', A and q change in place. ``step[i]`` is learning rate times sample
    weight; ``d``, ``phi`` and ``moves`` are scratch. Returns how many samples GLVQ's guard refused
    and how many steps would have clipped every coefficient (the prototype stays then).
    """
    refused = clipped = 0
    for i in order:
        for j in range(q.size):
            d[j] = c[0] * M[i, i] + c[1] * A[j, i] + c[2] * q[j]
        own = own_of_class[y[i]]
        if not sample_forces(d, own, reward, transfer, slope, window, sigma2, log_prior, phi):
            refused += 1
            continue
        for j in range(q.size):
            phi[j] *= step[i]
        for move in range(find_moves(phi, H, i, convex, moves)):
            j = moves[move]
            s, b = step_coefficients(H, scale, i, j, phi[j], convex)
            clipped += b == 0.0
            q[j] = s * s * q[j] + 2.0 * s * b * A[j, i] + b * b * M[i, i]
            for k in range(M.shape[1]):
                A[j, k] = s * A[j, k] + b * M[i, k]
    return refused, clipped


def run_epoch(
    epoch: Callable[..., tuple[int, int]], problem: tuple[Any, ...], G: Array, *images: Array
) -> tuple[int, int]:
    """Run a compiled pass of steps of coefficients, all of which change in place.

    What is easily done here is not compiled: that takes longer than any pass.

    Parameters
    ----------
    epoch : `riesz_epoch` or `feature_epoch`
    problem : tuple
        Its arguments up to the coefficients.
    G : array of shape (m, n)
        Coefficients.
    *images : arrays
        What is kept beside them.

    Returns
    -------
    refused, clipped : int
        How many samples, and how many steps.
    """
    m = len(G)
    # What a sample asks for lies together: from all prototypes' coefficients it takes its own.
    H, scale = np.ascontiguousarray(G.T), np.ones(m)
    scratch = np.empty(m), np.empty(m), np.empty(m + 1, dtype=np.intp)
    counts = epoch(*problem, H, *images, scale, *scratch)
    np.multiply(H.T, scale[:, None], out=G)
    return counts
