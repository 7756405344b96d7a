"""Learning from data in blocks: growth, memory, overhead, workers, and what a scheduler costs.

python benchmarks/scale.py [vectors] [maps] [overhead] [strings] [far] [scheduler] [--n 200000]

Every figure is a ratio measured in one run, or a peak of the memory of all processes. Data are
generated block by block where they are used, the same ones every time, and never stored.
"""

import argparse
import json
import subprocess
import sys
import threading
import time

import dask
import dask.array as da
import dask.bag as db
import distributed
import numpy as np
import psutil
from _record import quick, recorded
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from noneuclid._blocks import Blocks
from noneuclid.kernels.base import ObjectKernel
from noneuclid.pca import HebbianPCA
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    RSLVQ,
    KernelRSLVQ,
    NeuralGas,
    SelfOrganizingMap,
)

FEATURES, CLASSES, BLOCK = 64, 10, 20_000
LETTERS = 150
LEARNERS = {
    "GLVQ": lambda: GLVQ(random_state=0),
    "RSLVQ": lambda: RSLVQ(random_state=0),
    "GMLVQ(rank=2)": lambda: GMLVQ(rank=2, random_state=0),
    "NeuralGas(50)": lambda: NeuralGas(n_prototypes=50, random_state=0, max_epochs=20),
    "HebbianPCA(l1, 5)": lambda: HebbianPCA(n_components=5, space="l1", random_state=0),
}


# --- data in blocks -----------------------------------------------------------------------------


def _rows(block_info=None):
    """A block of samples with their class in the last column."""
    k, (n, _) = block_info[None]["chunk-location"][0], block_info[None]["chunk-shape"]
    rng = np.random.default_rng([1, k])
    y = rng.integers(CLASSES, size=n)
    centres = 0.6 * np.random.default_rng(0).normal(size=(CLASSES, FEATURES))
    return np.column_stack([rng.standard_normal((n, FEATURES)) + centres[y], y])


