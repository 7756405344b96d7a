"""Fat in meat spectra: the geometry that shows it in two components.

The Tecator spectra hardly differ in level between lean and fat meat; they differ in shape. The
norm of the Sobolev space W_{1,1}, which counts the derivative, finds it; l1 and l2 do not. The
unit of the axis decides how much the derivative counts: here it is scaled to length 1.

How much it counts also depends on p. With neighbouring channels 1/99 apart, a difference between
them weighs 99 times a value in the norm at p = 1, but 99² times at p = 2. So the two norms do not
differ in p alone; at p = 2 the derivative already shows some of the fat (0.85). Give it the weight
99 there too, and the spectra look as they do in l2 (0.67): what tells fat from lean at that weight
is p = 1. The derivative alone, at p = 2, tells them apart best of all (0.96).

Usage: ``python examples/tecator_pca.py [folder with tecator.npz] [figure to write]``; the folder
may also be named by the variable NONEUCLID_DATA.
"""

import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.pca import HebbianPCA
from noneuclid.spaces import Euclidean, Lp, Sobolev

SPACES = {
    "l1": Lp(1),
    "l2": Euclidean(),
    "Sobolev (1, 1), p = 1": Sobolev(p=1, spacing="unit"),
    "Sobolev (1, 1), p = 2": Sobolev(p=2, spacing="unit"),
    "p = 2, f' weighing 99": Sobolev(p=2, spacing="unit", weights=(1, 1 / 99)),
    "p = 2, f' alone": Sobolev(p=2, spacing="unit", weights=(1e-6, 1)),
}


def accuracies(scores, y, groups, n_repeats=10):
    """Cross-validated accuracy of a linear SVM, once per shuffling; duplicates stay together."""
    svm = make_pipeline(StandardScaler(), SVC(kernel="linear"))
    folds = [StratifiedGroupKFold(10, shuffle=True, random_state=seed) for seed in range(n_repeats)]
    return np.array([cross_val_score(svm, scores, y, groups=groups, cv=f).mean() for f in folds])


def main(folder, figure):
    path = Path(folder) / "tecator.npz"
    if not path.is_file():
        sys.exit(f"{path} is not there: give the folder of the benchmark data")
    with np.load(path, allow_pickle=False) as data:
        X, wavelengths = data["absorbance"].astype(float), data["wavelengths"]
        fat = data["fat"].ravel()
    y = fat > 20
    groups = np.unique(X, axis=0, return_inverse=True)[1].ravel()  # 22 spectra occur twice
    fig, axes = plt.subplots(2, len(SPACES), figsize=(4 * len(SPACES), 7), layout="constrained")
    print(f"{'geometry':<24}accuracy of low/high fat on two scores (± over shufflings)")
    for (name, space), (top, bottom) in zip(SPACES.items(), axes.T):
        model = HebbianPCA(n_components=2, space=space, random_state=0).fit(X)
        scores = model.transform(X)
        reached = accuracies(scores, y, groups)
        print(f"{name:<24}{reached.mean():.3f} ± {reached.std(ddof=1):.3f}")
        top.plot(wavelengths, (model.components_ / np.abs(model.components_).max(1)[:, None]).T)
        top.set(title=f"{name}: {reached.mean():.2f}", xlabel="wavelength (nm)")
        points = bottom.scatter(*scores.T, c=fat, s=12)
        bottom.set(xlabel="first score", ylabel="second score")
    axes[0, 0].set_ylabel("components, scaled")
    fig.colorbar(points, ax=axes[1, -1], label="fat (%)")
    fig.savefig(figure, dpi=120)
    print(f"wrote {figure}")


if __name__ == "__main__":
    default = os.environ.get("NONEUCLID_DATA", Path(__file__).parents[2] / "shared" / "data")
    main(*(sys.argv[1:] + [default, "tecator_pca.png"][len(sys.argv) - 1 :]))
