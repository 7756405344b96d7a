"""Widths, weights and levels: the rules by their formulas, the refusals by their sentences."""

import inspect
import warnings

import numpy as np
import pytest
from information_naive import G

from noneuclid.information import (
    bandwidth,
    conditional_cauchy_schwarz_divergence,
    cross_covariance_norm,
    drifted_columns,
    euclidean_divergence,
    f_correlation,
    independence_test,
    information_potential,
    joint_independence_test,
    quadratic_mutual_information,
    renyi_entropy,
    two_sample_test,
)
from noneuclid.information._checks import align_columns, check_weights, weight_pair
from noneuclid.information._permutations import check_permutations, compare_with_null, random_sides
from noneuclid.information._widths import kernel_width, resolve_width, silverman_width

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(2, 25, 2))


# --- widths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 5])
def test_silverman_by_its_formula(d):
    Z = np.random.default_rng(d).normal(size=(30, d)) * np.arange(1, d + 1)
    spread = np.sqrt(np.mean([np.var(column, ddof=1) for column in Z.T]))
    expected = spread * (4 / ((d + 2) * 30)) ** (1 / (d + 4))
    assert bandwidth(Z) == pytest.approx(expected, rel=1e-12)


def test_the_median_is_that_of_the_distances():
    distances = [np.linalg.norm(X[i] - X[j]) for i in range(25) for j in range(i)]
    assert bandwidth(X, "median") == pytest.approx(np.median(distances), rel=1e-12)


def test_leaving_one_out_by_a_loop():
    def score(width):
        others = [np.delete(X, i, axis=0) for i in range(len(X))]
        return np.mean(
            [np.log(np.mean([G(x - o, width) for o in rest])) for x, rest in zip(X, others)]
        )

    found = bandwidth(X, "loo")
    assert score(found) >= max(score(found * factor) for factor in (0.9, 0.99, 1.01, 1.1)) - 1e-8


@pytest.mark.parametrize("method", ["silverman", "median", "loo"])
@pytest.mark.parametrize("c", [1e-6, 1e6])
def test_widths_scale_with_the_data_and_do_not_see_their_place(method, c):
    expected = bandwidth(X, method)
    assert bandwidth(c * X, method) == pytest.approx(c * expected, rel=1e-3)
    assert bandwidth(X[::-1] + 3.0, method) == pytest.approx(expected, rel=1e-3)


def test_the_median_rule_is_about_the_kernel():
    assert kernel_width("median", X) == pytest.approx(bandwidth(X, "median"))
    assert kernel_width("silverman", X) == pytest.approx(np.sqrt(2) * bandwidth(X))
    assert kernel_width(0.5, X) == pytest.approx(np.sqrt(2) * 0.5)
    assert resolve_width(np.float32(0.5), X) == 0.5
    assert type(resolve_width(1, X)) is float


@pytest.mark.parametrize("method", ["silverman", "median", "loo"])
def test_equal_rows_have_no_width(method):
    with pytest.raises(ValueError, match=r"equal|distinct|same|number"):
        bandwidth(np.ones((5, 2)), method)


def test_repeated_rows_have_no_likeliest_width():
    with pytest.raises(ValueError, match="repeated rows, so that the likelihood grows without end"):
        bandwidth(np.repeat(X[:5], 2, axis=0), "loo")


def test_shares_are_repetitions_of_unknown_number():
    counts = RNG.integers(1, 4, size=25).astype(float)
    repeated = np.repeat(X, counts.astype(int), axis=0)
    assert silverman_width(X, counts) == pytest.approx(bandwidth(repeated), rel=1e-12)


@pytest.mark.parametrize(
    ("width", "sentence"),
    [
        ("wide", r"width \(='wide'\) must be one of \"silverman\", \"median\", \"loo\""),
        (0, r"width \(=0\) must be a positive number"),
        (np.nan, "must be a positive number"),
        (True, r"width \(=True\) must be a positive number"),
        ([1.0], "must be one width, or a pair|must be a positive number"),
    ],
)
@pytest.mark.parametrize("test", [two_sample_test, independence_test])
def test_bad_widths_of_tests(test, width, sentence):
    with pytest.raises(ValueError, match=sentence):
        test(X, Y, width)


def test_a_method_is_a_word():
    for method in ("scott", None, 1):
        with pytest.raises(ValueError, match=r"method \(=.*\) must be one of"):
            bandwidth(X, method)
    with pytest.raises(ValueError, match="X must hold at least two samples; it has 1"):
        bandwidth(X[:1])


# --- weights --------------------------------------------------------------------------------------


