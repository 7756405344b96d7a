"""Whether speed has rotted: headline ratios, measured small, against those recorded.

    python benchmarks/smoke.py [--record]

Each case is our time and that of another way to the same numbers, which are compared, too. A ratio
may fall to half of the recorded one (``smoke.json``); below, after three looks, the exit code is 1.
Both take turns, and the least processor time of each counts, so that other work on the machine
disturbs little; ``make test`` allows one thread. ``--record`` writes what is measured now.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.decomposition import IncrementalPCA
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import NearestCentroid

from noneuclid import GLVQ, RSLVQ, HebbianPCA, Lp, NeuralGas, SpikeTrainKernel
from noneuclid.information import information_potential
from noneuclid.kernels import Gaussian
from noneuclid.numerics import exp_nonpositive
from noneuclid.proximities import pairwise
from noneuclid.spikes import jittered_templates

RECORD = Path(__file__).with_suffix(".json")
SHARE = 0.5
SECONDS = 0.25  # for each case and look
BATCH = 5e-3  # seconds of a measurement at least: clocks of processor time may be coarse


def _dtw(x, y):
    """The distance of two series, as the definition says it."""
    costs = np.full((len(x) + 1, len(y) + 1), np.inf)
    costs[0, 0] = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            before = min(costs[i, j], costs[i, j + 1], costs[i + 1, j])
            costs[i + 1, j + 1] = (x[i] - y[j]) ** 2 + before
    return costs[-1, -1]


def _spike_kernel(trains, width):
    """Sums of Gaussians over all pairs of events, pair of trains by pair."""
    K = np.empty((len(trains), len(trains)))
    for i, x in enumerate(trains):
        for j, y in enumerate(trains):
            K[i, j] = np.exp(-((x[:, None] - y) ** 2) / (4 * width**2)).sum()
    return K / (2 * width * np.sqrt(np.pi))


def _per_class(X, y):
    """Centres by KMeans within every class, and a nearest-centroid rule."""
    for label in np.unique(y):
        KMeans(1, n_init=1, random_state=0).fit(X[y == label])
    return NearestCentroid().fit(X, y)


def cases():
    """Name → (ours, theirs, largest difference of what they give that is all right)."""
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(300, 20)), rng.normal(size=(60, 20))
    iris, species = load_iris(return_X_y=True)
    blobs, _ = make_blobs(4000, centers=8, n_features=10, random_state=0)
    trains = jittered_templates(40, random_state=0).trains
    series = list(rng.normal(size=(8, 30)))
    near, centres = GLVQ(random_state=0).fit(iris, species), NearestCentroid().fit(iris, species)
    gaussian, spikes, row = Gaussian(width=2.0), SpikeTrainKernel(0.01), iris[:1].copy()
    numbers, others = np.ones(100_000), np.ones(100_000)
    flat = rng.normal(size=(5000, 50)) * np.linspace(3, 1, 50) ** 2
    sanger = HebbianPCA(n_components=2, deflation="sanger", random_state=0)

    def minkowski(p):
        return lambda: cdist(X, W, "minkowski", p=p) ** 2

    return {
        "l1.5 distances : SciPy": (lambda: Lp(1.5).squared_distance(X, W), minkowski(1.5), 1e-8),
        "l3 distances : SciPy": (lambda: Lp(3).squared_distance(X, W), minkowski(3), 1e-8),
        "Gaussian kernel : scikit-learn": (
            lambda: gaussian(X),
            lambda: rbf_kernel(X, gamma=1 / 8),
            1e-9,
        ),
        "exponentials in place : NumPy": (  # these stay near 1
            lambda: exp_nonpositive(numbers, out=numbers, factor=-1e-9)[0],
            lambda: np.exp(np.multiply(others, -1e-9, out=others), out=others)[0],
            1e-8,
        ),
        "information potential : matrix": (
            lambda: information_potential(X, width=1.0),
            lambda: rbf_kernel(X, gamma=1 / 4).mean() / (4 * np.pi) ** 10,
            1e-9,
        ),
        "spike trains : pairs of trains": (
            lambda: spikes(trains),
            lambda: _spike_kernel(trains, 0.01),
            1e-6,
        ),
        "dtw : its definition": (
            lambda: pairwise(series, "dtw"),
            lambda: np.array([[_dtw(x, y) for y in series] for x in series]),
            1e-8,
        ),
        "one prediction : NearestCentroid": (
            lambda: near.predict(row),
            lambda: centres.predict(row),
            0.0,
        ),
        "GLVQ on iris : KMeans per class": (
            lambda: GLVQ(random_state=0).fit(iris, species).score(iris, species),
            lambda: _per_class(iris, species).score(iris, species),
            0.1,
        ),
        "RSLVQ on iris : KMeans per class": (
            lambda: RSLVQ(random_state=0).fit(iris, species).score(iris, species),
            lambda: _per_class(iris, species).score(iris, species),
            0.1,
        ),
        "neural gas : KMeans of ten starts": (
            lambda: NeuralGas(n_prototypes=8, random_state=0, max_epochs=20).fit(blobs).n_iter_ > 0,
            lambda: KMeans(8, n_init=10, random_state=0).fit(blobs).n_iter_ > 0,
            0.0,
        ),
        "Sanger's rule : IncrementalPCA": (
            lambda: sanger.partial_fit(flat).explained_variance_,
            lambda: IncrementalPCA(2).fit(flat).explained_variance_,
            0.2,
        ),
    }


def _apart(ours, theirs):
    ours, theirs = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    return float(np.max(np.abs(ours - theirs)) / max(np.max(np.abs(theirs)), 1e-300))


def _least_times(functions, seconds):
    """Least processor time of a call of each; a measurement has calls for some milliseconds."""
    calls, least = [], [np.inf] * len(functions)
    for function in functions:
        function()
        start = time.process_time()
        function()
        calls.append(int(BATCH / max(time.process_time() - start, 1e-5)) + 1)
    end = time.process_time() + seconds
    while time.process_time() < end:
        for k, function in enumerate(functions):
            start = time.process_time()
            for _ in range(calls[k]):
                function()
            least[k] = min(least[k], (time.process_time() - start) / calls[k])
    return least


def ratio(ours, theirs):
    """How many times faster ours is."""
    our_time, their_time = _least_times((ours, theirs), SECONDS)
    return their_time / our_time


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write what is measured now")
    record = parser.parse_args().record
    warnings.simplefilter("ignore")
    recorded = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    found, failed = {}, []
    for name, (ours, theirs, allowed) in cases().items():
        apart, least = _apart(ours(), theirs()), SHARE * recorded.get(name, 0.0)
        for _look in range(3):
            found[name] = round(max(found.get(name, 0.0), ratio(ours, theirs)), 2)
            if found[name] >= least and not record:
                break
        good = found[name] >= least and apart <= allowed
        print(f"{name:36}{found[name]:8.2f} times   recorded {recorded.get(name, '-'):>8}", end="")
        print(f"   apart {apart:.0e}" + ("" if good else "   FAILED"), flush=True)
        failed += [] if good else [name]
    if record:
        RECORD.write_text(json.dumps(found, indent=2) + "\n")
    elif failed or set(found) != set(recorded):
        sys.exit(f"worse than half of what is recorded, or not recorded: {failed}")


if __name__ == "__main__":
    main()
