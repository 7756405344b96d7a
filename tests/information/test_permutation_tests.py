"""Two-sample and independence tests: statistics, p-values, calibration, blocks, bad input."""

import tracemalloc

import numpy as np
import pytest
from information_naive import V, gram

from memory import peak_of
from noneuclid.information import (
    TestResult,
    bandwidth,
    cauchy_schwarz_divergence,
    euclidean_divergence,
    independence,
    independence_test,
    joint_independence_test,
    quadratic_mutual_information,
    two_sample,
    two_sample_test,
)
from noneuclid.information._permutations import compare_with_null
from noneuclid.information._shifts import Circles
from noneuclid.kernels import CrossInformationPotential, Gaussian, Linear, SpikeTrainKernel

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(30, 2)), rng.normal(0.6, 1.2, size=(20, 2))
T = rng.normal(size=(40, 1))
U = T**2 + 0.5 * rng.normal(size=(40, 1))


# --- two samples ----------------------------------------------------------------------------


@pytest.mark.parametrize("low_rank", [None, 1e-13])
def test_the_statistic_is_the_divergence(low_rank):
    call = {"width": 0.8, "n_permutations": 19, "low_rank": low_rank, "random_state": 0}
    ed, cs = (two_sample_test(X, Y, statistic=kind, **call) for kind in ("ed", "cs"))
    assert ed.statistic == pytest.approx(euclidean_divergence(X, Y, 0.8), rel=1e-10)
    assert cs.statistic == pytest.approx(cauchy_schwarz_divergence(X, Y, 0.8), rel=1e-10)


@pytest.mark.parametrize("statistic", ["ed", "cs"])
def test_null_sample_and_pvalue_are_those_of_a_plain_loop(statistic):
    result = two_sample_test(
        X, Y, 0.8, statistic=statistic, n_permutations=49, level=0.05, random_state=3
    )
    sides = np.zeros((49, 50), dtype=np.int8)
    sides[:, :30] = 1
    Z = np.vstack([X, Y])
    measure = {"ed": euclidean_divergence, "cs": cauchy_schwarz_divergence}[statistic]
    for side, value in zip(np.random.default_rng(3).permuted(sides, axis=1), result.null):
        assert value == pytest.approx(measure(Z[side == 1], Z[side == 0], 0.8), rel=1e-8)
    larger = (result.null >= result.statistic).sum()
    assert result.pvalue == (1 + larger) / 50
    assert len(result.null) == 49


def test_tiles_do_not_change_the_result(monkeypatch):
    whole = two_sample_test(X, Y, 0.8, n_permutations=30, random_state=0)
    monkeypatch.setattr(two_sample, "_TILE", 7)
    for low_rank in (None, 1e-13):
        tiled = two_sample_test(X, Y, 0.8, n_permutations=30, low_rank=low_rank, random_state=0)
        np.testing.assert_allclose(tiled.null, whole.null, rtol=1e-9)
        assert tiled.pvalue == whole.pvalue


def test_memory_never_holds_the_matrix():
    big = np.random.default_rng(0).normal(size=(6000, 2))
    options = {"n_permutations": 19, "random_state": 0}
    peak = peak_of(lambda: two_sample_test(big[:3000], big[3000:], 0.5, **options))
    assert peak < 6000 * 6000 * 8 / 4


