"""Files that were read without a word, and wrongly."""

from pathlib import Path

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset
from noneuclid.datasets.understanding import Ambiguous

_X = np.linspace(400, 700, 31)
_Y = np.exp(-(((_X - 450) / 30) ** 2))


def _curves(folder: Path, *axes: np.ndarray) -> Path:
    """A folder of one curve on several axes, each in the order of its own."""
    folder.mkdir()
    for k, axis in enumerate(axes):
        values = _Y if axis[0] < axis[-1] else _Y[::-1]
        lines = [f"{x:g},{y:.6f}\n" for x, y in zip(axis, values)]
        (folder / f"s{k}.csv").write_text("nm,abs\n" + "".join(lines))
    return folder


def test_curves_of_a_folder_are_put_in_the_order_of_their_axis(tmp_path):
    data = read_dataset(_curves(tmp_path / "mixed", _X, _X[::-1], _X))
    np.testing.assert_allclose(data.grid, _X)
    np.testing.assert_allclose(data.X, [_Y] * 3, atol=1e-6)
    assert any("1 of 3 curves" in note for note in data.notes)


def test_a_folder_of_curves_with_a_falling_axis_is_turned_round(tmp_path):
    data = read_dataset(_curves(tmp_path / "falling", _X[::-1], _X[::-1]))
    np.testing.assert_allclose(data.grid, _X)
    np.testing.assert_allclose(data.X, [_Y] * 2, atol=1e-6)
    assert any("falls from 700 to 400" in note for note in data.notes)


def test_curves_of_a_folder_need_one_axis(tmp_path):
    with pytest.raises(DataError, match=r"s1\.csv runs from 1400 to 1700, but s0\.csv from"):
        read_dataset(_curves(tmp_path / "shifted", _X, _X + 1000))
    bent = _X.copy()
    bent[7] += 1
    with pytest.raises(DataError, match="has 471 where the other has 470"):
        read_dataset(_curves(tmp_path / "bent", _X, bent))
    folder = _curves(tmp_path / "alone", _X, _X)
    (folder / "s1.csv").write_text("abs\n" + "".join(f"{y:.6f}\n" for y in _Y))
    with pytest.raises(DataError, match=r"s1\.csv has no axis .* but s0\.csv has"):
        read_dataset(folder)
    (folder / "s1.csv").write_text("nm,abs\n" + "".join(f"{x:g},1\n" for x in _X[:-1]) + ",1\n")
    with pytest.raises(DataError, match=r"s1\.csv, line 32, column 'nm' is empty"):
        read_dataset(folder)


def test_places_of_points_are_those_in_the_file(tmp_path):
    folder = _curves(tmp_path / "hole", _X, _X[::-1])
    text = (folder / "s1.csv").read_text().splitlines()
    text[1] = "700,"
    (folder / "s1.csv").write_text("\n".join(text))
    with pytest.raises(DataError, match=r"s1\.csv, point 1 is empty"):
        read_dataset(folder)


def _read(tmp_path: Path, text: str, name: str = "data.csv", **wishes):
    path = tmp_path / name
    path.write_text(text)
    return read_dataset(path, **wishes)


def _numbered(k: int, name: str) -> str:
    return f"{name}{k},{np.sin(9 * k):.3f},{np.cos(5 * k):.3f},{'pq'[k % 2]}\n"


def test_rows_whose_names_begin_with_a_hash_are_rows(tmp_path):
    rows = [_numbered(k, "#QC" if k % 4 == 0 else "s") for k in range(20)]
    data = _read(tmp_path, "id,a,b,class\n" + "".join(rows))
    assert len(data.X) == 20
    assert data.names[:2] == ["#QC0", "s1"]
    assert data.labels.tolist() == list("pq" * 10)
    assert len(_read(tmp_path, "id,a,b,class\n" + "".join(_numbered(k, "#") for k in range(9))).X)


def test_rows_that_begin_with_an_error_of_a_spreadsheet_are_rows(tmp_path):
    rows = [f"{np.sin(k):.3f},{np.cos(k):.3f}\n" for k in range(9)]
    text = "a,b\n" + "".join(rows) + "#DIV/0!,1.5\n"
    assert len(_read(tmp_path, text, missing="mean").X) == 10
    with pytest.raises(DataError, match=r"line 11, column 'a' \(#DIV/0!\) is empty"):
        _read(tmp_path, text)


def test_comments_below_a_header_are_comments(tmp_path):
    rows = [_numbered(k, "s") for k in range(9)]
    rows.insert(3, "# measured again\n#Berlin, hall 3, by Ann, on Monday\n")
    data = _read(tmp_path, "# made, by, hand, 1\nid,a,b,class\n" + "".join(rows))
    assert data.names == [f"s{k}" for k in range(9)]
    assert any("a line that begins with # left out" in note for note in data.notes)
    numbers = [f"{np.sin(k):.3f} {np.cos(k):.3f} {k * k}\n" for k in range(9)]
    data = _read(tmp_path, "a b c\n" + "".join(numbers) + "#0.5 0.7 0.9\n# two words\n", "data.txt")
    assert len(data.X) == 9


def test_a_hash_inside_a_cell_of_several_lines_begins_no_row(tmp_path):
    rows = [f's{k},{k * k},{k % 5},"one\n#2,3,4,five\nsix"\n' for k in range(9)]
    data = _read(tmp_path, "id,a,b,remark\n" + "".join(rows))
    assert data.names == [f"s{k}" for k in range(9)]


