import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise
from sklearn.svm import SVC

from noneuclid.kernels import (
    FunctionKernel,
    Gaussian,
    Laplacian,
    Linear,
    MatrixGaussian,
    Polynomial,
    SemiInnerProduct,
    as_kernel,
)
from noneuclid.spaces import KernelMetric, Lp


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(9, 4)), rng.normal(size=(5, 4))


def test_against_scikit_learn(rows):
    X, Y = rows
    np.testing.assert_allclose(Linear()(X, Y), pairwise.linear_kernel(X, Y))
    np.testing.assert_allclose(Polynomial()(X, Y), pairwise.polynomial_kernel(X, Y))
    np.testing.assert_allclose(
        Polynomial(degree=2, coef0=0.5, gamma=2.0)(X, Y),
        pairwise.polynomial_kernel(X, Y, degree=2, coef0=0.5, gamma=2.0),
    )
    np.testing.assert_allclose(Gaussian(1.3)(X, Y), pairwise.rbf_kernel(X, Y, 0.5 / 1.3**2))
    np.testing.assert_allclose(Laplacian(1.3)(X, Y), pairwise.laplacian_kernel(X, Y, 1 / 1.3))


def test_matrix_gaussian_by_a_naive_loop(rows):
    X, Y = rows
    omega = np.random.default_rng(1).normal(size=(2, 4))
    expected = [[np.exp(-np.sum((omega @ (x - y)) ** 2)) for y in Y] for x in X]
    np.testing.assert_allclose(MatrixGaussian(omega)(X, Y), expected)


def test_semi_inner_product_is_the_spaces(rows):
    X, Y = rows
    np.testing.assert_allclose(SemiInnerProduct(Lp(1.5))(X, Y), Lp(1.5).product(X, Y))
    np.testing.assert_allclose(SemiInnerProduct("l2")(X, Y), X @ Y.T)
    assert SemiInnerProduct("l2").is_symmetric
    assert not SemiInnerProduct("l1").is_symmetric


def test_far_and_equal_rows():
    X = np.array([[0.0], [0.0], [1e150]])
    for kernel in (Gaussian(1.0), Laplacian(1.0)):
        assert kernel(X).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_scale_is_that_of_scikit_learn(rows):
    X, _ = rows
    ours = Gaussian("scale").resolve(X)
    assert 0.5 / ours.width**2 == pytest.approx(1 / (X.shape[1] * X.var()))
    labels = np.arange(9) % 2
    by_name, by_kernel = SVC(gamma="scale").fit(X, labels), SVC(kernel=ours).fit(X, labels)
    np.testing.assert_allclose(by_name.decision_function(X), by_kernel.decision_function(X))


def test_laplacian_scale_is_scikit_learns_default_on_standardised_data():
    X = np.random.default_rng(0).normal(size=(50, 6))
    X = (X - X.mean()) / X.std()
    expected = pairwise.laplacian_kernel(X)  # gamma = 1/n_features
    np.testing.assert_allclose(Laplacian("scale").resolve(X)(X), expected)


@pytest.mark.parametrize(("kernel", "metric"), [(Gaussian, "euclidean"), (Laplacian, "cityblock")])
def test_median_width(rows, kernel, metric):
    X = np.vstack([rows[0], rows[0][:1]])  # equal rows do not count
    D = cdist(X, X, metric)[np.triu_indices(10, 1)]
    assert kernel("median").resolve(X).width == pytest.approx(np.median(D[D > 0]))


def test_resolve_leaves_numbers_and_the_original_alone(rows):
    fixed, free = Gaussian(2.0), Gaussian("median")
    assert fixed.resolve(rows[0]) is fixed
    free.resolve(rows[0])
    assert free.width == "median"
    assert Linear().resolve(rows[0]) is not None


