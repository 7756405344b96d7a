"""LGMLVQ, matrix RSLVQ, GMLVQ and GRLVQ against prosemble (JAX), in one run.

Every library runs in processes of its own, ours too, with an empty cache for compiled code, as in
``vector_lvq.py``. Warm fits are the best of several. Both
libraries learn with the parameters they come with, one prototype per class unless ``--prototypes``
says otherwise, on the same features and in the same five folds, with the standard error of the
mean over them. Curves are gun point's of the UCR archive, once as
vectors and once, ours only, in a Sobolev space.

    python benchmarks/matrix_lvq.py [--only NAME ...]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _data import load
from _peers import missing, peer_python
from _record import quick, recorded
from _timing import report
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import StratifiedKFold

NAMES = {"MatrixRSLVQ": "MRSLVQ", "LGMLVQ": "LGMLVQ", "GMLVQ": "GMLVQ", "GRLVQ": "GRLVQ"}
MAKE = {
    "noneuclid": """
import noneuclid
from noneuclid.spaces import Sobolev
space = {"space": Sobolev(spacing="unit")} if where == "sobolev" else {}
def make():
    return getattr(noneuclid, name)(n_prototypes=int(prototypes), random_state=0, **space)
""",
    "prosemble": """
import prosemble.models
def make():
    return getattr(prosemble.models, name)(n_prototypes_per_class=int(prototypes))
""",
}
RUN = """
import json, sys, time, warnings
started = time.perf_counter()
warnings.simplefilter("ignore")
import numpy as np
path, name, where, prototypes, repeat = sys.argv[1:]
data = np.load(path)
X, y, fold = data["X"], data["y"], data["fold"]
%s
def fit(rows):
    begin = time.perf_counter()
    model = make().fit(X[rows], y[rows])
    return model, time.perf_counter() - begin
everyone = np.ones(len(y), dtype=bool)
first = fit(everyone)[1]
process = time.perf_counter() - started
warm = min(fit(everyone)[1] for _ in range(int(repeat)))
def accuracy(k):
    said = np.asarray(fit(fold != k)[0].predict(X[fold == k]))
    return float(np.mean(said == y[fold == k]))
print(json.dumps(dict(first=first, process=process, warm=warm,
                      accuracy=[accuracy(k) for k in range(5)])))
"""


def measure(python, library, path, name, prototypes, where="l2", repeat=5):
    """Times and accuracies of one learner of one library, in a new process."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        arguments = [str(path), name, where, str(prototypes), str(repeat)]
        command = [python, "-c", RUN % MAKE[library], *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{library} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def datasets():
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast_cancer", (X - X.mean(axis=0)) / X.std(axis=0), y
    if quick:
        return
    X, y = load_digits(return_X_y=True)
    yield "digits", X / 16, y
    curves = load("ucr_gunpoint")
    y = np.concatenate([curves["y_train"], curves["y_test"]])
    yield "gunpoint", np.vstack([curves["X_train"], curves["X_test"]]), np.unique(y, False, True)[1]


def shown(accuracies):
    """Mean and its standard error, in per cent."""
    error = np.std(accuracies, ddof=1) / np.sqrt(len(accuracies))
    return f"{100 * np.mean(accuracies):.2f} ± {100 * error:.2f}"


def compare(path, what, name, python, prototypes):
    """Ours and the peer's: warm fits, first fits, and accuracies."""
    ours = measure(sys.executable, "noneuclid", path, name, prototypes)
    theirs = measure(python, "prosemble", path, NAMES[name], prototypes, repeat=2)
    reached = f"accuracy {shown(ours['accuracy'])} %; {shown(theirs['accuracy'])} %"
    for key, label, goal in (("warm", "", "5 times"), ("first", ", first fit", "2 times")):
        report(
            name + label,
            ours[key],
            theirs[key],
            on=what,
            against="prosemble",
            goal=goal,
            quality=reached,
        )
    print(
        f"  from the start of the process {ours['process']:.2f} and {theirs['process']:.2f} s",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prototypes", type=int, default=1, help="per class")
    parser.add_argument("--only", nargs="*", help="data sets and learners")
    args = parser.parse_args()
    python = peer_python("prosemble")
    if not python:
        print(missing("prosemble"))
    for what, X, y in datasets():
        X, y = X[: len(X) // 5 * 5], y[: len(y) // 5 * 5]  # folds of one size: JAX compiles once
        fold = np.empty(len(y), dtype=int)
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        for k, (_, test) in enumerate(folds.split(X, y)):
            fold[test] = k
        learners = ["GMLVQ", "GRLVQ"] if what == "gunpoint" else list(NAMES)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.npz"
            np.savez(path, X=X.astype(float), y=y, fold=fold)
            for name in learners[: 1 if quick else None]:
                if args.only and not {what, name} & set(args.only):
                    continue
                if python:
                    compare(path, what, name, python, args.prototypes)
                if what == "gunpoint":
                    curves = measure(
                        sys.executable, "noneuclid", path, name, args.prototypes, "sobolev"
                    )
                    print(f"{name}, gunpoint in Sobolev space: {shown(curves['accuracy'])} %")


if __name__ == "__main__":
    with recorded(__file__):
        main()
