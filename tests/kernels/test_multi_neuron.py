"""Trials of several neurons: kernels against their definition, input, and learners."""

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

import noneuclid
from noneuclid.kernels import Gaussian, MultiNeuronKernel, Schoenberg, SpikeTrainKernel
from noneuclid.kernels.trials import Trials, as_trials
from noneuclid.pca import GeneralizedKernelPCA
from noneuclid.prototypes import KernelGLVQ, KernelRSLVQ, ProximityNeuralGas
from noneuclid.spikes import SpikeTrainPCA, jittered_templates

INNER = SpikeTrainKernel(0.1, smoothing="exponential")


def trials(seed, n, neurons=3):
    rng = np.random.default_rng(seed)
    return [[np.sort(rng.random(rng.integers(0, 7))) for _ in range(neurons)] for _ in range(n)]


@pytest.mark.parametrize("combine", ["sum", "product"])
@pytest.mark.parametrize(
    "inner",
    [INNER, SpikeTrainKernel(0.1, normalize=True), Schoenberg(INNER, 1.5)],
    ids=["plain", "angle", "Schoenberg"],
)
def test_all_pairs_equal_the_definition(combine, inner):
    X, Y = trials(0, 5), trials(1, 4)
    fold = {"sum": np.sum, "product": np.prod}[combine]
    kernel = MultiNeuronKernel(inner, combine=combine)
    for given, others in ((X, Y), (X, X)):
        expected = [
            [fold([inner([a], [b])[0, 0] for a, b in zip(x, y)]) for y in others] for x in given
        ]
        np.testing.assert_allclose(kernel(given, others), expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(kernel.diag(X), np.diag(kernel(X)), rtol=1e-12)


def test_one_neuron_is_the_kernel_itself():
    X = trials(0, 6, neurons=1)
    alone = [trial[0] for trial in X]
    for combine in ("sum", "product"):
        K = MultiNeuronKernel(INNER, combine=combine)(X)
        np.testing.assert_array_equal(K, INNER(alone))


def test_the_product_of_schoenbergs_kernels_is_that_of_the_sum():
    X = trials(2, 8)
    product = MultiNeuronKernel(Schoenberg(INNER, 2.0), combine="product")
    np.testing.assert_allclose(product(X), Schoenberg(MultiNeuronKernel(INNER), 2.0)(X), rtol=1e-12)


def test_what_is_left_to_the_data_is_fixed_on_all_neurons():
    X = trials(3, 9)
    kernel = MultiNeuronKernel(Schoenberg(INNER, "median"), combine="product").resolve(X)
    pooled = [train for k in range(3) for train in (trial[k] for trial in X)]
    assert kernel.kernel.width == Schoenberg(INNER, "median").resolve(pooled).width
    assert kernel.n_neurons == 3
    with pytest.raises(ValueError, match=r"Y\[0\] has 2 neurons, and there must be 3"):
        kernel(X, trials(0, 2, neurons=2))


def test_trials_are_sliced_like_lists():
    X = as_trials(trials(0, 5))
    assert (len(X), X.n_neurons, len(X[1:3]), len(X[[0, 4]]), len(X[np.arange(5) > 3])) == (
        5, 3, 2, 2, 1,
    )  # fmt: skip
    np.testing.assert_array_equal(X[[4, 0]][0][1], X[4][1])
    cube = np.random.default_rng(0).random((4, 2, 6))
    np.testing.assert_array_equal(as_trials(cube)[2][1], np.sort(cube[2, 1]))
    assert len(as_trials([])) == 0


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (
            [[[0.1], [0.2]], [[0.1]]],
            ValueError,
            r"X\[1\] has 1 neurons, and X\[0\] has 2: give",
        ),
        ([[0.1, 0.2], [0.3]], ValueError, r"X\[0\] is a single train: a trial is a list of trains"),
        ([[]], ValueError, r"X\[0\] has no neurons"),
        ([[[0.1], [np.nan]]], ValueError, r"neuron 1 of X\[0\] holds NaN"),
        ([[[0.1], "ab"]], TypeError, r"neuron 1 of X\[0\] must be a 1-d array of event times"),
        ([3.0], TypeError, r"X\[0\] must be a trial, a list of trains, not float"),
        ("words", TypeError, "X must be a list of trials, not str"),
        (7, TypeError, "X must be a list of trials, not int"),
        ([[[[0.1]], [[0.2]]]], ValueError, r"neuron 0 of X\[0\] must be a 1-d array"),
    ],
)
def test_bad_trials(X, error, message):
    with pytest.raises(error, match=message):
        MultiNeuronKernel(INNER)(X)


