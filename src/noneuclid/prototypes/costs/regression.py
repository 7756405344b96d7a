"""Numbers from soft assignment: the squared error as a cost of distances."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import numpy as np
from scipy import linalg
from scipy.special import softmax
from sklearn.base import clone

from noneuclid._estimator import estimator
from noneuclid._parameters import NotNegative, Positive, Width, check_parameters
from noneuclid._sklearn import BaseEstimator
from noneuclid.numerics import first_argmin
from noneuclid.numerics.pairwise import row_blocks
from noneuclid.prototypes.costs.base import Evaluation
from noneuclid.typing import Array, IntArray

Local = Literal["constant", "linear"]

# Bandwidths to choose from, in units of the variance of the samples, and ridges. Wider bandwidths
# and smaller ridges may do better, but by values far outside of the targets, which cancel.
_BANDWIDTHS = 2.0 ** np.arange(-6, 1)
_RIDGES = 10.0 ** np.arange(-4.0, 1.5, 0.5)
# A fit that follows so large a share of the samples says nothing of others.
_MOST_FREEDOM = 0.9
# Of the mean square of a column, where no ridge keeps the equations regular.
_LEAST_RIDGE = 1e-12
# At this price no error of a prediction is worth a step away from the samples.
_FAITHFUL = 1e12


@dataclass
class Targets:
    """What the predictions shall be: standardised numbers (n, t), of m prototypes."""

    y: Array
    n_prototypes: int

    @property
    def classes(self) -> IntArray:
        """The prototypes: each stands for itself."""
        return np.arange(self.n_prototypes)

    def rows(self, index: IntArray | slice) -> "Targets":
        """The same for some of the samples."""
        return Targets(self.y[index], self.n_prototypes)


@dataclass
class LocalModels:
    r"""What the prototypes say near them: :math:`b_j + \sum_k s_{jk}(d_k - d_j)`.

    Parameters
    ----------
    values : array of shape (m, t)
        The numbers :math:`b_j`.
    slopes : array of shape (m, m, t), or None
        The numbers :math:`s_{jk}`; None where models are constant.
    """

    values: Array
    slopes: Array | None = None

    def at(self, D: Array, target: int) -> Array:
        """What every prototype says of every sample, of one target: (n, m)."""
        if self.slopes is None:
            return np.broadcast_to(self.values[:, target], D.shape)
        S = self.slopes[:, :, target]
        D = D - D.mean(axis=1, keepdims=True)  # only differences count, and these lose fewer digits
        return self.values[:, target] + D @ S.T - D * S.sum(axis=1)

    def predict(self, P: Array, D: Array) -> Array:
        """Predictions of soft assignments P at distances D: (n, t)."""
        if self.slopes is None:
            return P @ self.values
        columns = [(P * self.at(D, k)).sum(axis=1) for k in range(self.values.shape[1])]
        return np.column_stack(columns)


@estimator
class SoftRegressionParameters:
    """What soft assignment of numbers can be told.

    Parameters
    ----------
    local : {"constant", "linear"}, default="constant"
        Whether a prototype says one number, or a linear function around it.
    sigma2 : float or "auto", default="auto"
        Bandwidth of the soft assignment, in the unit of the squared distances. ``"auto"`` chooses
        it by generalised cross-validation at the first prototypes, from 1/64 of the
        variance of the samples to all of it.
    ridge : float or "auto", default="auto"
        Penalty on the squares of values (from the mean) and slopes, in standard deviations of the
        targets. ``"auto"`` chooses it together with the bandwidth, from 1e-4 on. Less, such as
        1e-6, may predict better, by values far outside of the targets that cancel each other.
    fidelity : float, default=0.01
        Price of prototypes that are like no sample: the mean of their squared distances to the
        nearest one, in units of the variance of the samples. At 0 prototypes leave the data
        wherever this lowers the error, and are harder to read.
    """

    local: Local = "constant"
    sigma2: Annotated[Any, Literal["auto"] | Width] = "auto"
    ridge: Literal["auto"] | NotNegative = "auto"
    fidelity: NotNegative = 0.01


@estimator
class SoftRegressionCost(SoftRegressionParameters, BaseEstimator):
    r"""Squared error of predictions by soft assignment to prototypes.

    .. math:: \hat y_i = \sum_j p_{ij}\Big(b_j + \sum_k s_{jk}\frac{d_{ik} - d_{ij}}{v}\Big), \qquad
              p_{ij} = \frac{e^{-d_{ij}/\sigma^2}}{\sum_k e^{-d_{ik}/\sigma^2}}

    .. math:: \min_{b, s}\;\frac1n\sum_i\omega_i\|y_i - \hat y_i\|^2
              + \lambda\big(\|b\|^2 + \|s\|^2\big)
              + \phi\,\frac1m\sum_j\min_i\frac{\max(d_{ij}, 0)}{v}

    with targets of mean 0 and variance 1, and the variance v of the samples. In any space with an
    inner product, definite or not, differences of squared distances are linear functions of the
    sample, :math:`d_{ik} - d_{ij} = -2[x_i, w_k - w_j] + \mathrm{const}`, so that local models are
    linear there, and nothing but distances is needed. Given the distances, b and s solve a linear
    system. They are at a minimum, hence the forces :math:`\partial/\partial d_{ij}` are those at
    fixed b and s.

    Parameters
    ----------
    unit : float, default=1.0
        The variance v.

    References
    ----------
    G. H. Golub and V. Pereyra (1973), The differentiation of pseudo-inverses and nonlinear least
    squares problems whose variables separate. G. H. Golub, M. Heath and G. Wahba (1979),
    Generalized cross-validation as a method for choosing a good ridge parameter.

    Examples
    --------
    >>> import numpy as np
    >>> cost = SoftRegressionCost(sigma2=1.0, ridge=0.0, fidelity=0.0)
    >>> D, y = np.array([[0.0, 9.0], [9.0, 0.0]]), np.array([[-1.0], [1.0]])
    >>> cost.models(D, Targets(y, 2)).values.round(3)
    array([[-1.],
           [ 1.]])
    """

    unit: Positive = 1.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return constant and linear models."""
        return [
            cls(sigma2=0.7, ridge=1e-3),
            cls(sigma2=2.0, ridge=1e-2, local="linear", fidelity=0.1, unit=1.5),
        ]

    def check(self) -> None:
        """Raise ValueError for parameters that make no sense."""
        check_parameters(self)

    # --- learning ---------------------------------------------------------------------------

    def resolve(self, D: Array, targets: Targets, weights: Array | None, unit: float) -> Self:
        """The cost with bandwidth and ridge fixed, by generalised cross-validation.

        Parameters
        ----------
        D : array of shape (n, m)
            Distances to the first prototypes.
        targets : Targets
        weights : array of shape (n,), optional
        unit : float
            Variance of the samples.
        """
        widths = unit * _BANDWIDTHS if self.sigma2 == "auto" else [float(self.sigma2)]
        costs = [self._with(sigma2=float(width), unit=float(unit)) for width in widths]
        found = [cost._best_ridge(D, targets, weights) for cost in costs]
        # Of bandwidths that do equally well the first, the narrowest, is the most local.
        best = int(first_argmin(np.array([score for score, _ in found])))
        return costs[best]._with(ridge=found[best][1])

    def _with(self, **parameters: float) -> Self:
        return clone(self).set_params(**parameters)

    def _best_ridge(self, D: Array, targets: Targets, weights: Array | None) -> tuple[float, float]:
        """Score of generalised cross-validation, and the ridge that has it."""
        A, R = self._equations(D, targets, weights)
        values, V = linalg.eigh(A)
        values, G = np.maximum(values, 0.0)[:, None], (V.T @ R) ** 2
        ridges = _RIDGES if self.ridge == "auto" else np.array([float(self.ridge)])
        ridges = np.maximum(ridges, self._least(A))
        weighted = targets.y if weights is None else targets.y * np.sqrt(weights)[:, None]
        damped = values + ridges
        explained = G.sum(axis=1)[:, None] * ((damped + ridges) / damped) / damped
        error = (weighted**2).sum() / len(D) - explained.sum(axis=0)
        counted = len(D) if weights is None else np.count_nonzero(weights)
        freedom = (values / damped).sum(axis=0) / counted
        scores = np.maximum(error, 1e-12) / np.maximum(1.0 - freedom, 1e-12) ** 2
        scores = np.where(freedom <= _MOST_FREEDOM, scores, np.inf)
        best = int(first_argmin(scores)) if np.isfinite(scores).any() else len(ridges) - 1
        chosen = ridges[best] if self.ridge == "auto" else self.ridge
        return float(scores[best]), float(chosen)

    def evaluate(self, D: Array, targets: Targets, weights: Array | None = None) -> Evaluation:
        """Value and ∂value/∂D of all samples together."""
        n, t = targets.y.shape
        local, P = self.models(D, targets, weights), self.assignment(D)
        errors = local.predict(P, D) - targets.y
        weighted = errors if weights is None else errors * weights[:, None]
        F = np.zeros_like(D)
        for k in range(t):
            F += self._forces(D, P, local, weighted[:, k], k)
        size = (local.values**2).sum()
        if local.slopes is not None:
            size += self.unit**2 * (local.slopes**2).sum()
        value = (weighted * errors).sum() + n * self.ridge * size
        stray, pull = self._strays(D, weights)
        return Evaluation(float(value / t + n * stray), F / t + n * pull)

    def loss(self, D: Array, targets: Targets, weights: Array | None = None) -> float:
        """What learning is judged by: the value."""
        return self.evaluate(D, targets, weights).value

    def _forces(self, D: Array, P: Array, local: LocalModels, errors: Array, k: int) -> Array:
        """∂/∂d_ij of the squared error of target k, at fixed local models."""
        A = local.at(D, k)
        mean = (P * A).sum(axis=1, keepdims=True)
        twice = 2.0 * errors[:, None]
        F = -twice * P * (A - mean) / self.sigma2
        if local.slopes is not None:
            S = local.slopes[:, :, k]
            F += twice * (P @ S - P * S.sum(axis=1))
        return F

    def _strays(self, D: Array, weights: Array | None) -> tuple[float, Array]:
        """Price of the distances from prototypes to their nearest samples, and its slope."""
        pull, m = np.zeros_like(D), D.shape[1]
        if self.fidelity == 0:
            return 0.0, pull
        counted = D if weights is None else np.where(weights[:, None] > 0, D, np.inf)
        nearest, j = first_argmin(counted, axis=0), np.arange(m)
        away = np.maximum(D[nearest, j], 0.0)
        price = min(float(self.fidelity), _FAITHFUL) / (m * self.unit)
        pull[nearest, j] = np.where(away > 0, price, 0.0)
        return float(price * away.sum()), pull

    # --- predicting -------------------------------------------------------------------------

    def assignment(self, D: Array) -> Array:
        """Soft assignment p_ij of samples to prototypes."""
        return np.asarray(softmax(-D / self.sigma2, axis=1))

    def assignment_logits(self, D: Array) -> Array:
        """Log-weight of every prototype for every sample, up to a constant per sample."""
        return -D / self.sigma2

    def models(self, D: Array, targets: Targets, weights: Array | None = None) -> LocalModels:
        """The best local models, given the distances to the prototypes.

        Parameters
        ----------
        D : array of shape (n, m)
        targets : Targets
        weights : array of shape (n,), optional

        Returns
        -------
        LocalModels
        """
        A, R = self._equations(D, targets, weights)
        A[np.diag_indices_from(A)] += max(float(self.ridge), self._least(A))
        C = linalg.solve(A, R, assume_a="pos")
        m = D.shape[1]
        if self.local == "constant":
            return LocalModels(C)
        return LocalModels(C[:m], C[m:].reshape(m, m, -1) / self.unit)

    @staticmethod
    def _least(A: Array) -> float:
        return float(_LEAST_RIDGE * np.trace(A) / len(A)) or 1e-300

    def _design(self, D: Array) -> Array:
        """Φ with ŷ = Φ(b, s): assignments, and for slopes assignments times differences."""
        P = self.assignment(D)
        if self.local == "constant":
            return P
        U = P[:, :, None] * (D[:, None, :] - D[:, :, None]) / self.unit
        return np.hstack([P, U.reshape(len(D), -1)])

    def _equations(self, D: Array, targets: Targets, weights: Array | None) -> tuple[Array, Array]:
        """Φ'ΩΦ/n and Φ'Ωy/n, block by block."""
        n, m = D.shape
        p = m if self.local == "constant" else m + m * m
        A, R = np.zeros((p, p)), np.zeros((p, targets.y.shape[1]))
        for rows in row_blocks(n, 8 * p):
            design = self._design(D[rows])
            weighted = design if weights is None else design * weights[rows, None]
            A += weighted.T @ design
            R += weighted.T @ targets.y[rows]
        return A / n, R / n
