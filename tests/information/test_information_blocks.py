"""Tests of dask collections: features, their error, labels dealt out to blocks, bad input."""

import itertools
import pickle

import numpy as np
import pytest

from clusters import two_processes
from noneuclid._blocks import Blocks, Part
from noneuclid._blocks.survey import Look
from noneuclid.information import (
    _independence_blocks,
    _relabelling,
    _two_sample_blocks,
    drifted_columns,
    independence_test,
    two_sample_test,
)
from noneuclid.information._drift_blocks import WORDS, Tables
from noneuclid.information._features import Frequencies, Landmarks, features_on
from noneuclid.information._widths import kernel_width
from noneuclid.kernels import Gaussian

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
db = pytest.importorskip("dask.bag")
dd = pytest.importorskip("dask.dataframe")
pd = pytest.importorskip("pandas")
TESTS = {"two samples": two_sample_test, "independence": independence_test}


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def blocks(X, rows):
    return da.from_array(X, chunks=(rows, -1))


def two(d, n=900, m=700, shift=0.3, seed=0):
    g = np.random.default_rng(seed)
    return g.normal(size=(n, d)), g.normal(size=(m, d)) + shift / np.sqrt(d)


def pairs(d, n=600, strength=0.6, seed=0):
    g = np.random.default_rng(seed)
    X, Y = g.normal(size=(2, n, d))
    return X, Y + strength * X**2


# --- features -------------------------------------------------------------------------------


def test_features_reproduce_the_kernel_to_what_they_say():
    g = np.random.default_rng(0)
    near, far = g.normal(size=(500, 2)), g.normal(size=(400, 30))
    landmarks = features_on(near, 1.0, 512, None, g)
    assert isinstance(landmarks, Landmarks)
    others = 2.0 * g.normal(size=(300, 2))
    Z = landmarks(others)
    rest = Gaussian(1.0)(others) - Z[:, :-1] @ Z[:, :-1].T
    assert (np.abs(rest) <= np.outer(Z[:, -1], Z[:, -1]) + 1e-7).all()
    assert Z[:, -1].max() > 0.1  # some lie where the sample has none
    finest = features_on(near[:, :1], 1.0, 512, 1e-14, g)(2.0 * others[:, :1])[:, :-1]
    assert (finest**2).sum(axis=1).max() < 1 + 1e-7
    frequencies = features_on(far, 5.0, 512, None, g)
    assert isinstance(frequencies, Frequencies)
    Z = frequencies(far[:50])[:, :-1]
    rest = Gaussian(5.0)(far[:50]) - Z @ Z.T
    stated = [frequencies.error(Z[0] * Z[k], 0.0) for k in range(1, 50)]
    assert 0.5 < np.std(rest[0, 1:]) / np.mean(stated) < 1.5
    assert np.abs(frequencies(far + 1e6)[:, :-1]).max() <= 1 / 16


@pytest.mark.parametrize("statistic", ["ed", "cs"])
@pytest.mark.parametrize("d", [1, 3, 8])
def test_two_samples_agree_with_those_in_memory(d, statistic):
    X, Y = two(d)
    call = {"width": np.sqrt(d / 2), "statistic": statistic, "random_state": 0}
    exact = two_sample_test(X, Y, n_permutations=499, **call)
    found = two_sample_test(blocks(X, 250), blocks(Y, 300), n_permutations=499, **call)
    assert abs(found.statistic - exact.statistic) <= 4 * found.error
    assert 0 < found.error < (1e-3 if d < 4 else 0.2) * exact.statistic
    assert found.null.mean() == pytest.approx(exact.null.mean(), rel=0.15)
    assert np.quantile(found.null, 0.9) == pytest.approx(np.quantile(exact.null, 0.9), rel=0.2)
    assert (found.name, found.level) == (exact.name, exact.level)
    assert found.rejected
    assert exact.error == 0


