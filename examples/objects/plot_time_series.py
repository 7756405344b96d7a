"""
Time series by DTW: not Euclidean, and no matter
================================================

Dynamic time warping compares series whose events come earlier or later. Its distances break the
triangle inequality, so the matrix has negative eigenvalues; methods that take it for Euclidean
fail silently or refuse. Prototypes over proximities work with it as it is.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

from noneuclid import RelationalGLVQ
from noneuclid.displays import SpectrumDisplay
from noneuclid.proximities import DTW, Relation

rng = np.random.default_rng(0)
time = np.linspace(0, 1, 60)


def series(kind):
    """One bump, or two of the same total size, at random times."""
    start = rng.uniform(0.05, 0.55)
    gap = rng.uniform(0.15, 0.4)
    places, height = ([start], 1.0) if kind == "one" else ([start, start + gap], 0.75)
    bumps = sum(height * np.exp(-0.5 * ((time - at) / 0.03) ** 2) for at in places)
    return bumps + rng.normal(0, 0.08, len(time))


label = np.repeat(["one", "two"], 20)
objects = [series(kind) for kind in label]

# %%
# Both distances, the same learner. The DTW matrix has negative eigenvalues, as the right panel
# shows; ``correction="clip"`` would remove them.

for name, metric in (("Euclidean", "sqeuclidean"), ("DTW", DTW())):
    rows = np.array(objects) if name == "Euclidean" else objects
    model = RelationalGLVQ(metric=metric, random_state=0)
    scores = cross_val_score(model, rows, label, cv=5)
    print(f"{name}: accuracy {scores.mean():.2f} ± {scores.std(ddof=1) / 5**0.5:.2f}")
relation = Relation(DTW(), proximity="dissimilarity").fit(objects)
print(relation.signature_)

# %%
# Each prototype is a mixture of series; the one with the largest share stands for it.

model.fit(objects, label)
figure, axs = plt.subplots(1, 3, figsize=(9, 3.1), width_ratios=[1, 1, 1.1])
for k, (ax, name) in enumerate(zip(axs, model.prototype_labels_)):
    for one in np.flatnonzero(label == name)[:10]:
        ax.plot(time, objects[one], color="#bbbbbb", linewidth=0.6)
    best = model.coefficients_[k].argmax()
    ax.plot(time, objects[best], color=f"C{k}", linewidth=2.4)
    ax.set(xlabel="time (s)", title=f"{name} bump{'s' if k else ''}: exemplar", ylim=(-0.4, 1.4))
axs[0].set_ylabel("signal")
SpectrumDisplay.from_estimator(relation, ax=axs[2])
plt.show()
