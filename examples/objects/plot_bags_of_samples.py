"""
Bags of samples
===============

Each object is a bag of points: the cells of one blood sample, the events of one day. The three
classes have equal means and covariances, so that averaging a bag throws everything away. The
kernel V(p, q) = ∫pq compares whole distributions, and takes bags to every kernel method.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.svm import SVC

from noneuclid import CrossInformationPotential, KernelRSLVQ

NAMES = np.array(["round", "ring", "four spots"])
rng = np.random.default_rng(0)


def bag(kind, size):
    """Points of mean 0 and variance 1 in each coordinate."""
    if kind == "round":
        return rng.normal(size=(size, 2))
    if kind == "ring":
        angle, radius = rng.uniform(0, 2 * np.pi, size), rng.normal(1.0, 0.2, size)
        return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]) / 0.52**0.5
    return (rng.choice([-1.0, 1.0], size=(size, 2)) + rng.normal(0, 0.4, (size, 2))) / 1.16**0.5


def bags(n):
    labels = NAMES[np.arange(n) % 3]
    return [bag(label, rng.integers(30, 80)) for label in labels], labels


def moments(X):
    return np.array([[*x.mean(axis=0), *np.cov(x.T)[np.triu_indices(2)]] for x in X])


training, y = bags(90)
test, truth = bags(300)

# %%
# Bags differ in size; they are given as a list of arrays.

kernel = CrossInformationPotential(0.25, normalize=True)
rule = QuadraticDiscriminantAnalysis().fit(moments(training), y)
svc = SVC(kernel=kernel, C=10.0).fit(training, y)
lvq = KernelRSLVQ(kernel=kernel, random_state=0).fit(training, y)
print(f"means and covariances {rule.score(moments(test), truth):.2f}, "
      f"SVC on the bags {svc.score(test, truth):.2f}, "
      f"KernelRSLVQ {lvq.score(test, truth):.2f}")  # fmt: skip

# %%
# Three bags, and all 300 test bags as points: principal components of distributions.

pca = KernelPCA(2, kernel="precomputed").fit(kernel(training))
scores = pca.transform(kernel(test, training))
figure = plt.figure(figsize=(8, 4.4))
grid = figure.add_gridspec(3, 2, width_ratios=[1, 3.2])
ax = figure.add_subplot(grid[:, 1])
for k, (name, mark) in enumerate(zip(NAMES, "os^")):
    small = figure.add_subplot(grid[k, 0])
    small.plot(*training[k].T, mark, color=f"C{k}", markersize=2.5)
    small.set(title=name, xlim=(-3, 3), ylim=(-3, 3), xticks=[], yticks=[], aspect="equal")
    ax.plot(*scores[truth == name].T, mark, color=f"C{k}", markersize=4, label=name)
ax.set(xlabel="component 1", ylabel="component 2", title="each point is a bag")
ax.legend(loc="upper right")
plt.show()
