"""Tables as other programs write them by default: names that are numbers, indices, exponents."""

import json

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset
from noneuclid.datasets.large import open_large
from noneuclid.datasets.understanding import Ambiguous

pd = pytest.importorskip("pandas")

N = 30
V = np.random.default_rng(0).normal(size=(N, 3)).round(4)
Y = ["a", "b"] * (N // 2)
WITH_CLASSES = pd.DataFrame(V).assign(**{"class": Y})


def write(folder, rows, name="t.csv", delimiter=","):
    path = folder / name
    path.write_text("".join(delimiter.join(map(str, row)) + "\n" for row in rows))
    return path


def columns(*names):
    """The table with other names."""
    return WITH_CLASSES.set_axis(list(names), axis=1)


# --- names of columns that are numbers --------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize(
    "names",
    [(0, 1, 2, "class"), (1, 2, 3, "class"), (0, 1, 2, "Sorte"), (400, 420, 440, "Sorte")],
)
def test_numbers_are_names_beside_one_of_a_class(tmp_path, names, ending):
    path = tmp_path / f"t.{ending}"
    table = columns(*names)
    (table.to_csv if ending == "csv" else table.to_excel)(path, index=False)
    data = read_dataset(path)
    np.testing.assert_array_equal(data.X, V)
    assert data.features == list(map(str, names[:3]))
    assert data.labels.tolist() == Y


@pytest.mark.parametrize("order", [np.arange(N), np.random.default_rng(1).permutation(N)])
@pytest.mark.parametrize("has_classes", [True, False])
def test_an_index_of_pandas_before_names_that_are_numbers(tmp_path, order, has_classes):
    path = tmp_path / "t.csv"
    table = WITH_CLASSES if has_classes else pd.DataFrame(V)
    table.iloc[order].to_csv(path)
    data = read_dataset(path)
    np.testing.assert_array_equal(data.X, V[order])
    assert data.names == list(map(str, order))
    assert data.features == ["0", "1", "2"]


def test_names_of_pandas_above_fractions_are_noted(tmp_path):
    path = tmp_path / "t.csv"
    pd.DataFrame(V).to_csv(path, index=False)
    data = read_dataset(path)
    np.testing.assert_array_equal(data.X, V)
    assert any("the first row, 0 … 2, taken for names" in note for note in data.notes)
    large = open_large(path)
    assert len(large) == N
    assert any("the first row, 0 … 2, taken for names" in note for note in large.outline.notes)


def test_two_names_of_pandas_may_be_an_object(tmp_path):
    x = np.linspace(0.1, 1, 12)
    data = read_dataset(write(tmp_path, [(0, 1), *zip(x, np.cos(x))]))
    assert len(data.X) == 13
    assert any("the first row, 0 and 1, taken for an object" in note for note in data.notes)


@pytest.mark.parametrize(
    "first",
    [
        (0, 1, 2, "a"),  # a class that others have
        (0.0, 1.0, 2.0, "c"),
        (5, 3, 4, "c"),  # neither rises nor falls, and no name of a column
        (1.5, 2.5, 3.5, "y"),
    ],
)
def test_a_first_object_stays_one(tmp_path, first):
    data = read_dataset(write(tmp_path, [first, *zip(*V.T, Y)]), use_labels=False)
    assert len(data.X) == N + 1
    assert data.features is None


@pytest.mark.parametrize(
    "rows", [[(0, 1, 2), (1, 0, 1.5), (2, 1.5, 0)], [(0, 1, 2), (3, 5, 4)] * 5]
)
def test_a_row_that_counts_may_be_data(tmp_path, rows):
    assert len(read_dataset(write(tmp_path, rows)).X) == len(rows)


# --- indices in JSON --------------------------------------------------------------------------


@pytest.mark.parametrize("orient", ["columns", "split", "index"])
@pytest.mark.parametrize("prefix", ["", "s"])
def test_an_index_in_json_names_the_objects(tmp_path, orient, prefix):
    order = np.random.default_rng(2).permutation(N)
    names = [f"{prefix}{k + 1}" for k in order]
    table = columns("u", "v", "w", "variety").iloc[order]
    table.index = names if prefix else order + 1
    table.to_json(tmp_path / "t.json", orient=orient)
    rows = [("id", "class"), *((f"{prefix}{k + 1}", Y[k]) for k in range(N))]
    classes = write(tmp_path, rows, "classes.csv")
    data = read_dataset(tmp_path / "t.json", labels=classes)
    assert data.names == names
    assert data.labels.tolist() == [Y[k] for k in order]
    np.testing.assert_allclose(data.X, V[order])


@pytest.mark.parametrize("orient", ["columns", "split", "index"])
def test_an_index_that_only_counts_is_none(tmp_path, orient):
    columns("u", "v", "w", "class").to_json(tmp_path / "t.json", orient=orient)
    data = read_dataset(tmp_path / "t.json")
    assert data.names[0] == "1"
    assert data.features == ["u", "v", "w"]


