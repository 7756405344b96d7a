"""Which learner takes which space, kernel and cost: tried, cell by cell, and written to a page.

python docs/make_tables.py [--check]

Every estimator, space and kernel of the package is found by itself. A cell is a fit on a few
samples; where it is refused, the sentence that says why is the footnote.
"""

import argparse
import re
import sys
import warnings
from pathlib import Path

import numpy as np

from noneuclid.kernels.base import ObjectKernel
from noneuclid.prototypes import MedianLVQ, ProximityLVQ, VectorLVQ
from noneuclid.prototypes.costs import costs
from noneuclid.spaces import Euclidean, IncompatibleSpace
from noneuclid.testing import all_estimators, all_kernels, example_points, example_spaces

PAGE = Path(__file__).with_name("geometries.md")
FIXED = {"random_state": 0, "max_epochs": 2, "max_iter": 5, "n_init": 1}
SOLVERS = ("sgd", "lbfgs")
PAIRS = {"metric": "sqeuclidean", "proximity": "dissimilarity"}
GEOMETRIES = {
    "vectors, l2": (VectorLVQ, {}),
    "vectors, l1": (VectorLVQ, {"space": "l1"}),
    "kernel, Riesz": (ProximityLVQ, {"metric": "rbf", "gradient": "riesz"}),
    "kernel, coordinates": (ProximityLVQ, {"metric": "rbf", "gradient": "coordinates"}),
    "dissimilarities, Riesz": (ProximityLVQ, {**PAIRS, "gradient": "riesz"}),
    "dissimilarities, coordinates": (ProximityLVQ, {**PAIRS, "gradient": "coordinates"}),
    "landmarks": (ProximityLVQ, {"metric": "rbf", "n_landmarks": 8}),
    "medians": (MedianLVQ, {"metric": "sqeuclidean"}),
}
HEAD = """# Learners and geometries

Every learner that has a `space` or a `kernel`, tried with every space and every kernel of the
package on a few samples by `python docs/make_tables.py`. ✓: it fits. A number: it is refused, for
the reason below the table. Costs are tried in every geometry of prototypes, with both solvers.
"""


def samples(space):
    """Rows that suit a space or kernel, and two classes."""
    y = np.arange(24) % 2
    X = 0.4 * example_points(space, np.random.default_rng(0), 24)
    X[y == 1, 0] += 1.0
    return X, y


def firsts(examples):
    """One example of every class, by its name."""
    found = {}
    for one in examples:
        found.setdefault(type(one).__name__, one)
    return dict(sorted(found.items()))


def tried(cls, parameter, part, X, y):
    """An empty string, or why the fit was refused."""
    names = cls().get_params(deep=False)
    options = {name: value for name, value in FIXED.items() if name in names}
    if "n_prototypes" in names:
        options["n_prototypes"] = 2
    target = X[:, 0] if cls.__name__.endswith("Regressor") else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            cls(**options, **{parameter: part}).fit(X, target)
        except (IncompatibleSpace, ValueError, TypeError) as error:
            return plain(str(error).splitlines()[0], cls, part)
    return ""


def plain(sentence, cls, part):
    """A reason without the names and numbers of one cell, so that cells can share it."""
    said = sentence.replace(repr(part), "this one").replace(cls.__name__, "the learner")
    said = re.sub(r"kernel \(=.*\) must be", "kernel must be", said)
    return re.sub(r",? ?(by up to|\(-)[^:)]*\)?", "", said)


def table(parameter, parts, points):
    """A table with a row per learner, and the reasons."""
    learners = [c for c in all_estimators() if parameter in c().get_params(deep=False)]
    reasons, rows = [], []
    for cls in learners:
        cells = []
        for part in parts.values():
            why = tried(cls, parameter, part, *points(part))
            if why and why not in reasons:
                reasons.append(why)
            cells.append(str(reasons.index(why) + 1) if why else "✓")
        rows.append(f"| `{cls.__name__}` | {' | '.join(cells)} |")
    lines = [
        f"| | {' | '.join(f'`{name}`' for name in parts)} |",
        "|---" * (len(parts) + 1) + "|",
        *rows,
        "",
        *(f"{k}. {why}" for k, why in enumerate(reasons, 1)),
    ]
    return "\n".join(lines)


def costs_table():
    """A row per cost, a column per geometry of prototypes; solvers are named where not all run."""
    rows, reasons = [], []
    for name in sorted(n for n, cls in costs().items() if cls.__module__.startswith("noneuclid.")):
        cells = []
        for cls, options in GEOMETRIES.values():
            refused = {solver: with_cost(cls, options, name, solver) for solver in SOLVERS}
            found = dict.fromkeys(why for why in refused.values() if why and why not in reasons)
            reasons += found
            cells.append(_cell(refused, reasons))
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(
        [
            f"| | {' | '.join(GEOMETRIES)} |",
            "|---" * (len(GEOMETRIES) + 1) + "|",
            *rows,
            "",
            *(f"{k}. {why}" for k, why in enumerate(reasons, 1)),
        ]
    )


def _cell(refused, reasons):
    numbers = sorted({reasons.index(why) + 1 for why in refused.values() if why})
    said = ", ".join(map(str, numbers))
    run = [solver for solver, why in refused.items() if not why]
    if not numbers:
        return "✓"
    return f"`{'`, `'.join(run)}` ({said})" if run else said


def with_cost(cls, options, cost, solver):
    """An empty string, or why this cost was refused in this geometry."""
    X, y = samples(Euclidean())
    names = cls().get_params(deep=False)
    fixed = {name: value for name, value in FIXED.items() if name in names}
    if "solver" in names:
        fixed["solver"] = solver
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            cls(cost=cost, **fixed, **options).fit(X, y)
        except (IncompatibleSpace, ValueError, TypeError) as error:
            return plain(str(error).splitlines()[0], cls, cost)
    return ""


def page():
    """The text of the page."""
    spaces = firsts(example_spaces())
    kernels = firsts(kernel for cls in all_kernels() if _of_rows(cls) for kernel in cls.examples())
    return (
        f"{HEAD}\n## Spaces\n\n{table('space', spaces, samples)}\n\n## Kernels of rows\n\n"
        f"{table('kernel', kernels, samples)}\n\n## Costs and geometries of prototypes\n\n"
        f"{costs_table()}\n"
    )


def _of_rows(cls):
    return not issubclass(cls, ObjectKernel)


def main():
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="fail if the page is another one")
    made = page()
    if not parser.parse_args().check:
        PAGE.write_text(made, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != made:
        sys.exit("docs/geometries.md is not what it would be now: run python docs/make_tables.py")


if __name__ == "__main__":
    main()
