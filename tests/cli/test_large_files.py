"""Data larger than memory: parts, zarr and mapped arrays are read by blocks, and say the same."""

import csv
import io
import itertools
import os

import numpy as np
import pandas as pd
import pytest
from large_parts import (
    FORMATS,
    QUICK,
    SMALL,
    TABLE,
    N,
    U,
    V,
    W,
    X,
    Y,
    columns,
    in_parts,
    run,
    to_csv,
    to_parquet,
)

from noneuclid._persistence import load
from noneuclid.datasets import DataError, read_dataset, read_sample
from noneuclid.datasets.large import Memory, is_large, open_large, survey
from noneuclid.datasets.large.listing import PartFile, parts_in
from noneuclid.datasets.large.text import cuts_of, layout_of

pytest.importorskip("dask")


# --- the same answers as in memory --------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_predictions_of_parts_are_those_of_the_whole_table(home, folder, name):
    ending, write = FORMATS[name]
    parts = in_parts(folder / "parts", ending, write)
    result = run("predict", home / "m.skops", parts, *SMALL, "-o", "p.csv")
    assert (folder / "p.csv").read_text() == (home / "p.csv").read_text()
    assert f"of {N} predictions agree with the classes in parts" in result.stderr
    assert sorted(os.listdir(folder)) == ["p.csv", "parts"]
    assert len(os.listdir(parts)) == 12


def test_a_file_above_the_limit_is_read_by_blocks(home, folder):
    assert not is_large(home / "all.csv")
    assert is_large(home / "all.csv", 2**16)
    data = open_large(home / "all.csv", memory=Memory.of(2**16))
    assert len(data.pieces) > 4
    run("predict", home / "m.skops", home / "all.csv", *SMALL, "-o", "p.csv")
    assert (folder / "p.csv").read_text() == (home / "p.csv").read_text()
    shown = run("predict", home / "m.skops", home / "all.csv", *SMALL).stdout
    assert shown == (home / "p.csv").read_text()


@pytest.mark.parametrize("store", ["npy", "zarr", "fortran", "float32"])
def test_arrays_by_blocks_predict_as_in_memory(home, folder, store):
    array = X.astype("f4") if store == "float32" else X
    np.save("whole.npy", array)
    path = folder / "x.npy"
    if store == "zarr":
        zarr = pytest.importorskip("zarr")
        path = folder / "x.zarr"
        zarr.open_array(path, mode="w", shape=X.shape, chunks=(17, 3), dtype="f8")[:] = X
    else:
        np.save(path, np.asfortranarray(array) if store == "fortran" else array)
    run("predict", home / "m.skops", path, "--memory-limit", "4KiB", "-o", "blocks.csv")
    run("predict", home / "m.skops", "whole.npy", "-o", "memory.csv")
    assert (folder / "blocks.csv").read_text() == (folder / "memory.csv").read_text()


def test_fit_on_parts_is_the_fit_on_the_table(home, folder):
    parts = in_parts(folder / "parts", ".parquet", to_parquet)
    result = run("fit", parts, *SMALL, *QUICK, "-o", "m.skops")
    assert f"{N} rows of 4 features, 3 classes" in result.stdout
    assert "12 parts, sorted by name, and" in result.stdout
    assert f"then fitted to all {N} rows" in result.stdout
    one, other = load(folder / "m.skops"), load(home / "m.skops")
    np.testing.assert_allclose(one[0].mean_, other[0].mean_, rtol=1e-12)
    np.testing.assert_allclose(one[0].scale_, other[0].scale_, rtol=1e-12)
    run("predict", "m.skops", home / "all.csv", "-o", "p.csv")
    with (folder / "p.csv").open() as a, (home / "p.csv").open() as b:
        classes = [[row["class"] for row in csv.DictReader(file)] for file in (a, b)]
    assert np.mean(np.array(classes[0]) == np.array(classes[1])) > 0.98
    assert one[-1].prototypes_.shape == other[-1].prototypes_.shape


