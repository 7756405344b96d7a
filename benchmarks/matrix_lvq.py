"""LGMLVQ, matrix RSLVQ, GMLVQ and GRLVQ against prosemble (JAX), in one run.

Every library runs in processes of its own, ours too, with an empty cache for compiled code, as in
``vector_lvq.py``. Warm fits are the best of several, ours before and after the peer's. Both
libraries learn with the parameters they come with, one prototype per class unless ``--prototypes``
says otherwise, on the same features and in the same folds: five, several times over. The standard
error is that of the mean over these repetitions. Curves are gun point's of the UCR archive, once as
vectors and once, ours only, in a Sobolev space. The peer needs an environment of its own::

    python -m venv peers && peers/bin/pip install "prosemble[jax]" scikit-learn
    python benchmarks/matrix_lvq.py --prosemble peers/bin/python
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
from _record import recorded
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
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
X, y, folds = data["X"], data["y"], data["folds"]
%s
def fit(rows):
    begin = time.perf_counter()
    model = make().fit(X[rows], y[rows])
    return model, time.perf_counter() - begin
everyone = np.ones(len(y), dtype=bool)
first = fit(everyone)[1]
process = time.perf_counter() - started
warm = min(fit(everyone)[1] for _ in range(int(repeat)))
def accuracy(fold):
    right = np.empty(len(y), dtype=bool)
    for k in range(5):
        right[fold == k] = np.asarray(fit(fold != k)[0].predict(X[fold == k])) == y[fold == k]
    return right.mean()
print(json.dumps(dict(first=first, process=process, warm=warm,
                      accuracy=[float(accuracy(fold)) for fold in folds])))
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
    for name, make in (("wine", load_wine), ("breast_cancer", load_breast_cancer)):
        X, y = make(return_X_y=True)
        yield name, (X - X.mean(axis=0)) / X.std(axis=0), y
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
    """One line: ours before and after the peer, so that a busy machine hits both."""
    ours = [measure(sys.executable, "noneuclid", path, name, prototypes)]
    theirs = measure(python, "prosemble", path, NAMES[name], prototypes, repeat=3)
    ours.append(measure(sys.executable, "noneuclid", path, name, prototypes))
    best = {key: min(run[key] for run in ours) for key in ("warm", "first", "process")}
    ratios = {key: theirs[key] / best[key] for key in best}
    print(
        f"{what:<14} {name:<12} ours {shown(ours[0]['accuracy'])} %, prosemble "
        f"{shown(theirs['accuracy'])} %; warm {best['warm']:.3f} s and {theirs['warm']:.3f} s, "
        f"{ratios['warm']:.1f} times faster (goal 5); first fit {best['first']:.2f} s and "
        f"{theirs['first']:.2f} s, {ratios['first']:.1f} times (goal 2), from the start of the "
        f"process {ratios['process']:.1f} times",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prosemble", help="python of an environment with prosemble[jax]")
    parser.add_argument("--prototypes", type=int, default=1, help="per class")
    parser.add_argument("--repetitions", type=int, default=4, help="of the five folds")
    parser.add_argument("--only", nargs="*", help="data sets and learners")
    args = parser.parse_args()
    for what, X, y in datasets():
        folds = np.empty((args.repetitions, len(y)), dtype=int)
        for r, fold in enumerate(folds):
            splits = StratifiedKFold(5, shuffle=True, random_state=r).split(X, y)
            for k, (_, test) in enumerate(splits):
                fold[test] = k
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.npz"
            np.savez(path, X=X.astype(float), y=y, folds=folds)
            for name in NAMES:
                chosen = args.only is None or {what, name} <= set(args.only)
                if args.prosemble and chosen:
                    compare(path, what, name, args.prosemble, args.prototypes)
                if what == "gunpoint" and chosen:
                    curves = measure(
                        sys.executable, "noneuclid", path, name, args.prototypes, "sobolev"
                    )
                    print(f"{'':<14} {name:<12} in Sobolev space {shown(curves['accuracy'])} %")
    if not args.prosemble:
        print("(prosemble was not measured)", file=sys.stderr)


if __name__ == "__main__":
    with recorded(__file__):
        main()
