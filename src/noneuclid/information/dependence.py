"""Dependence of two variables: quadratic mutual information, the cross-covariance operator."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh
from scipy.special import logsumexp

from noneuclid._checks import check_choice, is_count
from noneuclid.information import _checks as checks
from noneuclid.information._densities import Mixture, Parzen, is_mixture, log_peak
from noneuclid.information._low_rank import gaussian_features
from noneuclid.typing import Array

# Features that reproduce kernel values to this are as good as the kernel.
_EXACT = 1e-13
# All singular values of a product with so few rows or columns are quickly found.
_FEW = 500


class _Potentials(NamedTuple):
    """Logs of V_J, V_C and V_M, which under- or overflow in many dimensions."""

    joint: float
    cross: float
    marginal: float

    def information(self, kind: str) -> float:
        if kind == "ed":
            joint, cross, marginal = np.exp(self)
            return float(joint - 2.0 * cross + marginal)
        return 0.5 * (self.joint + self.marginal) - self.cross


def quadratic_mutual_information(
    X: Any,
    Y: Any = None,
    width: Any = None,
    kind: str = "ed",
    *,
    weights: Any = None,
    split: int | None = None,
    low_rank: float | None = None,
    return_gradient: bool = False,
) -> Any:
    r"""Quadratic mutual information: how far a joint density is from the product of its marginals.

    With Gram matrices K, L of :math:`G_{\sigma\sqrt2}` on the two variables and weights a,

    .. math:: V_J = a'(K\circ L)a, \quad V_C = \sum_i a_i (Ka)_i (La)_i, \quad V_M = a'Ka\;a'La,

    .. math:: I_{ED} = V_J - 2V_C + V_M, \qquad I_{CS} = -\log\frac{V_C}{\sqrt{V_J V_M}} .

    :math:`I_{ED}` is the Hilbert–Schmidt independence criterion with these kernels.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (n, e), or dask arrays
        Pairs of samples. Or X is a fitted GaussianMixture of both variables together, and ``split``
        says how many of its columns are the first variable.
    width : float or pair of float, optional
        Width of the Parzen windows, one for both variables or one for each.
    kind : "ed" or "cs", default="ed"
    weights : array of shape (n,) or pair of them, optional
        Weights of the pairs. A tuple of two gives each marginal its own *weighted Parzen window*:
        :math:`V_J = \alpha_1'(K\circ L)\alpha_2`, :math:`V_C = \mathrm{mean}_i (K\alpha_1)_i
        (L\alpha_2)_i` and :math:`V_M = \mathrm{mean}(K\alpha_1)\,\mathrm{mean}(L\alpha_2)`. These
        are products of different densities, so that the information may then be negative.
    split : int, optional
        Number of columns of the first variable, for mixtures.
    low_rank : float, optional
        A tolerance: time then grows with n, and the error of :math:`I_{ED}` is at most
        8 ``low_rank`` times the largest value of the product of the kernels.
    return_gradient : bool, default=False
        Return also the derivatives with respect to the samples X.

    Returns
    -------
    information : float
    gradient : array of shape (n, d)
        Only with ``return_gradient``.

    Notes
    -----
    The weighted form is that of Xu, Paiva, Park and Príncipe with :math:`\mathbf 1'K_i\alpha_i` in
    the denominator; with :math:`\mathbf 1'K_i^2\alpha_i`, as sometimes printed, the value would
    depend on the amplitude of the kernels, and equal weights would not give :math:`I_{CS}`.

    References
    ----------
    J. C. Príncipe (2010), Information Theoretic Learning.

    A. Gretton, O. Bousquet, A. Smola and B. Schölkopf (2005), Measuring statistical dependence with
    Hilbert–Schmidt norms.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, noise = rng.normal(size=(2, 500, 1))
    >>> dependent = quadratic_mutual_information(X, X**2 + 0.1 * noise, width=0.5)
    >>> independent = quadratic_mutual_information(X, noise, width=0.5)
    >>> bool(dependent > 20 * independent)
    True
    """
    check_choice("kind", kind, ("ed", "cs"))
    if is_mixture(X):
        given = (Y, width, weights, low_rank)
        if any(value is not None for value in given) or return_gradient:
            raise ValueError("for a mixture of both variables, give only `split` and `kind`")
        return max(_of_mixture(Mixture.from_fitted(X), split).information(kind), 0.0)
    if split is not None:
        raise ValueError("split is for a mixture of both variables: leave it out for samples")
    if Y is None:
        raise ValueError("Y is missing: give a second sample, or a mixture of both variables")
    checks.check_low_rank(low_rank, return_gradient=return_gradient)
    pairs = _Pairs(X, Y, width, weights)
    potentials = pairs.potentials() if low_rank is None else pairs.low_rank(low_rank)
    value = potentials.information(kind)
    if pairs.is_norm:  # then below 0 is rounding
        value = max(value, 0.0)
    return (value, pairs.gradient(kind)) if return_gradient else value


def _of_mixture(joint: Mixture, split: Any) -> _Potentials:
    d = joint.n_features
    if not (is_count(split) and split < d):
        raise ValueError(
            f"split (={split!r}) must say how many of the mixture's {d} columns are the first "
            "variable"
        )
    k = int(split)
    product = joint.marginal(slice(0, k)).times(joint.marginal(slice(k, d)))
    return _Potentials(joint.log_norm(), joint.log_cross(product), product.log_norm())


class _Pairs:
    """Two samples of the same objects, as Parzen densities of each and of both together.

    With coordinates in units of the widths, the product of the two kernels is the kernel of the
    joint sample; so all sums are potentials.
    """

    def __init__(self, X: Any, Y: Any, width: Any, weights: Any):
        widths = checks.check_widths(width)
        if None in widths:
            raise ValueError("X and Y hold samples: give the width of their windows")
        sigma, tau = checks.check_width(widths[0]), checks.check_width(widths[1])
        self.X, self.Y = _aligned(X, Y)
        n = len(self.X) if not checks.is_dask(self.X) else int(self.X.shape[0])
        self.is_norm = not isinstance(weights, tuple)
        if isinstance(weights, tuple):
            if len(weights) != 2:
                raise ValueError("weights must be one array, or a tuple of two")
            first = checks.check_weights(weights[0], n, "the first weights")
            second = checks.check_weights(weights[1], n, "the second weights")
            self.shares = np.full(n, 1.0 / n)
        else:
            first = second = self.shares = checks.check_weights(weights, n)
        self.p, self.q = Parzen(self.X, sigma, first), Parzen(self.Y, tau, second)
        # Far from zero, scaling would round what is compared.
        joint = _stack((self.X - self.X[:1]) / sigma, (self.Y - self.Y[:1]) / tau)
        self.joint, self.other = Parzen(joint, 1.0, first), Parzen(joint, 1.0, second)
        d, e = self.p.n_features, self.q.n_features
        self.log_scale = -d * np.log(sigma) - e * np.log(tau)

    def _log_row_means(self) -> tuple[Array, Array]:
        """Logs of Kα₁ and Lα₂, the smoothed densities at the samples."""
        return tuple(
            np.concatenate([p.log_smoothed(X, p.width**2) for X, _ in p.blocks()])
            for p in (self.p, self.q)
        )  # type: ignore[return-value]

    def potentials(self) -> _Potentials:
        k, l = self._log_row_means()  # noqa: E741 - the letters of the equations
        a = self.shares
        log_joint = self.joint.log_norm() if self.is_norm else self.joint.log_cross(self.other)
        return _Potentials(
            log_joint + self.log_scale,
            float(logsumexp(k + l, b=a)),
            float(logsumexp(k, b=a) + logsumexp(l, b=a)),
        )

    def features(self, tolerance: float) -> tuple[Array, Array, float]:
        """Features of the kernels with κ(x, x) = 1, and log of their product's largest value."""
        widths = np.sqrt(2.0) * self.p.width, np.sqrt(2.0) * self.q.width
        Z1, Z2 = (
            gaussian_features(p.rows(), w, tolerance) for p, w in zip((self.p, self.q), widths)
        )
        peaks = log_peak(widths[0], self.p.n_features) + log_peak(widths[1], self.q.n_features)
        return Z1, Z2, peaks

    def low_rank(self, tolerance: float) -> _Potentials:
        Z1, Z2, log_peaks = self.features(tolerance)
        first, second, shares = self.p.weights, self.q.weights, self.shares
        A, B = (Z1.T * first) @ Z2, (Z1.T * second) @ Z2
        k, l = Z1 @ (first @ Z1), Z2 @ (second @ Z2)  # noqa: E741
        potentials = (A * B).sum(), shares @ (k * l), (shares @ k) * (shares @ l)
        with np.errstate(divide="ignore"):  # weights of their own may leave nothing in common
            return _Potentials(*(log_peaks + np.log(np.maximum(potentials, 0.0))))

    def gradient(self, kind: str) -> Array:
        r"""∂I/∂x_i, by the sums of ∂κ(x_i, x_j)/∂x_i with weights a_j, a_j l_j and a_j L_ij."""
        if not self.is_norm:
            raise ValueError("a gradient needs one array of weights, not two")
        V, a, width = _Potentials(*np.exp(self.potentials())), self.shares, self.p.width
        k, l = np.exp(self._log_row_means())  # noqa: E741
        v_second = float(a @ l)
        forces = (a * k)[:, None] * _on_rows(self.p, self.p)[1]
        logs, scores = _on_rows(Parzen(self.X, width, a * l / v_second), self.p)
        tilted = (a * np.exp(logs) * v_second)[:, None] * scores
        logs, scores = _on_rows(self.joint, self.joint)  # in units of the widths
        joint = (a * np.exp(logs + self.log_scale) / width)[:, None] * scores
        by_joint = 2.0 * joint[:, : self.p.n_features]
        by_cross = l[:, None] * forces + tilted
        by_marginal = 2.0 * v_second * forces
        if kind == "ed":
            return np.asarray(by_joint - 2.0 * by_cross + by_marginal)
        own = 0.5 * by_joint / V.joint + 0.5 * by_marginal / V.marginal
        return np.asarray(own - by_cross / V.cross)


