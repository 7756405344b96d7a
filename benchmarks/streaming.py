"""Kernel components of a stream of 10⁵ samples against exact kernel PCA of 4,000 of them.

The largest angle between the two subspaces, in feature space; beside it the angle between exact
kernel PCA of two such sub-samples, which is as near as the sub-sample can tell. Memory is what the
process takes beyond its state before the stream; samples are drawn as they are needed.
"""

import resource
import time

import numpy as np
from _record import quick, recorded
from scipy.sparse.linalg import eigsh
from sklearn.datasets import load_digits

from noneuclid.kernels import Gaussian
from noneuclid.pca import KernelHebbianPCA

N, BATCH, FEW = (10_000, 2000, 1000) if quick else (100_000, 2000, 4000)
DIGITS = load_digits().data / 16


def rings(rng: np.random.Generator, n: int) -> np.ndarray:
    angle, radius = rng.uniform(0, 2 * np.pi, n), rng.choice([1.0, 3.0], n)
    radius += 0.1 * rng.normal(size=n)
    return np.column_stack([2 * radius * np.cos(angle), radius * np.sin(angle)])


def cloud(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.normal(size=(n, 10)) * 3 * 0.7 ** np.arange(10)


def digits(rng: np.random.Generator, n: int) -> np.ndarray:
    return DIGITS[rng.integers(len(DIGITS), size=n)] + 0.1 * rng.normal(size=(n, 64))


def exact(kernel: Gaussian, X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Objects and coefficients of exact components."""
    K = kernel(X)
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values, vectors = eigsh(K, k=k, which="LA", v0=np.ones(len(K)))
    beta = vectors / np.sqrt(values)
    return X, beta - beta.mean(axis=0)


def angle(kernel: Gaussian, one: tuple, other: tuple) -> float:
    """The largest principal angle of two subspaces of feature space, in degrees."""
    roots = [np.linalg.cholesky(B.T @ kernel(X) @ B) for X, B in (one, other)]
    between = one[1].T @ kernel(one[0], other[0]) @ other[1]
    cosines = np.linalg.solve(roots[0], np.linalg.solve(roots[1], between.T).T)
    return float(np.degrees(np.arccos(min(np.linalg.svd(cosines)[1].min(), 1.0))))


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    print(f"{'data':8} {'k':>2} {'budget':>6} {'angle':>6} {'floor':>6} {'MB':>5} {'s':>6}")
    warm = np.random.default_rng(1)
    KernelHebbianPCA(kernel=Gaussian(2.0), budget=20).partial_fit(rings(warm, BATCH))
    streams = []
    cases = [(rings, 2.0, 2), (rings, 2.0, 4), (cloud, 3.0, 2), (digits, 2.5, 3)]
    for draw, width, k in cases:  # all streams before the matrices of exact kernel PCA
        before, start, rng = memory(), time.perf_counter(), np.random.default_rng(0)
        model = KernelHebbianPCA(n_components=k, kernel=Gaussian(width), random_state=0)
        for _ in range(N // BATCH):
            model.partial_fit(draw(rng, BATCH))
        streams.append((model, memory() - before, time.perf_counter() - start))
    for (draw, width, k), (model, size, seconds) in zip(cases, streams):
        rng, kernel = np.random.default_rng(0), Gaussian(width)
        X = np.vstack([draw(rng, BATCH) for _ in range(2 * FEW // BATCH)])  # the stream's beginning
        some = exact(kernel, X[:FEW], k)
        off = angle(kernel, (model.landmarks_, model.dual_coefficients_), some)
        floor = angle(kernel, exact(kernel, X[FEW : 2 * FEW], k), some)
        budget = len(model.landmarks_)
        print(
            f"{draw.__name__:8} {k:2} {budget:6} {off:6.2f} {floor:6.2f} {size:5.0f} {seconds:6.1f}"
        )


if __name__ == "__main__":
    with recorded(__file__):
        main()
