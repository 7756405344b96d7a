"""Real recordings, where the benchmark data are at hand; the whole table is a benchmark."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import benchmark_data
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.prototypes import KernelRSLVQ
from noneuclid.spikes import read_spike_trains


@pytest.fixture(scope="module")
def recordings():
    data = benchmark_data.load("star_spike_trains")
    names = {key: data[key] for key in ("recording", "neuron", "trial")}
    return read_spike_trains(benchmark_data.path_of("star_spike_trains")), names


def window(train, start, length):
    return train[(train >= start) & (train < start + length)] - start


def chosen(recordings, **wanted):
    trains, names = recordings
    keep = np.all([names[key] == value for key, value in wanted.items()], axis=0)
    return [trains[i] for i in np.flatnonzero(keep)]


def accuracies(X, y, width, folds):
    """Kernel RSLVQ with two prototypes per class, a support vector machine, and the rate alone."""
    K = SpikeTrainKernel(width)(X)
    K /= np.diag(K).mean()
    counts = np.array([[len(x)] for x in X], dtype=float)
    rate = make_pipeline(StandardScaler(), LogisticRegression())
    rslvq = KernelRSLVQ(kernel="precomputed", n_prototypes=2, random_state=0)
    learners = ((rslvq, K), (SVC(kernel="precomputed", C=10), K), (rate, counts))
    return [cross_val_score(learner, P, y, cv=folds).mean() for learner, P in learners]


@pytest.mark.parametrize(
    ("odour", "silence", "least"),
    [
        ("e060817citron", "e060817spont", 0.95),
        ("e060817terpi", "e060817spont", 0.95),
        ("e070528citronellal", "e070528spont", 0.95),
        ("e060517ionon", "e060517spont", 0.92),
    ],
)
def test_odours_against_spontaneous_activity(recordings, odour, silence, least):
    evoked = [window(x, 6.0, 2.0) for x in chosen(recordings, recording=odour, neuron="neuron 1")]
    (rest,) = chosen(recordings, recording=silence, neuron="neuron 1")
    spontaneous = [window(rest, start, 2.0) for start in range(0, 56, 2)]
    y = np.repeat([1, 0], [len(evoked), len(spontaneous)])
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    rslvq, svm, rate = accuracies(evoked + spontaneous, y, 0.1, folds)
    assert rslvq >= least
    assert rslvq >= svm - 0.03
    assert rslvq >= rate - 0.01


def test_purkinje_cells_under_bicuculline(recordings):
    table = []
    for k in range(1, 9):
        X = []
        for drug in ("ctl", "bicu"):
            (cell,) = chosen(recordings, recording="mPK", neuron=f"neuron {k}", trial=drug)
            pieces = [window(cell, start, 5.0) for start in range(0, 300, 5)]
            X += [x - x[:1] for x in pieces]  # nothing else tells when a piece begins
        table.append(accuracies(X, np.repeat([0, 1], 60), 0.03, StratifiedKFold(5)))
    rslvq, svm, rate = np.mean(table, axis=0)
    assert rslvq >= 0.68
    assert rslvq >= max(svm, rate) - 0.05
