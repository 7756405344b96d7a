"""Readers are parts: found without registration, open to users, each responsible for its files."""

import contextlib
import gzip
import runpy
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import savemat

from noneuclid.datasets import (
    Content,
    DataError,
    DataFile,
    Reader,
    all_readers,
    read_dataset,
    register_reader,
)
from noneuclid.datasets.readers import base, reader_of
from noneuclid.testing import check_reader

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 4))
CURVES = np.sin(np.linspace(0, 3, 20) + RNG.normal(size=(12, 1)))
EXAMPLE = Path(__file__).parents[2] / "examples" / "your_own_reader.py"


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    monkeypatch.setattr(base, "_registered", [])


# --- which reader ---------------------------------------------------------------------------------

ENDINGS = {
    "t.csv": "DelimitedReader",
    "T.CSV": "DelimitedReader",
    "t.tsv": "DelimitedReader",
    "t.npy": "NpyReader",
    "t.npz": "NpzReader",
    "t.mat": "MatlabReader",
    "t.parquet": "ParquetReader",
    "t.feather": "FeatherReader",
    "t.json": "JsonReader",
    "t.jsonl": "JsonReader",
    "t.xlsx": "ExcelReader",
    "t.ods": "OdsReader",
    "t.csv.gz": "PackedReader",
    "t.zip": "PackedReader",
    "t.ts": "TimeSeriesReader",
    "t.txt": "TextReader",
    "t.dat": "TextReader",
    "t": "TextReader",
    ".csv": "TextReader",
}


@pytest.mark.parametrize(("name", "reader"), ENDINGS.items())
def test_endings(name, reader, tmp_path):
    (tmp_path / name).write_text("1 2\n3 4\n")
    assert type(reader_of(DataFile(tmp_path / name))).__name__ == reader


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("name", ["s.fasta", "s.fa", "s.txt", "s"])
def test_fasta_is_known_by_its_first_line(name, encoding, tmp_path):
    path = tmp_path / name
    path.write_bytes("# remark\n\n>één first\nACGT\nAC\n>two\nGG\n".encode(encoding))
    data = read_dataset(path)
    assert (data.kind, data.names) == ("sequences", ["één", "two"])
    assert data.X == ["ACGTAC", "GG"]
    path.write_text("ACGT\n>no\n")
    assert type(reader_of(DataFile(path))).__name__ == "TextReader"


def test_an_ending_counts_more_than_what_is_inside(tmp_path):
    (tmp_path / "t.csv").write_text(">a,b\n1,2\n3,4\n")
    assert read_dataset(tmp_path / "t.csv").features == [">a", "b"]


def test_a_folder_is_a_folder_whatever_it_is_called(tmp_path):
    folder = tmp_path / "curves.csv"
    folder.mkdir()
    for k in range(3):
        (folder / f"c{k}.txt").write_text("\n".join(map(str, CURVES[k])))
    assert type(reader_of(DataFile(folder))).__name__ == "FolderReader"
    np.testing.assert_array_equal(read_dataset(folder).X, CURVES[:3])


FILES = Path(__file__).parents[1] / "files"


def samples(folder):
    """A right file of every format of the package."""
    frame = pd.DataFrame(POINTS, columns=list("uvwx"))
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_csv(folder / "t.tsv", index=False, sep="\t")
    frame.to_parquet(folder / "t.parquet")
    frame.to_feather(folder / "t.feather")
    frame.to_json(folder / "t.json", orient="records")
    frame.to_excel(folder / "t.xlsx", index=False)
    (folder / "packed.csv.gz").write_bytes(gzip.compress((folder / "t.csv").read_bytes()))
    np.save(folder / "t.npy", POINTS)
    np.savez(folder / "t.npz", X=POINTS, y=np.arange(12) % 2)
    savemat(folder / "t.mat", {"X": POINTS})
    lines = [",".join(map(str, curve)) for curve in CURVES]
    (folder / "t.ts").write_text("@problemName t\n@data\n" + "\n".join(lines))
    (folder / "t.fasta").write_text(">a\nACGT\n>b\nACG\n")
    (folder / "t.txt").write_text("cat\ncart\ndog\n")
    programs = "phylip_square.phy mega_lower.meg nexus_distances.nex linked.jdx"
    for name in (*programs.split(), "calc.ods", "neuroexplorer.nex", "wines.arff"):
        shutil.copy(FILES / name, folder)
    return sorted(folder.iterdir())


