"""Numbers and tables as people and programs write them; what may mean two things is refused."""

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset

Y = ["u", "v"] * 4


def table(cells, delimiter="\t", beside=None, quote=False):
    """A column of such cells, one of plain numbers, or what is given, and classes."""
    beside = beside or [str(k) for k in (3, 1, 4, 1, 5, 9, 2, 6)]
    cells = [f'"{cell}"' if quote else cell for cell in (cells * 8)[:8]]
    rows = zip(["x", *cells], ["z", *beside], ["class", *Y])
    return "\n".join(map(delimiter.join, rows)) + "\n"


def read(folder, text, name="t.csv", encoding="utf-8", **options):
    (folder / name).write_bytes(text.encode(encoding))
    return read_dataset(folder / name, **options)


# What is written, what it is, and the delimiter; of every column one cell or more tells.
NUMBERS = [
    (["1,234.5", "2,000.25"], [1234.5, 2000.25], "\t"),
    (["1.234,5", "2.000,25"], [1234.5, 2000.25], ";"),
    (["1 234,5", "17,25"], [1234.5, 17.25], ";"),
    (["1\u00a0234,5", "1\u202f000"], [1234.5, 1000.0], "\t"),
    (["1'234.5", "1’000"], [1234.5, 1000.0], "\t"),
    (["1,234,567", "1,234"], [1234567.0, 1234.0], "\t"),
    (["1.234.567", "1.234"], [1234567.0, 1234.0], "\t"),
    (["0,125", "1,234"], [0.125, 1.234], "\t"),
    (["1,234", "1,23"], [1.234, 1.23], "\t"),
    (["1234,567", "1,234"], [1234.567, 1.234], "|"),
    (["1,234", "5,678"], [1.234, 5.678], ";"),
    (["-1,5", "+2,5e3", "3"], [-1.5, 2500.0, 3.0], "\t"),
    (["12 %", "7%", "3.5 %"], [12.0, 7.0, 3.5], ","),
    (["12,5 %", "7,25%"], [12.5, 7.25], ";"),
    (["1.234", "0.5"], [1.234, 0.5], ";"),
]


@pytest.mark.parametrize(("cells", "values", "delimiter"), NUMBERS)
def test_numbers(tmp_path, cells, values, delimiter):
    data = read(tmp_path, table(cells, delimiter))
    wanted = (values * 8)[:8]
    assert data.features == ["x", "z"]
    np.testing.assert_allclose(data.X[:, 0], wanted, rtol=1e-15)
    np.testing.assert_array_equal(data.X[:, 1], [3, 1, 4, 1, 5, 9, 2, 6])


def test_quoted_numbers_with_commas_between_cells(tmp_path):
    data = read(tmp_path, table(["1,234.5", "2,000"], ",", quote=True))
    np.testing.assert_array_equal(data.X[:2, 0], [1234.5, 2000])
    data = read(tmp_path, table(["1,5", "2,25"], ",", quote=True))
    np.testing.assert_array_equal(data.X[:2, 0], [1.5, 2.25])


@pytest.mark.parametrize(("beside", "value"), [("12,5", 1.234), ("12.5", 1234.0), ("7", None)])
def test_other_columns_tell_what_a_mark_is(tmp_path, beside, value):
    text = table(["1,234", "5,678"], beside=[beside] * 8)
    if value is not None:
        assert read(tmp_path, text).X[0, 0] == value
        return
    with pytest.raises(DataError, match=r"line 2, column 'x' holds '1,234', which may be"):
        read(tmp_path, text)
    assert read(tmp_path, text, decimal="comma").X[0, 0] == 1.234
    assert read(tmp_path, text, decimal="point").X[0, 0] == 1234
    with pytest.raises(ValueError, match="decimal"):
        read(tmp_path, text, decimal=",")


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (["12 %", "0.5"], "line 3, column 'x' holds '0.5' where others are per cent"),
        (["1.5", "<0.05"], "line 3, column 'x' holds '<0.05', a bound and no number"),
        (["1.5", "> 100", "2"], "column 'x' holds '> 100', a bound"),
        (["1.5", "n.d.", "2"], r"line 3, column 'x' \(n\.d\.\) is empty"),
        (["1.5"] * 7 + ["1,2,3"], "column 'x' holds '1,2,3' where the others are numbers"),
    ],
)
def test_what_is_no_number_is_refused(tmp_path, cells, sentence):
    with pytest.raises(DataError, match=sentence):
        read(tmp_path, table(cells))


def test_names_with_digits_and_commas_stay_words(tmp_path):
    names = ["1,2-dichloroethane", "Smith, J", "1,3-butadiene", "water", "a,b", "c", "d", "e"]
    columns = ["name", *names], ["u", *"31415926"], ["v", *"27182818"]
    assert read(tmp_path, "\n".join(map("\t".join, zip(*columns)))).names == names


def test_sequences_and_classes_are_not_touched(tmp_path):
    rows = [f"s{k};{'ACGT' * (k + 1)};type 1,{k % 2}\n" for k in range(8)]
    data = read(tmp_path, "name;sequence;class\n" + "".join(rows))
    assert data.X[0] == "ACGT"
    assert data.classes == {"type 1,0": 4, "type 1,1": 4}


