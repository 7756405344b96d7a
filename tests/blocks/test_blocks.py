"""The door for dask collections: one sentence for what is none, sums and samples of what is."""

import sys

import numpy as np
import pytest
from sklearn.base import clone

from noneuclid._blocks import Blocks, Journal, is_collection, samples
from noneuclid._blocks.blocks import added
from noneuclid._blocks.door import import_dask
from noneuclid._blocks.draws import lots
from noneuclid.prototypes import GLVQ, FuzzyLabelledNeuralGas, MedianLVQ, NeuralGas

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
db = pytest.importorskip("dask.bag")
pd = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.arange(60) % 3
CHUNKS = (20, 0, 25, 15)
ROWS = da.from_array(X, chunks=(CHUNKS, (3,)))
LABELS = da.from_array(Y, chunks=(CHUNKS,))


def row_sums(part, power):
    return (part.X**power).sum(axis=0), len(part)


def boundaries(part, state, k):
    return (*state, (k, part.start, len(part)))


def of(rows=ROWS, labels=LABELS, **options):
    return Blocks.of_rows(GLVQ(), rows, labels, labels=True, **options)


def test_survey_and_sums():
    blocks = of()
    assert blocks.survey.sizes == list(CHUNKS)
    assert blocks.survey.labels == {0: 20, 1: 20, 2: 20}
    assert blocks.n_blocks == 3  # the empty one is left out
    np.testing.assert_allclose(blocks.mean, X.mean(axis=0), rtol=1e-12)
    total, n = blocks.sum(row_sums, 2)
    np.testing.assert_allclose(total, (X**2).sum(axis=0), rtol=1e-12)
    assert n == 60


def test_sums_of_many_blocks_have_one_order():
    rows = da.from_array(X, chunks=(1, 3))
    with dask.config.set(scheduler="synchronous"):
        first = of(rows, LABELS).sum(row_sums, 3)[0]
    second = of(rows, LABELS).sum(row_sums, 3)[0]
    np.testing.assert_array_equal(first, second)
    assert added([(1, np.ones(2)), (2, np.ones(2))])[0] == 3


def test_chain_goes_through_blocks_in_order():
    assert of().chain(boundaries, (), [2, 0]) == ((2, 45, 15), (0, 0, 20))


@pytest.mark.parametrize("per_class", [False, True])
def test_sample_does_not_depend_on_blocks(per_class):
    one = of().sample(5, 7, per_class)
    other = of(da.from_array(X, chunks=(7, 3)), da.from_array(Y, chunks=60)).sample(5, 7, per_class)
    np.testing.assert_array_equal(one.rows, other.rows)
    np.testing.assert_array_equal(one.X, X[one.rows])
    np.testing.assert_array_equal(one.y, Y[one.rows])
    assert len(one.rows) == (15 if per_class else 5)
    assert not np.array_equal(one.rows, of().sample(5, 8, per_class).rows)


def test_every_sample_has_the_same_chance():
    drawn = np.zeros(60)
    for seed in range(400):
        drawn[np.argsort(lots(seed, 0, 60))[:15]] += 1
    assert np.abs(drawn - 100).max() < 4.5 * np.sqrt(400 * 0.25 * 0.75)


def test_tables_keep_their_names():
    table = pd.DataFrame(X, columns=list("abc"))
    model = GLVQ(random_state=0).fit(
        dd.from_pandas(table, npartitions=3), dd.from_pandas(pd.Series(Y), npartitions=3)
    )
    assert list(model.feature_names_in_) == list("abc")
    said = model.predict(dd.from_pandas(table, npartitions=2))
    np.testing.assert_array_equal(said.compute(), model.predict(table))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(dd.from_pandas(table.rename(columns={"a": "z"}), npartitions=2))


