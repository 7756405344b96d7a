"""Files as people and programs really write them, and what is refused."""

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 3)).round(4)
NAMES = [f"obj{i}" for i in range(12)]
Y = ["a", "b"] * 6
HEADER = ["name", "u", "v", "w", "class"]
ROWS = [HEADER, *([n, *map(str, p), y] for n, p, y in zip(NAMES, POINTS, Y))]


def text(rows=ROWS, *, delimiter=",", newline="\n"):
    return newline.join(delimiter.join(row) for row in rows) + newline


def read(tmp_path, content, name="t.csv", **options):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return read_dataset(path, **options)


def check(data):
    np.testing.assert_array_equal(data.X, POINTS)
    assert data.names == NAMES
    assert data.labels.tolist() == Y
    assert data.features == ["u", "v", "w"]


# --- one table, written in many ways --------------------------------------------------------------

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "blank": " "}
NEWLINES = {"unix": "\n", "windows": "\r\n", "old mac": "\r"}
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "cp1252"]


@pytest.mark.parametrize("newline", NEWLINES)
@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_delimiters_and_ends_of_lines(delimiter, newline, tmp_path):
    content = text(delimiter=DELIMITERS[delimiter], newline=NEWLINES[newline])
    for name in ("t.csv", "t.tsv", "t.txt", "t"):
        check(read(tmp_path, content, name))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_and_byte_order_marks(encoding, tmp_path):
    content = text()
    if encoding == "utf-16-le-bom":
        check(read(tmp_path, b"\xff\xfe" + content.encode("utf-16-le")))
    else:
        check(read(tmp_path, content.encode(encoding)))


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
def test_decimal_commas_beside_every_other_delimiter(delimiter, tmp_path):
    rows = [[cell.replace(".", ",") for cell in row] for row in ROWS]
    check(read(tmp_path, text(rows, delimiter=delimiter)))


def test_decimal_commas_in_quotes(tmp_path):
    quoted = [[f'"{cell}"' for cell in row] for row in ROWS]
    check(read(tmp_path, text(quoted)))
    check(read(tmp_path, text(quoted, delimiter="; ")))


def test_empty_lines_comments_and_blanks_do_not_count(tmp_path):
    lines = text().splitlines()
    content = "# made by hand\n\n" + "\n\n".join(f"  {line}  " for line in lines) + "\n  \n# end\n"
    check(read(tmp_path, content))


def test_a_delimiter_at_the_end_of_every_line(tmp_path):
    check(read(tmp_path, "\n".join(line + "," for line in text().splitlines())))


def test_numbers_as_programs_write_them(tmp_path):
    forms = ["{:+.4f}", "{:.4e}", "{:.4E}", " {:.4f}"]
    rows = [
        [n, *(form.format(x) for form, x in zip(forms, p)), y] for n, p, y in zip(NAMES, POINTS, Y)
    ]
    check(read(tmp_path, text([HEADER, *rows])))


def test_names_of_all_scripts(tmp_path):
    header = ["имя", "größe", "β", "幅", "класс"]
    names = [f"жук {i} «{c}»" for i, c in enumerate("αβγδεζηθικλμ")]
    rows = [header, *([n, *map(str, p), y] for n, p, y in zip(names, POINTS, Y))]
    for encoding in ("utf-8", "utf-16"):
        data = read(tmp_path, text(rows).encode(encoding), labels="класс")
        assert data.names == names
        assert data.features == header[1:4]
        assert data.labels.tolist() == Y


def test_columns_of_the_same_name_are_kept_apart(tmp_path):
    rows = [["name", "u", "u", "w", "class"], *ROWS[1:]]
    data = read(tmp_path, text(rows))
    assert data.features == ["u", "u", "w"]
    np.testing.assert_array_equal(data.X, POINTS)


def test_objects_of_the_same_name_are_no_names(tmp_path):
    rows = [HEADER, *([n[:4], *row[1:]] for n, row in zip(NAMES, ROWS[1:]))]  # obj1 three times
    data = read(tmp_path, text(rows))
    np.testing.assert_array_equal(data.X, POINTS)
    assert data.names == [str(i + 1) for i in range(12)]
    assert "text left out: 'name'" in data.understood


def test_a_label_may_hold_blanks_and_delimiters(tmp_path):
    rows = [[*row[:-1], '"wild, red"' if row[-1] == "a" else "tame"] for row in ROWS[1:]]
    data = read(tmp_path, text([HEADER, *rows]))
    assert data.classes == {"tame": 6, "wild, red": 6}


# --- refused --------------------------------------------------------------------------------------


def spoilt(cell, row=3, column=1):
    rows = [list(r) for r in ROWS]
    rows[row][column] = cell
    return text(rows)


