"""Many rows in memory: time of ten times the data, and how many n × n matrices a fit holds.

    python benchmarks/large.py [learners] [objects] [matrices]

Every fit runs in a process of its own, on one core, after a small one that compiles. "learners" are
of vectors, with 20 columns: they are linear in the rows, so that ten times the rows take about ten
times the time. "objects" compare all pairs: sixteen times the pairs for four times the objects.
"matrices" is the peak of what NumPy allocates beside the data, in n × n matrices of float64.
"""

import json
import os
import subprocess
import sys
import time
import tracemalloc
import warnings

import numpy as np
from _record import quick, recorded
from sklearn.exceptions import ConvergenceWarning

from noneuclid.kernels import Gaussian
from noneuclid.pca import (
    BanachKernelPCA,
    GeneralizedKernelPCA,
    GeneralizedPCA,
    HebbianPCA,
    KernelHebbianPCA,
)
from noneuclid.prototypes import GLVQ, RSLVQ, NeuralGas, SelfOrganizingMap

ONE_CORE = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
KERNEL = Gaussian(width=3.0)
LEARNERS = {
    "GLVQ": lambda: GLVQ(random_state=0),
    "RSLVQ": lambda: RSLVQ(random_state=0),
    "NeuralGas": lambda: NeuralGas(random_state=0),
    "SelfOrganizingMap": lambda: SelfOrganizingMap(random_state=0),
    "HebbianPCA, l1": lambda: HebbianPCA(space="l1", random_state=0),
    "GeneralizedPCA, l1": lambda: GeneralizedPCA(objective="l1"),
}
OBJECTS = {"BanachKernelPCA": lambda: BanachKernelPCA(kernel=KERNEL)}
# A few steps hold as much as many.
MATRICES = {
    "GeneralizedKernelPCA, l1": lambda: GeneralizedKernelPCA(
        kernel=KERNEL, objective="l1", max_iter=3
    ),
    "GeneralizedKernelPCA, tanh": lambda: GeneralizedKernelPCA(
        kernel=KERNEL, objective="tanh", max_iter=3
    ),
    "KernelHebbianPCA": lambda: KernelHebbianPCA(kernel=KERNEL, max_iter=1, random_state=0),
    "BanachKernelPCA": lambda: BanachKernelPCA(kernel=KERNEL),
}
MAKERS = LEARNERS | OBJECTS | MATRICES
MANY, OBJECT_COUNT, MATRIX_SIZE = (20_000, 1000, 800) if quick else (1_000_000, 16_000, 16_000)
_FIRST, _FIRST_OBJECTS = 20_000, 500  # rows of the fit that compiles


def samples(n):
    """Ten overlapping classes in 20 columns."""
    rng = np.random.default_rng(0)
    centres = 1.5 * rng.normal(size=(10, 20))
    y = rng.integers(10, size=n)
    X = rng.standard_normal((n, 20))
    X += centres[y]
    return X, y


def one(name, n, traced):
    """Seconds, peak of the memory in bytes, warnings and iterations of one fit."""
    make, (X, y) = MAKERS[name], samples(n)
    warnings.simplefilter("ignore")
    few = slice(_FIRST if name in LEARNERS else _FIRST_OBJECTS)
    make().fit(X[few], y[few])
    if traced:
        tracemalloc.start()
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = make().fit(X, y)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1] if traced else 0
    warned = any(issubclass(w.category, ConvergenceWarning) for w in told)
    n_iter = getattr(model, "n_iter_", None)
    print(json.dumps({"s": seconds, "peak": peak, "warned": warned, "n_iter": n_iter}))


def measured(name, n, traced=False):
    command = [sys.executable, __file__, "--one", name, str(n), str(int(traced))]
    environment = {**os.environ, **dict.fromkeys(ONE_CORE, "1")}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return json.loads(done.splitlines()[-1])


def growth(names, n, factor):
    """Time of n rows over that of fewer."""
    for name in names:
        few, many = measured(name, n // factor), measured(name, n)
        end = "stopped by its limit, with a warning" if many["warned"] else "came to rest"
        print(
            f"{name:<20} {n // factor:>9,}: {few['s']:6.2f} s   {n:>9,}: {many['s']:6.2f} s: "
            f"{many['s'] / few['s']:5.1f} times   {few['n_iter']} and {many['n_iter']} iterations, "
            f"{end}",
            flush=True,
        )


def matrices():
    """Peaks in matrices of all pairs."""
    for name in MATRICES:
        found = measured(name, MATRIX_SIZE, traced=True)
        print(
            f"{name:<27} n = {MATRIX_SIZE:,}: {found['peak'] / 8 / MATRIX_SIZE**2:.2f} matrices, "
            f"{found['peak'] / 2**30:.2f} GiB, {found['s']:.1f} s"
        )


PARTS = {
    "learners": lambda: growth(LEARNERS, MANY, 10),
    "objects": lambda: growth(OBJECTS, OBJECT_COUNT, 4),
    "matrices": matrices,
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], int(sys.argv[3]), sys.argv[4] == "1")
    else:
        with recorded(__file__):
            for part in sys.argv[1:] or PARTS:
                print(f"--- {part}", flush=True)
                PARTS[part]()
