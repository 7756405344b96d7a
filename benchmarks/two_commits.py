"""Speed of two commits, measured in turn in one run: the ratio of the best times of each case.

    git worktree add ../before COMMIT
    python benchmarks/two_commits.py ../before/src src [--rounds 15] [--only NAME]

One process per commit; they run each case in turn, call by call, so that both meet the same noise,
and the least processor time of each counts. A ratio above one means that the second commit is
faster. Exit code 1 if any ratio is below 0.95.
"""

import argparse
import json
import os
import subprocess
import sys
import time
import warnings

LEAST = 0.95


def _cases():
    """Name → a function that is timed; what it needs is made before."""
    import numpy as np
    from sklearn.datasets import load_digits, make_blobs

    import noneuclid as ne
    from noneuclid.information import KernelICA, information_potential, two_sample_test
    from noneuclid.kernels import Gaussian, SpikeTrainKernel
    from noneuclid.pca import (
        GeneralizedKernelPCA,
        GeneralizedPCA,
        HebbianPCA,
        KernelHebbianPCA,
    )
    from noneuclid.prototypes import (
        GLVQ,
        GMLVQ,
        LVQ1,
        RSLVQ,
        KernelGLVQ,
        KernelRSLVQ,
        MedianLVQ,
        NeuralGas,
        ProximityNeuralGas,
        RelationalGLVQ,
        RelationalRSLVQ,
        SelfOrganizingMap,
        sparsify,
    )
    from noneuclid.proximities import NystroemEmbedding, SpectrumCorrection
    from noneuclid.spikes import SpikeTrainPCA, jittered_templates

    digits, classes = load_digits(return_X_y=True)
    X, y = make_blobs(2000, centers=6, n_features=10, cluster_std=3.0, random_state=0)
    large, of = make_blobs(20000, centers=6, n_features=10, cluster_std=3.0, random_state=0)
    S = Gaussian(width=4.0)(X)
    small = S[:400, :400].copy()
    rng = np.random.default_rng(0)
    points, others = rng.normal(size=(1500, 50)), rng.normal(size=(60, 50))
    trains = jittered_templates(200, random_state=0).trains
    fitted = KernelRSLVQ(random_state=0, n_prototypes=2, max_epochs=3).fit(X[:600], y[:600])
    seed = {"random_state": 0}
    return {
        "GLVQ digits": lambda: GLVQ(n_prototypes=3, **seed).fit(digits, classes),
        "RSLVQ digits": lambda: RSLVQ(n_prototypes=3, **seed).fit(digits, classes),
        "GMLVQ digits": lambda: GMLVQ(**seed).fit(digits, classes),
        "GLVQ blobs 20000": lambda: GLVQ(n_prototypes=2, **seed).fit(large, of),
        "GLVQ l1": lambda: GLVQ(space="l1", max_epochs=5, **seed).fit(X, y),
        "GLVQ Sobolev": lambda: GLVQ(space="sobolev", **seed).fit(digits, classes),
        "GLVQ sgd": lambda: GLVQ(solver="sgd", max_epochs=10, **seed).fit(large, of),
        "LVQ1 sgd": lambda: LVQ1(max_epochs=10, **seed).fit(large, of),
        "KernelGLVQ 400": lambda: KernelGLVQ(kernel="precomputed", **seed).fit(small, y[:400]),
        "KernelGLVQ 2000": lambda: KernelGLVQ(kernel="precomputed", **seed).fit(S, y),
        "KernelRSLVQ 2000": lambda: KernelRSLVQ(kernel="precomputed", **seed).fit(S, y),
        "RelationalGLVQ 2000": lambda: RelationalGLVQ(n_prototypes=2, **seed).fit(X, y),
        "RelationalRSLVQ 2000": lambda: RelationalRSLVQ(n_prototypes=2, **seed).fit(X, y),
        "landmarks 20000": lambda: KernelGLVQ(n_landmarks=100, max_epochs=10, **seed).fit(
            large, of
        ),
        "MedianLVQ": lambda: MedianLVQ(metric="sqeuclidean", n_prototypes=3, **seed).fit(X, y),
        "sparsify omp": lambda: sparsify(fitted, method="omp", k=5),
        "predict proximities": lambda: fitted.predict(X),
        "NeuralGas": lambda: NeuralGas(n_prototypes=20, **seed).fit(large),
        "NeuralGas l1": lambda: NeuralGas(space="l1", max_epochs=4, **seed).fit(X[:500]),
        "SOM": lambda: SelfOrganizingMap(**seed).fit(large),
        "SOM online": lambda: SelfOrganizingMap(solver="online", max_epochs=3, **seed).fit(large),
        "ProximityNeuralGas": lambda: ProximityNeuralGas(n_prototypes=10, **seed).fit(S),
        "NystroemEmbedding": lambda: NystroemEmbedding(metric="rbf", **seed).fit_transform(large),
        "SpectrumCorrection": lambda: SpectrumCorrection().fit_transform(S[:1000, :1000].copy()),
        "Lp(1.5) distances": lambda: ne.Lp(1.5).squared_distance(points, others),
        "Lp(1) distances": lambda: ne.Lp(1).squared_distance(points, others),
        "Sobolev distances": lambda: ne.Sobolev().squared_distance(points, others),
        "HebbianPCA exact": lambda: HebbianPCA(n_components=5).fit(large),
        "HebbianPCA l1.5": lambda: HebbianPCA(space="l1.5", max_iter=50, **seed).fit(X),
        "HebbianPCA online": lambda: HebbianPCA(solver="online", max_iter=3, **seed).fit(large),
        "GeneralizedPCA l1": lambda: GeneralizedPCA(n_components=5).fit(digits),
        "GeneralizedPCA tanh": lambda: GeneralizedPCA(n_components=5, objective="tanh").fit(X),
        "kernel l2": lambda: GeneralizedKernelPCA(objective="l2", n_components=5).fit(X),
        "kernel l1": lambda: GeneralizedKernelPCA(objective="l1", n_components=3).fit(X),
        "kernel tanh": lambda: GeneralizedKernelPCA(objective="tanh", n_components=3).fit(X),
        "KernelHebbianPCA": lambda: KernelHebbianPCA(max_iter=20, **seed).fit(X[:400]),
        "SpikeTrainKernel": lambda: SpikeTrainKernel(0.002)(trains),
        "SpikeTrainPCA": lambda: SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(trains),
        "information potential": lambda: information_potential(large[:8000, :3], 1.0),
        "two_sample_test": lambda: two_sample_test(X[:500], X[500:1000], 3.0, **seed),
        "KernelICA": lambda: KernelICA().fit(X[:300, :2]),
    }