@pytest.mark.parametrize(("d", "statistic"), [(1, "ed"), (1, "cs"), (6, "ed")])
def test_independence_agrees_with_that_in_memory(d, statistic):
    X, Y = pairs(d)
    call = {"width": np.sqrt(d / 2), "statistic": statistic, "random_state": 0}
    exact = independence_test(X, Y, n_permutations=199, **call)
    found = independence_test(blocks(X, 300), blocks(Y, 170), n_permutations=999, **call)
    assert abs(found.statistic - exact.statistic) <= 4 * found.error
    assert 0 < found.error < (1e-2 if d == 1 else 0.3) * exact.statistic
    assert found.null.mean() == pytest.approx(exact.null.mean(), rel=0.15)
    assert np.quantile(found.null, 0.9) == pytest.approx(np.quantile(exact.null, 0.9), rel=0.15)
    assert found.rejected == exact.rejected


def test_widths_of_a_sample_are_those_of_all_rows():
    X = np.random.default_rng(0).normal(size=(20000, 2))
    sample = X[:2000]
    assert kernel_width("silverman", sample, 20000) == pytest.approx(
        kernel_width("silverman", X), rel=0.03
    )
    assert kernel_width("loo", sample, 20000) < 0.8 * kernel_width("loo", sample)
    assert kernel_width("median", sample, 20000) == kernel_width("median", sample)
    A, B = two(2)
    for rule in ("median", "silverman"):  # here the sample is all there is
        exact = two_sample_test(A, B, rule, n_permutations=19, random_state=0)
        found = two_sample_test(blocks(A, 400), B, rule, n_permutations=19, random_state=0)
        assert found.statistic == pytest.approx(exact.statistic, rel=0.02)


# --- labels dealt out to blocks -------------------------------------------------------------


def one_hot(rows):
    return np.eye(12)[rows[:, 0].astype(int)]


def test_every_set_of_rows_is_called_x_equally_often(monkeypatch):
    monkeypatch.setattr(_relabelling, "_ROWS", 2)
    edges, n, B = np.array([0, 3, 4, 5, 10, 12]), 5, 20000
    ends = itertools.pairwise(edges)
    parts = [Part(np.arange(a, b)[:, None], None, None, a if a < 5 else a - 5) for a, b in ends]
    sums = sum(
        _relabelling.relabelled(part, one_hot, edges, n, 0 if k < 3 else 5, B, 7)
        for k, part in enumerate(parts)
    )
    total, truth, sides = sums[0], sums[1], sums[2:]
    assert (total == 1).all()
    np.testing.assert_array_equal(truth, np.arange(12) < 5)
    assert (sides.sum(axis=1) == n).all()
    together = sides.T @ sides / B
    expected = np.full((12, 12), 5 * 4 / (12 * 11)) + np.eye(12) * (5 / 12 - 5 * 4 / (12 * 11))
    assert np.abs(together - expected).max() < 5 * 0.5 / np.sqrt(B)
    trios = sides[:, 0] * sides[:, 4] * sides[:, 11]
    assert trios.mean() == pytest.approx(5 * 4 * 3 / (12 * 11 * 10), abs=5 * 0.21 / np.sqrt(B))


def test_a_thousand_million_rows_are_dealt_out_too(monkeypatch):
    g = np.random.default_rng(0)
    few = _relabelling.hypergeometric(600, 400, np.full(4000, 500), g)
    monkeypatch.setattr(_relabelling, "_MOST", 1000)
    many = _relabelling.hypergeometric(600, 400, np.full(4000, 500), g)
    assert many.mean() == pytest.approx(few.mean(), abs=1.0)
    assert many.std() == pytest.approx(few.std(), rel=0.06)
    ends = np.array([0, 10**9, 3 * 10**9])
    shares = [_relabelling.dealt(k, ends, np.full(50, 10**9), [3]) for k in (0, 1)]
    assert (shares[0] + shares[1] == 10**9).all()
    assert shares[0].mean() == pytest.approx(10**9 / 3, rel=1e-4)