@pytest.mark.parametrize("rule", ["scale", "median"])
def test_unresolved_kernels_do_not_guess(rows, rule):
    for kernel in (Gaussian(rule), Laplacian(rule)):
        with pytest.raises(ValueError, match=rf"width='{rule}'.*call resolve\(X\) first"):
            kernel(*rows)
        with pytest.raises(ValueError, match=r"resolve\(X\)"):
            kernel.gradient(rows[0][0], rows[1])
        with pytest.raises(ValueError, match=r"give a number as width|two distinct rows"):
            kernel.resolve(np.ones((3, 2)))


BAD = [
    (Gaussian(0), ValueError, r'width \(=0\) must be a positive number, "scale" or "median"'),
    (Gaussian(np.nan), ValueError, r"width \(=nan\)"),
    (Gaussian("wide"), ValueError, r"width \(='wide'\)"),
    (Laplacian(True), ValueError, r"width \(=True\)"),
    (Polynomial(degree=0), ValueError, r"degree \(=0\) must be an integer, at least 1"),
    (Polynomial(degree=1.5), ValueError, r"degree \(=1.5\)"),
    (Polynomial(coef0="a"), ValueError, r"coef0 \(='a'\) must be a number"),
    (Polynomial(gamma=-1), ValueError, r"gamma \(=-1\) must be a positive number or None"),
    (MatrixGaussian([1.0, 2.0]), ValueError, "omega .* must be a matrix of finite numbers"),
    (MatrixGaussian([[np.nan, 1.0]]), ValueError, "omega .* must be a matrix of finite numbers"),
    (MatrixGaussian(np.ones((2, 3))), ValueError, "(?s)X has 2 features, but Matrix.* takes 3"),
    (SemiInnerProduct("l0.5"), ValueError, r"l0.5.*p must be at least 1"),
    (SemiInnerProduct(KernelMetric(Linear())), TypeError, "SemiInnerProduct needs .* `dual`"),
    (FunctionKernel(3), TypeError, r"function \(=3\) must be callable"),
    (FunctionKernel(lambda x, y: 1.0), ValueError, r"returned shape \(\) instead of \(3, 3\)"),
]


@pytest.mark.parametrize(("kernel", "error", "message"), BAD)
def test_bad_parameters(kernel, error, message):
    with pytest.raises(error, match=message):
        kernel(np.ones((3, 2)))


def test_names_and_functions(rows):
    X, Y = rows
    for name in ("rbf", "gaussian"):
        assert as_kernel(name).get_params()["width"] == "scale"
        assert as_kernel(name).space == "l2"
        assert type(as_kernel(name)) is Gaussian
    assert type(as_kernel("poly")) is type(as_kernel("polynomial")) is Polynomial
    assert type(as_kernel("linear")) is Linear
    assert type(as_kernel("laplacian")) is Laplacian
    kernel = Gaussian(2.0)
    assert as_kernel(kernel) is kernel
    np.testing.assert_allclose(as_kernel(lambda x, y: x @ y)(X, Y), X @ Y.T)
    np.testing.assert_allclose(FunctionKernel(pairwise.linear_kernel)(X, Y), X @ Y.T)


@pytest.mark.parametrize(
    ("bad", "error"), [("cosine", ValueError), (3, TypeError), (Gaussian, TypeError)]
)
def test_what_is_no_kernel(bad, error):
    with pytest.raises(error, match=r"kernel \(="):
        as_kernel(bad)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(), Gaussian(), MatrixGaussian(np.eye(4))])
def test_pull_takes_lists_and_one_force_per_pair(rows, kernel):
    X, W = rows
    F = np.random.default_rng(1).normal(size=(9, 5))
    expected = sum(F[i][:, None] * kernel.gradient(x, W) for i, x in enumerate(X))
    np.testing.assert_allclose(kernel.pull(X.tolist(), W.tolist(), F.tolist()), expected)
    with pytest.raises(ValueError, match=r"F must be \(9, 5\), one force per pair, not \(5, 9\)"):
        kernel.pull(X, W, F.T)
