"""
Unit balls, and what a principal direction is in them
=====================================================

A norm decides what is equally far from the middle. It therefore also decides which direction of a
cloud is the longest one: the first principal component is where the responses [x, w] to a unit
vector w are largest on average, and both the response and "unit" belong to the geometry.
"""

# %%
# The points lie evenly on an ellipse that is a little taller than wide (1.2 : 1). In the Euclidean
# plane its longest direction is the vertical axis. In l1 it is not: the component stands at the
# angle arctan(1.2²) = 55.2°, and the exact answer is known.

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import HebbianPCA, Lp

angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
ellipse = np.column_stack([np.cos(angle), 1.2 * np.sin(angle)])

directions = {}
for p in (1, 2, 4):
    pca = HebbianPCA(n_components=1, space=Lp(p), random_state=0).fit(ellipse)
    directions[p] = pca.components_[0]
    degrees = np.degrees(np.arctan2(*np.abs(directions[p])[::-1]))
    print(f"p = {p}: first component at {degrees:.1f} degrees")

# %%
# A ball is all points of norm at most 1. The component is the point of the ball's rim that the
# cloud, seen through that norm, points to.

figure, axs = plt.subplots(1, 3, figsize=(8, 3.1), sharex=True, sharey=True)
circle = np.column_stack([np.cos(angle), np.sin(angle)])
for k, (ax, (p, w)) in enumerate(zip(axs, directions.items())):
    rim = circle / Lp(p).norm(circle)[:, None]
    ax.fill(*rim.T, color=f"C{k}", alpha=0.15)
    ax.plot(*rim.T, color=f"C{k}", label="unit ball")
    ax.plot(*ellipse[::8].T, ".", color="#777777", markersize=3, label="data")
    for sign in (1, -1):
        ax.annotate(
            "", sign * w, (0, 0), arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 2}
        )
    ax.set(title=f"$l_{p}$", xlabel="$x_1$", aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
axs[0].set_ylabel("$x_2$")
plt.show()