# --- level and power ------------------------------------------------------------------------


def eager(function, X, name):
    """Blocks of an array, without dask, whose tasks take longer than these small tests."""
    return Blocks(np.array_split(X, 3), look=Look(function, True, False, name), lazy=False)


def null_pvalues(monkeypatch, module, draw, repetitions):
    monkeypatch.setattr(module, "samples", eager)
    g = np.random.default_rng(1)
    found = []
    for _ in range(repetitions):
        values, *_ = module.statistics_in_blocks(*draw(g), "median", "ed", 99, None, g)
        found.append((1 + (values[1:] >= values[0]).sum()) / 100)
    return np.array(found)


def two_null(g):
    return g.exponential(size=(25, 2)), g.exponential(size=(30, 2))


def pair_null(g):
    return g.normal(size=(150, 1)), g.exponential(size=(150, 2))


@pytest.mark.parametrize(
    ("module", "draw"), [(_two_sample_blocks, two_null), (_independence_blocks, pair_null)]
)
def test_level(monkeypatch, module, draw):
    pvalues = null_pvalues(monkeypatch, module, draw, 100)
    assert (pvalues <= 0.05).mean() <= 0.12  # binomial: three standard deviations
    assert 0.35 <= (pvalues <= 0.5).mean() <= 0.65


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "draw"), [(_two_sample_blocks, two_null), (_independence_blocks, pair_null)]
)
def test_level_closely(monkeypatch, module, draw):
    pvalues = null_pvalues(monkeypatch, module, draw, 3000)
    assert 0.038 <= (pvalues <= 0.05).mean() <= 0.062


@pytest.mark.parametrize("draw", ["lognormal", "poisson"])
def test_level_of_columns(draw):
    g = np.random.default_rng(0)
    before, after = (pd.DataFrame(getattr(g, draw)(1.0, size=(n, 150))) for n in (60, 40))
    results = Tables(before, after).results("median", 99, 0.05, "divergence", g)
    pvalues = np.array([result.pvalue for result in results])
    assert 0.0 < (pvalues <= 0.05).mean() <= 0.1
    assert 0.38 <= (pvalues <= 0.5).mean() <= 0.62


@pytest.mark.parametrize("scale", [1.15, 1.3])
def test_power_is_that_of_tests_in_memory(scale):
    rejected = np.zeros(2)
    for seed in range(8):
        g = np.random.default_rng(seed)
        X, Y = g.normal(size=(200, 5)), scale * g.normal(size=(200, 5))
        for k, (A, B) in enumerate(((X, Y), (blocks(X, 90), blocks(Y, 120)))):
            rejected[k] += two_sample_test(A, B, n_permutations=99, random_state=seed).rejected
    assert abs(rejected[0] - rejected[1]) <= 2
    assert rejected[1] >= (7 if scale > 1.2 else 1)


def test_rows_may_be_sorted():
    g = np.random.default_rng(0)
    X = np.repeat([0.0, 1.0], 200)[:, None]  # one value per block
    Y = g.normal(size=(400, 1)) + 0.6 * X
    found = independence_test(blocks(X, 200), blocks(Y, 200), n_permutations=199, random_state=0)
    assert found.pvalue == 0.005
    order = np.argsort(g.random(400))
    mixed = independence_test(
        blocks(X[order], 100), blocks(Y[order], 100), n_permutations=199, random_state=0
    )
    assert mixed.statistic == pytest.approx(found.statistic, rel=1e-2)
    A, B = two(1, 300, 300, shift=0.5)
    A, B = np.sort(A, axis=0), np.sort(B, axis=0)
    assert two_sample_test(blocks(A, 50), blocks(B, 50), n_permutations=99, random_state=0).rejected
    same = two_sample_test(
        blocks(A[::2], 50), blocks(A[1::2], 50), n_permutations=99, random_state=0
    )
    assert same.pvalue > 0.5