@pytest.mark.parametrize("labels", ["y.npy", "y.csv"])
def test_arrays_have_their_classes_in_a_second_file(folder, labels):
    np.save("x.npy", X)
    np.save("y.npy", Y)
    (folder / "y.csv").write_text("\n".join(["class", *Y]) + "\n")
    data = open_large(folder / "x.npy", labels=labels, memory=Memory.of(2**12))
    assert len(data.pieces) > 3
    assert (data.y.compute() == Y).all()
    assert f"classes from {labels}" in data.understood
    np.save("y.npy", Y[:-1])
    (folder / "y.csv").write_text("\n".join(Y[:-1]) + "\n")
    result = run("fit", "x.npy", "-l", labels, "--memory-limit", "4KiB", *QUICK, code=2)
    assert f"{labels} holds {N - 1} labels for the {N} objects of x.npy" in result.stderr


CURVES = pd.DataFrame(
    np.sin(np.linspace(0, 3, 20) + U[:, None]), columns=[f"{400 + 2 * k}" for k in range(20)]
)
TABLES = {
    "a name of classes": columns(u=U, v=V, species=Y, w=W),
    "words without such a name": columns(u=U, v=V, w=W, what=Y),
    "classes of one part each": columns(u=U, v=V, w=W, what=np.sort(Y)),
    "whole numbers": columns(u=U, v=V, target=(Y == "mid") + 0, w=W),
    "identifiers": columns(u=U, v=V, sample_id=np.arange(N) * 7, group=Y),
    "a column that counts": columns(count=np.arange(N), u=U, v=V, family=Y),
    "text beside": columns(u=U, v=V, text=[f"t {i}" for i in range(N)], y=Y),
    "names first": columns(key=[f"k{i}" for i in range(N)], u=U, v=V),
    "curves": CURVES.assign(label=Y),
    "numbers from 01": columns(u=U, v=V, label=[f"0{1 + (v > 0)}" for v in V]),
    "classes with a point": columns(u=U, v=V, label=[f"{1.0 + (v > 0)}" for v in V]),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("ending", "seen"), [(".csv", 64), (".parquet", 4096)])
def test_columns_get_the_roles_of_a_single_table(folder, monkeypatch, name, ending, seen):
    monkeypatch.setattr(survey, "_SEEN", seen)  # as of a table of more rows than are looked at
    table, write = TABLES[name], dict(FORMATS.values())[ending]
    write(table, folder / f"all{ending}")
    whole = read_dataset(folder / f"all{ending}")
    data = open_large(in_parts(folder / "parts", ending, write, table, 5), memory=Memory.of(2**15))
    assert data.kind == whole.kind
    assert data.features == whole.features
    np.testing.assert_array_equal(data.X.compute(), whole.X)
    assert data.classes == whole.classes
    if whole.labels is not None:
        assert data.y.dtype.kind == whole.labels.dtype.kind
        assert (data.y.compute() == whole.labels).all()
    assert [n for piece in data.pieces for n in piece.names()] == whole.names
    assert set(whole.notes) == set(data.outline.notes)


def test_wanted_columns_and_no_labels(folder):
    parts = in_parts(folder / "parts", ".csv", to_csv, TABLE.assign(other=np.tile(["p", "q"], 120)))
    assert set(open_large(parts, labels="OTHER").classes) == {"p", "q"}
    assert set(open_large(parts, labels="species").classes) == {"low", "mid", "high"}
    assert not open_large(parts, use_labels=False).has_labels
    with pytest.raises(DataError, match=r"no column 'nothing' \(there are name, u, v"):
        open_large(parts, labels="nothing")


def test_a_file_of_classes_goes_row_by_row(folder):
    parts = in_parts(folder / "parts", ".csv", to_csv, TABLE.drop(columns=["name", "species"]))
    (folder / "y.txt").write_text("\n".join(Y))
    assert (open_large(parts, labels="y.txt").y.compute() == Y).all()
    named = in_parts(folder / "named", ".csv", to_csv, TABLE.drop(columns="species"))
    TABLE[::-1].to_csv("y.csv", columns=["name", "species"], index=False)
    assert "y.csv has names beside its classes" in run("fit", named, "-l", "y.csv", code=2).stderr


