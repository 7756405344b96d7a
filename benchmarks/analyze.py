"""How long ``noneuclid analyze`` takes: one dataset of every kind, and two large ones.

    python benchmarks/analyze.py [--only NAME]

All objects are learned from. The goal for 20,000 rows of 20 columns, and for 5,000 sequences of
about 50 letters, is five minutes on two cores. Beside the time that passed stands that of the
processor, which other work on the machine does not change much, and what the pilot expected.
"""

import argparse
from time import perf_counter, process_time

import numpy as np
from _record import quick, recorded
from sklearn.datasets import make_classification

from noneuclid.datasets import (
    Dataset,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
)
from noneuclid.report import Settings, analyze

LETTERS = 50


def rows(n: int, d: int = 20) -> Dataset:
    """A table of three classes."""
    X, y = make_classification(n, d, n_informative=8, n_classes=3, random_state=0)
    return Dataset("vectors", X, y)


def words(n: int, n_families: int = 5) -> Dataset:
    """Families of sequences that descend from one each, with a fifth of the letters exchanged."""
    rng = np.random.default_rng(0)
    letters = np.array(list("ACGT"))
    ancestors = rng.choice(letters, size=(n_families, LETTERS))
    family = rng.integers(n_families, size=n)
    found = []
    for one in family:
        changed = rng.uniform(size=LETTERS) < 0.2
        word = np.where(changed, rng.choice(letters, LETTERS), ancestors[one])
        found.append("".join(word[rng.uniform(size=LETTERS) > 0.05]))
    return Dataset("sequences", found, np.array([f"family {one}" for one in family]))


DATA = {
    "150 curves of 100 points": lambda: make_spectra(150),
    "160 sequences": lambda: make_families(40),
    "a matrix of 200 objects": lambda: make_indefinite(200),
    "80 spike trains": lambda: make_spike_trains(80),
    "a table of 500 rows": lambda: rows(500),
    "a table of 20,000 rows": lambda: rows(20_000),
    "5,000 sequences": lambda: words(5_000),
}


def main() -> None:
    """Analyse each, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="part of the name of a dataset")
    given = parser.parse_args()
    settings = Settings(folds=3, repeats=1, quick=True) if quick else Settings()
    for name, make in list(DATA.items())[: 2 if quick else None]:
        if given.only not in name:
            continue
        data, expected = make(), [0.0]
        start, work = perf_counter(), process_time()
        analysis = analyze(data, settings=settings, expect=expected.append)
        seconds, work = perf_counter() - start, process_time() - work
        best = next(f"{n}, {v}" for n, v in analysis.results if "%" in v).replace("\xa0", " ")
        print(
            f"{name:<26} {seconds:7.1f} s   processor {work:7.1f} s   "
            f"pilot {expected[-1]:7.1f} s   {best}",
            flush=True,
        )


if __name__ == "__main__":
    with recorded(__file__):
        main()
