"""GeneralizedKernelPCA against the O(n²) recursion, kernel PCA and the linear case."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import KernelPCA
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.kernels import Gaussian, Linear, SemiInnerProduct
from noneuclid.numerics.cholesky import RankTooHigh, pivoted_features
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, generalized_kernel

SLOPES = {
    "l1": np.ones_like,
    "l1.5": np.sqrt,
    "l2": lambda u: u,
    "tanh": np.tanh,
    "sech": lambda u: 3 - 3 / np.cosh(u),
    "skeleton": lambda u: np.minimum(u, 0.2),
}


def centred(K: np.ndarray, train: np.ndarray) -> np.ndarray:
    return K - K.mean(axis=1, keepdims=True) - train.mean(axis=0) + train.mean()


def recursion(K: np.ndarray, K_test: np.ndarray, k: int, slope) -> tuple[np.ndarray, np.ndarray]:
    """The published O(n²) algorithm: deflate K and the test rows after every component."""
    K, K_test = K.copy(), K_test.copy()
    train_scores, test_scores = [], []
    for _ in range(k):
        i = np.argmax(np.diag(K))
        o = K[i] / np.sqrt(K[i, i])
        c = slope(np.abs(o)) * np.sign(o)
        for _ in range(100_000):
            o = K @ c / np.sqrt(c @ K @ c)
            new = slope(np.abs(o)) * np.sign(o)
            change, c = np.linalg.norm(new - c), new
            if change < 1e-13 * np.linalg.norm(c):
                break
        alpha = c / np.sqrt(c @ K @ c)
        scores, out = K @ alpha, K_test @ alpha
        train_scores.append(scores)
        test_scores.append(out)
        K -= np.outer(scores, scores)
        K_test -= np.outer(out, scores)
    return np.array(train_scores).T, np.array(test_scores).T


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray]:
    X = StandardScaler().fit_transform(load_wine().data)
    return X[::2], X[1::2]


@pytest.fixture(params=["features", "kernel matrix"])
def way(request, monkeypatch):
    """Both ways to the components, whatever the rank is."""
    low_rank = {"features": 1, "kernel matrix": 10**6}[request.param]
    monkeypatch.setattr(generalized_kernel, "_LOW_RANK", low_rank)
    return request.param


@pytest.mark.parametrize("objective", sorted(SLOPES))
def test_equals_recursion_and_out_of_sample(objective, data, way):
    train, test = data
    kernel = Gaussian(width=4.0)
    model = GeneralizedKernelPCA(
        n_components=3, kernel=kernel, objective=objective, tol=1e-13, max_iter=100_000
    )
    model.set_params(a=0.2 if objective == "skeleton" else None).fit(train)
    K, K_test = centred(kernel(train), kernel(train)), centred(kernel(test, train), kernel(train))
    expected, expected_test = recursion(K, K_test, 3, SLOPES[objective])
    np.testing.assert_allclose(model.transform(train), expected, atol=1e-8)
    np.testing.assert_allclose(model.transform(test), expected_test, atol=1e-8)
    np.testing.assert_allclose(K_test @ model.dual_coefficients_, expected_test, atol=1e-8)


@pytest.mark.parametrize("deflation", ["greedy", "joint"])
@pytest.mark.parametrize("objective", ["l1", "l0.5", "tanh_sech"])
def test_linear_kernel_is_generalized_pca(objective, deflation, data):
    params = {"n_components": 2, "objective": objective, "deflation": deflation}
    linear = GeneralizedPCA(**params).fit(data[0])
    kernel = GeneralizedKernelPCA(kernel=Linear(), **params).fit(data[0])
    np.testing.assert_allclose(kernel.transform(data[1]), linear.transform(data[1]), atol=1e-5)
    np.testing.assert_allclose(
        kernel.reconstruction_error(data[1]), linear.reconstruction_error(data[1]), atol=1e-5
    )


@pytest.mark.parametrize("n", [80, 400])
def test_l2_equals_kernel_pca(n):
    X = np.random.default_rng(0).normal(size=(n, 4))
    ours = GeneralizedKernelPCA(n_components=4, kernel=Gaussian(width=2.0), objective="l2").fit(X)
    theirs = KernelPCA(n_components=4, kernel="rbf", gamma=1 / 8).fit(X)
    new = X[:20] + 0.1
    np.testing.assert_allclose(np.abs(ours.transform(X)), np.abs(theirs.transform(X)), atol=1e-8)
    np.testing.assert_allclose(
        np.abs(ours.transform(new)), np.abs(theirs.transform(new)), atol=1e-8
    )


@pytest.mark.parametrize("objective", ["l1", "l2", "tanh"])
def test_precomputed_equals_kernel(objective, data):
    train, test = data
    kernel = Gaussian(width=3.0)
    direct = GeneralizedKernelPCA(kernel=kernel, objective=objective).fit(train)
    precomputed = GeneralizedKernelPCA(kernel="precomputed", objective=objective)
    precomputed.fit(kernel(train))
    rows = kernel(test, train)
    np.testing.assert_allclose(precomputed.transform(rows), direct.transform(test), atol=1e-8)
    errors = precomputed.reconstruction_error(rows, self_similarity=np.ones(len(test)))
    np.testing.assert_allclose(errors, direct.reconstruction_error(test), atol=1e-8)
    with pytest.raises(ValueError, match="self_similarity"):
        precomputed.reconstruction_error(rows)


def test_precomputed_in_cross_validation():
    X, y = load_iris(return_X_y=True)
    K = Gaussian(width=1.0)(X)
    pipeline = make_pipeline(GeneralizedKernelPCA(kernel="precomputed"), SVC())
    scores = cross_val_score(pipeline, K, y, cv=3)
    direct = cross_val_score(
        make_pipeline(GeneralizedKernelPCA(kernel=Gaussian(width=1.0)), SVC()), X, y, cv=3
    )
    np.testing.assert_allclose(scores, direct)


@pytest.mark.parametrize("center", [True, False])
def test_landmarks_approximate(center):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(150, 3)), rng.normal([4, 0, 0], size=(150, 3))])
    params = {"kernel": Gaussian(width=4.0), "objective": "l1", "center": center}
    exact = GeneralizedKernelPCA(**params).fit(X)
    few = GeneralizedKernelPCA(n_landmarks=60, random_state=0, **params).fit(X)
    assert few.dual_coefficients_.shape == (60, 2)
    for a, b in zip(exact.transform(X).T, few.transform(X).T):
        assert abs(np.corrcoef(a, b)[0, 1]) > 0.99
    np.testing.assert_allclose(
        few.reconstruction_error(X), exact.reconstruction_error(X), atol=0.05
    )


def test_all_landmarks_are_exact(data):
    params = {"kernel": Gaussian(width=4.0), "objective": "tanh"}
    exact = GeneralizedKernelPCA(**params).fit(data[0])
    full = GeneralizedKernelPCA(n_landmarks=len(data[0]), **params).fit(data[0])
    np.testing.assert_allclose(full.transform(data[1]), exact.transform(data[1]), atol=1e-6)


def test_uncentred(data, way):
    kernel = Gaussian(width=4.0)
    model = GeneralizedKernelPCA(
        n_components=2, kernel=kernel, objective="tanh", center=False, tol=1e-13
    ).fit(data[0])
    K = kernel(data[0])
    expected, _ = recursion(K, K, 2, np.tanh)
    np.testing.assert_allclose(model.transform(data[0]), expected, atol=1e-8)


@pytest.mark.parametrize("objective", ["l1", "l2"])
def test_serial_update_reaches_a_fixed_point(objective, data):
    """Of the l1 kind: c = sgn(Kc); of the l2 kind: the power iteration's limit."""
    kernel = Gaussian(width=4.0)
    serial = GeneralizedKernelPCA(
        n_components=1, kernel=kernel, objective=objective, update="serial", tol=1e-9
    ).fit(data[0])
    K = centred(kernel(data[0]), kernel(data[0]))
    if objective == "l1":
        c = np.sign(serial.transform(data[0])[:, 0])
        np.testing.assert_array_equal(np.sign(K @ c), c)
    else:
        exact = GeneralizedKernelPCA(n_components=1, kernel=kernel, objective="l2").fit(data[0])
        expected = np.abs(exact.transform(data[0]))
        np.testing.assert_allclose(np.abs(serial.transform(data[0])), expected, atol=1e-6)


