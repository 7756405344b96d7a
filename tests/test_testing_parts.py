"""check_metric, check_objective, check_reader and discovery."""

import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from noneuclid import proximities
from noneuclid._discovery import own_classes, public_subclasses
from noneuclid.datasets import Content, Reader, read_dataset
from noneuclid.kernels import Kernel
from noneuclid.spaces import Space
from noneuclid.testing import (
    all_estimators,
    all_kernels,
    all_metrics,
    all_readers,
    all_spaces,
    check_metric,
    check_objective,
    check_reader,
)

# --- metrics --------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(9, 3))
WORDS = ["cat", "cart", "art", "dog", "do", "", "catalogue"]


def squared(a, b):
    return float((a - b) @ (a - b))


def euclid(a, b):
    return float(np.linalg.norm(a - b))


def manhattan(a, b):
    return float(np.abs(a - b).sum())


def hamming(a, b):
    longest = max(len(a), len(b))
    return sum(x != y for x, y in zip(a.ljust(longest), b.ljust(longest)))


def test_squared_distances_are_euclidean_of_the_dimension_of_the_points():
    report = check_metric(squared, POINTS)
    assert report.signature == (3, 0, 6)
    assert report.is_euclidean
    assert not report.is_triangular  # squares are not


def test_plain_distances_of_points_if_told_so():
    report = check_metric(euclid, POINTS, squared=False)
    assert report.signature == (3, 0, 6)
    assert report.is_euclidean
    assert report.is_triangular


def test_roots_of_metrics_of_negative_type_are_euclidean():
    """Schoenberg: ‖·‖₁ is a squared Euclidean distance, so it passes as it comes."""
    assert check_metric(manhattan, POINTS).is_euclidean
    assert not check_metric(manhattan, RNG.normal(size=(12, 2)), squared=False).is_euclidean


def test_a_cycle_is_a_metric_but_not_euclidean():
    report = check_metric(lambda a, b: min((a - b) % 6, (b - a) % 6), range(6), squared=False)
    assert report.is_triangular
    assert report.signature.negative > 0
    assert not report.is_euclidean


def test_signatures_are_those_of_the_centred_matrix():
    D = np.array([[hamming(a, b) for b in WORDS] for a in WORDS], dtype=float)
    J = np.eye(len(D)) - 1 / len(D)
    values = np.linalg.eigvalsh(-0.5 * J @ D @ J)
    report = check_metric(hamming, WORDS)
    assert report.signature.positive == (values > 1e-8 * values.max()).sum()
    assert report.signature.negative == (values < -1e-8 * values.max()).sum()


def test_similarities():
    report = check_metric(lambda a, b: float(a @ b), POINTS, proximity="similarity")
    assert report.signature == (3, 0, 6)
    indefinite = np.array([1.0, 1.0, -1.0])
    report = check_metric(lambda a, b: a @ (indefinite * b), POINTS, proximity="similarity")
    assert report.signature == (2, 1, 6)
    assert not report.is_euclidean


CALLS = iter(range(10**6))
WRONG_METRICS = [
    (
        lambda a, b: len(a) - len(b),
        "is not symmetric: objects 5 and 6 have -9 one way, 9 the other",
    ),
    (lambda a, b: 1.0, "gives 1 from object 0 to itself, not 0"),
    (lambda a, b: -abs(len(a) - len(b)), "gives -9, which is negative"),
    (lambda a, b: np.nan, "gives nan for objects 0 and 0"),
    (lambda a, b: float("inf") if a != b else 0.0, "gives inf for objects 0 and 1"),
    (lambda a, b: [1.0, 2.0], r"gives \[1.0, 2.0\] for objects 0 and 0, no number"),
    (lambda a, b: next(CALLS) if a != b else 0.0, "another value when called again"),
]


