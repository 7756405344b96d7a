"""Canonical correlation of functions of two or more variables."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from noneuclid._checks import check_positive
from noneuclid._memory import require_matrices
from noneuclid.information._checks import check_low_rank, check_rows
from noneuclid.kernels import Kernel, as_kernel
from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.typing import Array


def f_correlation(
    X: ArrayLike,
    Y: ArrayLike,
    kernel: Any = "rbf",
    regularization: float = 0.02,
    *,
    others: Sequence[ArrayLike] = (),
    low_rank: float | None = None,
) -> float:
    r"""The F-correlation: largest correlation of functions of the variables, regularised.

    With centred Gram matrices :math:`K_i` of n samples, it is the largest ρ of

    .. math:: \begin{pmatrix} 0 & K_1K_2\\ K_2K_1 & 0\end{pmatrix}\alpha = \rho
              \begin{pmatrix} (K_1 + \tfrac{n\kappa}2)^2 & 0\\ 0 & (K_2 + \tfrac{n\kappa}2)^2
              \end{pmatrix}\alpha .

    For more than two variables it is :math:`1 - \lambda`, with the smallest eigenvalue λ of the
    same problem that has the :math:`(K_i + \tfrac{n\kappa}2)^2` on both diagonals and all
    :math:`K_iK_j` beside the first; it is 0 exactly if all pairs have F-correlation 0.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (n, e)
        Two variables.
    kernel : str, Kernel or function, default="rbf"
        With κ(x, x) = 1, as the Gaussian has: its size counts against the regularisation.
    regularization : float, default=0.02
        The κ of the equation, positive.
    others : sequence of arrays, optional
        Further variables.
    low_rank : float, optional
        Tolerance of the kernels' features; time then grows with n instead of n³.

    Returns
    -------
    correlation : float
        From 0 to 1 for two variables.

    References
    ----------
    F. R. Bach and M. I. Jordan (2002), Kernel independent component analysis. Journal of Machine
    Learning Research 3.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, noise = rng.normal(size=(2, 300, 1))
    >>> round(f_correlation(X, X**2), 2), round(f_correlation(X, noise), 2)
    (0.88, 0.11)
    """
    check_positive("regularization", regularization)
    check_low_rank(low_rank)
    names = ["X", "Y", *(f"others[{k}]" for k in range(len(others)))]
    variables = [check_rows(Z, name, least=2) for Z, name in zip((X, Y, *others), names)]
    for Z, name in zip(variables[1:], names[1:]):
        if len(Z) != len(variables[0]):
            raise ValueError(
                f"X has {len(variables[0])} samples and {name} has {len(Z)}: they must be the same"
            )
    if low_rank is None:
        n, k = len(variables[0]), len(variables)
        what = f"the F-correlation of {n:,} samples"
        require_matrices(what, n, copies=4.0 + k, instead="use low_rank=1e-6")
    factors = [_kernel_factor(as_kernel(kernel).resolve(Z), Z, low_rank) for Z in variables]
    return largest_correlation(factors, float(regularization))


def _kernel_factor(kernel: Kernel, X: Array, tolerance: float | None) -> Array:
    """Centred features Z, of full rank or up to a tolerance: Z Z' is the centred Gram matrix."""
    if tolerance is None:
        K = kernel(X)
        K -= K.mean(axis=0)
        K -= K.mean(axis=1, keepdims=True)
        values, vectors = linalg.eigh((K + K.T) / 2)
        return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
    Z, _ = pivoted_features(lambda i: kernel(X, X[i]), kernel.diag(X), cutoff=tolerance)
    return np.asarray(Z - Z.mean(axis=0))


def largest_correlation(factors: Sequence[Array], regularization: float) -> float:
    """F-correlation of variables given by centred features, (n, r) each."""
    shrunk = [_shrunk(Z, regularization) for Z in factors]
    if len(shrunk) == 2:
        product = shrunk[0].T @ shrunk[1]
        return float(linalg.svdvals(product)[0]) if product.size else 0.0
    starts = np.cumsum([0, *(U.shape[1] for U in shrunk)])
    U = np.hstack(shrunk)
    M = U.T @ U
    for a, b in pairwise(starts):
        M[a:b, a:b] = np.eye(b - a)
    return 1.0 - float(linalg.eigvalsh(M, subset_by_index=[0, 0])[0])


def _shrunk(Z: Array, regularization: float) -> Array:
    """U r, with ZZ' = U diag(λ) U' and r = λ / (λ + nκ/2)."""
    values, V = linalg.eigh(Z.T @ Z)  # the smaller of the two Gram matrices
    kept = values > 1e-14 * max(values[-1], 1e-300)
    values, V = values[kept], V[:, kept]
    return np.asarray(Z @ (V * (np.sqrt(values) / (values + 0.5 * len(Z) * regularization))))
