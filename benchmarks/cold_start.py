"""First fit of every estimator in a new process: nothing compiled yet, and all of it in the cache.

    python benchmarks/cold_start.py [--only NAME ...]

Each line is one estimator with its defaults on iris, or on its kind of data. "import" is the time
until the class is there (of which scikit-learn's own import is most), "compiling" what numba took
of the first fit, "fit" the first fit as a whole; then the same with the cache that ``noneuclid
warm-up`` fills. Every estimator has one numba cache of its own, empty at first. Times are seconds
of the processor, which on a machine at rest are those of the clock: compilation uses one core.

The second table has the first fits of learners of vectors in other geometries. Those that look at
all samples at once need no compiled code for so few; those that learn sample by sample do.
"""

import argparse
import json
import subprocess
import sys
import tempfile

from _record import quick, recorded
from _timing import as_installed

GOAL_COLD, GOAL_WARM = 2.0, 0.6

CHILD = """
import json, sys, time
start = time.process_time()
import noneuclid
cls = getattr(noneuclid, sys.argv[1])
imported = time.process_time() - start
from noneuclid._warm_up import first_problem
model, X, y = first_problem(cls)
if len(sys.argv) > 2:
    from noneuclid.kernels import Gaussian
    from noneuclid.spaces import KernelMetric, LeeVerleysen, Lp, Sobolev
    model.set_params(space=eval(sys.argv[2]))
from numba.core import event
import warnings
warnings.simplefilter("ignore")

class Compiling(event.Listener):
    depth, spent, begun = 0, 0.0, 0.0
    def on_start(self, happened):
        self.begun = self.begun if self.depth else time.process_time()
        self.depth += 1
    def on_end(self, happened):
        self.depth -= 1
        self.spent += 0.0 if self.depth else time.process_time() - self.begun

compiling = Compiling()
with event.install_listener("numba:compile", compiling):
    start = time.process_time()
    model.fit(X, y)
    fitted = time.process_time() - start
spent = compiling.spent
print(json.dumps([imported, spent, fitted]))
"""


LEARNERS = ("GLVQ", "RSLVQ", "NeuralGas", "SelfOrganizingMap", "PrototypeRegressor", "HebbianPCA")
BY_SAMPLE = ("LVQ1", "LVQ21")
SPACES = {
    "l1": "Lp(1)",
    "l1.5": "Lp(1.5)",
    "l2.5": "Lp(2.5)",
    "linf": "Lp(float('inf'))",
    "sobolev1": "Sobolev(p=1)",
    "lee": "LeeVerleysen()",
    "kernel": "KernelMetric(Gaussian(width='median'))",
}


def first_fit(name, cache, *space):
    """Seconds of import, of compilation and of the first fit, in a process of its own."""
    command = [sys.executable, "-c", CHILD, name, *space]
    done = subprocess.run(command, env=as_installed(cache), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    from noneuclid.testing import all_estimators

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    names = parser.parse_args().only or [cls.__name__ for cls in all_estimators()]
    names = ["GLVQ"] if quick else names
    print(f"{'first fit on iris, seconds':34}{'import':>8}{'compiling':>11}{'fit':>8}", end="")
    print(f"{'fit, cache filled':>20}")
    worst = [0.0, 0.0]
    for name in names:
        with tempfile.TemporaryDirectory() as cache:
            imported, compiling, cold = first_fit(name, cache)
            warm = first_fit(name, cache)[2]
        worst = [max(worst[0], cold), max(worst[1], warm)]
        print(f"{name:34}{imported:8.2f}{compiling:11.2f}{cold:8.2f}{warm:20.2f}", flush=True)
    print(f"slowest: {worst[0]:.2f} s cold (goal {GOAL_COLD}), {worst[1]:.2f} s warm ({GOAL_WARM})")
    if not quick:
        in_spaces([name for name in (*LEARNERS, *BY_SAMPLE) if name in names])


def in_spaces(names):
    """First fits in other geometries: nothing compiled yet, and with the cache that it left."""
    print(f"first fit, and with its cache:{'':4}" + "".join(f"{space:>14}" for space in SPACES))
    for name in names:
        cells = []
        for space in SPACES.values():
            with tempfile.TemporaryDirectory() as cache:
                cold, warm = (first_fit(name, cache, space)[2] for _ in range(2))
            cells.append(f"{cold:7.2f} ({warm:.2f})")
        print(f"{name:34}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    with recorded(__file__):
        main()
