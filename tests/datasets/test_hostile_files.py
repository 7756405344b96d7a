"""Files that are not what they seem: refused in one sentence, before they take time or memory."""

import io
import os
import struct
import threading
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from scipy.io import savemat

from noneuclid.datasets import DataError, read_dataset
from noneuclid.datasets.readers import Reader, base
from noneuclid.spikes import read_spike_trains

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 3)).round(3)
Y = ["a", "b"] * 6
TABLE = "u,v,w,class\n" + "".join(f"{u},{v},{w},{y}\n" for (u, v, w), y in zip(POINTS, Y))


def npy(array):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), allow_pickle=True)
    return stream.getvalue()


def header(shape, descr="'<f8'", body=b""):
    words = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words.encode() + body


def archive(*members, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return stream.getvalue()


def mat(*arrays, **named):
    stream = io.BytesIO()
    savemat(stream, named)
    return stream.getvalue()


def packed(content):
    """An element of a mat file."""
    body = zlib.compress(content)
    return struct.pack("<II", 15, len(body)) + body


def parquet(**columns):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    stream = io.BytesIO()
    parquet.write_table(pa.table(columns), stream)
    return stream.getvalue()


def doubled(method=zipfile.ZIP_DEFLATED):
    with pytest.warns(UserWarning, match="Duplicate name"):
        return archive(("X.npy", npy(POINTS)), ("X.npy", npy(-POINTS)), method=method)


def lying(size):
    """An npz file whose directory says that its only array has so many bytes."""
    content = bytearray(archive(("X.npy", npy(POINTS))))
    for sign, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = content.rfind(sign) + offset
        content[at : at + 4] = struct.pack("<I", size)
    return bytes(content)


MAT_HEADER = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<H2s", 0x0100, b"IM")
ARRAY = npy(POINTS)
OBJECTS = np.array([{"a": 1}], dtype=object)

REFUSED = {
    # sizes
    "huge shape": ("d.npy", lambda: header((10**6, 10**6)), "shape .* needs more than the"),
    "huge letters": ("d.npy", lambda: header((3, 3), "'<U99999999'"), "needs more than the"),
    "many empty words": ("d.npy", lambda: header((10**9,), "'|S0'"), "needs more than the"),
    "negative shape": ("d.npy", lambda: header((-1, 3), body=ARRAY), "is damaged: an array of sh"),
    "no rows": ("d.npy", lambda: header((0, 10**9)), "is empty: it must hold one row per obj"),
    "no columns": ("d.npy", lambda: header((10**9, 0)), "is empty|needs more than"),
    "subarray": ("d.npy", lambda: header((3,), "('<f8', (9999999,))"), "needs more than"),
    "cut off": (
        "d.npy",
        lambda: ARRAY[:-1],
        "d.npy is damaged|d.npy is cut off: save it once more",
    ),
    "two arrays": ("d.npy", lambda: ARRAY + ARRAY, "d.npy holds more than one array"),
    "check sum": ("d.npz", lambda: spoilt(), "d.npz cannot be read by NpzReader: .*CRC"),
    "no letters": (
        "d.npy",
        lambda: header((2,), "'<U1'", b"\xff" * 8),
        "letters that do not exist",
    ),
    "huge shape inside": (
        "d.npz",
        lambda: archive(("X.npy", header((10**6, 10**6)))),
        r"d\.npz: 'X' is damaged: an array of shape",
    ),
    "directory that lies": ("d.npz", lambda: lying(2**31), "would grow from .* to 2 GiB"),
    "zip bomb": (
        "d.npz",
        lambda: archive(("X.npy", header((5 * 10**6,), body=bytes(4 * 10**7)))),
        r"would grow from .* when it is read: save it with numpy\.savez, not savez_compressed",
    ),
    "mat bomb": (
        "d.mat",
        lambda: MAT_HEADER + packed(bytes(4 * 10**7)),
        "would grow from .* to 32 MiB when it is read: save it with '-v6'",
    ),
    "huge sparse matrix": ("d.mat", lambda: sparse_mat(10**6), "the sparse matrix in d.mat would"),
    "mat of huge size": (
        "d.mat",
        lambda: MAT_HEADER + struct.pack("<II", 14, 2**31 - 1) + bytes(64),
        "is not a MATLAB file, or damaged: save it with save",
    ),
    "mat of version 7.3": (
        "d.mat",
        lambda: MAT_HEADER[:124] + struct.pack("<H2s", 0x0200, b"IM") + bytes(64),
        r"d\.mat is a MATLAB 7\.3 file: save it with save\(…, '-v7'\)",
    ),
    "parquet bomb": ("d.parquet", lambda: parquet(x=np.zeros(5 * 10**6)), "would grow from"),
    "parquet of lists": ("d.parquet", lambda: parquet(x=[[1, 2], [3]]), "holds lists: save one"),
    # what is inside
    "object array": ("d.npy", lambda: npy(OBJECTS), "d.npy holds object arrays, which could run"),
    "object arrays": ("d.npz", lambda: archive(("X.npy", npy(OBJECTS))), "'X' holds object arrays"),
    "number": ("d.npy", lambda: npy(3.0), "d.npy has 0 dimensions: give one row per object"),
    "number inside": ("d.npz", lambda: archive(("X.npy", npy(3.0))), "holds X, none of which is a"),
    "records": ("d.npy", lambda: npy(np.zeros(3, "i4,f8")), "where real numbers are expected"),
    "nested zip": (
        "d.npz",
        lambda: archive(("inner.npz", archive(("X.npy", ARRAY)))),
        r"d\.npz: 'inner\.npz' is not an array: save it with numpy\.savez",
    ),
    "array called twice": ("d.npz", doubled, "d.npz holds 'X' twice: save it with numpy"),
    "lzma": (
        "d.npz",
        lambda: archive(("X.npy", ARRAY), method=zipfile.ZIP_LZMA),
        r"'X\.npy' is not an array",
    ),
    "no numbers": ("d.npy", lambda: npy(np.full((24, 30), np.nan)), "row 1, column 1 is empty"),
    "no members": ("d.npz", lambda: archive(), "d.npz is empty: it must hold an array"),
    "cells of words and numbers": (
        "d.mat",
        lambda: mat(c=np.array(["a", 1.5], dtype=object)),
        r"d\.mat: c\[0\] must be a 1-d array of event times",
    ),
    # endings
    "npy as csv": ("d.csv", lambda: ARRAY, r"d\.csv is a NumPy array: give it the ending \.npy"),
    "npz as npy": ("d.npy", lambda: archive(("X.npy", ARRAY)), "is an npz file: give it the end"),
    "npy as npz": ("d.npz", lambda: ARRAY, "d.npz is a NumPy array: give it the ending .npy"),
    "mat as txt": ("d.txt", lambda: mat(X=POINTS), "d.txt is a MATLAB file: give it the ending"),
    "parquet as ts": ("d.ts", lambda: parquet(x=[1, 2]), "d.ts is a parquet file: give it the"),
    "zip as csv": ("d.csv", lambda: archive(("d.csv", TABLE)), "is a zip archive: unpack it, or"),
    "gzip as csv": ("d.csv", lambda: b"\x1f\x8b\x08" + bytes(40), "d.csv is compressed: unpack"),
    "csv as npy": ("d.npy", lambda: TABLE.encode(), "d.npy is not a NumPy file: save it with"),
    "csv as npz": ("d.npz", lambda: TABLE.encode(), "d.npz is not an npz file: save it with"),
    "csv as mat": ("d.mat", lambda: TABLE.encode(), "d.mat is not a MATLAB file, or damaged"),
    "csv as parquet": ("d.parquet", lambda: TABLE.encode(), "d.parquet is not a parquet file"),
    # text
    "half of UTF-16": ("d.csv", lambda: TABLE.encode("utf-16")[:-1], "d.csv is not a text file"),
    "late control character": (
        "d.csv",
        lambda: (TABLE + "1,2,3,a\n" * 20_000 + "1,2,\x003,b\n").encode(),
        "d.csv is not a text file",
    ),
    "two columns of classes": (
        "d.csv",
        lambda: TABLE.replace("u,", "class,", 1).encode(),
        "d.csv has 2 columns 'class' that differ: rename all but one of them",
    ),
    "long cell in quotes": (
        "d.csv",
        lambda: (TABLE + f'1,2,3,"{"a" * 200_000}"\n').encode(),
        "line 14: field larger than field limit .*: check its quotation marks",
    ),
    "long classes": (
        "d.csv",
        lambda: TABLE.replace(",a\n", f",{'a' * 10_000}\n").encode(),
        "'class' holds texts of more than 1000 letters, not classes",
    ),
    "line of 10 MB": ("d.csv", lambda: b"1," * 5_000_000 + b"1\n", "has 5,000,001 columns: give"),
}


def spoilt():
    content = archive(("X.npy", ARRAY), method=zipfile.ZIP_STORED)
    at = content.index(ARRAY) + len(ARRAY) - 3
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def sparse_mat(n):
    from scipy import sparse

    corner = sparse.coo_matrix(([1.0], ([n - 1], [n - 1])), shape=(n, n)).tocsc()
    return mat(D=corner)


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
    said = str(refused.value)
    assert said.isprintable()
    assert len(said) < 700
    assert "d." in said
    assert peak < 100 * 2**20 + 40 * path.stat().st_size


@pytest.mark.parametrize(
    "name", [name for name in REFUSED if REFUSED[name][0][-4:] in (".npy", ".npz")]
)
def test_labels_are_refused_in_one_sentence_too(name, tmp_path):
    file, make, _ = REFUSED[name]
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / file).write_bytes(make())
    with pytest.raises(DataError, match=r"^d\.np[yz]") as refused:
        read_dataset(tmp_path / "t.csv", labels=file)
    assert str(refused.value).isprintable()