def vectors(n, block=BLOCK):
    """Samples and labels, in blocks."""
    sizes = (block,) * (n // block)
    both = da.map_blocks(_rows, chunks=(sizes, (FEATURES + 1,)), dtype=float)
    return both[:, :-1], both[:, -1].astype(int)


def _words(k, n):
    """Strings of one of five families: a root with some letters changed."""
    rng = np.random.default_rng([2, k])
    roots = np.random.default_rng(3).integers(4, size=(5, LETTERS))
    labels = rng.integers(5, size=n)
    letters = roots[labels]
    changed = rng.random(letters.shape) < 0.4
    letters = np.where(changed, rng.integers(4, size=letters.shape), letters)
    return np.array(list("ACGT"))[letters].view(f"U{LETTERS}").ravel().tolist(), labels


def words(n, block=10_000):
    """Strings as a bag, and their labels."""
    parts = [dask.delayed(_words, nout=2)(k, block) for k in range(n // block)]
    labels = [da.from_delayed(part[1], (block,), dtype=int) for part in parts]
    return db.from_delayed([part[0] for part in parts]), da.concatenate(labels)


class EditKernel(ObjectKernel):
    """A kernel of the Levenshtein distance."""

    def as_objects(self, X, name="X"):
        """Words, in an array."""
        return np.array(X, dtype=object)

    def diag(self, X):
        """Every word is like itself."""
        return np.ones(len(X))

    def _evaluate(self, X, Y):
        return np.exp(-cdist(X, Y, scorer=Levenshtein.distance, dtype=np.float64) / 30.0)


# --- measuring ----------------------------------------------------------------------------------


class Memory:
    """The largest memory that this process and all its children had together, in GiB."""

    def __enter__(self):
        self.peak, self._stop = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def _watch(self):
        while not self._stop.wait(0.05):
            self.peak = max(self.peak, _memory())

    def __exit__(self, *error):
        self._stop.set()
        self._thread.join()


def _memory():
    process, total = psutil.Process(), 0
    for one in [process, *process.children(recursive=True)]:
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total / 2**30


def measured(*arguments):
    """What this script prints, as JSON, in a process of its own: peaks do not add up."""
    command = [sys.executable, __file__, "--one", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def one_fit(kind, name, n, memory):
    """Seconds, peak memory and accuracy of one fit, after a small one that compiles."""
    learner = LEARNERS[name]()
    LEARNERS[name]().fit(*_given(kind, memory, 5_000))
    X, y = _given(kind, memory, int(n))
    with Memory() as used:
        start = time.perf_counter()
        learner.fit(X, y)
        seconds = time.perf_counter() - start
    X, y = (part.compute() for part in vectors(100_000))
    score = float(learner.score(X, y))
    print(json.dumps({"seconds": seconds, "memory": used.peak, "score": score}))


def _given(kind, memory, n):
    X, y = vectors(n, min(BLOCK, n // 5))
    if memory == "streamed":
        return X, y
    X, y = dask.compute(X, y)
    if memory == "array":
        return X, y
    return da.from_array(X, chunks=(len(X) // 10, FEATURES)), da.from_array(y, chunks=len(y) // 10)


def growth(n):
    """Peak memory, and time of n samples over that of n/10."""
    for name in list(LEARNERS)[: 1 if quick else None]:
        few = measured("vectors", name, n // 10, "streamed")
        many = measured("vectors", name, n, "streamed")
        print(
            f"{name:<18} {n // 10:,}: {few['seconds']:.1f} s   {n:,}: {many['seconds']:.1f} s: "
            f"{many['seconds'] / few['seconds']:.1f} times (goal 12)   "
            f"peak {many['memory']:.2f} GiB (goal 3)   score {many['score']:.4f}",
            flush=True,
        )


def one_map(solver, n):
    """Processor seconds, memory beside the data and error of a map of rows in memory."""
    rng = np.random.default_rng(0)
    centres = 1.5 * rng.normal(size=(10, 20))
    X = rng.standard_normal((int(n) + 20_000, 20))
    X += centres[rng.integers(10, size=len(X))]
    X, test = X[20_000:], X[:20_000]
    model = SelfOrganizingMap(solver=solver, random_state=0)
    SelfOrganizingMap(solver=solver, max_epochs=2).fit(X[:5000])
    before = _memory()
    with Memory() as used:
        start = time.process_time()
        model.fit(X)
        seconds = time.process_time() - start
    error = model.quantization_error(test)
    memory = {"data": X.nbytes / 2**30, "beside": used.peak - before}
    print(json.dumps({"seconds": seconds, "memory": used.peak, "error": error, **memory}))


def maps(n):
    """A map of rows in memory as anybody gets it: 10 × 10 units, 50 epochs, one core."""
    for solver, goal in (("batch", 35), ("online", 35)):
        few, many = (measured("map", solver, rows, "array") for rows in (n // 10, n))
        print(
            f"SelfOrganizingMap, {solver}: {n // 10:,} × 20: {few['seconds']:.1f} s   {n:,}: "
            f"{many['seconds']:.1f} s (goal {goal})   peak {many['memory']:.2f} GiB (goal 0.5), of "
            f"it data {many['data']:.2f}, the fit {many['beside']:.3f}   "
            f"error {few['error']:.4f}, {many['error']:.4f}",
            flush=True,
        )


def overhead(n):
    """Time of a fit on blocks over that on the same array in memory, on the same cores."""
    for name in list(LEARNERS)[: 1 if quick else None]:
        array = measured("vectors", name, n, "array")
        blocks = measured("vectors", name, n, "blocks")
        ratio = blocks["seconds"] / array["seconds"]
        print(
            f"{name:<18} {n:>10,} in memory: {array['seconds']:7.1f} s, as dask array "
            f"{blocks['seconds']:7.1f} s: {ratio:.2f} times (goal 1.5)   scores "
            f"{array['score']:.4f} and {blocks['score']:.4f}",
            flush=True,
        )


def one_string_fit(n, n_workers):
    """Seconds and memory of a fit on strings, with so many worker processes."""
    with (
        distributed.LocalCluster(
            n_workers=int(n_workers), threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster),
    ):
        fit = KernelRSLVQ(
            kernel=EditKernel(),
            n_landmarks=100,
            solver="lbfgs",
            gradient="coordinates",
            max_epochs=10,
            random_state=0,
        ).fit
        fit(*words(20_000))
        X, y = words(int(n))
        with Memory() as used:
            start = time.perf_counter()
            model = fit(X, y)
            seconds = time.perf_counter() - start
        X, y = words(20_000)
        score = float(model.score(X, y))
    print(json.dumps({"seconds": seconds, "memory": used.peak, "score": score}))


def strings(n):
    """Two workers against one, and their memory."""
    two, one = (measured("strings", "-", n // 5, workers) for workers in (2, 1))
    print(
        f"{n // 5:,} strings, 100 landmarks: one worker {one['seconds']:.1f} s, two "
        f"{two['seconds']:.1f} s: {one['seconds'] / two['seconds']:.2f} times (goal 1.7), "
        f"accuracy {two['score']:.4f}, peak {two['memory']:.2f} GiB (goal 3)",
        flush=True,
    )


def far(n):
    """Ten times the data, for one learner."""
    found = measured("vectors", "GLVQ", 10 * n, "streamed")
    print(f"GLVQ on {10 * n:,}: {found['seconds']:.0f} s, peak {found['memory']:.2f} GiB")


# --- the scheduler ------------------------------------------------------------------------------


def scheduler():
    """What a pass costs besides its work: real graphs of more and more blocks without any.

    The last has as many blocks as 10⁹ samples in blocks of 125,000.
    """
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0"}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster):
        found = []
        for blocks in (100, 200) if quick else (500, 1000, 2000, 4000, 8000):
            X = da.ones((blocks, 1), chunks=(1, 1)).persist()
            distributed.wait(X)
            data = Blocks.of_rows(GLVQ(), X)
            start = time.perf_counter()
            data.sum(_nothing)
            found.append((blocks, time.perf_counter() - start))
            tasks = n_tasks(blocks)
            print(
                f"a pass of {blocks:,} blocks without work: {tasks:,} tasks, {found[-1][1]:.2f} s, "
                f"{1e3 * found[-1][1] / tasks:.2f} ms each",
                flush=True,
            )
    n, seconds = np.array(found).T
    print(f"a block costs {1e3 * np.polyfit(n, seconds, 1)[0]:.2f} ms")


def n_tasks(blocks, fan_in=8):
    """Tasks of a pass: one per block, and the sums of eight, of their sums, and so on."""
    tasks = blocks
    while blocks > 1:
        blocks = -(-blocks // fan_in)
        tasks += blocks
    return tasks


def _nothing(part):
    return 0.0


def main():
    """Run what is asked for; all of it by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    all_parts = ["vectors", *([] if quick else ["maps", "overhead", "strings"]), "scheduler"]
    parser.add_argument("what", nargs="*", default=all_parts)
    parser.add_argument("--n", type=int, default=20_000 if quick else 200_000)
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        kind, name, n, how = asked.one
        if kind == "map":
            one_map(name, n)
        else:
            one_string_fit(n, how) if kind == "strings" else one_fit(kind, name, n, how)
        return
    steps = {"vectors": growth, "maps": maps, "overhead": overhead, "strings": strings, "far": far}
    for what in asked.what:
        print(f"--- {what}", flush=True)
        scheduler() if what == "scheduler" else steps[what](asked.n)


if __name__ == "__main__":
    with recorded(__file__):
        main()
