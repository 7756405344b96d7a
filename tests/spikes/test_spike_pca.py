import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.spikes import (
    SpikeTrainKernel,
    SpikeTrainPCA,
    intensity,
    jittered_templates,
    select_width,
)


@pytest.fixture(scope="module")
def data():
    return jittered_templates(50, random_state=0)


@pytest.fixture(scope="module")
def fitted(data):
    return SpikeTrainPCA(3, kernel=SpikeTrainKernel(0.002)).fit(data.trains)


def test_equals_scikit_learns_kernel_pca(data, fitted):
    new = jittered_templates(30, templates=data.templates, random_state=1).trains
    kernel = SpikeTrainKernel(0.002)
    theirs = KernelPCA(3, kernel="precomputed").fit(kernel(data.trains))
    signs = np.sign((theirs.eigenvectors_ * fitted.dual_coefficients_).sum(axis=0))
    np.testing.assert_allclose(fitted.eigenvalues_[:3], theirs.eigenvalues_)
    np.testing.assert_allclose(
        fitted.transform(new) * signs, theirs.transform(kernel(new, data.trains)), atol=1e-9
    )


def test_scores_and_their_variance(data, fitted):
    scores = fitted.transform(data.trains)
    np.testing.assert_allclose(scores.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(scores.var(axis=0), fitted.explained_variance_)
    np.testing.assert_allclose(fitted.explained_variance_ * 50, fitted.eigenvalues_[:3])
    total = fitted.eigenvalues_.sum()
    np.testing.assert_allclose(fitted.explained_variance_ratio_, fitted.eigenvalues_[:3] / total)
    again = SpikeTrainPCA(3, kernel=SpikeTrainKernel(0.002)).fit_transform(data.trains)
    np.testing.assert_allclose(again, scores, atol=1e-9)


@pytest.mark.parametrize("smoothing", ["gaussian", "laplacian", "alpha", "exponential"])
def test_component_functions_are_orthonormal_and_give_the_scores(data, smoothing):
    pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.004, smoothing=smoothing)).fit(data.trains)
    t = np.linspace(-0.2, 0.6, 80_001)
    xi = pca.component_functions(t)
    dt = t[1] - t[0]
    tolerance = 5e-3 if smoothing == "exponential" else 1e-4  # its intensity has jumps
    np.testing.assert_allclose(xi @ xi.T * dt, np.eye(2), atol=tolerance)
    rate = noneuclid.spikes.intensity(data.trains[0], t, 0.004, smoothing=smoothing)
    score = (rate - pca.mean_intensity(t)) @ xi.T * dt
    expected = pca.transform(data.trains[:1])[0]
    np.testing.assert_allclose(score, expected, atol=tolerance * np.abs(expected).max())


def test_normalised_components_are_those_of_intensities_of_length_one(data):
    """By eigenvectors of the covariance of sampled functions, an independent way."""
    X = [*data.trains[:12], []]
    kernel = SpikeTrainKernel(0.004, normalize=True)
    pca = SpikeTrainPCA(3, kernel=kernel).fit(X)
    t = np.linspace(-0.2, 0.5, 3001)
    step = t[1] - t[0]
    rates = intensity(X, t, 0.004)
    lengths = np.sqrt((rates**2).sum(axis=1) * step)
    unit = rates / np.where(lengths > 0, lengths, 1)[:, None]
    np.testing.assert_allclose(pca.mean_intensity(t), unit.mean(axis=0), atol=1e-6)
    centred = unit - unit.mean(axis=0)
    values = np.linalg.eigvalsh(centred @ centred.T * step)[::-1]
    np.testing.assert_allclose(pca.explained_variance_, values[:3] / 13, rtol=1e-6)
    scores = centred @ pca.component_functions(t).T * step
    np.testing.assert_allclose(pca.transform(X), scores, atol=1e-6)


def test_all_components_reconstruct_the_intensities(data):
    trains = data.trains[:8]
    pca = SpikeTrainPCA(7, kernel=SpikeTrainKernel(0.002)).fit(trains)
    t = np.linspace(-0.01, 0.26, 300)
    rates = noneuclid.spikes.intensity(trains, t, 0.002)
    np.testing.assert_allclose(pca.reconstruct(pca.transform(trains), t), rates, atol=1e-6)
    few = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(trains)
    error = few.reconstruct(few.transform(trains), t) - rates
    assert (error**2).sum() < ((rates - rates.mean(axis=0)) ** 2).sum()


