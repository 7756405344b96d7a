"""Principal components of spike trains: the experiment of Paiva, Park and Príncipe (2009).

    python examples/spike_trains.py [folder for the figures]

Two templates of ten spikes within a quarter of a second; every train keeps a spike with
probability 0.8 and moves it by 3 ms. The first component finds the templates without labels, and a
kernel RSLVQ names the trains its prototypes are made of.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

import matplotlib.pyplot as plt

from noneuclid.displays import ComponentFunctionsDisplay, RasterDisplay, SpikeScoresDisplay
from noneuclid.prototypes import KernelRSLVQ
from noneuclid.spikes import SpikeTrainKernel, SpikeTrainPCA, jittered_templates, select_width


def rasters(training, test):
    figure, axs = plt.subplots(1, 2, figsize=(9, 5), layout="constrained")
    for ax, data, name in zip(axs, (training, test), ("training", "test")):
        words = np.array(["template 1", "template 2"])[data.labels]
        RasterDisplay.from_trains(data.trains, words, ax=ax)
        ax.set_ylabel(f"{name} trains")
    return figure


def spectrum(pca):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    left.plot(np.arange(1, len(pca.eigenvalues_) + 1), pca.eigenvalues_, ".-", color="#0072b2")
    left.set(xlabel="component", ylabel="eigenvalue ρ")
    for k, colour in enumerate(("#0072b2", "#e69f00")):
        b = pca.dual_coefficients_[:, k]
        right.plot(b / np.linalg.norm(b), color=colour, label=f"eigenvector {k + 1}")
    right.set(xlabel="train", ylabel="coefficient")
    right.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    return figure


def projections(pca, training, test):
    figure, axs = plt.subplots(1, 2, figsize=(9, 4), sharex=True, sharey=True, layout="constrained")
    for ax, data, name in zip(axs, (training, test), ("training", "test")):
        words = np.array(["template 1", "template 2"])[data.labels]
        SpikeScoresDisplay.from_estimator(pca, data.trains, words, ax=ax)
        ax.annotate(name, (0.02, 0.96), xycoords="axes fraction", va="top")
    return figure


def first_score_accuracy(pca, training, test):
    score, new = (pca.transform(data.trains)[:, 0] for data in (training, test))
    means = np.array([score[training.labels == k].mean() for k in (0, 1)])
    return np.mean(np.abs(new[:, None] - means).argmin(axis=1) == test.labels)


def main(folder):
    training = jittered_templates(50, random_state=0)
    test = jittered_templates(200, templates=training.templates, random_state=1)
    pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(training.trains)
    first, second = pca.explained_variance_ratio_
    print(f"explained variance: {first:.1%} and {second:.1%}")
    print(f"test trains told apart by the first score: {first_score_accuracy(pca, training, test)}")
    print(f"width chosen by likelihood: {1e3 * select_width(training.trains).width:.1f} ms")

    model = KernelRSLVQ(kernel=SpikeTrainKernel(0.002), random_state=0)
    model.fit(training.trains, training.labels)
    print(f"kernel RSLVQ: accuracy {model.score(test.trains, test.labels)}")
    for label, coefficients in zip(model.prototype_labels_, model.coefficients_):
        trains = np.argsort(-coefficients)[:3]
        print(f"  template {label + 1}: its prototype is made mostly of trains {trains.tolist()}")

    folder.mkdir(parents=True, exist_ok=True)
    figures = {
        "raster": rasters(training, test),
        "eigenvalues": spectrum(pca),
        "component_functions": ComponentFunctionsDisplay.from_estimator(pca).figure_,
        "projections": projections(pca, training, test),
    }
    for name, figure in figures.items():
        figure.savefig(folder / f"spike_trains_{name}.png", dpi=120)
    print(f"{len(figures)} figures in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
