"""Spike trains without labels: neural gas and maps over their kernel."""

import numpy as np
import pytest

import noneuclid
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.prototypes import ProximityNeuralGas, ProximitySOM
from noneuclid.spikes import jittered_templates


@pytest.fixture(scope="module")
def data():
    return jittered_templates(60, random_state=0)


@pytest.mark.parametrize("solver", ["batch", "online"])
def test_neural_gas_finds_the_templates(data, solver):
    kernel = SpikeTrainKernel(0.002)
    model = ProximityNeuralGas(n_prototypes=2, metric=kernel, solver=solver, random_state=0)
    model.fit(data.trains)
    agree = np.mean(model.labels_ == data.labels)
    assert max(agree, 1 - agree) > 0.95
    test = jittered_templates(100, templates=data.templates, random_state=1)
    agree = np.mean(model.predict(test.trains) == test.labels)
    assert max(agree, 1 - agree) > 0.95
    K = kernel(data.trains)
    given = ProximityNeuralGas(n_prototypes=2, solver=solver, random_state=0).fit(K)
    np.testing.assert_allclose(given.coefficients_, model.coefficients_)
    distances = model.transform(test.trains)
    expected = (
        kernel.diag(test.trains)[:, None]
        - 2 * kernel(test.trains, data.trains) @ model.coefficients_.T
        + np.einsum("jl,lk,jk->j", model.coefficients_, K, model.coefficients_)
    )
    np.testing.assert_allclose(distances, expected, rtol=1e-9)


def test_maps_of_spike_trains_are_saved(data, tmp_path):
    model = ProximitySOM(shape=(1, 4), metric=SpikeTrainKernel(0.002)).fit(data.trains)
    for k in range(4):  # no unit holds trains of both templates
        assert len(set(data.labels[model.labels_ == k])) <= 1
    noneuclid.save(model, tmp_path / "map.skops")
    back = noneuclid.load(tmp_path / "map.skops")
    np.testing.assert_array_equal(back.predict(data.trains), model.labels_)
