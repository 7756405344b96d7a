"""Nystroem features: exact at full rank, linear in memory, and checked before they are used."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

import benchmark_data
from memory import peak_of
from noneuclid.datasets import make_families
from noneuclid.kernels import Gaussian
from noneuclid.proximities import (
    NystroemEmbedding,
    SpectrumCorrection,
    nystroem_check,
    symmetrize,
    to_dissimilarity,
)

CHOICES = ["uniform", "kmeans++", "pivoted"]


def low_rank(n=60, signs=(1, 1, 1, -1, -1), seed=0):
    X = np.random.default_rng(seed).normal(size=(n, len(signs)))
    return X, X * np.array(signs, dtype=float) @ X.T


def products(model, Z, V=None):
    return model.space_.product(Z, Z if V is None else V)


@pytest.mark.parametrize("landmarks", CHOICES)
@pytest.mark.parametrize("signs", [(1, 1, 1, 1), (1, 1, 1, -1, -1)])
def test_exact_once_the_landmarks_reach_the_rank(landmarks, signs):
    _, S = low_rank(signs=signs)
    model = NystroemEmbedding(n_landmarks=12, landmarks=landmarks, random_state=0)
    Z = model.fit_transform(S[:50, :50])
    np.testing.assert_allclose(products(model, Z), S[:50, :50], atol=1e-8)
    assert model.signature_ == (signs.count(1), signs.count(-1))
    assert len(np.unique(model.landmark_indices_)) == 12
    new = model.transform(S[50:, :50])
    np.testing.assert_allclose(products(model, new, Z), S[50:, :50], atol=1e-8)


@pytest.mark.parametrize("landmarks", CHOICES)
def test_dissimilarities_become_squared_distances(landmarks):
    _, S = low_rank()
    D = to_dissimilarity(S)
    model = NystroemEmbedding(
        n_landmarks=12, proximity="dissimilarity", landmarks=landmarks, random_state=0
    )
    Z = model.fit_transform(D)
    np.testing.assert_allclose(model.space_.squared_distance(Z, Z), D, atol=1e-8)


def test_full_rank_matrix_with_all_landmarks():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(40, 40))
    S = A + A.T
    model = NystroemEmbedding(n_landmarks=1000, random_state=0)
    Z = model.fit_transform(S)
    np.testing.assert_allclose(products(model, Z), S, atol=1e-8)


def test_matrix_slab_and_objects_agree():
    X, _ = low_rank(signs=(1, 1, 1))
    K = Gaussian(2.0)(X)
    chosen = [3, 40, 7, 12, 55]
    full = NystroemEmbedding(landmarks=chosen).fit(K)
    slab = NystroemEmbedding(landmarks=chosen).fit(K[:, chosen])
    objects = NystroemEmbedding(landmarks=chosen, metric=Gaussian(2.0)).fit(X)
    pairs = NystroemEmbedding(
        landmarks=chosen, metric=lambda a, b: np.exp(-((a - b) ** 2).sum() / 8)
    ).fit(X)
    expected = full.transform(K)
    np.testing.assert_array_equal(full.landmark_indices_, chosen)
    np.testing.assert_allclose(full.transform(K[:, chosen]), expected, atol=1e-12)
    np.testing.assert_allclose(slab.transform(K[:, chosen]), expected, atol=1e-12)
    np.testing.assert_allclose(objects.transform(X), expected, atol=1e-9)
    np.testing.assert_allclose(pairs.transform(X), expected, atol=1e-9)


@pytest.mark.parametrize("landmarks", CHOICES)
def test_a_metric_is_called_for_landmarks_only(landmarks):
    words = ["a" * (1 + i % 17) + "b" * (i % 5) for i in range(300)]
    calls = []

    def metric(a, b):
        calls.append(1)
        return float(abs(len(a) - len(b)))

    model = NystroemEmbedding(
        n_landmarks=10,
        proximity="dissimilarity",
        landmarks=landmarks,
        metric=metric,
        random_state=0,
    )
    assert model.fit_transform(words).shape[0] == 300
    assert len(calls) <= 2 * 300 * 10 + 200 + 20 * 20  # and some others, to see what is noise


def test_memory_stays_far_below_the_matrix():
    X = np.random.default_rng(0).normal(size=(6000, 4))
    model = NystroemEmbedding(n_landmarks=20, metric=Gaussian(1.0), random_state=0)
    assert peak_of(lambda: model.fit_transform(X)) < 0.1 * 8 * 6000**2


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_noise_of_the_landmark_block_is_dropped_with_a_correction(proximity):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    S = X @ X.T + 0.1 * np.triu(rng.normal(size=(80, 80)), 1)
    S = symmetrize(S)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    params = {"n_landmarks": 20, "proximity": proximity, "random_state": 0, "correction": "clip"}
    errors = []
    for cutoff in ("auto", 1e-10):
        Z = NystroemEmbedding(cutoff=cutoff, **params).fit_transform(P)
        Z, exact = Z - Z.mean(axis=0), X - X.mean(axis=0)
        errors.append(np.abs(Z @ Z.T - exact @ exact.T).mean())
    assert errors[0] < 0.5 * errors[1]
    twice = np.tile(P, (2, 2))  # duplicates take nothing off the rank that matters
    more = {**params, "n_landmarks": 30, "landmarks": np.r_[0:20, 80:90]}
    Z = NystroemEmbedding(**more).fit_transform(twice)
    once = NystroemEmbedding(**{**params, "landmarks": np.arange(20)}).fit_transform(P)
    assert np.abs(Z[:80] @ Z[:80].T).mean() < 3 * np.abs(once @ once.T).mean()


@pytest.mark.parametrize("method", ["clip", "flip", "square"])
def test_correction_of_the_features_is_that_of_the_matrix_at_full_rank(method):
    _, S = low_rank()
    model = NystroemEmbedding(n_landmarks=20, correction=method, random_state=0)
    Z = model.fit_transform(S)
    expected = SpectrumCorrection(method=method).fit_transform(S)
    np.testing.assert_allclose(Z @ Z.T, expected, atol=1e-7)
    assert model.signature_[1] == 0


def test_duplicated_objects_and_singular_landmark_blocks():
    X, _ = low_rank(20, signs=(1, 1, 1))
    twice = np.vstack([X, X, X])
    K = twice @ twice.T
    for landmarks in CHOICES:
        model = NystroemEmbedding(n_landmarks=40, landmarks=landmarks, random_state=0)
        Z = model.fit_transform(K)
        assert Z.shape[1] == 3
        np.testing.assert_allclose(Z @ Z.T, K, atol=1e-8)


@pytest.mark.parametrize(
    ("params", "matrix", "sentence"),
    [
        ({"n_landmarks": 0}, np.eye(5), r"n_landmarks \(=0\) must be a positive integer"),
        ({"n_landmarks": 2.5}, np.eye(5), r"n_landmarks \(=2.5\)"),
        ({"landmarks": "best"}, np.eye(5), r"landmarks \(='best'\) must be"),
        ({"landmarks": [0, 5]}, np.eye(5), "index 5, but there are 5 objects"),
        ({"landmarks": [0, 0]}, np.eye(5), "names an object twice"),
        ({"landmarks": range(6)}, np.eye(5), "index 5, but there are 5 objects"),
        ({"landmarks": [0.5]}, np.eye(5), "a list of indices"),
        ({"landmarks": [0, 1, 2]}, np.ones((5, 2)), "2 columns, but there are 3 landmarks"),
        ({}, np.ones((5, 2)), r"shape \(5, 2\): give the square matrix"),
        ({}, np.zeros((5, 5)), "all equal to zero"),
        ({}, np.triu(np.ones((5, 5))), "must be symmetric"),
        ({"proximity": "dissimilarity"}, np.eye(5), "diagonal is not zero"),
        ({"proximity": "distance"}, np.eye(5), r"proximity \(='distance'\)"),
        ({"correction": "shift"}, np.eye(5), r"correction \(='shift'\)"),
        ({"cutoff": 2}, np.eye(5), r"cutoff \(=2\)"),
    ],
)
def test_bad_input(params, matrix, sentence):
    with pytest.raises(ValueError, match=sentence):
        NystroemEmbedding(random_state=0, **params).fit(matrix)


def test_rows_of_the_wrong_width():
    model = NystroemEmbedding(n_landmarks=3, random_state=0).fit(np.eye(9))
    with pytest.raises(ValueError, match="4 features, but NystroemEmbedding is expecting 9"):
        model.transform(np.ones((2, 4)))


# --- the quick check ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "correction"),
    [
        ("aural_sonar", "clip"),
        ("protein_similarity", "flip"),
        *(
            pytest.param(*pair, marks=pytest.mark.slow)
            for pair in [
                ("aural_sonar", "flip"),
                ("protein_similarity", "clip"),
                ("voting", "clip"),
                ("voting", "flip"),
            ]
        ),
    ],
)
def test_published_sets_are_suitable(name, correction):
    S = symmetrize(benchmark_data.load(name)["similarity"])
    S = SpectrumCorrection(method=correction).fit_transform(S)
    for share in (0.1, 0.25):
        check = nystroem_check(S, share, random_state=0)
        assert check.rho_pairwise >= 0.5
        assert check.rho_original >= 0.6
        assert check.suitable
        assert check.suggested_n_landmarks <= check.n_landmarks


@pytest.mark.parametrize("share", [0.1, 0.25])
def test_a_matrix_of_high_rank_is_not_suitable(share):
    X = np.random.default_rng(0).normal(size=(300, 3000))
    check = nystroem_check(X @ X.T, share, random_state=0)
    assert check.rho_pairwise < 0.2
    assert not check.suitable
    assert str(check).startswith("not suitable: rank correlation")


def test_the_check_computes_sampled_rows_and_columns_only():
    words = ["a" * (1 + i % 29) for i in range(1000)]
    calls = []

    def metric(a, b):
        calls.append(1)
        return float(abs(len(a) - len(b)))

    check = nystroem_check(
        words,
        10,
        n_pairs=2,
        n_rows=20,
        proximity="dissimilarity",
        metric=metric,
        random_state=0,
    )
    assert check.rho_original is None
    assert check.rho_pairwise > 0.9
    landmarks, witnesses = 2 * 2 * 10, 20
    assert len(calls) <= landmarks * (20 + 200 + 10) + witnesses**2


def test_more_landmarks_of_edit_distances_are_no_worse():
    """Their spectrum reaches through zero: the check leaves out what the features leave out."""
    words = make_families(60, random_state=0).X
    check = nystroem_check(
        words, 80, n_pairs=4, proximity="dissimilarity", metric="levenshtein", random_state=0
    )
    assert check.curve[80] > check.curve[20] > check.curve[5]
    assert check.suitable


def test_dissimilarities_of_vectors_are_suitable():
    X = np.random.default_rng(0).normal(size=(100, 3))
    D = pairwise_distances(X, metric="sqeuclidean")
    check = nystroem_check(D, 10, proximity="dissimilarity", random_state=0)
    assert check.rho_pairwise > 0.999
    assert check.rho_original > 0.999


def test_the_check_says_what_it_needs():
    with pytest.raises(ValueError, match=r"n_pairs \(=0\) must be an integer"):
        nystroem_check(np.eye(5), n_pairs=0)
    with pytest.raises(ValueError, match="square matrix"):
        nystroem_check(np.ones((5, 3)))
