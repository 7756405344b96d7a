"""Data larger than memory: parts, zarr and mapped arrays are read by blocks, and say the same."""

import csv
import gzip
import io
import itertools
import os
import socket
import time

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from noneuclid._persistence import load
from noneuclid.cli import app
from noneuclid.datasets import DataError, read_dataset, read_sample
from noneuclid.datasets._large import Memory, is_large, open_large, survey
from noneuclid.datasets._large.listing import PartFile, parts_in
from noneuclid.datasets._large.text import cuts_of, layout_of

pytest.importorskip("dask")

RNG = np.random.default_rng(0)
N = 240
Y = np.array(["low", "mid", "high"])[RNG.integers(0, 3, N)]
X = RNG.normal(size=(N, 4)) * [1.0, 2.0, 0.5, 3.0] + (Y == "mid")[:, None] * 2.0
X[:, 3] -= 4.0 * (Y == "high")
TABLE = pd.DataFrame(X, columns=["u", "v", "w", "x"])
TABLE.insert(0, "name", [f"o{i:03d}" for i in range(N)])
TABLE["species"] = Y
SMALL = ["--memory-limit", "96KiB"]
QUICK = ["--quick", "--splits", "2"]


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


def in_parts(folder, ending, write, table=TABLE, n=12):
    folder.mkdir()
    for k, rows in enumerate(np.array_split(np.arange(len(table)), n)):
        write(table.iloc[rows], folder / f"part-{k}{ending}")
    return folder


def to_csv(table, path, **options):
    table.to_csv(path, index=False, **options)


def to_parquet(table, path):
    table.to_parquet(path, row_group_size=7)


def to_european(table, path):
    table.to_csv(path, index=False, sep=";", decimal=",", encoding="cp1252")


def to_zipped(table, path):
    path.write_bytes(gzip.compress(table.to_csv(index=False).encode()))


