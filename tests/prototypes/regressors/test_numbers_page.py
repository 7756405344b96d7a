"""The page about numbers runs, and what it says about its data is so."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs" / "numbers_as_targets.md"


@pytest.fixture(scope="module")
def names():
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len(blocks) > 5
    known = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of widths at their bounds
        for block in blocks:
            exec(compile(block, str(PAGE), "exec"), known)
    return known


def test_prototypes_predict_better_than_their_neighbours(names):
    test, y = names["test"], names["y"]
    said = names["near"].predict(names["roots"][np.ix_(test, names["train"])])
    neighbours = np.sqrt(np.mean((said - y[test]) ** 2))
    assert names["error"](names["model"]) < neighbours


def test_the_geometry_matters(names):
    from noneuclid import PrototypeRegressor

    plain = PrototypeRegressor(n_prototypes=5, random_state=0)
    assert names["error"](names["model"]) < 0.5 * names["error"](plain)


def test_intervals_and_exemplars(names):
    y = names["y"][names["test"]]
    assert ((names["low"] <= y) & (y <= names["high"])).mean() > 0.7
    assert len(names["small"].support_) <= 5
