"""Every estimator on odd data: finite answers that make sense, or one sentence, and soon."""

import signal
import sys
import traceback
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone, is_regressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

import campaigns
import noneuclid
from contract_exceptions import NO_MATRICES, SETTINGS, Setting
from noneuclid._memory import NotEnoughMemory
from noneuclid.testing import all_estimators
from odd_data import FOR_NUMBERS, MORE, ODDS, Problem
from odd_data_exceptions import EXCUSED

SECONDS = 25  # of the processor
LONGEST = 300  # characters of a sentence
# Whose words reach the user: ours, and scikit-learn's where they are about the data.
OURS = Path(noneuclid.__file__).parent
SPEAKERS = ("sklearn/utils/validation.py", "sklearn/utils/multiclass.py", "sklearn/utils/_array")


def settings(cls):
    """Its defaults, the settings of the contract, and some with other numbers inside."""
    held = [setting.params for setting in SETTINGS.get(cls.__name__, [Setting()])]
    return [*held, *MORE.get(cls.__name__, [])]


MODELS = {
    str(cls(**params)): cls(**params)
    for cls in all_estimators()
    if cls.__name__ not in NO_MATRICES  # their own tests try odd bags
    for params in settings(cls)
}

RNG = np.random.default_rng(0)
LABELS = np.arange(36) % 3
ROWS = RNG.normal(size=(36, 4)) + 2.0 * np.eye(3, 4)[LABELS]


def problem(model):
    """Ordinary data for a model: rows (trains of four events are rows, too), or pairs of them."""
    tags = get_tags(model)
    if not tags.input_tags.two_d_array:
        trains = np.sort(np.abs(ROWS), axis=1)
        return Problem(trains[:24], LABELS[:24], trains[24:])
    if not tags.input_tags.pairwise:
        return Problem(ROWS[:24], LABELS[:24], ROWS[24:])
    unlike = getattr(model, "proximity", "similarity") == "dissimilarity"
    D = cdist(ROWS, ROWS, "sqeuclidean")
    P = D if unlike else np.exp(-D / 8)
    return Problem(P[:24, :24], LABELS[:24], P[24:, :24])


def applies(model, odd):
    tags = get_tags(model)
    if odd.needs_y and not tags.target_tags.required:
        return False
    if odd.long and not tags.input_tags.two_d_array:  # a million events are no features
        return False
    return not (odd.rows_only and tags.input_tags.pairwise)


class TookLong(BaseException):
    """No Exception: nothing may catch it on the way."""


@contextmanager
def alarm(seconds):
    def ring(*_):
        raise TookLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def strict_warnings():
    """Whatever numpy mutters is an error; what we say to the user is not."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def answers(model, p, **options):
    """All that it says about the training data and new ones."""
    model = clone(model)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    model.fit(p.X, p.y, **options)
    names = ("predict", "transform", "decision_function", "predict_proba")
    said = {name: np.asarray(getattr(model, name)(p.new)) for name in names if hasattr(model, name)}
    learned = {
        name: np.asarray(value)
        for name, value in vars(model).items()
        if name.endswith("_") and isinstance(value, (np.ndarray, float, list))
    }
    return said, learned


@dataclass
class Outcome:
    """What came of it ("answers", "refused" or a fault), the sentence, and what is wrong."""

    kind: str
    message: str = ""
    fault: str = ""
    said: dict | None = None
    is_other: bool = False  # it answers or refuses well, but the other was expected


def attempt(ask):
    """Ask, for what is said to the user and what is kept; a sentence is told from a crash."""
    try:
        with alarm(SECONDS), strict_warnings():
            said, learned = ask()
    except TookLong:
        return Outcome("endless", fault=f"did not end in {SECONDS} s of the processor")
    except Warning as warning:
        where = traceback.extract_tb(sys.exc_info()[2])[-1]
        at = f"{Path(where.filename).name}:{where.lineno}"
        return Outcome("warning", fault=f"{type(warning).__name__}: {warning} ({at})")
    except Exception as error:
        return refusal(error)
    for name, values in {**learned, **said}.items():
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            return Outcome("not finite", fault=f"{name} is not finite")
    return Outcome("answers", said=said)


def refusal(error):
    """Whether an error is one sentence from someone who knows what the user did."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    message = str(error)
    ours = where.filename.startswith(str(OURS))
    speaks = ours or any(name in where.filename for name in SPEAKERS)
    told = f"{type(error).__name__}: {message} ({Path(where.filename).name}:{where.lineno})"
    if not isinstance(error, (ValueError, TypeError, NotEnoughMemory)) or not speaks:
        return Outcome("foreign", message, fault="foreign: " + told)
    if "\n" in message or len(message) > LONGEST or not message.strip():
        return Outcome("no sentence", message, fault="no sentence: " + told)
    return Outcome("refused", message)


