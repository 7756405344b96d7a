"""Objects as proximities: as given, by a metric, by a kernel; and whether both directions agree."""

from dataclasses import replace

import numpy as np
import pytest
from small_analyses import QUICK

from noneuclid.datasets import DataError, Dataset, make_families, make_indefinite, read_dataset
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.prototypes import ProximityLVQ
from noneuclid.proximities import metrics, register_metric, signature, to_similarity
from noneuclid.proximities.registry import _forget
from noneuclid.report import Facts, analyze, edit_distances
from noneuclid.report.matrices import Matrix, compared, given_matrix, matrix_of, sequence_matrix

D = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]])


def facts_of(found):
    section = next(s for s in found.sections if s.title == "What the matrix is like")
    block = next(b for b in section.blocks if isinstance(b, Facts))
    return {fact.name: fact for fact in block.facts}


def test_similarities_and_dissimilarities_of_a_matrix():
    matrix = Matrix(D, "dissimilarity")
    assert matrix.D is D
    np.testing.assert_allclose(matrix.S, to_similarity(D))
    back = Matrix(matrix.S, "similarity")
    np.testing.assert_allclose(back.D, D, atol=1e-12)
    assert back.S is back.P
    assert matrix.S is matrix.S  # computed once


def test_a_model_of_a_matrix_stays_one():
    model = object()
    assert Matrix(D, "dissimilarity").portable(model, None) is model


def test_a_model_of_objects_takes_objects():
    data = make_families(5, n_families=2)
    matrix = sequence_matrix(data, "indel")
    model = ProximityLVQ(proximity="dissimilarity", random_state=0).fit(matrix.P, data.labels)
    portable = matrix.portable(model, data)
    assert portable.metric == "indel"
    assert list(portable.predict(data.X)) == list(model.predict(matrix.P))


@pytest.mark.parametrize("metric", ["levenshtein", "indel", "osa", "lcs", "jaro"])
def test_sequences_by_any_metric(metric):
    data = make_families(4, n_families=2)
    matrix = matrix_of(data, 0, metric)
    assert matrix.proximity == "dissimilarity"
    assert matrix.code == f'pairwise(data.X, "{metric}")'
    np.testing.assert_array_equal(matrix.P, edit_distances(data.X, metric))
    assert (np.diag(matrix.P) == 0).all()


def test_unknown_metrics_are_refused_in_one_sentence():
    data = make_families(4, n_families=2)
    with pytest.raises(DataError, match=r"no distance 'cosine' of sequences: choose from .*indel"):
        compared(data, "cosine")
    with pytest.raises(DataError, match="no distance 'hurz'"):
        analyze(data, replace(QUICK, metric="hurz"))
    with pytest.raises(ValueError, match="metric"):
        edit_distances(data.X, "cosine")


def test_sequences_of_several_lengths_have_no_hamming_distance():
    data = make_families(4, n_families=2)
    if len({len(word) for word in data.X}) == 1:
        pytest.skip("all sequences have one length")
    with pytest.raises(DataError, match="families: "):
        matrix_of(data, 0, "string_hamming")


def test_the_metrics_of_users_compare_sequences_too():
    def letters(a, b):
        return float(len(set(a) ^ set(b)) + abs(len(a) - len(b)))

    register_metric("letters", letters)
    try:
        assert "letters" in metrics(kind="objects")
        found = analyze(
            replace(make_families(6, n_families=2), labels=None), QUICK, metric="letters"
        )
        assert 'pairwise(data.X, "letters")' in found.code
        assert "Letters distance (registered)" in found.understood
    finally:
        _forget("letters")


def test_trains_by_a_kernel():
    rng = np.random.default_rng(0)
    data = Dataset("spikes", [np.sort(rng.uniform(size=8)) for _ in range(10)])
    matrix = matrix_of(data, 0, "levenshtein")
    assert isinstance(matrix.metric, SpikeTrainKernel)
    np.testing.assert_allclose(matrix.P, matrix.metric(data.X))
    assert matrix.code == f"SpikeTrainKernel({matrix.metric.width})(data.X)"
    assert float(f"{matrix.metric.width:.4g}") == matrix.metric.width


def test_trains_without_events_are_refused():
    with pytest.raises(DataError, match="fewer than two events"):
        matrix_of(Dataset("spikes", [np.zeros(0)] * 9, source="empty.txt"), 0, "")


# --- symmetry -------------------------------------------------------------------------------------


def test_symmetric_matrices_are_said_to_be():
    fact = facts_of(analyze(make_indefinite(24), QUICK))["Symmetric"]
    assert fact.value == "yes"
    assert "at most 1e-8" in fact.how


@pytest.mark.parametrize("labels", [True, False])
def test_asymmetric_matrices_are_said_to_be(labels):
    """Faulty before: "Symmetric: yes" was a constant, and the analysis then failed."""
    base = make_indefinite(24)
    S = base.X.copy()
    S[3, 8] += 0.5 * np.abs(S).max()
    data = replace(base, X=S, labels=base.labels if labels else None)
    found = analyze(data, QUICK)
    fact = facts_of(found)["Symmetric"]
    assert fact.value == "no"
    assert f"was {0.5 * np.abs(base.X).max() / np.abs(S).max():.3g}" in fact.how
    assert "X = symmetrize(data.X)" in found.code
    assert dict(found.results)["signature"] == str(tuple(signature((S + S.T) / 2)))


def test_rounding_is_no_asymmetry():
    base = make_indefinite(24)
    S = base.X.copy()
    S[3, 8] += 1e-12
    matrix = given_matrix(replace(base, X=S))
    assert matrix.asymmetry < 1e-8
    assert (matrix.P == matrix.P.T).all()


def test_files_that_were_made_symmetric_are_said_to_be(tmp_path):
    base = make_indefinite(24)
    S = base.X.copy()
    S[3, 8] += 0.01 * np.abs(S).max()
    np.savetxt(tmp_path / "s.csv", S, delimiter=",")
    data = read_dataset(tmp_path / "s.csv", kind="similarity", symmetrize=True)
    assert data.asymmetry == pytest.approx(0.01, rel=0.02)
    assert facts_of(analyze(data, QUICK))["Symmetric"].value == "no"
    np.savetxt(tmp_path / "t.csv", base.X, delimiter=",")
    assert read_dataset(tmp_path / "t.csv", kind="similarity", symmetrize=True).asymmetry == 0
