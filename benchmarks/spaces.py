"""Distances, the polynomial exp and the import time against NumPy, SciPy and scikit-learn.

Run it with ``python benchmarks/spaces.py``, or with the names of some parts behind it. Both sides
of every ratio are measured in this run. NumPy's exp uses AVX-512 where the processor has it; what
other processors give is seen with ``NPY_DISABLE_CPU_FEATURES="X86_V4 AVX512_ICL"``.
"""

import subprocess
import sys

import numba
import numpy as np
from _record import quick, recorded
from _timing import best_times, report
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import euclidean_distances

from noneuclid.numerics import exp_nonpositive
from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.spaces import Euclidean, Lp, Sobolev

N, M, D = 200 if quick else 2000, 500, 100


def distances() -> None:
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(N, D)), rng.normal(size=(M, D))
    print(f"\nSquared distances, {N} x {M} x {D}")
    for p, goal in ((1, ""), (1.5, "2"), (3, ""), (2.5, "8"), (2.3, ""), (np.inf, "2")):
        space = Lp(p)
        kind = {"metric": "chebyshev"} if p == np.inf else {"metric": "minkowski", "p": p}
        peer = lambda kind=kind: cdist(X, W, **kind) ** 2  # noqa: E731
        assert np.allclose(space.squared_distance(X, W), peer(), rtol=1e-12)
        ours, theirs = best_times(lambda: space.squared_distance(X, W), peer, repeat=3)  # noqa: B023
        report(f"Lp({p}).squared_distance", ours, theirs, against="SciPy cdist", goal=goal)

    sobolev, plain = Sobolev(p=2), Euclidean()
    ours, euclidean, sklearn = best_times(
        lambda: sobolev.squared_distance(X, W),
        lambda: plain.squared_distance(X, W),
        lambda: euclidean_distances(X, W, squared=True),
        repeat=20,
    )
    report("Sobolev(p=2)", ours, euclidean, against="Euclidean()", goal="0.67 (1.5 times slower)")
    report("Sobolev(p=2)", ours, sklearn, against="scikit-learn euclidean_distances")
    report("Euclidean()", euclidean, sklearn, against="scikit-learn euclidean_distances")


@jit(sums=True)
def _sum_block(x, factor):
    total = 0.0
    for k in range(x.size):
        total += exp_scalar(factor * x[k])
    return total


@jit(parallel=True)
def _sum_of_exp(x, factor, partial):
    n = x.size
    for block in numba.prange(partial.size):
        rows = slice(block * n // partial.size, (block + 1) * n // partial.size)
        partial[block] = _sum_block(x[rows], factor)


@jit(parallel=True)
def _library_exp(x, out):
    for k in numba.prange(x.size):
        out[k] = np.exp(x[k])


def exponentials() -> None:
    rng = np.random.default_rng(0)
    print(f"\nexp of non-positive numbers, {numba.get_num_threads()} threads")
    for size, name in ((20_000, "in cache"), (200_000, "in cache"), (4_000_000, "in memory")):
        x = -rng.exponential(size=size) * 10
        out, partial = np.empty_like(x), np.empty(16)
        ours, numpy, library = best_times(
            lambda: exp_nonpositive(x, out=out),  # noqa: B023
            lambda: np.exp(x, out=out),  # noqa: B023
            lambda: _library_exp(x, out),  # noqa: B023
            repeat=30,
        )
        what = f"exp_nonpositive, {size:,} {name}"
        report(what, ours, numpy, against="NumPy exp", goal="4")
        report(what, ours, library, against="the C library's, compiled")
        rates = " ".join(f"{size / t / 1e6:.0f}" for t in (ours, numpy, library))
        print(f"{'':<44} million per second: {rates}")
        ours, theirs = best_times(
            lambda: _sum_of_exp(x, 0.5, partial),  # noqa: B023
            lambda: np.exp(0.5 * x).sum(),  # noqa: B023
            repeat=30,
        )
        report(f"Σ exp(x/2), {size:,} {name}, fused", ours, theirs, against="NumPy exp and sum")


def imports() -> None:
    print("\nimport, in a new interpreter")

    def run(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    empty, ours, lazy, sklearn = best_times(
        lambda: run(""),
        lambda: run("import noneuclid"),
        lambda: run("from noneuclid import Lp"),
        lambda: run("import sklearn"),
    )
    goal = "0.67 (1.5 times slower)"
    report(
        "import noneuclid", ours - empty, sklearn - empty, against="scikit-learn import", goal=goal
    )
    report("from noneuclid import Lp", lazy - empty, sklearn - empty, against="scikit-learn import")


if __name__ == "__main__":
    with recorded(__file__):
        parts = {"distances": distances, "exponentials": exponentials, "imports": imports}
        for name in sys.argv[1:] or parts:
            parts[name]()
