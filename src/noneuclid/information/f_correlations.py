"""Canonical correlation of functions of two or more variables."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from noneuclid._checks import check_positive
from noneuclid._memory import allowed_memory, require_matrices
from noneuclid.information._checks import check_low_rank, check_rows
from noneuclid.information._correlation_pencil import (
    OfFeatures,
    WholeMatrix,
    correlation_by_steps,
)
from noneuclid.information._given_kernels import positive
from noneuclid.kernels import Kernel, as_kernel
from noneuclid.kernels.widths import some_of
from noneuclid.numerics.cholesky import RankTooHigh, pivoted_features
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.typing import Array

# Features up to this share of the regularisation move the correlation by at most four times that.
_EXACT = 1e-10
_FEATURES = 8  # fewer than n over this many are faster than whole matrices
_SMALL = 500  # samples whose eigenvectors are quickly found
_MANY = 2000  # more of whole matrices take longer to factorise than some products with them
_GIVEN_FEATURES = 4  # the same, of a tolerance that was asked for
# Of an eigenvector; the error of its eigenvalue is about the square of that where it is alone.
_RESIDUAL = 1e-7
_BASIS = 20  # vectors after which Lanczos' iteration looks whether it is there
_NOTHING = 1e-10  # operators so small are rounding: a variable is constant


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
        Tolerance η of the kernels' features; where these are few, time grows with n instead of n²
        (n³ where the regularisation is tiny), and the correlation is moved by at most 4η/κ. Where
        they are more than a quarter of the samples, whole matrices are faster, and are taken if
        there is memory for them. Default: features where few are as good as the kernel, as in one
        or two dimensions.

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
    kernels = [as_kernel(kernel).resolve(Z) for Z in variables]
    for k, Z in zip(kernels, variables):
        if not k.is_positive_definite:  # few samples show it before all are compared
            _gram(k, some_of(Z))
    n, rate = len(variables[0]), float(regularization)
    with one_blas_thread(n**3 // 8):
        if low_rank is None:
            return _by_the_faster(kernels, variables, rate, _EXACT * min(rate, 1.0), n // _FEATURES)
        there_is_memory = 8.0 * n * n * (2 + len(variables)) <= allowed_memory()
        most = n // _GIVEN_FEATURES if there_is_memory else None
        return _by_the_faster(kernels, variables, rate, low_rank, most)


def _by_the_faster(
    kernels: list[Kernel],
    variables: list[Array],
    regularization: float,
    cutoff: float,
    most: int | None,
) -> float:
    """By features if they are no more than ``most``, or any number; by whole matrices elsewhere."""
    n = len(variables[0])
    factors = [_few_features(kernel, Z, cutoff, most) for kernel, Z in zip(kernels, variables)]
    missing = [v for v, Z in enumerate(factors) if Z is None]
    if missing:
        what = f"the F-correlation of {n:,} samples"
        require_matrices(what, n, copies=2.0 + len(missing), instead="use low_rank=1e-6")
    whole = {v: _centred(_gram(kernels[v], variables[v])) for v in missing}
    if missing and n > _SMALL:
        found = _by_steps(factors, whole, regularization) if n > _MANY else None
        if found is not None:
            return found
        shrinking = [
            _Whole(whole[v], regularization) if Z is None else _ByFeatures(Z, regularization)
            for v, Z in enumerate(factors)
        ]
        return _by_iteration(shrinking, n)
    for v in missing:
        factors[v] = _eigenvectors(whole[v])
    return largest_correlation(factors, regularization)  # type: ignore[arg-type]


def _by_steps(
    factors: list[Array | None], whole: dict[int, Array], regularization: float
) -> float | None:
    """In time that grows with n² instead of n³, unless the regularisation is too small for it."""
    rng = np.random.default_rng(0)
    matrices = [
        WholeMatrix(whole[v], rng) if Z is None else OfFeatures(Z) for v, Z in enumerate(factors)
    ]
    n = len(next(iter(whole.values())))
    return correlation_by_steps(matrices, 0.5 * n * regularization)


def _few_features(kernel: Kernel, X: Array, cutoff: float, most: int | None) -> Array | None:
    """Centred features Z, with ZZ' the centred Gram matrix; None if there are too many of them."""
    if not kernel.is_positive_definite and most is not None:
        return None
    try:
        Z, _ = pivoted_features(
            lambda i, j: kernel(X[i], X[j]), kernel.diag(X), cutoff=cutoff, max_rank=most
        )
    except RankTooHigh:
        return None
    return np.asarray(Z - Z.mean(axis=0))


def _gram(kernel: Kernel, X: Array) -> Array:
    K = np.require(kernel(X), np.float64, ["C", "W", "O"])  # centred and factorised in its place
    return (
        K
        if kernel.is_positive_definite
        else positive(K, str(kernel), "take a kernel that is positive")
    )