def _on_rows(density: Parzen, at: Parzen) -> tuple[Array, Array]:
    """Log of the smoothed density at all points of a sample, and its gradients there."""
    parts = [density.log_smoothed_gradient(X, at.width**2) for X, _ in at.blocks()]
    logs, scores = (np.concatenate(part) for part in zip(*parts))
    return logs, scores


def _aligned(X: Any, Y: Any) -> tuple[Any, Any]:
    """Both samples with the same rows, block by block if they come from dask."""
    if checks.is_dask(X) or checks.is_dask(Y):
        import dask.array as da

        X, Y = (Z if checks.is_dask(Z) else da.from_array(checks.check_rows(Z)) for Z in (X, Y))
        X, Y = (Z.compute_chunk_sizes() if np.isnan(Z.shape[0]) else Z for Z in (X, Y))
        X, Y = X.rechunk({1: -1}), Y.rechunk({1: -1})
        if len(X) == len(Y):
            Y = Y.rechunk((X.chunks[0], -1))
    else:
        X, Y = checks.check_rows(X), checks.check_rows(Y, "Y")
    checks.check_pairs(X, Y)
    return X, Y


def _stack(X: Any, Y: Any) -> Any:
    if checks.is_dask(X):
        import dask.array as da

        return da.concatenate([X, Y], axis=1).rechunk({1: -1})
    return np.hstack([X, Y])


