"""Independent components in Hilbert spaces: the space decides what is kept, not what is found."""

import numpy as np
import pytest
from sklearn.base import clone

from noneuclid import Curves, GeneralizedPCA, KernelICA
from noneuclid.spaces import Hilbert, IncompatibleSpace, Sobolev
from noneuclid.testing import example_spaces

HILBERT = [space for space in example_spaces() if getattr(space, "is_hilbert", False)]


def sources(n=400):
    rng = np.random.default_rng(0)
    return np.column_stack([rng.uniform(-1, 1, n), rng.laplace(size=n)])


def curves_with_noise(t):
    """Two small fast components with independent scores under a large smooth one."""
    rng = np.random.default_rng(1)
    S = sources()
    smooth = rng.normal(size=(len(S), 1)) * 3.0
    fast = S @ np.array([np.sin(20 * t), np.sin(20 * t + 1.0)])
    return S, fast + smooth * np.cos(t) + 0.001 * rng.normal(size=(len(S), len(t)))


def matched(found, true):
    C = np.abs(np.corrcoef(found.T, true.T)[: found.shape[1], found.shape[1] :])
    return C.max(axis=0).min()


@pytest.mark.parametrize("space", HILBERT, ids=str)
def test_all_components_are_those_of_any_space(space):
    """Whitening makes all products equal where nothing is left out."""
    d = space.n_features or 5
    rng = np.random.default_rng(2)
    X = rng.laplace(size=(60, d)) @ rng.normal(size=(d, d))
    ours, flat = KernelICA(space=space, max_iter=1).fit(X), KernelICA(max_iter=1).fit(X)
    np.testing.assert_allclose(ours.transform(X).std(axis=0), 1.0, rtol=1e-8)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), X, atol=1e-7)
    np.testing.assert_allclose(
        ours.components_ @ ours.mixing_, np.eye(d), atol=1e-7 * np.abs(ours.mixing_).max()
    )
    turned = ours.components_ @ flat.mixing_  # both are white, so one is the other, rotated
    np.testing.assert_allclose(turned @ turned.T, np.eye(d), atol=1e-6)


def test_the_space_decides_what_is_kept():
    t = np.linspace(0, 1, 60)
    S, X = curves_with_noise(t)
    in_sobolev = KernelICA(2, space=Sobolev(weights=(1e-3, 1.0), grid=t)).fit_transform(X)
    in_l2 = KernelICA(2).fit_transform(X)
    assert matched(in_sobolev, S) > 0.97
    assert matched(in_l2, S) < 0.9


def test_sources_are_those_of_the_flat_coordinates():
    rng = np.random.default_rng(3)
    X = rng.laplace(size=(200, 4)) @ rng.normal(size=(4, 4))
    A = rng.normal(size=(4, 4))
    space = Hilbert(A @ A.T + np.eye(4))
    ours = KernelICA(2, space=space).fit_transform(X)
    flat = KernelICA(2).fit_transform(space.flatten(X))
    signs = np.sign((ours * flat).sum(axis=0))
    np.testing.assert_allclose(ours, flat * signs, atol=1e-6)


@pytest.mark.parametrize("space", ["l1", "linf", "l1.5"])
def test_other_spaces_are_refused(space):
    with pytest.raises(IncompatibleSpace, match="KernelICA needs a Hilbert space"):
        KernelICA(space=space).fit(np.random.default_rng(0).normal(size=(30, 3)))


@pytest.mark.parametrize("model", [KernelICA(2), GeneralizedPCA(n_components=2)], ids=str)
def test_the_grid_comes_from_the_curves(model):
    t = np.concatenate([np.linspace(0, 1, 30), np.linspace(1.5, 9.0, 20)])
    _, X = curves_with_noise(t)
    of_curves = clone(model).set_params(space=Sobolev()).fit(Curves([(t, x) for x in X]))
    of_rows = clone(model).set_params(space=Sobolev(grid=t)).fit(X)
    np.testing.assert_allclose(of_curves.components_, of_rows.components_, atol=1e-8)
