"""The axis of curves as programs write it, and what stands beside it."""

import numpy as np
import pandas as pd
import pytest

from noneuclid.datasets import DataError, read_dataset

RNG = np.random.default_rng(0)
GRID = np.linspace(850.0, 1050.0, 40)
CLASSES = np.array(["low", "high"] * 6)
SPECTRA = np.exp(-(((GRID - RNG.normal(950, 20, (12, 1))) / 40) ** 2))
NAMES = [f"s{k}" for k in range(12)]


def spectra(pattern="{:.2f}", grid=GRID, X=SPECTRA):
    return pd.DataFrame(X, columns=[pattern.format(x) for x in grid])


def read(frame, tmp_path, **options):
    path = tmp_path / "spectra.csv"
    frame.to_csv(path, index=False)
    return read_dataset(path, **options)


def assert_spectra(data, X=SPECTRA):
    assert data.kind == "curves"
    np.testing.assert_allclose(data.grid, GRID, atol=0.005)
    np.testing.assert_allclose(data.X, X)


def test_a_measured_value_beside_the_spectra_is_no_point_of_them(tmp_path):
    frame = spectra().assign(**{"Fat (%)": RNG.normal(size=12), "class": CLASSES})
    for options in ({}, {"kind": "curves"}):
        data = read(frame, tmp_path, **options)
        assert_spectra(data)
        assert data.labels.tolist() == CLASSES.tolist()
        assert "beside the axis, left out: 'Fat (%)'" in data.understood
    assert read(frame, tmp_path, kind="vectors").X.shape == (12, 41)
    assert "ignored: 'Fat (%)'" in read(frame, tmp_path, ignore=["fat (%)"]).understood


@pytest.mark.parametrize(
    "pattern",
    ["{:.2f} nm", "{:.2f}nm", "X{:.2f}", "wl_{:.2f}", "Abs {:.2f}", "{:.2f} (nm)", "nir.{:.2f}"],
)
def test_units_and_words_around_positions(tmp_path, pattern):
    assert_spectra(read(spectra(pattern).assign(**{"class": CLASSES}), tmp_path))


def test_an_axis_that_falls(tmp_path):
    frame = spectra().iloc[:, ::-1]
    said = "the axis falls from 1050 to 850: points put in rising order"
    for given in (frame, frame.assign(sample=NAMES)[["sample", *frame.columns]]):
        data = read(given, tmp_path)
        assert_spectra(data)
        assert said in data.understood
    np.savez(tmp_path / "x.npz", spectra=SPECTRA[:, ::-1], wavelengths=GRID[::-1])
    data = read_dataset(tmp_path / "x.npz")
    assert_spectra(data)
    assert said in data.understood


@pytest.mark.parametrize("name", ["Wavelength (nm)", "wavenumber_cm-1", "nm", "axis"])
@pytest.mark.parametrize("step", [1, -1])
def test_spectra_that_stand_in_columns(tmp_path, name, step):
    frame = pd.DataFrame(SPECTRA.T, columns=NAMES)
    frame.insert(0, name, GRID)
    data = read(frame.iloc[::step], tmp_path)
    assert_spectra(data)
    assert data.names == NAMES
    assert f"the axis runs down column {name!r}: one curve per column" in data.understood
    assert read(frame, tmp_path, axis="none").X.shape == (40, 13)


def test_the_place_of_a_hole_in_a_table_that_was_turned(tmp_path):
    frame = pd.DataFrame(SPECTRA.T.copy(), columns=NAMES)
    frame.insert(0, "nm", GRID)
    frame.loc[3, "s5"] = np.nan
    with pytest.raises(DataError, match=r"line 5, column 's5' is empty"):
        read(frame, tmp_path)


def test_what_only_looks_like_an_axis(tmp_path):
    rough = RNG.normal(size=(30, 20))
    genes = [f"gene_{k}" for k in range(100, 300, 10)]
    for columns in (range(20), [f"V{j + 1}" for j in range(20)], genes):
        data = read(pd.DataFrame(rough, columns=list(columns)), tmp_path)
        assert (data.kind, data.grid) == ("vectors", None)
    table = pd.DataFrame(rough).add_prefix("x")
    table.insert(0, "time", np.arange(30) / 10)
    assert read(table, tmp_path).X.shape == (30, 21)


def test_names_that_count_are_no_axis_unless_the_curves_are_smooth(tmp_path):
    data = read(spectra("p{:.0f}", np.arange(40.0)).assign(moisture=RNG.normal(size=12)), tmp_path)
    assert data.kind == "curves"
    np.testing.assert_allclose(data.X, SPECTRA)


def test_what_is_said_about_the_axis_must_be_true(tmp_path):
    frame = pd.DataFrame(RNG.normal(size=(12, 4)), columns=list("abcd"))
    with pytest.raises(DataError, match='axis="across": the names of the columns are no numbers'):
        read(frame, tmp_path, axis="across")
    with pytest.raises(DataError, match='axis="down": the first column of'):
        read(frame, tmp_path, axis="down")
    with pytest.raises(ValueError, match=r"axis \(='up'\) must be one of"):
        read(frame, tmp_path, axis="up")


def test_columns_that_are_named(tmp_path):
    frame = pd.DataFrame(RNG.normal(size=(12, 3)), columns=list("abc"))
    frame = frame.assign(patient=["p", "q", "r"] * 4, code=NAMES, visit=CLASSES)
    data = read(frame, tmp_path, groups="patient", index="CODE", labels="visit")
    assert data.groups.tolist() == ["p", "q", "r"] * 4
    assert data.names == NAMES
    assert data.X.shape == (12, 3)
    again = eval(data.code)
    assert again.groups.tolist() == data.groups.tolist()
    with pytest.raises(DataError, match=r"groups: .* has no column 'ward' \(there are a, b, c"):
        read(frame, tmp_path, groups="ward")
    with pytest.raises(DataError, match="has no column left: take some out of ignore"):
        read(frame, tmp_path, ignore=list(frame.columns))


def test_names_that_several_rows_share_are_those_of_replicates(tmp_path):
    frame = pd.DataFrame(RNG.normal(size=(24, 3)), columns=list("abc"))
    frame = frame.assign(sample=np.repeat([f"S{k}" for k in range(8)], 3), grade=["u", "v"] * 12)
    data = read(frame, tmp_path, labels="grade")
    assert data.groups.tolist() == frame["sample"].tolist()
    assert "rows of one 'sample' kept together in cross-validation" in data.understood
    assert read(frame.drop(columns="grade"), tmp_path).labels is None


def test_groups_of_arrays_are_those_named(tmp_path):
    """In npz files as in tables; what has no names for them is refused, not ignored."""
    path = tmp_path / "a.npz"
    rng = np.random.default_rng(0)
    np.savez(path, X=rng.normal(size=(8, 3)), plant=np.arange(8) // 2, y=np.arange(8) % 2)
    data = read_dataset(path, groups="plant")
    assert data.groups.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert data.classes == {0: 4, 1: 4}
    with pytest.raises(DataError, match="no array 'ward' with one entry per object for groups"):
        read_dataset(path, groups="ward")
    words = tmp_path / "words.txt"
    words.write_text("CAT\nCART\nDOG\n")
    with pytest.raises(DataError, match="none for groups"):
        read_dataset(words, groups="plant")
