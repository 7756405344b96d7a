"""
A support vector machine, seen as two densities
===============================================

With a Gaussian kernel, the decision of a support vector machine is a difference of two weighted
Parzen densities, one per class, built on the support vectors only. So the machine does not only
have a border: it has an opinion on where each class lives.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.svm import SVC

from noneuclid.information import svm_as_parzen

X, y = make_moons(300, noise=0.2, random_state=0)
svc = SVC(kernel="rbf", gamma=2.0, C=1.0).fit(X, y)
view = svm_as_parzen(svc)
grid = np.stack(np.meshgrid(np.linspace(-1.8, 2.8, 150), np.linspace(-1.4, 1.9, 110)), axis=-1)
points = grid.reshape(-1, 2)

# %%
# The identity holds to rounding: density of one class, less that of the other, plus a constant, is
# the decision over Ω.

p, q = (view.density(points, label) for label in (1, 0))
gap = np.abs(p - q + view.intercept - svc.decision_function(points) / view.omega).max()
print(f"{len(svc.support_)} support vectors of {len(X)}; largest difference {gap:.1e}")

# %%
# Two densities, and their difference with the border at zero.

figure, axs = plt.subplots(1, 3, figsize=(10, 3.2), sharey=True)
mesh = grid.transpose(2, 0, 1)
panels = ((q, "density of class 0", "Blues"), (p, "density of class 1", "Oranges"))
for label, (ax, (values, title, colours)) in enumerate(zip(axs, panels)):
    ax.contourf(*mesh, values.reshape(grid.shape[:2]), 9, cmap=colours)
    chosen = svc.support_[y[svc.support_] == label]
    ax.plot(*X[chosen].T, "os"[label], color="black", markersize=2.5)
    ax.set(title=title, xlabel="$x_1$")
difference = (p - q + view.intercept).reshape(grid.shape[:2])
limit = np.abs(difference).max()
axs[2].contourf(*mesh, difference, np.linspace(-limit, limit, 15), cmap="PuOr_r")
axs[2].contour(*mesh, difference, [0], colors="black")
for label, mark in enumerate("os"):
    axs[2].plot(*X[y == label].T, mark, color="black", markersize=2, markerfacecolor="white",
                markeredgewidth=0.5)  # fmt: skip
axs[2].set(title="difference, and the border", xlabel="$x_1$")
axs[0].set_ylabel("$x_2$")
plt.show()
