"""Distributions as data: classify bags of samples by the product of their densities.

    python examples/bags_of_samples.py [folder]

Each object is a bag of points, such as the cells of one blood sample or the events of one day. The
three classes below have the same means and the same variances, so that averaging each bag throws
everything away. The kernel V(p, q) = ∫pq sees the whole distributions.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.svm import SVC

from noneuclid import CrossInformationPotential, KernelRSLVQ, two_sample_test
from noneuclid.displays._axes import COLOURS, axes, plain

NAMES = np.array(["round", "ring", "four spots"])


def bag(kind, size, rng):
    """Points of one class, of mean 0 and variance 1 in each coordinate."""
    if kind == "round":
        return rng.normal(size=(size, 2))
    if kind == "ring":
        angle = rng.uniform(0, 2 * np.pi, size)
        radius = rng.normal(1.0, 0.2, size)
        points = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        return points / np.sqrt(0.5 * 1.04)
    spots = rng.choice([-1.0, 1.0], size=(size, 2)) + rng.normal(0, 0.4, size=(size, 2))
    return spots / np.sqrt(1.16)


def bags(n, rng):
    labels = NAMES[np.arange(n) % 3]
    return [bag(label, rng.integers(30, 80), rng) for label in labels], labels


def moments(X):
    """What is left of a bag after averaging: its mean and covariance."""
    return np.array([[*x.mean(axis=0), *np.cov(x.T)[np.triu_indices(2)]] for x in X])


def main(folder):
    rng = np.random.default_rng(0)
    training, y = bags(90, rng)
    test, truth = bags(300, rng)
    kernel = CrossInformationPotential(0.25, normalize=True)

    plain_rule = QuadraticDiscriminantAnalysis().fit(moments(training), y)
    print(
        f"means and covariances of the bags: accuracy {plain_rule.score(moments(test), truth):.2f}"
    )
    svc = SVC(kernel=kernel, C=10.0).fit(training, y)
    print(f"SVC on the bags:                   accuracy {svc.score(test, truth):.2f}")
    lvq = KernelRSLVQ(kernel=kernel, random_state=0).fit(training, y)
    print(f"KernelRSLVQ on the bags:           accuracy {lvq.score(test, truth):.2f}")

    rings, spots = np.vstack(training[1:12:3]), np.vstack(training[2:12:3])
    result = two_sample_test(rings, spots, 0.25, random_state=0)
    print(f"four rings against four bags of spots: p = {result.pvalue:.3f}")

    pca = KernelPCA(2, kernel="precomputed").fit(kernel(training))
    scores = pca.transform(kernel(test, training))
    ax = axes()
    for name, colour, mark in zip(NAMES, COLOURS, "os^"):
        chosen = truth == name
        ax.scatter(*scores[chosen].T, s=18, color=colour, marker=mark, label=name)
    ax.set(xlabel="score 1", ylabel="score 2", title="each point is a distribution")
    ax.legend(frameon=False)
    plain(ax)
    folder.mkdir(parents=True, exist_ok=True)
    ax.figure.savefig(folder / "bags_of_samples_kernel_pca.png", dpi=120)
    result.plot().figure_.savefig(folder / "bags_of_samples_test.png", dpi=120)
    print(f"2 figures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
