"""Which geometry suits which curves? Prototypes, neighbours and SVMs, by geometry, in one table.

Four sets of curves (meat spectra, coffee spectra, a hand's motion, heart beats) are classified in
l2, l1, Sobolev spaces with one and with two derivatives, and with Lee and Verleysen's norm. How
much a derivative weighs (α) is cross-validated inside the training curves. The 1-NN and SVM columns
use the same distances. The figure shows the prototypes: they are curves, too.

Usage: ``python examples/curve_geometries.py [folder of the benchmark data] [figure to write]``; the
folder may also be named by the variable NONEUCLID_DATA.
"""

import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedGroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from noneuclid import GLVQ, RSLVQ, Euclidean, LeeVerleysen, Lp, Sobolev

SPACES = {
    "l2": Euclidean(),
    "l1": Lp(1),
    "Sobolev, 1 derivative": Sobolev(weights=(1, 1), spacing="unit"),
    "Sobolev, 2 derivatives": Sobolev(weights=(1, 0, 1), spacing="unit"),
    "Lee-Verleysen": LeeVerleysen(),
}
SHARES = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
LEARNERS = (GLVQ(n_prototypes=2, random_state=0), RSLVQ(n_prototypes=2, random_state=0))
FILES = ("tecator.npz", "ucr_coffee.npz", "ucr_gunpoint.npz", "ucr_ecg200.npz")


def load(folder):
    """Curves, labels, axis and (train, test) splits of every data set, with groups for Tecator."""
    with np.load(folder / "tecator.npz", allow_pickle=False) as data:
        X, fat = data["absorbance"].astype(float), data["fat"].ravel()
        groups = np.unique(X, axis=0, return_inverse=True)[1].ravel()  # 22 spectra occur twice
        y = np.where(fat > 20, "high fat", "low fat")
        splits = list(StratifiedGroupKFold(10, shuffle=True, random_state=0).split(X, y, groups))
        yield "Tecator", X, y, data["wavelengths"], splits, groups
    for name in ("coffee", "gunpoint", "ecg200"):
        with np.load(folder / f"ucr_{name}.npz", allow_pickle=False) as data:
            X = np.vstack([data["X_train"], data["X_test"]]).astype(float)
            y = np.concatenate([data["y_train"], data["y_test"]])
            n = len(data["y_train"])
        split = (np.arange(n), np.arange(n, len(y)))
        yield name, X, y, np.arange(X.shape[1]), [split], np.arange(len(y))


def tuned(model, X, y, groups):
    """The model, with the weight of the derivative chosen by cross-validation if there is one."""
    space = model.space
    if not isinstance(space, Sobolev):
        return clone(model).fit(X, y)
    balanced = np.array(space.balance(X - X.mean(axis=0)).weights)  # both terms of equal size
    weights = [(1.0, *share * balanced[1:]) for share in SHARES]
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=1).split(X, y, groups)
    search = GridSearchCV(model, {"space__weights": weights}, cv=list(folds))
    return search.fit(X, y).best_estimator_


def reference(space, X, y, X_test, y_test):
    """Accuracy of 1-NN and of an SVM with the Gaussian of the same distances."""
    D, R = space.squared_distance(X, X), space.squared_distance(X_test, X)
    nearest = KNeighborsClassifier(1, metric="precomputed").fit(D, y)
    svm = SVC(kernel="precomputed", C=10).fit(np.exp(-D / D.mean()), y)
    return nearest.score(R, y_test), svm.score(np.exp(-R / D.mean()), y_test)


def row(space, X, y, splits, groups):
    """Accuracies of both learners, 1-NN and SVM in one geometry, and the last GLVQ model."""
    hits = np.zeros(4)
    for train, test in splits:
        models = [
            tuned(learner.set_params(space=space), X[train], y[train], groups[train])
            for learner in map(clone, LEARNERS)
        ]
        share = len(test) / sum(len(t) for _, t in splits)
        hits[:2] += [share * model.score(X[test], y[test]) for model in models]
        others = reference(models[0].space_, X[train], y[train], X[test], y[test])
        hits[2:] += share * np.array(others)
    return hits, models[0]


def draw(ax, model, X, y, axis):
    """Prototypes over the curves they stand for, all without the mean curve."""
    mean = X.mean(axis=0)
    for c, label in enumerate(model.classes_):
        ax.plot(axis, (X[y == label][:25] - mean).T, color=f"C{c}", alpha=0.12, linewidth=0.6)
    for c, label in enumerate(model.classes_):
        curves = model.prototypes_[model.prototype_labels_ == label] - mean
        lines = ax.plot(axis, curves.T, color=f"C{c}", linewidth=1.8)
        lines[0].set_label(str(label))
    low, high = np.percentile(X - mean, [0.5, 99.5])
    ax.set_ylim(1.3 * low, 1.3 * high)


def main(folder, figure):
    folder = Path(folder)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        sys.exit(f"{folder / missing[0]} is not there: give the folder of the benchmark data")
    fig, axes = plt.subplots(
        4, 5, figsize=(18, 12), layout="constrained", sharex="row", sharey="row"
    )
    print(f"{'curves':<10}{'geometry':<24}{'GLVQ':>8}{'RSLVQ':>8}{'1-NN':>8}{'SVM':>8}   α of GLVQ")
    for (name, X, y, axis, splits, groups), line in zip(load(folder), axes):
        for (label, space), ax in zip(SPACES.items(), line):
            accuracy, model = row(space, X, y, splits, groups)
            alpha = f"{model.space_.weights[-1]:.2g}" if isinstance(model.space_, Sobolev) else ""
            numbers = "".join(f"{a:8.3f}" for a in accuracy)
            print(f"{name:<10}{label:<24}{numbers}   {alpha}", flush=True)
            draw(ax, model, X, y, axis)
            ax.set_title(f"{label}: GLVQ {accuracy[0]:.3f}", fontsize=10)
            ax.set_xlabel("wavelength (nm)" if name == "Tecator" else "position")
        line[0].set_ylabel(f"{name}, less the mean")
        line[0].legend(fontsize=8, loc="best")
    fig.savefig(figure, dpi=90)
    print(f"wrote {figure}")


if __name__ == "__main__":
    default = os.environ.get("NONEUCLID_DATA", Path(__file__).parents[2] / "shared" / "data")
    main(*(sys.argv[1:] + [default, "curve_geometries.png"][len(sys.argv) - 1 :]))
