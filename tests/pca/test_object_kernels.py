"""Kernels of objects that are no rows of a matrix, here spike trains, in every kernel estimator."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import noneuclid
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.pca import (
    BanachKernelPCA,
    GeneralizedKernelPCA,
    KernelHebbianPCA,
    SubspaceClassifier,
)
from noneuclid.spikes import SpikeTrainPCA, jittered_templates

KERNEL = SpikeTrainKernel(0.005)
MODELS = {
    "hebbian": KernelHebbianPCA(random_state=0),
    "banach": BanachKernelPCA(),
    "l1": GeneralizedKernelPCA(),
    "l2": GeneralizedKernelPCA(objective="l2"),
    "serial": GeneralizedKernelPCA(update="serial"),
    "landmarks": GeneralizedKernelPCA(n_landmarks=20, random_state=0),
    "landmarks, uncentred": GeneralizedKernelPCA(n_landmarks=20, center=False, random_state=0),
}


@pytest.fixture(scope="module")
def data():
    training = jittered_templates(60, random_state=0)
    test = jittered_templates(20, templates=training.templates, random_state=1)
    return training, test


@pytest.mark.parametrize("name", sorted(MODELS))
def test_equals_the_precomputed_kernel(name, data):
    training, test = data
    direct = clone(MODELS[name]).set_params(kernel=KERNEL).fit(training.trains)
    matrix = clone(MODELS[name]).set_params(kernel="precomputed").fit(KERNEL(training.trains))
    rows = KERNEL(test.trains, training.trains)
    np.testing.assert_allclose(direct.transform(test.trains), matrix.transform(rows), atol=1e-8)
    assert not hasattr(direct, "n_features_in_")
    assert len(direct.get_feature_names_out()) == 2
    if isinstance(direct, GeneralizedKernelPCA):
        errors = matrix.reconstruction_error(rows, self_similarity=KERNEL.diag(test.trains))
        np.testing.assert_allclose(direct.reconstruction_error(test.trains), errors, atol=1e-8)


def test_l2_is_the_pca_of_spike_trains(data):
    training, test = data
    ours = GeneralizedKernelPCA(kernel=KERNEL, objective="l2").fit(training.trains)
    theirs = SpikeTrainPCA(2, kernel=KERNEL).fit(training.trains)
    np.testing.assert_allclose(
        np.abs(ours.transform(test.trains)), np.abs(theirs.transform(test.trains)), atol=1e-8
    )


@pytest.mark.parametrize("n_landmarks", [None, 30])
def test_subspace_classifier(n_landmarks, data):
    training, test = data
    pca = GeneralizedKernelPCA(
        n_components=3, kernel=KERNEL, n_landmarks=n_landmarks, random_state=0
    )
    model = SubspaceClassifier(estimator=pca).fit(training.trains, training.labels)
    assert model.score(test.trains, test.labels) > 0.9
    if n_landmarks is None:
        precomputed = SubspaceClassifier(estimator=clone(pca).set_params(kernel="precomputed"))
        precomputed.fit(KERNEL(training.trains), training.labels)
        rows = KERNEL(test.trains, training.trains)
        np.testing.assert_array_equal(precomputed.predict(rows), model.predict(test.trains))


def test_in_a_pipeline(data):
    training, _ = data
    model = make_pipeline(GeneralizedKernelPCA(kernel=KERNEL), SVC())
    assert cross_val_score(model, training.trains, training.labels, cv=3).mean() > 0.9


@pytest.mark.parametrize("name", ["hebbian", "banach", "l1", "landmarks"])
def test_saved_and_loaded(name, data, tmp_path):
    training, test = data
    model = clone(MODELS[name]).set_params(kernel=KERNEL).fit(training.trains)
    noneuclid.save(model, tmp_path / "model")
    again = noneuclid.load(tmp_path / "model")
    np.testing.assert_array_equal(again.transform(test.trains), model.transform(test.trains))


def test_refitted_on_objects_forgets_the_features(data):
    model = GeneralizedKernelPCA().fit(np.random.default_rng(0).normal(size=(20, 3)))
    assert model.n_features_in_ == 3
    model.set_params(kernel=KERNEL).fit(data[0].trains)
    assert not hasattr(model, "n_features_in_")
    fresh = GeneralizedKernelPCA(kernel=KERNEL).fit(data[0].trains)
    np.testing.assert_array_equal(model.transform(data[1].trains), fresh.transform(data[1].trains))
    rows = np.random.default_rng(0).normal(size=(20, 4))
    assert model.set_params(kernel="rbf").fit(rows).n_features_in_ == 4


@pytest.mark.parametrize("name", sorted(MODELS))
@pytest.mark.parametrize(
    ("trains", "sentence"),
    [
        ([], "at least two samples.*n_samples=0"),
        ([[0.1, 0.2]], "at least two samples.*n_samples=1"),
        ([[0.1], [np.nan]], "NaN"),
        ("trains", "list of trains"),
    ],
    ids=["none", "one", "NaN", "text"],
)
def test_bad_input(name, trains, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        clone(MODELS[name]).set_params(kernel=KERNEL).fit(trains)


@pytest.mark.parametrize(
    ("trains", "labels", "sentence"),
    [
        ([], [], "empty"),
        ([[0.1]], [0], "only one sample"),
        ([[0.1], [0.2]], [0], "inconsistent"),
        ([[0.1], [np.nan]], [0, 0], "NaN"),
    ],
    ids=["none", "one", "labels", "NaN"],
)
def test_bad_input_of_the_classifier(trains, labels, sentence):
    model = SubspaceClassifier(estimator=GeneralizedKernelPCA(kernel=KERNEL))
    with pytest.raises(ValueError, match=sentence):
        model.fit(trains, labels)
