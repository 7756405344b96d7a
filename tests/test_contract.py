"""One contract for every estimator the package has; exceptions are in contract_exceptions.py."""

import contextlib
import copy
import inspect
import pickle
import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import noneuclid
from contract_exceptions import NAMELESS, NO_MATRICES, OBJECTS, SETTINGS, Setting
from noneuclid._documentation import entries_of
from noneuclid._parameters import allowed, check_value
from noneuclid.kernels import CrossInformationPotential, SpikeTrainKernel
from noneuclid.pca import DistributionPCA
from noneuclid.spaces import IncompatibleSpace
from noneuclid.spikes import SpikeTrainPCA, jittered_templates
from noneuclid.testing import all_estimators


class OnMatrices(SpikeTrainPCA):
    """Rows of equal length are trains, too; the tag of trains would leave out nearly all checks."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


# Kernels of estimators that take one kind of objects only.
OF_OBJECTS = {SpikeTrainPCA: SpikeTrainKernel, DistributionPCA: CrossInformationPotential}
CLASSES = {cls.__name__: cls for cls in all_estimators()}


def settings(cls):
    return SETTINGS.get(cls.__name__, [Setting()])


MODELS = [cls(**setting.params) for cls in CLASSES.values() for setting in settings(cls)]
EXCUSED = {
    str((OnMatrices if cls is SpikeTrainPCA else cls)(**setting.params)): setting.excused
    for cls in CLASSES.values()
    for setting in settings(cls)
}
every_class = pytest.mark.parametrize("cls", list(CLASSES.values()), ids=list(CLASSES))
every_model = pytest.mark.parametrize("model", MODELS)


def test_every_public_estimator_is_discovered():
    """What the package offers at its top, and can be fitted, is held to the contract.

    But a relation: like spaces and kernels it is a part of learners, and has its own tests.
    """
    offered = (getattr(noneuclid, name) for name in noneuclid.__all__ if name != "Relation")
    fitted = {thing for thing in offered if isinstance(thing, type) and hasattr(thing, "fit")}
    assert fitted == set(CLASSES.values())


def test_exceptions_are_about_estimators_that_there_are():
    assert set(SETTINGS) <= set(CLASSES)
    assert len(EXCUSED) == len(MODELS), "two settings are the same"


@parametrize_with_checks(
    [
        OnMatrices(**model.get_params(deep=False)) if type(model) is SpikeTrainPCA else model
        for model in MODELS
        if type(model).__name__ not in NO_MATRICES
    ],
    expected_failed_checks=lambda estimator: EXCUSED[str(estimator)],
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# --- data that suit any estimator -----------------------------------------------------------

RNG = np.random.default_rng(0)
LABELS = np.arange(36) % 3
ROWS = RNG.normal(size=(36, 4)) + 2.0 * np.eye(3, 4)[LABELS]


def is_pairwise(model):
    return get_tags(model).input_tags.pairwise


def takes_rows(model):
    return get_tags(model).input_tags.two_d_array and not is_pairwise(model)


def problem(model):
    """Training objects, their labels, and new objects."""
    if not get_tags(model).input_tags.two_d_array:
        trains = jittered_templates(36, random_state=0).trains
        return trains[:24], LABELS[:24], trains[24:]
    if not is_pairwise(model):
        return ROWS[:24], LABELS[:24], ROWS[24:]
    unlike = getattr(model, "proximity", "similarity") == "dissimilarity"
    P = cdist(ROWS, ROWS, "sqeuclidean") if unlike else ROWS @ ROWS.T
    return P[:24, :24], LABELS[:24], P[24:, :24]


def prepared(model):
    """A copy with a seed."""
    seeded = {"random_state": 0} if "random_state" in model.get_params() else {}
    return clone(model).set_params(**seeded)


def outputs(model, new):
    """All that it says about new objects."""
    names = ("predict", "transform", "decision_function", "predict_proba")
    said = {name: np.asarray(getattr(model, name)(new)) for name in names if hasattr(model, name)}
    assert said, f"{model} says nothing"
    return said


def assert_same(got, expected, sentence):
    assert got.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_array_equal(got[name], values, err_msg=f"{name}: {sentence}")


# --- copies ---------------------------------------------------------------------------------


@every_model
def test_copies_say_the_same(model, tmp_path):
    X, y, new = problem(model)
    fitted = prepared(model).fit(X, y)
    expected = outputs(fitted, new)
    noneuclid.save(fitted, tmp_path / "model.skops")
    assert_same(outputs(noneuclid.load(tmp_path / "model.skops"), new), expected, "after load")
    assert_same(outputs(pickle.loads(pickle.dumps(fitted)), new), expected, "after pickling")
    assert_same(outputs(copy.deepcopy(fitted), new), expected, "of a deep copy")
    assert_same(outputs(clone(fitted).fit(X, y), new), expected, "of a clone that is fitted")
    assert_same(outputs(fitted, new), expected, "after it was copied")


@every_model
def test_fitting_again_gives_the_same(model):
    X, y, new = problem(model)
    fitted = prepared(model).fit(X, y)
    expected = outputs(fitted, new)
    # Other data in between must leave no trace.
    if takes_rows(model):
        fitted.fit(ROWS[::-1, :3][:20], LABELS[::-1][:20])
    assert_same(outputs(fitted.fit(X, y), new), expected, "fitted again")


@pytest.mark.parametrize(
    "cls",
    [c for c in CLASSES.values() if "checkpoint" in c().get_params()],
    ids=lambda c: c.__name__,
)
def test_a_fitted_model_goes_on_from_its_checkpoint(cls, tmp_path):
    """Faulty before: what an earlier fit had learned counted as another start."""
    model = prepared(cls(checkpoint=tmp_path / "passes"))
    if "n_landmarks" in model.get_params():
        kernel = {"kernel": "gaussian"} if "kernel" in model.get_params() else {}
        model.set_params(n_landmarks=8, **(kernel or {"metric": "sqeuclidean"}))
    if "proximity" in model.get_params():
        model.set_params(proximity="dissimilarity", constraint="affine")
    expected = outputs(model.fit(ROWS[:24], LABELS[:24]), ROWS[24:])
    assert_same(outputs(model.fit(ROWS[:24], LABELS[:24]), ROWS[24:]), expected, "fitted again")


def takes_weights(model):
    return "sample_weight" in inspect.signature(model.fit).parameters


@pytest.mark.parametrize("model", [m for m in MODELS if takes_weights(m) and takes_rows(m)])
def test_samples_without_weight_are_not_there(model):
    """Faulty before: starts, scales and widths saw them, so one of 10⁹ was enough."""
    if "relation_" in dir(model) or "n_landmarks" in model.get_params():
        pytest.skip("its prototypes are made of all objects")
    X, y, new = problem(model)
    y = y.astype(float) if is_regressor(model) else y
    absurd, labels = np.vstack([X[:5], 1e9 + X[:2], X[5:]]), np.concatenate([y[:5], y[:2], y[5:]])
    weights = np.ones(len(absurd))
    weights[5:7] = 0.0
    expected = outputs(prepared(model).fit(X, y, sample_weight=np.ones(len(X))), new)
    got = outputs(prepared(model).fit(absurd, labels, sample_weight=weights), new)
    for name, values in expected.items():
        np.testing.assert_allclose(got[name], values, rtol=1e-6, atol=1e-9, err_msg=name)


# --- parameters -----------------------------------------------------------------------------


def same(a, b):
    """Whether two parameters are equal; objects by their parameters, arrays by their values."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and np.array_equal(a, b)
    if hasattr(a, "get_params"):
        ours, theirs = a.get_params(deep=False), b.get_params(deep=False)
        return (
            type(a) is type(b)
            and ours.keys() == theirs.keys()
            and all(same(ours[name], theirs[name]) for name in ours)
        )
    return type(a) is type(b) and a == b