# --- what is no file ------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pipes_are_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    (tmp_path / "t.csv").write_text(TABLE)
    tries = [
        lambda: read_dataset(pipe),
        lambda: read_dataset(tmp_path),  # a folder of curves with a pipe in it
        lambda: read_dataset(tmp_path / "t.csv", labels="pipe.csv"),
        lambda: read_spike_trains(pipe),
    ]
    said = []

    def run():
        for read in tries:
            with pytest.raises(DataError) as refused:
                read()
            said.append(str(refused.value))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert len(said) == 4
    assert said[0] == "pipe.csv is a pipe or a device, not a file: save the data to a file first"


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there are no devices")
def test_devices_are_not_read():
    for device in ("/dev/zero", "/dev/null"):
        with pytest.raises(DataError, match="is a pipe or a device, not a file: save the data"):
            read_dataset(device)


def test_folders_links_and_names_that_cannot_be(tmp_path):
    loop, dangling = tmp_path / "loop.csv", tmp_path / "dangling.csv"
    loop.symlink_to(loop)
    dangling.symlink_to(tmp_path / "nothing")
    for path in (loop, dangling, tmp_path / ("x" * 5000), tmp_path / "a\0b.csv"):
        with pytest.raises(DataError, match=r"there is no file .*: check the path"):
            read_dataset(path)
    folder = tmp_path / "folder.npz"
    folder.mkdir()
    with pytest.raises(DataError, match="is a folder without csv, tsv or txt files of curves"):
        read_dataset(folder)
    (tmp_path / "t.csv").write_text(TABLE)
    for labels in ("x" * 5000, "a\0b", "folder.npz"):
        with pytest.raises(DataError, match="and there is no file of that name either") as refused:
            read_dataset(tmp_path / "t.csv", labels=labels)
        assert len(str(refused.value)) < 700


