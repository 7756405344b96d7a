"""Every learner on labels that are missing or could be, and on integers that are no floats."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.utils import get_tags

from test_odd_data import MODELS, problem

WORDS = np.array(list("abc"))
CLASSIFIERS = {name: model for name, model in MODELS.items() if is_classifier(model)}
every_classifier = pytest.mark.parametrize("name", CLASSIFIERS)


def fitted(name, change):
    """A classifier of the changed labels."""
    model = clone(CLASSIFIERS[name])
    p = problem(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(p.X, change(p.y))


def takes_missing(name):
    return "missing_label" in CLASSIFIERS[name].get_params()


GAPS = {
    "NaN among words": lambda y: np.array([np.nan, *WORDS[y[1:]]], dtype=object),
    "NA among words": lambda y: np.array([pd.NA, *WORDS[y[1:]]], dtype=object),
    "NA of pandas' words": lambda y: pd.Series([pd.NA, *WORDS[y[1:]]], dtype="string"),
    "NA of pandas' integers": lambda y: pd.Series([pd.NA, *y[1:]], dtype="Int64"),
    "NA of pandas' categories": lambda y: pd.Categorical([None, *WORDS[y[1:]]]),
}


@every_classifier
def test_a_missing_label_is_none_or_refused_in_a_sentence_about_y(name):
    for kind, change in GAPS.items():
        if takes_missing(name):
            assert len(fitted(name, change).classes_) == 3, kind
            continue
        with pytest.raises(ValueError, match=r"\by (contains|holds)") as caught:
            fitted(name, change)
        assert len(str(caught.value).splitlines()) == 1, kind


BIG = np.array([2**60, 2**60 + 1, 5])
NULLABLE = {
    "Int64": (lambda y: pd.Series(BIG[y], dtype="Int64"), np.sort(BIG)),
    "Int64 in a table": (lambda y: pd.DataFrame({"y": pd.array(BIG[y], "Int64")}), np.sort(BIG)),
    "boolean": (lambda y: pd.array(y > 0, dtype="boolean"), np.array([False, True])),
}


@every_classifier
@pytest.mark.parametrize("kind", NULLABLE)
def test_labels_that_could_be_missing_are_those_of_numpy(name, kind):
    change, classes = NULLABLE[kind]
    found = fitted(name, change).classes_
    assert found.dtype == classes.dtype
    assert found.tolist() == classes.tolist()


@pytest.mark.parametrize("name", MODELS)
def test_an_integer_beyond_all_floats_is_refused_in_a_sentence(name):
    model = clone(MODELS[name])
    p = problem(model)
    X = np.array(p.X, dtype=object)
    X[1, 1] = 10**400
    with pytest.raises(
        ValueError, match=r"^(X|S|P|X\[1\]|trains\[1\]) holds an integer beyond all floats"
    ):
        model.fit(X, p.y if get_tags(model).target_tags.required else None)
