"""Robust soft learning vector quantisation: a likelihood ratio."""

from functools import reduce
from typing import Literal, Self

import numpy as np
from scipy.special import logsumexp
from sklearn.base import clone

from noneuclid._data import all_finite
from noneuclid._estimator import estimator
from noneuclid.numerics.linalg import log_sum_exp
from noneuclid.numerics.median import rslvq_move_costs
from noneuclid.numerics.mixtures import FAINT, rslvq_rows
from noneuclid.prototypes.costs.base import (
    Bandwidths,
    Cost,
    CostCode,
    LearnedBandwidths,
    Mask,
    Membership,
    Outset,
    PerSample,
    PositiveNumbers,
    one_each,
    positive_numbers,
    resolved_bandwidth,
)
from noneuclid.typing import Array, IntArray

# For so few distances nothing is compiled: that would take as long as a hundred fits.
_FEW = 1 << 16


def _row_max(E: Array) -> Array:
    """Largest entry of each row; NumPy reduces short rows slowly, columns fast."""
    return reduce(np.maximum, E.T)[:, None]


def _row_sum(E: Array) -> Array:
    return (E @ np.ones(E.shape[1]))[:, None]


@estimator
class MixtureParameters:
    """What RSLVQ can be told.

    Parameters
    ----------
    sigma2 : float, "scale" or array of shape (m,), default="scale"
        Bandwidth of RSLVQ; ``"scale"`` is a share of the variance within classes: a tenth over
        proximities, a fifth for vectors. An array gives one per prototype.
    prior : array of shape (m,), optional
        RSLVQ's prior P(j) of each prototype; uniform by default.
    """

    sigma2: Bandwidths = "scale"
    prior: PositiveNumbers | None = None


@estimator
class LearnedMixtureParameters(MixtureParameters):
    """What RSLVQ can be told where bandwidths can be learned.

    Parameters
    ----------
    sigma2 : float, "scale", "learn", "learn_each" or array of shape (m,), default="scale"
        Bandwidth of RSLVQ; ``"scale"`` is a share of the variance within classes. ``"learn"``
        starts there and learns it with the prototypes, by the gradient of the same cost;
        ``"learn_each"`` learns one per prototype. An array gives one per prototype.
    """

    sigma2: LearnedBandwidths = "scale"