def test_parts_are_sorted_with_numbers_as_numbers(folder):
    for k in (10, 9, 100, 1):
        to_csv(TABLE[:3], folder / f"part-{k}.csv")
    names = [part.name for part in parts_in(folder).parts]
    assert names == ["part-1.csv", "part-9.csv", "part-10.csv", "part-100.csv"]


def test_folders_of_hive_are_columns(home, folder):
    TABLE.to_parquet("hive", partition_cols=["species"])
    (folder / "hive" / "_SUCCESS").touch()
    (folder / "hive" / "._SUCCESS.crc").touch()
    data = open_large(folder / "hive")
    assert data.classes == dict(zip(*(v.tolist() for v in np.unique(Y, return_counts=True))))
    run("predict", home / "m.skops", "hive", "-o", "p.csv")
    one, other = (sorted((path / "p.csv").read_text().splitlines()) for path in (folder, home))
    assert one == other
    (folder / "hive" / "more").mkdir()
    result = run("fit", "hive", code=2)
    assert "holds the folder 'more'" in result.stderr
    assert "key=value" in result.stderr


# --- rows across blocks -------------------------------------------------------------------------


def test_no_block_cuts_a_quoted_cell(home, folder):
    table = TABLE.assign(remark=[f'line, one {i}\n"two"\r\n# three' for i in range(N)])
    parts = in_parts(folder / "parts", ".csv", to_csv, table, 2)
    data = open_large(parts, memory=Memory.of(2**15))
    assert len(data.pieces) > 6
    np.testing.assert_array_equal(data.X.compute(), X)
    run("predict", home / "m.skops", parts, "--memory-limit", "32KiB", "-o", "p.csv")
    assert (folder / "p.csv").read_text() == (home / "p.csv").read_text()


@pytest.mark.parametrize("most", [1, 7, 100, 10**6])
def test_cuts_are_ends_of_rows(folder, most):
    text = 'a,b\n1,"x\ny"\n2,"""\n"""\n\n3,z\n4,"\n\n"'
    (folder / "t.csv").write_text(text)
    part = PartFile(folder / "t.csv", "t.csv")
    cuts = cuts_of(part, most)
    assert cuts[0] == 0
    assert cuts[-1] == len(text)
    pieces = [text[a:b] for a, b in itertools.pairwise(cuts)]
    assert "".join(pieces) == text
    rows = [row for piece in pieces for row in csv.reader(io.StringIO(piece, newline=""))]
    assert rows == list(csv.reader(io.StringIO(text, newline="")))


def test_odd_texts_are_read_as_in_memory(folder):
    rows = [f"{u!r},{v!r},{w!r},{y}" for u, v, w, y in zip(*X[:, :3].T.tolist(), Y)]
    texts = {
        "comments": "# a comment\n\nu,v,w,class\n" + "\n   \n# more\n".join(rows) + "\n\n",
        "windows": "\ufeffu,v,w,class\r\n" + "\r\n".join(rows),
        "old mac": "u,v,w,class\r" + "\r".join(rows) + "\r",
        "closed rows": "u,v,w,class,\n" + "".join(f"{row},\n" for row in rows),
        "blanks": "u v w class\n" + "".join(row.replace(",", "  ") + "\n" for row in rows),
        "R": "u v w class\n" + "".join(f"r{k} {r.replace(',', ' ')}\n" for k, r in enumerate(rows)),
        "no header": "\n".join(rows),
        "quotes": "u,v,w,class\n" + "".join(row.replace("mid", '"mid"') + "\n" for row in rows),
        "quotes after blanks": "u, v, w, class\n"
        + "".join(f'{r[: -len(y)]} "{y}"\n' for r, y in zip(rows, Y)),
    }
    for name, text in texts.items():
        path = folder / "t.csv"
        path.write_text(text, newline="")
        memory = Memory.of(2**20 if name == "old mac" else 2**15)  # which has no ends of rows
        whole, data = read_dataset(path), open_large(path, memory=memory)
        np.testing.assert_array_equal(data.X.compute(), whole.X, err_msg=name)
        assert (data.y.compute() == whole.labels).all(), name
        assert data.features == whole.features, name
    path.write_text(texts["windows"], encoding="utf-16")
    np.testing.assert_array_equal(open_large(path).X.compute(), read_dataset(path).X)


