"""Series that warp: few prototypes beside the nearest neighbour, and landmarks beside all pairs.

    python benchmarks/series.py [--only matrices|sets|landmarks]

The matrix of dynamic time warping itself is measured beside aeon and tslearn, each on one thread.
Sets are GunPoint, Coffee and ECG200 from the benchmark data, further ones that aeon brings along
where it is installed, and three generated ones, whose classes differ by shape and whose time is
bent. Every classifier sees the same matrix of dynamic time warping; a sparse model compares new
series only with those that it is made of.
"""

import argparse
import json
import os
import subprocess
import tempfile
import warnings
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _data import load
from _peers import missing, peer_python
from _record import quick, recorded
from _timing import best_time, report
from numba import config, set_num_threads
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, train_test_split

from noneuclid.prototypes import RelationalGLVQ, RelationalRSLVQ, compact, sparsify
from noneuclid.proximities import DTW, nystroem_check

WINDOWS = (0.05, 0.1, 0.3, 1.0)
PEER = """
import json, sys, time, numpy as np
X, window = np.load(sys.argv[2]), float(sys.argv[3])
if sys.argv[1] == "aeon":
    from aeon.distances import dtw_pairwise_distance
    run = lambda: dtw_pairwise_distance(X[:, None], window=window)
else:
    from tslearn.metrics import cdist_dtw
    radius = int(window * X.shape[1])
    run = lambda: cdist_dtw(X, global_constraint="sakoe_chiba", sakoe_chiba_radius=radius) ** 2
run()
times = []
for _ in range(3):
    start = time.perf_counter(); D = run(); times.append(time.perf_counter() - start)
np.save(sys.argv[2], D)
print(json.dumps(min(times)))
"""