def _jcamp(name: str, y_units: str | None, x_units: str = "1/CM") -> str:
    units = "" if y_units is None else f"##YUNITS={y_units}\n"
    return (
        f"##TITLE={name}\n##JCAMP-DX=4.24\n##XUNITS={x_units}\n{units}##FIRSTX=400\n##LASTX=420\n"
        "##NPOINTS=3\n##XYDATA=(X++(Y..Y))\n400 0.5 1.0 0.5\n##END=\n"
    )


@pytest.mark.parametrize(
    ("y_units", "x_units", "found"),
    [
        ("TRANSMITTANCE", "1/CM", "'b' has ##YUNITS=TRANSMITTANCE, but 'a' has ##YUNITS=ABS"),
        ("ABSORBANCE", "NANOMETERS", "'b' has ##XUNITS=NANOMETERS, but '0' has ##XUNITS=1/CM"),
    ],
)
def test_spectra_in_different_units_are_refused(tmp_path, y_units, x_units, found):
    texts = [_jcamp("0", None), _jcamp("a", "ABSORBANCE"), _jcamp("b", y_units, x_units)]
    with pytest.raises(DataError, match=found):
        _read(tmp_path, "".join(texts), "all.jdx")
    folder = tmp_path / "spectra"
    folder.mkdir()
    for k, text in enumerate(texts):
        (folder / f"{k}.jdx").write_text(text)
    with pytest.raises(DataError, match=found):
        read_dataset(folder)


def test_units_of_spectra_may_be_missing_or_written_otherwise(tmp_path):
    texts = [_jcamp("a", "ABSORBANCE"), _jcamp("b", " absorbance $$ as is"), _jcamp("c", None)]
    data = _read(tmp_path, "".join([*texts, _jcamp("d", "", "1/cm ")]), "all.jdx")
    assert (len(data.X), data.units) == (4, "cm⁻¹")


def test_absent_self_similarities_of_pairs_are_the_largest_similarity(tmp_path):
    pairs = [(i, j) for i in range(8) for j in range(i) if i - j < 4]
    text = "a,b,{}\np0,p0,870\n" + "".join(f"p{i},p{j},{900 - 50 * (i - j)}\n" for i, j in pairs)
    data = _read(tmp_path, text.format("similarity"), missing=0)
    assert np.diag(data.X).tolist() == [870.0] * 8
    assert data.X[0, 7] == 0
    assert any("self-similarities that are absent (7)" in note for note in data.notes)
    text = text.replace("p0,p0,870\n", "")
    assert (np.diag(_read(tmp_path, text.format("similarity"), missing=0).X) == 850).all()
    data = _read(tmp_path, text.format("distance"), missing=1000)
    assert not np.diag(data.X).any()
    assert data.X[data.names.index("p0"), data.names.index("p7")] == 1000


def test_comments_of_fasta_are_comments(tmp_path):
    text = ";from GenBank\n;of today\n>a\nACGTAC\n>b\n;with a gap\nACGTTC\n>c\nAAGTTC\n"
    for name in ("f.fasta", "f.txt"):
        data = _read(tmp_path, text, name)
        assert data.names == ["a", "b", "c"]
        assert list(data.X) == ["ACGTAC", "ACGTTC", "AAGTTC"]


@pytest.mark.parametrize("ending", ["fasta", "fa", "fna", "faa"])
def test_a_file_called_fasta_needs_names(tmp_path, ending):
    with pytest.raises(DataError, match="is no FASTA file, since it begins with 'ACGTAC'"):
        _read(tmp_path, ";a\nACGTAC\nACGTTC\nAAGTTC\n", f"f.{ending}")
    with pytest.raises(DataError, match="is no FASTA file, since it begins with ';a'"):
        _read(tmp_path, ";a\n;b\n", f"f.{ending}")
    with pytest.raises(DataError, match="is empty: it must hold names"):
        _read(tmp_path, ";a\n;b\n", f"f.{ending}", format="fasta")
    assert len(_read(tmp_path, "ACGTAC\nACGTTC\nAAGTTC\n", f"f.{ending}", format="text").X) == 3


def _saved(tmp_path: Path, **arrays: np.ndarray) -> Path:
    X = np.random.default_rng(0).normal(size=(20, 4))
    np.savez(tmp_path / "data.npz", X=X, **arrays)
    return tmp_path / "data.npz"


def test_classes_in_an_array_of_one_column_are_classes(tmp_path):
    y = np.arange(20) % 2
    data = read_dataset(_saved(tmp_path, y=y[:, None]))
    assert data.labels.tolist() == read_dataset(_saved(tmp_path, y=y)).labels.tolist()


@pytest.mark.parametrize("labels", [1 - np.arange(20) % 2, np.arange(20) % 3])
def test_arrays_of_classes_must_not_contradict_each_other(tmp_path, labels):
    y = np.arange(20) % 2
    path = _saved(tmp_path, y=y, labels=labels)
    with pytest.raises(Ambiguous, match="'y' and 'labels' contradict each other") as raised:
        read_dataset(path)
    assert [answer.said for answer in raised.value.question.answers] == [
        {"labels": "y"},
        {"labels": "labels"},
    ]
    assert read_dataset(path, labels="y").labels is not None
    assert read_dataset(path, use_labels=False).labels is None
    words = np.array(["no", "yes"])[y]
    assert read_dataset(_saved(tmp_path, y=y, labels=words)).labels is not None
