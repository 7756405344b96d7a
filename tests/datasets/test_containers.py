"""Archives, workbooks, JSON and recordings: what is inside, and what is refused before it hurts."""

import builtins
import gzip
import io
import json
import tracemalloc
import zipfile

import numpy as np
import pandas as pd
import pytest

from noneuclid.datasets import DataError, as_dataset, read_dataset

openpyxl = pytest.importorskip("openpyxl")

TABLE = "u,v,class\n" + "".join(f"{k}.5,{(k * 7) % 5},{'ab'[k % 2]}\n" for k in range(8))
RECORDS = [{"u": k + 0.5, "v": (k * 7) % 5, "class": "ab"[k % 2]} for k in range(8)]


def archive(*members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members:
            file.writestr(name, content)
    return stream.getvalue()


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def changed(content, name, change):
    """A zip archive with one of its files changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members = [(one, file.read(one).decode()) for one in file.namelist()]
    return archive(*((one, change(part) if one == name else part) for one, part in members))


ROWS = [list(RECORDS[0]), *(list(record.values()) for record in RECORDS)]
BOOK = workbook(Data=ROWS)
SHEET = "xl/worksheets/sheet1.xml"
ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>'

ARFF = b"@attribute u numeric\n@attribute 'v w' real\n@data\n"

REFUSED = {
    "a bomb": (
        "t.csv.gz",
        lambda: gzip.compress(bytes(4 * 10**7)),
        "would grow to more than 32",
    ),
    "a bomb in a zip": (
        "t.zip",
        lambda: archive(("t.csv", bytes(4 * 10**7))),
        "would grow to",
    ),
    "packed twice": (
        "t.csv.gz.gz",
        lambda: gzip.compress(b"x"),
        "is packed itself: unpack",
    ),
    "nothing inside": ("t.csv.gz", lambda: gzip.compress(b""), "t.csv is empty"),
    "no zip": ("t.zip", lambda: b"PK\x03\x04 and so on", "is damaged .*: pack it once more"),
    "an empty zip": ("t.zip", lambda: archive(), "is empty: it must hold one file with data"),
    "cut off": ("t.csv.gz", lambda: gzip.compress(TABLE.encode())[:-9], "is damaged"),
    "a hole inside": (
        "t.csv.gz",
        lambda: gzip.compress(TABLE.replace("1.5,", ",").encode()),
        r"t\.csv\.gz: t\.csv, line 3, column 'u' is empty",
    ),
    "a workbook bomb": (
        "t.xlsx",
        lambda: changed(BOOK, SHEET, lambda xml: xml + " " * 4 * 10**7),
        "would grow to more than 32 MiB when it is read",
    ),
    "entities": ("t.xlsx", lambda: changed(BOOK, SHEET, lambda xml: ENTITY + xml), "entities"),
    "far cells": (
        "t.xlsx",
        lambda: changed(
            BOOK,
            SHEET,
            lambda xml: xml.replace(
                "</sheetData>",
                "".join(f'<row r="{k}"><c r="XFD{k}"><v>1</v></c></row>' for k in range(20, 200))
                + "</sheetData>",
            ),
        ),
        "has more cells than a workbook of its size",
    ),
    "an empty workbook": ("t.xlsx", lambda: workbook(A=[]), "has no sheet with data"),
    "no workbook": ("t.xlsx", lambda: b"u,v\n1,2\n", "is no workbook, or damaged"),
    "no sheet of OpenDocument": ("t.ods", lambda: BOOK, "is no sheet of OpenDocument"),
    "an old workbook": (
        "t.xls",
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
        "is a workbook of an old Excel: save it as xlsx or csv",
    ),
    "a workbook as csv": (
        "t.csv",
        lambda: BOOK,
        "is a workbook of Excel: give it the end",
    ),
    "no JSON": ("t.json", lambda: b'[{"u": 1,]', "line 1 is no JSON"),
    "a broken line": ("t.jsonl", lambda: b'{"u": 1}\n{"u": 2\n', "line 2 is no JSON"),
    "a name twice": ("t.json", lambda: b'[{"u": 1, "u": 2}]', "an object has 'u' twice"),
    "rows or columns": (
        "t.json",
        lambda: b'{"a": {"x": 1, "y": 2}, "b": {"x": 3, "y": 4}}',
        "nothing tells whether columns or rows come first: save it with orient='records'",
    ),
    "unequal columns": ("t.json", lambda: b'{"u": [1, 2], "v": [1]}', "'v' has 1 values where"),
    "rows that are none": ("t.json", lambda: b"[[3, 1], [2]]", "has rows of 1 to 2 numbers"),
    "deep": ("t.json", lambda: b"[" * 100_000, "t.json cannot be read by JsonReader|is no JSON"),
    "a number": ("t.json", lambda: b"7", "holds no data: give a list of records"),
    "sparse": ("t.arff", lambda: ARFF + b"{0 1}\n", "line 4 is sparse: save all values"),
    "too few values": ("t.arff", lambda: ARFF + b"1\n", "line 4 has 1 values for 2 attributes"),
    "a word for a number": (
        "t.arff",
        lambda: ARFF + b"1,2\n% a remark\nmuch,3\n",
        "line 6, column 'u' holds 'much' where the file says numeric",
    ),
    "no data": ("t.arff", lambda: ARFF[:-6], "t.arff has no @data"),
    "no feather": ("t.feather", lambda: b"FEA1" + bytes(64), "is not a feather file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_one_sentence(name, tmp_path):
    file, make, sentence = REFUSED[name]
    path = tmp_path / file
    path.write_bytes(make())
    tracemalloc.start()
    try:
        with pytest.raises(DataError, match=sentence) as refused:
            read_dataset(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 500
    assert peak < 64 * 2**20


def test_a_feather_bomb_is_seen_before_it_is_unpacked(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather

    path = tmp_path / "t.feather"
    feather.write_feather(pa.table({"x": np.zeros(5 * 10**6)}), path, compression="zstd")
    before = pa.total_allocated_bytes()
    with pytest.raises(DataError, match="would grow from"):
        read_dataset(path)
    assert pa.total_allocated_bytes() - before < 2**20


FRAME = pd.DataFrame(RECORDS)
FORMS = {
    "records": lambda: json.dumps(RECORDS),
    "inside": lambda: json.dumps({"source": "here", "data": RECORDS}),
    "lines": lambda: "\n".join(map(json.dumps, RECORDS)) + "\n\n",
    "columns": lambda: FRAME.to_json(orient="columns"),
    "index": lambda: FRAME.to_json(orient="index"),
    "split": lambda: FRAME.to_json(orient="split"),
    "table": lambda: FRAME.to_json(orient="table", index=False),
    "lists": lambda: json.dumps({name: FRAME[name].tolist() for name in FRAME}),
    "rows with a header": lambda: json.dumps(ROWS),
}


@pytest.mark.parametrize("form", FORMS)
def test_json(form, tmp_path):
    (tmp_path / "t.json").write_text(FORMS[form]())
    data = read_dataset(tmp_path / "t.json")
    assert (data.kind, data.classes, data.features) == ("vectors", {"a": 4, "b": 4}, ["u", "v"])
    np.testing.assert_array_equal(data.X, FRAME[["u", "v"]])


def test_json_of_a_matrix_with_names(tmp_path):
    D = {a: {b: abs(i - j) / 2 for j, b in enumerate("pqrs")} for i, a in enumerate("pqrs")}
    (tmp_path / "d.json").write_text(json.dumps(D))
    data = read_dataset(tmp_path / "d.json")
    assert (data.kind, data.names, data.X[0, 3]) == ("dissimilarity", list("pqrs"), 1.5)


def test_cells_of_workbooks_of_all_sorts(tmp_path):
    import datetime

    rows = [["id", "x", "n", "when", "class"]]
    rows += [[f"s{k}", k / 3, k**2, datetime.date(2024, 1, k + 1), bool(k % 2)] for k in range(8)]
    (tmp_path / "t.xlsx").write_bytes(workbook(A=rows, Empty=[]))
    data = read_dataset(tmp_path / "t.xlsx")
    np.testing.assert_allclose(data.X, [[k / 3, k**2] for k in range(8)], rtol=1e-14)
    assert (data.names[1], data.classes) == ("s1", {"False": 4, "True": 4})
    assert "text left out: 'when'" in data.understood


@pytest.mark.parametrize(
    ("file", "module", "sentence"),
    [
        ("t.xlsx", "openpyxl", r'needs openpyxl: pip install "noneuclid\[excel\]"'),
        ("t.feather", "pyarrow", r'needs pyarrow: pip install "noneuclid\[cli\]"'),
    ],
)
def test_what_is_missing_is_named(file, module, sentence, tmp_path, monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name.split(".")[0] == module:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    (tmp_path / file).write_bytes(b"ARROW1" if module == "pyarrow" else BOOK)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(DataError, match=sentence):
        read_dataset(tmp_path / file)


def test_recordings_need_neo(tmp_path, monkeypatch):
    (tmp_path / "t.plx").write_bytes(b"x" * 64)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(DataError, match=r't\.plx needs neo: pip install "noneuclid\[neo\]"'):
        read_dataset(tmp_path / "t.plx")


def test_objects_of_neo():
    neo = pytest.importorskip("neo")
    pq = pytest.importorskip("quantities")
    block = neo.Block()
    for k in range(2):
        segment = neo.Segment()
        for name in "ab":
            times = np.array([1.0, 2.5 + k, 7.0]) * pq.ms
            segment.spiketrains.append(neo.SpikeTrain(times, t_stop=10 * pq.ms, name=name))
        block.segments.append(segment)
    data = as_dataset(block, kind="spikes")
    assert (data.kind, data.units, data.names) == (
        "spikes",
        "ms",
        ["a / 1", "b / 1", "a / 2", "b / 2"],
    )
    assert data.X[2].tolist() == [1.0, 3.5, 7.0]
    block.segments[0].spiketrains[0] = block.segments[0].spiketrains[0].rescale("s")
    with pytest.raises(DataError, match="has times in ms, s: rescale them to one unit"):
        as_dataset(block)


def test_a_format_by_its_name(tmp_path):
    (tmp_path / "data.xyz").write_text(TABLE)
    assert read_dataset(tmp_path / "data.xyz", format="csv").features == ["u", "v"]
    (tmp_path / "t.dat.gz").write_bytes(gzip.compress(json.dumps(RECORDS).encode()))
    data = read_dataset(tmp_path / "t.dat.gz", format="JSON")
    assert data.features == ["u", "v"]
    assert "format='JSON'" in data.code
    with pytest.raises(DataError, match='format="word": say auto or one of arff, blast, csv'):
        read_dataset(tmp_path / "data.xyz", format="word")
    with pytest.raises(DataError, match="is no table of hits"):
        read_dataset(tmp_path / "data.xyz", format="blast")


def test_small_packed_tables_are_read_as_a_whole(tmp_path):
    from noneuclid.datasets.large import is_large

    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    assert not is_large(path)
    assert is_large(path, wanted=True)
    assert is_large(path, limit=100.0)
