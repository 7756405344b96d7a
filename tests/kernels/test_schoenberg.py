"""The Gaussian of a kernel's distance."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import noneuclid
from noneuclid.kernels import (
    CrossInformationPotential,
    Gaussian,
    Linear,
    PairKernel,
    Polynomial,
    Schoenberg,
    SemiInnerProduct,
    SpikeTrainKernel,
)
from noneuclid.prototypes import KernelGLVQ


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(12, 4)), rng.normal(size=(5, 4))


@pytest.fixture
def trains():
    rng = np.random.default_rng(1)
    slow = [np.sort(rng.uniform(0, 10, size=8)) for _ in range(12)]
    late = [np.sort(rng.uniform(4, 10, size=8)) for _ in range(12)]
    return slow + late, np.repeat([0, 1], 12)


def test_over_the_linear_kernel_it_is_the_gaussian(rows):
    X, Y = rows
    np.testing.assert_allclose(Schoenberg(Linear(), 1.3)(X, Y), Gaussian(1.3)(X, Y))
    np.testing.assert_allclose(Schoenberg("linear", 1.3)(X), Gaussian(1.3)(X), atol=1e-14)


def test_of_trains_by_the_integral_of_squared_differences(trains):
    X, _ = trains
    t = np.linspace(-5, 15, 40_001)
    smooth = [np.exp(-0.5 * ((t[:, None] - x) / 0.3) ** 2).sum(axis=1) for x in X[:4]]
    smooth = np.array(smooth) / (0.3 * np.sqrt(2 * np.pi))
    D = ((smooth[:, None] - smooth[None]) ** 2).sum(axis=2) * (t[1] - t[0])
    kernel = Schoenberg(SpikeTrainKernel(0.3), 1.7)
    np.testing.assert_allclose(kernel(X[:4]), np.exp(-D / (2 * 1.7**2)), rtol=1e-6)
    np.testing.assert_allclose(kernel.squared_distance(X[:4]), D, rtol=1e-6)


@pytest.mark.parametrize("rule", ["median", "scale"])
def test_rules_of_the_width(rows, rule):
    X = np.vstack([rows[0], rows[0][:1]]) - rows[0].mean()
    D = cdist(X, X)[np.triu_indices(13, 1)]
    expected = np.median(D[D > 0]) if rule == "median" else np.sqrt((D**2).mean()) / 2
    found = Schoenberg(Linear(), rule).resolve(X)
    assert found.width == pytest.approx(expected)
    with pytest.raises(ValueError, match="at least two distinct rows"):
        Schoenberg(Linear(), rule).resolve(np.ones((3, 2)))


def test_what_the_inner_kernel_leaves_to_the_data_is_fixed_too():
    bags = [np.random.default_rng(i).normal(i % 2, 1, size=(9, 2)) for i in range(8)]
    free = Schoenberg(CrossInformationPotential("median"), "median")
    with pytest.raises(ValueError, match="call resolve"):
        free(bags)
    fixed = free.resolve(bags)
    assert isinstance(fixed.width, float)
    assert isinstance(fixed.kernel.width, float)
    assert free.width == free.kernel.width == "median"
    assert fixed.resolve(bags) is fixed
    assert Schoenberg(CrossInformationPotential("median"), 2.0).resolve(bags).width == 2.0


def test_refuses_what_is_not_symmetric():
    with pytest.raises(ValueError, match="needs a symmetric kernel; SemiInnerProduct"):
        Schoenberg(SemiInnerProduct("l1"))(np.eye(3))


def test_an_indefinite_kernel_is_said_to_be_one():
    def words_apart(a, b):
        return -float(abs(len(a) - len(b)) ** 3)

    kernel = Schoenberg(PairKernel(words_apart, symmetric=True), 5.0)
    assert not kernel.is_positive_definite
    K = kernel(["a", "ab", "abc", "abcde"])
    np.testing.assert_array_equal(np.diag(K), 1.0)
    assert np.linalg.eigvalsh(K)[0] < -1e-3
    assert Schoenberg(SpikeTrainKernel(1.0)).is_positive_definite
    assert not Schoenberg(Polynomial(coef0=-1.0)).is_positive_definite


def test_gradient_only_where_the_inner_kernel_has_one():
    assert hasattr(Schoenberg(Polynomial()), "gradient")
    assert not hasattr(Schoenberg(SpikeTrainKernel(1.0)), "gradient")


def test_in_learners_and_searches(trains, tmp_path):
    X, y = trains
    kernel = Schoenberg(SpikeTrainKernel(0.5), "median")
    model = KernelGLVQ(kernel=kernel, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    assert kernel.width == "median"
    model.set_params(kernel__kernel__width=3.0)
    assert kernel.kernel.width == 3.0
    assert model.relation_.metric_.kernel.width == 0.5
    noneuclid.save(model, tmp_path / "model.skops")
    np.testing.assert_array_equal(
        noneuclid.load(tmp_path / "model.skops").predict(X), model.predict(X)
    )
    assert clone(kernel).get_params(deep=True)["kernel__width"] == 3.0
    trains = np.empty(len(X), dtype=object)
    trains[:] = X
    grid = {"kernel__kernel__width": [0.001, 1.0], "kernel__width": [0.1, 3.0]}
    svc = SVC(kernel=Schoenberg(SpikeTrainKernel(0.5)))
    search = GridSearchCV(svc, grid, cv=3).fit(trains, y)
    assert search.best_score_ > 0.8
    assert len(set(search.cv_results_["mean_test_score"])) > 1
