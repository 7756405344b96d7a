"""SubspaceClassifier in data space and feature space."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.preprocessing import scale

from noneuclid.kernels import Gaussian, Linear, as_kernel
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, SubspaceClassifier


@pytest.mark.parametrize("objective", ["l1", "l2", "tanh"])
def test_is_the_least_reconstruction_error(objective):
    X, y = load_digits(return_X_y=True)
    train, test = slice(0, 900), slice(900, None)
    model = SubspaceClassifier(estimator=GeneralizedPCA(n_components=8, objective=objective))
    model.fit(X[train], y[train])
    errors = []
    for digit in range(10):
        own = X[train][y[train] == digit]
        pca = GeneralizedPCA(n_components=8, objective=objective).fit(own)
        rest = X[test] - pca.inverse_transform(pca.transform(X[test]))
        errors.append(np.linalg.norm(rest, axis=1))
    np.testing.assert_array_equal(model.predict(X[test]), np.argmin(errors, axis=0))
    np.testing.assert_allclose(model.decision_function(X[test]), -np.array(errors).T)
    assert model.score(X[test], y[test]) > 0.93


def test_linear_kernel_is_the_data_space():
    X, y = load_wine(return_X_y=True)
    X = scale(X)
    plain = SubspaceClassifier(estimator=GeneralizedPCA(n_components=3)).fit(X, y)
    kernel = GeneralizedKernelPCA(n_components=3, kernel=Linear())
    featured = SubspaceClassifier(estimator=kernel).fit(X, y)
    np.testing.assert_allclose(plain.decision_function(X), featured.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("n_landmarks", [None, 15])
def test_precomputed_kernel(n_landmarks):
    X, y = load_wine(return_X_y=True)
    K = Gaussian(width=3.0)(scale(X))
    models = [
        SubspaceClassifier(
            estimator=GeneralizedKernelPCA(
                n_components=4, kernel=kernel, n_landmarks=n_landmarks, random_state=0
            )
        )
        for kernel in ("precomputed", Gaussian(width=3.0))
    ]
    scores = [cross_val_score(m, D, y, cv=3) for m, D in zip(models, (K, scale(X)))]
    np.testing.assert_allclose(scores[0], scores[1])
    assert scores[0].mean() > 0.85


def test_grid_search():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(
        SubspaceClassifier(estimator=GeneralizedPCA()), {"estimator__n_components": [1, 2]}, cv=3
    ).fit(X, y)
    assert search.best_score_ > 0.9


def test_few_samples_get_few_components():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(3, 10)), rng.normal(size=(20, 10)) + 5])
    y = np.repeat([0, 1], [3, 20])
    model = SubspaceClassifier(estimator=GeneralizedPCA(n_components=15)).fit(X, y)
    assert [len(e.components_) for e in model.estimators_] == [2, 9]


def test_single_sample_of_a_class():
    with pytest.raises(ValueError, match="only one sample"):
        SubspaceClassifier().fit(np.eye(3), [0, 0, 1])


@pytest.mark.parametrize("kernel", ["rbf", Gaussian("scale"), Gaussian("median")])
def test_errors_are_compared_in_one_feature_space(kernel):
    rng = np.random.default_rng(0)
    X = np.vstack([3 * rng.normal(size=(100, 2)), 0.1 * rng.normal(size=(100, 2)) + 2])
    y = np.repeat([0, 1], 100)
    fixed = as_kernel(kernel).resolve(X)
    found = [
        SubspaceClassifier(estimator=GeneralizedKernelPCA(kernel=k, objective="l2")).fit(X, y)
        for k in (kernel, fixed)
    ]
    assert {part.kernel_.width for part in found[0].estimators_} == {fixed.width}
    np.testing.assert_array_equal(found[0].predict(X), found[1].predict(X))
