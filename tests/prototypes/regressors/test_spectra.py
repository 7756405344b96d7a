"""Fat of meat, as a number: the geometry of slopes predicts it better than the curves as they are.

A reduced form of benchmarks/regression.py.
"""

import numpy as np
import pytest
from sklearn.compose import TransformedTargetRegressor
from sklearn.cross_decomposition import PLSRegression
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

from benchmark_data import load
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import PrototypeRegressor
from noneuclid.spaces import Sobolev

pytestmark = pytest.mark.slow
SLOPES = Sobolev(spacing="unit")


@pytest.fixture(scope="module")
def spectra():
    data = load("tecator")
    _, first = np.unique(data["absorbance"], axis=0, return_index=True)
    first = np.sort(first)
    assert len(first) == 193
    return data["absorbance"][first], data["fat"][first]


def rmse(model, X, y):
    said = cross_val_predict(model, X, y, cv=KFold(10, shuffle=True, random_state=0))
    return float(np.sqrt(np.mean((np.ravel(said) - y) ** 2)))


def test_kernel_ridge_in_the_geometry_of_slopes(spectra):
    """Width and ridge come from a grid on these same folds, which flatters the errors a little.

    benchmarks/regression.py tunes them inside the training parts.
    """
    X, y = spectra

    def ridge(width, alpha, space):
        kernel = KernelRidge(alpha=alpha, kernel=Gaussian(width, space=space))
        return TransformedTargetRegressor(kernel, transformer=StandardScaler())

    slopes = rmse(ridge(2.8, 1e-4, SLOPES), X, y)
    plain = rmse(ridge(41.0, 1e-9, "l2"), X, y)
    latent = rmse(PLSRegression(14, scale=False), X, y)
    assert slopes < 0.85
    assert slopes < 0.75 * plain
    assert slopes < 0.5 * latent


def test_few_prototypes_and_their_neighbours(spectra):
    X, y = spectra
    roots = np.sqrt(np.maximum(SLOPES.squared_distance(X, X), 0.0))
    near = rmse(KNeighborsRegressor(3, weights="distance", metric="precomputed"), roots, y)
    for m in (10, 20):
        model = PrototypeRegressor(n_prototypes=m, space=SLOPES, random_state=0)
        assert rmse(model, X, y) < 0.6 * near
