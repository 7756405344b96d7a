"""Curves come in many forms, are one thing inside, and are refused in one sentence."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import noneuclid
from noneuclid.curves import Curves, as_curves

NAN = float("nan")


def some_curves(n=6, channels=1, seed=0):
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(n):
        t = np.sort(rng.uniform(size=rng.integers(5, 9)))
        x = rng.normal(size=(channels, len(t)))
        pairs.append((t, x if channels > 1 else x[0]))
    return pairs


def same(one, other):
    assert len(one) == len(other)
    assert one.n_channels == other.n_channels
    np.testing.assert_array_equal(one.offsets, other.offsets)
    np.testing.assert_array_equal(one.times, other.times)
    np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.parametrize("channels", [1, 3])
def test_pairs_come_back(channels):
    pairs = some_curves(channels=channels)
    curves = Curves(pairs)
    for (t, x), (s, y) in zip(pairs, curves):
        np.testing.assert_array_equal(t, s)
        np.testing.assert_array_equal(x, y)


def long_table(pairs):
    """One observation per row, in an order that is not that of time."""
    rows = [
        (f"c{k}", c, time, x)
        for k, (t, X) in enumerate(pairs)
        for c, row in enumerate(np.atleast_2d(X))
        for time, x in zip(t, row)
    ]
    rows = [rows[k] for k in np.argsort([row[2] for row in rows])]
    return dict(zip(["name", "band", "when", "x"], map(list, zip(*rows))))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, dict])
def test_a_long_table_is_the_same_curves(frame):
    pairs = some_curves(channels=2)
    table = long_table(pairs)
    table["band"] = [f"band {c}" for c in table["band"]]
    first = table["band"][0] != "band 0"  # channels are numbered as they first appear
    columns = {"id": "name", "time": "when", "value": "x", "channel": "band"}
    curves = Curves.from_table(frame(table), **columns)
    index = [curves.ids.tolist().index(f"c{k}") for k in range(len(pairs))]
    same(curves[index], Curves([(t, x[::-1] if first else x) for t, x in pairs]))


def test_a_table_of_one_channel_keeps_every_curve():
    pairs = some_curves()
    columns = {"id": "name", "time": "when", "value": "x"}
    curves = Curves.from_table(pd.DataFrame(long_table(pairs)), **columns)
    index = [curves.ids.tolist().index(f"c{k}") for k in range(len(pairs))]
    same(curves[index], Curves(pairs))


def test_a_table_with_the_usual_columns_needs_no_names():
    table = pd.DataFrame({"id": [1, 1, 2, 2], "time": [0, 1, 0, 1], "value": [1.0, 2.0, 3.0, 4.0]})
    same(as_curves(table), Curves([([0, 1], [1, 2]), ([0, 1], [3, 4])]))


def test_arrays_with_gaps():
    grid = [0.0, 0.5, 2.0]
    gaps = np.array([[1.0, NAN, 3.0], [4.0, 5.0, 6.0]])
    expected = Curves([([0.0, 2.0], [1.0, 3.0]), (grid, [4.0, 5.0, 6.0])])
    same(Curves.from_array(gaps, grid), expected)
    same(Curves.from_array(np.ma.masked_invalid(gaps), grid), expected)
    same(Curves([(grid, row) for row in gaps]), expected)


def test_containers_of_other_packages():
    X = np.random.default_rng(0).normal(size=(4, 2, 7))
    t = np.linspace(1, 3, 7)
    expected = Curves.from_array(X, t)
    grid = SimpleNamespace(data_matrix=np.moveaxis(X, 1, 2), grid_points=(t,))
    same(as_curves(grid), expected)
    same(as_curves(X), Curves([(np.arange(7), curve) for curve in X]))
    same(as_curves(list(X)), as_curves(X))
    pairs = some_curves(channels=2)
    irregular = SimpleNamespace(
        start_indices=np.cumsum([0] + [len(t) for t, _ in pairs[:-1]]),
        points=np.concatenate([t for t, _ in pairs])[:, None],
        values=np.concatenate([x.T for _, x in pairs]),
    )
    same(as_curves(irregular), Curves(pairs))


def test_series_of_other_lengths_as_aeon_has_them():
    curves = as_curves([np.ones((1, 5)), np.ones((1, 8))])
    assert curves.n_points.ravel().tolist() == [5, 8]


def test_times_are_sorted():
    same(Curves([([2, 0, 1], [3.0, 1.0, 2.0])]), Curves([([0, 1, 2], [1.0, 2.0, 3.0])]))


def test_repeated_times_are_refused_or_averaged():
    twice = [([0, 1, 1, 2], [0.0, 1.0, 3.0, 4.0])]
    with pytest.raises(ValueError, match="curve 0 has two values at time 1"):
        Curves(twice)
    same(Curves(twice, repeated="mean"), Curves([([0, 1, 2], [0.0, 2.0, 4.0])]))


def test_channels_may_have_times_of_their_own():
    curves = Curves([([[0, 1], [0, 2, 4]], [[1.0, 2.0], [1.0, 2.0, 3.0]])] * 2)
    assert curves.n_points.tolist() == [[2, 3], [2, 3]]
    times, values = curves[0]
    np.testing.assert_array_equal(times[1], [0, 2, 4])
    np.testing.assert_array_equal(values[0], [1, 2])


@pytest.mark.parametrize("channels", [1, 2])
def test_slices_masks_and_indices(channels):
    pairs = some_curves(channels=channels)
    curves = Curves(pairs)
    same(curves[2:5], Curves(pairs[2:5]))
    same(curves[np.array([4, 0, 4])], Curves([pairs[4], pairs[0], pairs[4]]))
    same(curves[np.arange(6) % 2 == 0], Curves(pairs[::2]))
    same(curves[[1], ...], Curves(pairs[1:2]))
    assert len(curves[:0]) == 0
    assert repr(curves[:0]) == "Curves(0 curves)"
    with pytest.raises(IndexError):
        curves[6]
    with pytest.raises(IndexError, match="one index"):
        curves[0, 1]


def test_they_persist(tmp_path):
    curves = Curves(some_curves(channels=2), points=20)
    noneuclid.save(curves, tmp_path / "curves.skops")
    found = noneuclid.load(tmp_path / "curves.skops")
    same(found, curves)
    assert found.points == 20


def test_they_are_no_table():
    with pytest.raises(TypeError, match="to_grid"):
        np.asarray(Curves(some_curves()))


T = [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    ("curves", "sentence"),
    [
        ([], "there are no curves"),
        ([(T, [1, 2, 3]), ([0.0], [1.0])], "curve 1 has one point"),
        ([(T, [1, NAN, NAN])], "curve 0 has one point"),
        ([(T, [1, 2, 3]), (T, [NAN, NAN, NAN])], "curve 1 has no observed value"),
        ([(T, [1, 2])], "curve 0 has 2 values for 3 times"),
        ([(T, [[1, 2, 3], [1, 2]])], "curve 0 has 2 values for 3 times in channel 1"),
        ([(T, np.ones((3, 2)))], "channels are rows"),
        ([(T, [1, 2, 3]), (T, np.ones((2, 3)))], "curve 1 has 2 channels and curve 0 has 1"),
        ([([0, NAN, 2], [1, 2, 3])], "curve 0 has a time that is not a finite number"),
        ([(T, [1, np.inf, 3])], "curve 0 has an infinite value"),
        ([(T, ["a", "b", "c"])], "curve 0 must hold numbers"),
        ([(T, [1, 2j, 3])], "curve 0 must hold numbers"),
        ([(np.array([0, 1, 2], "datetime64[s]"), [1, 2, 3])], "dates"),
        ([1.0, 2.0], "must be a pair"),
        (np.ones((2, 2, 2, 2)), "its shape is"),
        ("growth.csv", "not the name of a file"),
        (7, "must be a list of"),
        (pd.DataFrame({"time": [1.0]}), "no column 'id'"),
        (SimpleNamespace(data_matrix=np.ones((2, 2, 2, 1)), grid_points=(T, T)), "one axis"),
    ],
)
def test_bad_input_in_one_sentence(curves, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence) as caught:
        as_curves(curves)
    assert "\n" not in str(caught.value)


def test_a_bad_table_and_bad_options():
    table = {"id": ["a", None], "time": [0, 1], "value": [1.0, 2.0]}
    with pytest.raises(ValueError, match="no entry in row 1"):
        Curves.from_table(table)
    with pytest.raises(ValueError, match="column 'value' must hold numbers"):
        Curves.from_table({**table, "id": ["a", "a"], "value": ["x", "y"]})
    with pytest.raises(ValueError, match="method"):
        Curves(some_curves(), method="cubic")
    with pytest.raises(ValueError, match="repeated"):
        Curves(some_curves(), repeated="first")
    with pytest.raises(ValueError, match="grid must be 3 times"):
        Curves.from_array(np.ones((2, 3)), grid=[0, 1])


def test_curves_of_different_lengths_are_no_matrix():
    curves = Curves(
        [([0, 1, 2], [1.0, 2, 3]), ([0, 1], [10.0, 20]), ([0, 1, 2], [100.0, 200, 300])]
    )
    with pytest.raises(ValueError, match="between 2 and 3 values each, which is no matrix"):
        curves.matrix()
    np.testing.assert_array_equal(curves.observed(-1)[1], [100, 200, 300])
    for ask in (
        lambda: curves.observed(0, 1),
        lambda: curves.matrix(1),
        lambda: curves.observed(0, -1),
    ):
        with pytest.raises(ValueError, match="must be between 0 and 0"):
            ask()
    with pytest.raises(IndexError):
        curves.observed(3)
    pairs = Curves.from_array(np.arange(12.0).reshape(2, 2, 3))
    np.testing.assert_array_equal(pairs.observed(-1, 0)[1], pairs[-1][1][0])


def test_columns_of_different_lengths():
    table = {"id": ["a", "a"], "time": [0, 1, 2], "value": [1.0, 2.0]}
    with pytest.raises(ValueError, match="different numbers of rows: 'id' 2, 'time' 3, 'value' 2"):
        Curves.from_table(table)