@pytest.mark.parametrize("objective", ["l1", "tanh"])
def test_both_ways_agree(objective, monkeypatch):
    """Several starts and more components than the data have, on features and on the matrix."""
    X = np.random.default_rng(0).normal(size=(12, 3))
    found = []
    for low_rank in (1, 10**6):
        monkeypatch.setattr(generalized_kernel, "_LOW_RANK", low_rank)
        model = GeneralizedKernelPCA(
            n_components=12, kernel=Gaussian(), objective=objective, n_init=3, random_state=0
        )
        found.append(model.fit(X))
    features, matrix = found
    scores, expected = np.abs(matrix.transform(X)), np.abs(features.transform(X))  # ties of starts
    np.testing.assert_allclose(scores[:, :11], expected[:, :11], atol=1e-6)
    assert matrix.transform(X).shape == (12, 12)
    np.testing.assert_allclose(matrix.transform(X)[:, 11], 0, atol=1e-6)
    assert np.diff(matrix.objective_curve_).min() >= -1e-11 * matrix.objective_curve_[-1]
    np.testing.assert_allclose(
        matrix.objective_curve_[-1], features.objective_curve_[-1], rtol=1e-6
    )


def test_rank_decides_the_way(monkeypatch):
    """Data on a line have few features, data in ten dimensions as many as there are rows."""
    used = []
    monkeypatch.setattr(
        generalized_kernel.GeneralizedKernelPCA,
        "_fit_gram",
        lambda self, K, k, objective: used.append(len(K)),
    )
    rng = np.random.default_rng(0)
    kernel = Gaussian(width=5.0)
    GeneralizedKernelPCA(kernel=kernel).fit(np.outer(rng.normal(size=200), np.ones(10)))
    assert used == []
    GeneralizedKernelPCA(kernel=kernel).fit(rng.normal(size=(200, 10)))
    assert used == [200]
    GeneralizedKernelPCA(kernel=kernel, objective="l0.5").fit(rng.normal(size=(40, 10)))
    assert used == [200]  # no plain steps for an objective that is not convex


