"""What a matrix is like: against definitions, by hand and by brute force."""

import itertools

import numpy as np
import pytest

from noneuclid.datasets import make_indefinite
from noneuclid.proximities import (
    SpectrumCorrection,
    diagnose,
    negative_mass,
    signature,
    symmetrize,
    to_similarity,
)

X = np.random.default_rng(0).normal(size=(40, 3))
SQUARED = ((X[:, None] - X) ** 2).sum(axis=2)


def test_signature_mass_and_corrections():
    S = make_indefinite(50, signature=(3, 2)).X
    found = diagnose(S)
    values = np.linalg.eigvalsh(S)[::-1]
    np.testing.assert_allclose(found.values, values, atol=1e-9)
    assert found.signature == signature(S) == (3, 2, 45)
    assert found.negative_mass == pytest.approx(-values[values < 0].sum() / np.abs(values).sum())
    clip, flip = found.corrections
    assert flip.change == pytest.approx(2 * clip.change)
    corrected = SpectrumCorrection(method="clip").fit_transform(S)
    assert clip.change == pytest.approx(np.linalg.norm(corrected - S) / np.linalg.norm(S))
    assert 0 <= clip.neighbours <= 1
    assert found.triangle_violations is None
    assert found.squared_values is None


def test_euclidean_distances_in_both_readings():
    squared = diagnose(SQUARED, "dissimilarity")
    assert squared.is_euclidean
    assert squared.corrections == []
    plain = diagnose(np.sqrt(SQUARED), "dissimilarity")
    assert plain.triangle_violations == 0
    np.testing.assert_allclose(plain.squared_values, squared.values, atol=1e-8)
    assert squared.triangle_violations > 0


def test_triangle_violations_are_a_share_of_all_triples():
    D = SQUARED[:8, :8]
    triples = list(itertools.permutations(range(8), 3))
    exact = np.mean([D[i, j] > D[i, k] + D[k, j] for i, j, k in triples])
    assert diagnose(D, "dissimilarity").triangle_violations == pytest.approx(exact, abs=0.01)


def test_asymmetric_matrices_are_measured_and_their_mean_is_examined():
    S = X @ X.T
    S[1, 2] += 0.1 * np.abs(S).max()
    found = diagnose(S)
    assert not found.is_symmetric
    assert found.asymmetry == pytest.approx(np.abs(S - S.T).max() / np.abs(S).max())
    np.testing.assert_allclose(found.values, np.linalg.eigvalsh(symmetrize(S))[::-1], atol=1e-9)
    assert diagnose(X @ X.T).is_symmetric
    assert diagnose(np.zeros((3, 3))).asymmetry == 0


def test_landmarks_are_checked_where_objects_are_many():
    assert diagnose(SQUARED[:20, :20], "dissimilarity").nystroem is None
    assert diagnose(SQUARED, "dissimilarity").nystroem.suitable


def test_negative_mass():
    assert negative_mass([3.0, -1.0]) == 0.25
    assert negative_mass([0.0, 0.0]) == 0.0
    assert negative_mass(np.linalg.eigvalsh(to_similarity(SQUARED))) < 1e-12


def test_what_is_no_matrix_of_proximities():
    with pytest.raises(ValueError, match="proximity"):
        diagnose(SQUARED, "distance")
    with pytest.raises(ValueError, match="square matrix"):
        diagnose(X)
    with pytest.raises(ValueError, match="diagonal is not zero"):
        diagnose(SQUARED + 1, "dissimilarity")


def test_negative_mass_is_of_eigenvalues():
    with pytest.raises(ValueError, match=r"its shape is \(40, 40\): of a matrix, diagnose"):
        negative_mass(SQUARED)
