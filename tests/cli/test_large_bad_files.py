"""Bad input that is read by blocks, and clusters: one sentence that names the part."""

import gzip
import os
import socket
import sys
import time

import numpy as np
import pandas as pd
import pytest
from large_parts import (
    HEAD,
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
from noneuclid.datasets.large import is_large, open_large

pytest.importorskip("dask")


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
    monkeypatch.setitem(sys.modules, "zarr", None)
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
        "none has no column 'x', on which the model was fitted"
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
