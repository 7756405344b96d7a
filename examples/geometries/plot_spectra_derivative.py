"""
Spectra whose derivative matters
================================

A small absorption line sits on a large, smooth background that varies from sample to sample. The
Euclidean distance between two spectra is the distance of their backgrounds. A Sobolev norm also
counts the slope, and there the line is what differs.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

from noneuclid import GLVQ, Lp, Sobolev
from noneuclid.datasets import make_spectra

data = make_spectra(150)
X, y, wavelengths = data.X, data.labels, data.grid
nanometres = float(np.diff(wavelengths).mean())

# %%
# How much the slope counts against the value is its weight. It has a unit (here nm²), so it is
# a parameter to search over; ``spacing`` tells the space what a step of the axis is.

weights = (0, 1, 10, 100, 1000)
scores = []
for weight in weights:
    space = Sobolev(weights=(1, weight), spacing=nanometres) if weight else Lp(2)
    scores.append(cross_val_score(GLVQ(space=space, random_state=0), X, y, cv=10))
scores = np.array(scores)
for weight, row in zip(weights, scores):
    print(f"weight {weight:>5}: accuracy {row.mean():.3f} ± {row.std(ddof=1) / 10**0.5:.3f}")

# %%
# In the spectra one sees the backgrounds, in their slopes the lines.

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10, 3.4))
for k, (label, mark) in enumerate(zip(np.unique(y), ("-", "--", ":"))):
    some = X[y == label][:4]
    left.plot(wavelengths, some.T, mark, color=f"C{k}", linewidth=1.2)
    slopes = np.gradient(some, nanometres, axis=1)
    middle.plot(wavelengths, slopes.T, mark, color=f"C{k}", linewidth=1.2)
handles = [plt.Line2D([], [], color=f"C{k}", linestyle=s) for k, s in enumerate(("-", "--", ":"))]
figure.legend(
    handles, [f"line {name}" for name in np.unique(y)], loc="outside lower center", ncols=3
)
left.set(xlabel="wavelength (nm)", ylabel="absorbance", title="12 of 150 spectra")
middle.set(xlabel="wavelength (nm)", ylabel="slope (1/nm)", title="their slopes")
error = scores.std(axis=1, ddof=1) / 10**0.5
right.errorbar(range(len(weights)), scores.mean(axis=1), error, marker="o", capsize=4)
right.set_xticks(range(len(weights)), ["0 ($l_2$)", *map(str, weights[1:])])
right.axhline(1 / 3, color="#777777", linestyle="--", linewidth=1)
right.annotate("chance", (len(weights) - 1, 1 / 3), ha="right", va="bottom", color="#555555")
right.set(xlabel="weight of the slope (nm²)", ylabel="accuracy", ylim=(0, 1.05),
          title="ten folds, standard errors")  # fmt: skip
plt.show()
