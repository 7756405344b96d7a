"""Datasets of what is in memory are understood as those of files are."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform

from noneuclid import Curves, analyze
from noneuclid.datasets import (
    DataError,
    as_dataset,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
    read_dataset,
)

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(12, 3))
CLASSES = np.array(["a", "b", "c"])[np.arange(12) % 3]
TABLE = pd.DataFrame(ROWS, columns=["one", "two", "three"]).assign(species=CLASSES)


def test_arrays_are_rows_or_proximities():
    data = as_dataset(ROWS, CLASSES)
    assert (data.kind, data.labels.tolist()) == ("vectors", CLASSES.tolist())
    np.testing.assert_array_equal(data.X, ROWS)
    assert as_dataset(ROWS.tolist()).kind == "vectors"
    assert as_dataset(make_indefinite(12).X).kind == "similarity"
    distances = pdist(ROWS)
    whole = as_dataset(squareform(distances), squared=False)
    assert whole.kind == "dissimilarity"
    np.testing.assert_allclose(whole.X, squareform(distances**2))
    condensed = as_dataset(distances, CLASSES, kind="dissimilarity", squared=False)
    np.testing.assert_allclose(condensed.X, whole.X)
    np.testing.assert_array_equal(as_dataset(csr_array(ROWS)).X, ROWS)


def test_tables_are_understood_as_files_are(tmp_path):
    path = tmp_path / "table.csv"
    TABLE.to_csv(path, index=False)
    from_file, from_memory = read_dataset(path), as_dataset(TABLE)
    assert from_memory.kind == from_file.kind
    np.testing.assert_array_equal(from_memory.X, from_file.X)
    assert from_memory.labels.tolist() == from_file.labels.tolist()
    assert from_memory.features == from_file.features == ["one", "two", "three"]
    assert from_memory.notes == from_file.notes


@pytest.mark.parametrize("index", [[f"s{k}" for k in range(12)], range(12)], ids=["words", "count"])
def test_values_in_another_order_are_put_in_that_of_the_table(index):
    """Faulty before: paired by their place, though the index names the objects."""
    table = TABLE.drop(columns="species").set_index(pd.Index(index))
    order = np.random.default_rng(2).permutation(12)
    classes = pd.Series(CLASSES, index=table.index)
    groups = pd.Series([f"g{k // 3}" for k in range(12)], index=table.index)
    data = as_dataset(table, y=classes.iloc[order], groups=groups.iloc[order[::-1]])
    assert data.labels.tolist() == CLASSES.tolist()
    assert data.groups.tolist() == groups.tolist()
    for role in ("labels", "groups"):
        assert f"{role} put in the order of the rows, by their index" in data.notes
    numbers = pd.DataFrame({"n": ROWS[:, 0]}, index=table.index)
    assert as_dataset(table, target=numbers.iloc[order]).target.tolist() == ROWS[:, 0].tolist()


def test_values_with_another_index_are_taken_by_their_place():
    table = TABLE.drop(columns="species").set_index(pd.Index([f"s{k}" for k in range(12)]))
    twice = [f"s{k % 11}" for k in range(12)]
    for index in (table.index, range(12), twice):
        data = as_dataset(table, y=pd.Series(CLASSES, index=index))
        assert data.labels.tolist() == CLASSES.tolist()
        assert not any("by their index" in note for note in data.notes)


def test_tables_take_what_files_take():
    named = TABLE.set_index(pd.Index([f"s{k}" for k in range(12)], name="sample"))
    assert as_dataset(named).names[:2] == ["s0", "s1"]
    assert as_dataset(named, names=list("abcdefghijkl")).names[0] == "a"
    assert as_dataset(TABLE, target="two").target.tolist() == ROWS[:, 1].tolist()
    assert as_dataset(TABLE, target="two").target_name == "two"
    assert as_dataset(TABLE, ignore="two").features == ["one", "three"]
    twins = TABLE.assign(plant=np.arange(12) // 2)
    assert as_dataset(twins, groups="plant").groups.tolist() == [str(k // 2) for k in range(12)]
    wavelengths = pd.DataFrame(
        RNG.normal(size=(9, 20)).cumsum(axis=1), columns=range(800, 1000, 10)
    )
    assert as_dataset(wavelengths).grid.tolist() == list(range(800, 1000, 10))


def test_answers_beside_a_table_do_not_make_a_column_the_classes():
    data = as_dataset(TABLE, y=np.arange(12) % 2)
    assert data.classes == {0: 6, 1: 6}
    assert "text left out: 'species'" in data.notes
    assert as_dataset(TABLE, y=ROWS[:, 0]).target.tolist() == ROWS[:, 0].tolist()


def test_empty_cells_of_tables():
    holes = TABLE.copy()
    holes.loc[2, "one"] = np.nan
    holes["two"] = holes["two"].astype("Float64")
    holes.loc[3, "two"] = pd.NA
    with pytest.raises(DataError, match=r"data, line 3, column 'one' is empty .2 such cells"):
        as_dataset(holes)
    assert len(as_dataset(holes, missing="drop")) == 10
    kept = as_dataset(holes, y=np.arange(12) % 2, missing="drop")
    assert kept.labels.tolist() == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]


def test_lists_are_sequences_or_trains():
    families, trains = make_families(4, n_families=2), make_spike_trains(6)
    assert as_dataset(families.X, families.labels).X == families.X
    assert as_dataset(np.array(families.X)).kind == "sequences"
    found = as_dataset(trains.X, trains.labels, kind="spikes")
    assert found.kind == "spikes"
    assert [x.tolist() for x in found.X] == [x.tolist() for x in trains.X]
    assert as_dataset([[0.1, 0.2], [0.3]]).kind == "spikes"


def test_curves_keep_their_grid_or_get_one():
    spectra = make_spectra(9, n_points=30)
    data = as_dataset(Curves.from_array(spectra.X, spectra.grid), spectra.labels)
    assert data.kind == "curves"
    np.testing.assert_array_equal(data.X, spectra.X)
    np.testing.assert_array_equal(data.grid, spectra.grid)
    t = np.linspace(0, 1, 40)
    apart = Curves([(t ** (1 + k / 20), np.sin(3 * t ** (1 + k / 20) + k)) for k in range(9)])
    data = as_dataset(apart)
    assert "put on one grid (linear)" in data.notes
    truth = np.array([np.sin(3 * data.grid + k) for k in range(9)])
    np.testing.assert_allclose(data.X, truth, atol=0.01)
    assert as_dataset([(t, t + k) for k in range(9)], kind="curves").grid.tolist() == t.tolist()


def test_axes_have_the_names_and_units_that_were_told():
    spectra = make_spectra(9, n_points=30)
    data = as_dataset(Curves.from_array(spectra.X, spectra.grid), units="nm")
    assert data.axis_name == "position on the axis (nm)"
    assert replace(data, x_label="wavelength").axis_name == "wavelength"
    assert as_dataset(make_spike_trains(6).X, kind="spikes", units="ms").axis_name == "time (ms)"
    assert replace(data, grid=None, units="").axis_name == "number of the point"
    assert as_dataset(ROWS).axis_name == ""


def test_fractions_are_numbers_and_whole_ones_are_classes():
    assert as_dataset(ROWS, np.linspace(0, 1, 12)).target is not None
    assert as_dataset(ROWS, (np.arange(12) % 2).astype(float)).classes == {0: 6, 1: 6}
    assert as_dataset(ROWS, target=np.arange(12)).target.tolist() == list(range(12))
    assert as_dataset(ROWS, pd.Series(CLASSES)).labels.tolist() == CLASSES.tolist()
    assert as_dataset(ROWS, CLASSES[:, None]).labels.tolist() == CLASSES.tolist()


def test_files_and_datasets_take_other_answers(tmp_path):
    path = tmp_path / "table.csv"
    TABLE.to_csv(path, index=False)
    assert as_dataset(path, labels="species").classes == {"a": 4, "b": 4, "c": 4}
    assert as_dataset(str(path), y=np.arange(12) % 2).classes == {0: 6, 1: 6}
    data = read_dataset(path)
    assert as_dataset(data) is data
    assert (
        as_dataset(data, groups=np.arange(12) // 2).groups.tolist() == (np.arange(12) // 2).tolist()
    )
    found = as_dataset(data, ROWS[:, 0])
    assert found.labels is None
    np.testing.assert_allclose(found.target, ROWS[:, 0])
    assert as_dataset(replace(data, labels=None), CLASSES).classes == data.classes


def test_the_code_of_a_dataset_gives_it_again():
    for given in ({"labels": "species"}, {"target": "two", "missing": "mean"}, {"y": ROWS[:, 0]}):
        data = as_dataset(TABLE, **given)
        names = {"objects": TABLE, "target": given.get("y"), "as_dataset": as_dataset}
        again = eval(data.code, names)
        np.testing.assert_array_equal(again.X, data.X)
        assert again.understood == data.understood
        assert again.code == data.code


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"data": ROWS, "y": [1, 2]}, "there are 2 labels for 12 objects"),
        ({"data": ROWS, "names": ["a"]}, "there are 1 names for 12 objects"),
        ({"data": ROWS, "y": "fat"}, "say labels='fat' if it holds classes"),
        ({"data": ROWS, "y": CLASSES, "labels": CLASSES}, "y is given twice"),
        ({"data": ROWS, "labels": CLASSES, "target": ROWS[:, 0]}, "exclude each other"),
        ({"data": ROWS, "y": np.full(12, np.nan)}, "y has no value for some objects"),
        ({"data": ROWS, "y": ROWS}, "shape .12, 3.: give one value per object"),
        ({"data": ROWS[0]}, "data have 1 dimensions"),
        ({"data": ROWS[None]}, "data have 3 dimensions"),
        ({"data": object()}, "of type object hold object where numbers are needed"),
        ({"data": ["1.5", "2.5", "3.5"]}, "data holds numbers, but no table"),
        ({"data": TABLE.iloc[:0]}, "data are empty"),
        ({"data": ROWS[:0]}, "data are empty"),
        ({"data": ROWS, "kind": "hurz"}, "kind .='hurz'. must be"),
        ({"data": make_spectra(9), "labels": "fat"}, "names a column: a dataset has none"),
        ({"data": TABLE, "target": "weight"}, "has no column 'weight'"),
        ({"data": ROWS * np.inf, "y": CLASSES}, "infinite"),
        ({"data": make_spectra(9), "ignore": "fat"}, "ignore tells how to understand data"),
        ({"data": make_spectra(9), "kind": "vectors"}, "kind tells how to understand data"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(given, why):
    with pytest.raises(ValueError, match=why) as error:
        as_dataset(**given)
    assert "\n" not in str(error.value)


def test_what_nobody_understands_is_refused_by_its_name():
    with pytest.raises(
        TypeError, match=r"as_dataset has no parameter 'squarde', but .*'squared'\?"
    ):
        as_dataset(ROWS, squarde=True)
    with pytest.raises(TypeError, match=r"analyze has no parameter 'output', but advance, axis"):
        analyze(ROWS, output="page.html")
