"""What fit keeps of a parameter object is a clone: changing the parameter changes no model."""

import numpy as np
import pytest

from noneuclid.kernels import Gaussian, Polynomial, SemiInnerProduct, SpikeTrainKernel
from noneuclid.pca import (
    BanachKernelPCA,
    GeneralizedKernelPCA,
    HebbianPCA,
    KernelHebbianPCA,
    SubspaceClassifier,
)
from noneuclid.spaces import Hilbert, KernelMetric, Lp, Sobolev
from noneuclid.spikes import SpikeTrainPCA, jittered_templates

X = np.random.default_rng(0).normal(size=(40, 4)) * [3, 2, 1, 0.5]
TRAINS = jittered_templates(20, random_state=0).trains


@pytest.mark.parametrize("way", ["fit", "partial_fit"])
@pytest.mark.parametrize(
    ("space", "change"),
    [(Lp(1), {"p": 3}), (Sobolev(), {"weights": (1, 50)}), (Sobolev(p=1.5), {"p": 4})],
    ids=str,
)
def test_a_space(space, change, way):
    model = getattr(HebbianPCA(space=space, random_state=0), way)(X)
    before = model.transform(X)
    model.set_params(**{f"space__{name}": value for name, value in change.items()})
    np.testing.assert_array_equal(model.transform(X), before)
    assert model.space_ is not model.space


def test_partial_fit_goes_on_in_the_space_it_began_in():
    first = HebbianPCA(space=Lp(1), random_state=0).partial_fit(X).partial_fit(X)
    second = HebbianPCA(space=Lp(1), random_state=0).partial_fit(X)
    second.space.p = 3
    np.testing.assert_array_equal(second.partial_fit(X).components_, first.components_)


def test_an_array_changed_in_place():
    gram = np.diag([1.0, 2.0, 3.0, 4.0])
    model = HebbianPCA(space=Hilbert(gram)).fit(X)
    before = model.transform(X)
    gram[0, 0] = 100.0
    np.testing.assert_array_equal(model.transform(X), before)


def test_the_kernel_of_a_kernel_metric():
    model = HebbianPCA(space=KernelMetric(Gaussian(2.0)), n_components=1).fit(X)
    before = model.transform(X)
    model.set_params(space__kernel__width=0.1)
    np.testing.assert_array_equal(model.transform(X), before)


@pytest.mark.parametrize("deflation", ["sanger", "residual"])
def test_other_parameters_of_the_rule(deflation):
    model = HebbianPCA(space="l1", deflation=deflation, random_state=0).fit(X)
    before = model.transform(X)
    model.set_params(deflation="sanger" if deflation == "residual" else "residual")
    np.testing.assert_array_equal(model.transform(X), before)


@pytest.mark.parametrize(
    "model",
    [
        GeneralizedKernelPCA(kernel=Gaussian(2.0)),
        GeneralizedKernelPCA(kernel=Gaussian(0.3)),
        GeneralizedKernelPCA(kernel=Gaussian(2.0), objective="l2"),
        GeneralizedKernelPCA(kernel=Gaussian(2.0), n_landmarks=10, random_state=0),
        KernelHebbianPCA(kernel=Gaussian(2.0), random_state=0),
        BanachKernelPCA(kernel=Gaussian(2.0)),
    ],
    ids=str,
)
def test_a_kernel(model):
    model.fit(X)
    before = model.transform(X)
    model.set_params(kernel__width=0.1)
    np.testing.assert_array_equal(model.transform(X), before)
    assert model.kernel_.width != 0.1


def test_centring():
    model = GeneralizedKernelPCA(kernel=Polynomial(degree=2)).fit(X)
    before = model.reconstruction_error(X)
    model.set_params(center=False)
    np.testing.assert_array_equal(model.reconstruction_error(X), before)


def test_a_space_inside_a_kernel():
    model = BanachKernelPCA(kernel=SemiInnerProduct(Lp(1.5))).fit(X)
    before = model.transform(X)
    model.set_params(kernel__space__p=4)
    np.testing.assert_array_equal(model.transform(X), before)


def test_spike_trains():
    model = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.005)).fit(TRAINS)
    before, functions = model.transform(TRAINS), model.component_functions([0.1])
    model.set_params(kernel__width=0.1)
    np.testing.assert_array_equal(model.transform(TRAINS), before)
    np.testing.assert_array_equal(model.component_functions([0.1]), functions)


def test_the_estimator_of_a_classifier():
    model = SubspaceClassifier(estimator=GeneralizedKernelPCA(kernel=Gaussian(2.0)))
    model.fit(X, np.arange(len(X)) % 2)
    before = model.decision_function(X)
    model.set_params(estimator__kernel__width=0.1)
    np.testing.assert_array_equal(model.decision_function(X), before)
