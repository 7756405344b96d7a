"""GMLVQ: gradients of the matrix, what it finds, and what can be looked at."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.prototypes import GMLVQ, GRLVQ, MatrixRSLVQ
from noneuclid.prototypes.costs import GLVQCost, Membership
from noneuclid.prototypes.geometries.matrices import KernelMatrixGeometry, MatrixGeometry
from noneuclid.prototypes.starts.matrices import filled, leading_directions
from noneuclid.spaces import Hilbert, KernelMetric, Sobolev

GEOMETRIES = [MatrixGeometry, KernelMatrixGeometry]


def problem(geometry, rank=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 3)) + 2.0
    parameters = np.vstack([rng.normal(size=(4, 3)) + 2.0, 0.5 * rng.normal(size=(rank, 3))])
    return geometry(X, 4), X, parameters, rng


def distances(geometry, X, parameters):
    W, omega = parameters[:4], parameters[4:]
    D = (((X[:, None] - W) @ omega.T) ** 2).sum(axis=2)
    return D if geometry is MatrixGeometry else 2 - 2 * np.exp(-D)


@pytest.mark.parametrize("cls", GEOMETRIES)
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_distances_are_those_of_the_formula(cls, rank):
    geometry, X, parameters, _ = problem(cls, rank)
    theta = geometry.state(parameters)
    expected = distances(cls, X, parameters)
    np.testing.assert_allclose(geometry.distances(theta), expected, atol=1e-12)
    rows = np.array([3, 1])
    np.testing.assert_allclose(geometry.distances(theta, rows), expected[rows], atol=1e-12)
    moved = geometry.state(parameters + 1.0)
    geometry.move(moved, parameters)
    np.testing.assert_allclose(geometry.distances(moved), expected, atol=1e-12)


@pytest.mark.parametrize("cls", GEOMETRIES)
@pytest.mark.parametrize("rank", [1, 3])
@pytest.mark.parametrize("rows", [slice(None), np.array([0, 7, 9])], ids=["all", "some"])
def test_pull_equals_finite_differences(cls, rank, rows):
    geometry, X, parameters, rng = problem(cls, rank, seed=1)
    F = rng.normal(size=(len(X[rows]), 4))

    def value(parameters):
        return (F * geometry.distances(geometry.state(parameters), rows)).sum()

    slope = np.zeros_like(parameters)
    for index in np.ndindex(*parameters.shape):
        step = np.zeros_like(parameters)
        step[index] = 1e-6
        slope[index] = (value(parameters + step) - value(parameters - step)) / 2e-6
    theta = geometry.state(parameters)
    np.testing.assert_allclose(geometry.pull(theta, rows, F), slope, atol=1e-6)


@pytest.mark.parametrize("cls", GEOMETRIES)
@pytest.mark.parametrize("rank", [1, 3])
@pytest.mark.parametrize("rows", [slice(None), np.array([0, 7, 9])], ids=["all", "some"])
def test_the_riesz_pull_moves_prototypes_straight_and_omega_down_its_gradient(cls, rank, rows):
    geometry, X, parameters, rng = problem(cls, rank, seed=2)
    W, omega = parameters[:4], parameters[4:]
    F = rng.normal(size=(len(X[rows]), 4))
    D = (((X[rows][:, None] - W) @ omega.T) ** 2).sum(axis=2)
    inside = F if cls is MatrixGeometry else 2 * F * np.exp(-D)  # the chain rule
    towards, turn = np.zeros_like(W), np.zeros_like(omega)
    for i, x in enumerate(X[rows]):
        for j, w in enumerate(W):
            towards[j] += inside[i, j] * (w - x)
            turn += inside[i, j] * np.outer(omega @ (x - w), x - w)
    # Ω moves a tenth as fast, in units of the variance: prototypes must be able to follow.
    slower = 0.1 / ((X - X.mean(axis=0)) ** 2).sum(axis=1).mean()
    got = geometry.riesz_pull(geometry.state(parameters), rows, F)
    np.testing.assert_allclose(got[:4], towards, atol=1e-10)
    np.testing.assert_allclose(got[4:], slower * turn, atol=1e-10)


def test_the_size_of_omega_does_not_matter_without_a_kernel():
    geometry, _, parameters, _ = problem(MatrixGeometry)
    who = Membership(np.arange(15) % 2, np.array([0, 0, 1, 1]))
    values = []
    for scale in (1.0, 7.0):
        P = parameters.copy()
        P[4:] *= scale
        values.append(GLVQCost().evaluate(geometry.distances(geometry.state(P)), who).value)
    assert values[0] == pytest.approx(values[1])
    scaled, _ = geometry.project(parameters, parameters)
    assert np.trace(scaled[4:].T @ scaled[4:]) == pytest.approx(1.0)
    np.testing.assert_array_equal(scaled[:4], parameters[:4])


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("params", [{}, {"kernel": True}, {"rank": 2}, {"solver": "sgd"}], ids=str)
def test_wine_is_learned(params, wine):
    X, y = wine
    model = GMLVQ(random_state=0, max_epochs=10, **params).fit(X, y)
    assert model.score(X, y) > 0.98
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    assert model.omega_.shape == (params.get("rank", 13), 13)
    assert model.relevance_.sum() == pytest.approx(1.0)
    if not params.get("kernel"):
        assert np.trace(model.omega_.T @ model.omega_) == pytest.approx(1.0)


def test_it_finds_the_features_that_count():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    X = rng.normal(size=(300, 6)) * [1, 1, 9, 9, 9, 9]
    X[:, 0] += 4 * (y == 1)
    X[:, 1] += 4 * (y == 2)
    model = GMLVQ(random_state=0).fit(X, y)
    assert model.relevance_[:2].sum() > 0.9
    assert model.score(X, y) > 0.97


@pytest.mark.parametrize("kernel", [False, True])
def test_projection_keeps_the_learned_distances(kernel, wine):
    X, y = wine
    model = GMLVQ(kernel=kernel, random_state=0).fit(X, y)
    A, B = (model.project(Z, n_components=13) for Z in (X, model.prototypes_))
    D = ((A[:, None] - B) ** 2).sum(axis=2)
    expected = 2 - 2 * np.exp(-D) if kernel else D
    np.testing.assert_allclose(model.transform(X), expected, atol=1e-10)
    plane = model.project(X)
    assert GMLVQ(rank=1, max_epochs=1, random_state=0).fit(X, y).project(X).shape == (len(X), 1)
    np.testing.assert_allclose(plane, A[:, :2])
    assert plane.var(axis=0)[0] > 0
    with pytest.raises(ValueError, match=r"n_components \(=14\) must be an integer between 1 and"):
        model.project(X, n_components=14)


def test_its_kernel_is_the_one_it_learned_with(wine):
    X, y = wine
    model = GMLVQ(kernel=True, random_state=0).fit(X, y)
    kernel = model.to_kernel()
    space = KernelMetric(kernel)
    np.testing.assert_allclose(
        space.squared_distance(X, model.prototypes_), model.transform(X), atol=1e-12
    )
    assert SVC(kernel=kernel).fit(X, y).score(X, y) > 0.98
    plain = GMLVQ(random_state=0).fit(X, y)
    K = plain.to_kernel(width=0.5)(X[:5])
    np.testing.assert_allclose(-np.log(K[0, 1]) / 4, ((plain.omega_ @ (X[0] - X[1])) ** 2).sum())
    with pytest.raises(ValueError, match=r"width \(=0\) must be a positive number"):
        plain.to_kernel(width=0)


@pytest.mark.parametrize("space", [Hilbert(np.diag([1.0, 2.0, 3.0, 4.0]) + 0.5), Sobolev()])
def test_in_a_hilbert_space_it_learns_in_flat_coordinates(space):
    X, y = load_iris(return_X_y=True)
    curved = GMLVQ(space=space, random_state=0).fit(X, y)
    flat = GMLVQ(random_state=0).fit(space.flatten(X), y)
    np.testing.assert_allclose(curved.transform(X), flat.transform(space.flatten(X)), rtol=1e-6)
    A = (X[:, None] - curved.prototypes_) @ curved.omega_.T
    np.testing.assert_allclose((A**2).sum(axis=2), curved.transform(X), atol=1e-10)


def test_online(wine):
    X, y = wine
    model = GMLVQ(random_state=0).partial_fit(X, y)
    first = model.omega_.copy()
    for _ in range(5):
        model.partial_fit(X, y)
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    assert np.abs(model.omega_ - first).max() > 1e-4
    assert np.trace(model.omega_.T @ model.omega_) == pytest.approx(1.0)


@pytest.mark.parametrize("rank", [0, 14, 1.5, "full"])
def test_bad_ranks(rank, wine):
    with pytest.raises(ValueError, match=rf"rank \(={rank!r}\) must be an integer"):
        GMLVQ(rank=rank).fit(*wine)


def test_more_rows_than_samples_span():
    X = np.random.default_rng(0).normal(size=(4, 10))
    model = GMLVQ(rank=8, max_epochs=2, random_state=0).fit(X, [0, 0, 1, 1])
    assert model.omega_.shape == (8, 10)
    rng = np.random.RandomState(0)
    start = leading_directions(X[::2], X - X.mean(axis=0), 8)
    assert len(start) == 3  # of four samples about their mean
    full = filled(start, 8, rng)
    np.testing.assert_array_equal(full[:3], start)
    np.testing.assert_allclose(full @ full.T, np.eye(8), atol=1e-12)
    constant = filled(leading_directions(X[[0, 0]], np.zeros((4, 10)), 3), 3, rng)
    np.testing.assert_allclose(constant @ constant.T, np.eye(3), atol=1e-12)


def test_many_features_do_not_need_a_square_matrix():
    X = np.random.default_rng(0).normal(size=(30, 1000))
    y = np.arange(30) % 2
    X[y == 1, :5] += 4.0
    model = GMLVQ(max_epochs=3, random_state=0).fit(X, y)
    assert model.omega_.shape == (29, 1000)  # thirty samples about their mean span no more
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("cls", [GMLVQ, GRLVQ, MatrixRSLVQ])
@pytest.mark.parametrize("regularization", [0.0, 0.1])
def test_constant_columns_have_no_part_in_the_metric(cls, regularization):
    X, y = load_iris(return_X_y=True)
    more = np.insert(np.hstack([X, np.full((150, 2), 3.7)]), 1, -1.0, axis=1)
    if cls is GRLVQ and regularization:
        pytest.skip("GRLVQ has no matrix whose rank could fall")
    params = {} if cls is GRLVQ else {"regularization": regularization}
    model = cls(random_state=0, **params).fit(more, y)
    plain = cls(random_state=0, **params).fit(X, y)
    np.testing.assert_allclose(model.relevance_[[1, 5, 6]], 0.0, atol=1e-20)
    np.testing.assert_allclose(model.relevance_[[0, 2, 3, 4]], plain.relevance_, atol=0.02)
    assert model.score(more, y) == pytest.approx(plain.score(X, y), abs=0.02)
