"""What an experiment hands over, how it is kept, and what it is worth beside the published value.

An *item* is one table or figure of a source (``_items.py``). Its published numbers, and nothing
else of it, are in ``published/<id>.csv``. An *experiment* is a function that computes one or more
items; ``run`` times it and writes ``records/<id>.json`` with seeds, versions and standard errors.
The *verdict* is a rule over both (``_verdict.py``), never an opinion.
"""

import argparse
import csv
import json
import os
import platform
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PUBLISHED, RECORDS = HERE / "published", HERE / "records"
PACKAGES = ("noneuclid", "numpy", "scipy", "scikit-learn", "numba")


@dataclass
class Result:
    """Our numbers of one item.

    ``cells[row][column]`` is ``{"value", "error", "n"}``: mean, standard error and number of
    repeats; a deterministic number has no error. ``claims`` are the findings a source draws, each
    with whether it ``holds`` (true, false, or "erratum": the source errs) and what shows it.
    ``not_comparable`` says why the numbers cannot be set against the published ones. ``series``
    are the curves and points of a figure, by name, for ``figures.py`` to draw.
    """

    protocol: str
    cells: dict = field(default_factory=dict)
    claims: list = field(default_factory=list)
    seeds: list = field(default_factory=list)
    not_comparable: str = ""
    series: dict = field(default_factory=dict)


def data_folder() -> Path:
    """Where the data lie: NONEUCLID_DATA, or shared/data beside the project."""
    beside = HERE.parents[1] / "shared" / "data"
    return Path(os.environ.get("NONEUCLID_DATA", beside))


def load(name: str) -> dict[str, np.ndarray]:
    """The arrays of a data set, by name."""
    path = data_folder() / f"{name}.npz"
    if not path.is_file():
        raise SystemExit(f"{path.name} is not there: set NONEUCLID_DATA (docs/literature/data.md)")
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


def published(item: str) -> dict[str, dict[str, str]]:
    """The published numbers as printed, by row and column; empty where none were printed."""
    path = PUBLISHED / f"{item}.csv"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return {row[0]: dict(zip(head[1:], row[1:])) for row in rows}


def cell(values) -> dict:
    """Mean and standard error of repeats; a single number has no error."""
    values = np.atleast_1d(np.asarray(values, dtype=float))
    n = len(values)
    error = float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    return {"value": round(float(values.mean()), 6), "error": error and round(error, 6), "n": n}


def table(values, rows, columns, *, average: str = "") -> dict:
    """Cells from an array (repeat, row, column), with a row of averages if it has a name."""
    values = np.asarray(values, dtype=float)
    cells = {
        str(row): {column: cell(values[:, i, j]) for j, column in enumerate(columns)}
        for i, row in enumerate(rows)
    }
    if average:
        means = values.mean(axis=1)
        cells[average] = {column: cell(means[:, j]) for j, column in enumerate(columns)}
    return cells


def drawn(values, digits: int = 4) -> list:
    """Numbers to draw, as lists, with as many digits as a picture shows."""
    values = np.asarray(values, dtype=float)
    rounded = [float(f"{value:.{digits}g}") for value in values.ravel()]
    return np.array(rounded).reshape(values.shape).tolist()


def column(**values) -> dict:
    """Cells of an item with one column: name of the number -> number or repeats."""
    return {name: {"value": cell(value)} for name, value in values.items()}


def claim(text: str, holds, shown_by: str) -> dict:
    """A finding of the source and whether our numbers show it, too."""
    return {
        "claim": text,
        "holds": holds if isinstance(holds, str) else bool(holds),
        "by": shown_by,
    }


def difference(a, b) -> tuple[float, float]:
    """Mean and standard error of paired differences."""
    gains = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    return float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(len(gains)))


def keep(item: str, result: Result, setting: str, seconds: float, folder: Path = RECORDS) -> dict:
    """Write the record of one item."""
    record = {
        "item": item,
        "setting": setting,
        "protocol": result.protocol,
        "seeds": list(result.seeds),
        "versions": {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}},
        "date": date.today().isoformat(),
        "seconds": round(seconds, 1),
        "not_comparable": result.not_comparable,
        "cells": result.cells,
        "claims": result.claims,
        **({"series": result.series} if result.series else {}),
    }
    (folder / f"{item}.json").write_text(written(record), encoding="utf-8")
    return record


def written(record: dict) -> str:
    """A record as JSON, every number on a line of its own with its error."""
    text = json.dumps(record, indent=1, ensure_ascii=False)
    text = re.sub(r'\{\s+("value": [^{}]*?)\s+\}', lambda m: "{" + _flat(m[1]) + "}", text)
    numbers = r"\[([\s\d,.e+-]+)\]"
    return re.sub(numbers, lambda m: "[" + _flat(m[1]).strip() + "]", text) + "\n"


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def run(*experiments: Callable[[str], dict[str, Result]]) -> None:
    """Command line of a script: compute its experiments and record them.

    ``--reduced`` runs the small version and records nothing.
    """
    parser = argparse.ArgumentParser()
    names = [experiment.__name__ for experiment in experiments]
    parser.add_argument("names", nargs="*", metavar="experiment", help=", ".join(names))
    parser.add_argument("--reduced", action="store_true", help="the small version, not recorded")
    asked = parser.parse_args()
    for experiment in experiments:
        if asked.names and experiment.__name__ not in asked.names:
            continue
        started = time.process_time()
        found = experiment("reduced" if asked.reduced else "full")
        seconds = time.process_time() - started
        for item, result in found.items():
            if not asked.reduced:
                keep(item, result, "full", seconds)
        print(f"{experiment.__name__}: {', '.join(found)} in {seconds:.0f} s", flush=True)
