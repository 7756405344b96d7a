"""Valid files of every format, from which the fuzzer makes damaged ones; the same every time."""

import bz2
import functools
import gzip
import io
import json
import lzma
import zipfile
import zlib
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
from scipy import sparse
from scipy.io import savemat

RNG = np.random.default_rng(0)
N = 24
POINTS = RNG.normal(size=(N, 3)).round(3)
CURVES = (np.sin(np.linspace(0, 3, 18)) + 0.1 * RNG.normal(size=(N, 1))).round(3)
D = np.abs(np.subtract.outer(POINTS[:, 0], POINTS[:, 0])).round(4)
Y = [("ab" * N)[i] for i in range(N)]
NAMES = [f"object {i}" for i in range(N)]
WORDS = ["ACGT"[i % 4] * (1 + i % 3) + "CAT" * (i % 4 + 1) for i in range(N)]
TRAINS = [np.sort(RNG.uniform(size=2 + i % 5)).round(3) for i in range(N)]


def text(rows, delimiter=","):
    return "\n".join(delimiter.join(map(str, row)) for row in rows) + "\n"


def table(delimiter=","):
    head = ["name", "u", "v", "w", "class"]
    return text([head, *([n, *p, y] for n, p, y in zip(NAMES, POINTS, Y))], delimiter)


