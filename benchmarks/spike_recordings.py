"""Accuracy on real recordings: kernel RSLVQ and its exemplars, an SVM, and the firing rate.

    python benchmarks/spike_recordings.py

Odours: two seconds after the onset of an odour, against pieces of the same length of the same
neuron's spontaneous activity. Purkinje cells: pieces of five seconds, each beginning at its first
spike, without and with bicuculline; folds are blocks of time. Both kernel methods choose the width
inside every training fold. An exemplar is the training train nearest to a prototype: the last
column but two classifies by the nearest of these four trains.

Which odour: one of three, told by neurons that were recorded together, each alone and all together,
with their standard errors over ten folds.
"""

import numpy as np
from _data import load
from _record import quick, recorded
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.kernels import MultiNeuronKernel, Schoenberg, SpikeTrainKernel
from noneuclid.prototypes import KernelRSLVQ

WIDTHS = [0.01, 0.03, 0.1, 0.3]


def exemplar_accuracy(model, X, y, new, truth):
    D = model.transform(X)
    own = y[:, None] == model.prototype_labels_
    nearest = np.where(own, D, np.inf).argmin(axis=0)
    distances = model.kernel.squared_distance(new, [X[i] for i in nearest])
    return np.mean(model.prototype_labels_[distances.argmin(axis=1)] == truth)


def accuracies(X, y, folds):
    """Mean accuracies over the folds: RSLVQ, its exemplars, SVM, rate."""
    grid = {"kernel__width": WIDTHS}
    counts = np.array([[len(x)] for x in X], dtype=float)
    rows = []
    for train, test in folds.split(counts, y):
        A, B = [X[i] for i in train], [X[i] for i in test]
        rslvq = KernelRSLVQ(kernel=SpikeTrainKernel(0.1), n_prototypes=2, random_state=0)
        rslvq = GridSearchCV(rslvq, grid, cv=3).fit(A, y[train]).best_estimator_
        # The kernel has the unit 1/time: C = 10 for a mean self-similarity of one.
        scale = SpikeTrainKernel(0.1).diag(A).mean()
        svm = GridSearchCV(SVC(kernel=SpikeTrainKernel(0.1), C=10 / scale), grid, cv=3)
        rate = make_pipeline(StandardScaler(), LogisticRegression())
        rows.append(
            [
                rslvq.score(B, y[test]),
                exemplar_accuracy(rslvq, A, y[train], B, y[test]),
                svm.fit(A, y[train]).score(B, y[test]),
                rate.fit(counts[train], y[train]).score(counts[test], y[test]),
            ]
        )
    return np.mean(rows, axis=0)


def window(train, start, length):
    return train[(train >= start) & (train < start + length)] - start


def trials(data, **wanted):
    keep = np.all([data[key] == value for key, value in wanted.items()], axis=0)
    bounds = zip(data["offsets"][:-1][keep], data["offsets"][1:][keep])
    return [data["spike_times"][a:b] for a, b in bounds]


def odours(data):
    for odour, silence in (
        ("e060517ionon", "e060517spont"),
        ("e060817citron", "e060817spont"),
        ("e060817terpi", "e060817spont"),
        ("e060824citral", "e060824spont"),
        ("e070528citronellal", "e070528spont"),
    ):
        for neuron in np.unique(data["neuron"][data["recording"] == odour]):
            evoked = [window(x, 6.0, 2.0) for x in trials(data, recording=odour, neuron=neuron)]
            (rest,) = trials(data, recording=silence, neuron=neuron)
            pieces = [window(rest, start, 2.0) for start in range(0, 56, 2)]
            y = np.repeat([1, 0], [len(evoked), len(pieces)])
            folds = StratifiedKFold(5, shuffle=True, random_state=0)
            yield f"{odour} {neuron}", accuracies(evoked + pieces, y, folds)


def purkinje(data):
    for neuron in np.unique(data["neuron"][data["recording"] == "mPK"]):
        X = []
        for drug in ("ctl", "bicu"):
            (cell,) = trials(data, recording="mPK", neuron=neuron, trial=drug)
            X += [x - x[:1] for x in (window(cell, start, 5.0) for start in range(0, 300, 5))]
        yield f"mPK {neuron}", accuracies(X, np.repeat([0, 1], 60), StratifiedKFold(5))


def together(data):
    """Accuracies of one neuron after the other, and of kernels of all three."""
    names = ("e060817citron", "e060817mix", "e060817terpi")
    neurons = [
        [window(x, 6.0, 2.0) for name in names for x in trials(data, recording=name, neuron=neuron)]
        for neuron in ("neuron 1", "neuron 2", "neuron 3")
    ]
    X, y = list(zip(*neurons)), np.repeat(names, 20)
    kernel, angle = SpikeTrainKernel(0.1), SpikeTrainKernel(0.1, normalize=True)
    yield from ((f"neuron {k + 1}", odour_scores(kernel, neurons[k], y)) for k in range(3))
    for name, several in {
        "sum": MultiNeuronKernel(kernel),
        "sum of angles": MultiNeuronKernel(angle),
        "product of angles": MultiNeuronKernel(angle, combine="product"),
        "product of Schoenberg": MultiNeuronKernel(Schoenberg(kernel, "median"), combine="product"),
        "Schoenberg of the sum": Schoenberg(MultiNeuronKernel(kernel), "median"),
    }.items():
        yield name, odour_scores(several, X, y)


def odour_scores(kernel, X, y):
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    model = KernelRSLVQ(kernel=kernel, n_prototypes=2, random_state=0)
    return cross_val_score(model, [list(x) for x in X], y, cv=folds)


def table(title, lines):
    print(f"\n{title:<40}{'RSLVQ':>9}{'exemplars':>11}{'SVM':>7}{'rate':>7}")
    rows = []
    for name, row in lines:
        rows.append(row)
        print(f"{name:<40}{row[0]:>9.3f}{row[1]:>11.3f}{row[2]:>7.3f}{row[3]:>7.3f}", flush=True)
    mean = np.mean(rows, axis=0)
    print(f"{'mean':<40}{mean[0]:>9.3f}{mean[1]:>11.3f}{mean[2]:>7.3f}{mean[3]:>7.3f}")


def main():
    data = load("star_spike_trains")
    if quick:
        table("control or bicuculline", purkinje(data))
        return
    table("odour-evoked or spontaneous", odours(data))
    table("control or bicuculline", purkinje(data))
    print("\nwhich of three odours")
    for name, scores in together(data):
        error = scores.std(ddof=1) / np.sqrt(len(scores))
        print(f"{name:<40}{scores.mean():>9.3f} ± {error:.3f}", flush=True)


if __name__ == "__main__":
    with recorded(__file__):
        main()