def test_every_reader_of_the_package_passes_the_public_check(tmp_path):
    seen = set()
    for path in samples(tmp_path):
        reader = reader_of(DataFile(path))
        seen.add(type(reader).__name__)
        if not reader.is_fallback:  # it takes whatever is left
            check_reader(reader, path)
    assert seen | {"FolderReader"} == {type(reader).__name__ for reader in all_readers()}


def test_damaged_files_of_every_format_are_read_or_refused(tmp_path):
    for path in samples(tmp_path):
        whole = path.read_bytes()
        for content in (whole[: len(whole) // 2], bytes(reversed(whole)), b"\x00" * 64, b"\n"):
            path.write_bytes(content)
            with contextlib.suppress(DataError):
                read_dataset(path)


# --- readers of users -----------------------------------------------------------------------------


class Numbers(Reader):
    suffixes = (".num",)

    def read(self, file):
        return Content(file.name, matrix=np.loadtxt(file.path))


def test_a_registered_class_or_instance_reads(tmp_path):
    np.savetxt(tmp_path / "x.num", POINTS)
    assert type(reader_of(DataFile(tmp_path / "x.num"))).__name__ == "TextReader"
    assert register_reader(Numbers) is Numbers
    assert isinstance(reader_of(DataFile(tmp_path / "x.num")), Numbers)
    made = Numbers()
    assert register_reader(made) is made
    assert [type(reader) for reader in all_readers()].count(Numbers) == 1  # the second replaces it
    data = read_dataset(tmp_path / "x.num", kind="vectors")
    np.testing.assert_allclose(data.X, POINTS)
    assert data.code.startswith("read_dataset(")


def test_a_registered_reader_comes_before_the_packages_own(tmp_path):
    class Shouting(Reader):
        suffixes = (".csv",)

        def read(self, file):
            return Content(file.name, sequences=[file.text().upper()])

    class Whispering(Shouting):
        def read(self, file):
            return Content(file.name, sequences=[file.text().lower()])

    (tmp_path / "t.csv").write_text("Hello")
    register_reader(Shouting)
    assert read_dataset(tmp_path / "t.csv").X == ["HELLO"]
    register_reader(Whispering)
    assert read_dataset(tmp_path / "t.csv").X == ["hello"]


def test_the_head_of_a_file_is_enough(tmp_path):
    heads = []

    class Magic(Reader):
        def recognises(self, file):
            heads.append(file.head)
            return file.head.startswith(b"MAGIC")

        def read(self, file):
            return Content(file.name, sequences=file.text().split()[1:])

    register_reader(Magic)
    (tmp_path / "t.csv").write_text("MAGIC ab cd ef")
    assert read_dataset(tmp_path / "t.csv").X == ["ab", "cd", "ef"]
    (tmp_path / "large.txt").write_bytes(b"x" * 200_000)
    reader_of(DataFile(tmp_path / "large.txt"))
    reader_of(DataFile(tmp_path))
    assert [len(head) for head in heads] == [14, 2**16, 0]


def test_what_is_no_reader_is_refused():
    for given in (int, "csv", lambda path: None, Numbers.read):
        with pytest.raises(TypeError, match="register_reader takes a Reader, not"):
            register_reader(given)
    with pytest.raises(TypeError, match="abstract"):
        register_reader(Reader)


def broken(content):
    class Broken(Reader):
        suffixes = (".broken",)

        def read(self, file):
            return content(file)

    return Broken


BROKEN = [
    (lambda p: Content(p.name), "must find one of matrix, trains and sequences, not 0"),
    (lambda p: Content(p.name, matrix=POINTS, sequences=["a"]), "and sequences, not 2"),
    (lambda p: Content(p.name, matrix=POINTS[0]), "the matrix has 1 dimensions, not two"),
    (lambda p: Content(p.name, matrix=[["a", "b"]]), "could not convert string to float"),
    (lambda p: Content(p.name, matrix=POINTS, names=["a"]), "there are 1 names for 12 objects"),
    (lambda p: Content(p.name, matrix=POINTS, labels=[1, 2]), "there are 2 labels for 12 objects"),
    (lambda p: float(p.text()), "could not convert string to float: 'text'"),
]


@pytest.mark.parametrize(("content", "sentence"), BROKEN)
def test_faults_of_a_reader_are_one_sentence_that_names_it(content, sentence, tmp_path):
    register_reader(broken(content))
    (tmp_path / "t.broken").write_text("text")
    with pytest.raises(DataError, match=f"^t.broken cannot be read by Broken: .*{sentence}"):
        read_dataset(tmp_path / "t.broken")


def test_all_that_follows_holds_for_readers_of_users(tmp_path):
    """Kinds, holes, classes from a file, asymmetry: nobody writes that twice."""
    X = POINTS.copy()
    given = {"matrix": X, "place": lambda row, column: f"stanza {row}, verse {column}"}
    register_reader(broken(lambda file: Content(file.name, **given)))
    (tmp_path / "t.broken").write_text("text")
    (tmp_path / "y.txt").write_text("\n".join("ab" * 6))
    data = read_dataset(tmp_path / "t.broken", labels="y.txt")
    assert (data.kind, data.classes) == ("vectors", {"a": 6, "b": 6})
    X[3, 2] = np.nan
    with pytest.raises(DataError, match=r"^stanza 3, verse 2 is empty"):
        read_dataset(tmp_path / "t.broken")
    given |= {"matrix": np.triu(np.ones((4, 4))), "kind": "similarity"}
    with pytest.raises(DataError, match="is not symmetric"):
        read_dataset(tmp_path / "t.broken")
    given |= {"matrix": CURVES, "kind": None, "grid": np.arange(20.0)}
    assert read_dataset(tmp_path / "t.broken").grid[-1] == 19.0


# --- the example ----------------------------------------------------------------------------------


@pytest.fixture
def phylip(monkeypatch):
    return runpy.run_path(str(EXAMPLE), run_name="example")["PhylipReader"]


D = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0))) ** 1.5
NAMES = ["Human", "Chimp", "Gorilla", "Orang"]


