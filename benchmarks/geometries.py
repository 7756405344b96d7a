"""Every learner in every space beside itself in Euclidean space: time, and what it reached.

    python benchmarks/geometries.py [--learners TEXT ...] [--spaces TEXT ...] [--repeat 5]
                                    [--cold] [--save FILE.json] [--beside FILE.json]

A cell is the processor time of a fit over that of the same learner with the same iterations in l2,
the least of several fits of each (of many, if they are short), on one thread and in one run. Below
it stands what the fit reached: the accuracy of classifiers, R² of regressors, and the last cost of
the others as a share of what the mean alone costs in that space, so that less is better there.
``--cold`` measures the first fit of a new process with an empty cache instead, compiling included.
``--save`` keeps the table; ``--beside`` prints what another one reached, for "before and after".

Batch maps are the hardest: 4 to 7 times, and up to 10 in metrics of other kernels than a Gaussian.
Where J is linear, Heskes' local errors are affine in the sample, and one product of matrices finds
all winners: an epoch of 1000 × 20 samples and 100 units takes about 0.7 ms. Elsewhere every pair of
a sample and a unit has to be looked at, coordinate by coordinate, for its distance, and those that
pull for their pull. All pairs take, in ms for distances, pulls, and pulls with curvatures:

    l1        0.5   1.5   2.0        l1.5   1.5   3.4   5.2        linf   0.4   1.9   2.5
    sobolev1  0.8   2.3   3.2        lee    1.4   4.0   5.1

So the distances alone are 0.6 to 2 Euclidean epochs. Pulls of all pairs are avoided: pairs that do
not pull are passed over, some units of a wide map tell the others, a curvature serves for three
epochs where the gradient has no jumps. Two of them are about at the goal, in one run or another
above: Lee and Verleysen's norm, which divides once per coordinate, and the Sobolev space with
p = 1, of twice as many coordinates and with jumps, which take several steps in the last epochs.
One run differs from the next by up to a fifth.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
os.environ.update(dict.fromkeys(ONE_THREAD, "1"))  # before anything reads it

import numpy as np  # noqa: E402
from _record import quick, recorded  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402

from noneuclid.kernels import Gaussian, Laplacian  # noqa: E402
from noneuclid.pca import HebbianPCA  # noqa: E402
from noneuclid.prototypes import (  # noqa: E402
    GLVQ,
    LVQ1,
    LVQ21,
    RSLVQ,
    FuzzyLabelledNeuralGas,
    FuzzyLabelledSOM,
    NeuralGas,
    PrototypeRegressor,
    SelfOrganizingMap,
)
from noneuclid.spaces import (  # noqa: E402
    KernelMetric,
    LeeVerleysen,
    ProductSpace,
    Sobolev,
    as_space,
)

GOAL = 6.0
_LONG = 20.0  # seconds of one cell that are enough
# Fits that take fewer seconds are repeated so many times as often: a short one is easily disturbed.
_SHORT, _MORE = 0.1, 5
EUCLIDEAN = "l2"
SPACES = {
    EUCLIDEAN: EUCLIDEAN,
    "l1": "l1",
    "l1.5": "l1.5",
    "l2.5": "l2.5",
    "linf": "linf",
    "sobolev1": Sobolev(p=1),
    "lee": LeeVerleysen(),
    "kernel": KernelMetric(Gaussian(width="median")),
    "laplacian": KernelMetric(Laplacian(width="median")),
    "product": ProductSpace(["l1", "l2"]),
}
_CLASSIFIER = {"n_prototypes": 2, "max_epochs": 10, "tol": 0, "random_state": 0}
_QUANTISER = {"max_epochs": 10, "tol": 0, "random_state": 0}
LEARNERS = {
    "glvq-lbfgs": lambda s: GLVQ(space=s, **_CLASSIFIER),
    "glvq-sgd": lambda s: GLVQ(space=s, solver="sgd", **_CLASSIFIER),
    "rslvq-lbfgs": lambda s: RSLVQ(space=s, **_CLASSIFIER),
    "rslvq-sgd": lambda s: RSLVQ(space=s, solver="sgd", **_CLASSIFIER),
    "lvq1": lambda s: LVQ1(space=s, **_CLASSIFIER),
    "lvq21": lambda s: LVQ21(space=s, **_CLASSIFIER),
    "gas-batch": lambda s: NeuralGas(space=s, n_prototypes=20, **_QUANTISER),
    "gas-online": lambda s: NeuralGas(space=s, n_prototypes=20, solver="online", **_QUANTISER),
    "map-batch": lambda s: SelfOrganizingMap(space=s, **_QUANTISER),
    "map-online": lambda s: SelfOrganizingMap(space=s, solver="online", **_QUANTISER),
    "fuzzy-gas": lambda s: FuzzyLabelledNeuralGas(space=s, n_prototypes=20, **_QUANTISER),
    "fuzzy-map": lambda s: FuzzyLabelledSOM(space=s, **_QUANTISER),
    "regressor": lambda s: PrototypeRegressor(space=s, max_epochs=10, tol=0, random_state=0),
    "regressor-linear": lambda s: PrototypeRegressor(
        space=s, local="linear", max_epochs=10, tol=0, random_state=0
    ),
    "hebbian-batch": lambda s: HebbianPCA(
        space=s, solver="batch", n_components=3, max_iter=100, random_state=0
    ),
    "hebbian-online": lambda s: HebbianPCA(
        space=s,
        solver="batch" if isinstance(s, KernelMetric) else "online",
        n_components=3,
        max_iter=10,
        random_state=0,
    ),
}


def samples(n=1000, d=20, n_classes=5):
    """Overlapping classes of curves, and a number to predict."""
    rng = np.random.default_rng(0)
    means = np.cumsum(rng.normal(size=(n_classes, d)), axis=1) / 3
    y = rng.integers(n_classes, size=n)
    X = means[y] + rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    return X, y, np.sin(X[:, 0]) + X[:, 1]


def fit(learner, space):
    X, y, numbers = samples()
    model = LEARNERS[learner](SPACES[space])
    return model.fit(X, numbers if "regressor" in learner else y)


def reached(model):
    """Accuracy, R², or the last cost in the unit of the mean's."""
    X, y, numbers = samples()
    name = type(model).__name__
    if hasattr(model, "classes_"):
        return float(model.score(X, y))
    if name == "PrototypeRegressor":
        return float(model.score(X, numbers))
    if name == "HebbianPCA":
        return float(model.explained_variance_[0])
    space = model.space_
    unit = space.squared_distance(X, X.mean(axis=0)[None, :]).mean()
    return float(-model.score(X) / unit)


