"""Neural gas, maps and medians against their peers: quality, and speed as ratios of one run.

    python benchmarks/quantization.py [--only PART ...]

Each peer runs in a process of its own and reports the best of its repeated fits and the prototypes,
which are all judged here by the same functions. Times are processor times of one thread, so that
other work on the machine counts as little as possible.
"""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
os.environ.update(ONE_THREAD)  # before anything reads it

import numpy as np  # noqa: E402
from _data import load  # noqa: E402
from _peers import missing, peer_python  # noqa: E402
from _record import quick, recorded  # noqa: E402
from _timing import report  # noqa: E402
from sklearn.cluster import KMeans  # noqa: E402
from sklearn.datasets import load_digits, make_blobs  # noqa: E402

from noneuclid.numerics import squared_euclidean  # noqa: E402
from noneuclid.prototypes import (  # noqa: E402
    FuzzyLabelledNeuralGas,
    FuzzyLabelledSOM,
    MedianLVQ,
    NeuralGas,
    ProximityNeuralGas,
    ProximitySOM,
    SelfOrganizingMap,
)
from noneuclid.proximities import pairwise  # noqa: E402

EPOCHS, RUNS = 5, 4

PEER = """
import sys, time, numpy as np
data = np.load(sys.argv[1], allow_pickle=False); what = sys.argv[3]; repeat = int(sys.argv[4])
def minisom(seed=[0]):
    from minisom import MiniSom
    X = data["X"]; som = MiniSom(10, 10, X.shape[1], random_seed=seed[0]); seed[0] += 1
    som.random_weights_init(X)
    start = time.process_time()
    som.train(X, int(data["steps"]), random_order=True)
    return time.process_time() - start, som.get_weights().reshape(100, -1)
def prosemble(cls, **params):
    import prosemble.models as m
    X = data["X"]
    start = time.process_time()
    model = getattr(m, cls)(max_iter=int(data["epochs"]), **params).fit(X)
    W = np.asarray(model.prototypes_).reshape(100, -1)
    return time.process_time() - start, W
def kmedoids():
    import kmedoids
    D, start, best = data["D"], time.process_time(), None
    for seed in range(10):
        found = kmedoids.fasterpam(D, int(data["k"]), random_state=seed)
        if best is None or found.loss < best.loss: best = found
    return time.process_time() - start, np.asarray(best.labels)
def rng(seed=[0]):
    from proto_dist_ml.rng import RNG
    np.random.seed(seed[0]); seed[0] += 1; start = time.process_time()
    model = RNG(int(data["k"])); model.fit(data["D"], is_squared=True)
    seconds = time.process_time() - start
    return seconds, model._Alpha.toarray()
def mglvq():
    from proto_dist_ml.mglvq import MGLVQ
    np.random.seed(0); start = time.process_time()
    model = MGLVQ(int(data["k"])); model.fit(data["D"], data["y"])
    return time.process_time() - start, model._w
run = {"minisom": minisom, "gas": lambda: prosemble("NeuralGas", n_prototypes=100),
       "heskes": lambda: prosemble("HeskesSOM"), "kmedoids": kmedoids, "rng": rng, "mglvq": mglvq}
runs = [run[what]() for _ in range(repeat)]
np.savez(sys.argv[2], seconds=min(r[0] for r in runs), result=[r[1] for r in runs])
"""


def peer(name, what, repeat=3, **arrays):
    """Best seconds, and the result of every run; None if the peer is not installed."""
    python = peer_python(name)
    if python is None:
        print(missing(name))
        return None
    with tempfile.TemporaryDirectory() as folder:
        given, answer = Path(folder) / "in.npz", Path(folder) / "out.npz"
        np.savez(given, **arrays)
        command = [python, "-W", "ignore", "-c", PEER, given, answer, what, str(repeat)]
        subprocess.run(command, check=True, capture_output=True)
        with np.load(answer) as file:
            return float(file["seconds"]), file["result"]


def purity(winners, y):
    """Share of samples that have the majority class of their cluster."""
    return sum(np.unique(y[winners == k], return_counts=True)[1].max() for k in set(winners)) / len(
        y
    )


