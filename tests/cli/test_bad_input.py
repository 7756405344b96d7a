"""Bad input: exit code 2, one sentence that names the place and the remedy, nothing written."""

import numpy as np
import pytest
from typer.testing import CliRunner

from noneuclid.cli import app

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 3))
D = ((X[:, None] - X) ** 2).sum(axis=2)
Y = ["a", "b"] * 10


def csv(matrix, header=None, labels=None):
    rows = [",".join(map(repr, map(float, row))) for row in matrix]
    if labels is not None:
        rows = [f"{row},{label}" for row, label in zip(rows, labels)]
    return "\n".join([*([",".join(header)] if header else []), *rows]) + "\n"


def with_entry(matrix, i, j, value):
    changed = matrix.copy()
    changed[i, j] = value
    return changed


RANDOM = RNG.integers(0, 256, size=4000, dtype=np.uint8).tobytes()
PROSE = "It was a dark night.\nThe rain fell in torrents, except when it did not.\nThe end.\n"
ABC = ["u", "v", "w"]

# name of the file, content, further arguments, what the sentence must say
CASES = {
    "three rows": ("d.csv", csv(X[:3]), [], ["d.csv", "3 rows", "at least 8"]),
    "quick and thorough": ("d.csv", csv(X), ["--quick", "--thorough"], ["exclude each other"]),
    "too many groups": (
        "d.csv",
        csv(X),
        ["--groups-number", "15"],
        ["--groups-number (=15)", "20"],
    ),
    "empty file": ("d.csv", "", [], ["d.csv is empty", "one row per object"]),
    "only blank lines": ("d.csv", "\n\n  \n", [], ["d.csv is empty"]),
    "header only": ("d.csv", "u,v,w\n", [], ["d.csv", "no data below it"]),
    "prose": ("notes.txt", PROSE, [], ["notes.txt", "prose", "--kind sequences"]),
    "prose as a table": ("notes.csv", PROSE, [], ["notes.csv", "prose"]),
    "random bytes": ("d.csv", RANDOM, [], ["d.csv is not a text file", "ending"]),
    "random text file": ("d.txt", RANDOM, [], ["d.txt is not a text file"]),
    "random npz": ("d.npz", RANDOM, [], ["d.npz is not an npz file", "numpy.savez"]),
    "random npy": ("d.npy", RANDOM, [], ["d.npy is not a NumPy file", "numpy.save"]),
    "random mat": ("d.mat", RANDOM, [], ["d.mat is not a MATLAB file", "-v7"]),
    "random parquet": ("d.parquet", RANDOM, [], ["d.parquet is not a parquet file"]),
    "random ts": ("d.ts", RANDOM, [], ["d.ts is not a text file"]),
    "ragged table": (
        "d.csv",
        csv(X) + "1.0,2.0\n",
        [],
        ["d.csv, line 21 has 2 cells", "3", "same number of columns"],
    ),
    "hole": (
        "d.csv",
        csv(X, ABC).replace(repr(float(X[4, 1])), ""),
        [],
        ["d.csv, line 6, column 'v' is empty", "remove the row"],
    ),
    "NaN in a matrix": (
        "d.csv",
        csv(with_entry(with_entry(D, 2, 5, np.nan), 5, 2, np.nan)),
        [],
        ["d.csv, line 3, column 'column 6' is empty", "2 such cells"],
    ),
    "infinity": ("d.csv", csv(with_entry(X, 1, 1, np.inf)), [], ["line 2", "infinite"]),
    "a word among numbers": (
        "d.csv",
        csv(X, ABC).replace(repr(float(X[7, 2])), "7,5".replace(",", "x")),
        [],
        ["d.csv, line 9, column 'w' holds '7x5'", "correct the cell"],
    ),
    "asymmetric": (
        "d.csv",
        csv(with_entry(D, 3, 8, D[3, 8] + 1)),
        [],
        ["d.csv is not symmetric", "row 4, column 9", "--symmetrize"],
    ),
    "not square": (
        "d.csv",
        csv(X),
        ["--kind", "similarity"],
        ["d.csv has 20 rows and 3 columns", "as many columns as rows"],
    ),
    "no dissimilarities": (
        "d.csv",
        csv(D + np.eye(20)),
        ["--kind", "dissimilarity"],
        ["d.csv", "diagonal", "--kind similarity"],
    ),
    "all equal": ("d.csv", csv(np.ones((20, 20))), [], ["d.csv", "all proximities are equal"]),
    "constant rows": ("d.csv", csv(np.ones((20, 3)), ABC), [], ["all rows are equal"]),
    "one column": ("d.csv", csv(X[:, :1], ["u"]), [], ["d.csv has one column"]),
    "missing column": (
        "d.csv",
        csv(X, ABC),
        ["--labels", "species"],
        ["d.csv has no column 'species'", "u, v, w", "no file of that name"],
    ),
    "numbers as classes": (
        "d.csv",
        csv(X, ABC),
        ["--labels", "w"],
        ["'w' holds numbers like", "not classes"],
    ),
    "one class": (
        "d.csv",
        csv(X, [*ABC, "class"], ["a"] * 20),
        [],
        ["all objects have the class a", "--no-labels"],
    ),
    "a class too small": (
        "d.csv",
        csv(X, [*ABC, "class"], ["a"] * 18 + ["b"] * 2),
        [],
        ["class b has 2 of the rows", "at least 4"],
    ),
    "an object without class": (
        "d.csv",
        csv(X, [*ABC, "class"], ["", *Y[1:]]),
        [],
        ["object '1' has no class in 'class'", "fill it in"],
    ),
    "sequences called curves": (
        "d.txt",
        "ACGT\nACGA\n" * 5,
        ["--kind", "curves"],
        ["d.txt holds sequences, not curves"],
    ),
    "numbers called sequences": ("d.npy", None, ["--kind", "sequences"], ["table of numbers"]),
    "words among spike times": (
        "d.txt",
        "0.1 0.2\n0.3 x\n",
        ["--kind", "spikes"],
        ["line 2 of 'd.txt'", "one train"],
    ),
    "series of different lengths": (
        "d.ts",
        "@timeStamps false\n@classLabel false\n@data\n1,2,3\n1,2\n",
        [],
        ["d.ts, line 5 has 2 points", "one length"],
    ),
    "several channels": (
        "d.ts",
        "@timeStamps false\n@classLabel false\n@data\n1,2,3:1,2,3\n",
        [],
        ["d.ts, line 4 holds 2 channels"],
    ),
    "a column of huge numbers": (
        "d.csv",
        csv(X * [1.0, 1e200, 1.0], ABC),
        [],
        ["d.csv, line", "column 'v' holds", "too large", "other units"],
    ),
    "a column of tiny numbers": ("d.csv", csv(X * [1, 1, 1e-200], ABC), [], ["too small"]),
    "huge curves": ("d.csv", csv(np.cumsum(D, axis=1)[:12] * 1e200), [], ["too large"]),
    "huge distances": ("d.csv", csv(D * 1e200), [], ["d.csv", "too large"]),
    "tiny distances": ("d.csv", csv(D * 1e-200), [], ["d.csv", "too small"]),
    "no folder to write to": (
        "d.csv",
        csv(X),
        ["-o", "nowhere/report.html"],
        ["no folder 'nowhere'", "create it"],
    ),
    "a folder as output": ("d.csv", csv(X), ["-o", "."], ["is a folder"]),
}