def square(names=NAMES, *, width=10, wrap=None, form="{:.6f}"):
    lines = [f"  {len(names)}"]
    for name, row in zip(names, D):
        cells = [form.format(value) for value in row]
        lines.append(name.ljust(width) + " " + " ".join(cells[:wrap]))
        lines += ["   " + " ".join(cells[wrap:])] if wrap else []
    return "\n".join(lines)


PHYLIP = {
    "square": square(),
    "strict names": square([f"{name[:5]} sp. "[:10] for name in NAMES], width=0),
    "names of one word": square(width=0),
    "rows that go on": square(wrap=2),
    "exponents": square(form="{:.6e}"),
    "empty lines": square().replace("\n", "\n\n"),
    "carriage returns": square().replace("\n", "\r\n"),
    "triangle": "4\n"
    + "\n".join(f"{n} " + " ".join(map(repr, map(float, D[i, :i]))) for i, n in enumerate(NAMES)),
}


@pytest.mark.parametrize("name", PHYLIP)
def test_phylip(name, phylip, tmp_path):
    path = tmp_path / "apes.phy"
    path.write_text(PHYLIP[name], newline="")
    data = check_reader(phylip, path)
    assert data.kind == "dissimilarity"
    np.testing.assert_allclose(data.X, D, atol=1e-6)
    if name == "strict names":
        assert data.names[2] == "Goril sp."
    else:
        assert data.names == NAMES


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "4",
        "2\na 0 1\n",
        "2\na 0 1\nb 1 0\nc 0 0\n",
        "2\na 0 1 2\nb 1 0 2\n",
        "-1\na 0\n",
        "2 a",
    ],
)
def test_what_is_no_phylip(text, phylip, tmp_path):
    (tmp_path / "t.phy").write_text(text)
    with pytest.raises(DataError, match=r"^t\.phy "):
        read_dataset(tmp_path / "t.phy")


# --- arrays of other programs ---------------------------------------------------------------------