def test_mixed_numbers_and_words_in_tables():
    table = pd.DataFrame({"a": X[:, 0], "b": np.arange(60), "c": Y > 0})
    labels = dd.from_pandas(pd.Series(Y), npartitions=2)
    model = GLVQ(random_state=0).fit(dd.from_pandas(table, npartitions=2), labels)
    again = GLVQ(random_state=0).fit(table.astype(float), Y)
    np.testing.assert_array_equal(
        model.predict(table.astype(float)), again.predict(table.astype(float))
    )
    words = dd.from_pandas(table.assign(c="word"), npartitions=2)
    with pytest.raises(TypeError, match="its column 'c' does not"):
        GLVQ().fit(words, labels)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (["b", "a", "c"], "block 1 of X has its columns in another order"),
        (["a", "b"], "block 1 of X has no column 'c'"),
        (["a", "b", "c", "d"], "block 1 of X has the column 'd'"),
    ],
)
def test_blocks_of_other_columns_are_refused(columns, words):
    table = pd.DataFrame(X, columns=list("abc")).assign(d=1.0)
    parts = [table[list("abc")], table[columns]]
    mixed = dd.from_map(lambda k: parts[k], [0, 1], meta=parts[0].iloc[:0])
    with pytest.raises(ValueError, match=words):
        NeuralGas(n_prototypes=2).fit(mixed)
    with pytest.raises(ValueError, match=words):
        GLVQ().fit(mixed, da.from_array(np.tile(Y, 2), chunks=60))
    with pytest.raises(ValueError, match=words):
        samples("f", mixed, "X")


def unknown(array):
    return array[da.from_array(np.ones(60, dtype=bool), chunks=(CHUNKS,))]


def test_unknown_lengths_are_counted_once():
    with pytest.warns(UserWarning, match="counted in the first pass"):
        model = GLVQ(random_state=0).fit(unknown(ROWS), unknown(LABELS))
    again = GLVQ(random_state=0).fit(ROWS, LABELS)
    np.testing.assert_array_equal(model.prototypes_, again.prototypes_)


def test_features_in_several_blocks_are_joined():
    with pytest.warns(UserWarning, match="features in 3 blocks"):
        model = GLVQ(random_state=0).fit(ROWS.rechunk({1: 1}), LABELS)
    again = GLVQ(random_state=0).fit(ROWS, LABELS)
    np.testing.assert_array_equal(model.prototypes_, again.prototypes_)


def test_labels_in_other_blocks_or_in_memory():
    expected = GLVQ(random_state=0).fit(ROWS, LABELS).prototypes_
    for labels in (LABELS.rechunk(13), Y, Y.tolist()):
        found = GLVQ(random_state=0).fit(ROWS, labels).prototypes_
        np.testing.assert_array_equal(found, expected)


def test_a_class_that_only_some_blocks_have():
    labels = np.where(np.arange(60) < 20, "a", np.where(np.arange(60) < 45, "b", "c"))
    model = GLVQ(random_state=0).fit(ROWS, da.from_array(labels, chunks=20))
    assert model.classes_.tolist() == ["a", "b", "c"]


def words(gap):
    labels = np.where(X[:, 0] > 0, "a", "b").astype(object)
    labels[::7] = gap
    return labels


BESIDE = {
    "array": lambda labels: da.from_array(labels, chunks=20),
    "memory": lambda labels: labels,
    "list": lambda labels: labels.tolist(),
    "bag": lambda labels: db.from_sequence(labels.tolist(), partition_size=20),
    "masked": lambda labels: np.ma.masked_array(labels, np.arange(60) % 7 == 0),
}
TWENTIES = da.from_array(X, chunks=(20, 3))


@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
@pytest.mark.parametrize("gap", [np.nan, None, pd.NA])
def test_missing_labels_are_no_classes(beside, gap):
    labels = words(gap)
    with pytest.raises(ValueError, match=r"block 0: (Input y contains NaN, a miss|y holds None)"):
        GLVQ().fit(TWENTIES, beside(labels))
    found = FuzzyLabelledNeuralGas(n_prototypes=4, random_state=0).fit(TWENTIES, beside(labels))
    again = FuzzyLabelledNeuralGas(n_prototypes=4, random_state=0).fit(X, words(None))
    assert found.classes_.tolist() == again.classes_.tolist() == ["a", "b"]


def test_a_block_without_distributions():
    L = np.eye(2)[(X[:, 0] > 0).astype(int)]
    L[:40] = np.nan
    model = FuzzyLabelledNeuralGas(n_prototypes=4, random_state=0)
    again = clone(model).fit(da.from_array(X), da.from_array(L)).label_distributions_
    found = clone(model).fit(TWENTIES, da.from_array(L, chunks=(20, 2)))
    np.testing.assert_allclose(found.label_distributions_, again, atol=1e-9)
    with pytest.raises(ValueError, match="all labels are missing"):
        clone(model).fit(TWENTIES, da.from_array(L * np.nan, chunks=(20, 2)))


