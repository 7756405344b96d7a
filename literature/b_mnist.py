"""Source B, MNIST digits with speckle: tables 2.4, 2.10, 3.4, 3.9.

python literature/b_mnist.py [linear] [kernel] [--reduced]
"""

import numpy as np
from _experiment import Result, claim, difference, load, run, table
from _objectives import CURVES, GAUSSIANS, KERNEL, LINEAR, NORMS, SKELETONS, part, rate

VARIANCES = [0, 0.2, 1, 4, 10]  # of the twelve published
WIDTH = 5000.0
PROTOCOL = (
    "{k} draws of {train} training images per digit and {test} test images (published: all 60,000 "
    "and 10,000); speckle x + x·n, n uniform with mean 0 and the variance of the row, cut off at 0 "
    "and 255; five of the twelve variances; 30 components per digit; errors in %; iterations to a "
    "change of 1e-3."
)
OTHER = "a small part of the training images, which costs accuracy; compare along a row"


def speckle(X, variance, rng):
    """Noise in proportion to the grey level."""
    half = np.sqrt(3.0 * variance)
    return np.clip(X * (1 + rng.uniform(-half, half, size=X.shape)), 0, 255)


def drawn(seed, n_train, n_test):
    """Training images, equally many of each digit, and test images."""
    data = load("mnist")
    rng = np.random.default_rng(seed)
    y = data["y_train"].ravel()
    picks = np.concatenate([rng.permutation(np.flatnonzero(y == d))[:n_train] for d in range(10)])
    test = rng.permutation(len(data["y_test"]))[:n_test]
    images = [
        data[name][rows].reshape(len(rows), -1).astype(float)
        for name, rows in (("X_train", picks), ("X_test", test))
    ]
    return images[0], y[picks], images[1], data["y_test"].ravel()[test], rng


def errors(seed, levels, names, width, sizes):
    """Errors (level, objective) of one draw."""
    train, y, test, expected, rng = drawn(seed, *sizes)
    found = []
    for level in levels:
        a, b = speckle(train, level, rng), speckle(test, level, rng)
        found.append([100 - rate(name, 30, a, y, b, expected, width) for name in names])
        print(f"MNIST {level}: draw {seed} done", flush=True)
    return found


def items(setting, names, tables, robust, width=None):
    """Results of the tables of one kind of components."""
    repeats, sizes, levels = 2, (100, 500), VARIANCES
    if setting == "reduced":
        sizes, levels = (40, 100), [0, 10]
    found = np.array([errors(seed, levels, names, width, sizes) for seed in range(repeats)])
    protocol = PROTOCOL.format(k=repeats, train=sizes[0], test=sizes[1])
    l2, other = (found[:, levels.index(levels[-1]), names.index(n)] for n in ("l2", robust))
    mean, spread = difference(l2, other)
    shown = claim(
        f"In the strongest noise {robust} makes fewer errors than l2",
        mean > 2 * spread,
        f"l2 − {robust}: {mean:+.2f} ± {spread:.2f} points",
    )
    seeds = list(range(repeats))
    return {
        item: Result(
            protocol,
            table(part(found, names, own), levels, own),
            [shown],
            seeds,
            OTHER,
        )
        for item, own in tables.items()
    }


def linear(setting):
    """Components of the pixels."""
    tables = {"B-table-2.4": NORMS + CURVES, "B-table-2.10": ["sech", *SKELETONS]}
    return items(setting, LINEAR, tables, "sech")


def kernel(setting):
    """Components in the feature space of a Gaussian kernel."""
    tables = {"B-table-3.4": NORMS, "B-table-3.9": ["l1", *GAUSSIANS]}
    return items(setting, KERNEL, tables, "l1", WIDTH)


if __name__ == "__main__":
    run(linear, kernel)
