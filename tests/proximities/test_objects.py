"""Proximities between Python objects."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from noneuclid.proximities import landmark_pairwise, pairwise
from noneuclid.proximities.registry import describe_metric

WORDS = ["kitten", "sitting", "mitten", "", "kitchen"]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def test_levenshtein_by_name_equals_the_textbook():
    expected = [[edit_distance(a, b) for b in WORDS] for a in WORDS]
    np.testing.assert_array_equal(pairwise(WORDS, "levenshtein"), expected)
    np.testing.assert_array_equal(pairwise(WORDS, edit_distance), expected)
    np.testing.assert_array_equal(
        landmark_pairwise(WORDS, WORDS[1:3], "levenshtein"), np.array(expected)[:, 1:3]
    )


def test_named_metrics_are_those_of_scikit_learn():
    X = np.random.default_rng(0).normal(size=(8, 3))
    for name in ("cityblock", "cosine"):
        np.testing.assert_allclose(pairwise(X, name), pairwise_distances(X, metric=name))


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_large_sets_are_split_into_tasks(n_jobs):
    numbers = list(range(300))
    D = pairwise(numbers, lambda a, b: float(abs(a - b)), n_jobs=n_jobs)
    np.testing.assert_array_equal(D, np.abs(np.subtract.outer(numbers, numbers)))
    L = landmark_pairwise(numbers, [5, 7], lambda a, b: float(abs(a - b)), n_jobs=n_jobs)
    np.testing.assert_array_equal(L, D[:, [5, 7]])


def test_only_half_is_computed_unless_the_metric_is_asymmetric():
    calls = []

    def difference(a, b):
        calls.append((a, b))
        return a - b

    def distance(a, b):
        return abs(difference(a, b))

    D = pairwise([1, 2, 4], difference, symmetric=False)
    np.testing.assert_array_equal(D, [[0, -1, -3], [1, 0, -2], [3, 2, 0]])
    assert len(calls) == 9
    calls.clear()
    pairwise([1, 2, 4], distance)
    assert len(calls) == 6 + 4  # two pairs are looked at both ways first


def test_progress_is_shown_on_request(capsys):
    pairwise([1, 2], lambda a, b: 0.0, verbose=True)
    assert "1/1" in capsys.readouterr().err
    pairwise([1, 2], lambda a, b: 0.0)
    assert capsys.readouterr().err == ""


def test_bad_input_is_one_sentence():
    with pytest.raises(ValueError, match="no objects"):
        pairwise([], edit_distance)
    with pytest.raises(TypeError, match="sequence of objects, not str"):
        pairwise("word", edit_distance)
    with pytest.raises(ValueError, match="metric returned nan for objects 0 and 1"):
        pairwise([1, 2], lambda a, b: np.nan if a != b else 0.0)


def test_new_objects_are_compared_as_those_of_training():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) * [1, 5, 0.2]
    for name in ("seuclidean", "mahalanobis", "rbf"):
        D = pairwise(X, name)
        for new in (slice(3, 4), slice(0, 7)):
            few = landmark_pairwise(X[new], X, name, fixed_on=X)
            np.testing.assert_allclose(few, D[new], atol=1e-12)
    with pytest.raises(ValueError, match="no objects"):
        landmark_pairwise(X, X, "rbf", fixed_on=[])


@pytest.mark.parametrize("name", ["edr", "lcss", "adtw"])
def test_metrics_that_know_their_series_are_taken_as_their_names(name):
    """Refused before, as a function that gives no number for two objects."""
    rng = np.random.default_rng(0)
    series = [rng.normal(size=n) for n in (5, 6, 7, 9)]
    metric = describe_metric(name).function
    expected = pairwise(series, name)
    np.testing.assert_array_equal(pairwise(series, metric), expected)
    few = landmark_pairwise(series[:2], series[1:], metric, fixed_on=series)
    np.testing.assert_allclose(few, expected[:2, 1:], rtol=1e-12)


def test_a_function_that_is_not_symmetric_is_not_mirrored():
    longer = lambda a, b: float(max(len(a) - len(b), 0))  # noqa: E731
    with pytest.raises(
        ValueError, match=r"gives 0 for the objects 0 and 1, and 1 the other way.*symm"
    ):
        pairwise(WORDS, longer)
    expected = [[longer(a, b) for b in WORDS] for a in WORDS]
    np.testing.assert_array_equal(pairwise(WORDS, longer, symmetric=False), expected)
    assert pairwise(WORDS[:1], longer).tolist() == [[0.0]]