# --- around the table -----------------------------------------------------------------------------

PLAIN = table(["1.5", "2.5"], ",")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f"A title\n{PLAIN}", "1 line above the table left out: 'A title'"),
        (f"A title,,\nby,me,\n\n{PLAIN}", "1 line above the table left out: 'A title'"),
        (f"\ufeffsep=,\r\n{PLAIN}".replace("\n", "\r\n"), ""),
        (PLAIN.replace("class\n", "class\nmg,%,\n"), "a row of units below the header: mg, %"),
        (PLAIN.replace("class\n", "class\n(m/s),[a.u.],\n"), "(m/s), [a.u.]"),
        (f"{PLAIN},,\n,,\n", "2 empty rows left out"),
        (PLAIN.replace("\n", ",,\n", 5), "empty columns at the end left out"),
    ],
)
def test_what_is_around_a_table(tmp_path, text, note):
    if "by,me" in text:  # as many cells as the table has columns: it may be the header
        with pytest.raises(DataError):
            read(tmp_path, text)
        return
    data = read(tmp_path, text)
    np.testing.assert_array_equal(data.X[:2], [[1.5, 3], [2.5, 1]])
    assert (data.features, len(data)) == (["x", "z"], 8)
    assert any(note in said for said in data.notes)


def test_rows_that_are_too_short_are_no_titles(tmp_path):
    with pytest.raises(DataError, match="line 2 has 4 cells where the first row has 1"):
        read(tmp_path, "u\n1,2,3,4\n5,6,7,9\n2,3,4,4\n")
    with pytest.raises(DataError, match="every row needs the same number of columns"):
        read(tmp_path, f"{PLAIN}1,2\n")


def test_words_below_a_header_are_no_units(tmp_path):
    with pytest.raises(DataError, match="line 2, column 'x' holds 'seven'"):
        read(tmp_path, PLAIN.replace("class\n", "class\nseven,2,u\n"))


def test_lines_of_messages_are_those_of_the_file(tmp_path):
    text = f"A title\n# a remark\n\n{PLAIN}".replace("2.5,1", "2.5,")
    with pytest.raises(DataError, match="line 6, column 'z' is empty"):
        read(tmp_path, text)


def test_blocks_refuse_what_they_could_not_do(tmp_path):
    pytest.importorskip("dask")
    from noneuclid.datasets.large.listing import PartFile
    from noneuclid.datasets.large.text import layout_of

    for text in (f"A title\n{PLAIN}", f"sep=,\n{PLAIN}"):
        (tmp_path / "t.csv").write_text(text)
        with pytest.raises(DataError, match="which cannot be done by blocks: save the table"):
            layout_of(PartFile(tmp_path / "t.csv", "t.csv"))


# --- spike trains in tables -----------------------------------------------------------------------


def test_events_become_trains(tmp_path):
    rows = [("b", 0.3), ("a", 0.2), ("b", 0.1), ("a", 0.5), ("b", 0.2), ("c", 0.9), ("c", 1.5)]
    text = "unit_id,spike_time (ms)\n" + "".join(f"{u},{t}\n" for u, t in rows)
    data = read(tmp_path, text)
    assert (data.kind, data.names, data.units) == ("spikes", ["b", "a", "c"], "ms")
    assert [train.tolist() for train in data.X] == [[0.1, 0.2, 0.3], [0.2, 0.5], [0.9, 1.5]]
    assert read(tmp_path, text, units="s").units == "s"


def test_a_panel_is_no_list_of_events(tmp_path):
    rows = [f"{u},{t},{(7 * t + 3 * ord(u)) % 11 / 2}" for u in "abc" for t in range(1, 8)]
    text = "\n".join(["unit,time,temperature", *rows])
    assert read(tmp_path, text).kind == "vectors"
    assert read(tmp_path, text, kind="spikes").kind == "spikes"


def test_rows_filled_up_with_nothing_are_trains(tmp_path):
    X = np.array([[0.1, 0.5, np.nan, np.nan], [0.2, 0.3, 0.9, 1.0], [0.4, np.nan, np.nan, np.nan]])
    np.save(tmp_path / "t.npy", X)
    data = read_dataset(tmp_path / "t.npy")
    assert (data.kind, [len(train) for train in data.X]) == ("spikes", [2, 4, 1])
    header = "spike_1,spike_2,spike_3,spike_4\n"
    text = header + "".join(",".join(map(str, row)) + "\n" for row in X.tolist())
    assert read(tmp_path, text).kind == "spikes"
    with pytest.raises(DataError, match="line 2, column 'age' is empty"):  # features with holes
        read(tmp_path, text.replace(header, "dose,weight,age,height\n"))
    np.save(tmp_path / "t.npy", X[:, ::-1])
    with pytest.raises(DataError, match="row 1, column 1 is empty"):
        read_dataset(tmp_path / "t.npy")
    np.save(tmp_path / "t.npy", np.nan_to_num(X))
    with pytest.raises(DataError, match="if rows are filled up with zeros, leave those cells"):
        read_dataset(tmp_path / "t.npy", kind="spikes")