@every_model
def test_fit_leaves_parameters_and_data_alone(model):
    X, y, _ = problem(model)
    model = prepared(model)
    objects, before = model.get_params(deep=False), copy.deepcopy(model.get_params())
    X_before, y_before = copy.deepcopy(X), y.copy()
    model.fit(X, y)
    after = model.get_params()
    assert after.keys() == before.keys()
    for name, value in before.items():
        assert same(after[name], value), f"fit changed {name}"
    for name, value in objects.items():
        assert after[name] is value, f"fit replaced {name}"
    assert all(np.array_equal(a, b) for a, b in zip(X, X_before, strict=True))
    np.testing.assert_array_equal(y, y_before)


@every_model
def test_a_fitted_model_does_not_follow_its_data(model):
    """Faulty before: rows that were changed after the fit changed what kernel models said."""
    X, y, new = problem(model)
    if not isinstance(X, np.ndarray):
        pytest.skip("its objects are no rows")
    X = X.copy()
    model = prepared(model).fit(X, y)
    expected = outputs(model, new)
    X[:] = X[::-1].copy()
    assert_same(outputs(model, new), expected, "after the data were changed")


@every_class
def test_parameters_are_those_of_the_constructor(cls):
    signature = inspect.signature(cls)
    model = cls()
    assert set(model.get_params(deep=False)) == set(signature.parameters)
    for name, parameter in signature.parameters.items():
        assert parameter.default is not inspect.Parameter.empty, f"{name} has no default"
        assert getattr(model, name) is parameter.default, f"{name} is changed on the way"
    marks = {name: object() for name in signature.parameters}
    changed = cls().set_params(**marks)
    assert all(getattr(changed, name) is mark for name, mark in marks.items())
    with pytest.raises(ValueError, match="Invalid parameter"):
        cls().set_params(no_such_parameter=1)


