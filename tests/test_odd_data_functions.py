"""Every public function, space and kernel on odd data: finite numbers, or one sentence.

Functions are found by the names of their arguments: ``X``, ``Y``, ``P`` and so on are data.
"""

import dataclasses
import importlib
import inspect

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import campaigns
from noneuclid.testing import example_kernels, example_spaces
from odd_data import ODDS, Odd, Problem
from test_odd_data import LABELS, ROWS, attempt, differs

ROOMS = ("information", "pca", "prototypes", "proximities", "spaces", "spikes")
ROW_ARGUMENTS = ("X", "Y", "V", "reference", "current", "objects", "landmarks")
PAIR_ARGUMENTS = {"P": "any", "S": "similarity", "D": "dissimilarity", "P_or_objects": "similarity"}
# What else a function must be given.
GIVEN = {"width": 1.0, "metric": "sqeuclidean", "space": "l2"}
QUICK = {"n_permutations": 79, "random_state": 0, "n_pairs": 3, "max_groups": 3}
# Functions that get something else than data first, or nothing odd: their own tests are elsewhere.
ELSEWHERE = ("model", "svc")


def functions():
    """Public functions that take data, by name."""
    for room in ROOMS:
        module = importlib.import_module(f"noneuclid.{room}")
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isfunction(function):
                continue
            first = next(iter(inspect.signature(function).parameters), None)
            if data_arguments(function) and first not in ELSEWHERE:
                yield f"{room}.{name}", function


FUNCTIONS = dict(functions())
PARTS = {
    f"{type(part).__name__}-{k}": part
    for k, part in enumerate([*example_spaces(), *example_kernels()])
    if not getattr(part, "takes_objects", False)
}
ORDINARY = Odd("ordinary", lambda p: p)


def arguments(function):
    """Ordinary data for a function, and all else it needs: {argument: value}."""
    D = cdist(ROWS[:24], ROWS[:24], "sqeuclidean")
    named = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ROW_ARGUMENTS:
            named[name] = (
                ROWS[:24] if name in ("X", "V", "reference", "objects") else ROWS[12:] + 0.5
            )
        elif name in PAIR_ARGUMENTS:
            kind = PAIR_ARGUMENTS[name]
            default = getattr(
                inspect.signature(function).parameters.get("proximity"), "default", kind
            )
            named[name] = D if "dissimilarity" in (kind, default) else np.exp(-D / 8)
        elif name in QUICK:
            named[name] = QUICK[name]
        elif parameter.default in (inspect.Parameter.empty, None) and name in GIVEN:
            named[name] = GIVEN[name]
    return named


def data_arguments(function):
    """The first two arguments that are data."""
    names = inspect.signature(function).parameters
    return [name for name in names if name in ROW_ARGUMENTS or name in PAIR_ARGUMENTS][:2]


def numbers(result, name="the result"):
    """All arrays of numbers in what a function returned, by where they are."""
    if dataclasses.is_dataclass(result):
        result = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    if isinstance(result, dict):
        items = result.items()
    elif isinstance(result, (tuple, list)):
        items = enumerate(result)
    elif isinstance(result, (float, np.ndarray, np.floating)):
        return {name: np.asarray(result)}
    else:
        return {}
    return {k: v for key, value in items for k, v in numbers(value, f"{name}.{key}").items()}


def changed(odd, values):
    """The data of a function or part, made odd together: as training data and new ones."""
    first, *rest = values
    p = odd.change(Problem(first, LABELS[: len(first)], rest[0] if rest else first[:6]))
    return [p.X, p.new][: len(values)]


def called(function, odd):
    given = arguments(function)
    data = data_arguments(function)
    given.update(zip(data, changed(odd, [given[name] for name in data]), strict=True))
    return lambda: (numbers(function(**given)), {})


def asked(part, odd):
    """What a space or kernel says about odd rows."""
    d = part.n_features or 6
    X, W = changed(odd, [np.resize(ROWS, (24, d)), np.resize(ROWS[24:], (6, d))])

    def ask():
        if hasattr(part, "diag"):
            return {"kernel": part(X, W), "gram": part(X), "diag": part.diag(X)}, {}
        names = [n for n in ("product", "squared_distance") if hasattr(part, n)]
        said = {n: getattr(part, n)(X, W) for n in names}
        single = [n for n in ("norm", "squared_norm", "dual") if hasattr(part, n)]
        return said | {n: getattr(part, n)(X) for n in single}, {}

    return ask


def faults(ask, plain, odds):
    """One line for every odd data that gives no finite answer and no sentence."""
    for odd in odds:
        got = attempt(ask(odd))
        if not got.fault and odd.must == "refused" and got.kind != "refused":
            got.fault = "was not refused"
        if not got.fault and odd.must == "same":
            got.fault = (
                differs(got.said, plain) if got.kind == "answers" else f"was refused: {got.message}"
            )
        if got.fault:
            yield f"{odd.name}: {got.fault}"


# Two variables of a function may have different numbers of features.
OWN_WIDTH = ("new rows that are wider", "new rows that are narrower")


def chosen(number, has_new=True):
    share = campaigns.size(8, 1)
    # No second argument is one of a kernel, too: the Gram matrix is meant.
    suited = [odd for odd in ODDS if not (odd.needs_y or odd.long or odd.name == "nothing new")]
    suited = [odd for odd in suited if has_new or odd.where == "fit"]
    return [odd for k, odd in enumerate(suited) if (k + number) % share == 0]


@pytest.mark.trust
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_odd_data_for_functions(name):
    function = FUNCTIONS[name]
    odds = chosen(list(FUNCTIONS).index(name), len(data_arguments(function)) > 1)
    odds = [odd for odd in odds if odd.name not in OWN_WIDTH]
    plain = numbers(function(**arguments(function)))
    found = list(faults(lambda odd: called(function, odd), plain, odds))
    campaigns.record("Numbers", "calls of public functions on odd data", len(odds), len(found))
    assert not found, "\n".join(found)


@pytest.mark.trust
@pytest.mark.parametrize("name", list(PARTS))
def test_odd_data_for_spaces_and_kernels(name):
    part, odds = PARTS[name], chosen(list(PARTS).index(name))
    plain = asked(part, ORDINARY)()[0]
    found = list(faults(lambda odd: asked(part, odd), plain, odds))
    campaigns.record("Numbers", "spaces and kernels on odd data", len(odds), len(found))
    assert not found, "\n".join(found)
