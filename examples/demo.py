"""A few geometries on curves and images: which one suits the data, in one table.

Run it with ``make demo``.
"""

from time import perf_counter

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from noneuclid import Euclidean, FourierSobolev, LeeVerleysen, Lp, Sobolev


def spectra(n=300, seed=0):
    """Curves like spectra: a large smooth background, and a small line whose place is the class."""
    rng = np.random.default_rng(seed)
    t, y = np.linspace(0, 1, 100), np.arange(n) % 3
    background = rng.normal(size=(n, 3)) @ np.array([np.ones(100), 3 * t, 5 * (t - 0.5) ** 2])
    place = np.array([0.4, 0.45, 0.5])[y] + 0.01 * rng.normal(size=n)
    line = 0.5 * np.exp(-(((t - place[:, None]) / 0.03) ** 2))
    return background + line + 0.01 * rng.normal(size=(n, 100)), y


def digits(n=600):
    """The first of scikit-learn's handwritten digits, 8 x 8 pixels."""
    X, y = load_digits(return_X_y=True)
    return X[:n], y[:n]


DATA = {
    "spectra": (
        spectra(),
        [
            Euclidean(),
            Lp(1),
            Lp(float("inf")),
            LeeVerleysen(p=1),
            Sobolev(spacing="unit"),
            Sobolev(p=1, spacing="unit"),
            FourierSobolev(order=1, spacing="unit"),
        ],
    ),
    "digits": (
        digits(),
        [
            Euclidean(),
            Lp(1),
            Lp(1.5),
            Lp(float("inf")),
            Sobolev(shape=(8, 8), weights=(1, 0.5)),
            Sobolev(p=1.5, shape=(8, 8), weights=(1, 0.5)),
        ],
    ),
}


def accuracy(learner, P, y):
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return cross_val_score(learner, P, y, cv=folds).mean()


def main():
    print("Five-fold accuracy of one nearest neighbour, and of a support vector machine with the")
    print("kernel exp(-d²/median), which is positive definite in Hilbert spaces only.\n")
    print(f"{'data':<9}{'space':<48}{'neighbour':>10}{'svc':>8}{'seconds':>9}")
    for name, ((X, y), spaces) in DATA.items():
        for space in spaces:
            start = perf_counter()
            D = space.squared_distance(X, X)
            nearest = accuracy(KNeighborsClassifier(1, metric="precomputed"), np.sqrt(D), y)
            line = f"{name:<9}{space!s:<48}{nearest:>10.3f}"
            if space.is_hilbert:
                K = np.exp(-D / np.median(D))
                line += f"{accuracy(SVC(C=10, kernel='precomputed'), K, y):>8.3f}"
            else:
                line += f"{'–':>8}"
            print(f"{line}{perf_counter() - start:>9.2f}")
        print()


if __name__ == "__main__":
    main()