def judge(X, y, W):
    """Mean quantisation error and purity of one or several sets of prototypes."""
    found = []
    for one in W if np.ndim(W) == 3 else [W]:
        D = squared_euclidean(X, one)
        found.append((np.sqrt(D.min(axis=1)).mean(), purity(D.argmin(axis=1), y)))
    return np.mean(found, axis=0)


def best_time(function, repeat):
    """Least processor time of several calls after a first one, which compiles."""
    function()
    times = []
    for _ in range(repeat):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def timed(model, *data, repeat=5):
    return best_time(lambda: model.fit(*data), repeat), model


def line(name, seconds, error, pure):
    text = f"  {name:<44}{1e3 * seconds:9.1f} ms   error {error:.4f}   purity {pure:.3f}"
    print(text, flush=True)


def beside(what, on, seconds, judged, found, theirs, against, goal):
    """Ours beside a peer, or alone if there is none."""
    if not found:
        line(f"{what}, {on}", seconds, *judged)
    else:
        reached = "error {:.3f}, purity {:.3f}; {:.3f}, {:.3f}".format(*judged, *theirs)
        report(what, seconds, found[0], on=on, against=against, goal=goal, quality=reached)


def samples():
    X, y = load_digits(return_X_y=True)
    yield "digits", X / 16, y
    if not quick:
        yield "blobs 20000", *make_blobs(20000, centers=20, n_features=10, random_state=0)


def vectors():
    for name, X, y in samples():
        print(f"{name}: 100 units, {EPOCHS} epochs, mean of {RUNS} runs")
        found = peer("minisom", "minisom", RUNS, X=X, steps=EPOCHS * len(X))
        theirs = judge(X, y, found[1]) if found else None
        short = {"width": 1.0, "final_width": 0.25, "learning_rate": (0.5, 0.15)}
        for solver, params in (("online", short), ("online", {}), ("batch", {})):
            model = SelfOrganizingMap(solver=solver, max_epochs=EPOCHS, random_state=0, **params)
            seconds = timed(model, X)[0]
            W = [model.set_params(random_state=s).fit(X).prototypes_ for s in range(RUNS)]
            label = f"SelfOrganizingMap, {solver}{', width from 1' if params else ''}"
            ours = judge(X, y, np.array(W))
            beside(label, name, seconds, ours, found, theirs, "minisom", "10 times")
        if found:
            line("MiniSom", found[0], *theirs)
        found = peer("prosemble", "heskes", 2, X=X, epochs=20)
        if found:
            line("prosemble HeskesSOM, 20 epochs", found[0], *judge(X, y, found[1]))
        gas(name, X, y)


def gas(name, X, y, epochs=20):
    found = peer("prosemble", "gas", 2, X=X, epochs=epochs)
    theirs = judge(X, y, found[1]) if found else None
    for solver in ("batch", "online"):
        model = NeuralGas(n_prototypes=100, solver=solver, max_epochs=epochs, random_state=0)
        seconds, model = timed(model, X, repeat=2)
        label, ours = f"NeuralGas, {solver}, {epochs} epochs", judge(X, y, model.prototypes_)
        beside(label, name, seconds, ours, found, theirs, "prosemble", "10 times")
    if found:
        line(f"prosemble NeuralGas, {epochs} epochs", found[0], *theirs)
    start = time.process_time()
    means = KMeans(100, n_init=1, random_state=0).fit(X)
    line("KMeans", time.process_time() - start, *judge(X, y, means.cluster_centers_))
    ratio = -model.score(X) * len(X) / means.inertia_
    print(f"  NeuralGas, online: {ratio:.3f} times the squared error of KMeans (goal 1.1)")


