"""A warning points at the line of the person who called, however deep it was raised."""

import inspect
import sys
import types
import warnings

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid._warnings import warn
from noneuclid.information import information_potential

INSIDE = """
from noneuclid._warnings import warn

def deepest():
    warn("three frames deep", FutureWarning)

def middle():
    deepest()

def public():
    return middle()
"""


@pytest.fixture
def library(monkeypatch):
    """A module that belongs to the package, as far as its name says."""
    module = types.ModuleType("noneuclid.made_up")
    exec(compile(INSIDE, "made_up.py", "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


class Grumbler(ClassifierMixin, BaseEstimator):
    """Fits by a function of the package, which warns."""

    def __init__(self, function=None):
        self.function = function

    def fit(self, X, y):
        self.function()
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


Grumbler.__module__ = "noneuclid.made_up"
X, Y = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12) % 2


def caught(call):
    """The warnings of a call, and the line the call is on."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        line = call()
    return found, line


def here():
    return inspect.currentframe().f_back.f_lineno


def test_three_frames_deep(library):
    found, line = caught(lambda: (library.public(), here())[1])
    assert [(w.filename, w.lineno) for w in found] == [(__file__, line)]
    assert found[0].category is FutureWarning
    assert str(found[0].message) == "three frames deep"


def inside_the_package(function):
    """The function as if the package had defined it: its frames are not the caller's."""
    return types.FunctionType(
        function.__code__,
        {"__name__": "noneuclid.made_up"}
        | {name: value for name, value in globals().items() if name != "__name__"},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )


@pytest.fixture
def grumbler(library, monkeypatch):
    monkeypatch.setattr(Grumbler, "fit", inside_the_package(Grumbler.fit))
    return Grumbler(library.public)


def test_through_cross_validation(grumbler):
    found, line = caught(lambda: (cross_val_score(grumbler, X, Y, cv=3), here())[1])
    assert len(found) == 3
    assert {(w.filename, w.lineno) for w in found} == {(__file__, line)}


def test_through_a_pipeline_and_a_grid(grumbler):
    model = make_pipeline(StandardScaler(), grumbler)
    search = GridSearchCV(model, {"standardscaler__with_mean": [True, False]}, cv=2)
    found, line = caught(lambda: (search.fit(X, Y), here())[1])
    assert len(found) == 5  # two settings, two folds, and the best one again
    assert {(w.filename, w.lineno) for w in found} == {(__file__, line)}


def test_through_joblib(library):
    tasks = [delayed(library.public)() for _ in range(2)]
    found, line = caught(lambda: (Parallel(n_jobs=1)(tasks), here())[1])
    assert {(w.filename, w.lineno) for w in found} == {(__file__, line)}


def test_the_library_itself():
    found, line = caught(lambda: (information_potential(X, 1.0, np.ones(12)), here())[1])
    assert [(w.filename, w.lineno) for w in found] == [(__file__, line)]
    assert "divided by their sum" in str(found[0].message)


def test_called_by_a_person_directly():
    found, line = caught(lambda: (warn("plain"), here())[1])
    assert (found[0].filename, found[0].lineno) == (__file__, line)
    assert found[0].category is UserWarning


def test_names_that_only_begin_alike_are_the_callers(monkeypatch):
    module = types.ModuleType("noneuclid_helpers")
    exec(compile(INSIDE, "helpers.py", "exec"), module.__dict__)
    found, _ = caught(lambda: module.public())
    assert (found[0].filename, found[0].lineno) == ("helpers.py", 5)


def test_a_stack_without_any_caller_does_no_harm(library):
    source = "import noneuclid.made_up as m\nm.public()\n"
    code = compile(source, "script.py", "exec")
    found, _ = caught(lambda: exec(code, {"__name__": "noneuclid.script"}))
    assert len(found) == 1


def test_as_errors_they_stop(library):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(FutureWarning, match="three frames deep"):
            library.public()