def test_matlab_matrices_of_all_sorts(tmp_path):
    path = tmp_path / "m.mat"
    savemat(
        path, {"S": sparse.csr_array(POINTS @ POINTS.T), "names": np.array(list("abcdefghijkl"))}
    )
    data = read_dataset(path, symmetrize=True)
    assert data.kind == "similarity"
    assert data.names == list("abcdefghijkl")
    words = np.array(["cat", "cart", "dog"], dtype=object)
    savemat(path, {"words": words, "label": np.array([[1], [2], [1]])})
    data = read_dataset(path)
    assert (data.kind, data.X, data.classes) == ("sequences", ["cat", "cart", "dog"], {1: 2, 2: 1})


def test_matlab_of_the_last_version_is_told_apart(tmp_path):
    head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM"
    (tmp_path / "m.mat").write_bytes(head + bytes(512))
    with pytest.raises(DataError, match=r"is a MATLAB 7\.3 file: save it with"):
        read_dataset(tmp_path / "m.mat")


def test_the_largest_table_holds_the_rows_and_the_line_says_so(tmp_path):
    np.savez(tmp_path / "t.npz", small=np.ones((2, 2)), large=POINTS)
    assert "rows from 'large'" in read_dataset(tmp_path / "t.npz").understood
    np.savez(tmp_path / "t.npz", X=POINTS, huge=np.ones((50, 50)), columns=list("uvwx"))
    data = read_dataset(tmp_path / "t.npz")
    assert (data.X.shape, data.features) == ((12, 4), ["u", "v", "w", "x"])


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ({"a": np.ones(3), "b": np.ones(4)}, "holds a, b, none of which is a table of numbers"),
        ({"a": np.array([["x", "y"]])}, "none of which is a table"),
        ({"times": np.arange(3.0), "offsets": [0, 9]}, "offsets"),
        ({"times": np.arange(3.0), "offsets": [0.5, 3]}, "offsets"),
        ({"X": np.ones((2, 2, 2))}, "none of which is a table"),
        ({"X": np.ones((3, 2)) * 1j}, "none of which is a table"),
    ],
)
def test_npz_files_that_hold_no_objects(arrays, sentence, tmp_path):
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(DataError, match=f"t.npz.*{sentence}"):
        read_dataset(tmp_path / "t.npz")


def test_whole_numbers_and_truth_values_are_numbers(tmp_path):
    for dtype in (np.int8, np.uint16, bool, np.float16):
        np.save(tmp_path / "t.npy", (POINTS > 0).astype(dtype))
        data = read_dataset(tmp_path / "t.npy")
        assert data.X.dtype == np.float64
        np.testing.assert_array_equal(data.X, POINTS > 0)


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    import builtins

    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "pyarrow":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    (tmp_path / "t.parquet").write_text("x")
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(DataError, match=r'needs pyarrow: pip install "noneuclid\[cli\]"'):
        read_dataset(tmp_path / "t.parquet")


def test_parquet_holes_are_found(tmp_path):
    frame = pd.DataFrame({"u": [1.0, None, 3.0], "v": [1, 2, 4]})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match="line 2, column 'u' is empty"):
        read_dataset(tmp_path / "t.parquet")


def test_folders(tmp_path):
    folder = tmp_path / "f"
    folder.mkdir()
    with pytest.raises(DataError, match="f is a folder without csv, tsv or txt files"):
        read_dataset(folder)
    (folder / "a.csv").write_text("1,2\n2,3\n3,x\n")
    with pytest.raises(DataError, match=r"a.csv must hold numbers in its last column"):
        read_dataset(folder)
    (folder / "a.csv").write_text("1,2\n2,3\n3,4\n")
    (folder / "b.csv").write_text("1,2\n2,\n3,4\n")
    with pytest.raises(DataError, match=r"b.csv, point 2 is empty"):
        read_dataset(folder)
    (folder / "b.csv").write_text("1,2\n2,3\n")
    with pytest.raises(DataError, match=r"b.csv has 2 points where a.csv has 3"):
        read_dataset(folder)
    shutil.copy(folder / "a.csv", folder / "b.csv")
    (folder / "ignored.pdf").write_text("x")
    data = read_dataset(folder)
    assert data.names == ["a", "b"]
    assert data.grid.tolist() == [1, 2, 3]
