"""Few labels beside proximities: the vector version on Euclidean ones, and what is beyond it."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import noneuclid
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    FuzzyLabelledNeuralGas,
    FuzzyLabelledProximityNeuralGas,
    FuzzyLabelledProximitySOM,
    FuzzyLabelledSOM,
    ProximityNeuralGas,
    assignment_entropy,
    compact,
    exemplars,
    sparsify,
)

X, Y = make_blobs(80, centers=4, n_features=3, random_state=2)
NEW = X[60:]
X = X[:60]
FEW = np.where(np.arange(60) % 6 == 0, Y[:60], -1)
D, ROWS = squared_euclidean(X, X), squared_euclidean(NEW, X)
PAIRS = [
    (FuzzyLabelledNeuralGas, FuzzyLabelledProximityNeuralGas, {"n_prototypes": 6}),
    (FuzzyLabelledSOM, FuzzyLabelledProximitySOM, {"shape": (2, 3)}),
    (FuzzyLabelledSOM, FuzzyLabelledProximitySOM, {"shape": (2, 3), "toroidal": True}),
]


@pytest.mark.parametrize(("of_vectors", "of_objects", "params"), PAIRS)
@pytest.mark.parametrize("solver", ["batch", "online"])
@pytest.mark.parametrize("beta", [0.0, 0.1, 0.7, 1.0])
def test_on_euclidean_distances_it_is_the_vector_version(
    of_vectors, of_objects, params, solver, beta
):
    options = {"solver": solver, "beta": beta, "max_epochs": 8, "random_state": 0, **params}
    vectors = of_vectors(**options).fit(X, FEW)
    objects = of_objects(proximity="dissimilarity", **options).fit(D, FEW)
    np.testing.assert_allclose(objects.coefficients_ @ X, vectors.prototypes_, atol=1e-6)
    np.testing.assert_allclose(
        objects.label_distributions_, vectors.label_distributions_, atol=1e-7
    )
    np.testing.assert_allclose(objects.loss_curve_, vectors.loss_curve_, rtol=1e-7)
    np.testing.assert_allclose(objects.predict_proba(ROWS), vectors.predict_proba(NEW), atol=1e-7)
    np.testing.assert_array_equal(objects.predict(ROWS), vectors.predict(NEW))
    np.testing.assert_allclose(objects.transform(ROWS), vectors.transform(NEW), atol=1e-5)


def test_similarities_give_the_same():
    S = X @ X.T
    options = {"n_prototypes": 6, "max_epochs": 8, "random_state": 0}
    first = FuzzyLabelledProximityNeuralGas(proximity="dissimilarity", **options).fit(D, FEW)
    second = FuzzyLabelledProximityNeuralGas(**options).fit(S, FEW)
    np.testing.assert_allclose(second.coefficients_, first.coefficients_, atol=1e-9)
    np.testing.assert_array_equal(second.predict(NEW @ X.T), first.predict(ROWS))


def test_without_weight_labels_move_nothing():
    options = {"n_prototypes": 5, "proximity": "dissimilarity", "random_state": 0}
    plain = ProximityNeuralGas(**options).fit(D)
    labelled = FuzzyLabelledProximityNeuralGas(beta=0.0, **options).fit(D, FEW)
    np.testing.assert_allclose(labelled.coefficients_, plain.coefficients_, atol=1e-9)
    np.testing.assert_array_equal(labelled.labels_, plain.labels_)


@pytest.mark.parametrize("model", [
    FuzzyLabelledProximityNeuralGas(n_prototypes=4, random_state=0),
    FuzzyLabelledProximitySOM(shape=(2, 2), random_state=0),
])  # fmt: skip
def test_words_with_few_labels_files_and_sparse_tools(model, tmp_path):
    words = [a + b + c for a in ("car", "dog") for b in "sxyz" for c in "abc"]
    y = np.where(np.arange(24) % 5 == 0, [w[0] for w in words], None)
    model.set_params(proximity="dissimilarity", metric="levenshtein").fit(words, y)
    right = [w[0] for w in words]
    assert model.score(words, right) == 1.0
    assert model.predict(["cart", "dogs"]).tolist() == ["c", "d"]
    noneuclid.save(model, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.predict_proba(words), model.predict_proba(words))
    small = compact(sparsify(model, method="nearest", k=1))
    assert len(small.compact_objects_) <= 4
    assert small.score(words, right) == 1.0
    named = exemplars(sparsify(model, method="nearest", k=1), names=words)
    assert all(found.objects[0][0] == found.label for found in named)
    assert 0 <= assignment_entropy(model, words) <= 1


@pytest.mark.parametrize("params", [{"n_landmarks": 20}, {"correction": "clip"}])
def test_landmarks_and_corrections(params):
    model = FuzzyLabelledProximityNeuralGas(
        n_prototypes=8, proximity="dissimilarity", random_state=0, **params
    ).fit(D, FEW)
    assert model.score(ROWS, Y[60:]) > 0.8


def test_distributions_as_labels_and_what_is_refused():
    L = np.full((60, 4), np.nan)
    L[::6] = np.eye(4)[Y[:60:6]]
    options = {"n_prototypes": 6, "proximity": "dissimilarity", "random_state": 0}
    soft = FuzzyLabelledProximityNeuralGas(**options).fit(D, L)
    hard = FuzzyLabelledProximityNeuralGas(**options).fit(D, FEW)
    np.testing.assert_allclose(soft.label_distributions_, hard.label_distributions_)
    with pytest.raises(ValueError, match="all labels are missing"):
        FuzzyLabelledProximityNeuralGas(**options).fit(D, np.full(60, -1))
    with pytest.raises(ValueError, match=r"beta \(=2\) must be"):
        FuzzyLabelledProximityNeuralGas(beta=2, **options).fit(D, FEW)
    with pytest.raises(ValueError, match="there are 60 samples but 59 labels"):
        FuzzyLabelledProximityNeuralGas(**options).fit(D, FEW[1:])