# --- samples ------------------------------------------------------------------------------------


def test_analyze_states_its_sample(folder):
    in_parts(folder / "parts", ".parquet", to_parquet)
    result = run("analyze", "parts", *SMALL, *QUICK, "--max-objects", "60", "-o", "r.html")
    assert f"a random sample of 60 of its {N} rows, drawn from all blocks" in result.stdout
    page = (folder / "r.html").read_text()
    assert f"a random sample of 60 out of {N}" in page
    assert "read_sample(&#39;parts&#39;, 60, random_state=0" in page
    assert sorted(os.listdir(folder)) == ["parts", "r.html"]


def test_samples_do_not_depend_on_the_blocks(home, folder):
    parts = in_parts(folder / "parts", ".csv", to_csv)
    one = open_large(parts, memory=Memory.of(2**15)).sample(50, random_state=3)
    other = open_large(home / "all.csv").sample(50, random_state=3)
    again = read_sample(parts, 50, random_state=3)
    for sample in (other, again):
        np.testing.assert_array_equal(one.X, sample.X)
        assert one.names == sample.names
        assert (one.labels == sample.labels).all()
    assert one.names != read_sample(parts, 50, random_state=4).names
    rows = [TABLE["name"].tolist().index(name) for name in one.names]
    assert rows == sorted(rows)
    assert {row // 20 for row in rows} >= set(range(10))  # of nearly all parts


def test_rare_classes_are_in_the_sample(folder):
    table = TABLE.assign(species=np.where(np.arange(N) % 24 == 5, "rare", Y))
    parts = in_parts(folder / "parts", ".csv", to_csv, table)
    sample = open_large(parts).sample(30)
    assert sample.classes["rare"] >= 8
    assert len(sample) <= 30 + 4 * 8


# --- compare ------------------------------------------------------------------------------------


def test_compare_parts(folder):
    in_parts(folder / "one", ".csv", to_csv, TABLE[:120], 4)
    moved = TABLE[120:].assign(u=TABLE["u"][120:] + 3.0)[["species", "x", "w", "v", "u", "name"]]
    in_parts(folder / "two", ".parquet", to_parquet, moved, 3)
    in_parts(folder / "three", ".parquet", to_parquet, TABLE[120:], 3)
    result = run("compare", "one", "two", *SMALL)
    assert "The distributions of one and two differ." in result.stdout
    assert "Columns that differ by themselves: u." in result.stdout
    assert "error of the statistic" in result.stdout
    assert "120 rows of 4 features" in result.stdout
    result = run("compare", "one", "three")
    assert "one and three may well be the same" in result.stdout
    to_csv(TABLE[120:], folder / "three.csv")  # a file beside a folder is read by blocks, too
    assert "may well be the same" in run("compare", "one", "three.csv").stdout
    to_csv(TABLE[120:].rename(columns={"w": "q"}), folder / "four.csv")
    result = run("compare", "one", "four.csv", code=2)
    assert "one has a column 'w'" in result.stderr


def test_help_shows_how():
    for command in ("analyze", "fit", "predict", "compare"):
        text = run(command, "--help").stdout
        assert "--memory-limit" in text
        assert "--scheduler" in text
        assert "--memory-limit 2GiB" in text.split("Examples:")[1]


def test_layouts_by_the_beginning(folder):
    (folder / "t.csv").write_text("u;v;class\n1,5;2;a\n")
    layout = layout_of(PartFile(folder / "t.csv", "t.csv"))
    assert (layout.delimiter, layout.has_header, layout.has_commas) == (";", True, True)