@pytest.mark.parametrize(
    ("width", "first", "second", "least"),
    [
        (0.002 / np.sqrt(2), (0.23, 0.05), (0.07, 0.01), 0.93),  # κ of width 2 ms
        (0.002, (0.31, 0.07), (0.07, 0.01), 0.97),  # h of width 2 ms, κ of 2√2 ms
    ],
)
def test_the_published_experiment_over_20_seeds(width, first, second, least):
    shares, accuracies = [], []
    for seed in range(20):
        training = jittered_templates(50, random_state=seed)
        test = jittered_templates(200, templates=training.templates, random_state=1000 + seed)
        pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(width)).fit(training.trains)
        score, new = (pca.transform(d.trains)[:, 0] for d in (training, test))
        middle = np.mean([score[training.labels == k].mean() for k in (0, 1)])
        side = score[training.labels == 1].mean() > middle
        accuracies.append(np.mean(((new > middle) == side) == test.labels))
        shares.append(pca.explained_variance_ratio_)
    mean, deviation = np.mean(shares, axis=0), np.std(shares, axis=0)
    for k, (expected, spread) in enumerate((first, second)):
        assert abs(mean[k] - expected) < 2 * spread / np.sqrt(20) + 0.005
        assert deviation[k] == pytest.approx(spread, abs=0.006)
    assert min(accuracies) >= least
    assert np.mean(accuracies) >= 0.99


def test_the_width_is_chosen_if_none_is_given(data):
    pca = SpikeTrainPCA().fit(data.trains)
    assert pca.kernel_.width == select_width(data.trains).width
    assert pca.get_params() == {"n_components": 2, "kernel": None}


def test_copies_pipelines_and_names(data, fitted, tmp_path):
    noneuclid.save(fitted, tmp_path / "model.skops")
    expected = fitted.transform(data.trains)
    for copy in (
        clone(fitted).fit(data.trains),
        pickle.loads(pickle.dumps(fitted)),
        noneuclid.load(tmp_path / "model.skops"),
    ):
        np.testing.assert_array_equal(copy.transform(data.trains), expected)
    assert list(fitted.get_feature_names_out()) == [f"spiketrainpca{k}" for k in range(3)]
    model = make_pipeline(SpikeTrainPCA(1, kernel=SpikeTrainKernel(0.003)), LogisticRegression())
    assert cross_val_score(model, data.trains, data.labels, cv=3).mean() >= 0.95
    model.set_params(spiketrainpca__kernel__width=0.1)
    assert model[0].kernel.width == 0.1


@pytest.mark.parametrize(
    ("params", "X", "error", "message"),
    [
        ({"n_components": 0}, [[0.1], [0.2]], ValueError, r"n_components \(=0\) must be an int"),
        ({"n_components": 1.5}, [[0.1], [0.2]], ValueError, r"n_components \(=1.5\)"),
        ({"n_components": 2}, [[0.1], [0.2]], ValueError, "more than the 1 directions in which"),
        ({"n_components": 1}, [[0.1], [0.1]], ValueError, "more than the 0 directions"),
        ({"n_components": 1}, [[], []], ValueError, "more than the 0 directions"),
        ({}, [], ValueError, "at least two trains; there are 0"),
        ({}, [[0.1]], ValueError, "at least two trains; there are 1"),
        ({"kernel": Gaussian()}, [[0.1], [0.2]], TypeError, "must be a SpikeTrainKernel"),
        ({"kernel": None}, [[], []], ValueError, "at least two events"),
    ],
)
def test_bad_input(params, X, error, message):
    with pytest.raises(error, match=message):
        SpikeTrainPCA(**{"kernel": SpikeTrainKernel(0.01), **params}).fit(X)


def test_bad_scores_and_unfitted(fitted):
    with pytest.raises(ValueError, match="scores must have 3 columns"):
        fitted.reconstruct(np.ones((2, 2)), [0.1])
    with pytest.raises(ValueError, match="not fitted"):
        SpikeTrainPCA().transform([[0.1]])