def differs(got, expected, up_to_scale=False):
    """What is not the same, in a word; empty if all is."""
    for name, values in expected.items():
        other = got[name]
        if other.shape != values.shape:
            return f"{name} has another shape"
        if values.dtype.kind != "f":
            if not np.array_equal(other, values):
                return f"{name} is another"
            continue
        unit, size = (max(np.abs(v).max(initial=0.0), 1e-305) for v in (other, values))
        unit = unit if up_to_scale else size
        if np.abs(other / unit - values / size).max(initial=0.0) > 1e-6:
            return f"{name} is another"
    return ""


REFERENCES = {}


def reference(model):
    """Answers to ordinary data, and everything compiled that they need."""
    key = str(model)
    if key not in REFERENCES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            REFERENCES[key] = answers(model, problem(model))[0]
    return REFERENCES[key]


def plain_numbers(p):
    return Problem(np.asarray(p.X, dtype=float), p.y, np.asarray(p.new, dtype=float))


def outcome(model, odd):
    expected = reference(model)
    p = odd.change(problem(model))
    got = attempt(lambda: answers(model, p))
    if got.kind == "endless":  # the first time may have compiled
        got = attempt(lambda: answers(model, p))
    if got.fault:
        return got
    got.fault = unexpected(model, odd, p, got, expected)
    got.is_other = bool(got.fault)
    return got


def unexpected(model, odd, p, got, expected):
    """What is wrong about a good answer or a good sentence: it should have been another."""
    must = FOR_NUMBERS.get(odd.name, odd.must) if is_regressor(model) else odd.must
    if must == "missing":
        must = "ends" if get_tags(model).input_tags.allow_nan else "refused"
    if must == "refused" and got.kind != "refused":
        return "was not refused"
    if must in ("fits", "same", "same labels") and got.kind != "answers":
        return f"was refused: {got.message}"
    if got.kind == "answers" and must in ("same", "same labels", "scaled"):
        return differs(got.said, expected, up_to_scale=must != "same")
    if must == "fits" and odd.where == "fit" and not odd.needs_y:
        return differs(got.said, answers(model, plain_numbers(p))[0])
    return ""


def chosen(number):
    """A few of the odd data for a model in `make test`, other ones for the next model."""
    share = campaigns.size(30, 1)
    return [
        odd
        for k, odd in enumerate(ODDS)
        if (k + number) % share == 0 and not (odd.long and share > 1)
    ]


@pytest.mark.trust
@pytest.mark.parametrize("name", list(MODELS))
def test_odd_data(name):
    model = MODELS[name]
    odds = [odd for odd in chosen(list(MODELS).index(name)) if applies(model, odd)]
    excused, faults = EXCUSED.get(name, {}), []
    for odd in odds:
        got = outcome(model, odd)
        if odd.name in excused and got.is_other:
            continue
        if odd.name in excused and not got.fault:
            got.fault = "is excused, and need not be"
        if got.fault:
            faults.append(f"{odd.name}: {got.fault}")
    campaigns.record("Numbers", "fits of estimators on odd data", len(odds), len(faults))
    assert not faults, "\n".join([name, *faults])


def test_excuses_are_about_what_there_is():
    names = {odd.name for odd in ODDS}
    assert set(EXCUSED) <= set(MODELS)
    assert all(set(excuses) <= names for excuses in EXCUSED.values())
    assert len(names) == len(ODDS), "two odd data of one name"


def with_first(value):
    return np.r_[value, np.ones(23)]


WEIGHTS = {
    "NaN": (with_first(np.nan), "refused"),
    "infinity": (with_first(np.inf), "refused"),
    "negative": (with_first(-1.0), "refused"),
    "all zero": (np.zeros(24), "refused"),
    "too few": (np.ones(23), "refused"),
    "words": (np.full(24, "word"), "refused"),
    "in a table": (np.ones((24, 2)), "refused"),
    "masked": (np.ma.MaskedArray(np.ones(24), np.arange(24) == 1), "refused"),
    "huge": (np.full(24, 1e300), "ends"),
    "tiny": (np.full(24, 1e-300), "ends"),
    "one huge": (with_first(1e300), "ends"),
    "one of them": (np.arange(24) == 3, "ends"),
    "truth values": (np.arange(24) % 5 > 0, "ends"),
}
WEIGHED = [name for name, model in MODELS.items() if has_fit_parameter(model, "sample_weight")]


@pytest.mark.trust
@pytest.mark.parametrize("name", WEIGHED)
def test_odd_weights(name):
    model, faults = MODELS[name], []
    p, share = problem(model), campaigns.size(len(WEIGHTS), 1)
    turn = WEIGHED.index(name)
    tried = [item for k, item in enumerate(WEIGHTS.items()) if (k + turn) % share == 0]
    for kind, (weights, must) in tried:
        got = attempt(lambda w=weights: answers(model, p, sample_weight=w))
        if must == "refused" and not got.fault and got.kind != "refused":
            got.fault = "was not refused"
        if got.fault:
            faults.append(f"{kind}: {got.fault}")
    campaigns.record("Numbers", "fits of estimators with odd weights", len(tried), len(faults))
    assert not faults, "\n".join([name, *faults])