def _work() -> None:
    """Time a case for every name that comes in; the first run of each compiles."""
    warnings.simplefilter("ignore")
    cases, warm = _cases(), set()
    print(json.dumps(list(cases)), flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name not in warm:
            cases[name]()
            warm.add(name)
        start = time.process_time()
        cases[name]()
        print(time.process_time() - start, flush=True)


class _Worker:
    """A process that has one of the commits."""

    def __init__(self, source: str):
        one = {"OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}  # idle threads burn time
        environment = {**os.environ, **one, "PYTHONPATH": os.path.abspath(source)}
        command = [sys.executable, __file__, "--work"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=pipe, text=True, bufsize=1
        )
        self.names = json.loads(self.process.stdout.readline())

    def time(self, name: str) -> float:
        """Processor seconds of one run."""
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", help="folders of the packages: before, after")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        _work()
        return 0
    before, after = (_Worker(source) for source in given.sources)
    slower = 0
    print(f"{'case':24}{'before':>10}{'after':>10}{'ratio':>8}   processor seconds, best runs")
    for name in before.names:
        if given.only not in name:
            continue
        pairs = [(before.time(name), after.time(name)) for _ in range(given.rounds)]
        old, new = (min(times) for times in zip(*pairs))
        ratio = old / new
        slower += ratio < LEAST
        text = f"{name:24}{old:10.4f}{new:10.4f}{ratio:8.2f}{'  slower' if ratio < LEAST else ''}"
        print(text, flush=True)
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
