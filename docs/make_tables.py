"""Which learner takes which space and which kernel: tried, cell by cell, and written to a page.

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
from noneuclid.spaces import IncompatibleSpace
from noneuclid.testing import all_estimators, all_kernels, example_points, example_spaces

PAGE = Path(__file__).with_name("geometries.md")
FIXED = {"random_state": 0, "max_epochs": 2, "max_iter": 5, "n_init": 1}
HEAD = """# Learners and geometries

Every learner that has a `space` or a `kernel`, tried with every space and every kernel of the
package on a few samples by `python docs/make_tables.py`. ✓: it fits. A number: it is refused, for
the reason below the table.
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


def page():
    """The text of the page."""
    spaces = firsts(example_spaces())
    kernels = firsts(kernel for cls in all_kernels() if _of_rows(cls) for kernel in cls.examples())
    return (
        f"{HEAD}\n## Spaces\n\n{table('space', spaces, samples)}\n\n## Kernels of rows\n\n"
        f"{table('kernel', kernels, samples)}\n"
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