@estimator
class RSLVQCost(LearnedMixtureParameters, Cost):
    r"""Robust soft LVQ: minus the log-likelihood ratio of a Gaussian mixture.

    .. math:: -\sum_i \log\frac{\sum_{j: c_j = y_i} P(j)\,e^{-d_{ij}/\sigma_j^2}}
                               {\sum_j P(j)\,e^{-d_{ij}/\sigma_j^2}}

    No likelihood if distances are negative, but still a soft maximum that can be trained.

    References
    ----------
    S. Seo and K. Obermayer (2003), Soft learning vector quantization.
    """

    name = "rslvq"
    is_soft = True

    @classmethod
    def examples(cls) -> list[Self]:
        """Return one bandwidth for all prototypes, a narrow and a wide one."""
        return [cls(sigma2=0.5), cls(sigma2=20.0)]

    def resolve(self, outset: Outset) -> Self:
        """Fix the bandwidth."""
        cost = clone(self)
        cost.sigma2 = resolved_bandwidth(self.sigma2, outset)
        if self.prior is not None:
            cost.prior = positive_numbers("prior", self.prior, len(outset.who.classes))
        return cost

    @property
    def learns_bandwidth(self) -> Literal["one", "each"] | None:
        """Whether the bandwidth is to be learned with the prototypes: one for all, or each."""
        if not isinstance(self.sigma2, str):
            return None
        return {"learn": "one", "learn_each": "each"}.get(self.sigma2)  # type: ignore[return-value]

    def widened(self, factors: Array) -> Self:
        """The cost with bandwidths times these factors: one number, if all are equal.

        Parameters
        ----------
        factors : array of shape (m,)
            One per prototype.

        Returns
        -------
        RSLVQCost
            A copy.
        """
        cost = clone(self)
        same = np.ndim(self.sigma2) == 0 and (factors == factors[0]).all()
        cost.sigma2 = self.sigma2 * float(factors[0]) if same else self.sigma2 * factors
        return cost

    def logits(self, D: Array) -> Array:
        """log P(j) − d_ij/σ_j².

        Parameters
        ----------
        D : array of shape (n, m)
            Squared distances of samples to prototypes.

        Returns
        -------
        array of shape (n, m)
            Unnormalised.
        """
        log_prior = 0.0 if self.prior is None else np.log(self.prior)
        return log_prior - D / self.sigma2

    def per_sample(self, D: Array, who: Membership) -> PerSample:
        """Exponentials are relative to the nearest prototype, or else to the nearest own one."""
        if D.size > _FEW and all_finite(D):
            return self._of_many(D, who)
        own = who.own
        E = self.logits(D)
        top = _row_max(E)
        p = np.exp(E - top)
        q = p * own
        own_total = _row_sum(q)
        far = np.flatnonzero(own_total < FAINT)  # 0/0, were it not for a scale of their own
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
        return PerSample(values, F)

    def _of_many(self, D: Array, who: Membership) -> PerSample:
        """The same, compiled."""
        values, F = np.empty(len(D)), np.empty(D.shape)
        scratch, sizes = np.empty(D.shape[1]), self._per_prototype(D.shape[1])
        rslvq_rows(np.ascontiguousarray(D), who.of_class, who.y, *sizes, scratch, values, F)
        return PerSample(values, F)

    def unit(self) -> float | Array:
        """φ = σ² F: the published rules absorb 1/σ² into the learning rate."""
        return np.asarray(self.sigma2) if np.ndim(self.sigma2) else float(self.sigma2)

    def class_scores(self, D: Array, of_class: Mask) -> Array:
        """Log-posteriors of the classes."""
        E = self.logits(D)
        E = E - log_sum_exp(E)[:, None]
        if one_each(of_class):
            return E
        return np.stack([log_sum_exp(E[:, own]) for own in of_class], axis=1)

    def assignment_logits(self, D: Array) -> Array:
        """Those of the mixture."""
        return self.logits(D)

    def spread(self, counts: IntArray) -> Self:
        """Bandwidths are repeated, priors shared out."""
        cost = clone(self)
        if np.ndim(self.sigma2):
            cost.sigma2 = np.repeat(np.asarray(self.sigma2), counts)
        if self.prior is not None:
            cost.prior = np.repeat(np.asarray(self.prior) / counts, counts)
        return cost

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        sigma2, log_prior = self._per_prototype(n_prototypes)
        return CostCode(sigma2=sigma2, log_prior=log_prior)

    def _per_prototype(self, n_prototypes: int) -> tuple[Array, Array]:
        sigma2 = np.broadcast_to(np.asarray(self.sigma2, dtype=float), (n_prototypes,)).copy()
        prior = np.ones(n_prototypes) if self.prior is None else self.prior
        return sigma2, np.log(prior)

    def move_costs(
        self, D: Array, who: Membership, weights: Array, j: int, R: Array, candidates: IntArray
    ) -> Array:
        """The sums over the others stay; each candidate adds its term, compiled."""
        (sigma2, log_prior), own = self._per_prototype(D.shape[1]), who.own
        E = np.where(np.arange(D.shape[1]) != j, self.logits(D), -np.inf)
        rest_all = logsumexp(E, axis=1)
        with np.errstate(divide="ignore"):
            rest_own = logsumexp(np.where(own, E, -np.inf), axis=1)
        costs = np.empty(len(candidates))
        rslvq_move_costs(
            R,
            candidates,
            own[:, j],
            rest_own,
            rest_all,
            weights,
            float(sigma2[j]),
            float(log_prior[j]),
            costs,
        )
        return costs
