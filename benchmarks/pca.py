"""Principal components against NumPy loops and scikit-learn, in one run, as ratios.

Run all parts, or some: ``python benchmarks/pca.py online kernel``.
"""

import sys

import numpy as np
from _record import quick, recorded
from _timing import best_times, report
from sklearn.base import clone
from sklearn.decomposition import PCA, IncrementalPCA, KernelPCA
from threadpoolctl import threadpool_limits

from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, HebbianPCA
from noneuclid.spaces import Lp


def numpy_sanger(X: np.ndarray, k: int, space: Lp, rate: float = 1e-4) -> np.ndarray:
    """Sanger's rule as one would write it first: a loop over samples."""
    rng = np.random.default_rng(0)
    W = rng.normal(size=(k, X.shape[1]))
    W /= space.norm(W)[:, None]
    p = space.p
    for x in X - X.mean(axis=0):
        if p == 2:
            J = W
        elif p == 1:
            J = np.abs(W).sum(axis=1, keepdims=True) * np.sign(W)
        else:
            norms = (np.abs(W) ** p).sum(axis=1, keepdims=True) ** (1 / p)
            J = np.abs(W) ** (p - 1) * np.sign(W) / norms ** (p - 2)
        y = J @ x
        W = W + rate * (np.outer(y, x) - np.tril(np.outer(y, y)) @ W)
    return W


def captured(X: np.ndarray, W: np.ndarray) -> float:
    """Variance in the span of W, as a share of the most that so many directions can have."""
    most = np.linalg.eigvalsh(np.cov(X.T))[-len(W) :].sum()
    return np.var(X @ np.linalg.qr(W.T)[0], axis=0).sum() / most


def online() -> None:
    """The peer as it comes, and at its best.

    As it comes it takes half of the time while NumPy has not multiplied anything on several threads
    in that process: those of NumPy's BLAS and of SciPy's wait for each other's cores later on.
    """
    X = np.random.default_rng(0).normal(size=(10000, 100)) * np.linspace(3, 1, 100)
    few = X[:1000]
    peer, larger = IncrementalPCA(n_components=5), IncrementalPCA(n_components=5, batch_size=2000)

    def at_its_best():
        """Threads of the BLAS wait for each other in its small products."""
        with threadpool_limits(1, user_api="blas"):
            larger.fit(X)

    for p, goal in ((1, 60), (1.5, 20), (2, 60)):
        space = Lp(p)
        model = HebbianPCA(n_components=5, space=space, deflation="sanger", random_state=0)
        ours, loop, incremental, best = best_times(
            lambda model=model: model.partial_fit(X),
            lambda space=space: numpy_sanger(few, 5, space),
            lambda: peer.fit(X),
            at_its_best,
        )
        what, on = "online Sanger 100 columns, k=5, 1000 rows", f"p={p}"
        once = clone(model).partial_fit(X)
        shares = [captured(X, W) for W in (once.components_, peer.components_, larger.components_)]
        reached = [f"captured {shares[0]:.3f}; {share:.3f}" if p == 2 else "" for share in shares]
        report(what, ours / 10, loop, on=on, against="NumPy loop", goal=f"{goal}")
        label = "scikit-learn IncrementalPCA"
        report(
            what, ours / 10, incremental / 10, on=on, against=label, goal="40", quality=reached[1]
        )
        label = f"{label}, one thread, batches of 2000"
        report(what, ours / 10, best / 10, on=on, against=label, quality=reached[2])


def exact() -> None:
    rng = np.random.default_rng(0)
    n = 2000 if quick else 60000
    X = rng.normal(size=(n, 20)) @ rng.normal(size=(20, 784)) + rng.normal(size=(n, 784))
    model, peer = HebbianPCA(n_components=10, space="l2"), PCA(n_components=10)
    ours, theirs = best_times(
        lambda: model.fit(X),
        lambda: peer.fit(X),
        repeat=3,
    )
    cosines = np.abs((model.components_ * peer.components_).sum(axis=1))
    reached = f"components agree to {1 - cosines.min():.0e}"
    what, label = f"HebbianPCA l2 auto {n}x784, k=10", "scikit-learn PCA"
    report(what, ours, theirs, against=label, goal="1/1.2", quality=reached)


def numpy_fixed_point(X: np.ndarray, k: int) -> np.ndarray:
    """L1-PCA, vectorised, with explicit deflation."""
    X = X - X.mean(axis=0)
    W = []
    for _ in range(k):
        w = X[np.argmax((X**2).sum(axis=1))]
        w = w / np.linalg.norm(w)
        for _ in range(1000):
            g = np.sign(X @ w) @ X
            new = g / np.linalg.norm(g)
            change, w = np.linalg.norm(new - w), new
            if change < 1e-10:
                break
        W.append(w)
        X = X - np.outer(X @ w, w)
    return np.array(W)


def generalized() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_t(3, size=(10000, 100)) * np.linspace(3, 1, 100)
    model = GeneralizedPCA(n_components=10, objective="l1")
    ours, theirs = best_times(lambda: model.fit(X), lambda: numpy_fixed_point(X, 10), repeat=3)
    difference = np.abs(model.components_ - numpy_fixed_point(X, 10)).max()
    what, reached = "GeneralizedPCA l1 10000x100, k=10", f"components differ by {difference:.0e}"
    report(what, ours, theirs, against="NumPy fixed point", goal="1", quality=reached)