def test_an_index_beside_a_column_of_names_is_no_feature(tmp_path):
    table = columns("u", "v", "w", "class").assign(id=[f"s{k}" for k in range(N)])
    table.index = np.random.default_rng(3).permutation(N) + 5
    table.to_json(tmp_path / "t.json")
    table.to_csv(tmp_path / "t.csv")
    for name in ("t.json", "t.csv"):
        assert read_dataset(tmp_path / name).features == ["u", "v", "w"]


def test_numbers_alone_in_an_object_of_objects_are_asked_about(tmp_path):
    path = tmp_path / "t.json"
    table = {name: dict(zip("pqrst", V[:5, j])) for j, name in enumerate("uvw")}
    path.write_text(json.dumps(table))
    with pytest.raises(
        Ambiguous, match="nothing tells whether columns or rows come first"
    ) as asked:
        read_dataset(path)
    by_columns, by_rows = (read_dataset(path, **one.said) for one in asked.value.question.answers)
    assert (by_columns.names, by_columns.features) == (list("pqrst"), list("uvw"))
    assert (by_rows.names, by_rows.features) == (list("uvw"), list("pqrst"))


# --- how numbers are written ------------------------------------------------------------------


def test_underscores_make_no_numbers(tmp_path):
    rows = [(f"{k % 7}_{k % 5}", v, w, y) for k, ((_, v, w), y) in enumerate(zip(V, Y))]
    path = write(tmp_path, [("u", "v", "w", "class"), *rows])
    assert read_dataset(path).features == ["v", "w"]
    large = open_large(path)
    assert large.features == ["v", "w"]


@pytest.mark.parametrize("letter", ["D", "d"])
@pytest.mark.parametrize(("name", "delimiter"), [("t.csv", ","), ("t.csv", ";"), ("t.txt", "  ")])
def test_exponents_of_fortran(tmp_path, letter, name, delimiter):
    rows = [[f"{value:.4E}".replace("E", letter) for value in row] for row in V]
    data = read_dataset(write(tmp_path, [("u", "v", "w"), *rows], name, delimiter))
    np.testing.assert_allclose(data.X, V, rtol=1e-3)
    assert "D of exponents taken as E in 'u', 'v', 'w'" in data.notes
    data = read_dataset(write(tmp_path, rows, name, delimiter))
    np.testing.assert_allclose(data.X, V, rtol=1e-3)


def test_wells_of_plates_are_no_numbers(tmp_path):
    rows = [(f"1D{k}", *row) for k, row in enumerate(V)]
    data = read_dataset(write(tmp_path, [("well", "u", "v", "w"), *rows]))
    assert data.names[:2] == ["1D0", "1D1"]


@pytest.mark.parametrize(("delimiter", "mark"), [(",", "."), (";", "."), ("\t", "."), (";", ",")])
def test_printed_minus(tmp_path, delimiter, mark):
    rows = [[str(value).replace("-", "−").replace(".", mark) for value in row] for row in V]
    path = write(tmp_path, [("u", "v", "w"), *rows], delimiter=delimiter)
    np.testing.assert_array_equal(read_dataset(path).X, V)
    np.testing.assert_array_equal(open_large(path).X.compute(), V)


def test_decimal_commas_between_commas_are_refused(tmp_path):
    rows = [(f"{u:.2f}".replace(".", ","), round(100 * v), y) for (u, v, _), y in zip(V, Y)]
    with pytest.raises(DataError, match=r"rows have one cell more than the header.*semicolons"):
        read_dataset(write(tmp_path, [("u", "v", "class"), *rows]))


def test_marks_of_two_sorts_are_refused(tmp_path):
    cells = ["0,346", "-1.303", "0,22", "0,125", "0,7", "0,91"] * 2
    rows = [("u", "v"), *zip(cells, [0.82, 0.5, 1.25] * 4)]
    path = write(tmp_path, rows, delimiter=";")
    with pytest.raises(DataError, match=r"line 3, column 'u' holds '-1.303' beside decimal commas"):
        read_dataset(path)
    assert read_dataset(path, decimal="comma").X[1, 0] == -1303
    plain = write(tmp_path, [("u", "v"), *zip(cells, range(12, 0, -1))], delimiter=";")
    assert read_dataset(plain).X[1, 0] == -1303


def test_thousands_of_switzerland_have_no_commas(tmp_path):
    rows = [(f"4'{455 + k % 7}", v, y) for k, ((_, v, _), y) in enumerate(zip(V, Y))]
    data = read_dataset(write(tmp_path, [("u", "v", "class"), *rows], delimiter=";"))
    assert data.X[0, 0] == 4455
    assert "marks between thousands taken out of 'u'" in data.notes
    assert not any("commas" in note for note in data.notes)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_whole_numbers_that_become_equal_are_noted(tmp_path, ending):
    table = pd.DataFrame({"u": 2**60 + np.arange(N) * 7 % N, "v": V[:, 0], "w": V[:, 1]})
    for start, n_notes in ((2**60, 1), (2**50, 0)):
        table["u"] = start + np.arange(N) * 7 % N
        path = tmp_path / f"t{start}.{ending}"
        (table.to_csv if ending == "csv" else table.to_parquet)(path, index=False)
        data = read_dataset(path)
        assert sum("become equal" in note for note in data.notes) == n_notes


