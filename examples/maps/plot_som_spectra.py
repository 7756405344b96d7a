"""
A map of spectra
================

A self-organising map lays spectra out on a grid, so that neighbours on the grid are alike. In
which respect, the geometry says: with a Sobolev norm that counts curvature the map is ordered by
the small lines, without it by the large background.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import SelfOrganizingMap, Sobolev
from noneuclid.datasets import make_spectra

data = make_spectra(300)
X, y = data.X, np.asarray(data.labels)
step = float(np.diff(data.grid).mean())
spaces = {"$l_2$": "l2", "Sobolev": Sobolev(weights=(1, 0, 1e7), spacing=step)}
maps = {
    name: SelfOrganizingMap(shape=(5, 7), space=space, max_epochs=30, random_state=0).fit(X)
    for name, space in spaces.items()
}

# %%
# How pure are the fields? The share of the most frequent class, over all spectra.

classes = np.unique(y)
counts = {}
for name, som in maps.items():
    field = som.predict(X)
    table = np.array([[np.sum((field == j) & (y == c)) for c in classes] for j in range(35)])
    counts[name] = table.reshape(5, 7, 3)
    print(f"{name}: {table.max(axis=1).sum() / len(y):.2f} of the spectra are in a field of their "
          f"class, topographic error {som.topographic_error(X):.2f}")  # fmt: skip

# %%
# A pie per field, its size the number of spectra. On the right, classes have regions.

figure, axs = plt.subplots(1, 2, figsize=(8.5, 3.9))
for ax, (name, table) in zip(axs, counts.items()):
    for (i, j), n in np.ndenumerate(table.sum(axis=2)):
        if n:
            radius = 0.46 * np.sqrt(n / max(t.sum(axis=2).max() for t in counts.values()))
            ax.pie(table[i, j], radius=radius, center=(j, i), colors=["C0", "C1", "C2"], frame=True)
    ax.set(xlim=(-0.6, 6.6), ylim=(-0.6, 4.6), xticks=[], yticks=[], title=name, aspect="equal")
    ax.spines[:].set_visible(False)
handles = [plt.Line2D([], [], marker="o", linestyle="", color=f"C{k}") for k in range(3)]
figure.legend(handles, classes, loc="outside lower center", ncols=3)
plt.show()
