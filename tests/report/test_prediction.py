"""Saved models and new files; quick answers without a page."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from small_analyses import QUICK

import noneuclid
from noneuclid.datasets import (
    DataError,
    Dataset,
    make_contaminated,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
    read_dataset,
)
from noneuclid.prototypes import GLVQ
from noneuclid.report import fit_best
from noneuclid.report.checking import check_landmarks, compare_samples
from noneuclid.report.prediction import SavedModel


def write_fasta(path, data):
    path.write_text("".join(f">{name}\n{word}\n" for name, word in zip(data.names, data.X)))


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize("metric", ["levenshtein", "indel", "lcs"])
def test_models_of_any_metric_predict_fasta(tmp_path, metric):
    """Faulty before: a model saved with another metric took rows of a matrix only."""
    data = make_families(8, n_families=2)
    model, name, accuracy = fit_best(data, replace(QUICK, metric=metric))
    assert name in ("kernel GLVQ", "kernel RSLVQ", "relational GLVQ", "relational RSLVQ")
    assert accuracy > 0.7
    noneuclid.save(model, tmp_path / "m.skops")
    write_fasta(tmp_path / "new.fasta", data)
    text, summary = SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "new.fasta")
    rows = rows_of(text)
    assert [row["object"] for row in rows] == data.names
    assert [row["class"] for row in rows] == model.predict(data.X).tolist()
    assert summary == ""


def test_models_of_trains_predict_trains(tmp_path):
    data = make_spike_trains(16)
    model, _, _ = fit_best(data, QUICK)
    noneuclid.save(model, tmp_path / "m.skops")
    lines = [" ".join(map(repr, train.tolist())) for train in data.X]
    (tmp_path / "new.txt").write_text("\n".join(lines) + "\n")
    text, _ = SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "new.txt")
    assert [row["class"] for row in rows_of(text)] == data.labels.tolist()


def test_certainty_is_told_where_it_is_known(tmp_path):
    data = make_contaminated(30, n_outliers=0)
    model, _, _ = fit_best(data, QUICK)
    noneuclid.save(model, tmp_path / "m.skops")
    head = ",".join(data.features)
    np.savetxt(tmp_path / "x.csv", data.X, delimiter=",", header=head, comments="")
    rows = rows_of(SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "x.csv")[0])
    assert all(0 <= float(row["certainty"]) <= 1 for row in rows)


def test_a_column_of_known_classes_in_front_is_left_out(tmp_path):
    data = make_contaminated(30, n_outliers=0)
    numbers = (data.labels == data.labels[0]).astype(int)
    model, _, _ = fit_best(replace(data, labels=numbers), QUICK)
    noneuclid.save(model, tmp_path / "m.skops")
    np.save(tmp_path / "x.npy", np.column_stack([numbers, data.X]))
    text, _ = SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "x.npy", use_labels=False)
    assert [int(row["class"]) for row in rows_of(text)] == model.predict(data.X).tolist()


def test_what_is_no_model_is_refused(tmp_path):
    (tmp_path / "a.skops").write_bytes(b"no model")
    noneuclid.save(GLVQ(), tmp_path / "b.skops")
    for name, words in (
        ("a", "is not a model"),
        ("b", "no model saved by"),
        ("c", "no model file"),
    ):
        with pytest.raises(DataError, match=words):
            SavedModel(tmp_path / f"{name}.skops")


def test_a_wrong_number_of_columns_is_named(tmp_path):
    data = make_indefinite(24)
    model, _, _ = fit_best(data, QUICK)
    noneuclid.save(model, tmp_path / "m.skops")
    np.save(tmp_path / "x.npy", data.X[:, :20])
    with pytest.raises(DataError, match="20 columns of numbers, but the model needs 24: the prox"):
        SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "x.npy")


# --- matrices of names ----------------------------------------------------------------------------


def as_csv(names, D):
    rows = [",".join([name, *map(repr, row)]) for name, row in zip(names, D.tolist())]
    return "\n".join([",".join(["name", *names]), *rows]) + "\n"


def as_phylip(names, D):
    rows = [" ".join([name, *map(repr, row)]) for name, row in zip(names, D.tolist())]
    return "\n".join([f" {len(names)}", *rows]) + "\n"


FORMATS = pytest.mark.parametrize(
    ("written", "file"), [(as_csv, "n.csv"), (as_phylip, "n.phy")], ids=["csv", "phylip"]
)


@pytest.fixture
def points():
    """Names, squared distances and classes of 30 objects; 24 of them are for training."""
    rng = np.random.default_rng(1)
    y = np.arange(30) % 2
    Z = rng.normal(size=(30, 2))
    Z[:, 0] += 6 * y
    return [f"obj{k}" for k in range(30)], ((Z[:, None] - Z) ** 2).sum(-1), np.array(list("AB"))[y]


def saved_matrix(tmp_path, names, D, y):
    (tmp_path / "d.csv").write_text(as_csv(names, D))
    data = read_dataset(tmp_path / "d.csv", squared=True)
    model, _, _ = fit_best(replace(data, labels=y), QUICK)
    noneuclid.save(model, tmp_path / "m.skops")
    return SavedModel(tmp_path / "m.skops")


def part_of(points, rows):
    names, D, y = points
    return [names[k] for k in rows], D[np.ix_(rows, rows)], y[rows]


@FORMATS
@pytest.mark.parametrize("n", [24, 30], ids=["the same objects", "and new ones"])
def test_columns_of_a_matrix_are_those_of_the_names_of_training(points, tmp_path, written, file, n):
    """Faulty before: taken by their place, and refused if there were new objects among them."""
    saved = saved_matrix(tmp_path, *part_of(points, np.arange(24)))
    order = np.arange(n)[::-1]  # by its place, every column is one of the other class
    names, D, y = part_of(points, order)
    (tmp_path / file).write_text(written(names, D))
    rows = rows_of(saved.predict_file(tmp_path / file)[0])
    assert [row["object"] for row in rows] == names
    assert [row["class"] for row in rows] == y.tolist()
    expected = saved.model.predict(points[1][order][:, :24])
    assert [row["class"] for row in rows] == expected.tolist()


def test_numbers_that_name_objects_are_names_where_they_are_written(points, tmp_path):
    _, D, y = part_of(points, np.arange(24))
    order = np.random.default_rng(3).permutation(24)
    named = [str(k + 1) for k in order]
    saved = saved_matrix(tmp_path, named, D[np.ix_(order, order)], y[order])
    (tmp_path / "n.csv").write_text(as_csv([str(k + 1) for k in range(24)], D))
    rows = rows_of(saved.predict_file(tmp_path / "n.csv")[0])
    assert [row["class"] for row in rows] == y.tolist()
    np.save(tmp_path / "n.npy", D[np.ix_(order, order)])  # which has no names: by their place
    rows = rows_of(saved.predict_file(tmp_path / "n.npy")[0])
    assert [row["class"] for row in rows] == y[order].tolist()


def test_more_objects_without_names_are_refused(points, tmp_path):
    _, D, y = part_of(points, np.arange(24))
    saved = saved_matrix(tmp_path, [str(k + 1) for k in range(24)], D, y)
    np.save(tmp_path / "n.npy", points[1])
    with pytest.raises(DataError, match="30 columns of numbers, but the model needs 24"):
        saved.predict_file(tmp_path / "n.npy")


def test_two_objects_of_one_name_are_refused_among_those_of_training(points, tmp_path):
    saved = saved_matrix(tmp_path, *part_of(points, np.arange(24)))
    names, D, _ = points
    (tmp_path / "n.phy").write_text(as_phylip([*names[:29], names[3]], D))
    with pytest.raises(DataError, match=r"n\.phy has several objects 'obj3', and .*of its own"):
        saved.predict_file(tmp_path / "n.phy")


# --- fitting --------------------------------------------------------------------------------------


def test_a_model_can_be_wished_for():
    data = make_contaminated(30, n_outliers=0)
    done = []
    model, name, _ = fit_best(data, QUICK, wanted="gmlvq", advance=done.append)
    assert name == "GMLVQ"
    assert done == ["GMLVQ"]
    assert model.trained_on_["kind"] == "vectors"
    with pytest.raises(DataError, match="no model 'SVM' for vectors: choose from GLVQ, Euc"):
        fit_best(data, QUICK, wanted="SVM")
    with pytest.raises(DataError, match="no classes to learn"):
        fit_best(replace(data, labels=None), QUICK)


def test_models_of_curves_take_curves():
    data = make_spectra(24, n_points=20)
    model, name, _ = fit_best(data, QUICK, wanted="sobolev")
    assert name == "GLVQ, Sobolev"
    assert model.predict(data.X).shape == (24,)
    assert model.trained_on_["features"] == data.features


# --- landmarks and samples ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [make_indefinite(40), make_families(10), make_spectra(40, n_points=20), make_spike_trains(20)],
    ids=lambda data: data.kind,
)
def test_landmarks_of_every_kind(data):
    found = check_landmarks(data, 4, 0)
    assert found.n_landmarks == 4
    assert found.rho_pairwise == check_landmarks(data, 4, 0).rho_pairwise


def test_landmarks_need_objects():
    with pytest.raises(DataError, match="needs at least 20"):
        check_landmarks(make_indefinite(12), None, 0)
    with pytest.raises(DataError, match="n_landmarks=30 is more than half"):
        check_landmarks(make_indefinite(40), 30, 0)


def sample(X, features=None, kind="vectors", source="a.csv"):
    return Dataset(kind, X, features=features, source=source)


def test_samples_must_be_alike():
    X = np.random.default_rng(0).normal(size=(10, 2))
    rows, matrix = sample(X), sample(X @ X.T, kind="similarity")
    trains = sample([np.array([0.1, 0.2])] * 10, kind="spikes", source="t.txt")
    for first, second, words in (
        (rows, matrix, "holds similarity"),
        (rows, trains, "must be of one kind"),
        (rows, sample(X[:3]), "a sample needs at least 4"),
        (rows, sample(X[:, :1]), "2 columns and a.csv 1"),
        (sample(X, ["u", "v"]), sample(X, ["u", "w"]), "has a column 'v'"),
    ):
        with pytest.raises(DataError, match=words):
            compare_samples(first, second, None, 99, 0)
    with pytest.raises(DataError, match="width=-1 must be a positive number"):
        compare_samples(rows, rows, -1.0, 99, 0)


def test_columns_of_samples_are_matched_by_name():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 30, 2)) * [1.0, 9.0]
    same, width, _ = compare_samples(sample(X, ["u", "v"]), sample(Y, ["u", "v"]), None, 99, 0)
    turned, other, _ = compare_samples(
        sample(X, ["u", "v"]), sample(Y[:, ::-1], ["v", "u"]), None, 99, 0
    )
    assert (same.statistic, width) == (turned.statistic, other)


def test_samples_of_trains():
    rng = np.random.default_rng(0)
    early = sample([np.sort(rng.uniform(0, 0.5, 6)) for _ in range(12)], kind="spikes")
    late = sample([np.sort(rng.uniform(0.5, 1, 6)) for _ in range(12)], kind="spikes")
    result, width, _ = compare_samples(early, late, None, 99, 0)
    assert result.pvalue == pytest.approx(0.01)
    assert 0 < width < 1
    assert compare_samples(early, late, 0.1, 99, 0)[1] == 0.1


def test_reading_what_was_written(tmp_path):
    data = make_families(4, n_families=2)
    write_fasta(tmp_path / "f.fasta", data)
    assert read_dataset(tmp_path / "f.fasta").X == data.X