def seconds(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def warm(learner, spaces, repeat):
    """Least time in every space, and what was reached; fits alternate between the spaces."""
    models, times = {}, {}
    for space in spaces:
        models[space], times[space] = fit(learner, space), []  # compiles, and is not counted
    for turn in range(_MORE * repeat):
        for space in spaces:
            is_short = sum(times[space]) < _SHORT * len(times[space])
            if (turn < repeat and sum(times[space]) < _LONG) or is_short:
                times[space].append(seconds(lambda space=space: fit(learner, space)))
    return {s: {"seconds": min(times[s]), "reached": reached(models[s])} for s in spaces}


def cold(learner, space):
    """Time of the first fit in a new process that has compiled nothing yet."""
    code = f"import geometries as g; print(g.seconds(lambda: g.fit({learner!r}, {space!r})))"
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env=environment,
            cwd=os.path.dirname(os.path.abspath(__file__)),
            check=True,
            capture_output=True,
            text=True,
        )
    return float(run.stdout)


def show(learner, found, before):
    base = found[EUCLIDEAN]["seconds"]
    ratios = {space: cell["seconds"] / base for space, cell in found.items()}
    texts = [f"{r:8.1f}{' ' if r <= GOAL else '*'}" for s, r in ratios.items() if s != EUCLIDEAN]
    print(f"{learner:<17}{1e3 * base:9.2f}", *texts, flush=True)
    rows = [("", found)] + ([("  before", before)] if before else [])
    for name, cells in rows:
        shown = {s: f"{cell['reached']:9.4f}" for s, cell in cells.items() if "reached" in cell}
        values = [shown.get(s, 9 * " ") for s in found]
        if any(text.strip() for text in values) and "reached" in found[EUCLIDEAN]:
            print(f"{name:<17}{' '.join(values)}", flush=True)
    return [(learner, space, r) for space, r in ratios.items() if r > GOAL]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--learners",
        nargs="+",
        default=["lvq1"] if quick else [""],
        help="those with this in their name",
    )
    parser.add_argument("--spaces", nargs="+", default=list(SPACES)[1:])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--save")
    parser.add_argument("--beside")
    args = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    spaces = [EUCLIDEAN, *args.spaces]
    for space in spaces:
        as_space(SPACES[space])
    before = json.loads(Path(args.beside).read_text()) if args.beside else {}
    table, above = {}, []
    print(f"{'':<17}{'l2, ms':>9} " + " ".join(f"{s:>9}" for s in spaces[1:]))
    for learner in LEARNERS:
        if any(part in learner for part in args.learners):
            if args.cold:
                table[learner] = {s: {"seconds": cold(learner, s)} for s in spaces}
            else:
                table[learner] = warm(learner, spaces, args.repeat)
            above += show(learner, table[learner], before.get(learner))
    cells = sum(len(found) - 1 for found in table.values())
    print(f"{cells - len(above)} of {cells} cells at most {GOAL:g} times; * above")
    if args.save:
        with open(args.save, "w") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    with recorded(__file__):
        main()
