"""Speed, memory and errors of prototypes in Nystroem features, as ratios measured in one run.

The errors are those of the same data held out, with all proximities and with landmarks, and that of
the kernel itself: the mean of |K̃ − K| over sampled pairs, relative to that of K.

python benchmarks/nystroem.py
"""

import tracemalloc

import numpy as np
from _record import quick, recorded
from _timing import best_time, best_times, report
from sklearn.datasets import load_digits, make_blobs

from noneuclid.kernels import Gaussian
from noneuclid.prototypes import KernelRSLVQ

LANDMARKS = 100


def model(n_landmarks=LANDMARKS, **params):
    params = {"n_prototypes": 2, "max_epochs": 10, "tol": 0, "random_state": 0, **params}
    return KernelRSLVQ(n_landmarks=n_landmarks, **params)


def growth():
    """Time of N = 10⁵ over that of N = 10⁴, and the memory at 10⁵."""
    X, y = make_blobs(100_000, centers=5, n_features=20, cluster_std=6.0, random_state=0)
    kernel = Gaussian(width=20.0)
    few = best_time(lambda: model(kernel=kernel).fit(X[:10_000], y[:10_000]), repeat=3)
    many = best_time(lambda: model(kernel=kernel).fit(X, y), repeat=1, warm_up=0)
    print(f"N = 10^4: {few:.2f} s, N = 10^5: {many:.2f} s: {many / few:.1f} times (goal 13)")
    tracemalloc.start()
    fitted = model(kernel=kernel, max_epochs=2).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = len(X) * sum(fitted.signature_[:2]) * 8
    print(f"peak memory: {peak / size:.2f} times the feature matrix (goal below 4)")


def digits_like(n, seed=0):
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    index = rng.choice(len(X), n)
    return (X[index] + rng.normal(scale=2.0, size=(n, 64))) / 16, y[index]


def kernel_error(X, new, n_pairs=500):
    """Mean of |K̃ − K| over pairs of new samples, relative to the mean of |K|."""
    kernel = Gaussian(width="median").resolve(X)
    slab = kernel(X[:LANDMARKS], np.vstack([X, new[:n_pairs]]))
    landmarks, rows = slab[:, :LANDMARKS], slab[:, len(X) :]
    exact = kernel(new[:n_pairs])
    near = rows.T @ np.linalg.lstsq(landmarks, rows, rcond=1e-10)[0]
    return np.abs(near - exact).mean() / np.abs(exact).mean()


def against_the_full_model(n):
    X, y = digits_like(n + 2000)
    train, test = slice(n), slice(n, None)
    full, features = model(None, max_epochs=30), model(max_epochs=30)
    slow, fast = best_times(
        lambda: full.fit(X[train], y[train]), lambda: features.fit(X[train], y[train]), repeat=5
    )
    errors = [100 * (1 - m.score(X[test], y[test])) for m in (full, features)]
    what, reached = f"KernelRSLVQ, N={n}, {LANDMARKS} landmarks", "error {1:.2f} %; {0:.2f} %"
    against, goal = "all proximities", "12" if n == 4000 else ""
    report(what, fast, slow, against=against, goal=goal, quality=reached.format(*errors))
    print(f"  error of the kernel on pairs held out: {100 * kernel_error(X[train], X[test]):.1f} %")


if __name__ == "__main__":
    with recorded(__file__):
        if not quick:
            growth()
        for n in (500,) if quick else (4000, 8000):
            against_the_full_model(n)
