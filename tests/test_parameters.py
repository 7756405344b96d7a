"""Every parameter of every class, given anything: refused in one sentence that names it, or used.

What is allowed is said by annotations (``noneuclid._parameters``); here they are compared with the
documentation, and ``fit`` with both. What is excused, and why, is in parameter_exceptions.py.
"""

import inspect
import re
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags

import campaigns
from noneuclid._checks import is_count
from noneuclid._documentation import entries_of
from noneuclid._parameters import allowed
from noneuclid.kernels import Gaussian, Kernel, Polynomial
from noneuclid.pca import GeneralizedPCA, Objective
from noneuclid.prototypes.costs import Cost, GLVQCost
from noneuclid.proximities import Relation
from noneuclid.spaces import KernelMetric, Lp, Sobolev, Space
from noneuclid.spikes import jittered_templates
from noneuclid.testing import all_costs, all_estimators, all_kernels, all_spaces
from parameter_exceptions import ANYTHING, EXAMPLES, TOGETHER

# --- what is tried -------------------------------------------------------------------------------


class Opaque:
    """A thing of no known kind, with a long name of many lines."""

    def __repr__(self):
        return "Opaque(\n" + 50 * "and so on\n" + ")"


VALUES = [
    *(
        "",
        "nonsense",
        "Auto",
        "auto",
        "scale",
        "median",
        "l2",
        "l0.5",
        "l1.5",
        "glvq",
        "precomputed",
    ),
    *(np.str_("nonsense"), b"sgd", "x" * 3000, "\n", "sgd\x00"),
    *(None, True, False, np.True_, np.False_),
    *(0, 1, 2, 3, -1, -(2**40), 2**32, 2**63, 10**30, 10**400),
    *(np.int8(2), np.int64(2), np.uint8(0), np.int64(-1), np.timedelta64(2), np.datetime64(2, "s")),
    *(0.0, -0.0, 0.5, 1.0, 1.5, 2.5, -0.5, -1e300, 1e-12, 1e300, 5e-324),
    *(np.float32(0.5), np.float16(1.5), np.longdouble(0.5), Fraction(1, 2), Decimal("0.5")),
    *(float("nan"), float("inf"), -float("inf"), np.float32("nan"), np.float64("inf")),
    *(1j, np.complex64(1.0), np.array(2), np.array(-1.0), np.array([]), np.array([-1.0, 2.0])),
    *(np.zeros((2, 3)), np.ones(40), np.full((3, 3), np.nan), np.array(["a", "b"])),
    *(np.array([1, None]), np.ma.masked_array([1.0, 2.0], [True, False])),
    *([], [1, 2], [1, "a"], [None], [[1.0], [2.0, 3.0]], (1,), (2, 3), (2, 3, 4), (0, 1), (-1, 2)),
    *((0.5, 0.1), (float("nan"), 1.0), (True, True), range(3), {1, 2}, iter([1]), slice(3)),
    *({}, {"unknown": 1}, {0: -1}, {None: 1}, {0: "a"}, {0: 1, 1: 1}, {0: 0.5, 1: 2.0}),
    *(object(), Opaque(), int, len, re, np.random, np.random.default_rng(0)),
    *(np.random.RandomState(0), Gaussian, Lp, GeneralizedPCA),
    *(Lp(0.5), Lp("two"), Sobolev(weights=(-1,)), KernelMetric("rbf"), KernelMetric(Gaussian(-1))),
    *(Gaussian(-1), Gaussian("wide"), Polynomial(degree=0.5), GLVQCost(slope=-1), Objective()),
    *(Relation(3), GeneralizedPCA(n_components=0), GeneralizedPCA(p=-1)),
]


class Untouchable:
    """Data that say so when anybody looks at them."""

    def __getattribute__(self, name):
        raise LookedAtError(name)

    def __len__(self):
        raise LookedAtError("len")

    def __iter__(self):
        raise LookedAtError("iter")


class LookedAtError(Exception):
    """Somebody looked at the data."""


PARTS = [*all_spaces(), *all_kernels(), *all_costs(), Objective]
LEARNERS = [*all_estimators(), Relation]
CLASSES = {cls.__name__: cls for cls in [*LEARNERS, *PARTS]}
NAMES = [(name, p) for name, cls in CLASSES.items() for p in inspect.signature(cls).parameters]
every_parameter = pytest.mark.parametrize(("name", "parameter"), NAMES)


