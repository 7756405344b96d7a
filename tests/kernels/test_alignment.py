"""Alignment scores of sequences: the printed recursion, and their company."""

import sys

import numpy as np
import pytest

import noneuclid
from noneuclid.kernels import Alignment
from noneuclid.prototypes import KernelRSLVQ, ProximityLVQ, ProximityRegressor
from noneuclid.proximities import Relation, describe_metric, metrics

pytest.importorskip("parasail")
RNG = np.random.default_rng(0)
WORDS = ["".join(RNG.choice(list("ACGT"), size=k)) for k in (3, 7, 1, 9, 5, 6)]


def gotoh(a, b, gap_open, gap_extend, match, mismatch, local):
    """Best score with affine gaps, one cell at a time."""
    n, m, low = len(a), len(b), -(10**6)
    H, E, F = (np.full((n + 1, m + 1), low) for _ in range(3))
    H[0, 0] = 0
    for i in range(1, n + 1):
        H[i, 0] = F[i, 0] = 0 if local else -(gap_open + (i - 1) * gap_extend)
    for j in range(1, m + 1):
        H[0, j] = E[0, j] = 0 if local else -(gap_open + (j - 1) * gap_extend)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            E[i, j] = max(E[i, j - 1] - gap_extend, H[i, j - 1] - gap_open)
            F[i, j] = max(F[i - 1, j] - gap_extend, H[i - 1, j] - gap_open)
            same = match if a[i - 1] == b[j - 1] else mismatch
            H[i, j] = max(H[i - 1, j - 1] + same, E[i, j], F[i, j], 0 if local else low)
    return H.max() if local else H[n, m]


@pytest.mark.parametrize("method", ["global", "local"])
@pytest.mark.parametrize(("matrix", "match", "mismatch"), [("match", 2, -1), ("dnafull", 5, -4)])
@pytest.mark.parametrize("gaps", [(10, 1), (3, 2), (1, 1)])
def test_the_recursion_that_is_printed(method, matrix, match, mismatch, gaps):
    kernel = Alignment(method, matrix=matrix, gap_open=gaps[0], gap_extend=gaps[1])
    expected = [
        [gotoh(a, b, *gaps, match, mismatch, method == "local") for b in WORDS] for a in WORDS
    ]
    np.testing.assert_array_equal(kernel(WORDS), expected)
    np.testing.assert_array_equal(kernel.diag(WORDS), np.diag(expected))


def test_published_scores_of_proteins():
    """The example of many textbooks: HEAGAWGHEE and PAWHEAE, BLOSUM 50, gaps of 8 per letter."""
    kernel = Alignment(matrix="blosum50", gap_open=8, gap_extend=8)
    assert kernel(["HEAGAWGHEE"], ["PAWHEAE"]) == [[1.0]]
    assert kernel.set_params(method="local")(["HEAGAWGHEE"], ["PAWHEAE"]) == [[28.0]]


def test_names_and_what_is_left_to_the_data():
    assert {"needleman_wunsch", "smith_waterman"} <= set(metrics("similarity", kind="strings"))
    assert describe_metric("smith_waterman").kind == "strings"
    assert Alignment().resolve(WORDS).matrix == "dnafull"
    assert Alignment("local").resolve(["MKV", "WAH"]).matrix == "blosum62"
    relation = Relation("needleman_wunsch").fit(WORDS)
    np.testing.assert_array_equal(relation.matrix, Alignment(matrix="dnafull")(WORDS))


def test_company(tmp_path):
    rng = np.random.default_rng(1)
    y = np.arange(30) % 2
    ends = ["ACCGTTAC", "TTGACATT"]
    words = ["".join(rng.choice(list("ACGT"), size=4)) + ends[c] for c in y]
    for model in (
        KernelRSLVQ(kernel="smith_waterman", random_state=0, max_epochs=10),
        ProximityLVQ(metric="needleman_wunsch", correction="clip", random_state=0, max_epochs=10),
        ProximityLVQ(metric=Alignment("local"), n_landmarks=8, random_state=0, max_epochs=10),
    ):
        assert model.fit(words, y).score(words, y) > 0.9
        noneuclid.save(model, tmp_path / "model.skops")
        back = noneuclid.load(tmp_path / "model.skops")
        np.testing.assert_array_equal(back.predict(words), model.predict(words))
    number = ProximityRegressor(n_prototypes=3, metric="smith_waterman", random_state=0)
    assert number.fit(words, y + 0.1 * rng.normal(size=30)).score(words, y) > 0.5


def test_bad_input(monkeypatch):
    with pytest.raises(ValueError, match=r"X\[1\] \(=''\) must be a word"):
        Alignment(matrix="match")(["A", ""])
    with pytest.raises(ValueError, match="has no letter 'J'"):
        Alignment(matrix="dnafull")(["AJ"])
    with pytest.raises(ValueError, match="is none that parasail knows"):
        Alignment(matrix="blosum1000")(["A"])
    with pytest.raises(ValueError, match="depends on the data"):
        Alignment()(["A"])
    with pytest.raises(ValueError, match=r"gap_open \(=0\) must be"):
        Alignment(gap_open=0)(["A"])
    monkeypatch.setitem(sys.modules, "parasail", None)
    with pytest.raises(ImportError, match=r'pip install "noneuclid\[sequences\]"'):
        Alignment(matrix="pam10")(["A", "W"])


@pytest.mark.parametrize(("gap_open", "gap_extend"), [(1, 3), (10, 30)])
def test_gaps_that_grow_dearer_are_refused(gap_open, gap_extend):
    """What computes the scores is wrong there: 0, or 2147483640."""
    kernel = Alignment(matrix="match", gap_open=gap_open, gap_extend=gap_extend)
    with pytest.raises(ValueError, match=r"gap_extend .* must not be larger than gap_open"):
        kernel(["ACGT"], ["ACGT", "ACCT"])


def test_rna_is_scored_as_dna():
    rna = [word.replace("T", "U") for word in WORDS]
    np.testing.assert_array_equal(Alignment().resolve(rna)(rna), Alignment().resolve(WORDS)(WORDS))
    assert Alignment().resolve(rna).matrix == "dnafull"