def warped(n: int, kind: str, length: int = 100, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Classes that differ by shape, on bent axes of time."""
    rng = np.random.default_rng(seed)
    shapes = {
        "bells": [lambda t: bell(t, 0.5), lambda t: bell(t, 0.35) + bell(t, 0.65)],
        "waves": [
            lambda t: np.sin(2 * np.pi * t),
            lambda t: np.sin(4 * np.pi * t),
            lambda t: np.sin(2 * np.pi * t) + 0.5 * np.sin(6 * np.pi * t),
        ],
        "steps": [
            lambda t: 1.0 * (t > 0.4) - 1.0 * (t > 0.6),
            lambda t: np.clip(5 * (t - 0.4), 0, 1) - 1.0 * (t > 0.6),
            lambda t: 1.0 * (t > 0.4) - np.clip(5 * (t - 0.4), 0, 1),
        ],
    }[kind]
    y = np.arange(n) % len(shapes)
    times = np.linspace(0, 1, length)
    X = []
    for c in y:
        bent = np.cumsum(np.exp(rng.normal(scale=0.6, size=6)))
        t = np.interp(times, np.linspace(0, 1, 7), np.r_[0, bent / bent[-1]])
        X.append((1 + 0.1 * rng.normal()) * shapes[c](t) + 0.1 * rng.normal(size=length))
    return np.array(X), y


def bell(t: np.ndarray, at: float) -> np.ndarray:
    return np.exp(-(((t - at) / 0.06) ** 2))


def sets() -> dict[str, tuple[Any, ...]]:
    """Training series, labels, test series, labels."""
    found: dict[str, tuple[Any, ...]] = {}
    for name in ("ucr_gunpoint", "ucr_coffee", "ucr_ecg200"):
        data = load(name)
        X, new = data["X_train"], data["X_test"]
        y, y_new = data["y_train"], data["y_test"]
        if len(X) < 60:  # a tenth of so few would be fewer than the prototypes
            X, new, y, y_new = train_test_split(
                np.vstack([X, new]),
                np.r_[y, y_new],
                test_size=0.4,
                random_state=0,
                stratify=np.r_[y, y_new],
            )
        found[name] = X, y, new, y_new
    for kind in ("bells", "waves", "steps"):
        found[f"generated: {kind}"] = (*warped(200, kind), *warped(300, kind, seed=1))
    try:
        from aeon.datasets import load_arrow_head, load_italy_power_demand
    except ImportError:
        return found
    for name, fetch in (("ArrowHead", load_arrow_head), ("ItalyPower", load_italy_power_demand)):
        train, test = fetch(split="train"), fetch(split="test")
        found[f"aeon: {name}"] = (train[0][:, 0], train[1], test[0][:, 0], test[1])
    return found


def matrices(n: int = 50 if quick else 300, length: int = 200, window: float = 0.1) -> None:
    """All distances of n series, on one thread, beside those of other libraries."""
    X, _ = warped(n, "waves", length)
    metric = DTW(window=window)
    set_num_threads(1)
    ours, D = best_time(lambda: metric.between(X), repeat=3), metric.between(X)
    set_num_threads(config.NUMBA_NUM_THREADS)
    for name in ("aeon", "tslearn"):
        python = peer_python(name)
        if not python:
            print(missing(name))
            continue
        seconds, theirs = peer_matrix(python, name, X, window)
        what, off = f"DTW of {n} series of length {length}", np.abs(theirs - D).max() / D.max()
        report(what, ours, seconds, against=name, quality=f"distances differ by {off:.0e}")


def peer_matrix(python: str, name: str, X: np.ndarray, window: float) -> tuple[float, np.ndarray]:
    """Seconds and distances of a peer, on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npy"
        np.save(path, X)
        command = [python, "-W", "ignore", "-c", PEER, name, str(path), str(window)]
        alone = {**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=alone)
        return json.loads(done.stdout.splitlines()[-1]), np.load(path)


def neighbour_accuracy(D: np.ndarray, y: np.ndarray) -> float:
    """Of the nearest other training series."""
    others = D + np.where(np.eye(len(D), dtype=bool), np.inf, 0.0)
    return float(np.mean(y[others.argmin(axis=1)] == y))


def sparse(model: Any, D: np.ndarray, y: np.ndarray) -> Any:
    """Every prototype becomes the series nearest to it, and only those are kept."""
    return compact(sparsify(clone(model).fit(D, y), method="nearest", k=1))


def held_out_accuracy(model: Any, D: np.ndarray, y: np.ndarray) -> float:
    """Of the sparse model, on series it did not learn from."""
    right = []
    for train, test in StratifiedKFold(4, shuffle=True, random_state=0).split(D, y):
        small = sparse(model, D[np.ix_(train, train)], y[train])
        said = small.predict(D[np.ix_(test, train[small.compact_objects_])])
        right.append(said == y[test])
    return float(np.concatenate(right).mean())


def candidates(n: int, n_classes: int) -> list[Any]:
    """At most three prototypes per class, and a tenth of the series together."""
    counts = [m for m in (1, 2, 3) if m * n_classes <= n / 10]
    kinds = (RelationalGLVQ, RelationalRSLVQ)
    return [
        cls(metric="precomputed", n_prototypes=m, init=init, random_state=0)
        for cls in kinds
        for m in counts
        for init in ("kmeans", "kmedoids")
    ]


def compare(name: str, data: tuple[Any, ...]) -> bool:
    """One line; window, kind, number and start are chosen on the training series."""
    X, y, new, y_new = data
    matrices = {window: DTW(window=window).between(X) for window in WINDOWS}
    near = max(WINDOWS, key=lambda w: neighbour_accuracy(matrices[w], y))
    to = DTW(window=near).between(new, X)
    nearest = float(np.mean(y[to.argmin(axis=1)] == y_new))
    choices = [(w, m) for w in WINDOWS for m in candidates(len(X), len(np.unique(y)))]
    window, model = max(choices, key=lambda c: held_out_accuracy(c[1], matrices[c[0]], y))
    D, to = matrices[window], DTW(window=window).between(new, X)
    whole, small = clone(model).fit(D, y).score(to, y_new), sparse(model, D, y)
    found = small.score(to[:, small.compact_objects_], y_new)
    used = len(small.compact_objects_)
    held = found >= nearest - 0.02 and used <= len(X) / 10
    print(
        f"{name:<18} 1-NN, window {near:4.2f}, {nearest:6.1%} with {len(X)} comparisons   "
        f"{type(model).__name__}({model.n_prototypes}), window {window:4.2f}, {whole:6.1%}, "
        f"sparse {found:6.1%} with {used}   {'held' if held else 'missed'}",
        flush=True,
    )
    return held


def landmarks(n: int = 200 if quick else 2000, length: int = 200, m: int = 50) -> None:
    """All pairs against landmarks, in one run: time of fit and prediction, accuracy."""
    X, y = warped(n, "waves", length)
    new, y_new = warped(500, "waves", length, seed=1)
    metric = DTW(window=0.1)
    metric.between(X[:4])  # compiles
    times, scores = {}, {}
    for name, number in (("landmarks", m), ("all pairs", None)):
        model = RelationalRSLVQ(metric=metric, n_prototypes=2, n_landmarks=number, random_state=0)
        model.fit(X[:60], y[:60]) if number is None else model.fit(X[: 2 * m], y[: 2 * m])
        start = perf_counter()
        model.fit(X, y)
        times[name] = perf_counter() - start
        scores[name] = model.score(new, y_new)
        print(f"{name:<10} fit {times[name]:7.1f} s   accuracy {scores[name]:6.1%}", flush=True)
    report(
        f"RelationalRSLVQ, {n} series of length {length}, {m} landmarks",
        times["landmarks"],
        times["all pairs"],
        against="all pairs",
        quality=f"accuracy {scores['landmarks']:.3f}; {scores['all pairs']:.3f}",
    )
    start = perf_counter()
    check = nystroem_check(
        X, metric=metric, proximity="dissimilarity", n_landmarks=m, random_state=0
    )
    print(f"the quick check: {check}, {perf_counter() - start:.1f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("matrices", "sets", "landmarks"))
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.only in (None, "matrices"):
        matrices()
    if given.only in (None, "sets"):
        chosen = list(sets().items())[: 1 if quick else None]
        held = [compare(name, data) for name, data in chosen]
        print(
            f"{sum(held)} of {len(held)} sets: within 2 points of 1-NN, a tenth of its comparisons"
        )
    if given.only in (None, "landmarks"):
        landmarks()


if __name__ == "__main__":
    with recorded(__file__):
        main()
