"""
Robust components of images with dummies
========================================

Images of a digit, and among them a few dummies that show noise of high contrast. Ordinary
principal components follow the square of what they leave out, so that a few dummies turn them.
With an objective that grows more slowly they stay with the digits.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from noneuclid import GeneralizedPCA

rng = np.random.default_rng(0)
images, digit = load_digits(return_X_y=True)
clean = images[digit == 3] / 16.0
dummies = 2.0 * rng.integers(0, 2, size=(15, 64))
dirty = np.vstack([clean, dummies])
print(f"{len(clean)} images of a three, {len(dummies)} dummies")

# %%
# Each model learns four components of the mixture. What counts is how well they rebuild the
# *clean* images; components learned without dummies set the standard.

models = {
    "l2, clean data": GeneralizedPCA(n_components=4, objective="l2").fit(clean),
    "l2": GeneralizedPCA(n_components=4, objective="l2").fit(dirty),
    "l1": GeneralizedPCA(n_components=4, objective="l1", random_state=0).fit(dirty),
    "l0.5": GeneralizedPCA(n_components=4, objective="l0.5", random_state=0).fit(dirty),
}


def left_out(model):
    """Root mean square of what four components do not explain, around the clean mean."""
    centred = clean - clean.mean(axis=0)
    W = np.linalg.qr(model.components_.T)[0]
    return np.sqrt(np.mean((centred - centred @ W @ W.T) ** 2))


errors = {name: left_out(model) for name, model in models.items()}

# %%
# The first four components as images, and the error.

figure = plt.figure(figsize=(9, 4.6))
grid = figure.add_gridspec(4, 6, width_ratios=[1, 1, 1, 1, 0.3, 3.6])
for row, (name, model) in enumerate(models.items()):
    for column, component in enumerate(model.components_):
        ax = figure.add_subplot(grid[row, column])
        limit = np.abs(component).max()
        ax.imshow(component.reshape(8, 8), cmap="PuOr", vmin=-limit, vmax=limit)
        ax.set(xticks=[], yticks=[])
        if column == 0:
            ax.set_ylabel(name.replace(", ", "\n"))
        if row == 0:
            ax.set_title(f"{column + 1}", loc="center")
ax = figure.add_subplot(grid[:, 5])
ax.barh(list(errors), list(errors.values()), color=["#999999", "C0", "C1", "C2"])
ax.invert_yaxis()
ax.set(xlabel="error on clean images (grey levels, 0 to 1)", title="four components")
plt.show()
