"""
Drift in a DataFrame
====================

Two tables with the same columns, from last month and from today. Which columns have changed?
Means say nothing about a sensor that became noisier or a group that split in two; a test of whole
distributions does, and tells how often chance alone would give as much.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from noneuclid.information import drifted_columns

rng = np.random.default_rng(0)
n = 400
before = pd.DataFrame({
    "temperature": rng.normal(20, 2, n),
    "pressure": rng.normal(1013, 5, n),
    "vibration": rng.gamma(2.0, 1.0, n),
    "current": rng.normal(5, 1, n),
    "operator": rng.choice(["A", "B", "C"], n),
})  # fmt: skip
now = pd.DataFrame({
    "temperature": rng.normal(20, 2, n),
    "pressure": rng.normal(1013, 9, n),
    "vibration": rng.gamma(2.0, 1.0, n),
    "current": 5 + rng.choice([-1, 1], n) * rng.normal(0.9, 0.43, n),
    "operator": rng.choice(["A", "B", "C"], n, p=[0.5, 0.3, 0.2]),
})  # fmt: skip

# %%
# Three columns have drifted, none of them in its mean. The p-values are corrected for the
# number of columns (Holm).

found = drifted_columns(before, now, random_state=0)
for name, p in zip(found.columns, found.adjusted):
    print(f"{name:>12}: p = {p:.3f}{'  drifted' if name in found.drifted else ''}")

# %%
# Both tables, column by column.

figure, axs = plt.subplots(1, 5, figsize=(11, 2.9))
units = {"temperature": "°C", "pressure": "hPa", "vibration": "mm/s", "current": "A"}
for ax, name, p in zip(axs, found.columns, found.adjusted):
    if name in units:
        edges = np.linspace(*np.percentile(np.r_[before[name], now[name]], [0.5, 99.5]), 25)
        ax.hist(before[name], edges, color="C0", alpha=0.45)
        ax.hist(now[name], edges, histtype="step", color="C1", linewidth=1.8)
        ax.set_xlabel(f"{name} ({units[name]})")
    else:
        counts = [table[name].value_counts().sort_index() for table in (before, now)]
        places = np.arange(3)
        ax.bar(places - 0.2, counts[0], 0.4, color="C0", alpha=0.45)
        ax.bar(places + 0.2, counts[1], 0.4, fill=False, edgecolor="C1", linewidth=1.8)
        ax.set_xticks(places, counts[0].index)
        ax.set_xlabel(name)
    drifted = name in found.drifted
    ax.set_title(f"p = {p:.3f}", color="black" if drifted else "#777777",
                 fontweight="bold" if drifted else "normal")  # fmt: skip
    ax.set_yticks([])
handles = [plt.Rectangle((0, 0), 1, 1, color="C0", alpha=0.45),
           plt.Rectangle((0, 0), 1, 1, fill=False, edgecolor="C1", linewidth=1.8)]  # fmt: skip
figure.legend(handles, ["before", "now"], loc="outside lower center", ncols=2)
plt.show()