def numpy_recursion(X: np.ndarray, kernel: Gaussian, k: int, slope, tol: float) -> np.ndarray:
    """Generalised kernel PCA on the kernel matrix itself: O(n²) per step."""
    K = kernel(X)
    K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    scores = []
    for _ in range(k):
        i = np.argmax(np.diag(K))
        o = K[i] / np.sqrt(K[i, i])
        c = slope(np.abs(o)) * np.sign(o)
        for _ in range(1000):
            Kc = K @ c
            o = Kc / np.sqrt(c @ Kc)
            new = slope(np.abs(o)) * np.sign(o)
            change, c = np.linalg.norm(new - c) / np.linalg.norm(c), new
            if change < tol:
                break
        Kc = K @ c
        scores.append(Kc / np.sqrt(c @ Kc))
        K = K - np.outer(scores[-1], scores[-1])
    return np.array(scores).T


def kernel_l2() -> None:
    n = 1000 if quick else 6000
    X = np.random.default_rng(0).normal(size=(n, 10)) * np.linspace(3, 1, 10)
    kernel = Gaussian(width="scale").resolve(X)
    gamma = 1 / (2 * kernel.width**2)
    params = {"n_components": 10, "kernel": "rbf", "gamma": gamma}
    arpack, dense = KernelPCA(eigen_solver="arpack", **params), KernelPCA(**params)
    model = GeneralizedKernelPCA(n_components=10, kernel=kernel, objective="l2")
    ours, theirs = best_times(lambda: model.fit(X), lambda: arpack.fit(X), repeat=3)
    (automatic,) = best_times(lambda: dense.fit(X), repeat=1)
    off = np.abs((model.transform(X) ** 2).sum(axis=0) / arpack.eigenvalues_ - 1).max()
    what, reached = f"GeneralizedKernelPCA l2, n={n}, k=10", f"eigenvalues differ by {off:.0e}"
    label = "scikit-learn KernelPCA"
    report(what, ours, theirs, against=f"{label}, arpack", goal="1/1.2", quality=reached)
    report(what, ours, automatic, against=f"{label}, auto", goal="5", quality=reached)


def kernel(n_directions: int = 3) -> None:
    """On data with few directions the kernel matrix has few exact features.

    With ten or more its rank is full: it is then used itself, and 15 times the recursion is out of
    reach. On a processor of 2026, of 3,000 samples in 20 columns, the matrix takes 33 ms to form (9
    million exponentials, 72 MB written), one product with it 0.7 ms (half of it read, at the speed
    of memory). With ``"l1"`` the recursion takes 0.5 s in all, of which a 15th is what forming the
    matrix takes. With ``"tanh"`` it takes 1.8 s: a 15th leaves 120 products beside the matrix, 12
    per component; accelerated ascent to ten digits needs 35. The recursion itself needs a hundred.

    With three directions the exact features are 232: 300 landmarks have nothing to save there.
    """
    rng = np.random.default_rng(0)
    n = 500 if quick else 3000
    X = rng.normal(size=(n, n_directions)) @ rng.normal(size=(n_directions, 20)) * 0.3
    width = Gaussian(width=2.0 * Gaussian(width="median").resolve(X).width)
    for objective, slope in (("l1", np.ones_like), ("tanh", np.tanh)):
        model = GeneralizedKernelPCA(n_components=10, kernel=width, objective=objective)
        few = GeneralizedKernelPCA(
            n_components=10, kernel=width, objective=objective, n_landmarks=300, random_state=0
        )
        ours, landmarks, theirs = best_times(
            lambda model=model: model.fit(X),
            lambda few=few: few.fit(X),
            lambda slope=slope: numpy_recursion(X, width, 10, slope, 1e-10),
            repeat=5,
        )
        what = f"GeneralizedKernelPCA {objective}, n={n}, d={n_directions}"
        exact_scores, near = model.transform(X), few.transform(X)
        agreement = [abs(np.corrcoef(a, b)[0, 1]) for a, b in zip(exact_scores.T, near.T)]
        error = np.abs(exact_scores - numpy_recursion(X, width, 10, slope, 1e-13)).max()
        reached = f"scores differ by {error:.0e}"
        label = "NumPy O(n²) recursion"
        goal = "20" if n_directions < 10 else ""
        report(what, ours, theirs, against=label, goal=goal, quality=reached)
        reached = f"scores correlate above {min(agreement):.4f}"
        what = f"{what}, 300 landmarks"
        report(what, landmarks, ours, against="exact", goal="5", quality=reached)


def landmarks() -> None:
    """Landmarks are linear in n, exact components quadratic: at full rank they pay for large n.

    At n = 3,000 the exact fit is little more than forming the matrix and some hundred products with
    it; 300 landmarks take a tenth of the matrix, its square root, and products with features.
    """
    n = 1000 if quick else 8000
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 10)) @ rng.normal(size=(10, 20)) * 0.3
    width = Gaussian(width=2.0 * Gaussian(width="median").resolve(X).width)
    for objective in ("l1", "tanh"):
        params = {"n_components": 10, "kernel": width, "objective": objective}
        model = GeneralizedKernelPCA(**params)
        few = GeneralizedKernelPCA(n_landmarks=300, random_state=0, **params)
        ours, exactly = best_times(
            lambda few=few: few.fit(X), lambda model=model: model.fit(X), repeat=1
        )
        scores = zip(model.transform(X).T, few.transform(X).T)
        agreement = min(abs(np.corrcoef(a, b)[0, 1]) for a, b in scores)
        what = f"GeneralizedKernelPCA {objective}, n={n}, d=10, 300 landmarks"
        reached = f"scores correlate above {agreement:.4f}"
        report(what, ours, exactly, against="exact", goal="5", quality=reached)


PARTS = {
    "online": online,
    "exact": exact,
    "generalized": generalized,
    "kernel_l2": kernel_l2,
    "kernel": kernel,
    "kernel_full_rank": lambda: kernel(10),
    "landmarks": landmarks,
}

if __name__ == "__main__":
    with recorded(__file__):
        for part in sys.argv[1:] or PARTS:
            PARTS[part]()
