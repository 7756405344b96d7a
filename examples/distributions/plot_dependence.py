"""
Dependence, at every width
==========================

A test of dependence by kernels has a width, and may miss what is finer or coarser than it.
Choosing the width on the data makes p-values wrong; taking several and combining them keeps them
right. The relations below have no linear correlation at all.
"""

import matplotlib.pyplot as plt
import numpy as np

from noneuclid import independence_test

rng = np.random.default_rng(0)
n = 200
x = rng.uniform(-1, 1, n)
angle = rng.uniform(0, 2 * np.pi, n)
relations = {
    "parabola": (x, x**2 + rng.normal(0, 0.15, n)),
    "circle": (np.cos(angle) + rng.normal(0, 0.15, n), np.sin(angle) + rng.normal(0, 0.15, n)),
    "fast wave": (x, np.cos(4 * np.pi * x) + rng.normal(0, 0.4, n)),
    "none": (x, rng.normal(0, 0.5, n)),
}

# %%
# Left to right: linear correlation, a width by the median rule, all widths together.

pvalues = {}
for name, (a, b) in relations.items():
    one, several = (
        independence_test(a[:, None], b[:, None], width, random_state=0).pvalue
        for width in ("median", "aggregate")
    )
    pvalues[name] = (np.corrcoef(a, b)[0, 1], one, several)
    print(f"{name:>10}: correlation {pvalues[name][0]:+.2f}, p = {one:.3f} (median width), "
          f"p = {several:.3f} (aggregated)")  # fmt: skip

# %%
# The median width misses the wave.

figure, axs = plt.subplots(1, 4, figsize=(10, 3.1))
for ax, (name, (a, b)) in zip(axs, relations.items()):
    r, one, several = pvalues[name]
    ax.plot(a, b, "o", markersize=2.5, color="C0" if several < 0.05 else "#777777")
    ax.set(title=name, xlabel="x", xticks=[], yticks=[])
    said = f"correlation {r:+.2f}\nmedian width p = {one:.3f}\naggregated p = {several:.3f}"
    ax.text(0.5, -0.2, said, ha="center", va="top", transform=ax.transAxes)
axs[0].set_ylabel("y")
plt.show()