@pytest.mark.parametrize(("function", "sentence"), WRONG_METRICS)
def test_wrong_metrics_fail_with_a_sentence(function, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_metric(function, WORDS)


def test_what_is_no_metric_at_all():
    with pytest.raises(TypeError, match="takes a function of two objects, not 'cosine'"):
        check_metric("cosine", WORDS)
    with pytest.raises(ValueError, match="at least two objects; there are 1"):
        check_metric(hamming, WORDS[:1])
    with pytest.raises(ValueError, match=r"proximity \(='near'\) must be one of"):
        check_metric(hamming, WORDS, proximity="near")


@pytest.mark.skipif(not hasattr(proximities, "metrics"), reason="metrics have no registry yet")
def test_named_metrics_are_listed():
    names = all_metrics()
    assert names == list(proximities.metrics())
    assert "levenshtein" in names


# --- objectives -----------------------------------------------------------------------------------


class Objective(NamedTuple):
    value: object
    slope: object
    convex: bool


def huber(u):
    return np.where(u <= 1, u**2 / 2, u - 0.5)


RIGHT_OBJECTIVES = {
    "l1": Objective(lambda u: u, np.ones_like, True),
    "l2": Objective(np.square, lambda u: 2 * u, True),
    "huber": Objective(huber, lambda u: np.minimum(u, 1.0), True),
    "log cosh": Objective(lambda u: np.log(np.cosh(u)), np.tanh, True),
    "welsch": Objective(
        lambda u: 1 - np.exp(-(u**2) / 2), lambda u: u * np.exp(-(u**2) / 2), False
    ),
    "cauchy": Objective(lambda u: np.log1p(u**2), lambda u: 2 * u / (1 + u**2), False),
    "root": Objective(lambda u: np.sqrt(1 + u) - 1, lambda u: 0.5 / np.sqrt(1 + u), False),
    "decreasing": Objective(lambda u: -u, lambda u: -np.ones_like(u), False),
}


@pytest.mark.parametrize("name", RIGHT_OBJECTIVES)
def test_right_objectives_pass(name):
    check_objective(RIGHT_OBJECTIVES[name])


def in_place(u):
    u *= 2
    return u


WRONG_OBJECTIVES = [
    (Objective(np.square, lambda u: u, True), "slope differs from finite differences"),
    (Objective(np.tanh, lambda u: 1 / np.cosh(u) ** 2, True), "claims to be convex, violated by"),
    (Objective(np.square, lambda u: 2 * u, False), "does not claim to be convex, but no trial"),
    (Objective(np.sum, np.ones_like, True), r"value of shape \(\) for \(4, 6\)"),
    (Objective(np.log, lambda u: 1 / u, False), "is not finite at 0"),
    (Objective(in_place, np.ones_like, True), "value changes the array it is given"),
    (Objective(lambda u: u / u.max(), np.ones_like, True), "value mixes its entries"),
    (Objective(lambda u: -u, lambda u: -np.ones_like(u), True), "claims to be convex"),
]


@pytest.mark.parametrize(("objective", "sentence"), WRONG_OBJECTIVES)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_wrong_objectives_fail_with_a_sentence(objective, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_objective(objective)


def test_an_objective_has_all_three():
    with pytest.raises(TypeError, match=r"takes an Objective; .* has no value"):
        check_objective(np.tanh)


# --- readers --------------------------------------------------------------------------------------


class Pipes(Reader):
    suffixes = (".pipes",)

    def read(self, file):
        rows = [line.split("|") for line in file.text().splitlines() if line.strip()]
        return Content(file.name, matrix=[[float(x) for x in row] for row in rows])


class Careless(Pipes):
    def read(self, file):
        content = super().read(file)
        content.notes.append(content.matrix[5][1])
        return content


class Greedy(Pipes):
    def recognises(self, file):
        return True


class Forgetful(Pipes):
    def recognises(self, file):
        return False


class Fickle(Pipes):
    def read(self, file):
        return Content(file.name, matrix=np.random.default_rng().random((5, 3)))


class Verbose(Pipes):
    def read(self, file):
        try:
            return super().read(file)
        except ValueError:
            raise ValueError("first line\nsecond line") from None


@pytest.fixture
def pipes(tmp_path):
    path = tmp_path / "table.pipes"
    path.write_text("\n".join("|".join(map(str, row)) for row in POINTS) + "\n")
    return path


def test_a_right_reader_passes_and_gives_the_data(pipes):
    before = all_readers()
    for reader in (Pipes, Pipes(), Careless, Verbose):  # any fault becomes a sentence of ours
        np.testing.assert_array_equal(check_reader(reader, pipes).X, POINTS)
    assert all_readers() == before  # nothing stays registered


WRONG_READERS = [
    (Greedy, r"Greedy takes \.\w+ from"),
    (Forgetful, "Forgetful does not recognise table.pipes"),
    (Fickle, "Fickle reads table.pipes differently a second time"),
]


@pytest.mark.parametrize(("reader", "sentence"), WRONG_READERS)
def test_wrong_readers_fail_with_a_sentence(reader, sentence, pipes):
    with pytest.raises(AssertionError, match=sentence):
        check_reader(reader, pipes)
    assert reader not in map(type, all_readers())


def test_a_reader_is_wanted(pipes):
    for given in (int, "csv", read_dataset):
        with pytest.raises(TypeError, match="check_reader takes a Reader, not"):
            check_reader(given, pipes)


# --- discovery ------------------------------------------------------------------------------------


def test_only_public_and_concrete_classes_are_found():
    for base, found in ((Space, all_spaces()), (Kernel, all_kernels())):
        assert found == public_subclasses(base)
        assert base not in found
        assert [cls.__name__ for cls in found] == sorted(cls.__name__ for cls in found)
    for cls in all_spaces() + all_kernels() + all_estimators():
        assert not cls.__name__.startswith("_")
        assert "._" not in cls.__module__
        assert cls.__module__.startswith("noneuclid.")


def test_learners_have_a_fit_and_are_importable_from_where_they_say():
    for cls in all_estimators():
        assert callable(cls.fit)
        assert issubclass(cls, BaseEstimator)
        package = ".".join(cls.__module__.split(".")[:2])
        assert getattr(sys.modules[package], cls.__name__) is cls


def test_private_classes_are_own_classes_all_the_same():
    """Files are trusted by these names: what is left out cannot be loaded again."""
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in own_classes()}
    assert "noneuclid.information._densities.Parzen" in names
    assert {f"{cls.__module__}.{cls.__qualname__}" for cls in all_estimators()} <= names


def test_all_readers_are_asked_in_order():
    found = all_readers()
    assert found[-1].is_fallback
    own = [r for r in found if type(r).__module__.startswith("noneuclid.")]
    by_ending = [bool(r.suffixes) and not r.is_fallback for r in own]
    assert by_ending == sorted(by_ending, reverse=True)


def test_discovery_needs_no_extra():
    code = (
        "import sys\n"
        "for name in ('matplotlib', 'pandas', 'typer', 'skops', 'rapidfuzz', 'jinja2'):\n"
        "    sys.modules[name] = None\n"
        "from noneuclid.testing import all_estimators, all_readers\n"
        "print(len(all_estimators()) > 20, len(all_readers()) > 6)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"], done.stderr
