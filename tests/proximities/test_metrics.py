"""Metrics by name: what there is, what users add, and what is measured."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import pairwise as sklearn_pairwise
from sklearn.metrics import pairwise_distances

import noneuclid
from noneuclid.kernels import Gaussian, as_kernel, pairs
from noneuclid.prototypes import KernelGLVQ, RelationalGLVQ
from noneuclid.proximities import (
    NystroemEmbedding,
    Relation,
    describe_metric,
    landmark_pairwise,
    nystroem_check,
    pairwise,
    register_metric,
    registry,
)
from noneuclid.proximities import metrics as metric_names

WORDS = ["cat", "cart", "tac", "dog", "dot", "card", "", "catalogue"]
X = np.random.default_rng(0).normal(size=(12, 3))


def letters(a, b):
    return float(len(set(a) ^ set(b)))


def common(a, b):
    return float(len(set(a) & set(b)))


def product(a, b):
    assert a.ndim == b.ndim == 1
    return float(a @ b)


# --- what there is --------------------------------------------------------------------------


def test_names_are_listed_by_kind():
    names = metric_names()
    assert names == sorted(names)
    assert set(names) == set(metric_names("similarity")) | set(metric_names("dissimilarity"))
    assert {"rbf", "linear"} <= set(metric_names("similarity", kind="rows"))
    assert {"levenshtein", "indel", "osa", "lcs", "jaro"} <= set(metric_names(kind="strings"))
    assert metric_names(kind="objects") == []
    assert "precomputed" not in names
    with pytest.raises(ValueError, match=r"proximity \(='distance'\) must be one of"):
        metric_names("distance")
    with pytest.raises(ValueError, match=r"kind \(='words'\) must be one of"):
        metric_names(kind="words")


def test_all_names_of_scikit_learn_are_known():
    gone = {"wminkowski", "matching", "sokalmichener"}  # from newer releases of SciPy
    theirs = set(sklearn_pairwise._VALID_METRICS) - gone - {"precomputed"}
    assert set(metric_names("dissimilarity", kind="rows")) == theirs


@pytest.mark.filterwarnings("ignore:Data was converted to boolean")
@pytest.mark.parametrize("name", metric_names("dissimilarity", kind="rows"))
def test_rows_are_compared_as_scikit_learn_does(name):
    data = X[:, :2] if name == "haversine" else X
    boolean = name in sklearn_pairwise.PAIRWISE_BOOLEAN_FUNCTIONS
    data = (data > 0).astype(float) if boolean else data
    data = data[data.any(axis=1)]  # nothing shared of nothing is no number
    expected = pairwise_distances(data, metric=name)
    np.testing.assert_allclose(pairwise(data, name), expected, atol=1e-12)
    few = landmark_pairwise(data, data[:4], name)
    if name == "russellrao":  # not zero at itself, but where scikit-learn skips the diagonal
        np.fill_diagonal(few, 0.0)
    np.testing.assert_allclose(few, expected[:, :4], atol=1e-7)
    assert describe_metric(name).description


@pytest.mark.parametrize("name", metric_names("similarity", kind="rows"))
def test_kernels_by_name(name):
    kernel = as_kernel(name).resolve(X)
    np.testing.assert_allclose(pairwise(X, name), kernel(X))
    np.testing.assert_allclose(landmark_pairwise(X, X[:2], name), kernel(X, X[:2]))
    np.testing.assert_allclose(pairwise(X, Gaussian(2.0)), Gaussian(2.0)(X))


# --- strings --------------------------------------------------------------------------------


def edits(a, b, cost=1, swap=False):
    """Least cost of edits: substitutions at ``cost``, and swaps of neighbours if asked."""
    D = np.add.outer(np.arange(len(a) + 1), np.arange(len(b) + 1))
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            D[i, j] = min(
                D[i - 1, j] + 1,
                D[i, j - 1] + 1,
                D[i - 1, j - 1] + (0 if a[i - 1] == b[j - 1] else cost),
            )
            if swap and i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                D[i, j] = min(D[i, j], D[i - 2, j - 2] + 1)
    return float(D[-1, -1])


def longest_common(a, b):
    L = np.zeros((len(a) + 1, len(b) + 1))
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            L[i, j] = L[i - 1, j - 1] + 1 if x == y else max(L[i - 1, j], L[i, j - 1])
    return max(len(a), len(b)) - L[-1, -1]


TEXTBOOK = {
    "levenshtein": edits,
    "indel": lambda a, b: edits(a, b, cost=2),
    "osa": lambda a, b: edits(a, b, swap=True),
    "lcs": longest_common,
}


@pytest.mark.parametrize("name", TEXTBOOK)
def test_edit_distances_equal_the_textbook(name):
    expected = [[TEXTBOOK[name](a, b) for b in WORDS] for a in WORDS]
    np.testing.assert_array_equal(pairwise(WORDS, name), expected)
    np.testing.assert_array_equal(
        landmark_pairwise(WORDS, WORDS[2:4], name), np.array(expected)[:, 2:4]
    )


def test_damerau_may_edit_between_swapped_letters():
    assert pairwise(["ca", "abc"], "damerau_levenshtein")[0, 1] == 2
    assert pairwise(["ca", "abc"], "osa")[0, 1] == 3


def test_jaro_by_its_published_examples():
    assert 1 - pairwise(["MARTHA", "MARHTA"], "jaro")[0, 1] == pytest.approx(0.944, abs=1e-3)
    assert 1 - pairwise(["MARTHA", "MARHTA"], "jaro_winkler")[0, 1] == pytest.approx(
        0.961, abs=1e-3
    )
    assert 1 - pairwise(["DIXON", "DICKSONX"], "jaro")[0, 1] == pytest.approx(0.767, abs=1e-3)


def test_hamming_of_strings_needs_one_length():
    assert pairwise(["cat", "cut", "dog"], "string_hamming").tolist() == [
        [0, 1, 3],
        [1, 0, 3],
        [3, 3, 0],
    ]
    with pytest.raises(ValueError, match="'string_hamming' compares strings"):
        pairwise(["cat", "cart"], "string_hamming")


@pytest.mark.parametrize("name", metric_names("dissimilarity", kind="strings"))
def test_strings_in_every_learner(name):
    words = ["cat", "cut", "bat", "dog", "dig", "fog"]
    D = pairwise(words, name)
    np.testing.assert_array_equal(D, D.T)
    assert not np.diag(D).any()
    relation = Relation(name, proximity="dissimilarity").fit(words)
    np.testing.assert_array_equal(relation.matrix, D)
    model = RelationalGLVQ(metric="precomputed", random_state=0).fit(D, [0, 0, 0, 1, 1, 1])
    assert model.score(D, [0, 0, 0, 1, 1, 1]) == 1.0
    Z = NystroemEmbedding(metric=name, proximity="dissimilarity", random_state=0).fit(words)
    assert len(Z.transform(["cog"])) == 1


def test_without_rapidfuzz_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(ImportError, match=r'metric="osa" needs rapidfuzz: pip install'):
        pairwise(WORDS, "osa")


# --- what users add -------------------------------------------------------------------------


def test_a_registered_dissimilarity_is_known_everywhere(tmp_path):
    register_metric("letters", letters)
    expected = np.array([[letters(a, b) for b in WORDS] for a in WORDS])
    np.testing.assert_array_equal(pairwise(WORDS, "letters"), expected)
    np.testing.assert_array_equal(landmark_pairwise(WORDS, WORDS[:2], "letters"), expected[:, :2])
    relation = Relation("letters", proximity="dissimilarity").fit(WORDS)
    np.testing.assert_array_equal(relation.matrix, expected)
    assert relation.metric_ == "letters"
    assert not relation.takes_rows
    embedding = NystroemEmbedding(metric="letters", proximity="dissimilarity", random_state=0)
    by_function = NystroemEmbedding(metric=letters, proximity="dissimilarity", random_state=0)
    np.testing.assert_array_equal(embedding.fit_transform(WORDS), by_function.fit_transform(WORDS))
    check = nystroem_check(WORDS, 4, metric="letters", proximity="dissimilarity", random_state=0)
    assert np.isfinite(check.rho_pairwise)
    assert metric_names(kind="objects") == ["letters"]
    assert describe_metric("letters").function is letters


def test_a_registered_similarity_is_a_kernel():
    register_metric("common", common, "similarity")
    expected = np.array([[common(a, b) for b in WORDS] for a in WORDS])
    np.testing.assert_array_equal(pairwise(WORDS, "common"), expected)
    np.testing.assert_array_equal(as_kernel("common")(WORDS), expected)
    relation = Relation("common").fit(WORDS)
    np.testing.assert_array_equal(relation.matrix, expected)
    np.testing.assert_array_equal(relation.to(["cab"])[1], [3.0])
    assert "common" in metric_names("similarity")
    with pytest.raises(ValueError, match="gives similarities, and dissimilarities are asked for"):
        Relation("common", proximity="dissimilarity").fit(WORDS)


def test_rows_are_checked_for_a_function_that_takes_rows():
    register_metric("product", product, "similarity", takes="rows")
    register_metric("apart", lambda a, b: float(((a - b) ** 2).sum()), takes="rows")
    relation = Relation("product").fit(X)
    assert relation.takes_rows
    assert relation.n_features_in_ == 3
    np.testing.assert_allclose(relation.matrix, X @ X.T)
    np.testing.assert_allclose(as_kernel("product")(X, X[:2]), X @ X[:2].T)
    with pytest.raises(ValueError, match="X has 2 features, but Relation is expecting 3"):
        relation.to(X[:, :2])
    with pytest.raises(ValueError, match="contains NaN"):
        Relation("apart", proximity="dissimilarity").fit(np.full((3, 2), np.nan))
    apart = Relation("apart", proximity="dissimilarity").fit(X)
    np.testing.assert_allclose(apart.matrix, pairwise(X, "sqeuclidean"), atol=1e-12)
    model = KernelGLVQ(kernel="product", random_state=0).fit(X, X[:, 0] > 0)
    assert model.predict(X).shape == (12,)


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_a_file_holds_the_name_and_works_once_it_is_registered_again(proximity, tmp_path):
    pytest.importorskip("skops")
    function = common if proximity == "similarity" else letters
    register_metric("mine", lambda a, b: function(a, b), proximity)  # no lambda in the file
    relation = Relation("mine", proximity=proximity).fit(WORDS)
    expected = relation.to(["tag"])[0]
    noneuclid.save(relation, tmp_path / "relation.skops")
    forgotten = registry._USERS.pop("mine")
    pairs.REGISTERED.clear()
    back = noneuclid.load(tmp_path / "relation.skops")
    with pytest.raises(ValueError, match=r"'mine'.* is not known.*register_metric"):
        back.to(["tag"])
    register_metric("mine", forgotten.function, proximity)
    np.testing.assert_array_equal(back.to(["tag"])[0], expected)


def test_another_process_needs_the_name_as_well():
    register_metric("mine", letters)
    relation = Relation("mine", proximity="dissimilarity").fit(WORDS)
    code = (
        "import pickle, sys\n"
        "relation = pickle.loads(sys.stdin.buffer.read())\n"
        "try: relation.to(['tag'])\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(relation), capture_output=True, timeout=120
    )
    assert b"'mine'" in done.stdout, done.stderr
    assert b"register_metric" in done.stdout


def test_names_are_taken_once():
    register_metric("mine", letters)
    register_metric("mine", letters)  # the same function again
    with pytest.raises(ValueError, match=r"'mine'\) stands for another function: replace=True"):
        register_metric("mine", common)
    with pytest.raises(ValueError, match="stands for another function"):
        register_metric("mine", letters, "similarity")
    register_metric("mine", common, "similarity", replace=True)
    assert as_kernel("mine")(["ab"], ["bc"]).tolist() == [[1.0]]
    register_metric("mine", letters, replace=True)
    with pytest.raises(ValueError, match="must be a Kernel"):
        as_kernel("mine")
    for name in ("levenshtein", "rbf", "euclidean", "precomputed"):
        with pytest.raises(ValueError, match="is a metric of the package"):
            register_metric(name, letters, replace=True)


def test_wrong_registrations():
    with pytest.raises(TypeError, match=r"function \(=3\) must be a function of two objects"):
        register_metric("mine", 3)
    with pytest.raises(TypeError, match=r"name \(=''\) must be a word"):
        register_metric("", letters)
    with pytest.raises(ValueError, match=r"takes \(='words'\) must be one of"):
        register_metric("mine", letters, takes="words")
    with pytest.raises(ValueError, match=r"proximity \(='rows'\) must be one of"):
        register_metric("mine", letters, "rows")
    assert metric_names(kind="objects") == []


def test_unknown_names_are_spelt_alike():
    with pytest.raises(ValueError, match="did you mean 'levenshtein' or 'damerau_levenshtein'"):
        describe_metric("Levenstein")
    with pytest.raises(ValueError, match=r"metric \(='zzz'\) is not known \(metrics\(\) lists"):
        pairwise(X, "zzz")
    with pytest.raises(ValueError, match="did you mean 'rbf'"):
        as_kernel("rbff")
