"""New tables: the columns of a model are found by their names, whatever they look like."""

import csv

import numpy as np
import pandas as pd
import pytest

import noneuclid
from noneuclid.datasets import DataError, Dataset, make_spectra, read_dataset
from noneuclid.prototypes import GLVQ
from noneuclid.report.analysis import remember
from noneuclid.report.prediction import SavedModel

NAMES = ["age", "wid", "hei"]
X = np.random.default_rng(0).normal(size=(40, 3)) + np.repeat([[0.0], [2.0]], 20, axis=0)
Y = np.repeat(["a", "b"], 20)


@pytest.fixture
def saved(tmp_path):
    """A model of three columns with names, and its file."""
    data = Dataset("vectors", X, Y, list(map(str, range(len(X)))), NAMES, source="old.csv")
    model = GLVQ(random_state=0).fit(X, Y)
    remember(model, data)
    noneuclid.save(model, tmp_path / "m.skops")
    return SavedModel(tmp_path / "m.skops")


def classes(saved, table, path, **said):
    table.to_csv(path, index=False)
    rows = csv.DictReader(saved.predict_file(path, said=said)[0].splitlines())
    return [row["class"] for row in rows]


def test_columns_in_any_order_beside_others(saved, tmp_path):
    table = pd.DataFrame(X, columns=NAMES).assign(zz=1.5)[["hei", "zz", "age", "wid"]]
    expected = saved.model.predict(X).tolist()
    assert classes(saved, table, tmp_path / "new.csv") == expected


@pytest.mark.parametrize(
    "names", [["HEI", "AGE", "WID"], ["hei", "age", "width"], ["hei", "age", "aaa"], list("uvw")]
)
def test_other_names_are_refused_by_name(saved, tmp_path, names):
    """Faulty before: columns were taken by their place as soon as one name was another."""
    table = pd.DataFrame(X[:, [2, 0, 1]], columns=names)
    absent = next(name for name in NAMES if name not in names)
    with pytest.raises(DataError, match=f"new.csv has no column '{absent}'.*old.csv"):
        classes(saved, table, tmp_path / "new.csv")


def test_a_missing_column_is_named(saved, tmp_path):
    with pytest.raises(DataError, match="no column 'hei'"):
        classes(saved, pd.DataFrame(X[:, :2], columns=NAMES[:2]), tmp_path / "new.csv")


def test_without_a_header_the_order_counts(saved, tmp_path):
    np.savetxt(tmp_path / "new.csv", X, delimiter=",")
    text, _ = saved.predict_file(tmp_path / "new.csv")
    rows = csv.DictReader(text.splitlines())
    assert [row["class"] for row in rows] == saved.model.predict(X).tolist()


@pytest.mark.parametrize("beside", [{}, {"zz": 1.0}])
def test_a_feature_that_looks_like_a_count_is_one(saved, tmp_path, beside):
    """Faulty before: ages of 1, 2, 3 … were left out, and a column that was none took the place."""
    rows = X[:10].copy()
    rows[:, 0] = np.arange(1, 11)
    table = pd.DataFrame(rows, columns=NAMES).assign(**beside)
    assert classes(saved, table, tmp_path / "new.csv") == saved.model.predict(rows).tolist()


def test_means_are_those_of_training(saved, tmp_path):
    """Faulty before: the answer for a row depended on the other rows of its file."""
    table = pd.DataFrame(X[:6] + 30, columns=NAMES)
    table.loc[0, "wid"] = np.nan
    filled = table.fillna({"wid": X[:, 1].mean()})
    expected = saved.model.predict(filled.to_numpy()).tolist()
    assert classes(saved, table, tmp_path / "new.csv", missing="mean") == expected
    assert classes(saved, table[:1], tmp_path / "new.csv", missing="mean") == expected[:1]
    data = read_dataset(tmp_path / "new.csv", columns=NAMES, missing=X.mean(axis=0))
    np.testing.assert_allclose(data.X[0], filled.iloc[0])


def test_means_that_nobody_kept_are_refused(saved, tmp_path):
    del saved.trained["means"]
    with pytest.raises(DataError, match="the model has no means"):
        classes(saved, pd.DataFrame(X, columns=NAMES), tmp_path / "new.csv", missing="mean")


def test_curves_are_found_by_their_axis(tmp_path):
    """Names with other digits are the same points."""
    data = make_spectra(20)
    model = GLVQ(random_state=0).fit(data.X, data.labels)
    remember(model, data)
    noneuclid.save(model, tmp_path / "m.skops")
    table = pd.DataFrame(data.X, columns=[f"{point:.4f}" for point in data.grid])
    table.to_csv(tmp_path / "new.csv", index=False)
    text, _ = SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "new.csv")
    rows = csv.DictReader(text.splitlines())
    assert [row["class"] for row in rows] == model.predict(data.X).astype(str).tolist()


def test_columns_that_are_named_are_read_in_that_order(tmp_path):
    table = pd.DataFrame({"id": np.arange(1, 13), "u": np.arange(12) / 7, "class": list("abc") * 4})
    table.to_csv(tmp_path / "t.csv", index=False)
    data = read_dataset(tmp_path / "t.csv", kind="vectors", columns=["u", "id"])
    assert data.features == ["u", "id"]
    np.testing.assert_allclose(data.X, table[["u", "id"]].to_numpy())
    assert data.labels.tolist() == list("abc") * 4
    assert "columns=('u', 'id')" in data.code
    with pytest.raises(DataError, match="no column of numbers 'v'"):
        read_dataset(tmp_path / "t.csv", columns=["u", "v"])
    with pytest.raises(DataError, match="column 'class' holds text"):
        read_dataset(tmp_path / "t.csv", columns=["u", "class"])