@pytest.mark.parametrize("beside", list(BESIDE.values())[:4], ids=list(BESIDE)[:4])
@pytest.mark.parametrize("model", [GLVQ(), FuzzyLabelledNeuralGas(n_prototypes=4)])
def test_text_and_numbers_are_no_classes_together(beside, model):
    apart = words(None)
    apart[:20], apart[20:] = np.arange(20) % 2, words("a")[20:]
    for labels in (words(3), apart):
        with pytest.raises(ValueError, match="y mixes text and numbers"):
            clone(model).fit(TWENTIES, beside(labels))


def test_missing_labels_of_columns_and_checkpoints(tmp_path):
    labels = words(np.nan)
    rows = dd.from_pandas(pd.DataFrame(X, columns=list("abc")), npartitions=3)
    column = dd.from_pandas(pd.Series(labels, dtype="string"), npartitions=3)
    with pytest.raises(ValueError, match="Input y contains NaN, a missing label"):
        GLVQ().fit(rows, column)
    model = FuzzyLabelledNeuralGas(n_prototypes=4, random_state=0, checkpoint=tmp_path)
    first = model.fit(TWENTIES, BESIDE["array"](words(pd.NA))).prototypes_
    np.testing.assert_array_equal(clone(model).fit(TWENTIES, words(pd.NA)).prototypes_, first)


def spoiled(i, value):
    rows = X.copy()
    rows[i, 1] = value
    return da.from_array(rows, chunks=(CHUNKS, (3,)))


@pytest.mark.parametrize(
    ("rows", "labels", "words"),
    [
        (spoiled(23, np.nan), LABELS, "NaN, a missing value, in row 3 of block 2"),
        (spoiled(46, np.inf), LABELS, "infinity, in row 1 of block 3"),
        (spoiled(3, 1e200), LABELS, "rescale X"),
        (ROWS, LABELS[:50], "X has 60 samples, but y has 50"),
        (ROWS, Y[:50], "X has 60 samples, but y has 50"),
        (ROWS, None, "requires y"),
        (ROWS, da.zeros(60, chunks=20, dtype=int), "at least two classes"),
        (ROWS, da.from_array(X[:, 0], chunks=20), "block 0: .*continuous"),
        (ROWS[:, 0], LABELS, "two-dimensional"),
        (ROWS[:0], LABELS[:0], "X has no samples"),
        (ROWS.astype(complex), LABELS, "must hold numbers, and its dtype is complex"),
        (X, LABELS, "so X must be one too"),
        (db.from_sequence(["a"] * 60), LABELS, "dask bag, but rows of numbers"),
    ],
)
def test_bad_input_is_said_in_one_sentence(rows, labels, words):
    with pytest.raises((ValueError, TypeError), match=words) as error:
        GLVQ().fit(rows, labels)
    assert "\n" not in str(error.value)


def test_unknown_lengths_of_other_blocks():
    with (
        pytest.warns(UserWarning, match="counted"),
        pytest.raises(ValueError, match="compute_chunk_sizes"),
    ):
        GLVQ().fit(unknown(ROWS), LABELS.rechunk(30))
    labels = LABELS.rechunk(((21, 1, 18, 20),))
    with (
        pytest.warns(UserWarning, match="counted"),
        pytest.raises(ValueError, match="block 0 has 20 samples, but 21 of y"),
    ):
        GLVQ().fit(unknown(ROWS), labels)


def test_weights_are_checked_and_scaled():
    weights = da.from_array(RNG.random(60), chunks=20)
    one = GLVQ(random_state=0).fit(ROWS, LABELS, weights).prototypes_
    other = GLVQ(random_state=0).fit(ROWS, LABELS, 7 * weights).prototypes_
    np.testing.assert_allclose(one, other, rtol=1e-9)
    with pytest.raises(ValueError, match=r"not negative.* in block 0"):
        GLVQ().fit(ROWS, LABELS, weights - 2)
    with pytest.raises(ValueError, match="weights of all samples are zero"):
        GLVQ().fit(ROWS, LABELS, 0 * weights)


