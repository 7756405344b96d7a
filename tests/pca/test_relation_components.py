"""Kernel components know their objects by a relation."""

import numpy as np
import pytest

import noneuclid
from noneuclid.kernels import FunctionKernel, Gaussian, SpikeTrainKernel
from noneuclid.pca import BanachKernelPCA, GeneralizedKernelPCA, KernelHebbianPCA
from noneuclid.proximities import NystroemEmbedding, Relation
from noneuclid.spikes import SpikeTrainPCA, jittered_templates

X = np.random.default_rng(0).normal(size=(60, 3))
NEW = np.random.default_rng(1).normal(size=(7, 3))


@pytest.mark.parametrize("model", [GeneralizedKernelPCA(), KernelHebbianPCA(random_state=0)])
def test_the_relation_of_a_fitted_model(model):
    model.fit(X)
    assert isinstance(model.relation_, Relation)
    assert model.relation_.n_objects_ == 60
    assert model.kernel_ is model.relation_.metric_
    K = model.kernel_(X)
    np.testing.assert_allclose(model.relation_.block(slice(None), [0, 5]), K[:, [0, 5]])
    np.testing.assert_allclose(model.relation_.diagonal, np.ones(60))


@pytest.mark.parametrize("landmarks", ["uniform", "kmeans++", "pivoted", [3, 14, 15, 9, 26, 5]])
@pytest.mark.parametrize("center", [True, False])
def test_landmarks_are_chosen_as_everywhere(landmarks, center):
    kernel = Gaussian(1.0)
    params = {"n_landmarks": 6, "landmarks": landmarks, "random_state": 0}
    model = GeneralizedKernelPCA(kernel=kernel, objective="l2", center=center, **params).fit(X)
    features = NystroemEmbedding(metric=kernel, **params).fit(X)
    np.testing.assert_array_equal(model.landmark_indices_, features.landmark_indices_)
    Z, V = features.transform(X), features.transform(NEW)
    mean = Z.mean(axis=0) if center else 0.0
    axes = np.linalg.svd(Z - mean, full_matrices=False)[2][:2]
    np.testing.assert_allclose(np.abs(model.transform(NEW)), np.abs((V - mean) @ axes.T), atol=1e-9)
    # Dual coefficients are for the kernel values with the landmarks.
    K = kernel(NEW, X[model.landmark_indices_])
    scores = K @ model.dual_coefficients_
    differences = scores - model.transform(NEW)
    np.testing.assert_allclose(
        differences, np.broadcast_to(differences[0], scores.shape), atol=1e-7
    )
    # What is lost is what the true self-similarity has beyond the mean and the plane.
    rest = (V - mean) - (V - mean) @ axes.T @ axes
    lost = 1.0 - (V**2).sum(axis=1) + (rest**2).sum(axis=1)
    np.testing.assert_allclose(model.reconstruction_error(NEW) ** 2, lost, atol=1e-9)


def test_a_share_of_landmarks_and_none():
    model = GeneralizedKernelPCA(n_landmarks=0.5, random_state=0).fit(X)
    assert len(model.landmark_indices_) == 30
    assert GeneralizedKernelPCA().fit(X).landmark_indices_ is None


def test_landmarks_of_a_precomputed_matrix():
    kernel = Gaussian(1.0)
    params = {"n_landmarks": 8, "landmarks": "pivoted", "random_state": 0}
    direct = GeneralizedKernelPCA(kernel=kernel, **params).fit(X)
    matrix = GeneralizedKernelPCA(kernel="precomputed", **params).fit(kernel(X))
    np.testing.assert_allclose(matrix.transform(kernel(NEW, X)), direct.transform(NEW), atol=1e-9)


def test_a_function_of_two_objects_and_one_of_matrices():
    def one(a, b):
        return float(np.exp(-((a - b) ** 2).sum() / 2))

    def many(A, B):
        return np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=2) / 2)

    expected = KernelHebbianPCA(kernel=Gaussian(1.0), random_state=0).fit(X).transform(NEW)
    for kernel in (one, FunctionKernel(many)):
        model = KernelHebbianPCA(kernel=kernel, random_state=0).fit(X)
        np.testing.assert_allclose(model.transform(NEW), expected, atol=1e-9)


def test_a_matrix_that_is_not_symmetric_is_for_banach_spaces_only():
    A = np.random.default_rng(2).normal(size=(10, 10))
    for learner in (GeneralizedKernelPCA, KernelHebbianPCA):
        with pytest.raises(ValueError, match="symmetric"):
            learner(kernel="precomputed").fit(A)
    model = BanachKernelPCA(kernel="precomputed", n_components=10).fit(A)
    scores = model.transform(A)
    centred = A - A.mean(axis=0)
    np.testing.assert_allclose(
        np.sort((scores**2).sum(axis=0)), np.sort(np.linalg.svd(centred)[1] ** 2), atol=1e-9
    )
    with pytest.raises(ValueError, match="BanachKernelPCA is expecting 10 features"):
        model.transform(A[:, :4])


def test_low_rank_features_never_make_the_matrix():
    model = GeneralizedKernelPCA(kernel="linear").fit(X)
    assert "matrix" not in model.relation_._view.__dict__


@pytest.mark.parametrize("n_landmarks", [None, 10])
def test_saved_and_loaded(n_landmarks, tmp_path):
    model = GeneralizedKernelPCA(n_landmarks=n_landmarks, random_state=0).fit(X)
    noneuclid.save(model, tmp_path / "model")
    again = noneuclid.load(tmp_path / "model")
    np.testing.assert_array_equal(again.transform(NEW), model.transform(NEW))
    np.testing.assert_array_equal(again.reconstruction_error(NEW), model.reconstruction_error(NEW))


def test_spike_trains_are_kernel_components():
    data = jittered_templates(30, random_state=0)
    kernel = SpikeTrainKernel(0.004)
    model = SpikeTrainPCA(2, kernel=kernel).fit(data.trains)
    assert model.relation_.n_objects_ == 30
    K = kernel(data.trains)
    H = np.eye(30) - 1 / 30
    values, vectors = np.linalg.eigh(H @ K @ H)
    np.testing.assert_allclose(model.eigenvalues_, np.maximum(values[::-1], 0), atol=1e-9)
    for j in range(2):
        expected = vectors[:, -1 - j] * np.sqrt(values[-1 - j])
        expected *= np.sign(expected[np.abs(expected).argmax()])
        np.testing.assert_allclose(model.transform(data.trains)[:, j], expected, atol=1e-8)
    np.testing.assert_allclose(
        SpikeTrainPCA(2, kernel=kernel).fit_transform(data.trains), model.transform(data.trains)
    )