@every_model
def test_attributes_can_be_listed(model):
    X, y, _ = problem(model)
    for state in (prepared(model), prepared(model).fit(X, y)):
        assert {"fit", "get_params"} <= set(dir(state))
        assert type(model).__name__ in repr(state)


@every_model
def test_what_is_learned_ends_with_an_underscore(model):
    X, y, _ = problem(model)
    before = set(vars(prepared(model)))
    learned = {name for name in set(vars(prepared(model).fit(X, y))) - before if name[0] != "_"}
    assert all(name.endswith("_") for name in learned), learned


def with_objects():
    """(class, parameter, object for it, what to change in the object) for all that take one."""
    for cls in CLASSES.values():
        for name, default in cls().get_params(deep=False).items():
            if not isinstance(default, bool):  # a switch that happens to have the name
                own = OBJECTS.get(f"{cls.__name__}.{name}", OBJECTS.get(name, []))
                for thing, change in own:
                    yield cls, name, thing, change


@pytest.mark.parametrize(("cls", "name", "thing", "change"), list(with_objects()))
def test_a_fitted_model_keeps_a_clone_of_its_parts(cls, name, thing, change):
    if cls in OF_OBJECTS:
        thing, change = OF_OBJECTS[cls](0.01), {"width": 0.1}
    model = prepared(cls(**settings(cls)[0].params))
    if name == "metric" and "proximity" in model.get_params():
        model.set_params(proximity="similarity")
    elif name == "metric":
        pytest.skip("its metrics are dissimilarities, which are no objects")
    short = {"max_epochs": 2} if "max_epochs" in model.get_params() else {}
    model.set_params(**{name: clone(thing)}, **short)
    X, y, new = problem(model)
    try:
        model.fit(X, y)
    except IncompatibleSpace:
        pytest.skip(f"it does not take {thing}")
    expected = outputs(model, new)
    model.set_params(**{f"{name}__{key}": value for key, value in change.items()})
    assert_same(outputs(model, new), expected, f"after {change} in {name}")
    changed = clone(model).fit(X, y)
    got = outputs(changed, new)
    assert any(not np.array_equal(got[key], expected[key]) for key in got), "nothing to see here"


@every_model
def test_parameters_set_after_a_fit_change_nothing_that_was_learned(model):
    """Faulty before: ``set_params(kernel=True)`` changed what a fitted ``GMLVQ`` said."""
    X, y, new = problem(model)
    fitted = prepared(model).fit(X, y)
    expected = all_outputs(fitted, new)
    for name, value in other_values(fitted):
        changed = copy.copy(fitted).set_params(**{name: value})
        assert_same(all_outputs(changed, new), expected, f"after {name}={value!r}")