# --- tables ---------------------------------------------------------------------------------


def table(n, seed, shift=0.0, share=0.3):
    g = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": g.normal(40 + shift, 10, n),
            "income": g.lognormal(size=n),
            "visits": g.poisson(3, n),
            "colour": g.choice(["red", "green", "blue"], n, p=[share, 0.9 - share, 0.1]),
            "kind": pd.Categorical(g.choice(["a", "b"], n)),
            "member": g.random(n) < 0.5,
            "country": "here",
            "zero": 0.0,
        }
    )


def on_dask(frame, n_blocks):
    return dd.from_pandas(frame, npartitions=n_blocks)


def test_drift_of_tables_is_that_in_memory():
    before, after = table(1000, 0), table(800, 1, shift=3, share=0.5)
    call = {"width": 3.0, "random_state": 0}
    exact = drifted_columns(before, after, **call)
    turned = on_dask(after[list(after.columns[::-1])], 2)
    found = drifted_columns(on_dask(before, 3), turned, **call)
    assert found.columns == list(before.columns)
    assert found.drifted == exact.drifted == ["age", "colour"]
    words = [3, 4, 5]
    np.testing.assert_allclose(found.statistics[words], exact.statistics[words], rtol=1e-12)
    for name, one, other in zip(found.columns, found.results, exact.results):
        assert (one is None) == (other is None) == (name in ("country", "zero"))
        if one is not None:
            assert one.null.mean() == pytest.approx(other.null.mean(), rel=0.15)
            q = np.quantile([one.null, other.null], 0.9, axis=1)
            assert q[0] == pytest.approx(q[1], rel=0.2)
            assert one.statistic == pytest.approx(other.statistic, rel=1e-6, abs=4 * one.error)
            assert one.error < 5e-3 * one.statistic  # of two that are as good as equal, too
    one_block = drifted_columns(on_dask(before, 1), after, **call)
    np.testing.assert_allclose(one_block.statistics, found.statistics, rtol=1e-7)
    np.testing.assert_allclose(one_block.pvalues, found.pvalues, atol=2e-3)


def test_drift_of_arrays_and_false_alarms():
    g = np.random.default_rng(0)
    before, after = g.normal(size=(2, 300, 40))
    result = drifted_columns(
        blocks(before, 150),
        blocks(after, 150),
        correction="none",
        n_permutations=99,
        random_state=0,
    )
    assert result.columns == list(range(40))
    assert (result.pvalues <= 0.05).sum() <= 6
    assert 0.05 <= (result.pvalues <= 0.25).mean() <= 0.45
    assert 0.3 < result.pvalues.mean() < 0.7
    rare = np.zeros((5000, 1))
    rare[7] = 1.0
    few = drifted_columns(blocks(rare, 1000), blocks(np.zeros((5000, 1)), 5000), random_state=0)
    assert few.pvalues[0] > 0.1


def test_long_words_and_rare_words():
    g = np.random.default_rng(0)
    long = np.array(["x" * 5000 + c for c in "ab"])
    before, after = (pd.DataFrame({"w": long[(g.random(300) < p).astype(int)]}) for p in (0.3, 0.6))
    exact = drifted_columns(before, after, random_state=0)
    found = drifted_columns(on_dask(before, 2), on_dask(after, 2), random_state=0)
    assert found.statistics[0] == pytest.approx(exact.statistics[0])
    assert found.drifted == ["w"]


# --- where the blocks are -------------------------------------------------------------------


def reach_client(monkeypatch, run):
    """The bytes of everything that dask computes for the client."""
    sizes = []
    compute = dask.compute

    def watched(*tasks, **options):
        found = compute(*tasks, **options)
        sizes.extend(len(pickle.dumps(value)) for value in found)
        return found

    monkeypatch.setattr(dask, "compute", watched)
    run()
    return max(sizes)