# --- quotes and classes -----------------------------------------------------------------------

OF_R = [("x", "u", "kind"), *((k, u, v, Y[k]) for k, (u, v, _) in enumerate(V))]


def in_quotes(row):
    return [f'"{cell}"' if isinstance(cell, str) else cell for cell in row]


@pytest.mark.parametrize("name", ["t.txt", "t.csv", "t.dat"])
def test_table_of_r(tmp_path, name):
    words = {"a": "x y", "b": "z"}
    rows = [[f"row {row[0]}", *row[1:3], words[row[3]]] for row in OF_R[1:]]
    path = write(tmp_path, map(in_quotes, [OF_R[0], *rows]), name, " ")
    data = read_dataset(path)
    np.testing.assert_array_equal(data.X, V[:, :2])
    assert data.names[:2] == ["row 0", "row 1"]
    assert set(data.labels) == {"x y", "z"}


def test_table_of_r_by_blocks(tmp_path):
    rows = [[k, u, v, {"a": "x y", "b": "z"}[y]] for k, u, v, y in OF_R[1:]]
    path = write(tmp_path, map(in_quotes, [OF_R[0], *rows]), "t.csv", " ")
    data = open_large(path)
    assert data.features == ["x", "u"]
    assert set(data.classes) == {"x y", "z"}


def test_classes_of_r_in_a_file_of_their_own(tmp_path):
    path = write(tmp_path, [("u", "v", "w"), *V])
    classes = write(tmp_path, [['"x y"' if y == "a" else '"z"'] for y in Y], "classes.txt")
    assert set(read_dataset(path, labels=classes).labels) == {"x y", "z"}


def test_classes_of_another_length_are_refused(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, X=V, y=np.arange(N - 1) % 2)
    with pytest.raises(DataError, match="'y' has 29 entries for 30 objects: give one class per"):
        read_dataset(path)
    assert read_dataset(path, use_labels=False).labels is None


@pytest.mark.parametrize("values", [["a", "b"], [0, 1], np.linspace(0, 1, 40)])
def test_names_of_classes_and_positions_are_no_classes(tmp_path, values):
    path = tmp_path / "t.npz"
    np.savez(path, X=V, y=values)
    assert read_dataset(path).labels is None


@pytest.mark.parametrize(
    "top",
    [
        [401, 401, 402, 403, 404, 405, 406, 407],
        [400, 700, 1000, 950, 1300, 1690],
        [7157, 672, 675, 1956, 3845],
    ],
    ids=["rounded", "two detectors", "genes"],
)
@pytest.mark.parametrize("first", ["sample", "class"])
def test_names_that_are_numbers_need_not_rise(tmp_path, top, first):
    rng = np.random.default_rng(0)
    cells = [f"s{i}" if first == "sample" else "xy"[i % 2] for i in range(20)]
    rows = [[cell, *rng.normal(size=len(top)).round(3)] for cell in cells]
    data = read_dataset(write(tmp_path, [[first, *top], *rows]))
    assert len(data.X) == 20
    assert first not in list(data.names if first == "sample" else data.labels)


def test_groups_without_a_name_are_refused(tmp_path):
    rows = [
        [i * 0.37 % 1, i * 0.71 % 1, "xy"[i % 2], "" if i in (2, 7) else f"g{i // 2}"]
        for i in range(20)
    ]
    path = write(tmp_path, [["a", "b", "class", "g"], *rows])
    with pytest.raises(
        DataError,
        match="column 'g', the groups, is empty for 2 objects, the first of them object 3",
    ):
        read_dataset(path, groups="g")


def test_labels_belong_to_rows_before_some_are_left_out(tmp_path):
    rows = [[f"{i * 0.37 % 1:.2f}", "" if i == 4 else f"{i * 0.71 % 1:.2f}", i] for i in range(20)]
    path = write(tmp_path, [["a", "b", "c"], *rows])
    labels = ["first", *("xy"[i % 2] for i in range(1, 19)), "first"]
    (tmp_path / "labels.txt").write_text("\n".join(labels))
    data = read_dataset(path, labels=str(tmp_path / "labels.txt"), missing="drop")
    assert data.labels.tolist() == labels[:4] + labels[5:]


def test_objects_keep_their_numbers_where_others_are_left_out(tmp_path):
    """Faulty before: the objects that stayed were counted anew, so that 4 was called 3."""
    rows = [["" if i in (0, 3) else f"{i * 0.37 % 1:.2f}", f"{i * 0.71 % 1:.2f}"] for i in range(9)]
    data = read_dataset(write(tmp_path, [["a", "b"], *rows]), missing="drop")
    assert data.names == ["2", "3", "5", "6", "7", "8", "9"]
    assert "2 rows with empty cells left out" in data.notes


def test_what_was_left_out_is_said_where_too_little_is_left(tmp_path):
    path = write(
        tmp_path,
        [["dose", "b", "class"], *([i, f"{i * 0.71 % 1:.2f}", "xy"[i % 2]] for i in range(20))],
    )
    with pytest.raises(DataError, match=r"has one column of numbers \(column 'dose' left out\)"):
        read_dataset(path)