@pytest.mark.parametrize("case", CASES)
def test_one_sentence_and_exit_code_two(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    name, content, arguments, words = CASES[case]
    if content is None:
        np.save(name, D)
    elif isinstance(content, bytes):
        (tmp_path / name).write_bytes(content)
    else:
        (tmp_path / name).write_text(content)
    result = CliRunner().invoke(app, ["analyze", name, *arguments])
    assert result.exit_code == 2, result.output
    for word in words:
        assert word in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.output
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_absent_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command in (["analyze"], ["check"], ["fit"]):
        result = CliRunner().invoke(app, [*command, "absent.csv"])
        assert result.exit_code == 2
        assert result.stderr == "error: there is no file 'absent.csv': check the path\n"


def test_labels_of_the_wrong_length(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", D)
    (tmp_path / "y.txt").write_text("\n".join(Y[:-1]) + "\n")
    result = CliRunner().invoke(app, ["analyze", "d.npy", "--labels", "y.txt"])
    assert result.exit_code == 2
    assert result.stderr == (
        "error: y.txt holds 19 labels for the 20 objects of d.npy: give one per object\n"
    )


def test_pickles_are_not_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    np.savez("d.npz", X=np.array([{"a": 1}], dtype=object))
    for name in ("d.npy", "d.npz"):
        result = CliRunner().invoke(app, ["analyze", name])
        assert result.exit_code == 2
        assert "could run code" in result.stderr


def test_brackets_in_names_are_shown_as_they_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["analyze", "[bold]x[/bold].csv"])
    assert "'[bold]x[/bold].csv'" in result.stderr


def test_a_fault_of_the_program_is_one_sentence_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", D)
    monkeypatch.setattr("noneuclid.report.analyze", lambda *a, **k: 1 / 0)
    result = CliRunner().invoke(app, ["analyze", "d.npy"])
    assert result.exit_code == 1
    assert "division by zero" in result.stderr
    assert result.stderr.count("\n") == 1
    monkeypatch.setenv("NONEUCLID_DEBUG", "1")
    assert isinstance(CliRunner().invoke(app, ["analyze", "d.npy"]).exception, ZeroDivisionError)


def test_a_long_message_of_a_fault_is_cut(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", D)

    def fault(*_, **__):
        raise RuntimeError("many words\n" * 1000)

    monkeypatch.setattr("noneuclid.report.analyze", fault)
    result = CliRunner().invoke(app, ["analyze", "d.npy"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 400


def test_a_model_file_that_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("d.npy", D)
    (tmp_path / "m.skops").write_bytes(RANDOM)
    for name in ("m.skops", "absent.skops"):
        result = CliRunner().invoke(app, ["predict", name, "d.npy"])
        assert result.exit_code == 2
        assert name in result.stderr


def test_unknown_options_exit_with_two():
    assert CliRunner().invoke(app, ["analyze", "d.csv", "--kind", "graphs"]).exit_code == 2
    assert CliRunner().invoke(app, ["analise"]).exit_code == 2
