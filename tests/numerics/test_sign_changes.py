"""Signs that change from step to step against all of them anew."""

import numpy as np
import pytest

from noneuclid.pca import GeneralizedPCA
from noneuclid.pca import _signs as signs_module
from noneuclid.pca._signs import NO_SIGN, LeadingSigns, Signs


def told(X, leading):
    if leading is None:
        return Signs(X)
    return LeadingSigns(X, np.einsum("ij,ij->i", X, X), leading)


@pytest.fixture(params=["compiled", "plain"])
def way(request, monkeypatch):
    monkeypatch.setattr(signs_module, "_MUCH", 0 if request.param == "compiled" else 1 << 60)
    return request.param


@pytest.mark.parametrize("leading", [None, [2, 0, 5]])
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_signs_and_their_sum_are_those_made_anew(way, leading, scale):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 9)) * [1, 1e-3, 2, 1e-3, 1e-4, 1, 1e-3, 1e-3, 0] * scale
    X[3], X[7] = 0.0, -X[6]
    signs = told(X, None if leading is None else np.array(leading))
    followed, total = np.full(150, NO_SIGN), np.zeros(9)
    w = rng.normal(size=9)
    for step in (1.0, 1.0, 0.1, 1e-2, 1e-3, 0.0, 1.0):
        w = w + step * rng.normal(size=9)
        w /= np.linalg.norm(w)
        signs.follow(w, followed, total)
        np.testing.assert_array_equal(followed, np.sign(X @ w))
        np.testing.assert_allclose(total / scale, followed @ (X / scale), rtol=0, atol=1e-12)


def test_a_sign_is_0_where_the_projection_is(way):
    X = np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, 1.0]] * 3)
    followed, total = np.full(12, NO_SIGN), np.zeros(2)
    for w, expected in (([1.0, 0.0], [1, 1, 0, -1]), (np.sqrt([0.5, 0.5]), [1, 0, 0, 0])):
        Signs(X).follow(np.asarray(w), followed, total)
        np.testing.assert_array_equal(followed, expected * 3)
        np.testing.assert_allclose(total, followed @ X)


@pytest.mark.parametrize("n", [2, 7, 40])
def test_components_are_the_same_either_way(n, monkeypatch):
    X = np.random.default_rng(n).standard_t(3, size=(n, 5)) + 1.0
    found = []
    for much in (0, 1 << 60):
        monkeypatch.setattr(signs_module, "_MUCH", much)
        model = GeneralizedPCA(n_components=min(n - 1, 3), objective="l1")
        found.append(model.fit(X).components_)
    np.testing.assert_allclose(*found, atol=1e-12)