def all_outputs(model, new):
    """What it says by whatever method that needs nothing but objects."""
    names = ("certainty", "nonconformity", "outlyingness", "p_values", "get_feature_names_out")
    said = outputs(model, new)
    for name in names:
        if hasattr(model, name) and not (name[0] == "g" and type(model).__name__ in NAMELESS):
            said[name] = np.asarray(getattr(model, name)(*[new] * (name[0] != "g")))
    return said


def other_values(model):
    """(parameter, value) for objects, numbers and all words that the parameters may be."""
    cls = type(model)
    documented = entries_of(inspect.getdoc(cls), "Parameters")
    for name, rules in allowed(cls).items():
        objects = OBJECTS.get(f"{cls.__name__}.{name}", OBJECTS.get(name, []))
        words = re.findall(r'"([^"]*)"', documented[name][0])
        for value in [*(thing for thing, _ in objects), *words, None, True, False, 1, 2, 0.5]:
            with contextlib.suppress(ValueError, TypeError):  # what may not be is not set
                check_value(name, value, rules)
                yield name, value


# --- tables ---------------------------------------------------------------------------------


@every_model
def test_names_of_columns_are_kept(model):
    pandas = pytest.importorskip("pandas")
    X, y, new = problem(model)
    if not takes_rows(model):
        pytest.skip("its rows are no vectors")
    table = pandas.DataFrame(X, columns=list("abcd"))
    fitted = prepared(model).fit(table, y)
    np.testing.assert_array_equal(fitted.feature_names_in_, list("abcd"))
    assert fitted.n_features_in_ == 4
    got = outputs(fitted, pandas.DataFrame(new, columns=list("abcd")))
    for name, values in outputs(prepared(model).fit(X, y), new).items():
        if values.dtype.kind == "f":  # tables lie in memory column by column: other rounding
            np.testing.assert_allclose(got[name], values, rtol=1e-6, atol=1e-9)
        else:
            np.testing.assert_array_equal(got[name], values)
    with pytest.raises(ValueError, match="feature names"):
        outputs(fitted, pandas.DataFrame(new, columns=list("dcba")))
    assert not hasattr(prepared(model).fit(X, y), "feature_names_in_")


@every_model
def test_transformed_columns_have_names(model):
    pandas = pytest.importorskip("pandas")
    X, y, new = problem(model)
    fitted = prepared(model).fit(X, y)
    if not hasattr(fitted, "transform"):
        pytest.skip("it transforms nothing")
    if type(model).__name__ in NAMELESS:
        assert not hasattr(fitted, "get_feature_names_out")
        return
    names = fitted.get_feature_names_out()
    values = fitted.transform(new)
    assert len(set(names)) == values.shape[1]
    table = fitted.set_output(transform="pandas").transform(new)
    assert isinstance(table, pandas.DataFrame)
    np.testing.assert_array_equal(table.columns, names)
    np.testing.assert_array_equal(table.to_numpy(), values)


# --- help -----------------------------------------------------------------------------------

ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: ?:.*)?$")


def documented(text, section):
    """Names that a section of a numpydoc text explains, each on a line of its own."""
    lines = inspect.cleandoc(text).splitlines()
    headings = [k for k in range(1, len(lines)) if re.fullmatch("-{3,}", lines[k])]
    for number, k in enumerate(headings):
        if lines[k - 1] == section:
            end = headings[number + 1] - 1 if number + 1 < len(headings) else len(lines)
            entries = [ENTRY.match(line) for line in lines[k + 1 : end] if line[:1].strip()]
            return [name for entry in entries if entry for name in entry[1].split(", ")]
    return []


@every_class
def test_help_explains_every_parameter_and_no_other(cls):
    names = documented(cls.__doc__, "Parameters")
    assert sorted(names) == sorted(inspect.signature(cls).parameters)
    lines = inspect.cleandoc(cls.__doc__).splitlines()
    for name in names:  # each on its own, with a kind and a sentence
        at = next(k for k, line in enumerate(lines) if line.startswith(f"{name} : "))
        assert len(lines[at]) > len(f"{name} : ")


@every_class
def test_help_has_an_example_and_what_is_learned(cls):
    learned = documented(cls.__doc__, "Attributes")
    assert learned, "no attribute is explained"
    assert all(name.endswith("_") for name in learned)
    assert ">>>" in cls.__doc__
