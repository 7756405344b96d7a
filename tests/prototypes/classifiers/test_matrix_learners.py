"""GRLVQ, LGMLVQ and MatrixRSLVQ: known cases, other spaces, steps, and what can be looked at."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from noneuclid.prototypes import GMLVQ, GRLVQ, LGMLVQ, RSLVQ, MatrixRSLVQ, RSLVQCost
from noneuclid.spaces import Hilbert, IncompatibleSpace, Lp, Sobolev

LEARNERS = [
    GMLVQ(),
    GRLVQ(),
    LGMLVQ(),
    LGMLVQ(per="class", n_prototypes=2, rank=2),
    LGMLVQ(cost="rslvq"),
    MatrixRSLVQ(),
    MatrixRSLVQ(rank=2),
]


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("model", LEARNERS, ids=repr)
@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
@pytest.mark.parametrize("regularization", [0.0, 0.05])
def test_wine_is_learned(model, solver, regularization, wine):
    X, y = wine
    model = clone(model).set_params(
        solver=solver, regularization=regularization, max_epochs=10, random_state=0
    )
    model.fit(X, y)
    assert model.score(X, y) > 0.97
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    np.testing.assert_allclose(model.relevance_.sum(axis=-1), 1.0)


@pytest.mark.parametrize("model", [LGMLVQ(), LGMLVQ(per="class", n_prototypes=2)], ids=repr)
def test_distances_are_those_of_the_matrices_it_tells(model, wine):
    X, y = wine
    model = clone(model).set_params(random_state=0, max_epochs=5).fit(X, y)
    for j, w in enumerate(model.prototypes_):
        omega = model.omega_[model.matrix_of_[j]]
        expected = (((X - w) @ omega.T) ** 2).sum(axis=1)
        np.testing.assert_allclose(model.transform(X)[:, j], expected, atol=1e-10)
    np.testing.assert_allclose((model.omega_**2).sum(axis=(1, 2)), 1.0)
    assert len(model.omega_) == (3 if model.per == "class" else len(model.prototypes_))
    A, B = (model.project(Z, matrix=1, n_components=13) for Z in (X, model.prototypes_))
    own = model.matrix_of_ == 1
    D = ((A[:, None] - B[own]) ** 2).sum(axis=2)
    np.testing.assert_allclose(D, model.transform(X)[:, own], atol=1e-10)
    with pytest.raises(ValueError, match=r"matrix \(=3\) must be an integer between 0 and 2"):
        clone(model).set_params(per="class").fit(X, y).project(X, matrix=3)


def test_a_class_may_have_a_metric_of_its_own():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 150)
    X = rng.normal(size=(300, 2)) * np.where(y[:, None] == 0, [4.0, 0.4], [0.4, 4.0])
    assert GMLVQ(random_state=0).fit(X, y).score(X, y) < 0.75  # no line parts them
    model = LGMLVQ(random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    np.testing.assert_array_equal(model.relevance_.argmax(axis=1), [1, 0])


def test_matrix_rslvq_with_a_matrix_that_is_left_alone_is_rslvq(wine):
    X, y = wine
    plain = RSLVQ(sigma2=4.0, random_state=0, solver="sgd", learning_rate=1e-12, max_epochs=1)
    matrix = MatrixRSLVQ(**plain.get_params())
    plain.fit(X, y), matrix.fit(X, y)
    np.testing.assert_allclose(matrix.omega_, np.eye(13), atol=1e-9)
    np.testing.assert_allclose(matrix.transform(X), plain.transform(X), atol=1e-8)
    np.testing.assert_allclose(matrix.predict_proba(X), plain.predict_proba(X), atol=1e-8)
    assert matrix.loss_curve_[0] == pytest.approx(plain.loss_curve_[0])


def test_the_probabilities_are_those_that_were_learned(wine):
    """The size of Ω belongs to the bandwidth: to scale it afterwards would change them."""
    X, y = wine
    for model in (GMLVQ(cost="rslvq"), GMLVQ(cost=RSLVQCost()), LGMLVQ(cost="rslvq")):
        model.set_params(random_state=0, max_epochs=5).fit(X, y)
        P = model.predict_proba(X)
        loss = -np.log(P[np.arange(len(y)), y]).mean()
        assert loss == pytest.approx(model.loss_curve_[-1], rel=1e-6)


def test_the_number_of_rows_does_not_change_the_scale_it_starts_from(wine):
    X, y = wine
    start = {"random_state": 0, "solver": "sgd", "learning_rate": 1e-12, "max_epochs": 1}
    for rank in (1, 2, 5):
        model = MatrixRSLVQ(rank=rank, **start).fit(X, y)
        Z = X @ model.omega_.T
        within, plain = (
            np.mean([((V[y == c] - V[y == c].mean(axis=0)) ** 2).sum(axis=1).mean() for c in y])
            for V in (Z, X)
        )
        assert within == pytest.approx(plain, rel=1e-6)
        assert model.sigma2_ == pytest.approx(plain, rel=1e-6)


def test_relevances_find_the_features_that_count():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 6)) * [1, 1, 9, 9, 9, 9]
    X[:, 0] += 4 * (y == 1)
    X[:, 1] += 4 * (y == 2)
    model = GRLVQ(random_state=0).fit(X, y)
    assert model.relevance_[:2].sum() > 0.9
    assert model.score(X, y) > 0.97
    assert (model.omega_ >= 0).all()


@pytest.mark.parametrize("model", [GMLVQ(), LGMLVQ(), MatrixRSLVQ()], ids=repr)
def test_a_regulariser_keeps_directions(model, wine):
    X, y = wine
    shapes = []
    for strength in (0.0, 0.1):
        fitted = clone(model).set_params(regularization=strength, random_state=0).fit(X, y)
        values = np.linalg.svd(fitted.omega_, compute_uv=False)
        shapes.append((values[..., -1] / values[..., 0]).mean())
    assert shapes[1] > 2 * shapes[0]
    with pytest.raises(ValueError, match=r"regularization \(=-1\) must be"):
        clone(model).set_params(regularization=-1).fit(X, y)


@pytest.mark.parametrize("model", LEARNERS[1:], ids=repr)
@pytest.mark.parametrize(
    "space", [Hilbert(np.diag([1.0, 2.0, 3.0, 4.0]) + 0.5), Sobolev()], ids=str
)
def test_in_a_hilbert_space_they_learn_in_flat_coordinates(model, space):
    X, y = load_iris(return_X_y=True)
    curved = clone(model).set_params(space=space, random_state=0, max_epochs=5).fit(X, y)
    flat = clone(model).set_params(random_state=0, max_epochs=5).fit(space.flatten(X), y)
    Z = space.flatten(X)
    np.testing.assert_allclose(curved.transform(X), flat.transform(Z), rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("model", [GRLVQ(), LGMLVQ(), MatrixRSLVQ()], ids=repr)
def test_spaces_without_flat_coordinates_are_refused(model):
    X, y = load_iris(return_X_y=True)
    words = f"{type(model).__name__} needs a space with `flatten` \\(a Hilbert space\\); Lp"
    with pytest.raises(IncompatibleSpace, match=words):
        clone(model).set_params(space=Lp(1.5)).fit(X, y)


@pytest.mark.parametrize("model", LEARNERS[1:], ids=repr)
def test_online(model, wine):
    X, y = wine
    model = clone(model).set_params(random_state=0).partial_fit(X, y)
    first = model.omega_.copy()
    for _ in range(5):
        model.partial_fit(X, y)
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    assert np.abs(model.omega_ - first).max() > 1e-4
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("cls", [LGMLVQ, MatrixRSLVQ])
def test_bad_ranks(cls, wine):
    with pytest.raises(ValueError, match=r"rank \(=14\) must be an integer between 1 and 13"):
        cls(rank=14).fit(*wine)
    with pytest.raises(ValueError, match=r"per \(='sample'\) must be"):
        LGMLVQ(per="sample").fit(*wine)