@pytest.mark.slow
def test_twenty_thousand_samples():
    Z = np.random.default_rng(0).normal(size=(20000, 3))
    tracemalloc.start()
    assert two_sample_test(Z[:9000], Z[9000:], n_permutations=99, random_state=0).pvalue >= 0.01
    independence_test(Z[:, :1], Z[:, 1:2], n_permutations=99, random_state=0)
    independence_test(Z[:, :2], Z[:, 1:], 0.3, n_permutations=19, random_state=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400e6  # N x N would be 3200


def test_pvalues_are_never_zero_and_ties_count():
    far = two_sample_test(X, Y + 100, 1.0, n_permutations=99, random_state=0)
    assert far.pvalue == 0.01
    assert far.rejected
    ones = np.ones((5, 1)), np.ones((6, 1))
    with pytest.warns(UserWarning, match="0 up to rounding: if the samples are not constant"):
        assert two_sample_test(*ones, 1.0, n_permutations=99, random_state=0).pvalue == 1.0
    few = two_sample_test([[0.0], [0.1]], [[5.0], [5.1]], 1.0, n_permutations=200, random_state=0)
    assert few.pvalue > 0.25  # a third of all permutations is the data itself, or its mirror image


def test_seeds_and_results():
    once, again = (two_sample_test(X, Y, n_permutations=99, random_state=5) for _ in range(2))
    assert isinstance(once, TestResult)
    assert once.pvalue == again.pvalue
    np.testing.assert_array_equal(once.null, again.null)
    wide = two_sample_test(
        X, Y, bandwidth(np.vstack([X, Y]), "median") / np.sqrt(2), n_permutations=99, random_state=5
    )
    assert wide.statistic == pytest.approx(once.statistic)
    assert "null" not in repr(once)


def test_any_positive_kernel_and_its_objects():
    by_kernel = two_sample_test(
        X, Y, kernel=Gaussian(np.sqrt(2) * 0.8), n_permutations=49, random_state=0
    )
    by_width = two_sample_test(X, Y, 0.8, n_permutations=49, random_state=0)
    assert by_kernel.pvalue == by_width.pvalue
    generator = np.random.default_rng(1)
    slow, fast = ([generator.random(k) for k in generator.poisson(r, 15)] for r in (5, 12))
    trains = two_sample_test(
        slow, fast, kernel=SpikeTrainKernel(0.1), n_permutations=99, random_state=0
    )
    assert trains.rejected
    bags = [generator.normal(0, s, size=(20, 1)) for s in [1] * 8 + [2] * 8]
    kernel = CrossInformationPotential(0.5)
    assert two_sample_test(
        bags[:8], bags[8:], kernel=kernel, n_permutations=99, random_state=0
    ).rejected


# --- independence ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["features", "diagonals", "low_rank"])
@pytest.mark.parametrize("statistic", ["ed", "cs"])
def test_independence_statistic_and_null(statistic, path, monkeypatch):
    if path == "features":
        monkeypatch.setattr(independence, "_DIAGONAL", 1e9)
    low_rank = 1e-13 if path == "low_rank" else None
    result = independence_test(
        T, U, (0.6, 0.8), statistic=statistic, n_permutations=20, low_rank=low_rank, random_state=2
    )
    exact = quadratic_mutual_information(T, U, (0.6, 0.8), statistic)
    assert result.statistic == pytest.approx(exact, rel=1e-8)
    orders = np.concatenate(list(Circles(40, 20, np.random.default_rng(2)).some(7)))
    np.testing.assert_array_equal(orders[0], np.arange(40))
    for order, value in zip(orders[1:6], result.null):
        expected = quadratic_mutual_information(T, U[order], (0.6, 0.8), statistic)
        assert value == pytest.approx(expected, rel=1e-7)
    assert result.pvalue == (1 + (result.null >= result.statistic).sum()) / 21


def test_independence_against_the_naive_criterion():
    K, L, H = gram(T, 0.6), gram(U, 0.6), np.eye(40) - 1 / 40
    result = independence_test(T, U, 0.6, n_permutations=19, random_state=0)
    assert result.statistic == pytest.approx(np.trace(K @ H @ L @ H) / 1600, rel=1e-9)
    assert result.rejected


def test_gathering_in_pieces_changes_nothing(monkeypatch):
    monkeypatch.setattr(independence, "_DIAGONAL", 1e9)
    whole = independence_test(T, U, n_permutations=50, random_state=0)
    monkeypatch.setattr(independence, "_GATHERED", 1)
    pieces = independence_test(T, U, n_permutations=50, random_state=0)
    np.testing.assert_allclose(pieces.null, whole.null, rtol=1e-12)


# --- calibration ----------------------------------------------------------------------------

TESTS = {
    "two samples, ed": lambda g: two_sample_test(
        g.normal(size=(25, 2)), g.normal(size=(30, 2)), n_permutations=99, random_state=g
    ),
    "two samples, cs": lambda g: two_sample_test(
        g.normal(size=(25, 2)),
        g.normal(size=(30, 2)),
        statistic="cs",
        n_permutations=99,
        random_state=g,
    ),
    "two samples, low rank": lambda g: two_sample_test(
        g.exponential(size=(25, 1)),
        g.exponential(size=(30, 1)),
        n_permutations=99,
        low_rank=1e-8,
        random_state=g,
    ),
    "independence, ed": lambda g: independence_test(
        g.normal(size=(40, 1)), g.exponential(size=(40, 1)), n_permutations=99, random_state=g
    ),
    "independence, cs": lambda g: independence_test(
        g.normal(size=(40, 1)),
        g.exponential(size=(40, 2)),
        statistic="cs",
        n_permutations=99,
        random_state=g,
    ),
}


def rejection_rate(test, repetitions):
    generator = np.random.default_rng(1)
    return np.mean([test(generator).rejected for _ in range(repetitions)])


@pytest.mark.parametrize("name", TESTS)
def test_calibration_roughly(name):
    assert rejection_rate(TESTS[name], 100) <= 0.12  # binomial: 0.05 + 3 standard deviations


@pytest.mark.slow
@pytest.mark.parametrize("name", TESTS)
def test_calibration(name):
    assert 0.03 <= rejection_rate(TESTS[name], 500) <= 0.07


def test_power_on_shifted_gaussians():
    def power(shift):
        generator = np.random.default_rng(1)
        return np.mean(
            [
                two_sample_test(
                    generator.normal(size=(40, 2)),
                    generator.normal([shift, 0.0], size=(40, 2)),
                    n_permutations=99,
                    random_state=generator,
                ).rejected
                for _ in range(30)
            ]
        )

    powers = [power(shift) for shift in (0.0, 0.7, 1.5)]
    assert powers[0] < 0.25 < powers[1] < powers[2] == 1.0


# --- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize("test", [two_sample_test, independence_test])
def test_bad_input(test):
    A, B = np.random.default_rng(0).normal(size=(2, 10, 2))
    for arguments, sentence in (
        ((A[:1], B[:1]), "X must hold at least two samples; it has 1"),
        ((A, B[:1]), "Y must hold at least two samples; it has 1"),
        ((A, np.full((10, 2), np.nan)), "Input Y contains NaN"),
        ((A, B, 0.0), r"width \(=0.0\) must be a positive number"),
        ((A, B, -1), r"width \(=-1\) must be a positive number"),
        ((A, B, "wide"), r"width \(='wide'\) must be one of"),
    ):
        with pytest.raises(ValueError, match=sentence):
            test(*arguments)
    for options, sentence in (
        ({"n_permutations": 18}, r"n_permutations \(=18\) is too few for level 0.05.*at least 19"),
        ({"n_permutations": 99, "level": 0.001}, "use at least 999"),
        ({"n_permutations": 0}, "must be an integer, at least 1"),
        ({"n_permutations": 10.5}, "must be an integer, at least 1"),
        ({"level": 0.0}, r"level \(=0.0\) must be a number between 0 and 1"),
        ({"statistic": "kl"}, 'must be one of "ed", "cs"'),
        ({"low_rank": 0}, r"low_rank \(=0\) must be a number between 0 and 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            test(A, B, 1.0, **options)
    assert test(A, B, 1.0, n_permutations=19, random_state=0).pvalue >= 0.05


def test_more_bad_input():
    with pytest.raises(ValueError, match="X has 2 features and Y has 1"):
        two_sample_test(X, Y[:, :1])
    with pytest.raises(ValueError, match="X has 40 samples and Y has 39"):
        independence_test(T, U[1:])
    with pytest.raises(ValueError, match="one width, or a pair"):
        independence_test(T, U, (1.0, 1.0, 1.0))
    with pytest.raises(ValueError, match=r"kernel .* must be a Kernel, a function or one of"):
        two_sample_test(X, Y, kernel="rbff")
    with pytest.raises(ValueError, match="at least two samples; it has 1"):
        two_sample_test([[1.0]], [[1.0], [2.0]], kernel=SpikeTrainKernel(1.0))


def test_far_apart_samples():
    far = two_sample_test(X, Y + 1e6, 1e-3, statistic="cs", n_permutations=19, random_state=0)
    expected = cauchy_schwarz_divergence(X, Y + 1e6, 1e-3)
    assert far.statistic == pytest.approx(expected, rel=1e-12)
    near = two_sample_test(X, Y + 20, 1.0, statistic="cs", n_permutations=19, random_state=0)
    assert near.statistic == pytest.approx(cauchy_schwarz_divergence(X, Y + 20, 1.0), rel=1e-9)
    with pytest.raises(ValueError, match="so far apart that Gaussian"):
        two_sample_test(X, Y + 1e6, statistic="cs", kernel=Gaussian(1.0), n_permutations=19)
    assert far.pvalue == 0.05
    assert V(X, Y + 1e6, 1e-3, 1e-3) == 0


def test_hundreds_of_dimensions_do_not_overflow():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(50, 300)), rng.normal(size=(50, 300)) + 1.0
    assert two_sample_test(X, Y, random_state=0).pvalue == 0.001
    X, Y = 1e-3 * rng.normal(size=(2, 50, 784))
    result = two_sample_test(X, Y, random_state=0)
    assert result.pvalue > 0.05
    assert np.isfinite(result.statistic)
    assert len(np.unique(result.null)) > 900
    A = rng.normal(size=(50, 150))
    assert independence_test(A, A, n_permutations=199, random_state=0).pvalue == 0.005


def test_what_is_not_finite_is_no_result():
    for values in ([np.nan, 1.0, 1.0], [1.0, 1.0, np.inf]):
        with pytest.raises(ValueError, match=r"divergence of the data or .* not a finite number"):
            compare_with_null(np.array(values), 0.05, "divergence")


def test_memory_of_many_dimensions_does_not_grow_with_the_rank():
    g = np.random.default_rng(0)
    A, C = g.normal(size=(2, 1500, 20))
    peak = peak_of(lambda: independence_test(A, C, 3.0, n_permutations=19, random_state=0))
    assert peak < 9e6  # 1500 features of 1500 samples would be 18


def test_columns_of_tables_are_matched_by_name():
    pd = pytest.importorskip("pandas")
    old, new = (pd.DataFrame(Z * [1.0, 5.0], columns=["a", "b"]) for Z in (X, Y))
    call = {"n_permutations": 19, "random_state": 0}
    expected = two_sample_test(old.to_numpy(), new.to_numpy(), **call)
    for table in (new, new[["b", "a"]]):
        assert two_sample_test(old, table, **call).statistic == expected.statistic
    with pytest.raises(ValueError, match="only one of the two tables has the columns b, c"):
        two_sample_test(old, new.rename(columns={"b": "c"}), **call)


def test_statistics_that_are_rounding_decide_nothing():
    rng = np.random.default_rng(1)
    x, constant = rng.normal(size=(50, 1)), np.full((50, 1), 0.3)
    lost = pytest.warns(UserWarning, match="0 up to rounding.*the kernel is too wide")
    with lost:
        assert independence_test(x, x, 1e5, n_permutations=99, random_state=0).pvalue == 1.0
    for seed in range(20):
        with lost:
            found = joint_independence_test(
                [constant, x], 1.0, n_permutations=99, random_state=seed
            )
        assert found.pvalue == 1.0
    assert independence_test(x, x, 1e3, n_permutations=99, random_state=0).pvalue == 0.01


@pytest.mark.parametrize("kernel", [Linear(), [Linear()]])
def test_negative_products_have_no_logarithm(kernel):
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, 20, 2)) + np.array([1.0, -2.0])[:, None, None]
    with pytest.raises(ValueError, match="is negative, and has no logarithm"):
        two_sample_test(A, B, kernel=kernel, statistic="cs")
