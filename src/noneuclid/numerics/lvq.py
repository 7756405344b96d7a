r"""Learning vector quantisation on combinations of objects, one sample at a time, compiled.

A prototype is :math:`w_j = \sum_l \gamma_{jl}\xi_l`. With the symmetric proximities M kept beside
:math:`A = \Gamma M` and :math:`q_j = \gamma_j' M \gamma_j`, every distance is

.. math:: d(\xi_i, w_j) = c_0 M_{ii} + c_1 A_{ji} + c_2 q_j

with :math:`c = (1, -2, 1)` for similarities and :math:`(0, 1, -\tfrac12)` for dissimilarities, and
a Riesz step :math:`\gamma_j \leftarrow s\gamma_j + b e_i` is a rank-one change of all three. Only
A costs O(n); :math:`\gamma_j` is kept as a scale times a vector, so that it costs O(1).
"""

import math

import numpy as np

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import quotient
from noneuclid.numerics.ties import TIE, first_least
from noneuclid.typing import Array

IDENTITY, SIGMOID, TANH = 0, 1, 2

# A step this small changes no digit that matters; most RSLVQ forces are.
_NO_STEP = 1e-15
# Sums of exponentials below this have lost digits: the largest one is 1, the smallest 1e-308.
_VANISHED = 1e-250
# Lazy scales stay within these bounds, so that neither they nor the rest overflow.
_SCALE_LOW, _SCALE_HIGH = 1e-80, 1e80
# Below this share of |d₊| + |d₋| the sum d₊ + d₋ is no denominator any more.
GUARD = 1e-2


@jit(inline=True)
def transfer_derivative(mu: float, transfer: int, slope: float) -> float:
    """F'(μ) of GLVQ's transfer function F(slope · μ), to the last digit where F is flat."""
    if transfer == SIGMOID:
        decay = math.exp(-abs(slope * mu))
        return slope * decay / (1.0 + decay) ** 2
    if transfer == TANH:
        decay = math.exp(-2.0 * abs(slope * mu))
        return 4.0 * slope * decay / (1.0 + decay) ** 2
    return slope


@jit()
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


@jit(sums=True)
def _largest(x: Array) -> float:
    top: float = x[0]
    for j in range(1, x.size):
        top = x[j] if x[j] > top else top
    return top


@jit(sums=True)
def _totals(x: Array, own: np.ndarray) -> tuple[float, float]:
    """Σ x_j over all j, and over the own ones."""
    total = own_total = 0.0
    for j in range(x.size):
        total += x[j]
        own_total += x[j] if own[j] else 0.0
    return total, own_total


@jit()
def _rslvq_forces(d: Array, own: np.ndarray, sigma2: Array, log_prior: Array, phi: Array) -> None:
    """Loops of one purpose each, without branches, are what the compiler vectorises."""
    for j in range(d.size):
        phi[j] = log_prior[j] - quotient(d[j], sigma2[j])
    top = _largest(phi)
    for j in range(d.size):
        d[j] = exp_scalar(phi[j] - top)  # the distances are not needed any more
    total, own_total = _totals(d, own)
    if not own_total > _VANISHED:
        _rslvq_far_forces(d, own, total, phi)
        return
    a, b = 1.0 / total, 1.0 / own_total
    for j in range(d.size):
        phi[j] = d[j] * ((b if own[j] else 0.0) - a)


@jit()
def _rslvq_far_forces(shares: Array, own: np.ndarray, total: float, phi: Array) -> None:
    """The same where all own prototypes are so far off that their shares would be 0/0."""
    own_top = -np.inf
    for j in range(phi.size):
        if own[j]:
            own_top = max(own_top, phi[j])
    own_total = 0.0
    for j in range(phi.size):
        if own[j]:
            own_total += exp_scalar(phi[j] - own_top)
    for j in range(phi.size):
        share = exp_scalar(phi[j] - own_top) / own_total if own[j] else 0.0
        phi[j] = share - shares[j] / total


@jit()
def _window_forces(d: Array, own: np.ndarray, window: float, phi: Array) -> None:
    """LVQ2.1: the nearest of both kinds, if the sample is about as far from either."""
    right, wrong = _nearest(d, own)
    plus, minus = d[right], d[wrong]
    if plus > 0.0 and minus > 0.0:
        ratio = plus / minus if plus < minus else minus / plus
        if math.sqrt(ratio) > (1.0 - window) / (1.0 + window):
            phi[right], phi[wrong] = 1.0, -1.0


