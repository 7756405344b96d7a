"""
One data set, many geometries
=============================

The same points and the same learner, with two prototypes per class. Only the geometry differs,
and with it what "nearest prototype" means: the regions have corners in l1 and l∞, bend where the
distance is that of a kernel, and follow correlated features in a Hilbert space.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.model_selection import cross_val_score

from noneuclid import GLVQ, Gaussian, Hilbert, KernelMetric, Lp

X, y = make_moons(160, noise=0.18, random_state=0)
covariance = np.cov(X.T)
geometries = {
    "$l_1$": Lp(1),
    "$l_2$": Lp(2),
    "$l_\\infty$": Lp(np.inf),
    "inverse covariance": Hilbert(np.linalg.inv(covariance)),
    "kernel, width 1": KernelMetric(Gaussian(1.0)),
    "kernel, width 0.3": KernelMetric(Gaussian(0.3)),
}

# %%
# Five-fold cross-validation beside the picture: a picture alone persuades too easily.

grid = np.stack(np.meshgrid(np.linspace(-1.6, 2.6, 160), np.linspace(-1.1, 1.6, 120)), axis=-1)
figure, axs = plt.subplots(3, 2, figsize=(5.8, 6.6), sharex=True, sharey=True)
for ax, (name, space) in zip(axs.flat, geometries.items()):
    model = GLVQ(n_prototypes=2, space=space, random_state=0)
    accuracy = cross_val_score(model, X, y, cv=5)
    model.fit(X, y)
    regions = model.predict(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    ax.contourf(*grid.transpose(2, 0, 1), regions, levels=[-0.5, 0.5, 1.5], alpha=0.18,
                colors=["C0", "C1"])  # fmt: skip
    for label, mark in enumerate("os"):
        ax.plot(*X[y == label].T, mark, color=f"C{label}", markersize=2.5)
        chosen = model.prototypes_[model.prototype_labels_ == label]
        ax.plot(*chosen.T, mark, color=f"C{label}", markersize=10, markeredgecolor="black")
    ax.set_title(f"{name}\n{accuracy.mean():.2f} ± {accuracy.std(ddof=1) / 5**0.5:.2f}")
figure.supxlabel("$x_1$")
figure.supylabel("$x_2$")
plt.show()
