"""The heaviest operations on one core and on two: time, and whether the results are the same.

    python benchmarks/two_cores.py [--only NAME ...]

Five are named by the goal: distances in l_p, sums of Gaussians over all pairs, warping distances of
series, a permutation test, and a map learned batch by batch in l_p; beside them a kernel matrix,
gas and prototypes by quasi-Newton steps (linear algebra, mostly), and distances of trains. The
quotient is that of the times by the clock, and needs two free cores; beside it stands how much
more processor time two cores take together. Threads of compiled code and of linear algebra are
limited together. Sums go over fixed blocks in a fixed order, so that results do not depend on the
number of threads; only linear algebra rounds as it likes.
"""

import argparse
import os
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # a thread that waits takes no processor time

import numba
import numpy as np
from _record import quick, recorded
from _timing import report
from sklearn.datasets import make_blobs
from threadpoolctl import threadpool_limits

from noneuclid.information import independence_test, information_potential
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import GLVQ, RSLVQ, NeuralGas, SelfOrganizingMap
from noneuclid.proximities import Relation
from noneuclid.spaces import Lp
from noneuclid.spikes import jittered_templates

GOAL = 1.7
FIVE = ("l_p distances", "potential", "warping", "permutations", "map in l_p")


def operations() -> dict[str, Callable[[], Any]]:
    """What is measured, by name; each returns numbers to compare."""
    rng = np.random.default_rng(0)

    def size(many: int) -> int:
        return many // 8 if quick else many

    rows, pairs = rng.normal(size=(size(4000), 50)), rng.normal(size=(size(20_000), 3))
    series = rng.normal(size=(size(400), 150)).cumsum(axis=1)
    x = rng.normal(size=(size(16_000), 5))
    noisy = x + rng.normal(size=x.shape)
    X, y = make_blobs(size(40_000), centers=5, n_features=20, cluster_std=6.0, random_state=0)
    trains = jittered_templates(size(3000), random_state=0).trains
    grid = SelfOrganizingMap(shape=(10, 10), space=Lp(1.5), max_epochs=10, random_state=0)
    gas = NeuralGas(n_prototypes=50, max_epochs=10, random_state=0)
    warped, edits = (
        Relation(name, proximity="dissimilarity") for name in ("dtw", "victor_purpura")
    )
    return {
        "l_p distances": lambda: Lp(1.5).squared_distance(rows, rows),
        "potential": lambda: information_potential(pairs, 1.0),
        "warping": lambda: warped.fit(series).matrix,
        "permutations": lambda: independence_test(x, noisy, random_state=0).statistic,
        "map in l_p": lambda: grid.fit(X).prototypes_,
        "kernel matrix": lambda: Gaussian(5.0)(rows),
        "gas": lambda: gas.fit(X).prototypes_,
        "GLVQ": lambda: GLVQ(n_prototypes=3, max_epochs=30, random_state=0).fit(X, y).prototypes_,
        "RSLVQ": lambda: RSLVQ(n_prototypes=3, max_epochs=30, random_state=0).fit(X, y).prototypes_,
        "spike trains": lambda: edits.fit(trains).matrix,
    }


def measured(operation: Callable[[], Any], cores: int) -> tuple[float, float, Any]:
    """Time by the clock, processor time of all threads, and the result, on so many cores."""
    numba.set_num_threads(cores)
    with threadpool_limits(cores):
        clock, busy = perf_counter(), process_time()
        result = operation()
        return perf_counter() - clock, process_time() - busy, np.asarray(result)


def compare(name: str, operation: Callable[[], Any], repeat: int) -> float:
    """One line: the best of several runs, in turn on one core and on two."""
    measured(operation, 2)
    (*best_one, first), (*best_two, second) = measured(operation, 1), measured(operation, 2)
    for _ in range(repeat - 1):
        best_one = np.minimum(best_one, measured(operation, 1)[:2])
        best_two = np.minimum(best_two, measured(operation, 2)[:2])
    (one, alone), (two, together) = best_one, best_two
    off = np.abs(first - second).max() / max(np.abs(first).max(), 1e-300)
    same = "the same result" if off == 0 else f"results differ {off:.0e}"
    spent = f"{same}, {together / alone:.2f} times the processor time"
    goal = f"{GOAL} times" if name in FIVE else ""
    return report(name, two, one, against="one core", goal=goal, quality=spent)


def main() -> None:
    """All operations, or some."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[], help="names of operations")
    parser.add_argument("--repeat", type=int, default=1 if quick else 6)
    args = parser.parse_args()
    if numba.config.NUMBA_NUM_THREADS < 2:
        print("compiled code may use one core only here: nothing to compare")
        return
    found = {
        name: compare(name, operation, args.repeat)
        for name, operation in operations().items()
        if not args.only or name in args.only
    }
    fast = sum(found[name] >= GOAL for name in FIVE if name in found)
    print(f"{fast} of the five at least {GOAL} times as fast on two cores by the clock")


if __name__ == "__main__":
    with recorded(__file__):
        main()
