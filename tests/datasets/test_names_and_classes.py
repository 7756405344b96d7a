"""Names, identifiers and classes: what belongs to which object."""

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset

RNG = np.random.default_rng(0)
NAMES = [f"obj{i}" for i in range(12)]
Y = np.array(["a", "b"] * 6)
POINTS = RNG.normal(size=(12, 3)) + 3 * (Y == "b")[:, None]
D = ((POINTS[:, None] - POINTS) ** 2).sum(axis=2)


def write(path, rows, *, delimiter=","):
    path.write_text("\n".join(delimiter.join(map(str, row)) for row in rows) + "\n")
    return path


def table(matrix, *, header=None, index=None, labels=None):
    rows = [list(map(repr, map(float, row))) for row in matrix]
    if index is not None:
        rows = [[name, *row] for name, row in zip(index, rows)]
    if labels is not None:
        rows = [[*row, label] for row, label in zip(rows, labels)]
    return ([header] if header is not None else []) + rows


# --- labels by name -------------------------------------------------------------------------------


def _labels_by_name(tmp_path, pairs):
    write(tmp_path / "t.csv", table(POINTS, header=["id", "u", "v", "w"], index=NAMES))
    write(tmp_path / "y.csv", [["id", "class"], *pairs])
    return read_dataset(tmp_path / "t.csv", labels="y.csv")


def test_one_unknown_name_does_not_make_labels_go_by_row(tmp_path):
    pairs = [*zip(NAMES, Y)][::-1]
    assert _labels_by_name(tmp_path, pairs).labels.tolist() == Y.tolist()
    pairs[0] = ("other", "a")
    with pytest.raises(DataError, match=r"y\.csv has no class for 'obj11': add"):
        _labels_by_name(tmp_path, pairs)


def test_labels_go_by_row_only_if_no_name_matches(tmp_path):
    data = _labels_by_name(tmp_path, [(f"s{i}", y) for i, y in enumerate(Y)])
    assert data.labels.tolist() == Y.tolist()
    assert "no name of y.csv occurs in the data: taken row by row" in data.understood


ORDER = np.random.default_rng(4).permutation(12)
KEYS = {  # of data and of labels, and what is said about them
    "counter": ("nr", [str(i + 1) for i in range(12)], "nr", "matched by column 'nr'"),
    "in another case": ("Nr", [str(i + 1) for i in range(12)], "nr", "matched by column 'nr'"),
    "replicates": ("id", [f"s{i // 2 * 2 + i % 2}" for i in [*range(6)] * 2], "id", "column 'id'"),
    "from 1": (None, [str(i + 1) for i in range(12)], "nr", "row numbers in its column 'nr'"),
    "from 0": (None, [str(i) for i in range(12)], "nr", "row numbers in its column 'nr'"),
}


@pytest.mark.parametrize("name", KEYS)
def test_labels_in_another_order_are_found_by_what_tells_the_objects(tmp_path, name):
    """Faulty before: taken row by row without a word, whatever the other column said."""
    ours, keys, theirs, note = KEYS[name]
    header = ["u", "v", "w"] if ours is None else [ours, "u", "v", "w"]
    write(tmp_path / "t.csv", table(POINTS, header=header, index=keys if ours else None))
    write(tmp_path / "y.csv", [[theirs, "class"], *((keys[i], Y[i]) for i in ORDER)])
    data = read_dataset(tmp_path / "t.csv", labels="y.csv")
    assert data.labels.tolist() == Y.tolist()
    assert note in data.understood


def test_labels_that_are_taken_row_by_row_are_said_to_be(tmp_path):
    write(tmp_path / "t.csv", table(POINTS, header=["u", "v", "w"]))
    write(tmp_path / "y.txt", [[y] for y in Y])
    write(tmp_path / "counted.csv", [["nr", "class"], *((i + 1, y) for i, y in enumerate(Y))])
    np.save(tmp_path / "y.npy", Y)
    for file in ("y.txt", "counted.csv", "y.npy"):
        data = read_dataset(tmp_path / "t.csv", labels=file)
        assert data.labels.tolist() == Y.tolist()
        assert data.notes == (f"classes from {file}", "taken row by row")


def test_other_keys_of_the_same_name_are_said_not_to_occur(tmp_path):
    keys = [str(i + 1) for i in range(12)]
    write(tmp_path / "t.csv", table(POINTS, header=["nr", "u", "v", "w"], index=keys))
    write(tmp_path / "y.csv", [["nr", "class"], *((100 - i, y) for i, y in enumerate(Y))])
    data = read_dataset(tmp_path / "t.csv", labels="y.csv")
    assert data.labels.tolist() == Y.tolist()
    assert "no name of y.csv occurs in the data: taken row by row" in data.notes


def test_labels_are_found_by_key_and_number_where_rows_are_left_out(tmp_path):
    keys = [str(i + 1) for i in range(12)]
    write(tmp_path / "y.csv", [["nr", "class"], *((keys[i], Y[i]) for i in ORDER)])
    for header, index in ((["nr", "u", "v", "w"], keys), (["u", "v", "w"], None)):
        rows = table(POINTS, header=header, index=index)
        rows[3][-1] = ""
        data = read_dataset(write(tmp_path / "t.csv", rows), labels="y.csv", missing="drop")
        assert data.labels.tolist() == np.delete(Y, 2).tolist()


def _labels_of_lines(tmp_path, lines):
    write(tmp_path / "t.csv", table(POINTS, header=["u", "v", "w"]))
    (tmp_path / "y.txt").write_text("\n".join(lines) + "\n")
    return read_dataset(tmp_path / "t.csv", labels="y.txt")


