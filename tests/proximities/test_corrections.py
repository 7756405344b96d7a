"""Corrections and embeddings of indefinite matrices, on training and on new objects."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone

from noneuclid.prototypes import ProximityLVQ, ProximityNeuralGas
from noneuclid.proximities import (
    NystroemEmbedding,
    PseudoEuclideanEmbedding,
    SpectrumCorrection,
    to_dissimilarity,
    to_similarity,
)

SIGNS = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
METHODS = ["clip", "flip", "shift", "square"]


def indefinite(n=30, seed=0):
    Z = np.random.default_rng(seed).normal(size=(n, 5)) * [3, 2, 1, 2, 0.5]
    return Z, Z * SIGNS @ Z.T


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_training_matrix_becomes_positive(method, proximity):
    _, S = indefinite()
    P = S if proximity == "similarity" else to_dissimilarity(S)
    corrected = SpectrumCorrection(method=method, proximity=proximity).fit_transform(P)
    C = corrected if proximity == "similarity" else to_similarity(corrected)
    assert np.linalg.eigvalsh(C).min() >= -1e-9 * np.abs(C).max()


@pytest.mark.parametrize(
    ("method", "function"),
    [
        ("clip", lambda v: np.maximum(v, 0)),
        ("flip", np.abs),
        ("square", np.square),
        ("shift", lambda v: v - v.min()),
    ],
)
def test_eigenvalues_are_what_the_method_says(method, function):
    _, S = indefinite()
    values, Q = np.linalg.eigh(S)
    expected = Q * function(values) @ Q.T
    model = SpectrumCorrection(method=method).fit(S)
    np.testing.assert_allclose(model.transform(S), expected, atol=1e-8)
    np.testing.assert_allclose(clone(model).fit_transform(S), expected, atol=1e-8)
    assert model.signature_ == (3, 2, 25)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_training_rows_as_new_rows_give_the_training_result(method, proximity):
    """Out of sample and in sample agree; only shift changes self-similarities alone."""
    _, S = indefinite()
    P = S if proximity == "similarity" else to_dissimilarity(S)
    model = SpectrumCorrection(method=method, proximity=proximity).fit(P)
    whole, rows = model.transform(P), model.transform(P[:7])
    if method == "shift":
        off = ~np.eye(7, 30, dtype=bool)
        np.testing.assert_allclose(rows[off], whole[:7][off], atol=1e-8)
    else:
        np.testing.assert_allclose(rows, whole[:7], atol=1e-8)


@pytest.mark.parametrize("method", ["clip", "flip"])
def test_new_objects_lie_where_the_flipped_vectors_lie(method):
    _, S = indefinite(40)
    positive = np.array([1, 1, 1, 0, 0.0]) if method == "clip" else np.ones(5)
    A, R = S[:30, :30], S[30:, :30]
    # An embedding of the training objects in which the signature is (3, 2) exists uniquely up to
    # pseudo-orthogonal maps, so products of the corrected rows are compared through it.
    model = SpectrumCorrection(method=method).fit(A)
    embedding = PseudoEuclideanEmbedding().fit(A)
    E, F = embedding.embedding_, embedding.transform(R)
    np.testing.assert_allclose(model.transform(R), F * positive @ E.T, atol=1e-8)
    own = model.transform_self(R, np.diag(S)[30:])
    np.testing.assert_allclose(own, (F**2 * positive).sum(axis=1), atol=1e-8)


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_embedding_reproduces_the_proximities(proximity):
    _, S = indefinite(25)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    model = PseudoEuclideanEmbedding(proximity=proximity).fit(P[:20, :20])
    assert model.signature_ == (3, 2)
    Z, space = model.embedding_, model.space_
    new = model.transform(P[20:, :20])
    if proximity == "similarity":
        np.testing.assert_allclose(space.product(Z, Z), S[:20, :20], atol=1e-8)
        np.testing.assert_allclose(space.product(new, Z), S[20:, :20], atol=1e-8)
    else:
        np.testing.assert_allclose(space.squared_distance(Z, Z), P[:20, :20], atol=1e-8)
        np.testing.assert_allclose(space.squared_distance(new, Z), P[20:, :20], atol=1e-8)
    np.testing.assert_allclose(model.transform(P[:20, :20]), Z, atol=1e-8)


def test_embedding_keeps_the_largest_directions():
    S = np.diag([1.0, 5.0, -3.0, 0.1, 0.0])
    model = PseudoEuclideanEmbedding(n_components=2).fit(S)
    assert model.eigenvalues_.tolist() == [5.0, -3.0]
    assert model.signature_ == (1, 1)
    assert PseudoEuclideanEmbedding().fit(S).embedding_.shape == (5, 4)


def test_duplicates_and_rank_deficiency_are_normal():
    Z, _ = indefinite(10)
    Z = np.vstack([Z, Z])
    S = Z * SIGNS @ Z.T
    embedded = PseudoEuclideanEmbedding().fit_transform(S)
    np.testing.assert_allclose(embedded[:10], embedded[10:], atol=1e-8)
    for method in METHODS:
        corrected = SpectrumCorrection(method=method).fit_transform(S)
        assert np.isfinite(corrected).all()
        if method != "shift":
            np.testing.assert_allclose(corrected[:10], corrected[10:], atol=1e-8)


def test_bad_parameters_are_named():
    with pytest.raises(ValueError, match=r"method \(='snap'\) must be one of"):
        SpectrumCorrection(method="snap").fit(np.eye(2))
    with pytest.raises(ValueError, match=r"proximity \(='distance'\)"):
        SpectrumCorrection(proximity="distance").fit(np.eye(2))
    with pytest.raises(ValueError, match=r"n_components \(=3\) must be an integer from 1 to 2"):
        PseudoEuclideanEmbedding(n_components=3).fit(np.eye(2))
    with pytest.raises(ValueError, match="expecting 2 features"):
        SpectrumCorrection().fit(np.eye(2)).transform(np.ones((1, 3)))


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
@pytest.mark.parametrize("method", METHODS)
def test_what_is_said_of_a_row_does_not_depend_on_other_rows(method, proximity):
    _, S = indefinite()
    P = S if proximity == "similarity" else to_dissimilarity(S)
    y = (S[0] > 0).astype(int)
    model = ProximityLVQ(
        proximity=proximity, correction=method, n_prototypes=2, max_epochs=5, random_state=0
    ).fit(P, y)
    at_once = model.decision_function(P)
    alone = np.concatenate([model.decision_function(P[i : i + 1]) for i in range(len(P))])
    np.testing.assert_allclose(alone, at_once, rtol=1e-6, atol=1e-8 * np.abs(at_once).max())


@pytest.mark.parametrize(
    "model",
    [
        SpectrumCorrection(),
        PseudoEuclideanEmbedding(),
        NystroemEmbedding(metric="precomputed", n_landmarks=5, random_state=0),
        ProximityLVQ(random_state=0),
        ProximityNeuralGas(n_prototypes=2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_columns_of_a_table_are_the_objects_of_fit(model):
    pd = pytest.importorskip("pandas")
    names = [f"o{i}" for i in range(30)]
    table = pd.DataFrame(indefinite()[1], names, names)
    y = (table.to_numpy()[0] > 0).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a few steps on an indefinite matrix
        model = clone(model).fit(table, y)
    apply = getattr(model, "predict", None) or model.transform
    np.testing.assert_array_equal(apply(table), apply(table.to_numpy()))
    with pytest.raises(ValueError, match="column 2 of X is 'o10' and was 'o2'"):
        apply(table.sort_index(axis=1))
