"""GLVQ and RSLVQ for vectors against prosemble (JAX) and sklvq, in one run.

Every library runs in processes of its own, ours too, with an empty cache for compiled code: the
first fit pays for compilation where there is any. Warm fits are the best of several, by the clock
and in seconds of processor time (all threads). Accuracies are of the same five folds. The peers
need environments of their own::

    python -m venv peers && peers/bin/pip install "prosemble[jax]" scikit-learn
    python -m venv old
    old/bin/pip install "numpy==1.23.5" "scikit-learn==1.5.2" "scipy<1.13" sklvq
    python benchmarks/vector_lvq.py --prosemble peers/bin/python --sklvq old/bin/python
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _record import recorded
from sklearn.datasets import load_digits, make_blobs
from sklearn.model_selection import StratifiedKFold

MAKE = {
    "noneuclid": """
import noneuclid
def make(): return getattr(noneuclid, name)(n_prototypes=3, random_state=0, solver=solver)
""",
    "prosemble": """
import prosemble.models
def make(): return getattr(prosemble.models, name)(n_prototypes_per_class=3)
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
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        command = [python, "-c", RUN % MAKE[library], str(path), name, solver, str(repeat)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{library} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def datasets():
    X, y = load_digits(return_X_y=True)
    yield "digits", X / 16, y
    for n in (5000, 20000):
        X, y = make_blobs(n, centers=5, n_features=10, cluster_std=6.0, random_state=0)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        yield f"blobs {n}", X, y


def compare(path, what, name, peer, python, goal):
    """One line: ours before and after the peer, so that a busy machine hits both."""
    ours = [measure(sys.executable, "noneuclid", path, name)]
    theirs = measure(python, peer, path, name, repeat=3)
    ours.append(measure(sys.executable, "noneuclid", path, name))
    best = {key: min(run[key] for run in ours) for key in ours[0]}
    print(
        f"{what:<12} {name:<6} ours {best['warm']:.3f} s, {peer} {theirs['warm']:.3f} s: "
        f"{theirs['warm'] / best['warm']:.1f} times faster (goal {goal}), in processor time "
        f"{theirs['cpu'] / best['cpu']:.1f} times; accuracy {best['accuracy']:.4f} and "
        f"{theirs['accuracy']:.4f}\n{'':<20}first fit {best['first']:.2f} s, "
        f"{theirs['first']:.2f} s ({best['first'] / theirs['first']:.2f} of it, in processor time "
        f"{best['first_cpu'] / theirs['first_cpu']:.2f}); from the start of the process "
        f"{best['process']:.2f} s, {theirs['process']:.2f} s",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prosemble", help="python of an environment with prosemble[jax]")
    parser.add_argument("--sklvq", help="python of an environment with sklvq")
    parser.add_argument("--only", help='one data set: "digits", "blobs 5000" or "blobs 20000"')
    args = parser.parse_args()
    for what, X, y in datasets():
        if args.only not in (None, what):
            continue
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        fold = np.empty(len(y), dtype=int)
        for k, (_, test) in enumerate(folds.split(X, y)):
            fold[test] = k
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.npz"
            np.savez(path, X=X, y=y, fold=fold)
            for name in ("GLVQ", "RSLVQ"):
                if args.prosemble:
                    compare(path, what, name, "prosemble", args.prosemble, 5)
                if args.sklvq and name == "GLVQ":  # sklvq has no RSLVQ
                    compare(path, what, name, "sklvq", args.sklvq, 10)
                online = measure(sys.executable, "noneuclid", path, name, "sgd")
                print(
                    f"{'':<12} {name:<6} ours, sample by sample: {online['warm']:.3f} s warm, "
                    f"first {online['first']:.2f} s, accuracy {online['accuracy']:.4f}",
                    flush=True,
                )
    if not args.prosemble or not args.sklvq:
        print("(peers without an environment were not measured)", file=sys.stderr)


if __name__ == "__main__":
    with recorded(__file__):
        main()