def test_a_file_larger_than_memory(tmp_path):
    for name in ("d.csv", "d.npy", "d.mat", "d.txt", "d.ts"):
        with (tmp_path / name).open("wb") as file:
            file.write({"d.npy": header((2**40,)), "d.mat": MAT_HEADER}.get(name, b"1 2\n"))
            try:
                file.truncate(2**43)  # takes no room on the disk
            except OSError:
                pytest.skip("the disk takes no such files")
        with pytest.raises(DataError, match="TiB of memory, more than half of"):
            read_dataset(tmp_path / name)
        (tmp_path / name).unlink()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    path.chmod(0)
    with pytest.raises(DataError, match=r"t\.csv cannot be used: .*ermission denied"):
        read_dataset(path)


def test_damaged_spike_trains(tmp_path):
    """A function of its own, which does not go through the readers."""
    whole = archive(("times.npy", npy(np.arange(4.0))), ("offsets.npy", npy(np.array([0, 2, 4]))))
    path = tmp_path / "d.npz"
    path.write_bytes(whole)
    assert [train.tolist() for train in read_spike_trains(path)] == [[0, 1], [2, 3]]
    for content in (whole[:60] + whole[70:], spoilt(), lying(2**31), REFUSED["nested zip"][1]()):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"d\.npz") as refused:
            read_spike_trains(path)
        assert has_one_line(refused)