def npy(array):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def archive(members, method=zipfile.ZIP_DEFLATED):
    """A zip file without the time in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, content in members:
            file.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), content, method)
    return stream.getvalue()


def npz(method=zipfile.ZIP_DEFLATED, **arrays):
    return archive([(f"{name}.npy", npy(array)) for name, array in arrays.items()], method)


def mat(compress=False, version="5", **arrays):
    stream = io.BytesIO()
    savemat(stream, arrays, do_compression=compress, format=version)
    content = stream.getvalue()
    return b"MATLAB 5.0 MAT-file".ljust(116) + content[116:] if version == "5" else content


def cells(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def parquet(compression, **columns):
    stream = io.BytesIO()
    pd.DataFrame(columns).to_parquet(stream, compression=compression)
    return stream.getvalue()


def feather(compression, **columns):
    stream = io.BytesIO()
    pd.DataFrame(columns).to_feather(stream, compression=compression)
    return stream.getvalue()


def workbook(rows):
    """As openpyxl writes it, without the time in it."""
    stream, book = io.BytesIO(), openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    with zipfile.ZipFile(stream) as written:
        members = [(name, written.read(name)) for name in written.namelist()]
    return archive([(name, content) for name, content in members if name != "docProps/core.xml"])


def events():
    """One event per row."""
    rows = [(k % 8, k // 8, t) for k, train in enumerate(TRAINS) for t in train]
    return text([["neuron", "trial", "time"], *rows])


FILES = Path(__file__).parents[1] / "files"
PROGRAMS = {
    "phy": ["phylip_square.phy", "phylip_lower.dist", "phylip_wrapped.phy"],
    "meg": ["mega_lower.meg"],
    "nex": ["nexus_distances.nex", "neuroexplorer.nex"],
    "jdx": ["linked.jdx"],
    "arff": ["wines.arff"],
    "out": ["blast.tsv", "edges.tsv", "triangle.csv"],
}


@functools.cache
def seeds():
    """By format, a list of valid files: bytes, or for a folder several by their names."""
    columns = dict(zip("uvw", POINTS.T))
    series = [f"{','.join(map(str, row))}:{y}" for row, y in zip(CURVES, Y)]
    fasta = text([[f">{n.replace(' ', '_')}\n{w}"] for n, w in zip(NAMES, WORDS)])
    offsets = np.cumsum([0, *map(len, TRAINS)])
    grid = np.linspace(400, 700, 18)
    found = {
        "csv": [table(), text(D), text([["", *NAMES], *([n, *d] for n, d in zip(NAMES, D))])],
        "tsv": [table("\t"), text([grid.round(1), *CURVES], "\t")],
        "txt": [text([[w] for w in WORDS]), text(TRAINS, " "), text(D, " "), table(" | ")],
        "dat": [table(";"), fasta, text([[n, w] for n, w in zip(NAMES, WORDS)], "\t")],
        "fasta": [fasta],
        "ts": ["@timeStamps false\n@classLabel true a b\n@data\n" + text([[s] for s in series])],
        "npy": list(map(npy, (POINTS, D.astype("f4"), np.array(WORDS), np.asfortranarray(CURVES)))),
        "npz": [
            npz(X=POINTS, y=np.array(Y), names=np.array(NAMES), features=np.array(list("uvw"))),
            npz(zipfile.ZIP_STORED, D=D, labels=np.arange(N) % 2),
            npz(curves=CURVES, grid=grid, target=np.array(Y)),
            npz(times=np.concatenate(TRAINS), offsets=offsets),
            npz(sequences=np.array(WORDS), y=np.array(Y)),
        ],
        "mat": [
            mat(X=POINTS, y=np.array(Y), names=cells(NAMES)),
            mat(True, X=POINTS, labels=np.arange(N) % 2),
            mat(True, D=sparse.csc_matrix(D), y=np.arange(N) % 2),
            mat(spikes=cells(TRAINS), y=np.arange(N) % 2),
            mat(version="4", X=POINTS, y=np.arange(N) % 2.0),
            mat(s={"a": POINTS, "b": "text"}, X=CURVES.astype("f4")),
        ],
        "parquet": [
            parquet("snappy", **columns, y=Y),
            parquet(None, name=NAMES, **columns, label=pd.Categorical(Y)),
            parquet("zstd", name=NAMES, sequence=WORDS),
            parquet("gzip", **{str(g): c for g, c in zip(grid, CURVES.T)}),
        ],
        "labels": [text(zip(Y)), text(zip(NAMES, Y)), npy(np.array(Y)), npz(y=np.array(Y))],
        "folder": [{f"{k}.csv": text(zip(grid.round(1), row)) for k, row in enumerate(CURVES[:6])}],
    }
    rows = [[n, *p.tolist(), y] for n, p, y in zip(NAMES, POINTS, Y)]
    head = ["name", "u", "v", "w", "class"]
    records = [dict(zip(head, row)) for row in rows]
    wide = [row.tolist() + [""] * (6 - len(row)) for row in TRAINS]
    titled = f"A title\nname,u,v,w,class\n,g,mg/l,%,\n{table().split(chr(10), 1)[1]},,,,\n"
    found["csv"] += [table().encode("utf-16"), events(), text(wide), titled]
    found["dat"].append("sep=;\n" + table(";").replace(".", ","))
    found |= {
        "json": [
            json.dumps(records),
            json.dumps({key: [record[key] for record in records] for key in head}),
            json.dumps([{"id": n, "x": c.tolist()} for n, c in zip(NAMES, CURVES)]),
            json.dumps([train.tolist() for train in TRAINS]),
            pd.DataFrame(records).to_json(),
        ],
        "jsonl": ["\n".join(map(json.dumps, records))],
        "feather": [
            feather("zstd", **columns, y=Y),
            feather("uncompressed", name=NAMES, **columns),
        ],
        "xlsx": [workbook([head, *rows])],
        "ods": [(FILES / "calc.ods").read_bytes()],
        "gz": [gzip.compress(table().encode(), mtime=0)],
        "bz2": [bz2.compress(fasta.encode())],
        "xz": [lzma.compress(text(D).encode())],
        "zip": [archive([("data/table.csv", table()), ("README.md", "x")])],
    }
    for form, names in PROGRAMS.items():
        found[form] = [(FILES / name).read_bytes() for name in names]
    return {form: [_bytes(seed) for seed in some] for form, some in found.items()}


def _bytes(seed):
    if isinstance(seed, dict):
        return {name: _bytes(part) for name, part in seed.items()}
    return seed.encode() if isinstance(seed, str) else seed


def inflated(content):
    """A mat file with its compressed elements as they are inside, and a function that packs it."""
    start, parts = 128, [content[:128]]
    while start + 8 <= len(content):
        kind, size = np.frombuffer(content[start : start + 8], "<u4").tolist()
        part = content[start + 8 : start + 8 + size]
        parts.append(zlib.decompress(part) if kind == 15 else content[start : start + 8] + part)
        start += 8 + size
    return parts
