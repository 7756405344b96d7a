r"""Costs of learning vector quantisation: distances in, value and forces out.

A cost never sees data, prototypes or a geometry. ``evaluate(D, own)`` takes the distances
:math:`d_{ij}` of sample i to prototype j and whether they are of the same class, and returns the
value, always minimised, with :math:`F = \partial\,\mathrm{value}/\partial D`.
"""

from dataclasses import dataclass, replace
from functools import reduce
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np
from scipy.special import expit

from noneuclid.numerics import lvq
from noneuclid.typing import Array

Mask = np.ndarray


class Evaluation(NamedTuple):
    """What a cost says about a matrix of distances."""

    value: float
    forces: Array
    refused: int = 0
    """Samples left out because GLVQ's denominator was not positive."""


class CostCode(NamedTuple):
    """A cost for compiled code: a number that selects it, and its parameters."""

    cost: int
    transfer: int
    slope: float
    window: float
    sigma2: Array
    log_prior: Array


class Cost(Protocol):
    """What a solver needs of a cost."""

    per_distance: ClassVar[bool]
    """Whether forces are reciprocal distances, so that rescaled data rescale them."""

    def evaluate(self, D: Array, own: Mask, weights: Array | None = None) -> Evaluation:
        """Value and ∂value/∂D."""

    def loss(self, D: Array, own: Mask, weights: Array | None = None) -> float:
        """What learning is judged by: the value, or the errors where the cost is a heuristic."""

    def unit(self) -> float | Array:
        """What turns F into the force φ of the published learning rules."""

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""


def _weighted(values: Array, F: Array, weights: Array | None) -> tuple[float, Array]:
    if weights is None:
        return float(values.sum()), F
    return float(weights @ values), weights[:, None] * F


def _errors(D: Array, own: Mask, weights: Array | None) -> float:
    """Number of samples whose nearest prototype is of another class."""
    wrong = ~own[np.arange(len(D)), D.argmin(axis=1)]
    return float(wrong.sum() if weights is None else weights[wrong].sum())


def _nearest(D: Array, mask: Mask) -> tuple[Array, Array]:
    """Index and distance of the nearest prototype among those of the mask, per row."""
    index = np.where(mask, D, np.inf).argmin(axis=1)
    return index, D[np.arange(len(D)), index]


# A sum of exponentials relative to the largest one below which digits are lost.
_FAINT = 1e-200


def _row_max(E: Array) -> Array:
    """Largest entry of each row; NumPy reduces short rows slowly, columns fast."""
    return reduce(np.maximum, E.T)[:, None]


def _row_sum(E: Array) -> Array:
    return (E @ np.ones(E.shape[1]))[:, None]


def _code(cost: int, m: int, transfer: int = 0, slope: float = 1, window: float = 0) -> CostCode:
    return CostCode(cost, transfer, float(slope), float(window), np.ones(m), np.zeros(m))


@dataclass(frozen=True)
class LVQ1Cost:
    r"""Kohonen's heuristic: the winner is pulled if it has the right class, else pushed.

    .. math:: \sum_i \pm d(\xi_i, w_{win})
    """

    per_distance: ClassVar[bool] = False

    def evaluate(self, D: Array, own: Mask, weights: Array | None = None) -> Evaluation:
        """±1 on the winner."""
        rows = np.arange(len(D))
        winner = D.argmin(axis=1)
        sign = np.where(own[rows, winner], 1.0, -1.0)
        F = np.zeros_like(D)
        F[rows, winner] = sign
        return Evaluation(*_weighted(sign * D[rows, winner], F, weights))

    def loss(self, D: Array, own: Mask, weights: Array | None = None) -> float:
        """Number of errors: the value of the heuristic has no lower bound."""
        return _errors(D, own, weights)

    def unit(self) -> float:
        """F is the force itself."""
        return 1.0

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        return _code(lvq.LVQ1, n_prototypes)


@dataclass(frozen=True)
class LVQ21Cost:
    r"""Kohonen's LVQ2.1: both nearest prototypes move, if the sample is near their border.

    .. math:: \min\left(\sqrt{d_+/d_-}, \sqrt{d_-/d_+}\right) > \frac{1-window}{1+window}

    The distances of the window are not squared, hence the roots. Samples with a distance that is
    not positive are skipped.
    """

    window: float = 0.3
    per_distance: ClassVar[bool] = False

    def evaluate(self, D: Array, own: Mask, weights: Array | None = None) -> Evaluation:
        """Σ d₊ − d₋ over the samples inside the window."""
        rows = np.arange(len(D))
        right, plus = _nearest(D, own)
        wrong, minus = _nearest(D, ~own)
        positive = (plus > 0) & (minus > 0)
        low, high = np.minimum(plus, minus), np.maximum(plus, minus)
        ratio = np.sqrt(np.where(positive, low, 0.0) / np.where(positive, high, 1.0))
        inside = positive & (ratio > (1 - self.window) / (1 + self.window))
        F = np.zeros_like(D)
        F[rows, right] = inside
        F[rows, wrong] -= inside
        return Evaluation(*_weighted(np.where(inside, plus - minus, 0.0), F, weights))

    def loss(self, D: Array, own: Mask, weights: Array | None = None) -> float:
        """Number of errors: the value of the heuristic has no lower bound."""
        return _errors(D, own, weights)

    def unit(self) -> float:
        """F is the force itself."""
        return 1.0

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        return _code(lvq.LVQ21, n_prototypes, window=self.window)