REFUSED = {
    "hole": (spoilt(""), r"t\.csv, line 4, column 'u' is empty: fill it in, or remove the row"),
    "NA": (spoilt("NA"), "line 4, column 'u' is empty"),
    "question mark": (spoilt("?"), "line 4, column 'u' is empty"),
    "NaN": (spoilt("nan"), "line 4, column 'u' is empty"),
    "infinity": (spoilt("inf"), "line 4, column 'u' is infinite"),
    "minus infinity": (spoilt("-Infinity", 5, 2), "line 6, column 'v' is infinite"),
    "huge": (
        spoilt("1e200"),
        r"holds 1e\+200, whose square is too large a number: use other units",
    ),
    "overflow": (spoilt("1e999"), "line 4, column 'u' is infinite"),
    "infinite everywhere": ("u,v,w\n" + "inf,inf,inf\n" * 5, "line 2, column 'u' is infinite"),
    "word": (spoilt("oops"), "holds 'oops' where the others are numbers: correct the cell"),
    "unit": (spoilt("3 kg", 12), "line 13, column 'u' holds '3 kg'"),
    "no class": (spoilt("", 2, 4), "object 'obj1' has no class in 'class': fill it in or remove"),
    "cell too many": (text() + "a,1,2,3,b,5\n", "line 14 has 6 cells where the first row has 5"),
    "cell missing": (text() + "a,1,2,b\n", "line 14 has 4 cells where the first row has 5"),
    "header only": ("u,v,w\n", "holds one line of words and no data below it"),
    "comments only": ("# nothing\n\n", "is empty: it must hold one row per object"),
    "nothing": ("", r"t\.csv is empty: it must hold one row per object"),
    "one column": ("u\n1\n2\n3\n", "has one column of numbers: two or more are needed"),
    "binary": (bytes(range(256)), "is not a text file: give csv, tsv"),
    "half a character": (b"\xff\xfea", "is not a text file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_sentence_that_names_the_place(name, tmp_path):
    content, sentence = REFUSED[name]
    with pytest.raises(DataError, match=sentence) as refused:
        read(tmp_path, content)
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("t.csv")


def test_all_holes_are_counted(tmp_path):
    rows = [[*row[:2], "", *row[3:]] if 0 < k < 4 else row for k, row in enumerate(ROWS)]
    with pytest.raises(DataError, match=r"line 2, column 'v' is empty \(3 such cells in all\)"):
        read(tmp_path, text(rows))


def test_lines_are_counted_as_an_editor_does(tmp_path):
    """A hole is where the editor shows it, comments and empty lines before it included."""
    lines = spoilt("", 1).splitlines()
    with pytest.raises(DataError, match="line 5, column 'u' is empty"):
        read(tmp_path, "\n".join(["# first", "", "# third", *lines]))


def test_tiny_numbers_are_refused_per_column(tmp_path):
    rows = [[r[0], "1e-200" if k else "u", *r[2:]] for k, r in enumerate(ROWS)]
    with pytest.raises(DataError, match="column 'u' holds 1e-200, whose square is too small"):
        read(tmp_path, text(rows))


def test_a_path_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match=r"there is no file '.*missing\.csv': check the path"):
        read_dataset(tmp_path / "missing.csv")


def test_an_unknown_kind_is_refused_before_reading(tmp_path):
    with pytest.raises(ValueError, match=r"kind \(='graph'\) must be \"auto\" or one of"):
        read_dataset(tmp_path / "missing.csv", kind="graph")


# --- kinds against files --------------------------------------------------------------------------


KINDS = {
    "spikes": r"holds \S+ after \S+: times of a train rise; if rows are filled up with zeros",
    "similarity": "has 12 rows and 3 columns of numbers: a similarity matrix has as many",
    "dissimilarity": "a dissimilarity matrix has as many columns as rows",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_that_is_not_what_was_said(kind, tmp_path):
    with pytest.raises(DataError, match=KINDS[kind]):
        read(tmp_path, text(), kind=kind)


def test_sequences_that_are_not_what_was_said(tmp_path):
    for kind in ("vectors", "curves", "similarity"):
        with pytest.raises(DataError, match=f"holds sequences, not {kind}: leave kind out"):
            read(tmp_path, ">a\nACGT\n>b\nACG\n", "t.fasta", kind=kind)
    with pytest.raises(DataError, match="sequence 'b' is empty: remove it"):
        read(tmp_path, ">a\nACGT\n>b\n>c\nAC\n", "t.fasta")


def test_numbers_that_are_no_dissimilarities(tmp_path):
    S = np.cov(POINTS)
    content = text([list(map(repr, map(float, row))) for row in S])
    with pytest.raises(DataError, match='on the diagonal, which must be 0; use kind="similarity"'):
        read(tmp_path, content, kind="dissimilarity")
    np.fill_diagonal(S, 0.0)
    content = text([list(map(repr, map(float, row))) for row in S])
    with pytest.raises(
        DataError, match=r'it holds negative numbers \(-.*\); use kind="similarity"'
    ):
        read(tmp_path, content, kind="dissimilarity")


def test_a_small_asymmetry_may_be_averaged(tmp_path):
    D = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
    D[1, 4] += 0.02
    content = text([list(map(repr, map(float, row))) for row in D])
    with pytest.raises(DataError, match=r"row 2, column 5 holds 3\.02, but .* holds 3; use sym"):
        read(tmp_path, content)
    data = read(tmp_path, content, symmetrize=True)
    np.testing.assert_array_equal(data.X, (D + D.T) / 2)
    assert "made symmetric (largest difference 0.004 of the largest entry)" in data.notes


# --- text and time series -------------------------------------------------------------------------

TS = {
    "no data": ("@problemName x\n", "has no series after @data"),
    "before": ("1,2\n@data\n", "line 1 stands before @data: '1,2'"),
    "ragged": ("@data\n1,2,3\n1,2\n", "line 3 has 2 points where the first series has 3"),
    "channels": ("@data\n1,2:3,4\n", "line 2 holds 2 channels: give one channel per file"),
    "words": ("@data\n1,x\n", "line 2 must hold numbers separated by commas: '1,x'"),
    "stamps": ("@timestamps true\n@data\n(1,2)\n", "holds time stamps"),
    "hole": ("@data\n1,2,3\n1,?,3\n", "line 3, point 2 is empty"),
}


@pytest.mark.parametrize("name", TS)
def test_series_that_are_refused(name, tmp_path):
    content, sentence = TS[name]
    with pytest.raises(DataError, match=f"t.ts.*{sentence}"):
        read(tmp_path, content, "t.ts")


def test_series_with_targets_have_no_classes(tmp_path):
    lines = [f"{k},{k + 1},{k + 3}:0.{k}" for k in range(4)]
    data = read(tmp_path, "@targetlabel true\n# c\n@data\n" + "\n".join(lines), "t.ts")
    assert data.labels is None
    assert data.X.tolist() == [[k, k + 1, k + 3] for k in range(4)]


def test_prose_is_no_data(tmp_path):
    prose = "It was the best of times.\nIt was the worst of times, it was\nthe age of wisdom.\n"
    for name in ("t.txt", "t"):
        with pytest.raises(DataError, match="looks like prose, not like data"):
            read(tmp_path, prose, name)
    assert len(read(tmp_path, prose, "t.txt", kind="sequences")) == 3


def test_words_with_a_bar_in_them_are_words(tmp_path):
    assert read(tmp_path, "a|b\ncd\ne|f|g\n", "t.txt").X == ["a|b", "cd", "e|f|g"]


def test_trains_with_a_word_in_them(tmp_path):
    with pytest.raises(DataError, match=r"every line must hold the times of one train"):
        read(tmp_path, "0.1 0.2\n0.1 x\n", "t.txt", kind="spikes")


# --- classes --------------------------------------------------------------------------------------

LABELS = {
    "one class": (["a"] * 12, "all objects have the class a: at least two classes are needed"),
    "fractions": ([f"0.{k}5" for k in range(12)], r"holds numbers like 0\.05, not classes"),
    "too many": ([f"c{k}" for k in range(12)], "holds 12 classes for 12 objects: name another"),
    "hole": (["a", "b", "none"] + ["a"] * 9, "object 'obj2' has no class"),
}


@pytest.mark.parametrize("name", LABELS)
def test_classes_that_are_none(name, tmp_path):
    labels, sentence = LABELS[name]
    rows = [HEADER, *([*row[:-1], label] for row, label in zip(ROWS[1:], labels))]
    with pytest.raises(DataError, match=sentence):
        read(tmp_path, text(rows))
    assert read(tmp_path, text(rows), use_labels=False).labels is None


def test_label_files(tmp_path):
    (tmp_path / "y.txt").write_text("\n".join(Y[:-1]))
    with pytest.raises(DataError, match=r"y\.txt holds 11 labels for the 12 objects of t\.csv"):
        read(tmp_path, text(), labels="y.txt")
    np.save(tmp_path / "y.npy", np.arange(12) % 3)
    assert read(tmp_path, text(), labels="y.npy").classes == {0: 4, 1: 4, 2: 4}
    np.savez(tmp_path / "y.npz", anything=np.array(Y))
    assert read(tmp_path, text(), labels=tmp_path / "y.npz").labels.tolist() == Y
    (tmp_path / "bad.npy").write_text("x")
    with pytest.raises(DataError, match=r"bad\.npy is not a NumPy file: save it"):
        read(tmp_path, text(), labels="bad.npy")
    with pytest.raises(
        DataError, match=r"has no column 'nope' \(there are u, v, w\), and there is no"
    ):
        read(tmp_path, text(), labels="nope")


def test_a_label_column_is_found_whatever_its_case(tmp_path):
    assert read(tmp_path, text(), labels="CLASS").labels.tolist() == Y


def test_line_breaks_inside_of_quotation_marks(tmp_path):
    rows = [f'{k}.5,{k * 2},"first line\nof {k}, and\na third",{"ab"[k % 2]}' for k in range(8)]
    path = tmp_path / "notes.csv"
    path.write_text("u,v,remark,class\n" + "\n".join(rows) + "\n")
    data = read_dataset(path)
    assert data.X[:, 0].tolist() == [k + 0.5 for k in range(8)]
    assert data.labels.tolist() == ["ab"[k % 2] for k in range(8)]
    assert "text left out: 'remark'" in data.understood
    path.write_text('size,v\n5",2\n7,3\n6",4\n8",5\n')
    with pytest.raises(DataError):
        read_dataset(path)