def relational(n=2000, k=15):
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    extra = rng.choice(len(X), n - len(X), replace=False)
    X = np.vstack([X, X[extra] + rng.normal(size=(len(extra), 64))]) / 16
    y = np.r_[y, y[extra]]
    D = squared_euclidean(X, X)
    print(f"dissimilarities of {n} objects")
    found = peer("proto-dist-ml", "rng", RUNS, D=D, k=k)
    model = ProximityNeuralGas(n_prototypes=k, proximity="dissimilarity", random_state=0)
    seconds, model = timed(model, D)
    W = [model.set_params(random_state=s).fit(D).coefficients_ @ X for s in range(RUNS)]
    theirs = judge(X, y, found[1] @ X) if found else None
    label, ours = "ProximityNeuralGas, 15 prototypes", judge(X, y, np.array(W))
    beside(label, "digits", seconds, ours, found, theirs, "proto-dist-ml RNG", "3 times")
    for k in (1,) if quick else (1, 2):
        found = peer("proto-dist-ml", "mglvq", 1, D=np.sqrt(D), y=y, k=k)
        for cost in ("glvq", "rslvq"):
            median = MedianLVQ(cost=cost, n_prototypes=k, random_state=0)
            seconds = best_time(lambda median=median: median.fit(D, y), repeat=3)
            label, ours = f"MedianLVQ, {cost}, {k} per class", median.score(D, y)
            if not found:
                print(f"  {label}: {1e3 * seconds:.0f} ms, accuracy {ours:.3f}", flush=True)
                continue
            chosen = found[1][0]
            accuracy = (y[chosen][D[:, chosen].argmin(axis=1)] == y).mean()
            report(
                label,
                seconds,
                found[0],
                against="proto-dist-ml MGLVQ",
                goal="10 times",
                quality=f"accuracy {ours:.3f}; {accuracy:.3f}",
            )


def proximities():
    print("purity beside kmedoids (best of 10 starts of each)")
    rng = np.random.RandomState(0)
    names = ("cat_cortex", "protein_dissimilarity", "promoter_gene_dna", "splice_dna")
    for name in names[: 1 if quick else None]:
        data = load(name)
        y = data["labels"]
        if "sequences" in data:
            some = rng.permutation(len(y))[:1000]
            y = y[some]
            D = pairwise(data["sequences"][some].tolist(), "levenshtein") ** 2
        else:
            D = data["dissimilarity"]
        for k in (len(set(y.tolist())), 12):
            fits = [
                ProximityNeuralGas(n_prototypes=k, proximity="dissimilarity", random_state=s).fit(D)
                for s in range(10)
            ]
            gas = min(fits, key=lambda model: model.loss_curve_[-1])
            som = ProximitySOM(
                shape=(2, k // 2) if k % 2 == 0 else (1, k), proximity="dissimilarity"
            )
            texts = [f"neural gas {purity(gas.labels_, y):.3f}"]
            texts.append(f"map {purity(som.fit(D).labels_, y):.3f}")
            found = peer("kmedoids", "kmedoids", 1, D=D, k=k)
            if found:
                texts.append(f"kmedoids {purity(found[1][0], y):.3f}")
            print(f"  {name:<24}{k:3d} prototypes: {', '.join(texts)}", flush=True)


def majority(model, X, y, test):
    """Classes of units by the majority of the labelled samples they win."""
    winners = model.predict(X)
    overall = np.bincount(y).argmax()
    classes = [
        np.bincount(y[winners == k]).argmax() if (winners == k).any() else overall
        for k in range(len(model.prototypes_))
    ]
    return np.array(classes)[model.predict(test)]


def fuzzy(n_splits=1 if quick else 5):
    X, y = load_digits(return_X_y=True)
    X = X / 16
    found = {}
    for seed in range(n_splits):
        order = np.random.default_rng(seed).permutation(len(X))
        train, test = order[:1200], order[1200:]
        labels = np.where(np.arange(1200) < 120, y[train], -1)
        pairs = (
            (SelfOrganizingMap(), FuzzyLabelledSOM()),
            (NeuralGas(n_prototypes=100), FuzzyLabelledNeuralGas(n_prototypes=100)),
        )
        for plain, labelled in pairs:
            plain.set_params(random_state=seed).fit(X[train])
            told = majority(plain, X[train[:120]], y[train[:120]], X[test])
            labelled.set_params(random_state=seed).fit(X[train], labels)
            accuracies = (told == y[test]).mean(), labelled.score(X[test], y[test])
            found.setdefault(type(labelled).__name__, []).append(accuracies)
    print("digits, 120 of 1200 samples labelled: accuracy on the other 597")
    for name, values in found.items():
        by_majority, ours = np.mean(values, axis=0)
        print(f"  {name}: {ours:.3f}; without labels, then by majority: {by_majority:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = {"vectors": vectors, "relational": relational, "data": proximities, "fuzzy": fuzzy}
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, metavar="PART")
    for name in parser.parse_args().only:
        parts[name]()


if __name__ == "__main__":
    with recorded(__file__):
        main()