def test_nothing_large_reaches_the_client(monkeypatch):
    n = 40000
    X, Y = da.random.default_rng(0).normal(size=(2, n, 2), chunks=(1, 10000, 2))
    sample, more = 2048 * 2 * 8, 2000
    size = reach_client(monkeypatch, lambda: two_sample_test(X, Y, 1.0, n_permutations=19))
    assert size <= max(21 * 513 * 8, 2 * sample) + more < n * 2 * 8 / 6
    T, U = X[:, :1], Y[:, :1]
    size = reach_client(monkeypatch, lambda: independence_test(T, U, 1.0, n_permutations=19))
    assert size < 4 * sample < n * 8 / 2
    frame = dd.from_dask_array(X, columns=["a", "b"]).assign(c="word")
    size = reach_client(monkeypatch, lambda: drifted_columns(frame, frame))
    assert size < 4 * sample < n * 8 / 2


@pytest.fixture(scope="module")
def cluster():
    yield from two_processes()


def test_equal_results_on_threads_processes_and_here(cluster):
    X, Y = two(3, 400, 300)
    T, U = pairs(1, 400)
    before, after = on_dask(table(300, 0), 3), on_dask(table(200, 1), 2)

    def results():
        call = {"n_permutations": 99, "random_state": 3}
        return [
            two_sample_test(blocks(X, 120), blocks(Y, 90), **call),
            independence_test(blocks(T, 120), blocks(U, 90), **call),
            *drifted_columns(before, after, random_state=3).results,
        ]

    here = results()
    done = cluster.cluster.scheduler.transition_counter
    for scheduler in (cluster, "threads"):
        with dask.config.set(scheduler=scheduler):
            there = results()
        assert cluster.cluster.scheduler.transition_counter > done + 100
        for one, other in zip(there, here):
            assert (one is None) == (other is None)
            if one is not None:
                assert one.pvalue == other.pvalue
                assert one.statistic == pytest.approx(other.statistic, rel=1e-10)
                np.testing.assert_allclose(one.null, other.null, rtol=1e-9)


# --- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS.values(), ids=list(TESTS))
def test_odd_blocks(test):
    X, Y = (V[:300] for V in pairs(2))
    call = {"n_permutations": 19, "random_state": 0}
    A, B = blocks(X, 100), blocks(Y, 100)
    expected = test(A, B, 1.0, **call)
    empty = da.concatenate([A[:0], A[:150], A[:0], A[150:]])
    found = test(empty, B, 1.0, **call)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
    with pytest.warns(UserWarning, match="X has its features in 2 blocks"):
        found = test(A.rechunk((100, 1)), B, 1.0, **call)
    np.testing.assert_array_equal(found.null, expected.null)
    unknown = A[A[:, 0] > -np.inf]
    with pytest.warns(UserWarning, match="X has blocks of unknown length"):
        found = test(unknown, B, 1.0, **call)
    np.testing.assert_array_equal(found.null, expected.null)
    frames = [dd.from_dask_array(V, columns=["a", "b"]) for V in (A, B)]
    found = test(*frames, 1.0, **call)
    np.testing.assert_array_equal(found.null, expected.null)
    if test is two_sample_test:
        found = test(frames[0], frames[1][["b", "a"]], 1.0, **call)
        np.testing.assert_array_equal(found.null, expected.null)
    for one, other in ((X, B), (A, Y)):
        found = test(one, other, 1.0, **call)
        assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)