def example(cls):
    """An instance whose parameters are all right."""
    if cls.__name__ in EXAMPLES:
        return EXAMPLES[cls.__name__]()
    return cls.examples()[0] if hasattr(cls, "examples") else cls()


def with_value(cls, parameter, value):
    """An instance with one parameter changed, not cloned: what cannot be copied is tried, too."""
    made = clone(example(cls), safe=False)
    setattr(made, parameter, value)
    return made


def begin(thing):
    """Do what checks the parameters of a thing first, and then looks at its data."""
    if isinstance(thing, Cost):
        thing.check()
        raise LookedAtError
    if isinstance(thing, Objective):
        GeneralizedPCA(objective=thing).fit(Untouchable())
    if isinstance(thing, Space | Kernel):
        thing._check(Untouchable())
    with_labels = "y" in inspect.signature(thing.fit).parameters
    thing.fit(Untouchable(), Untouchable()) if with_labels else thing.fit(Untouchable())


def refusal(thing):
    """The sentence in which it is refused before anybody looks at data; None if it is not."""
    before = dict(vars(thing))
    try:
        begin(thing)
    except LookedAtError:
        return None
    except (ValueError, TypeError) as error:
        learned = set(vars(thing)) - set(before)
        assert all(name.startswith("_") for name in learned), f"it is half fitted: {learned}"
        return str(error)
    raise AssertionError("nothing was looked at")


def names_the_parameter(sentence, parameter, value, most=200):
    """One short line about this parameter, or about what the object that was given for it has."""
    of_value = list(value.get_params()) if isinstance(value, BaseEstimator) else []
    words = [parameter, getattr(value, "__name__", parameter), *"__".join(of_value).split("__")]
    named = re.search(rf"\b({'|'.join(filter(None, words))})\b", sentence)
    return named is not None and len(sentence) <= most and len(sentence.splitlines()) == 1


# --- what the documentation says -----------------------------------------------------------------


def documented(cls, parameter, value):
    """Whether the documentation allows a value: True, False, or None where it leaves it open."""
    kind, description = entries_of(inspect.getdoc(cls), "Parameters")[parameter]
    words = set(re.findall(r"\w+", re.sub(r'"[^"]*"|default=.*', "", kind)))
    literals = re.findall(r'"([^"]*)"', re.sub("default=.*", "", kind))
    if value is None:
        return bool(words & {"None", "optional"})
    if isinstance(value, str):
        return value in literals or (None if words & {"str", "object"} else False)
    if isinstance(value, bool | np.bool_):
        return bool(words & {"bool", "True"})
    if isinstance(value, int | np.integer) and not isinstance(value, np.timedelta64):
        return None if words & {"int", "float"} else False
    if isinstance(value, float | np.floating):
        finite = np.isfinite(float(value)) or (value > 0 and "inf" in description)
        return None if "float" in words and finite else False
    if isinstance(value, np.ndarray | list | tuple | range):
        return None if words & {"array", "sequence", "tuple"} or "(" in kind else False
    if isinstance(value, dict):
        return None if "dict" in words else False
    if isinstance(value, BaseEstimator):
        return (
            None if words & {c.__name__ for c in type(value).__mro__} or callable(value) else False
        )
    if callable(value):
        return None if words & {"callable", "object"} else False
    return None if type(value).__name__ in words else False


@every_parameter
def test_what_is_allowed_is_declared(name, parameter):
    declared = parameter in allowed(CLASSES[name])
    assert declared != ((name, parameter) in ANYTHING), "say what it may be, in its annotation"


def test_exceptions_are_about_parameters_that_there_are():
    assert set(ANYTHING) <= set(NAMES)
    assert set(EXAMPLES) <= set(CLASSES)


