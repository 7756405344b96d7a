"""Epochs that run while another thread looks at the one before give what they give in turn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs

from noneuclid.kernels import Gaussian
from noneuclid.prototypes import KernelGLVQ, KernelRSLVQ, RelationalRSLVQ
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.prototypes.solvers import sgd

MODELS = {
    "soft": KernelRSLVQ(kernel=Gaussian(width=3.0)),
    "margin": KernelGLVQ(kernel=Gaussian(width=3.0), solver="sgd"),
    "convex": KernelRSLVQ(kernel=Gaussian(width=3.0), constraint="convex"),
    "affine": KernelRSLVQ(kernel=Gaussian(width=3.0), constraint="affine"),
    "distances": RelationalRSLVQ(metric="euclidean"),
}


@pytest.fixture(scope="module")
def data():
    return make_blobs(300, centers=4, n_features=3, cluster_std=4.0, random_state=1)


def fitted(model, cores, data, monkeypatch, **params):
    monkeypatch.setattr(sgd, "_WORTH_A_THREAD", 0)
    monkeypatch.setattr(sgd, "threads_here", lambda: cores)
    rng = np.random.RandomState(3)
    params = {"n_landmarks": 30, "n_prototypes": 2, "random_state": rng, **params}
    return model.set_params(**params).fit(*data), rng.randint(2**31)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "params",
    [{}, {"tol": 0.0, "max_epochs": 13}, {"tol": 0.3}, {"max_epochs": 1}, {"max_epochs": 2}],
    ids=["default", "all epochs", "soon enough", "one epoch", "two epochs"],
)
def test_models_are_the_same(name, params, data, monkeypatch):
    """Also their curves, their numbers of epochs, and where the random numbers go on."""
    model = MODELS[name]
    alone, then = fitted(model, 1, data, monkeypatch, **params)
    alone = vars(alone).copy()
    beside, also_then = fitted(model, 2, data, monkeypatch, **params)
    np.testing.assert_array_equal(beside.coefficients_, alone["coefficients_"])
    assert beside.loss_curve_ == alone["loss_curve_"]
    assert beside.n_iter_ == alone["n_iter_"]
    assert (beside.n_refused_, beside.n_clipped_) == (alone["n_refused_"], alone["n_clipped_"])
    assert then == also_then


def test_another_thread_looks_where_that_is_of_use(data, monkeypatch):
    """Not where the next epoch needs to know what it saw."""
    asked = []
    ahead = sgd.SGD._ahead
    monkeypatch.setattr(sgd.SGD, "_ahead", lambda *args: asked.append(1) or ahead(*args))
    soft = MODELS["soft"]
    fitted(soft, 2, data, monkeypatch)
    assert len(asked) == 1
    fitted(soft, 1, data, monkeypatch)
    for params in ({"learning_rate": 0.01}, {"gradient": "coordinates"}, {"n_landmarks": None}):
        name = next(iter(params))
        before = soft.get_params()[name]
        fitted(soft, 2, data, monkeypatch, **params)
        soft.set_params(**{name: before})
    assert len(asked) == 1


def test_what_goes_wrong_beside_comes_through(data, monkeypatch):
    model = KernelRSLVQ(kernel=Gaussian(width=3.0)).set_params(n_landmarks=30)
    distances, calls = FeatureGeometry.distances, []

    def fails(self, theta, rows=slice(None)):
        calls.append(1)
        if len(calls) > 4:
            raise FloatingPointError("in another thread")
        return distances(self, theta, rows)

    monkeypatch.setattr(FeatureGeometry, "distances", fails)
    with pytest.raises(FloatingPointError, match="in another thread"):
        fitted(model, 2, data, monkeypatch)
    assert not hasattr(model, "coefficients_")


def test_epochs_over_blocks_run_in_turn(data, monkeypatch, tmp_path):
    """A checkpoint names answers by the order of its questions; passes set numbers of threads."""
    asked = []
    monkeypatch.setattr(sgd.SGD, "_ahead", lambda *args: asked.append(1))
    model = KernelRSLVQ(kernel=Gaussian(width=3.0), checkpoint=tmp_path)
    first, _ = fitted(model, 2, data, monkeypatch, random_state=0)
    again, _ = fitted(clone(model), 2, data, monkeypatch, random_state=0)
    np.testing.assert_array_equal(first.coefficients_, again.coefficients_)
    assert not asked


def test_random_numbers_of_others_are_not_drawn_again(data, monkeypatch):
    """No epoch runs that does not count: the generator never goes back."""
    model, epochs = MODELS["soft"], []
    epoch = sgd.SGD.epoch
    monkeypatch.setattr(sgd.SGD, "epoch", lambda *args: epochs.append(1) or epoch(*args))
    for tol in (0.0, 1e-4, 0.3):
        epochs.clear()
        fitted(model, 2, data, monkeypatch, tol=tol)
        assert len(epochs) == model.n_iter_


def test_a_fit_that_ends_before_it_diverges_does_so_on_any_number_of_cores(monkeypatch):
    """In its third epoch this one would leave the data, if there were one."""
    X, y = make_blobs(3000, centers=2, n_features=2, cluster_std=4.0, random_state=1)
    K = np.tanh(0.3 * X @ X.T - 0.5)
    model = KernelRSLVQ(
        kernel="precomputed",
        constraint="none",
        n_landmarks=20,
        n_prototypes=3,
        n_iter_no_change=2,
        random_state=3,
    )
    for cores in (1, 2):
        monkeypatch.setattr(sgd, "threads_here", lambda cores=cores: cores)
        assert model.fit(K, y).n_iter_ <= 2