def test_weights_that_sum_to_one_are_taken_silently():
    a = np.full(25, 1 / 25) * (1 + 1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert check_weights(a, 25).sum() == pytest.approx(1.0, abs=1e-15)
        assert (check_weights(None, 4) == 0.25).all()


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (np.ones(24), r"weights must be 25 numbers, one per sample; its shape is \(24,\)"),
        (np.ones((25, 1)), r"its shape is \(25, 1\)"),
        (np.full(25, np.nan), "must be finite and not negative"),
        (-np.ones(25), "must be finite and not negative: they are shares"),
        (np.zeros(25), "sum to 0.0: at least one must be positive"),
        (np.full(25, 1e308), "sum to inf"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_bad_weights(weights, sentence):
    with pytest.raises(ValueError, match=sentence):
        information_potential(X, 0.5, weights)


def test_pairs_of_weights_are_named_in_the_sentence():
    with pytest.raises(ValueError, match="weights of Y must be 25 numbers"):
        euclidean_divergence(X, Y, 0.5, (None, np.ones(3)))
    for weights in (np.ones(2), [None, None], (None,), (None, None, None)):
        with pytest.raises(ValueError, match="a tuple of two, for X and for Y"):
            weight_pair(weights)
    with pytest.raises(ValueError, match="the second weights must be 25 numbers"):
        quadratic_mutual_information(X, Y, 0.5, weights=(None, np.ones(3)))
    with pytest.raises(ValueError, match="one array, or a tuple of two"):
        quadratic_mutual_information(X, Y, 0.5, weights=(None, None, None))
    with pytest.raises(ValueError, match="an operator has one expectation"):
        cross_covariance_norm(X, Y, 0.5, weights=(None, None))


CALLS = {
    "potential": lambda w: information_potential(X, 0.5, w),
    "entropy": lambda w: renyi_entropy(X, 0.5, w),
    "divergence": lambda w: euclidean_divergence(X, Y, 0.5, (w, None)),
    "information": lambda w: quadratic_mutual_information(X, Y, 0.5, weights=w),
    "operator": lambda w: cross_covariance_norm(X, Y, 0.5, weights=w),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_warning_points_here(name):
    """At the line of the call, however many functions lie between."""
    call = CALLS[name]
    with pytest.warns(UserWarning, match="sum to 25, not to one: they were divided") as found:
        call(np.ones(25))
    line = inspect.getsourcelines(call)[1]
    assert {(w.filename, w.lineno) for w in found} == {(__file__, line)}


# --- low rank, permutations, tables ---------------------------------------------------------------


@pytest.mark.parametrize("low_rank", [0, 1, -0.1, "auto", True, np.nan])
def test_tolerances_lie_between_0_and_1(low_rank):
    sentence = r"low_rank \(=.*\) must be a number between 0 and 1"
    for call in (
        lambda: information_potential(X, 0.5, low_rank=low_rank),
        lambda: euclidean_divergence(X, Y, 0.5, low_rank=low_rank),
        lambda: quadratic_mutual_information(X, Y, 0.5, low_rank=low_rank),
        lambda: cross_covariance_norm(X, Y, 0.5, low_rank=low_rank),
        lambda: f_correlation(X, Y, low_rank=low_rank),
        lambda: two_sample_test(X, Y, low_rank=low_rank),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()


@pytest.mark.parametrize("level", [0.5, 0.1, 0.05, 0.01, 1 / 3])
@pytest.mark.parametrize("n_tests", [1, 7])
def test_as_many_permutations_as_the_level_needs_and_not_one_less(level, n_tests):
    needed = next(B for B in range(1, 10**4) if n_tests / (B + 1) <= level * (1 + 1e-9))
    assert check_permutations(needed, level, n_tests) == needed
    if needed > 1:
        with pytest.raises(ValueError, match=f"use at least {needed}$"):
            check_permutations(needed - 1, level, n_tests)


def test_sides_are_permutations_of_the_truth():
    sides = random_sides(np.arange(10) < 4, 50, np.random.default_rng(0))
    assert sides.shape == (10, 51)
    assert sides[:, 0].tolist() == [1] * 4 + [0] * 6
    assert (sides.sum(axis=0) == 4).all()
    share = sides[:, 1:].mean(axis=1)
    assert np.abs(share - 0.4).max() < 0.25


def test_pvalues_count_what_is_as_large_up_to_rounding():
    result = compare_with_null(np.array([1.0, 0.5, 1.0 - 1e-14, 2.0]), 0.5, "statistic")
    assert result.pvalue == 3 / 4
    assert not result.rejected
    assert compare_with_null(np.array([3.0, 1.0]), 0.5, "statistic").rejected
    scaled = compare_with_null(np.array([3.0, 1.0]), 0.5, "statistic", log_scale=np.log(2.0))
    assert (scaled.statistic, scaled.null.tolist()) == (pytest.approx(6.0), [pytest.approx(2.0)])
    beyond = compare_with_null(np.array([3.0, 1.0]), 0.5, "statistic", log_scale=1e4)
    assert beyond.statistic == 3.0  # the scale is no number: relative to it


def test_columns_are_aligned_by_name():
    pd = pytest.importorskip("pandas")
    first = pd.DataFrame(X, columns=["u", "v"])
    assert align_columns(first, first[["v", "u"]]).columns.tolist() == ["u", "v"]
    assert align_columns(X, first) is first
    with pytest.raises(ValueError, match="only one of the two tables has the columns u, w"):
        align_columns(first, first.rename(columns={"u": "w"}))


# --- corrections ----------------------------------------------------------------------------------


def naive_holm(p):
    """Each p-value times the number of those not smaller, made monotone."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    out, running = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        running = max(running, (len(p) - rank) * p[i])
        out[i] = min(running, 1.0)
    return out


def naive_benjamini_hochberg(p):
    ranks = {i: k for k, i in enumerate(sorted(range(len(p)), key=lambda i: p[i]), 1)}
    return [
        min(min(1.0, len(p) * p[j] / ranks[j]) for j in range(len(p)) if ranks[j] >= ranks[i])
        for i in range(len(p))
    ]


@pytest.mark.parametrize("seed", range(3))
def test_corrections_by_their_definitions(seed):
    from noneuclid.information.drift import adjust

    p = np.random.default_rng(seed).random(9) ** 2
    np.testing.assert_allclose(adjust(p, "holm"), naive_holm(p), rtol=1e-12)
    np.testing.assert_allclose(
        adjust(p, "benjamini-hochberg"), naive_benjamini_hochberg(p), rtol=1e-12
    )
    assert (adjust(p, "holm") >= adjust(p, "benjamini-hochberg") - 1e-15).all()
    for correction in ("holm", "benjamini-hochberg", "none"):
        assert len(adjust(np.array([]), correction)) == 0


def test_words_are_compared_by_the_squared_differences_of_their_shares():
    old = np.array(["a", "a", "b", "c"] * 5)[:, None]
    new = np.array(["a", "b", "b", "b"] * 5)[:, None]
    found = drifted_columns(old, new, random_state=0)
    assert found.statistics[0] == pytest.approx((0.5 - 0.25) ** 2 + (0.25 - 0.75) ** 2 + 0.25**2)
    assert found.drifted == [0]


def test_numbers_are_compared_by_the_divergence_of_their_windows():
    old, new = RNG.normal(size=(2, 30, 1))
    found = drifted_columns(old, new, width=0.5, random_state=0)
    assert found.statistics[0] == pytest.approx(euclidean_divergence(old, new, 0.5), rel=1e-5)


def test_the_most_drifted_come_first():
    pytest.importorskip("pandas")
    old, new = RNG.normal(size=(2, 60, 3))
    new[:, 2] += 3.0
    frame = drifted_columns(old, new, random_state=0).to_frame()
    assert frame.index[0] == 2
    assert frame["adjusted"].is_monotonic_increasing
    assert frame["drifted"].tolist() == (frame["adjusted"] <= 0.05).tolist()


# --- variables ------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", ["median", "silverman", "loo", "aggregate"])
def test_constant_variables_are_named(width):
    constant = np.ones((len(X), 1))
    for call, name in (
        (lambda: independence_test(constant, X, width), "X"),
        (lambda: independence_test(X, constant, (1.0, width)), "Y"),
        (lambda: two_sample_test(constant, constant, width), "X and Y together"),
    ):
        with pytest.raises(ValueError, match=f"^all rows of {name} are equal: there is no width"):
            call()
    if width != "aggregate":
        with pytest.raises(ValueError, match=r"^all rows of variables\[1\] are equal"):
            joint_independence_test([X, constant], width)
        with pytest.raises(ValueError, match=r"^all rows of Y of first and second are equal"):
            conditional_cauchy_schwarz_divergence((X, constant), (Y, constant), width)


def test_numbers_are_one_column():
    a, b = np.random.default_rng(3).normal(size=(2, 30))
    A, B = a[:, None], b[:, None]
    once = {"n_permutations": 19, "random_state": 0}
    for of_numbers, of_rows in (
        (independence_test(a, B, **once).null, independence_test(A, B, **once).null),
        (
            joint_independence_test([a, b], **once).null,
            joint_independence_test([A, B], **once).null,
        ),
        (
            conditional_cauchy_schwarz_divergence((a, b), (b, a)),
            conditional_cauchy_schwarz_divergence((A, B), (B, A)),
        ),
    ):
        np.testing.assert_array_equal(of_numbers, of_rows)
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": a, "b": b})
    by_column = independence_test(frame["a"], frame["b"], **once)
    np.testing.assert_array_equal(by_column.null, independence_test(A, B, **once).null)
    with pytest.raises(ValueError, match=r"^X of first must .* data: reshape\(-1, 1\) is one"):
        conditional_cauchy_schwarz_divergence(([1.0, 2.0], [1.0, 2.0]), (a, b))
    with pytest.raises(ValueError, match="3 masked entries"):
        independence_test(np.ma.masked_array(a, np.arange(30) < 3), b)
