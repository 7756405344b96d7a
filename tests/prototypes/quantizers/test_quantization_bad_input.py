"""One clear sentence for bad input, and sensible answers at the edges."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from noneuclid.prototypes import NeuralGas, ProximityNeuralGas, ProximitySOM, SelfOrganizingMap

X = make_blobs(30, centers=3, n_features=3, random_state=0)[0]
D = ((X[:, None] - X) ** 2).sum(axis=2)


def every_model(**params):
    return [
        NeuralGas(n_prototypes=6, **params),
        SelfOrganizingMap(shape=(2, 3), **params),
        ProximityNeuralGas(
            n_prototypes=6, proximity="dissimilarity", metric="sqeuclidean", **params
        ),
        ProximitySOM(shape=(2, 3), proximity="dissimilarity", metric="sqeuclidean", **params),
    ]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"solver": "sgd"}, r"solver \(='sgd'\) must be one of"),
        ({"schedule": "cosine"}, r"schedule \(='cosine'\) must be one of"),
        ({"max_epochs": 0}, r"max_epochs \(=0\) must be an integer, at least 1"),
        ({"max_epochs": 2.5}, r"max_epochs \(=2.5\)"),
        ({"tol": -1.0}, r"tol \(=-1.0\) must be a number, at least 0"),
        ({"width": -1.0}, r'width \(=-1.0\) must be "auto" or a number, at least 0'),
        ({"width": "wide"}, r"width \(='wide'\)"),
        ({"width": 0.0}, r'width \(=0\) must be positive for schedule="geometric"'),
        ({"final_width": 0}, r'final_width \(=0\) must be positive for schedule="geometric"'),
        ({"final_width": np.nan}, r"final_width \(=nan\)"),
        ({"learning_rate": 0.0}, r"learning_rate \(=0.0\)"),
        ({"learning_rate": 2.0}, r"learning_rate \(=2.0\)"),
        ({"learning_rate": (0.5, 0.1, 0.01)}, "learning_rate .* two of them"),
        ({"learning_rate": "fast"}, r"learning_rate \(='fast'\)"),
        ({"init": "best"}, r"init \(='best'\) must be"),
        ({"init": np.zeros((2, 2))}, r"init has shape \(2, 2\), but \(6, "),
    ],
)
def test_bad_parameters(params, sentence):
    for model in every_model(**params):
        with pytest.raises(ValueError, match=sentence):
            model.fit(X)
        assert not hasattr(model, "labels_")


@pytest.mark.parametrize("value", [0, -3, 2.5, "many", True])
def test_numbers_of_prototypes(value):
    for model in (NeuralGas(n_prototypes=value), ProximityNeuralGas(n_prototypes=value)):
        with pytest.raises(ValueError, match=r"n_prototypes \(=.* must be an integer, at least 1"):
            model.fit(D)


@pytest.mark.parametrize("shape", [(0, 4), (3,), 7, (2, 2, 2)])
def test_shapes_that_are_no_rectangles(shape):
    for model in (SelfOrganizingMap(shape=shape), ProximitySOM(shape=shape)):
        with pytest.raises(ValueError, match="two positive integers"):
            model.fit(D)


def test_bad_starts_and_gradients():
    with pytest.raises(ValueError, match="init contains NaN"):
        NeuralGas(n_prototypes=1, init=np.full((1, 3), np.nan)).fit(X)
    with pytest.raises(ValueError, match=r"init \(='pca'\)"):
        NeuralGas(init="pca").fit(X)
    with pytest.raises(ValueError, match=r"gradient \(='steepest'\)"):
        NeuralGas(gradient="steepest").fit(X)
    with pytest.raises(ValueError, match=r"rows of init must sum to 1.*sums to 30"):
        ProximityNeuralGas(n_prototypes=1, proximity="dissimilarity", init=np.ones((1, 30))).fit(D)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"proximity": "distance"}, r"proximity \(='distance'\)"),
        ({"correction": "snap"}, r"correction \(='snap'\)"),
        ({"n_landmarks": -1}, r"n_landmarks \(=-1\)"),
        ({"n_landmarks": 5, "correction": "shift"}, 'correction="shift" has no features'),
    ],
)
def test_bad_choices_of_proximities(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        ProximityNeuralGas(**params).fit(D)


def test_matrices_that_are_none():
    with pytest.raises(ValueError, match="symmetric"):
        ProximitySOM(proximity="dissimilarity").fit(D + np.triu(np.ones_like(D), 1))
    with pytest.raises(ValueError, match="square matrix"):
        ProximitySOM(proximity="dissimilarity").fit(D[:, :20])
    with pytest.warns(UserWarning, match='proximity="dissimilarity"'):
        ProximitySOM(shape=(1, 2)).fit(D)
    model = ProximitySOM(shape=(1, 2), proximity="dissimilarity").fit(D)
    with pytest.raises(ValueError, match="10 features, but ProximitySOM is expecting 30"):
        model.predict(D[:, :10])


@pytest.mark.parametrize("solver", ["batch", "online"])
def test_more_units_than_samples(solver):
    few = X[:4]
    for model in (
        NeuralGas(n_prototypes=9, solver=solver, random_state=0),
        NeuralGas(n_prototypes=9, solver=solver, init="kmeans++", random_state=0),
        SelfOrganizingMap(shape=(5, 4), solver=solver, random_state=0),
        ProximityNeuralGas(
            n_prototypes=9, proximity="dissimilarity", metric="sqeuclidean", solver=solver
        ),
        ProximitySOM(shape=(5, 4), proximity="dissimilarity", metric="sqeuclidean", solver=solver),
    ):
        model.fit(few)
        assert np.isfinite(model.transform(few)).all()
        if hasattr(
            model, "shape"
        ):  # empty units follow their neighbours: some samples may share one
            assert model.quantization_error(few) < 2.5
            assert len(set(model.labels_)) >= 3
        else:
            assert model.quantization_error(few) < (0.2 if solver == "batch" else 1.5)
            assert len(set(model.labels_)) == 4


@pytest.mark.parametrize("solver", ["batch", "online"])
def test_constant_data(solver):
    for model in every_model(solver=solver, random_state=0):
        model.fit(np.ones((8, 3)))
        assert model.quantization_error(np.ones((1, 3))) < 1e-7
        assert np.isfinite(model.loss_curve_).all()


@pytest.mark.parametrize("solver", ["batch", "online"])
@pytest.mark.parametrize("schedule", ["constant", "linear"])
def test_neighbourhoods_of_no_width(solver, schedule):
    for model in every_model(solver=solver, schedule=schedule, random_state=0, max_epochs=10):
        if schedule == "constant":
            model.set_params(width=0.0)
        model.set_params(final_width=0.0).fit(X)
        assert np.isfinite(model.transform(X)).all()
        assert model.quantization_error(X) < np.sqrt(D.mean() / 2)


def test_empty_units_are_placed_by_their_neighbours():
    model = SelfOrganizingMap(shape=(1, 5), random_state=0).fit([[0.0], [0.01], [1.0], [1.01]])
    assert (np.bincount(model.labels_, minlength=5) == 0).any()
    assert (np.diff(model.prototypes_[:, 0]) >= -1e-9).all() or (
        np.diff(model.prototypes_[:, 0]) <= 1e-9
    ).all()
    far = NeuralGas(n_prototypes=3, init=[[0.0], [1.0], [1e6]], width=0.0, schedule="constant").fit(
        [[0.0], [0.01], [1.0], [1.01]]
    )
    assert far.prototypes_.max() < 2.0  # it comes to the samples it is least far from


def test_one_sample_and_tiny_and_huge_data():
    alone = NeuralGas(n_prototypes=2, random_state=0).fit([[1.0, 2.0]])
    np.testing.assert_array_equal(alone.prototypes_, [[1.0, 2.0], [1.0, 2.0]])
    np.testing.assert_array_equal(alone.labels_, [0])  # of equally near ones, the first
    for model in every_model(random_state=0):
        with pytest.raises(ValueError, match="whose powers vanish: rescale X"):
            model.fit(2.0**-500 * X)
    for scale in (2.0**-230, 2.0**230):  # powers of two: nothing is rounded by them
        for model in every_model(random_state=0):
            expected = model.fit(X).transform(X)
            got = model.fit(scale * X).transform(scale * X) / scale / scale
            np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


def test_missing_values_are_refused():
    for model in every_model():
        with pytest.raises(ValueError, match="NaN"):
            model.fit(np.where(np.eye(30, 3) > 0, np.nan, X))


@pytest.mark.parametrize("cls", [NeuralGas, SelfOrganizingMap])
def test_values_whose_powers_overflow(cls):
    sentence = r"X holds values up to \de\+20\d, whose powers overflow: rescale X"
    for method in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=sentence):
            getattr(cls(), method)(1e200 * X)
    with pytest.raises(ValueError, match=sentence):
        cls(max_epochs=1, random_state=0).fit(X).predict(1e200 * X)
