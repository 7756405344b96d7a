"""The heaviest operations on one core and on two: time, and whether the results are the same.

    python benchmarks/two_cores.py [--small] [--only NAME ...]

Five are named by the goal: distances in l_p, sums of Gaussians over all pairs, warping distances of
series, a permutation test, and a map learned batch by batch in l_p; beside them a kernel matrix,
gas and prototypes by quasi-Newton steps (linear algebra, mostly), and distances of trains. The
quotient is that of the times by the clock, and needs two free cores; the last column is how much
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
from _record import recorded
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


def operations(small: bool) -> dict[str, Callable[[], Any]]:
    """What is measured, by name; each returns numbers to compare."""
    rng = np.random.default_rng(0)

    def size(many: int) -> int:
        return many // 8 if small else many

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
    runs = [[measured(operation, cores) for cores in (1, 2)] for _ in range(repeat)]
    (one, alone), (two, together) = (
        np.min([run[which][:2] for run in runs], axis=0) for which in (0, 1)
    )
    first, second = runs[0][0][2], runs[0][1][2]
    off = np.abs(first - second).max() / max(np.abs(first).max(), 1e-300)
    same = "the same" if off == 0 else f"differs {off:.0e}"
    goal = f"goal {GOAL}" if name in FIVE else ""
    print(
        f"{name:16}{1e3 * one:9.1f} ms {1e3 * two:9.1f} ms {one / two:6.2f} times as fast   "
        f"{same:14} {together / alone:5.2f}   {goal}",
        flush=True,
    )
    return one / two


def main() -> None:
    """All operations, or some."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="an eighth of the data")
    parser.add_argument("--only", nargs="*", default=[], help="names of operations")
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    if numba.config.NUMBA_NUM_THREADS < 2:
        raise SystemExit("compiled code may use one core only here: nothing to compare")
    print(f"{'':16}{'one core':>12} {'two cores':>12} {'':20} {'results':14} processor time")
    found = {
        name: compare(name, operation, args.repeat)
        for name, operation in operations(args.small).items()
        if not args.only or name in args.only
    }
    fast = sum(found[name] >= GOAL for name in FIVE if name in found)
    print(f"{fast} of the five at least {GOAL} times as fast on two cores by the clock")


if __name__ == "__main__":
    with recorded(__file__):
        main()
