"""A support vector machine, seen as the difference of two weighted Parzen densities."""

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC

from noneuclid._data import check_is_fitted
from noneuclid.information.divergences import euclidean_divergence
from noneuclid.kernels import Gaussian
from noneuclid.spaces import as_space
from noneuclid.typing import Array


@dataclass(frozen=True)
class ParzenView:
    r"""Two weighted Parzen densities whose difference is the decision of a classifier.

    .. math:: \hat p(x) - \hat q(x) + b = \mathrm{decision\_function}(x) / \Omega

    Attributes
    ----------
    classes : array of shape (2,)
        q is the density of the first class, p of the second.
    weights : array of shape (n_support,)
        α/Ω; they sum to one in each class.
    labels : array of shape (n_support,)
        Class of every support vector.
    omega : float
        Ω, the sum of α over either class.
    intercept : float
        b.
    divergence : float
        Euclidean divergence :math:`\int(\hat p - \hat q)^2` of the two densities, in Gaussian
        windows of the kernel's width/√2, whose products are the kernel (up to its largest value).
        For other kernels: ``squared_distance``.
    squared_distance : float
        :math:`\|m_p - m_q\|^2` in the Hilbert space of the kernel, which is
        :math:`\|w\|^2/\Omega^2` for the normal w of the plane that separates the classes.
    """

    classes: Any
    weights: Array
    labels: Any
    omega: float
    intercept: float
    divergence: float
    squared_distance: float
    svc: SVC = field(repr=False)

    def density(self, X: ArrayLike, label: Any) -> Array:
        """Σ_i (α_i/Ω) κ(x, x_i) over the support vectors of one class, κ as in the classifier.

        Parameters
        ----------
        X : array of shape (n, d)
            Or rows of a precomputed kernel, or objects, as the classifier takes them.
        label : object
            One of ``classes``.

        Returns
        -------
        density : array of shape (n,)
        """
        if label not in self.classes:
            names = " or ".join(map(repr, self.classes))
            raise ValueError(f"label (={label!r}) must be one of the classes, {names}")
        own = self.labels == label
        return np.asarray(_kernel_rows(self.svc, X)[:, own] @ self.weights[own])

    def decision_function(self, X: ArrayLike) -> Array:
        """p̂(x) − q̂(x) + b.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n,)
            Positive where the machine predicts the second class.
        """
        signed = np.where(self.labels == self.classes[1], self.weights, -self.weights)
        return np.asarray(_kernel_rows(self.svc, X) @ signed + self.intercept)


def svm_as_parzen(svc: SVC, *, gram: ArrayLike | None = None) -> ParzenView:
    r"""Return the two Parzen densities inside a support vector machine.

    With :math:`\Omega = \sum_+\alpha = \sum_-\alpha`, the decision is the difference of two
    densities with weights :math:`\alpha/\Omega`, and training chose the weights of smallest
    divergence that separate the classes. It holds for soft margins as well, with
    :math:`b = \mathrm{intercept}/\Omega`.

    Parameters
    ----------
    svc : SVC
        Fitted, with two classes and any kernel.
    gram : array of shape (n, n), optional
        The training matrix of a precomputed kernel, which the classifier does not keep; without
        it, ``divergence`` and ``squared_distance`` are NaN.

    Returns
    -------
    view : ParzenView

    References
    ----------
    R. Jenssen, D. Erdogmus, J. C. Príncipe and T. Eltoft (2004), Towards a unification of
    information theoretic learning and kernel methods.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> svc = SVC(C=1.0).fit(X, y)
    >>> view = svm_as_parzen(svc)
    >>> difference = view.density(X, 1) - view.density(X, 0) + view.intercept
    >>> bool(np.allclose(difference, svc.decision_function(X) / view.omega))
    True
    """
    if not isinstance(svc, SVC):
        raise TypeError(f"svc (={svc!r}) must be an SVC")
    check_is_fitted(svc)
    if len(svc.classes_) != 2:
        raise ValueError(
            f"svc has {len(svc.classes_)} classes: a difference of two densities needs two"
        )
    svc = copy.copy(svc)  # what happens to the classifier later does not change the view
    svc.kernel = clone(svc.kernel, safe=False)
    signed = np.asarray(svc.dual_coef_).ravel()
    second = signed > 0
    omega = float(signed[second].sum())
    if not omega > 0:
        raise ValueError("svc has no support vectors with positive weight")
    weights = np.abs(signed) / omega
    squared = float(signed @ _support_gram(svc, gram) @ signed) / omega**2
    divergence = squared
    width = _gaussian_width(svc)
    if width is not None:
        points = _support_vectors(svc)
        a, b = (weights[own] / weights[own].sum() for own in (second, ~second))
        divergence = euclidean_divergence(
            points[second], points[~second], width / np.sqrt(2.0), (a, b)
        )
    labels = np.where(second, svc.classes_[1], svc.classes_[0])
    intercept = float(svc.intercept_[0]) / omega
    return ParzenView(svc.classes_, weights, labels, omega, intercept, divergence, squared, svc)


def _support_vectors(svc: SVC) -> Any:
    if callable(svc.kernel):  # SVC keeps the training data itself then
        X = svc._BaseLibSVM__Xfit
        return X[svc.support_] if hasattr(X, "shape") else [X[i] for i in svc.support_]
    vectors = svc.support_vectors_
    return vectors.toarray() if hasattr(vectors, "toarray") else vectors


def _kernel_rows(svc: SVC, X: Any) -> Array:
    """Kernel values of new samples with the support vectors."""
    if svc.kernel == "precomputed":
        return np.asarray(X)[:, svc.support_]
    if callable(svc.kernel):
        return np.asarray(svc.kernel(X, _support_vectors(svc)))
    parameters = {"gamma": svc._gamma, "degree": svc.degree, "coef0": svc.coef0}
    vectors = _support_vectors(svc)
    K = pairwise_kernels(X, vectors, metric=svc.kernel, filter_params=True, **parameters)
    return np.asarray(K)


def _support_gram(svc: SVC, gram: ArrayLike | None) -> Array:
    if svc.kernel != "precomputed":
        return _kernel_rows(svc, _support_vectors(svc))
    if gram is None:
        return np.full((len(svc.support_), len(svc.support_)), np.nan)
    return np.asarray(gram, dtype=np.float64)[np.ix_(svc.support_, svc.support_)]


def _gaussian_width(svc: SVC) -> float | None:
    if isinstance(svc.kernel, str) and svc.kernel == "rbf":
        return float(1.0 / np.sqrt(2.0 * svc._gamma))
    if isinstance(svc.kernel, Gaussian):
        chart = as_space(svc.kernel.space).chart(np.shape(_support_vectors(svc))[1])
        if chart is not None and chart.is_identity:  # in other spaces it is no product of densities
            return float(svc.kernel.width)
    return None