@jit(inline=True)
def _glvq_forces(d: Array, own: np.ndarray, transfer: int, slope: float, phi: Array) -> bool:
    right, wrong = _nearest(d, own)
    plus, minus = d[right], d[wrong]
    total = plus + minus
    if not total > GUARD * (abs(plus) + abs(minus)):
        return False
    slope_here = transfer_derivative((plus - minus) / total, transfer, slope)
    phi[right] = 2.0 * minus / (total * total) * slope_here
    phi[wrong] = -2.0 * plus / (total * total) * slope_here
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


@jit(sums=True)
def _axpby(s: float, a: Array, b: float, m: Array) -> None:
    """a ← s a + b m."""
    for k in range(a.size):
        a[k] = s * a[k] + b * m[k]


# A loop, as everywhere in compiled code: for `G[j] *= s` numba compiles what it would say of arrays
# that do not fit, which takes seconds.
@jit()
def scale_row(G: Array, j: int, s: float) -> None:
    """g_j ← s g_j."""
    for k in range(G.shape[1]):
        G[j, k] *= s


@jit(inline=True)
def leaves_alone(a: float, gamma: float, convex: bool) -> bool:
    """Whether a step moves nothing: it is too short, or away from what the prototype has not."""
    return abs(a) < _NO_STEP or (convex and a < 0.0 and gamma == 0.0)


@jit(inline=True)
def coefficient_step(a: float, gamma: float, convex: bool) -> tuple[float, float, bool]:
    """s and b of γ ← s γ + b e_i, and whether the step would clip every coefficient.

    ``gamma`` is coefficient i. Under the convex constraint only it can turn negative: it is
    dropped then, and the others share its part. A step of a ≥ 1 leaves nothing but e_i.
    """
    if not convex:
        return 1.0 - a, a, False
    if a >= 1.0:
        return 0.0, 1.0, False
    if (1.0 - a) * gamma + a >= 0.0:
        return 1.0 - a, a, False
    if 1.0 - gamma <= 1e-14:
        return 1.0, 0.0, True
    s = 1.0 / (1.0 - gamma)
    return s, -gamma * s, False


@jit()
def move_coefficients(
    G: Array, scale: Array, j: int, i: int, s: float, b: float, convex: bool
) -> None:
    """γ_j ← s γ_j + b e_i in O(1): the row is ``scale[j] * G[j]``."""
    if abs(s) < _SCALE_LOW:
        scale_row(G, j, s * scale[j])
        scale[j] = 1.0
        G[j, i] += b
        return
    scale[j] *= s
    G[j, i] += b / scale[j]
    if convex and G[j, i] < 0.0:
        G[j, i] = 0.0
    if not _SCALE_LOW < abs(scale[j]) < _SCALE_HIGH:
        scale_row(G, j, scale[j])
        scale[j] = 1.0


@jit()
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
    G: Array,
    A: Array,
    q: Array,
) -> tuple[int, int]:
    """One pass of prototype steps over the samples in ``order``; G, A and q change in place.

    ``step[i]`` is learning rate times sample weight. Returns how many samples GLVQ's guard
    refused and how many steps would have clipped every coefficient (the prototype stays then).
    """
    m = G.shape[0]
    d, phi, scale = np.empty(m), np.empty(m), np.empty(m)
    for j in range(m):
        scale[j] = 1.0
    refused = clipped = 0
    for i in order:
        own = own_of_class[y[i]]
        for j in range(m):
            d[j] = c[0] * M[i, i] + c[1] * A[j, i] + c[2] * q[j]
        if not sample_forces(d, own, reward, transfer, slope, window, sigma2, log_prior, phi):
            refused += 1
            continue
        for j in range(m):
            a = step[i] * phi[j]
            if leaves_alone(a, G[j, i], convex):
                continue
            s, b, stays = coefficient_step(a, scale[j] * G[j, i], convex)
            clipped += stays
            if b == 0.0:
                continue
            q[j] = s * s * q[j] + 2.0 * s * b * A[j, i] + b * b * M[i, i]
            _axpby(s, A[j], b, M[i])
            move_coefficients(G, scale, j, i, s, b, convex)
    for j in range(m):
        scale_row(G, j, scale[j])
    return refused, clipped
