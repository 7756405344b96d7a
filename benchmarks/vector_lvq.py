"""GLVQ and RSLVQ for vectors against prosemble (JAX) and sklvq, in one run.

Every library runs in processes of its own, ours too, with an empty cache for compiled code: the
first fit pays for compilation where there is any. Imports come before it for all alike; the line
"import to the first fit" has them, from the start of the process. Each environment has what its
library needs and no more: scikit-learn imports pandas where it finds it. Warm fits are the best of
several, ours before and after the peers', so that a busy machine hits all alike. Each learns with
the parameters it comes with, three prototypes per class. Accuracies are of the same five folds.

    python benchmarks/vector_lvq.py [--only DATA ...]
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _peers import missing, peer_python, plain_python
from _record import quick, recorded
from _timing import as_installed, report
from sklearn.datasets import load_digits, make_blobs
from sklearn.model_selection import StratifiedKFold

FIRST = {"prosemble": "2 times"}  # nothing compiled yet on either side
PEERS = {"prosemble": ("5 times", ("GLVQ", "RSLVQ")), "sklvq": ("10 times", ("GLVQ",))}
MAKE = {
    "noneuclid": """
import noneuclid
learner = getattr(noneuclid, name)
def make(): return learner(n_prototypes=3, random_state=0, solver=solver)
""",
    "prosemble": """
import prosemble.models
learner = getattr(prosemble.models, name)
def make(): return learner(n_prototypes_per_class=3)
""",
    "sklvq": """
from sklvq import GLVQ
def make(): return GLVQ(prototype_n_per_class=3, solver_type="lbfgs", random_state=0)
""",
}
RUN = """
import json, sys, time, warnings
started = time.perf_counter()
warnings.simplefilter("ignore")
import numpy as np
path, name, solver, repeat = sys.argv[1:]
data = np.load(path)
X, y, fold = data["X"], data["y"], data["fold"]
%s
def fit(rows):
    begin, busy = time.perf_counter(), time.process_time()
    model = make().fit(X[rows], y[rows])
    return model, time.perf_counter() - begin, time.process_time() - busy
everyone = np.ones(len(y), dtype=bool)
_, first, first_cpu = fit(everyone)
process = time.perf_counter() - started
warm, cpu = np.min([fit(everyone)[1:] for _ in range(int(repeat))], axis=0)
hits = [np.asarray(fit(fold != k)[0].predict(X[fold == k])) == y[fold == k] for k in range(5)]
accuracy = float(np.concatenate(hits).mean())
print(json.dumps(dict(first=first, first_cpu=first_cpu, process=process, warm=warm, cpu=cpu,
                      accuracy=accuracy)))
"""


def measure(python, library, path, name, solver="lbfgs", repeat=5):
    """Times and accuracy of one learner of one library, in a new process."""
    with tempfile.TemporaryDirectory() as cache:
        environment = as_installed(cache)
        command = [python, "-c", RUN % MAKE[library], str(path), name, solver, str(repeat)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{library} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def datasets():
    X, y = load_digits(return_X_y=True)
    keep = slice(500 if quick else None)
    yield "digits", X[keep] / 16, y[keep]
    if quick:
        return
    X, y = make_blobs(20_000, centers=5, n_features=10, cluster_std=6.0, random_state=0)
    yield "blobs 20000", (X - X.mean(axis=0)) / X.std(axis=0), y


def compare(path, what, name):
    """Ours before and after the peers: warm fits, first fits, accuracies."""
    ours = [measure(plain_python(), "noneuclid", path, name)]
    peers = [peer for peer, (_, learners) in PEERS.items() if name in learners]
    theirs = {
        peer: measure(python, peer, path, name, repeat=3)
        for peer in peers
        if (python := peer_python(peer))
    }
    ours.append(measure(plain_python(), "noneuclid", path, name))
    best = {key: min(run[key] for run in ours) for key in ours[0]}
    for peer in peers:
        if peer not in theirs:
            print(missing(peer))
            continue
        found, goal = theirs[peer], PEERS[peer][0]
        reached = f"accuracy {best['accuracy']:.3f}; {found['accuracy']:.3f}"
        lines = ("warm", ""), ("first", ", first fit"), ("process", ", import to the first fit")
        for key, label in lines:
            report(
                name + label,
                best[key],
                found[key],
                on=what,
                against=peer,
                goal=FIRST.get(peer, "") if label else goal,
                quality=reached,
            )
        print(
            f"  in seconds of the processor, all threads: warm {best['cpu']:.3f} and "
            f"{found['cpu']:.3f}, first {best['first_cpu']:.2f} and {found['first_cpu']:.2f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", help='of "digits", "blobs 20000"')
    args = parser.parse_args()
    for what, X, y in datasets():
        if args.only and what not in args.only:
            continue
        X, y = X[: len(X) // 5 * 5], y[: len(y) // 5 * 5]  # folds of one size: JAX compiles once
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        fold = np.empty(len(y), dtype=int)
        for k, (_, test) in enumerate(folds.split(X, y)):
            fold[test] = k
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.npz"
            np.savez(path, X=X, y=y, fold=fold)
            for name in ("GLVQ", "RSLVQ"):
                compare(path, what, name)
                online = measure(plain_python(), "noneuclid", path, name, "sgd")
                print(
                    f"{name}, {what}, ours, sample by sample: {online['warm']:.3f} s warm, "
                    f"first {online['first']:.2f} s, accuracy {online['accuracy']:.4f}",
                    flush=True,
                )


if __name__ == "__main__":
    with recorded(__file__):
        main()