def has_one_line(refused):
    return str(refused.value).isprintable()


# --- what is odd but right ------------------------------------------------------------------------


def test_a_hundred_thousand_columns(tmp_path):
    X = RNG.normal(size=(8, 100_000)).round(2)
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in X.tolist()))
    data = read_dataset(path)
    np.testing.assert_array_equal(data.X, X)


def test_lines_of_ten_megabytes(tmp_path):
    long = "ACGT" * 2_500_000
    (tmp_path / "d.fasta").write_text(f">a\n{long}\n>b\n{long[:-1]}\n")
    assert list(map(len, read_dataset(tmp_path / "d.fasta").X)) == [10**7, 10**7 - 1]
    (tmp_path / "d.csv").write_text(f"name,sequence\na,{long}\nb,AC\nc,CA\n")
    assert [long, "AC", "CA"] == read_dataset(tmp_path / "d.csv").X


def test_columns_without_names_are_kept_apart(tmp_path):
    """One of them counts the rows; the others of that name are data."""
    rows = [f"{k},{u},{v}" for k, (u, v, _) in enumerate(POINTS)]
    (tmp_path / "t.csv").write_text("\n".join(["x,u,u", *rows]).replace("x,u,u", "u,u,u"))
    data = read_dataset(tmp_path / "t.csv")
    np.testing.assert_array_equal(data.X, POINTS[:, :2])


def test_one_word_for_many_rows_is_kept_once(tmp_path):
    """A parquet file stores a word that repeats once; reading must not write it out."""
    pa = pytest.importorskip("pyarrow")
    n, word = 20_000, "x" * 100_000
    text = pa.DictionaryArray.from_arrays(np.zeros(n, dtype=np.int32), [word])
    columns = {"u": np.arange(n) * 0.5, "v": -np.arange(float(n)), "text": text}
    (tmp_path / "d.parquet").write_bytes(parquet(**columns))
    data = read_dataset(tmp_path / "d.parquet")
    assert data.X.shape == (n, 2)


def test_bytes_are_words(tmp_path):
    words = np.array(["CAT", "CAFÉ", "DOG"])
    np.save(tmp_path / "d.npy", np.array([w.encode() for w in words]))
    assert words.tolist() == read_dataset(tmp_path / "d.npy").X


def test_labels_of_many_digits_stay_words(tmp_path):
    long = "9" * 5000
    for digits in (long[:30], long[:900]):
        text = TABLE.replace(",a\n", f",{digits}\n")
        (tmp_path / "t.csv").write_text(text)
        assert digits in read_dataset(tmp_path / "t.csv").classes


# --- readers of users -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error", [KeyError("x"), MemoryError(), RecursionError("deep"), OSError(5, "no")]
)
def test_whatever_a_reader_raises_becomes_a_sentence(error, tmp_path, monkeypatch):
    class Broken(Reader):
        suffixes = (".broken",)

        def read(self, file):
            raise error

    monkeypatch.setattr(base, "_registered", [Broken()])
    (tmp_path / "d.broken").write_text("x")
    with pytest.raises(DataError, match=r"^d\.broken cannot be read by Broken: .*save it once m"):
        read_dataset(tmp_path / "d.broken")


def test_an_interrupt_is_no_sentence(tmp_path, monkeypatch):
    class Slow(Reader):
        suffixes = (".slow",)

        def read(self, file):
            raise KeyboardInterrupt

    monkeypatch.setattr(base, "_registered", [Slow()])
    (tmp_path / "d.slow").write_text("x")
    with pytest.raises(KeyboardInterrupt):
        read_dataset(tmp_path / "d.slow")
