"""
Your own space, kernel, cost, metric
====================================

Each is a few lines, and each then works in every learner that takes its kind. The pages on
:doc:`extending </extending>` show how to check them and how to add them to the package.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

from noneuclid import KernelRSLVQ, RelationalGLVQ
from noneuclid.kernels import Kernel
from noneuclid.prototypes import Cost, VectorLVQ
from noneuclid.spaces import LinearSpace

X, y = load_iris(return_X_y=True)

# %%
# A space is its duality map J, the gradient of half the squared norm. Here sepals and petals are
# two arrows, and the norm is the sum of their lengths.


class TwoArrows(LinearSpace):
    def dual(self, V):
        arrows = V.reshape(len(V), 2, 2)
        lengths = np.linalg.norm(arrows, axis=2, keepdims=True)
        directions = arrows / np.where(lengths > 0, lengths, 1.0)
        return (lengths.sum(axis=1, keepdims=True) * directions).reshape(V.shape)


# %%
# A kernel is its values for two tables of rows: the overlap of two histograms.


class Overlap(Kernel):
    def _evaluate(self, X, Y):
        return np.minimum(X[:, None], Y).sum(axis=2)


# %%
# A metric is a function of two objects.


def ratios_apart(a, b):
    return np.abs(np.log(a / b)).sum()


# %%
# A cost takes distances to values and to forces: how hard each prototype is pulled.


class Overtaken(Cost):
    """max(0, d₊ − d₋ + 1): only samples that are not safe pull."""

    name = "overtaken"

    def per_sample(self, D, who):
        rows = np.arange(len(D))
        right = np.where(who.own, D, np.inf).argmin(axis=1)
        wrong = np.where(who.own, np.inf, D).argmin(axis=1)
        values = np.maximum(D[rows, right] - D[rows, wrong] + 1.0, 0.0)
        forces = np.zeros_like(D)
        forces[rows, right], forces[rows, wrong] = 1.0 * (values > 0), -1.0 * (values > 0)
        return values, forces


# %%
# Into the learners, beside what the package brings. Five folds, standard errors.

learners = {
    "as it comes": VectorLVQ(random_state=0),
    "your space": VectorLVQ(space=TwoArrows(), random_state=0),
    "your kernel": KernelRSLVQ(kernel=Overlap(), random_state=0),
    "your metric": RelationalGLVQ(metric=ratios_apart, random_state=0),
    "your cost": VectorLVQ(cost=Overtaken(), random_state=0),
}
scores = {name: cross_val_score(model, X, y, cv=5) for name, model in learners.items()}
figure, ax = plt.subplots(figsize=(5.7, 3.2))
mean = [row.mean() for row in scores.values()]
ax.errorbar(mean, range(5), xerr=[row.std(ddof=1) / 5**0.5 for row in scores.values()], fmt="o",
            capsize=4)  # fmt: skip
ax.set_yticks(range(5), scores)
ax.invert_yaxis()
ax.set(xlabel="accuracy on new flowers", xlim=(0.8, 1.005))
plt.show()
