"""A few geometries on curves, images and strings: which one suits the data, in one table.

Run it with ``make demo``.
"""

from time import perf_counter

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from noneuclid import (
    Euclidean,
    FourierSobolev,
    LeeVerleysen,
    Lp,
    RelationalGLVQ,
    Sobolev,
    signature,
)
from noneuclid.proximities import pairwise, to_similarity


def spectra(n=300, seed=0):
    """Curves like spectra: a large smooth background, and a small line whose place is the class."""
    rng = np.random.default_rng(seed)
    t, y = np.linspace(0, 1, 100), np.arange(n) % 3
    background = rng.normal(size=(n, 3)) @ np.array([np.ones(100), 3 * t, 5 * (t - 0.5) ** 2])
    place = np.array([0.4, 0.45, 0.5])[y] + 0.01 * rng.normal(size=n)
    line = 0.5 * np.exp(-(((t - place[:, None]) / 0.03) ** 2))
    return background + line + 0.01 * rng.normal(size=(n, 100)), y


def digits(n=400):
    """The first of scikit-learn's handwritten digits, 8 x 8 pixels."""
    X, y = load_digits(return_X_y=True)
    return X[:n], y[:n]


def strings(n_each=60, length=30, seed=0):
    """Words of four ancestors, each letter replaced, dropped or doubled with some probability."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("ACGT"))
    ancestors = rng.choice(letters, size=(4, length))
    y = np.repeat(np.arange(4), n_each)
    words = []
    for ancestor in ancestors[y]:
        copies = rng.choice([0, 1, 2], p=[0.15, 0.7, 0.15], size=length)
        mutated = np.where(rng.random(length) < 0.3, rng.choice(letters, size=length), ancestor)
        words.append("".join(np.repeat(mutated, copies)))
    return words, y


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


def compare(data, geometry, D, y, *, hilbert, started):
    """One line of the table: three learners on the same distances."""
    neighbour = KNeighborsClassifier(1, metric="precomputed")
    prototypes = RelationalGLVQ(
        metric="precomputed",
        n_prototypes=2,
        transfer="sigmoid",
        slope="auto",
        correction=None if hilbert else "clip",
        random_state=0,
    )
    line = f"{data:<9}{geometry:<48}{accuracy(neighbour, np.sqrt(D), y):>10.3f}"
    line += f"{accuracy(prototypes, D, y):>12.3f}"
    if hilbert:
        K = np.exp(-D / np.median(D))
        line += f"{accuracy(SVC(C=10, kernel='precomputed'), K, y):>8.3f}"
    else:
        line += f"{'–':>8}"
    print(f"{line}{perf_counter() - started:>9.2f}", flush=True)


def main():
    print("Five-fold accuracy of one nearest neighbour, of relational GLVQ with two prototypes per")
    print("class, and of a support vector machine with the kernel exp(-d²/median), which is")
    print("positive definite in Hilbert spaces only.\n")
    print(f"{'data':<9}{'geometry':<48}{'neighbour':>10}{'prototypes':>12}{'svc':>8}{'seconds':>9}")
    for name, ((X, y), spaces) in DATA.items():
        for space in spaces:
            started = perf_counter()
            D = space.squared_distance(X, X)
            compare(name, str(space), D, y, hilbert=space.is_hilbert, started=started)
        print()
    started = perf_counter()
    words, y = strings()
    D = pairwise(words, "levenshtein")
    compare("strings", "edit distance", D, y, hilbert=False, started=started)
    found = signature(to_similarity(D))
    print(f"\nEdit distances are not Euclidean: {found.negative} of {len(D)} eigenvalues are < 0.")


if __name__ == "__main__":
    main()
