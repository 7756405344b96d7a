"""
Kernel ICA: what was mixed
==========================

Three signals arrive mixed at three microphones. Principal components are uncorrelated, but still
mixtures; independent components are the signals, up to order, sign and size. Kernel ICA measures
dependence itself instead of a stand-in for it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA

from noneuclid import KernelICA

rng = np.random.default_rng(0)
time = np.linspace(0, 4, 800)
sources = np.column_stack([
    np.sin(2 * np.pi * time),
    np.sign(np.sin(3 * np.pi * time)),
    2 * (0.7 * time % 1) - 1,
])  # fmt: skip
sources = sources + rng.normal(0, 0.05, sources.shape)
sources = (sources - sources.mean(axis=0)) / sources.std(axis=0)
mixed = sources @ np.array([[1.0, 0.6, 0.5], [0.6, 1.0, 0.8], [0.8, 0.4, 1.2]])

# %%
# Found signals are put in the order of the sources by their correlation, which is also the
# measure of success.


def in_order(found):
    found = (found - found.mean(axis=0)) / found.std(axis=0)
    r = sources.T @ found / len(found)
    order = np.abs(r).argmax(axis=1)
    return found[:, order] * np.sign(r[range(3), order]), np.abs(r).max(axis=1)


components, r_pca = in_order(PCA(3).fit_transform(mixed))
independent, r_ica = in_order(KernelICA(3, random_state=0).fit_transform(mixed))
print("correlation with the sources, PCA:", r_pca.round(3), "kernel ICA:", r_ica.round(3))

# %%
# The first two seconds.

figure, axs = plt.subplots(3, 3, figsize=(9, 3.9), sharex=True)
titles = ("mixed", "principal components", "kernel ICA")
for column, (title, signals) in enumerate(zip(titles, (mixed, components, independent))):
    axs[0, column].set_title(title)
    axs[-1, column].set_xlabel("time (s)")
    for k in range(3):
        ax = axs[k, column]
        ax.plot(time[:400], signals[:400, k], color=f"C{k}", linewidth=1.2)
        if column:
            r = (r_pca if column == 1 else r_ica)[k]
            ax.text(1.0, 1.0, f"r = {r:.2f}", ha="right", va="bottom", transform=ax.transAxes)
        ax.set_yticks([])
plt.show()
