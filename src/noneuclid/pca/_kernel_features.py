"""Kernel matrices for the kernel estimators: validation, features, centring, spectra."""

from typing import Any

import numpy as np
from scipy import linalg
from scipy.linalg import lapack
from scipy.sparse.linalg import eigsh

from noneuclid.kernels import Kernel, as_kernel
from noneuclid.numerics import nystroem_map
from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.typing import Array

_ADVICE = (
    "clip or flip its negative eigenvalues first, or learn in the pseudo-Euclidean space it spans"
)


def resolve_kernel(kernel: Any, X: Any) -> Kernel | None:
    """The kernel fixed on X; None if X is the kernel matrix itself."""
    if isinstance(kernel, str) and kernel == "precomputed":
        check_gram(X)
        return None
    return as_kernel(kernel).resolve(X)


def check_gram(K: Array) -> None:
    """Raise unless K is square and symmetric."""
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"a precomputed kernel matrix must be square; its shape is {K.shape}")
    asymmetry = np.abs(K - K.T).max()
    if asymmetry > 1e-8 * np.abs(K).max():
        raise ValueError(
            f"the kernel matrix must be symmetric; it differs from its transpose by {asymmetry:.3g}"
        )


def gram(kernel: Kernel | None, X: Any) -> Array:
    """The kernel matrix of X, as a fresh array."""
    if kernel is None:
        return X.copy()
    if not kernel.is_symmetric:
        K = kernel(X)
        check_gram(K)
        return K
    return kernel(X)


def exact_features(kernel: Kernel | None, X: Any, max_rank: int | None = None) -> Array:
    """Z with Z Z' = K; raises if K is not positive, or if it has more than ``max_rank`` of them."""
    if _claims_positivity(kernel):
        assert kernel is not None
        return pivoted_features(lambda i: kernel(X, X[i]), kernel.diag(X), max_rank=max_rank)[0]
    K = X if kernel is None else gram(kernel, X)
    Z, _ = pivoted_features(lambda i: K[:, i], np.diag(K), max_rank=max_rank)
    _check_positive(K, Z)
    return Z


def positive_gram(kernel: Kernel | None, X: Any) -> Array:
    """The kernel matrix of X as a fresh array; raises if it is not positive."""
    K = gram(kernel, X)
    if not _claims_positivity(kernel):
        slack = 1e-6 * max(np.abs(K).max(), 1e-300) * np.sqrt(len(K))
        shifted = K + slack * np.eye(len(K))
        if lapack.dpotrf(shifted, overwrite_a=True)[1] != 0:
            raise ValueError(f"the kernel matrix is not positive semi-definite: {_ADVICE}")
    return K


def _claims_positivity(kernel: Kernel | None) -> bool:
    return kernel is not None and kernel.is_symmetric and "positivity" in kernel.laws


def _check_positive(K: Array, Z: Array) -> None:
    """A factor reproduces a positive matrix; of an indefinite one it misses something."""
    probe = np.random.default_rng(0).normal(size=(len(K), 4))
    missed = np.abs(K @ probe - Z @ (Z.T @ probe)).max()
    if missed > 1e-6 * max(np.abs(K).max(), 1e-300) * np.sqrt(len(K)):
        raise ValueError(f"the kernel matrix is not positive semi-definite: {_ADVICE}")


def landmark_map(kernel: Kernel | None, X: Any, landmarks: Array) -> tuple[Array, Array]:
    """Nystroem features of X and the map M that makes them: Z = k(X, landmarks) M."""
    K_nm = X[:, landmarks] if kernel is None else kernel(X, X[landmarks])
    K_mm = K_nm[landmarks]
    M, signs = nystroem_map((K_mm + K_mm.T) / 2)
    if (signs < 0).any():
        raise ValueError(f"the kernel matrix is not positive semi-definite: {_ADVICE}")
    return K_nm @ M, M


def centre_gram(K: Array) -> Array:
    """H K H in place; returns the column means it had."""
    means = np.asarray(K.mean(axis=0))
    K -= means
    K -= means[:, None] - means.mean()
    return means


def leading_eigenpairs(K: Array, k: int) -> tuple[Array, Array]:
    """The k largest eigenvalues of a symmetric matrix, falling, and their vectors."""
    n = len(K)
    if n <= 200 or k > n // 4:
        values, vectors = linalg.eigh(K, subset_by_index=[n - k, n - 1])
    else:
        start = np.random.default_rng(0).uniform(-1, 1, n)
        values, vectors = eigsh(K, k=k, which="LA", v0=start)
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order]
