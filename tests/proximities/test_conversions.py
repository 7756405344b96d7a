"""Similarities, dissimilarities, and what they say about geometry."""

import numpy as np
import pytest
from sklearn.metrics.pairwise import euclidean_distances

from noneuclid.proximities import (
    Signature,
    normalize,
    signature,
    spectrum,
    symmetrize,
    to_dissimilarity,
    to_similarity,
)


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(20, 4))


def test_products_and_squared_distances_are_converted_into_each_other(X):
    D = euclidean_distances(X, squared=True)
    np.testing.assert_allclose(to_dissimilarity(X @ X.T), D, atol=1e-10)
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(to_similarity(D), centred @ centred.T, atol=1e-10)
    np.testing.assert_allclose(to_dissimilarity(to_similarity(D)), D, atol=1e-10)


def test_similarities_come_back_centred(X):
    S = X @ np.diag([1, 1, -1, 2.0]) @ X.T
    H = np.eye(20) - 1 / 20
    np.testing.assert_allclose(to_similarity(to_dissimilarity(S)), H @ S @ H, atol=1e-10)


def test_normalize_gives_unit_self_similarity(X):
    S = normalize(X @ X.T)
    np.testing.assert_allclose(np.diag(S), 1.0)
    assert np.abs(S).max() <= 1 + 1e-12
    with pytest.raises(ValueError, match=r"object 1 has self-similarity -2"):
        normalize([[1.0, 0.0], [0.0, -2.0]])


def test_signature_counts_signs(X):
    S = X @ np.diag([1, 1, -1, 2.0]) @ X.T
    assert signature(S) == Signature(3, 1, 16)
    assert signature(S).negative == 1
    values = spectrum(S)
    assert (np.diff(values) <= 0).all()
    np.testing.assert_allclose(values.sum(), np.trace(S))
    small = np.diag([1.0, 1e-5, -1e-5])
    assert signature(small) == Signature(1, 0, 2)
    assert signature(small, cutoff=1e-6) == Signature(2, 1, 0)
    assert signature(1e3 * small, cutoff=1e-3, relative=False) == Signature(2, 1, 0)
    assert signature(np.zeros((2, 2))) == Signature(0, 0, 2)


def test_symmetrize_takes_the_mean():
    np.testing.assert_array_equal(symmetrize([[0, 1], [3, 0]]), [[0, 2], [2, 0]])


@pytest.mark.parametrize("function", [spectrum, to_dissimilarity, to_similarity])
@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (np.ones((2, 3)), "square"),
        ([[0.0, 1.0], [2.0, 0.0]], "symmetric.*up to 1.*symmetrize"),
        ([[0.0, np.nan], [np.nan, 0.0]], "NaN"),
        (np.ones(3), "two-dimensional"),
    ],
)
def test_bad_matrices_are_refused(function, matrix, sentence):
    with pytest.raises(ValueError, match=sentence):
        function(matrix)


def test_a_similarity_is_no_dissimilarity():
    with pytest.raises(ValueError, match=r'diagonal is not zero.*proximity="similarity"'):
        to_similarity(np.eye(3))


def test_cutoff_must_not_be_negative():
    with pytest.raises(ValueError, match=r"cutoff \(=-1\) must be at least 0"):
        signature(np.eye(2), cutoff=-1)