@pytest.mark.parametrize("inner", [Gaussian(), "rbf", None, lambda a, b: 1.0])
def test_other_kernels_are_refused(inner):
    with pytest.raises((TypeError, ValueError), match=r"kernel \(=.*\) must be"):
        MultiNeuronKernel(inner)([[[0.1]]])
    with pytest.raises(ValueError, match=r"combine \(='max'\) must be one of"):
        MultiNeuronKernel(INNER, combine="max")([[[0.1]]])


# --- learners -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def labelled():
    """The class is told by no neuron alone, but by the first and the second together."""
    first = jittered_templates(40, jitter=0.002, random_state=0)
    rng = np.random.default_rng(5)
    templates = rng.uniform(0, 0.25, size=(2, 10))
    side = rng.integers(2, size=40)
    second = [np.sort(t + 0.002 * rng.normal(size=10)) for t in templates[side]]
    y = (first.labels + side) % 2
    return [[a, b] for a, b in zip(first.trains, second)], y


@pytest.mark.parametrize("cls", [KernelGLVQ, KernelRSLVQ])
def test_the_product_tells_what_neurons_say_together(cls, labelled, tmp_path):
    X, y = labelled
    inner = SpikeTrainKernel(0.004, normalize=True)
    kernel = MultiNeuronKernel(inner, combine="product")
    model = cls(kernel=kernel, n_prototypes=2, random_state=0)
    assert cross_val_score(model, X, y, cv=4).mean() > 0.9
    noneuclid.save(model.fit(X, y), tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    assert back.relation_.metric_.n_neurons == 2
    with pytest.raises(ValueError, match="has 1 neurons, and there must be 2"):
        back.predict([[[0.1]]])


def test_every_other_learner_takes_trials(labelled):
    X, y = labelled
    kernel = MultiNeuronKernel(SpikeTrainKernel(0.004), combine="sum")
    assert SVC(kernel=kernel).fit(X, y).predict(X).shape == (40,)
    gas = ProximityNeuralGas(n_prototypes=4, metric=kernel, random_state=0).fit(X)
    assert len(np.unique(gas.labels_)) == 4
    scores = GeneralizedKernelPCA(n_components=3, kernel=kernel, objective="l2").fit_transform(X)
    own = SpikeTrainPCA(3, kernel=kernel).fit_transform(X)
    np.testing.assert_allclose(np.abs(scores), np.abs(own), atol=1e-6 * np.abs(own).max())


def test_components_of_a_sum_are_one_function_per_neuron(labelled):
    X, _ = labelled
    kernel = MultiNeuronKernel(SpikeTrainKernel(0.005))
    pca = SpikeTrainPCA(2, kernel=kernel).fit(X)
    t = np.linspace(-0.1, 0.4, 2001)
    step = t[1] - t[0]
    xi = pca.component_functions(t)
    assert xi.shape == (2, 2, 2001)
    products = np.einsum("ank,bnk->ab", xi, xi) * step
    np.testing.assert_allclose(products, np.eye(2), atol=1e-5)
    rates = kernel.intensities(X, t) - pca.mean_intensity(t)
    np.testing.assert_allclose(
        np.einsum("ink,ank->ia", rates, xi) * step, pca.transform(X), atol=1e-3
    )
    scores = pca.transform(X)
    assert pca.reconstruct(scores[:3], t).shape == (3, 2, 2001)
    product = SpikeTrainPCA(2, kernel=MultiNeuronKernel(SpikeTrainKernel(0.005), combine="product"))
    assert product.fit_transform(X).shape == (40, 2)
    with pytest.raises(ValueError, match="no inner products of functions of time"):
        product.component_functions(t)


def test_trials_from_a_file_are_checked():
    X = as_trials(trials(0, 3))
    state = {"neurons": [X.neurons[0], X.neurons[1][:2]], "n": 3}
    with pytest.raises(ValueError, match="different numbers of trials"):
        Trials.__new__(Trials).__setstate__(state)