def test_learners_of_all_samples_at_once_say_so():
    with pytest.raises(TypeError, match="MedianLVQ does not take dask collections"):
        MedianLVQ().fit(ROWS, LABELS)
    with pytest.raises(TypeError, match="one block at a time"):
        NeuralGas().partial_fit(ROWS)
    with pytest.raises(ValueError, match='use solver="batch"'):
        NeuralGas(solver="online").fit(ROWS)
    assert is_collection(ROWS)
    assert not is_collection(X)


def test_without_dask_its_installation_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(ImportError, match=r'pip install "noneuclid\[dask\]"'):
        import_dask()


# --- the journal ------------------------------------------------------------------------------


def test_a_journal_answers_what_it_knows(tmp_path):
    answers = [
        (np.arange(3.0), 2, "word", None, {"a": 1, 3: np.ones(2)}),
        np.array(["x", "yy"]),
        np.array(["x", 1, None], dtype=object),
        [1.5, np.float64(2.5)],
    ]
    for again in (False, True):
        journal = Journal(tmp_path, "fit()")
        for k, answer in enumerate(answers):
            found = journal.ask(
                ("question", k), lambda k=k, again=again: None if again else answers[k]
            )
            assert repr(found) == repr(answer)
        assert journal.n_read == (len(answers) if again else 0)


def test_a_journal_is_of_one_fit(tmp_path):
    seed = Journal(tmp_path, "GLVQ()").seed
    assert Journal(tmp_path, "GLVQ()").seed == seed
    with pytest.raises(ValueError, match="belongs to another fit"):
        Journal(tmp_path, "RSLVQ()")
    journal = Journal(tmp_path, "GLVQ()")
    journal.ask("a", lambda: 1.0)
    with pytest.raises(ValueError, match="other data"):
        Journal(tmp_path, "GLVQ()").ask("b", lambda: 1.0)
    with pytest.raises(ValueError, match="other data"):
        Journal(tmp_path, "GLVQ()").ask("a", lambda: 1.1, check=True)
    (tmp_path / "000000.npz").write_bytes(b"damaged")
    with pytest.raises(ValueError, match="is damaged"):
        Journal(tmp_path, "GLVQ()").ask("a", lambda: 1.0)
    (tmp_path / "fit.json").write_text("[]")
    with pytest.raises(ValueError, match="no folder of a fit"):
        Journal(tmp_path, "GLVQ()")


def test_other_data_are_refused(tmp_path):
    GLVQ(random_state=0, checkpoint=tmp_path).fit(ROWS, LABELS)
    with pytest.raises(ValueError, match="other data"):
        GLVQ(random_state=0, checkpoint=tmp_path).fit(ROWS + 1, LABELS)
    with pytest.raises(ValueError, match="another fit"):
        GLVQ(random_state=1, checkpoint=tmp_path).fit(ROWS, LABELS)
    with pytest.raises(ValueError, match="checkpoint"):
        GLVQ(checkpoint=3).fit(ROWS, LABELS)


def _unread(block):
    raise AssertionError("data were read")


def test_folders_that_cannot_be_written_are_refused_before_any_work(tmp_path):
    (tmp_path / "file").write_text("")
    rows = da.from_array(X, chunks=20).map_blocks(_unread, dtype=float)
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ValueError, match=r"checkpoint .* must be a folder"):
            GLVQ(checkpoint=folder).fit(rows, LABELS)


@pytest.mark.parametrize("lazy", [True, False])
def test_a_journal_knows_samples_and_labels_in_their_order(tmp_path, lazy):
    rows, labels = (ROWS, LABELS) if lazy else (X, Y)
    model = GLVQ(random_state=0, max_epochs=3, checkpoint=tmp_path)
    first = model.fit(rows, labels).prototypes_.copy()
    np.testing.assert_array_equal(clone(model).fit(rows, labels).prototypes_, first)
    exchanged = np.array(sorted(set(Y)))[::-1][np.searchsorted(sorted(set(Y)), Y)]
    shuffled = X.copy()
    shuffled[:, 0] = X[::-1, 0]
    for other, theirs in ((X, exchanged), (X[::-1], Y), (shuffled, Y)):
        if lazy:
            other, theirs = (
                da.from_array(other, chunks=(CHUNKS, (3,))),
                da.from_array(theirs, chunks=(CHUNKS,)),
            )
        with pytest.raises(ValueError, match="was begun with other data"):
            clone(model).fit(other, theirs)