FORMATS = {
    "csv": (".csv", to_csv),
    "tsv": (".tsv", lambda table, path: to_csv(table, path, sep="\t")),
    "semicolons and decimal commas": (".csv", to_european),
    "gzip": (".csv.gz", to_zipped),
    "parquet": (".parquet", to_parquet),
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A model, and what it predicts for the whole table in memory."""
    folder = tmp_path_factory.mktemp("large")
    to_csv(TABLE, folder / "all.csv")
    run("fit", folder / "all.csv", *QUICK, "-o", folder / "m.skops")
    run("predict", folder / "m.skops", folder / "all.csv", "-o", folder / "p.csv")
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


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


def columns(**named):
    return pd.DataFrame(named)


U, V, W = X[:, 0], X[:, 1], X[:, 2]
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


# --- bad input ----------------------------------------------------------------------------------


def changed(**cells):
    def change(folder):
        path = folder / "part-7.csv"
        lines = path.read_text().splitlines()
        for place, cell in cells.items():
            row, column = (int(k) for k in place[1:].split("_"))
            parts = lines[row].split(",")
            parts[column] = cell
            lines[row] = ",".join(parts)
        path.write_text("\n".join(lines) + "\n")

    return change


def rewritten(name, content):
    def rewrite(folder):
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return rewrite


HEAD = "name,u,v,w,x,species\n"
BAD = {
    "a word among numbers": (
        changed(_4_2="many"),
        ["part-7.csv, line 5, column 'v' holds 'many' where the others are numbers"],
    ),
    "a hole": (changed(_4_2=""), ["part-7.csv, line 5, column 'v' is empty"]),
    "NaN": (changed(_4_2="NaN"), ["part-7.csv, line 5, column 'v' is empty"]),
    "infinity": (changed(_3_1="inf"), ["part-7.csv, line 4, column 'u' is infinite"]),
    "too large": (changed(_3_1="1e200"), ["part-7.csv, line 4", "too large a number"]),
    "no class": (changed(_4_5=""), ["part-7.csv, line 5, column 'species' has no class"]),
    "a long row": (
        rewritten("part-7.csv", HEAD + "a,1,2,3,4,mid\nb,1,2,3,4,mid,5\n"),
        ["part-7.csv, line 3 has 7 cells where the first row has 6"],
    ),
    "a short row": (
        rewritten("part-7.csv", HEAD + "a,1,2,3,4,mid\nb,1,2,3\n"),
        ["part-7.csv, line 3 has 4 cells where the first row has 6"],
    ),
    "another column": (
        rewritten("part-7.csv", "name,u,v,w,z,species\na,1,2,3,4,mid\n"),
        ["part-7.csv has no column 'x' and has a column 'z'", "same columns"],
    ),
    "one column less": (
        rewritten("part-7.csv", "name,u,v,w,species\na,1,2,3,mid\n"),
        ["part-7.csv has no column 'x'"],
    ),
    "no header": (
        rewritten("part-7.csv", "a,1,2,3,4,mid\nb,1,2,3,4,mid\n"),
        ["part-7.csv has no column 'name'"],
    ),
    "bytes": (rewritten("part-7.csv", bytes(range(256))), ["part-7.csv is not a text file"]),
    "a damaged gzip": (
        rewritten("part-7.csv.gz", gzip.compress(b"a,b\n" * 999)[:-30]),
        ["part-7.csv.gz is damaged"],
    ),
    "no gzip at all": (rewritten("part-7.csv.gz", b"1,2,3\n"), ["part-7.csv.gz is damaged"]),
    "an open quote": (
        rewritten("part-7.csv", HEAD + 'a,1,2,3,4,"mid\n' + "b,1,2,3,4,mid\n" * 200),
        ["part-7.csv has an odd number of quotation marks"],
    ),
    "two formats": (
        lambda folder: to_parquet(TABLE, folder / "part.parquet"),
        ["parts holds 12 csv files and 1 parquet files", "one format"],
    ),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["fit", "predict"])
def test_bad_parts_are_named(home, folder, command, name):
    break_it, words = BAD[name]
    break_it(in_parts(folder / "parts", ".csv", to_csv))
    model = [home / "m.skops"] * (command == "predict")
    if command == "predict" and name == "no class":
        run("predict", *model, "parts", *SMALL, "-o", "out")
        return
    result = run(command, *model, "parts", *SMALL, "-o", "out", code=2)
    for word in words:
        assert word in result.stderr
    assert result.stderr.count("\n") == 1
    assert os.listdir(folder) == ["parts"]


def test_bad_parquet_parts_are_named(folder):
    parts = in_parts(folder / "parts", ".parquet", to_parquet)
    TABLE.rename(columns={"w": "q"}).to_parquet(parts / "part-3.parquet")
    assert (
        "part-3.parquet has no column 'w' and has a column 'q', unlike part-0"
        in run("fit", "parts", code=2).stderr
    )
    TABLE.assign(w="many").to_parquet(parts / "part-3.parquet")
    result = run("fit", "parts", code=2)
    assert "part-3.parquet holds words in column 'w', where part-0.parquet holds" in result.stderr
    words = pd.concat([TABLE.iloc[:40], TABLE.iloc[40:41].assign(w="many")])
    words.assign(w=words["w"].map(str)).to_parquet(parts / "part-3.parquet", row_group_size=30)
    result = run("fit", "parts", code=2)
    assert "part-3.parquet, row 41, column 'w' holds 'many'" in result.stderr
    TABLE.assign(w=[[1.0]] * N).to_parquet(parts / "part-3.parquet")
    assert "part-3.parquet: " in (said := run("fit", "parts", code=2).stderr)
    assert "holds lists" in said
    whole = (parts / "part-4.parquet").read_bytes()
    (parts / "part-3.parquet").write_bytes(whole[:-20])
    assert "part-3.parquet is not a parquet file, or damaged" in run("fit", "parts", code=2).stderr
    broken = bytearray(whole)
    broken[4:400] = bytes(396)
    (parts / "part-3.parquet").write_bytes(bytes(broken))
    assert "part-3.parquet" in run("fit", "parts", code=2).stderr


def test_numbers_of_other_types_in_other_parts(folder):
    parts = in_parts(folder / "parts", ".csv", to_csv, n=3)
    whole = TABLE[:80].assign(u=TABLE["u"][:80].round().astype(int))
    to_csv(whole, parts / "part-0.csv")
    to_parquet(whole, folder / "one.parquet")
    data = open_large(parts)
    np.testing.assert_array_equal(data.X.compute()[:80, 0], X[:80, 0].round())
    kinds = in_parts(folder / "kinds", ".parquet", to_parquet, n=3)
    to_parquet(
        whole.assign(v=whole["v"].astype("f4"), w=whole["w"].map(repr)), kinds / "part-0.parquet"
    )
    data = open_large(kinds)
    np.testing.assert_array_equal(data.X.compute()[:80, 2], X[:80, 2])


def test_a_class_written_in_two_ways_is_refused(folder):
    table = columns(u=U, v=V, w=W, label=np.where(Y == "mid", 1, 2))
    parts = in_parts(folder / "parts", ".csv", to_csv, table, 3)
    to_csv(table[:80].assign(label=table["label"][:80] + 0.0), parts / "part-0.csv")
    assert "the class '1' in some rows and '1.0' in others" in run("fit", "parts", code=2).stderr


def test_empty_parts_and_folders(home, folder):
    parts = in_parts(folder / "parts", ".csv", to_csv)
    (parts / "part-0a.csv").write_text("")
    (parts / "part-3a.csv").write_text(HEAD)
    (parts / "_SUCCESS").touch()
    (parts / ".part-0.csv.crc").write_bytes(b"crc")
    (parts / "notes.md").write_text("hello")
    assert "files left out: notes.md" in open_large(parts).understood
    run("predict", home / "m.skops", "parts", "-o", "p.csv")
    assert (folder / "p.csv").read_text() == (home / "p.csv").read_text()
    for path in parts.glob("part*"):
        path.write_text(HEAD)
    assert "no data below it" in run("fit", "parts", code=2).stderr
    for name, made in {"nothing": [], "marks": ["_SUCCESS", ".hidden"], "other": ["a.md"]}.items():
        (folder / name).mkdir()
        for file in made:
            (folder / name / file).touch()
        assert f"{name} is a folder without" in run("fit", name, code=2).stderr
    TABLE[:0].to_parquet(folder / "nothing" / "a.parquet")
    assert "nothing is empty" in run("fit", "nothing", code=2).stderr


def test_folders_of_curves_stay_what_they_are(folder):
    (folder / "curves").mkdir()
    for k in range(12):
        values = np.sin(np.linspace(0, 3, 20) + k)
        text = "".join(f"{t},{v}\n" for t, v in enumerate(values))
        (folder / "curves" / f"c{k}.csv").write_text(text)
    assert not is_large(folder / "curves")
    assert "12 curves of 20 points" in run("analyze", "curves", *QUICK).stdout
    result = run("fit", "curves", "--scheduler", "tcp://localhost:1", code=2)
    assert "curves is a folder of curves" in result.stderr


def test_arrays_that_cannot_be_used(folder, monkeypatch):
    zarr = pytest.importorskip("zarr")
    zarr.open_group("g.zarr", mode="w").create_array("x", shape=(3, 2), dtype="f8")
    assert (
        "g.zarr is a group of zarr arrays (x): give the path" in run("fit", "g.zarr", code=2).stderr
    )
    zarr.open_array("flat.zarr", mode="w", shape=(9,), dtype="f8")
    assert "flat.zarr has 1 dimensions" in run("fit", "flat.zarr", code=2).stderr
    (folder / "no.zarr").mkdir()
    assert "no.zarr is no zarr array" in run("fit", "no.zarr", code=2).stderr
    (folder / "bad.zarr").mkdir()
    (folder / "bad.zarr" / "zarr.json").write_text("{")
    assert "bad.zarr" in run("fit", "bad.zarr", code=2).stderr
    small = ["--memory-limit", "100"]
    np.save("square.npy", X[:4, :4] @ X[:4, :4].T)
    result = run("fit", "square.npy", *small, code=2)
    assert "as many rows as columns" in result.stderr
    np.save("cut.npy", X)
    (folder / "cut.npy").write_bytes((folder / "cut.npy").read_bytes()[:-8])
    assert "cut.npy" in run("fit", "cut.npy", *small, code=2).stderr
    np.save("nan.npy", np.where(np.arange(N)[:, None] == 200, np.nan, X))
    assert (
        "nan.npy, row 201, column 1 is empty"
        in run("fit", "nan.npy", "--memory-limit", "4K", code=2).stderr
    )
    np.savez("x.npz", X=X)
    assert "x.npz cannot be read by blocks" in run("fit", "x.npz", *small, code=2).stderr
    monkeypatch.setitem(__import__("sys").modules, "zarr", None)
    assert "flat.zarr needs zarr: pip install zarr" in run("fit", "flat.zarr", code=2).stderr


def test_sizes_and_kinds_that_make_no_sense(home, folder):
    in_parts(folder / "parts", ".csv", to_csv)
    for size in ("much", "-1GiB", "0", ""):
        result = run("fit", "parts", "--memory-limit", size, code=2)
        assert "must be a size such as 500MiB or 2GiB" in result.stderr
    result = run("fit", "parts", "--kind", "sequences", code=2)
    assert "rows of numbers, not sequences" in result.stderr
    in_parts(folder / "big", ".parquet", lambda table, path: table.to_parquet(path), n=2)
    result = run("fit", "big", "--memory-limit", "4KiB", code=2)
    assert "part-0.parquet has groups of 120 rows" in result.stderr
    in_parts(folder / "words", ".csv", to_csv, columns(sequence=["ACGT"] * N, u=U, v=V))
    assert "words holds sequences, in column 'sequence'" in run("fit", "words", code=2).stderr
    in_parts(folder / "none", ".csv", to_csv, columns(u=U, v=V, w=W))
    assert "none has no classes to learn" in run("fit", "none", code=2).stderr
    assert (
        "none has 3 columns of numbers, but the model needs 4"
        in run("predict", home / "m.skops", "none", code=2).stderr
    )


def test_a_failure_in_the_last_part_leaves_the_old_predictions(home, folder, monkeypatch):
    parts = in_parts(folder / "parts", ".csv", to_csv)
    (folder / "p.csv").write_text("old")
    written = []
    from noneuclid.report.prediction import SavedModel

    answers = SavedModel.answers

    def fails_late(self, names, X):
        written.append(len(names))
        if names[0] == "o220":
            raise OSError(5, "disk gone")
        return answers(self, names, X)

    monkeypatch.setattr(SavedModel, "answers", fails_late)
    run("predict", home / "m.skops", parts, "-o", "p.csv", code=2)
    assert len(written) > 8
    assert (folder / "p.csv").read_text() == "old"
    assert sorted(os.listdir(folder)) == ["p.csv", "parts"]


# --- clusters -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


def test_a_cluster_gives_the_same(home, folder, cluster):
    parts = in_parts(folder / "parts", ".csv", to_csv, n=3)
    address = ["--scheduler", cluster.scheduler_address]
    run("predict", home / "m.skops", parts, *address, "-o", "p.csv")
    assert (folder / "p.csv").read_text() == (home / "p.csv").read_text()
    run("predict", home / "m.skops", home / "all.csv", *address, "-o", "q.csv")
    assert (folder / "q.csv").read_text() == (home / "p.csv").read_text()
    quick = [*QUICK, "--model", "GLVQ, l1"]
    run("fit", parts, *address, *quick, "-o", "there.skops")
    run("fit", parts, *quick, "-o", "here.skops")
    there, here = (load(folder / name)[-1] for name in ("there.skops", "here.skops"))
    np.testing.assert_array_equal(there.prototypes_, here.prototypes_)
    (parts / "part-3.csv").write_text(HEAD + "a,1,2,three,4,mid\n" * 9)
    result = run("fit", parts, *address, code=2)
    assert "part-3.csv, line 2, column 'w' holds 'three'" in result.stderr


def test_a_cluster_that_is_not_there(folder, monkeypatch):
    monkeypatch.setattr("noneuclid.report.engine._PATIENCE", 2)
    in_parts(folder / "parts", ".csv", to_csv)
    with socket.socket() as silent:  # somebody who never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        addresses = ["tcp://127.0.0.1:1", f"tcp://127.0.0.1:{port}", "nonsense", "a://b:c"]
        for address in addresses:
            start = time.monotonic()
            result = run("fit", "parts", "--scheduler", address, code=2)
            assert f"no dask scheduler answers at --scheduler {address}" in result.stderr
            assert result.stderr.count("\n") == 1
            assert time.monotonic() - start < 30
    assert os.listdir(folder) == ["parts"]


def test_a_cluster_without_workers(folder, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("noneuclid.report.engine._PATIENCE", 1)
    in_parts(folder / "parts", ".csv", to_csv)
    with distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster:
        address = cluster.scheduler_address
        result = run("fit", "parts", "--scheduler", address, code=2)
    assert f"the dask scheduler at {address} has no workers" in result.stderr


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