def test_pivoted_features_give_up_early():
    asked = []

    def entries(i, j):
        asked.extend(i)
        return np.eye(1200)[i][:, j]

    with pytest.raises(RankTooHigh):
        pivoted_features(entries, np.ones(1200), max_rank=1000)
    assert len(asked) < 500


def test_pivoted_features_of_a_full_rank_matrix():
    A = np.random.default_rng(0).normal(size=(300, 300))
    K = A @ A.T
    Z, pivots = pivoted_features(lambda i, j: K[i][:, j], np.diag(K))
    assert sorted(pivots) == list(range(300))
    np.testing.assert_allclose(Z @ Z.T, K, atol=1e-9 * np.abs(K).max())


class TestBadInput:
    def test_indefinite_kernel_is_refused(self):
        K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        for objective, landmarks in (("l1", None), ("l1", 3)):
            model = GeneralizedKernelPCA(
                n_components=1, kernel="precomputed", objective=objective, n_landmarks=landmarks
            )
            with pytest.raises(ValueError, match="not positive semi-definite"):
                model.fit(K)

    def test_not_square_or_not_symmetric(self):
        model = GeneralizedKernelPCA(kernel="precomputed")
        with pytest.raises(ValueError, match="square"):
            model.fit(np.ones((3, 2)))
        with pytest.raises(ValueError, match="symmetric"):
            model.fit(np.triu(np.ones((3, 3))))

    def test_asymmetric_kernel(self):
        with pytest.raises(ValueError, match="symmetric"):
            GeneralizedKernelPCA(kernel=SemiInnerProduct("l1")).fit(load_iris().data - 3.0)

    @pytest.mark.parametrize("objective", ["l1", "l2", "tanh"])
    def test_constant_data(self, objective):
        model = GeneralizedKernelPCA(kernel=Gaussian(), objective=objective, n_components=1)
        model.fit(np.ones((6, 3)))
        # No direction differs from another: there is none, and all of a new point is left over.
        np.testing.assert_array_equal(model.dual_coefficients_, np.zeros((6, 1)))
        np.testing.assert_array_equal(model.transform(np.eye(3)), np.zeros((3, 1)))
        distance = np.sqrt(2 - 2 * np.exp(-((np.eye(3) - 1) ** 2).sum(axis=1) / 2))
        np.testing.assert_allclose(model.reconstruction_error(np.eye(3)), distance, atol=1e-7)
        np.testing.assert_allclose(model.reconstruction_error(np.ones((1, 3))), 0.0, atol=1e-7)

    @pytest.mark.parametrize("objective", ["l1", "l2", "l0.5"])
    def test_duplicates(self, objective):
        X = np.repeat(load_iris().data[:20], 3, axis=0)
        scores = GeneralizedKernelPCA(objective=objective, n_components=3).fit_transform(X)
        assert np.isfinite(scores).all()
        np.testing.assert_allclose(scores[::3], scores[1::3], atol=1e-8)

    @pytest.mark.parametrize(
        ("params", "sentence"),
        [
            ({"update": "random"}, "must be one of"),
            ({"n_landmarks": 0}, "positive integer"),
            ({"n_components": 1000}, "at most"),
            ({"kernel": "sigmoidal"}, "must be a Kernel"),
        ],
    )
    def test_parameters(self, params, sentence):
        with pytest.raises(ValueError, match=sentence):
            GeneralizedKernelPCA(**params).fit(load_iris().data)