def _centred(K: Array) -> Array:
    """K less its means, in place; symmetric up to rounding, as those ask who read a triangle."""
    means = K.mean(axis=0)
    K -= means
    K -= (means - means.mean())[:, None]
    return K


def _eigenvectors(K: Array) -> Array:
    """Features of full rank of a centred matrix."""
    values, vectors = linalg.eigh(K)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


class _Whole:
    """K(K + c)⁻¹ = 1 − c(K + c)⁻¹ with c = nκ/2, by a Cholesky factor in the place of K."""

    def __init__(self, K: Array, regularization: float):
        self.c = 0.5 * len(K) * regularization
        K.flat[:: len(K) + 1] += self.c
        largest = float(K.diagonal().max())
        try:
            self.factor = linalg.cho_factor(K.T, lower=False, overwrite_a=True, check_finite=False)
        except linalg.LinAlgError as error:
            raise ValueError(
                f"the regularisation (nκ/2 = {self.c:.3g}) is lost in the rounding of a kernel "
                f"matrix of numbers up to {largest:.3g}: take a kernel with κ(x, x) = 1, or raise "
                "regularization"
            ) from error

    def __call__(self, v: Array) -> Array:
        return np.asarray(v - self.c * linalg.cho_solve(self.factor, v, check_finite=False))


class _ByFeatures:
    """The same operator for K = ZZ'."""

    def __init__(self, Z: Any, regularization: float):
        values, V = linalg.eigh(Z.T @ Z)
        root = np.sqrt(np.maximum(values, 0.0) + 0.5 * len(Z) * regularization)
        self.U = Z @ (V / root)

    def __call__(self, v: Array) -> Array:
        return np.asarray(self.U @ (self.U.T @ v))


def _by_iteration(shrinking: list[Any], n: int) -> float:
    """1 − λ for the smallest eigenvalue λ of the equation, by Lanczos' iteration.

    For two variables the eigenvalues are 1 ± ρ with the singular values ρ of the product of both
    operators R: ρ² is an eigenvalue of R₂R₁R₁R₂, which takes half of the steps.
    """
    k = len(shrinking)

    def beside(v: Array) -> Array:
        parts = np.array([r(part) for r, part in zip(shrinking, v.reshape(k, n))])
        others = parts.sum(axis=0) - parts
        return np.concatenate([r(part) for r, part in zip(shrinking, others)])

    def there_and_back(v: Array) -> Array:
        first, second = shrinking
        return np.asarray(second(first(first(second(v)))))

    if k == 2:
        return float(np.sqrt(max(_extreme(there_and_back, n, "LA", _NOTHING**2), 0.0)))
    return 0.0 - _extreme(beside, k * n, "SA", _NOTHING)


def _extreme(
    product: Callable[[Array], Array], size: int, which: Literal["LA", "SA"], nothing: float
) -> float:
    """An extreme eigenvalue of a symmetric operator; 0 if that is next to nothing."""
    start = np.random.default_rng(0).normal(size=size)
    if np.linalg.norm(product(start)) <= nothing * np.linalg.norm(start):
        return 0.0
    operator = LinearOperator((size, size), matvec=product, dtype=np.float64)
    options = {"tol": _RESIDUAL, "ncv": _BASIS, "return_eigenvectors": False}
    try:
        return float(eigsh(operator, k=1, which=which, v0=start, **options)[0])
    except ArpackNoConvergence as error:
        raise ValueError(
            "the F-correlation does not come to rest, since functions of the variables fit all "
            "samples about equally well: raise regularization"
        ) from error


def largest_correlation(factors: Sequence[Array], regularization: float) -> float:
    """F-correlation of variables given by centred features, (n, r) each."""
    shrinking = [_shrinking(Z, regularization) for Z in factors]
    if len(factors) == 2:
        product = shrinking[0].T @ (factors[0].T @ factors[1]) @ shrinking[1]
        return float(linalg.svdvals(product, check_finite=False)[0]) if product.size else 0.0
    starts = np.cumsum([0, *(W.shape[1] for W in shrinking)])
    U = np.hstack([Z @ W for Z, W in zip(factors, shrinking)])
    M = U.T @ U
    for a, b in pairwise(starts):
        M[a:b, a:b] = np.eye(b - a)
    return 1.0 - float(linalg.eigvalsh(M, subset_by_index=[0, 0])[0])


def _shrinking(Z: Array, regularization: float) -> Array:
    """W with ZW = U r, where ZZ' = U diag(λ) U' and r = λ / (λ + nκ/2)."""
    n, c = len(Z), 0.5 * len(Z) * regularization
    wide = Z.shape[1] > n
    values, V = np.linalg.eigh(Z @ Z.T if wide else Z.T @ Z)  # the smaller of the Gram matrices
    kept = values > 1e-14 * max(values[-1], 1e-300)
    values, V = values[kept], V[:, kept]
    if wide:
        return np.asarray(Z.T @ (V / (values + c)))
    return np.asarray(V * (np.sqrt(values) / (values + c)))