def cross_covariance_norm(
    X: Any,
    Y: Any,
    width: Any,
    *,
    norm: str = "hilbert-schmidt",
    weights: ArrayLike | None = None,
    low_rank: float | None = None,
) -> float:
    r"""Norm of the cross-covariance operator of two variables.

    The operator :math:`\Sigma_{XY}` takes functions of one Hilbert space to the other,

    .. math:: \langle g, \Sigma_{XY} f\rangle = \mathrm{Cov}[f(x), g(y)],

    and is zero exactly if the variables are independent. Its squared Hilbert–Schmidt norm is
    :math:`I_{ED}`, and its operator norm the largest covariance of functions of length one.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (n, e)
        Pairs of samples.
    width : float or pair of float
        Width σ of the Parzen windows; the kernels are :math:`G_{\sigma\sqrt2}`.
    norm : "hilbert-schmidt" or "operator", default="hilbert-schmidt"
    weights : array of shape (n,), optional
    low_rank : float, optional
        Tolerance of the features of the kernels; by default as good as exact.

    Returns
    -------
    norm : float

    References
    ----------
    A. Gretton, R. Herbrich, A. Smola, O. Bousquet and B. Schölkopf (2005), Kernel methods for
    measuring independence. Journal of Machine Learning Research 6.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=(100, 1))
    >>> norms = [cross_covariance_norm(x, x, 1.0, norm=n) for n in ("operator", "hilbert-schmidt")]
    >>> bool(0 < norms[0] <= norms[1])
    True
    """
    check_choice("norm", norm, ("hilbert-schmidt", "operator"))
    if isinstance(weights, tuple):
        raise ValueError("weights must be one array: an operator has one expectation")
    checks.check_low_rank(low_rank)
    pairs = _Pairs(X, Y, width, weights)
    if norm == "hilbert-schmidt" and low_rank is None:
        return float(np.sqrt(max(pairs.potentials().information("ed"), 0.0)))
    Z1, Z2, log_peaks = pairs.features(_EXACT if low_rank is None else low_rank)
    a = pairs.shares
    A, B = (Z1 - a @ Z1) * a[:, None], Z2 - a @ Z2
    size = linalg.norm(A.T @ B) if norm == "hilbert-schmidt" else largest_singular_value(A, B)
    return float(np.exp(0.5 * log_peaks) * size)


def largest_singular_value(A: Array, B: Array) -> float:
    """Of A'B, which is not formed if both have many columns: by Lanczos' iteration then."""
    n = B.shape[1]
    if min(A.shape[1], n) <= _FEW:
        return float(linalg.norm(A.T @ B, 2))

    def square(v: Array) -> Array:
        return np.asarray(B.T @ (A @ (A.T @ (B @ v))))

    operator = LinearOperator((n, n), matvec=square, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=n)
    try:
        return float(np.sqrt(eigsh(operator, k=1, v0=start, return_eigenvectors=False)[0]))
    except ArpackError:  # the product is zero
        return float(linalg.norm(A.T @ B, 2))