@pytest.mark.trust
@pytest.mark.parametrize("name", CLASSES)
def test_wrong_values_are_refused_in_one_sentence_that_names_the_parameter(name):
    cls, wrong, tried, used = CLASSES[name], [], 0, 0
    for start, parameter in enumerate(inspect.signature(cls).parameters):
        if (name, parameter) in ANYTHING:
            continue
        for value in VALUES[start % campaigns.size(9, 1) :: campaigns.size(9, 1)]:
            said = documented(cls, parameter, value)
            if said is True and (name, parameter, value) in TOGETHER:
                continue
            tried += 1
            sentence = refusal(with_value(cls, parameter, value))
            used += sentence is None
            if sentence is None and said is False:
                wrong.append(f"{parameter}={value!r}: used, though it is documented otherwise")
            elif sentence is not None and said is True:
                wrong.append(f"{parameter}={value!r}: refused, though documented: {sentence}")
            elif sentence is not None and not names_the_parameter(sentence, parameter, value):
                wrong.append(f"{parameter}={value!r}: {sentence}")
    campaigns.record(
        "Parameters",
        "values of constructor parameters, right and wrong: used, or refused in one short sentence "
        "that names the parameter, before the data are looked at",
        tried,
        len(wrong),
    )
    assert not wrong, "\n".join(wrong)
    assert tried == 0 or tried > used


@every_parameter
def test_documented_words_are_allowed(name, parameter):
    cls = CLASSES[name]
    kind, _ = entries_of(inspect.getdoc(cls), "Parameters")[parameter]
    for word in re.findall(r'"([^"]*)"', kind):
        sentence = refusal(with_value(cls, parameter, word))
        excused = (name, parameter, word) in TOGETHER
        assert (sentence is None) != excused, sentence


HAVE_LANDMARKS = [
    cls
    for cls in LEARNERS
    if {"n_landmarks", "landmarks"} <= set(inspect.signature(cls).parameters)
]


@pytest.mark.parametrize("cls", HAVE_LANDMARKS, ids=lambda cls: cls.__name__)
def test_landmarks_are_as_many_as_asked_for(cls):
    default = inspect.signature(cls).parameters["n_landmarks"].default
    for number, landmarks in [(5, [0, 1]), (2, [0, 1, 2, 3]), (0.5, [0, 1])]:
        model = with_value(cls, "landmarks", landmarks).set_params(n_landmarks=number)
        assert "n_landmarks" in (refusal(model) or "")
        assert refusal(model.set_params(n_landmarks=len(landmarks))) is None
        counted = refusal(model.set_params(n_landmarks=default)) is None
        assert counted == (default is not None), "a default number says nothing"


# --- right values are really used ----------------------------------------------------------------

RNG = np.random.default_rng(0)
LABELS = np.arange(24) % 2
ROWS = RNG.normal(size=(24, 3)) + 2.0 * np.eye(2, 3)[LABELS]
MOST = 1000  # a larger count does what it says, and takes its time


def data_for(model):
    if not get_tags(model).input_tags.two_d_array:
        return jittered_templates(24, random_state=0).trains
    if not get_tags(model).input_tags.pairwise:
        return ROWS
    unlike = getattr(model, "proximity", "similarity") == "dissimilarity"
    return cdist(ROWS, ROWS, "sqeuclidean") if unlike else ROWS @ ROWS.T


def right_values(cls, parameter):
    kind, _ = entries_of(inspect.getdoc(cls), "Parameters")[parameter]
    for value in [*VALUES, *re.findall(r'"([^"]*)"', kind)]:
        large = is_count(value) and value > MOST
        if not large and refusal(with_value(cls, parameter, value)) is None:
            yield value


@pytest.mark.trust
@pytest.mark.parametrize("cls", LEARNERS, ids=lambda cls: cls.__name__)
def test_right_values_are_used(cls, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a checkpoint may have any name
    settings = [
        (p, v)
        for p in allowed(cls)
        for v in right_values(cls, p)
        if not (isinstance(v, str | float) and (cls.__name__, p, v) in TOGETHER)
    ]
    few = np.random.default_rng(1).permutation(len(settings))[: campaigns.size(5, len(settings))]
    wrong = []
    for parameter, value in (settings[k] for k in few):
        model = with_value(cls, parameter, value)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", (ConvergenceWarning, UserWarning))
                model.fit(data_for(model), LABELS)
        except (ValueError, TypeError) as error:
            if not names_the_parameter(str(error), parameter, value, 300):
                wrong.append(f"{parameter}={value!r}: {error}")
        except Exception as error:
            wrong.append(f"{parameter}={value!r}: {error!r}")
    campaigns.record(
        "Parameters",
        "allowed values with which every learner was fitted: it fits, or says what of the data "
        "does not go with the value",
        len(few),
        len(wrong),
    )
    assert not wrong, "\n".join(wrong)
