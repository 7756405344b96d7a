"""Classification by Parzen estimates of the classes."""

import math
from dataclasses import field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from noneuclid._data import check_is_fitted, check_sample_weight, validate_data
from noneuclid._estimator import as_fitted, estimator
from noneuclid._parameters import Width
from noneuclid._sklearn import BaseEstimator, ClassifierMixin
from noneuclid.information._densities import Parzen, log_peak, scale_from_log
from noneuclid.information._widths import resolve_width, silverman_width
from noneuclid.information._windows import KernelWindows
from noneuclid.kernels import as_kernel
from noneuclid.kernels.names import KernelLike
from noneuclid.numerics import first_argmax
from noneuclid.numerics.information import gaussian_log_sums_by_group, scaled_columns
from noneuclid.typing import Array, LabelArray

# So many samples show whether a kernel is symmetric.
_FEW = 50


def _is_map(self: "ParzenClassifier") -> bool:
    if as_fitted(self, "rule") != "map":
        raise AttributeError('only rule="map" knows probabilities')
    return True


@estimator
class ParzenClassifier(ClassifierMixin, BaseEstimator):
    r"""Classes by their Parzen densities.

    ``rule="ded"`` assigns a sample to the class that, with the sample added to it, moves the two
    classes farthest apart,

    .. math:: x \in c_1 \iff \|m_1' - m_2\|^2 \ge \|m_1 - m_2'\|^2, \qquad
              m_c' = \frac{N_c m_c + \Phi(x)}{N_c + 1},

    with the class means :math:`m_c` in the Hilbert space of :math:`\kappa = G_{\sigma\sqrt2}`. For
    classes of equal size it is the nearest mean, that is the largest
    :math:`\hat p_c(x) - \tfrac12 V(p_c, p_c)`, and this is the rule for three classes and more.

    ``rule="map"`` is Bayes' rule, the largest :math:`P(c)\hat p_c(x)` with windows
    :math:`G_\sigma`. Where potentials and priors of all classes are equal, it is the first rule
    with a width smaller by √2.

    Parameters
    ----------
    width : float, "silverman", "median" or "loo", default="silverman"
        Width σ of the windows. Rules: the mean over the classes of what
        :func:`~noneuclid.information.bandwidth` finds in each; only ``"silverman"`` knows weights.
        In twenty dimensions and more its windows hardly overlap, and ``rule="ded"`` needs
        ``"median"`` or a number.
    rule : "ded" or "map", default="ded"
    kernel : str, Kernel or callable, optional
        Instead of Gaussian windows :math:`\kappa` itself, nowhere negative: ``Gaussian(width,
        space=...)`` of curves in a Sobolev space, say. Then ``width`` is not used, and densities
        are known up to a factor, which no rule depends on. A width that it takes from the data
        does not see weights of samples.

    Attributes
    ----------
    classes_ : array
    width_ : float
        The width used; without a kernel.
    kernel_ : Kernel
        The kernel, with its width fixed on all samples, if one was given.
    potentials_ : array of shape (n_classes, n_classes)
        V(p_c, p_d) of the classes, the Gram matrix of their means. Where :math:`\kappa(0)` is
        beyond the range of floating-point numbers, as in hundreds of dimensions, they and the
        scores of ``rule="ded"`` are divided by it.
    class_prior_ : array of shape (n_classes,)
        Shares of the classes.

    References
    ----------
    R. Jenssen, D. Erdogmus, J. C. Príncipe and T. Eltoft (2007), The Laplacian classifier. IEEE
    Transactions on Signal Processing 55.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> ParzenClassifier(width=0.2).fit(X, y).score(X, y) > 0.98
    True
    """

    width: Literal["silverman", "median", "loo"] | Width = field(default="silverman", kw_only=False)
    rule: Literal["ded", "map"] = "ded"
    kernel: KernelLike | None = None

    _kept: ClassVar[tuple[str, ...]] = ("rule",)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Keep the samples of every class, and the products of their densities.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
        sample_weight : array of shape (n,), optional
            A weight of 2 counts as two samples, 0 as none. For the width, weights of a class that
            sum to less than its number of samples are shares, whatever their sum.

        Returns
        -------
        self : object
            Fitted.
        """
        rows, labels = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(labels)
        weights = check_sample_weight(sample_weight, len(rows))
        kept = weights > 0
        rows, labels, weights = rows[kept], labels[kept], weights[kept]
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"there must be at least two classes; there is {len(self.classes_)} class"
            )
        members = [np.flatnonzero(codes == c) for c in range(len(self.classes_))]
        self._fix_windows(rows, [(rows[own], weights[own]) for own in members])
        self._samples = [rows[own] for own in members]
        self._weights = [weights[own] / weights[own].sum() for own in members]
        self._counts = np.array([weights[own].sum() for own in members])
        self.class_prior_ = self._counts / self._counts.sum()
        densities = self._densities()
        m, log_scale = len(densities), self._log_peak()
        self._relative = np.empty((m, m))
        for c in range(m):
            self._relative[c, c] = np.exp(densities[c].log_norm() - log_scale)
            for d in range(c):
                V = np.exp(densities[c].log_cross(densities[d]) - log_scale)
                self._relative[c, d] = self._relative[d, c] = V
        self.potentials_ = scale_from_log(log_scale) * self._relative
        return self

    def _fix_windows(self, rows: Array, classes: list[tuple[Array, Array]]) -> None:
        self.__dict__.pop("kernel_", None)
        if self.kernel is None:
            self.width_ = self._find_width(classes)
            return
        kernel, grid = as_kernel(clone(self.kernel, safe=False)), getattr(self, "curve_grid_", None)
        kernel = kernel if grid is None else kernel.on_grid(grid.positions)
        self.kernel_ = kernel.resolve(rows)
        few = np.asarray(self.kernel_(rows[:_FEW], rows[:_FEW]))
        if not np.allclose(few, few.T):
            raise ValueError(f"{self.kernel_} is not symmetric: products of windows are")

    def _has_kernel(self) -> bool:
        """Whether windows are those of a given kernel, in the model that was learned."""
        return "kernel_" in vars(self)

    def _log_peak(self) -> float:
        """log κ(0), the common factor of all potentials: no decision depends on it."""
        if self._has_kernel():
            return 0.0
        return log_peak(np.sqrt(2.0) * self.width_, self.n_features_in_)

    def _find_width(self, classes: list[tuple[Array, Array]]) -> float:
        if not isinstance(self.width, str):
            return float(self.width)
        found = [
            silverman_width(rows, counts)
            if self.width == "silverman"
            else resolve_width(self.width, rows)
            for rows, counts in classes
            if (rows != rows[0]).any()
        ]
        if not found:
            raise ValueError(
                f"width (={self.width!r}) needs a class with two different samples: give a number"
            )
        return float(np.mean(found))

    def _densities(self) -> list[Any]:
        if self._has_kernel():
            both = zip(self._samples, self._weights)
            return [KernelWindows(X, self.kernel_, a) for X, a in both]
        return [Parzen.of_valid(X, self.width_, a) for X, a in zip(self._samples, self._weights)]

    def _log_densities(self, X: ArrayLike, variance: float) -> Array:
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        if self._has_kernel():
            return np.array([p.log_smoothed(rows, variance) for p in self._densities()]).T
        s, here = math.hypot(self.width_, math.sqrt(variance)), rows[:1].sum(axis=0)
        points = scaled_columns(np.concatenate(self._samples), s, here)
        weights = np.concatenate(self._weights)
        starts = np.cumsum([0, *map(len, self._samples[:-1])])
        at = scaled_columns(rows, s, here)
        logs = gaussian_log_sums_by_group(at, points, weights, starts)
        return logs + log_peak(s, self.n_features_in_)

    def decision_function(self, X: ArrayLike) -> Array:
        """Score of every class; for two classes, that of the second less that of the first.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n, n_classes), or (n,) for two classes
            Scores.
        """
        scores = self._scores(X)
        return (
            scores
            if as_fitted(self, "rule") == "map"
            else scale_from_log(self._log_peak()) * scores
        )

    def _scores(self, X: ArrayLike) -> Array:
        """The same, but relative to κ(0), which under- and overflows in high dimensions."""
        scores = self._class_scores(X)
        return np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores

    def _class_scores(self, X: ArrayLike) -> Array:
        """One column per class, also for two of them."""
        check_is_fitted(self)
        if as_fitted(self, "rule") == "map":
            return self._log_densities(X, 0.0) + np.log(self.class_prior_)
        variance = 0.0 if self._has_kernel() else self.width_**2
        p = np.exp(self._log_densities(X, variance) - self._log_peak())
        if len(self.classes_) > 2:
            return np.asarray(p - 0.5 * np.diag(self._relative))
        own = self._own_products(X)
        return np.column_stack([self._divergence(p, own, 0), self._divergence(p, own, 1)])

    def _own_products(self, X: ArrayLike) -> Array | float:
        """κ(x, x) over κ(0)."""
        if not self._has_kernel():
            return 1.0
        return self.kernel_.diag(validate_data(self, X, dtype=np.float64, reset=False))

    def _divergence(self, p: Array, own: Array | float, c: int) -> Array:
        """D_ED of the two classes after every sample was added to class c."""
        V, other = self._relative, 1 - c
        share = 1.0 / (self._counts[c] + 1.0)
        keep = 1.0 - share
        moved = keep**2 * V[c, c] + 2 * keep * share * p[:, c] + share**2 * own
        cross = keep * V[c, other] + share * p[:, other]
        return np.asarray(moved - 2.0 * cross + V[other, other])

    def predict(self, X: ArrayLike) -> LabelArray:
        """The class of every sample; the first of several that are equally good.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n,)
            Classes.
        """
        scores = self._class_scores(X)  # which says first if there is no model yet
        return self.classes_[first_argmax(scores)]

    @available_if(_is_map)
    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Log posterior probabilities.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``.
        """
        scores = self._log_densities(X, 0.0) + np.log(self.class_prior_)
        return np.asarray(scores - logsumexp(scores, axis=1, keepdims=True))

    @available_if(_is_map)
    def predict_proba(self, X: ArrayLike) -> Array:
        """Posterior probabilities; right also far from all samples, where densities underflow.

        Where a given kernel is exactly 0 for all samples, only the priors are left.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``; rows sum to one.
        """
        return np.exp(self.predict_log_proba(X))
