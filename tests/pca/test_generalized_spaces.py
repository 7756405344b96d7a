"""GeneralizedPCA in Hilbert spaces: the same learning in the coordinates of their chart."""

import numpy as np
import pytest

from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedPCA, HebbianPCA
from noneuclid.spaces import (
    FourierSobolev,
    Hilbert,
    IncompatibleSpace,
    KernelMetric,
    PseudoEuclidean,
    Sobolev,
)

RNG = np.random.default_rng(0)
B = RNG.normal(size=(6, 6))
GRAM = B @ B.T + np.eye(6)
SPACES = [Hilbert(GRAM), Sobolev(), Sobolev(spacing="unit"), FourierSobolev()]
OBJECTIVES = ["l1", "l2", "l1.5", "tanh", "skeleton", "gaussian"]


def name(space):
    return space if isinstance(space, str) else type(space).__name__


def rows(n=80):
    return RNG.standard_t(4, size=(n, 6)) * np.linspace(3, 1, 6) + 5.0


def gram_of(space, d=6):
    return space.product(np.eye(d), np.eye(d))


@pytest.mark.parametrize("space", SPACES, ids=name)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_orthonormal_in_the_space(space, objective):
    X = rows()
    params = {"objective": objective, "n_components": 3, "tol": 1e-8}
    model = GeneralizedPCA(space=space, **params).fit(X)
    W = model.components_
    np.testing.assert_allclose(space.product(W, W), np.eye(3), atol=1e-8)
    np.testing.assert_allclose(model.transform(X), (X - X.mean(axis=0)) @ gram_of(space) @ W.T)
    lost = X - model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(model.reconstruction_error(X), space.norm(lost), rtol=1e-6)


@pytest.mark.parametrize("deflation", ["greedy", "joint"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_another_root_of_the_gram_matrix_gives_the_same(objective, deflation):
    """X R with R R' = G is Euclidean: components there are R' times those of the space."""
    X = rows()
    values, vectors = np.linalg.eigh(GRAM)
    R = vectors * np.sqrt(values)
    params = {"objective": objective, "deflation": deflation, "a": 4.0, "tol": 1e-9}
    ours = GeneralizedPCA(space=Hilbert(GRAM), **params).fit(X)
    flat = GeneralizedPCA(**params).fit(X @ R)
    np.testing.assert_allclose(ours.components_ @ R, flat.components_, atol=1e-5)
    np.testing.assert_allclose(ours.transform(X), flat.transform(X @ R), atol=1e-4)
    np.testing.assert_allclose(ours.mean_, X.mean(axis=0))


def test_components_that_go_round_in_circles_are_at_rest():
    """On these data steps of all components raised nothing any more, and went on to the limit."""
    values, vectors = np.linalg.eigh(GRAM)
    X = rows() @ (vectors * np.sqrt(values))
    model = GeneralizedPCA(objective="gaussian", deflation="joint", a=4.0, tol=1e-12).fit(X)
    assert model.n_iter_ < 500
    assert (np.diff(model.objective_curve_) >= 0).all()


@pytest.mark.parametrize("space", SPACES, ids=name)
def test_l2_is_pca_of_the_space(space):
    X = rows()
    ours = GeneralizedPCA(objective="l2", n_components=3, space=space).fit(X)
    exact = HebbianPCA(n_components=3, space=space).fit(X)
    signs = np.sign(np.einsum("ij,ij->i", ours.components_, exact.components_))
    np.testing.assert_allclose(signs[:, None] * ours.components_, exact.components_, atol=1e-8)


INDEFINITE = PseudoEuclidean(signature=(4, 2))
OTHERS = ["l1", "linf", Sobolev(p=1.5), INDEFINITE, KernelMetric(Gaussian())]


@pytest.mark.parametrize("space", OTHERS, ids=name)
def test_other_spaces_are_refused(space):
    with pytest.raises(IncompatibleSpace, match="GeneralizedPCA needs a Hilbert space, and"):
        GeneralizedPCA(space=space).fit(rows())


def test_a_space_of_another_width():
    with pytest.raises(ValueError, match="features"):
        GeneralizedPCA(space=Hilbert(np.eye(3))).fit(rows())


def test_a_fitted_model_keeps_its_space():
    X, space = rows(), Sobolev()
    model = GeneralizedPCA(space=space).fit(X)
    before = model.transform(X)
    space.weights = (1, 100)
    np.testing.assert_array_equal(model.transform(X), before)


@pytest.mark.parametrize("space", [Hilbert(GRAM), Sobolev()], ids=name)
@pytest.mark.parametrize("objective", ["l1", "l2", "skeleton"])
def test_blocks(space, objective, tmp_path):
    """A dask array, and rows with a checkpoint, have the components of the rows in memory."""
    da = pytest.importorskip("dask.array")
    dask = pytest.importorskip("dask")
    X = rows()
    params = {"objective": objective, "space": space, "random_state": 0, "n_init": 2}
    here = GeneralizedPCA(**params).fit(X)
    with dask.config.set(scheduler="synchronous"):
        there = GeneralizedPCA(**params).fit(da.from_array(X, chunks=((30, 0, 50), 6)))
    kept = [GeneralizedPCA(**params, checkpoint=tmp_path).fit(X) for _ in range(2)]
    for model in (there, *kept):
        np.testing.assert_allclose(model.components_, here.components_, atol=1e-5)
        np.testing.assert_allclose(model.mean_, here.mean_)
