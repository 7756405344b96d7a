r"""The test of independence in blocks: one pass for the second moments of features.

The cross-covariance C of the features of X and Y is a sum over samples, but a permutation of all
rows would move them between blocks; and one within each block leaves alone what depends on the
block, as all does where the rows are sorted. So C of a random permutation is drawn from the normal
law that it has for many rows, with the mean and the covariance that it has for any number: 0 and
:math:`\Sigma_X \otimes \Sigma_Y / (n - 1)`. In the axes of both covariances its entries are
independent, :math:`\sqrt{\lambda_i \mu_j / (n - 1)}\, g_{ij}`.
"""

from typing import Any

import numpy as np

from noneuclid._blocks import Part, paired, samples
from noneuclid.information._checks import as_pair, check_enough, check_pairs
from noneuclid.information._densities import log_peak
from noneuclid.information._features import FEATURES, features_on, sample_size
from noneuclid.information._relabelling import tiles
from noneuclid.information._widths import kernel_width
from noneuclid.typing import Array

_LARGEST = 4096  # squares of normal numbers; a sum of all smaller ones is normal itself
_AT_A_TIME = 512
_NOTHING = 1e-12  # of the largest variance: rounding


def statistics_in_blocks(
    X: Any,
    Y: Any,
    width: Any,
    statistic: str,
    B: int,
    tolerance: float | None,
    rng: np.random.Generator,
) -> tuple[Array, float, float]:
    """Statistics of the data and of B permutations, the log of their scale, and their error.

    Three passes: to look at the rows, for a sample of them, and for the moments.
    """
    widths = as_pair(width)
    A, C = (samples("independence_test", V, who) for V, who in ((X, "X"), (Y, "Y")))
    n, d, e = A.n_samples, len(A.mean), len(C.mean)
    check_enough(range(n), "X")
    check_enough(range(C.n_samples), "Y")
    check_pairs(range(n), range(C.n_samples))
    both = paired(A, C)
    drawn = both.sample(sample_size(d + e), int(rng.integers(2**32)))
    rows = np.ascontiguousarray(drawn.X[:, :d]), np.ascontiguousarray(drawn.X[:, d:])
    s, t = (kernel_width(w, V, n, f"a sample of {who}") for w, V, who in zip(widths, rows, "XY"))
    maps = [features_on(V, w, FEATURES, tolerance, rng) for V, w in zip(rows, (s, t))]
    moments = _Moments(both.sum(second_moments, *maps, d), n, maps)
    values = moments.statistics(statistic, B, rng)
    log_scale = log_peak(s, d) + log_peak(t, e) if statistic == "ed" else 0.0
    return values, log_scale, moments.error(statistic)


def second_moments(part: Part, of_x: Any, of_y: Any, d_x: int) -> tuple[Array, Array, Array]:
    """Σ z_X z_X', Σ z_X z_Y' and Σ z_Y z_Y', where z begins with 1 and ends with √r."""
    X, Y = np.ascontiguousarray(part.X[:, :d_x]), np.ascontiguousarray(part.X[:, d_x:])
    F, G = (m(rows[:1]).shape[1] + 1 for m, rows in ((of_x, X), (of_y, Y)))
    xx, xy, yy = np.zeros((F, F)), np.zeros((F, G)), np.zeros((G, G))
    for tile in tiles(len(part), F + G):
        ones = np.ones(tile.stop - tile.start)
        U, V = (np.column_stack([ones, m(r[tile])]) for m, r in ((of_x, X), (of_y, Y)))
        xx += U.T @ U
        xy += U.T @ V
        yy += V.T @ V
    return xx, xy, yy


class _Moments:
    """Means, covariances and cross-covariance of the features, and what tests make of them."""

    def __init__(self, sums: tuple[Array, Array, Array], n: int, maps: list[Any]):
        xx, xy, yy = (S / n for S in sums)
        self.n, self.maps = n, maps
        self.means = xx[0, 1:-1], yy[0, 1:-1]
        self.lost = [min(float(S[-1, -1]), 8.0 * float(S[0, -1]) ** 2) for S in (xx, yy)]
        self.product = np.outer(*self.means)
        self.cross = xy[1:-1, 1:-1] - self.product
        self.covariances = [S[1:-1, 1:-1] - np.outer(m, m) for S, m in zip((xx, yy), self.means)]

    def potentials(self) -> tuple[float, float, float]:
        """V_J, V_C and V_M, for kernels with κ(x, x) = 1."""
        joint, M = self.cross + self.product, self.product
        return float((joint**2).sum()), float((joint * M).sum()), float((M**2).sum())

    def statistics(self, statistic: str, B: int, rng: np.random.Generator) -> Array:
        """I_ED or I_CS of the data, and of B permutations."""
        ed, slope = self._permuted(B, rng)
        J, V, M = self.potentials()
        if statistic == "ed":
            return np.concatenate([[(self.cross**2).sum()], ed])
        joint = np.concatenate([[J], ed + 2.0 * slope + M])
        cross = np.concatenate([[V], slope + M])
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(0.5 * np.log(joint * M) - np.log(cross))

    def _permuted(self, B: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """‖C‖² and ⟨C, m_X m_Y'⟩ of B random permutations."""
        (lam, a), (mu, b) = (_axes(S, m) for S, m in zip(self.covariances, self.means))
        weights = np.outer(lam, mu).ravel() / (self.n - 1)
        slopes = np.outer(a, b).ravel() / np.sqrt(self.n - 1)
        order = np.argsort(-weights, kind="stable")
        large, small = order[:_LARGEST], order[_LARGEST:]
        rest = rng.standard_normal((2, B))
        ed = weights[small].sum() + np.sqrt(2.0 * (weights[small] ** 2).sum()) * rest[0]
        slope = np.sqrt((slopes[small] ** 2).sum()) * rest[1]
        for start in range(0, B, _AT_A_TIME):
            some = slice(start, min(start + _AT_A_TIME, B))
            g = rng.standard_normal((some.stop - start, len(large)))
            slope[some] += g @ slopes[large]
            ed[some] += np.square(g, out=g) @ weights[large]
        return ed, slope

    def error(self, statistic: str) -> float:
        """How far features may have moved the statistic."""
        J, V, M = self.potentials()
        if statistic == "ed":
            return self._error(self.cross**2, 1.0)
        joint, product = self.cross + self.product, self.product
        terms = 0.5 * joint**2 / J - joint * product / V + 0.5 * product**2 / M
        return self._error(terms, 0.5 / J + 1.0 / V + 0.5 / M)

    def _error(self, terms: Array, weight: float) -> float:
        of_x, of_y = self.maps
        r, q = self.lost
        return float(of_x.error(terms.sum(axis=1), weight * r)) + float(
            of_y.error(terms.sum(axis=0), weight * q)
        )


def _axes(covariance: Array, mean: Array) -> tuple[Array, Array]:
    """Variances along the axes of a covariance, and the mean in units of them."""
    variances, axes = np.linalg.eigh(covariance)
    kept = variances > _NOTHING * max(float(variances[-1]), 0.0)
    return variances[kept], np.sqrt(variances[kept]) * (axes[:, kept].T @ mean)
