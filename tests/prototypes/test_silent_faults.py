"""Wrong answers that models gave without a word, each by what showed it."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from noneuclid.prototypes import (
    GLVQ,
    ConformalRegressor,
    FuzzyLabelledNeuralGas,
    KernelGLVQ,
    MedianLVQ,
    NeuralGas,
    ProximityRegressor,
    RelationalGLVQ,
    SelfOrganizingMap,
    compact,
    sparsify,
)

RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(size=(40, 2)), 4.0 * np.eye(1, 2) + RNG.normal(size=(40, 2))])
Y = np.repeat([0, 1], 40)


def squares(rows, others):
    return ((rows[:, None] - others) ** 2).sum(axis=2)


@pytest.mark.parametrize(
    "model",
    [
        KernelGLVQ(kernel="gaussian"),
        RelationalGLVQ(metric="sqeuclidean"),
        MedianLVQ(metric="sqeuclidean"),
    ],
)
@pytest.mark.parametrize("init", ["kmeans", "kmedoids", "random"])
def test_no_prototype_starts_at_an_object_without_weight(model, init):
    if isinstance(model, MedianLVQ) and init == "kmeans":
        pytest.skip("it has no such start")
    weights = (np.arange(80) % 2).astype(float)
    model.set_params(init=init, n_prototypes=3, max_epochs=1, random_state=0)
    start = model._start

    def looked_at(geometry, y, counts, rng):
        G = start(geometry, y, counts, rng)
        assert np.abs(G[:, weights == 0]).max() == 0
        return G

    model._start = looked_at
    model.fit(X, Y, sample_weight=weights)
    del model._start


@pytest.mark.parametrize("cls", [KernelGLVQ, RelationalGLVQ])
def test_a_class_without_weight_is_refused_by_learners_on_pairs(cls):
    labels = np.where(np.arange(80) < 60, Y, 2)
    with pytest.raises(ValueError, match="class 2 has 0 samples of positive weight"):
        cls().fit(X, labels, sample_weight=(labels != 2).astype(float))


def test_a_class_without_weight_is_none_of_vectors():
    labels = np.where(np.arange(80) < 60, Y, 2)
    model = GLVQ(random_state=0).fit(X, labels, sample_weight=(labels != 2).astype(float))
    assert model.classes_.tolist() == [0, 1]


def test_targets_without_weight_have_no_size():
    y = X[:, 0].copy()
    y[0] = 1e15
    weights = np.ones(80)
    weights[0] = 0.0
    model = ProximityRegressor(metric="sqeuclidean", proximity="dissimilarity", random_state=0)
    assert model.fit(X, y, sample_weight=weights).score(X[1:], y[1:]) > 0.5


def test_values_of_a_compact_regressor_are_those_of_all_samples():
    D, y = squares(X, X), X[:, 0] + 0.3 * RNG.normal(size=80)
    model = ProximityRegressor(n_prototypes=4, proximity="dissimilarity", random_state=0).fit(D, y)
    small = compact(sparsify(model, method="hull", k=1))
    again = sparsify(small, method="hull", k=1)
    few = D[:, small.compact_objects_]
    np.testing.assert_array_equal(again.predict(few), small.predict(few))
    with pytest.raises(ValueError, match="sparsify first, then compact"):
        small.with_coefficients(np.roll(small.coefficients_, 1, axis=1))


def test_an_interval_is_of_one_number():
    y = X[:, 0]
    two = LinearRegression().fit(X, np.column_stack([100 * y, y]))
    with pytest.raises(ValueError, match="predicts 2 numbers for a sample"):
        ConformalRegressor(two, calibration="prefit").fit(X, y)


def test_labels_count_in_the_unit_of_the_data_from_the_first_call_on():
    model = FuzzyLabelledNeuralGas(n_prototypes=3, init=X[:3], random_state=0)
    with pytest.raises(ValueError, match="two samples that differ"):
        model.partial_fit(X[:1], Y[:1], classes=[0, 1])
    assert not hasattr(model, "prototypes_")
    found = []
    for unit in (1.0, 1024.0):
        model = FuzzyLabelledNeuralGas(n_prototypes=3, init=X[:3] * unit, random_state=0)
        model.partial_fit(X[:2] * unit, Y[:2], classes=[0, 1]).partial_fit(X * unit, Y)
        found.append(model.prototypes_ / unit)
    np.testing.assert_allclose(*found, rtol=1e-9)


def test_names_are_of_the_prototypes_that_were_learned():
    model = NeuralGas(n_prototypes=4, random_state=0).fit(X).set_params(n_prototypes=7)
    assert len(model.get_feature_names_out()) == model.transform(X).shape[1] == 4
    assert len(model.fit(X).prototypes_) == len(model.get_feature_names_out()) == 7


@pytest.mark.parametrize("change", [{"shape": (4, 3)}, {"topology": "hex"}, {"toroidal": True}])
def test_a_stream_does_not_rearrange_the_units_of_a_map(change):
    model = SelfOrganizingMap(shape=(2, 6), random_state=0).fit(X).set_params(**change)
    with pytest.raises(ValueError, match="another map now"):
        model.partial_fit(X[:1])


@pytest.mark.parametrize("cls", [GLVQ, FuzzyLabelledNeuralGas])
def test_a_stream_has_the_classes_it_began_with(cls):
    model = cls(random_state=0).partial_fit(X, Y, classes=[0, 1])
    model.partial_fit(X, Y, classes=[1, 0])
    with pytest.raises(ValueError, match="must be those of the first call"):
        model.partial_fit(X, Y, classes=[0, 1, 2])


def test_samples_without_weight_are_not_there_in_blocks():
    da = pytest.importorskip("dask.array")
    absurd, labels = np.vstack([X, np.full((3, 2), 1e9)]), np.concatenate([Y, [0, 1, 1]])
    weights = np.where(np.arange(83) < 80, 1.0, 0.0)

    def fitted(rows, y, w):
        model = GLVQ(n_prototypes=2, init="kmedoids", random_state=0)
        blocks = (da.from_array(v, chunks=(20, *v.shape[1:])) for v in (rows, y, w))
        return model.fit(*blocks)

    assert np.abs(fitted(absurd, labels, weights).prototypes_).max() < 10
    labels[:] = np.where(weights > 0, labels, 2)
    with pytest.raises(ValueError, match="class 2 has no sample of positive weight"):
        fitted(absurd, labels, weights)