@dataclass(frozen=True)
class GLVQCost:
    r"""Generalised LVQ: the relative distance difference, through a transfer function.

    .. math:: \sum_i F\left(\mu_i\right), \qquad \mu = \frac{d_+ - d_-}{d_+ + d_-}

    In pseudo-Euclidean spaces distances may be negative and the denominator may vanish or change
    sign; such samples get no force, the worst value :math:`F(1)`, and are counted.

    References
    ----------
    A. Sato and K. Yamada (1996), Generalized learning vector quantization.
    """

    transfer: Literal["identity", "sigmoid", "tanh"] = "identity"
    slope: float = 1.0
    per_distance: ClassVar[bool] = True
    _codes: ClassVar[dict[str, int]] = {
        "identity": lvq.IDENTITY,
        "sigmoid": lvq.SIGMOID,
        "tanh": lvq.TANH,
    }

    def with_automatic_slope(
        self, D: Array, own: Mask, weights: Array | None = None, steepness: float = 2.0
    ) -> "GLVQCost":
        """The same cost with slope 2/sd(μ), for which most margins lie on the steep part."""
        if self.transfer == "identity":
            return self
        mu = self._margins(D, own)[0]
        mean = np.average(mu, weights=weights)
        spread = float(np.sqrt(np.average((mu - mean) ** 2, weights=weights)))
        return replace(self, slope=steepness / spread if spread > 1e-12 else 1.0)

    @staticmethod
    def _margins(D: Array, own: Mask) -> tuple[np.ndarray, ...]:
        right, plus = _nearest(D, own)
        wrong, minus = _nearest(D, ~own)
        total = plus + minus
        good = total > lvq.GUARD * (np.abs(plus) + np.abs(minus))
        total = np.where(good, total, 1.0)
        return np.where(good, (plus - minus) / total, 1.0), total, good, right, plus, wrong, minus

    def _transfer(self, mu: Array) -> tuple[Array, Array]:
        u = self.slope * mu
        if self.transfer == "sigmoid":
            s = expit(u)
            return s, self.slope * s * (1 - s)
        if self.transfer == "tanh":
            t = np.tanh(u)
            return t, self.slope * (1 - t * t)
        return u, np.full_like(u, self.slope)

    def evaluate(self, D: Array, own: Mask, weights: Array | None = None) -> Evaluation:
        """Σ F(μ) and its derivatives 2d₋/(d₊+d₋)²·F', −2d₊/(d₊+d₋)²·F'."""
        rows = np.arange(len(D))
        mu, total, good, right, plus, wrong, minus = self._margins(D, own)
        value, slope = self._transfer(mu)
        factor = np.where(good, 2.0 * slope / total, 0.0)
        F = np.zeros_like(D)
        F[rows, right] = minus / total * factor  # the square of the total might overflow
        F[rows, wrong] = -plus / total * factor
        return Evaluation(*_weighted(value, F, weights), int((~good).sum()))

    def loss(self, D: Array, own: Mask, weights: Array | None = None) -> float:
        """The value."""
        return self.evaluate(D, own, weights).value

    def unit(self) -> float:
        """F is the force itself."""
        return 1.0

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        return _code(lvq.GLVQ, n_prototypes, self._codes[self.transfer], self.slope)


@dataclass(frozen=True)
class RSLVQCost:
    r"""Robust soft LVQ: minus the log-likelihood ratio of a Gaussian mixture.

    .. math:: -\sum_i \log\frac{\sum_{j: c_j = y_i} P(j)\,e^{-d_{ij}/\sigma_j^2}}
                               {\sum_j P(j)\,e^{-d_{ij}/\sigma_j^2}}

    No likelihood if distances are negative, but still a soft maximum that can be trained.

    Parameters
    ----------
    sigma2 : float or array of shape (m,)
        One bandwidth for all, or one per prototype.
    prior : array of shape (m,), optional
        P(j); uniform if not given.

    References
    ----------
    S. Seo and K. Obermayer (2003), Soft learning vector quantization.
    """

    sigma2: float | Array = 1.0
    prior: Array | None = None
    per_distance: ClassVar[bool] = False

    def logits(self, D: Array) -> Array:
        """log P(j) − d_ij/σ_j²."""
        log_prior = 0.0 if self.prior is None else np.log(self.prior)
        return log_prior - D / self.sigma2

    def evaluate(self, D: Array, own: Mask, weights: Array | None = None) -> Evaluation:
        """Exponentials are relative to the nearest prototype, or else to the nearest own one."""
        E = self.logits(D)
        top = _row_max(E)
        p = np.exp(E - top)
        q = p * own
        own_total = _row_sum(q)
        far = np.flatnonzero(own_total < _FAINT)  # 0/0, were it not for a scale of their own
        own_top = top.copy()
        if len(far):
            masked = np.where(own[far], E[far], -np.inf)
            own_top[far] = _row_max(masked)
            q[far] = np.exp(masked - own_top[far])
            own_total[far] = _row_sum(q[far])
        total = _row_sum(p)
        values = (np.log(total) + top - np.log(own_total) - own_top)[:, 0]
        F = q / own_total
        F -= p / total
        F /= self.sigma2
        return Evaluation(*_weighted(values, F, weights))

    def loss(self, D: Array, own: Mask, weights: Array | None = None) -> float:
        """The value."""
        return self.evaluate(D, own, weights).value

    def unit(self) -> float | Array:
        """φ = σ² F: the published rules absorb 1/σ² into the learning rate."""
        return self.sigma2

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        sigma2 = np.broadcast_to(np.asarray(self.sigma2, dtype=float), (n_prototypes,)).copy()
        prior = np.ones(n_prototypes) if self.prior is None else self.prior
        return CostCode(lvq.RSLVQ, 0, 1.0, 0.0, sigma2, np.log(prior))