@pytest.mark.parametrize("test", TESTS.values(), ids=list(TESTS))
def test_bad_blocks(test):
    X = np.random.default_rng(0).normal(size=(30, 2))
    A = blocks(X, 10)
    hole = X.copy()
    hole[17, 1] = np.nan
    endless = X.copy()
    endless[3, 0] = np.inf
    words = dd.from_pandas(pd.DataFrame({"a": ["x", "y"] * 15, "b": 1.0}), npartitions=2)
    for arguments, kind, sentence in (
        ((A, blocks(hole, 10)), ValueError, "Input Y contains NaN.* row 7 of block 1"),
        ((blocks(endless, 10), A), ValueError, "Input X contains infinity.* row 3 of block 0"),
        ((A[:1], A[:1]), ValueError, "X must hold at least two samples; it has 1"),
        ((A, A[:0]), ValueError, "Y has no samples"),
        ((A[:, 0], A), ValueError, "X must be two-dimensional"),
        ((words, A), TypeError, "X must hold numbers, and its column 'a' does not"),
        ((A.astype(object), A), TypeError, "X must hold numbers, and its dtype is object"),
        ((db.from_sequence([1, 2]), A), TypeError, "X is a dask bag"),
        ((A, A, -1.0), ValueError, "must be a positive number"),
        ((A, A, "wide"), ValueError, "must be one of"),
        ((A * 0, A * 0), ValueError, "all rows of a sample of X.* are equal"),
        ((A * 1e100, A), ValueError, "X holds values up to .*: rescale X"),
    ):
        with pytest.raises(kind, match=sentence):
            test(*arguments, n_permutations=19, random_state=0)


def test_more_bad_blocks():
    A = blocks(np.random.default_rng(0).normal(size=(60, 2)), 20)
    with pytest.raises(ValueError, match="X has 2 features and Y has 1"):
        two_sample_test(A, A[:, :1])
    with pytest.raises(ValueError, match="X has 60 samples and Y has 59"):
        independence_test(A, A[1:])
    with pytest.raises(ValueError, match=r"Gaussian\(\) is for samples in memory"):
        two_sample_test(A, A, kernel=Gaussian())
    with pytest.raises(ValueError, match="so far apart that features do not tell"):
        two_sample_test(A, A + 1e3, 1.0, statistic="cs")
    frame = dd.from_dask_array(A, columns=["a", "b"])
    with pytest.raises(ValueError, match="only one of the two tables has the columns b, c"):
        two_sample_test(frame, frame.rename(columns={"b": "c"}))


def test_bad_tables():
    frame = table(40, 0)
    good = on_dask(frame, 4)

    def broken(name, value):
        changed = frame.copy()
        changed[name] = changed[name].astype(object) if isinstance(value, str) else changed[name]
        changed.loc[25, name] = value
        return on_dask(changed, 4)

    with dask.config.set({"dataframe.convert-string": False}):
        objects = on_dask(frame.assign(age=frame["age"].astype(object)), 4)
    many = pd.DataFrame({"id": np.arange(WORDS + 10).astype(str)})
    for arguments, sentence in (
        ((good, broken("age", np.nan)), "'age' has missing values, in row 5 of block 2 of the cur"),
        ((broken("age", np.inf), good), "'age' has infinity, in row 5 of block 2 of the reference"),
        ((good, broken("colour", None)), "'colour' has missing values, in row 5 of block 2"),
        ((good, good.drop(columns="age")), "only one of the two tables has the columns age"),
        ((good, broken("age", "old")), "'age' holds numbers in one table and words in the other"),
        ((objects, objects), "'age' holds numbers as objects"),
        ((good.assign(age=good["age"] + 1j), good), "'age' holds complex numbers"),
        ((good, good.age), "current must be a table"),
        ((good.loc[:0], good), "reference must hold at least two samples; it has 1"),
        ((good[[]], good[[]]), "no columns"),
        ((on_dask(many, 1), on_dask(many, 1)), "more than 10,000 different values"),
        ((on_dask(many[:6000], 1), on_dask(many[6000:], 1)), "more than 10,000 different values"),
        ((good, good.assign(age=1e100)), "column 'age' holds values up to"),
    ):
        with pytest.raises(ValueError, match=sentence):
            drifted_columns(*arguments, random_state=0)
