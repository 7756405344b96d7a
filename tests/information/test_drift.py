import numpy as np
import pytest

from memory import peak_of
from noneuclid.information import drifted_columns, two_sample_test
from noneuclid.information.drift import adjust

pd = pytest.importorskip("pandas")


def tables(n=150, seed=1):
    rng = np.random.default_rng(seed)

    def table(shift, share):
        return pd.DataFrame(
            {
                "age": rng.normal(40 + shift, 10, n),
                "income": rng.lognormal(size=n),
                "visits": rng.poisson(3, n),
                "colour": rng.choice(["red", "green", "blue"], n, p=[share, 0.9 - share, 0.1]),
                "member": rng.random(n) < 0.5,
                "country": "here",
            }
        )

    return table(0, 0.2), table(8, 0.6)


@pytest.mark.parametrize("correction", ["holm", "benjamini-hochberg"])
def test_the_columns_that_drifted_are_named(correction):
    before, after = tables()
    result = drifted_columns(before, after, correction=correction, random_state=0)
    assert result.drifted == ["age", "colour"]
    assert result.columns == list(before.columns)
    assert result.pvalues[-1] == 1.0
    assert result.results[-1] is None
    assert (result.adjusted >= result.pvalues).all()
    frame = result.to_frame()
    assert set(frame.index[:2]) == {"age", "colour"}
    assert frame["drifted"].sum() == 2


def test_columns_may_come_in_another_order_and_as_arrays():
    before, after = tables()
    numbers = ["age", "income", "visits"]
    result = drifted_columns(before[numbers], after[numbers[::-1]], random_state=0)
    assert result.drifted == ["age"]
    array = drifted_columns(before[numbers].to_numpy(), after[numbers].to_numpy(), random_state=0)
    assert array.drifted == [0]
    np.testing.assert_array_equal(array.pvalues, result.pvalues)


def test_false_alarms_are_rare_among_many_columns():
    rng = np.random.default_rng(0)
    corrected = uncorrected = 0
    for _ in range(10):
        before, after = rng.normal(size=(2, 40, 20))
        result = drifted_columns(before, after, n_permutations=399, random_state=rng)
        corrected += bool(result.drifted)
        uncorrected += bool((result.pvalues <= 0.05).any())
    assert corrected <= 3 < uncorrected


def test_words_are_compared_by_their_shares():
    before, after = (table[["colour"]] for table in tables())
    result = drifted_columns(before, after, random_state=0)
    p, q = (t["colour"].value_counts(normalize=True).sort_index() for t in (before, after))
    assert result.statistics[0] == pytest.approx(((p - q) ** 2).sum())
    # the kernel of one-hot vectors orders the permutations alike
    old, new = (pd.get_dummies(t["colour"]).to_numpy(dtype=float) for t in (before, after))
    by_kernel = two_sample_test(old, new, 1.0, random_state=0)
    assert result.pvalues[0] == by_kernel.pvalue
    factor = by_kernel.statistic / result.statistics[0]
    np.testing.assert_allclose(by_kernel.null, factor * result.results[0].null, atol=1e-12)


def test_memory_of_many_words_is_linear():
    before, after = np.arange(4000).astype(str).reshape(2, -1, 1)
    options = {"n_permutations": 99, "random_state": 0}
    peak = peak_of(lambda: drifted_columns(before, after, **options))
    assert peak < 10e6  # a matrix of 4000 words by 4000 rows would be 128
    assert drifted_columns(before, after, **options).pvalues[0] == 1.0


def test_corrections():
    p = np.array([0.01, 0.02, 0.03, 0.5])
    np.testing.assert_allclose(adjust(p, "holm"), [0.04, 0.06, 0.06, 0.5])
    np.testing.assert_allclose(adjust(p, "benjamini-hochberg"), [0.04, 0.04, 0.04, 0.5])
    np.testing.assert_allclose(adjust(p[::-1], "holm"), [0.5, 0.06, 0.06, 0.04])
    assert adjust(np.array([0.9, 0.8]), "holm").max() <= 1.0
    np.testing.assert_array_equal(adjust(p, "none"), p)


def test_bad_tables():
    before, after = tables()
    broken = after.assign(age=after["age"].where(after["age"] > 40))
    for arguments, options, sentence in (
        ((before, after.drop(columns="age")), {}, "only one of the two tables has the columns age"),
        ((before, broken), {}, "column 'age' has missing values"),
        ((np.ones((3, 2)), np.ones((3, 3))), {}, "same columns"),
        ((np.ones((3, 0)), np.ones((3, 0))), {}, "no columns"),
        ((before, after), {"correction": "hope"}, "must be one of"),
        ((before, after), {"n_permutations": 99}, "too few for level 0.05 among 6 tests"),
        ((before[:1], after), {}, "at least two samples"),
        ((before, after), {"level": 2}, "between 0 and 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            drifted_columns(*arguments, **options)
    colours = after.assign(colour=after["colour"].where(after["colour"] != "red"))
    with pytest.raises(ValueError, match="column 'colour' has missing values"):
        drifted_columns(before, colours)


def test_categories_of_numbers_are_categories():
    rng = np.random.default_rng(7)
    codes = rng.choice([10, 20, 30], 200), rng.choice([10, 20, 30], 200, p=[0.5, 0.0, 0.5])
    found = [
        drifted_columns(*(pd.DataFrame({"zip": make(c)}) for c in codes), random_state=0)
        for make in (pd.Categorical, lambda c: c.astype(str))
    ]
    assert found[0].pvalues[0] == found[1].pvalues[0] == 0.001
    assert found[0].statistics[0] == found[1].statistics[0]


@pytest.mark.parametrize("dtype", ["string", "boolean", "category", "Int64", object])
def test_missing_values_of_all_kinds(dtype):
    values = {"string": ["a", None, "b"], "boolean": [True, None, False]}.get(dtype, [1, None, 2])
    table = pd.DataFrame({"v": pd.Series(values * 5, dtype=dtype)})
    with pytest.raises(ValueError, match="column 'v' has missing values"):
        drifted_columns(table, table)


def test_a_wide_window_sees_what_the_test_of_two_samples_sees():
    rng = np.random.default_rng(1)
    old, new = rng.normal(size=(200, 1)) * 1e-5, (rng.normal(size=(200, 1)) + 3) * 1e-5
    for width in (1e-4, 1e-2, 1.0):
        assert two_sample_test(old, new, width, random_state=0).pvalue == 0.001
        assert drifted_columns(old, new, width=width, random_state=0).pvalues[0] == 0.001
