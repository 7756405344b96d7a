"""scikit-learn's kernel learners hand our kernels whole matrices."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.kernels import Gaussian

WIDTH = 0.7
GAMMA = 0.5 / WIDTH**2


class CountingGaussian(Gaussian):
    shapes = []  # noqa: RUF012 - shared by clones on purpose

    def __call__(self, X, Y=None):
        K = super().__call__(X, Y)
        self.shapes.append(K.shape)
        return K


@pytest.fixture
def moons():
    CountingGaussian.shapes.clear()
    return make_moons(80, noise=0.1, random_state=0)


LEARNERS = {
    "KernelPCA": (KernelPCA, {"n_components": 3}, "transform"),
    "KernelRidge": (KernelRidge, {"alpha": 0.1}, "predict"),
    "Nystroem": (Nystroem, {"n_components": 20, "random_state": 0}, "transform"),
    "SVC": (SVC, {}, "decision_function"),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_few_calls_and_the_same_result_as_the_built_in_kernel(name, moons):
    learner, params, method = LEARNERS[name]
    X, y = moons
    ours = clone(learner(kernel=CountingGaussian(WIDTH), **params)).fit(X, y)
    result = getattr(ours, method)(X[:30])
    assert len(CountingGaussian.shapes) <= 4
    assert all(rows >= 20 and columns >= 20 for rows, columns in CountingGaussian.shapes)
    built_in = learner(kernel="rbf", gamma=GAMMA, **params).fit(X, y)
    expected = getattr(built_in, method)(X[:30])
    if name == "KernelPCA":  # the sign of a component is free
        result, expected = np.abs(result), np.abs(expected)
    np.testing.assert_allclose(result, expected, atol=1e-6)


@pytest.mark.parametrize("learner", [SVC, KernelRidge])
def test_grid_search_over_the_width(learner, moons):
    X, y = moons
    widths = [0.01, 0.5, 50.0]
    search = GridSearchCV(learner(kernel=Gaussian()), {"kernel__width": widths}, cv=3).fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert search.best_params_ == {"kernel__width": 0.5}
    assert len(set(scores)) > 1


def test_pipelines_reach_the_parameters_too(moons):
    X, y = moons
    model = make_pipeline(StandardScaler(), SVC(kernel=Gaussian()))
    model.set_params(svc__kernel__width=0.25).fit(X, y)
    assert model[-1].kernel.width == 0.25
    assert model.score(X, y) > 0.95
