"""Kernel matrices for the kernel estimators: features, centring, spectra."""

from typing import Any

import numpy as np
from scipy import linalg
from scipy.linalg import lapack
from scipy.sparse.linalg import eigsh

from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.proximities import Relation
from noneuclid.typing import Array

NOT_POSITIVE = (
    "the kernel matrix is not positive semi-definite: clip or flip its negative eigenvalues first, "
    "or learn in the pseudo-Euclidean space it spans"
)


def gram(relation: Relation) -> Array:
    """The kernel matrix of the training objects, as a fresh array."""
    if not relation.is_precomputed and relation.metric_.is_symmetric:
        return np.asarray(relation.metric_(relation.objects_))  # nothing to check, nothing to keep
    return relation.matrix.copy()


def exact_features(relation: Relation, max_rank: int | None = None) -> Array:
    """Z with Z Z' = K; raises if K is not positive, or if it has more than ``max_rank`` of them."""
    if _claims_positivity(relation):
        kernel: Any = relation.metric_
        X = relation.objects_
        return pivoted_features(lambda i: kernel(X, X[i]), kernel.diag(X), max_rank=max_rank)[0]
    K = relation.matrix
    Z, _ = pivoted_features(lambda i: K[:, i], np.diag(K), max_rank=max_rank)
    _check_positive(K, Z)
    return Z


def positive_gram(relation: Relation) -> Array:
    """The kernel matrix as a fresh array; raises if it is not positive."""
    K = gram(relation)
    if not _claims_positivity(relation):
        slack = 1e-6 * max(np.abs(K).max(), 1e-300) * np.sqrt(len(K))
        shifted = K + slack * np.eye(len(K))
        if lapack.dpotrf(shifted, overwrite_a=True)[1] != 0:
            raise ValueError(NOT_POSITIVE)
    return K


def _claims_positivity(relation: Relation) -> bool:
    if relation.is_precomputed:
        return False
    return relation.metric_.is_symmetric and "positivity" in relation.metric_.laws


def _check_positive(K: Array, Z: Array) -> None:
    """A factor reproduces a positive matrix; of an indefinite one it misses something."""
    probe = np.random.default_rng(0).normal(size=(len(K), 4))
    missed = np.abs(K @ probe - Z @ (Z.T @ probe)).max()
    if missed > 1e-6 * max(np.abs(K).max(), 1e-300) * np.sqrt(len(K)):
        raise ValueError(NOT_POSITIVE)


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