@pytest.mark.parametrize("header", [[], ["species"], ["Class"], ["variety"]])
def test_an_empty_line_is_a_label_that_is_missing(tmp_path, header):
    """Faulty before: the header became a class, and labels moved by one line."""
    assert _labels_of_lines(tmp_path, [*header, *Y]).labels.tolist() == Y.tolist()
    assert _labels_of_lines(tmp_path, ["", *header, *Y, "", ""]).labels.tolist() == Y.tolist()
    with pytest.raises(DataError, match=r"y\.txt: object '5' has no class in"):
        _labels_of_lines(tmp_path, [*header, *Y[:4], "", *Y[5:]])


def test_numbers_of_labels_that_do_not_match_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"holds 11 labels for the 12 objects of t\.csv"):
        _labels_of_lines(tmp_path, ["species", *Y[:-1]])
    with pytest.raises(DataError, match="holds 13 labels, 1 of them empty, for the 12 objects"):
        _labels_of_lines(tmp_path, [*Y[:6], "", *Y[6:]])


def test_an_empty_row_of_a_table_is_a_label_that_is_missing(tmp_path):
    rows = [f"p{k},{y}" for k, y in enumerate(Y)]
    rows[4] = ""
    with pytest.raises(DataError, match=r"y\.txt: object '5' has no class in"):
        _labels_of_lines(tmp_path, ["plot,variety", *rows])


def test_one_name_with_two_classes_is_refused(tmp_path):
    pairs = [*zip(NAMES, Y), ("obj0", "b")]
    with pytest.raises(DataError, match="gives 'obj0' the classes 'a' and 'b'"):
        _labels_by_name(tmp_path, pairs)


# --- identifiers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Unnamed: 0", "sample_id", "sample id", "SampleID", "id"])
@pytest.mark.parametrize("place", [0, 2])
def test_a_column_of_identifiers_is_no_feature(tmp_path, name, place):
    header = ["u", "v", "w"]
    rows = table(POINTS, header=[*header, "class"], labels=Y)
    for k, row in enumerate(rows):
        row.insert(place, name if k == 0 else str(900 - 7 * k))
    data = read_dataset(write(tmp_path / "t.csv", rows))
    assert data.features == header
    np.testing.assert_array_equal(data.X, POINTS)
    assert data.names[0] == "893"


def test_a_second_identifier_and_a_counter_are_left_out_and_said_to_be(tmp_path):
    header = ["name", "u", "v", "w", "patient_id", "nr", "class"]
    rows = table(POINTS, header=header, index=NAMES)
    for k, row in enumerate(rows[1:]):
        row += [str(k // 3), str(k + 1), Y[k]]
    data = read_dataset(write(tmp_path / "t.csv", rows))
    assert data.features == ["u", "v", "w"]
    assert data.names == NAMES
    assert "column 'nr' counts the rows: left out" in data.notes
    assert "column 'patient_id' names the objects: left out" in data.notes


def test_features_that_only_look_like_identifiers_stay(tmp_path):
    rows = table(POINTS, header=["acid", "grid", "humid"])
    assert read_dataset(write(tmp_path / "t.csv", rows)).features == ["acid", "grid", "humid"]
    line = np.abs(np.subtract.outer(np.arange(12.0), np.arange(12.0)))
    data = read_dataset(write(tmp_path / "d.csv", table(line)))
    assert data.kind == "dissimilarity"
    assert data.X.shape == (12, 12)


# --- classes that look like numbers ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["1", "2"], [1, 2]),
        (["-1", "0"], [-1, 0]),
        (["1.0", "2.0"], [1, 2]),
        (["7", "007"], ["7", "007"]),
        (["1", "inf"], ["1", "inf"]),
        (["9007199254740992", "9007199254740993"], [2**53, 2**53 + 1]),
        (["1" + 20 * "0", "2" + 20 * "0"], ["1" + 20 * "0", "2" + 20 * "0"]),
        (["1_0", "10"], ["1_0", "10"]),
    ],
)
def test_classes_stay_apart_and_as_they_are_written(tmp_path, words, expected):
    rows = table(POINTS, header=["u", "v", "w", "class"], labels=words * 6)
    labels = read_dataset(write(tmp_path / "t.csv", rows)).labels
    assert labels.tolist() == expected * 6


# --- rows and columns in different order ----------------------------------------------------------


@pytest.mark.parametrize("kind", ["auto", "dissimilarity"])
def test_columns_are_put_in_the_order_of_the_rows_by_name(tmp_path, kind):
    order = RNG.permutation(12)
    header = ["", *(NAMES[j] for j in order)]
    path = write(tmp_path / "d.csv", table(D[:, order], header=header, index=NAMES))
    data = read_dataset(path, kind=kind)
    assert data.kind == "dissimilarity"
    assert data.names == NAMES
    np.testing.assert_allclose(data.X, D)
    assert "columns put in the order of the rows, by name" in data.understood


def test_a_hole_is_found_where_the_file_has_it(tmp_path):
    rows = table(D[:, ::-1], header=["", *NAMES[::-1]], index=NAMES)
    rows[3][5] = ""
    with pytest.raises(DataError, match=f"line 4, column '{NAMES[::-1][4]}' is empty"):
        read_dataset(write(tmp_path / "d.csv", rows))


def test_no_mean_is_recommended_for_a_large_asymmetry(tmp_path):
    path = write(tmp_path / "d.csv", table(RNG.normal(size=(12, 12))))
    with pytest.raises(DataError, match=r"same order$"):
        read_dataset(path, kind="similarity")
