"""Generalised learning vector quantisation: relative distance differences."""

from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from scipy.special import expit
from sklearn.base import clone

from noneuclid._estimator import estimator
from noneuclid._parameters import Positive
from noneuclid.numerics import lvq
from noneuclid.numerics.median import glvq_move_costs
from noneuclid.prototypes.costs.base import (
    Cost,
    CostCode,
    Mask,
    Membership,
    Outset,
    PerSample,
    nearest,
)
from noneuclid.typing import Array, IntArray

Transfer = Literal["auto", "identity", "sigmoid", "tanh"]


class _Margins(NamedTuple):
    mu: Array
    total: Array
    good: Mask
    right: IntArray
    plus: Array
    wrong: IntArray
    minus: Array


def margins(D: Array, who: Membership) -> Array:
    """μ of every sample."""
    return GLVQCost._margins(D, who).mu


@estimator
class MarginParameters:
    """What GLVQ can be told.

    Parameters
    ----------
    transfer : {"auto", "identity", "sigmoid", "tanh"}, default="auto"
        GLVQ's transfer function F. The identity minimises the mean margin, a steep sigmoid rather
        the number of errors: ``"auto"`` is a sigmoid with an automatic slope, unless one is given;
        with a learning rate that is a number it is the identity, so that every step is the
        published one.
    slope : float or "auto", default=1.0
        Steepness of sigmoid and tanh: F(slope · μ). ``"auto"`` is two over the standard deviation
        of the margins at the start (one over it where a matrix is learned), and usually classifies
        best; ``transfer="auto"`` takes it in place of 1.
    """

    transfer: Transfer = "auto"
    slope: Annotated[Any, Literal["auto"] | Positive] = 1.0


@estimator
class GLVQCost(MarginParameters, Cost):
    r"""Generalised LVQ: the relative distance difference, through a transfer function.

    .. math:: \sum_i F\left(\mu_i\right), \qquad \mu = \frac{d_+ - d_-}{d_+ + d_-}

    In pseudo-Euclidean spaces distances may be negative and the denominator may vanish or change
    sign; such samples get no force, the worst value :math:`F(1)`, and are counted.

    References
    ----------
    A. Sato and K. Yamada (1996), Generalized learning vector quantization.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.prototypes.costs import GLVQCost, Membership
    >>> who = Membership(np.array([0]), np.array([0, 1]))
    >>> GLVQCost().evaluate(np.array([[1.0, 3.0]]), who).value
    -0.5
    """

    transfer: Transfer = "identity"

    name = "glvq"
    per_distance = True
    _codes: ClassVar[dict[str, int]] = {
        "identity": lvq.IDENTITY,
        "sigmoid": lvq.SIGMOID,
        "tanh": lvq.TANH,
    }

    @classmethod
    def examples(cls) -> list[Self]:
        """Return every transfer function."""
        return [cls(), cls(transfer="sigmoid", slope=3.0), cls(transfer="tanh")]

    def resolve(self, outset: Outset) -> Self:
        """Choose the transfer function and its slope, where they are left to the data."""
        self.check()
        cost = clone(self)
        if cost.transfer == "auto":
            cost.transfer = "identity" if outset.literal else "sigmoid"
            if not outset.literal and cost.slope == 1.0:
                cost.slope = "auto"
        if cost.slope == "auto":
            cost.slope = 1.0
            if cost.transfer != "identity":
                cost.slope = self._automatic_slope(outset)
        cost.slope = float(cost.slope)
        return cost

    def _automatic_slope(self, outset: Outset) -> float:
        """Steepness over sd(μ), for which most margins lie on the steep part."""
        _, spread = outset.average(margins)
        return outset.steepness / spread if spread > 1e-12 else 1.0

    @staticmethod
    def _margins(D: Array, who: Membership) -> _Margins:
        right, plus = nearest(D, who.own)
        wrong, minus = nearest(D, ~who.own)
        total = plus + minus
        good = total > lvq.GUARD * (np.abs(plus) + np.abs(minus))
        total = np.where(good, total, 1.0)
        mu = np.where(good, (plus - minus) / total, 1.0)
        return _Margins(mu, total, good, right, plus, wrong, minus)

    def _transfer(self, mu: Array) -> tuple[Array, Array]:
        u = self.slope * mu
        if self.transfer == "sigmoid":
            return expit(u), self.slope * expit(u) * expit(-u)
        if self.transfer == "tanh":  # 1 − tanh² would lose all digits where it is small
            return np.tanh(u), 4.0 * self.slope * expit(2 * u) * expit(-2 * u)
        return u, np.full_like(u, self.slope)

    def per_sample(self, D: Array, who: Membership) -> PerSample:
        """Σ F(μ) and its derivatives 2d₋/(d₊+d₋)²·F', −2d₊/(d₊+d₋)²·F'."""
        rows = np.arange(len(D))
        mu, total, good, right, plus, wrong, minus = self._margins(D, who)
        values, slope = self._transfer(mu)
        factor = np.where(good, 2.0 * slope / total, 0.0)
        F = np.zeros_like(D)
        F[rows, right] = minus / total * factor  # the square of the total might overflow
        F[rows, wrong] = -plus / total * factor
        return PerSample(values, F, int((~good).sum()))

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        return CostCode(transfer=self._codes[self.transfer], slope=float(self.slope))

    def move_costs(
        self, D: Array, who: Membership, weights: Array, j: int, R: Array, candidates: IntArray
    ) -> Array:
        """The nearest others stay; each candidate is compared with them, compiled."""
        stay, own = np.arange(D.shape[1]) != j, who.own
        right = np.where(own & stay, D, np.inf).min(axis=1)
        wrong = np.where(~own & stay, D, np.inf).min(axis=1)
        mine = own[:, j]
        rest, other = np.where(mine, right, wrong), np.where(mine, wrong, right)
        transfer, costs = self._codes[self.transfer], np.empty(len(candidates))
        glvq_move_costs(
            R, candidates, mine, rest, other, weights, transfer, float(self.slope), costs
        )
        return costs
