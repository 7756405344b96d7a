"""The commands on good input, and interrupts."""

import csv
import html
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

import noneuclid
from noneuclid._writing import write_atomically
from noneuclid.cli import app
from noneuclid.datasets import (
    Dataset,
    make_contaminated,
    make_families,
    make_indefinite,
    make_spectra,
)
from noneuclid.information import two_sample_test
from noneuclid.report.checking import compare_samples

QUICK = ["--quick", "--splits", "2"]


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_families(path, data):
    rows = zip(data.names, data.X, data.labels)
    path.write_text("name,sequence,class\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))


def test_version_and_help():
    assert run("--version").stdout == f"noneuclid {noneuclid.__version__}\n"
    text = run("--help").stdout
    for command in ("analyze", "fit", "predict", "check", "compare", "demo", "warm-up"):
        assert command in text
        assert "Example" in run(command, "--help").stdout


def test_the_package_is_a_command():
    command = [sys.executable, "-m", "noneuclid", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout == f"noneuclid {noneuclid.__version__}\n"


def test_no_command_shows_the_help():
    assert "Usage: " in CliRunner().invoke(app, []).output


def test_analyze_says_what_it_understood_and_writes_the_page(folder):
    data = make_indefinite(24)
    np.savez("s.npz", similarity=data.X, labels=data.labels)
    output = run("analyze", "s.npz", *QUICK).stdout.splitlines()
    assert output[0] == (
        "s.npz: 24 objects with a similarity matrix, 2 classes (a: 12, b: 12), classes from "
        "'labels'"
    )
    assert any("support vector machine" in line for line in output)
    assert output[-1] == f"report: {folder / 'report.html'}"
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "s.npz"]


def test_the_same_seed_gives_the_same_page(folder):
    write_families(folder / "f.csv", make_families(6, n_families=2))
    for name in ("a.html", "b.html"):
        run("analyze", "f.csv", "-o", name, "--seed", 3, *QUICK)
    assert (folder / "a.html").read_text() == (folder / "b.html").read_text()


def test_save_and_predict_sequences(folder):
    write_families(folder / "f.csv", make_families(8, n_families=2))
    run("analyze", "f.csv", "--save", "m.skops", *QUICK)
    result = run("predict", "m.skops", "f.csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert list(rows[0]) == ["object", "class", "certainty", "likely", "usual", "note"]
    right = sum(row["object"].startswith(row["class"]) for row in rows)
    assert right >= 14
    assert f"{right} of 16 predictions agree with the classes in f.csv" in result.stderr


def test_fit_and_predict_a_matrix(folder):
    data = make_indefinite(40)
    np.savez("train.npz", similarity=data.X[:30, :30], labels=data.labels[:30])
    np.save("new.npy", data.X[30:, :30])
    text = run("fit", "train.npz", "--model", "kernel-rslvq", "--quick").stdout
    assert "kernel RSLVQ: " in text
    run("predict", "model.skops", "new.npy", "-o", "classes.csv")
    rows = list(csv.DictReader((folder / "classes.csv").read_text().splitlines()))
    assert [row["class"] for row in rows] == data.labels[30:].tolist()
    np.save("wrong.npy", data.X[30:, :29])
    assert "29 columns" in run("predict", "model.skops", "wrong.npy", code=2).stderr


def test_fit_and_predict_rows_by_the_names_of_columns(folder):
    data = make_contaminated(40, n_features=3, n_outliers=0)
    for name, order in (("train.csv", [0, 1, 2]), ("new.csv", [2, 0, 1])):
        lines = [",".join([*(data.features[j] for j in order), "class"])]
        for row, label in zip(data.X, data.labels):
            lines.append(",".join([*(repr(float(row[j])) for j in order), label]))
        (folder / name).write_text("\n".join(lines))
    run("fit", "train.csv", "--quick", "-o", "m.skops")
    texts = [run("predict", "m.skops", name).stdout for name in ("train.csv", "new.csv")]
    assert texts[0] == texts[1]


def test_predict_never_fails_because_of_the_classes(folder):
    data = make_contaminated(40, n_features=3, n_outliers=0)
    head = [*data.features, "class"]

    def write(name, labels):
        rows = [",".join([*map(repr, x), str(y)]) for x, y in zip(data.X.tolist(), labels)]
        (folder / name).write_text("\n".join([",".join(head), *rows]))

    write("train.csv", data.labels)
    run("fit", "train.csv", "--quick", "-o", "m.skops")
    known = run("predict", "m.skops", "train.csv")
    assert "of 40 predictions agree" in known.stderr
    assert "agree" not in run("predict", "m.skops", "train.csv", "--no-labels").stderr
    n = len(data)
    for k, labels in enumerate(
        [data.labels[:1].repeat(n), [""] * n, ["?", *data.labels[1:]], ["1"] * (n - 1) + ["x"]]
    ):
        write(f"{k}.csv", labels)
        assert run("predict", "m.skops", f"{k}.csv").stdout == known.stdout
    write("others.csv", ["this", "that"] * (n // 2))
    assert "agree" not in run("predict", "m.skops", "others.csv").stderr


def test_predict_curves_of_one_class_in_front(folder):
    data = make_spectra(30, n_points=20)
    y = np.unique(data.labels, return_inverse=True)[1] + 1
    for name, chosen in (("train.csv", y > 0), ("one.csv", y == 1)):
        rows = zip(y[chosen].tolist(), data.X[chosen].tolist())
        (folder / name).write_text("\n".join(",".join(map(str, [k, *x])) for k, x in rows))
    run("fit", "train.csv", "--quick", "--kind", "curves")
    rows = run("predict", "model.skops", "one.csv").stdout.splitlines()
    assert len(rows) == 1 + (y == 1).sum()


def test_a_model_of_sequences_takes_no_table_of_numbers(folder):
    write_families(folder / "f.csv", make_families(6, n_families=2))
    run("fit", "f.csv", "--quick")
    write_rows(folder / "x.csv", ["u", "v"], make_contaminated(20).X[:, :2])
    error = run("predict", "model.skops", "x.csv", code=2).stderr
    assert "table of numbers, not sequences" in error


def test_fit_curves(folder):
    data = make_spectra(30, n_points=40)
    np.savez("c.npz", curves=data.X, labels=data.labels, grid=data.grid)
    run("fit", "c.npz", "--quick", "--model", "GLVQ Sobolev")
    assert "predictions agree" in run("predict", "model.skops", "c.npz").stderr


def test_fit_needs_classes_and_a_known_model(folder):
    np.save("x.npy", make_contaminated(20).X)
    assert "has no classes" in run("fit", "x.npy", code=2).stderr
    write_families(folder / "f.csv", make_families(6, n_families=2))
    assert "choose from kernel GLVQ" in run("fit", "f.csv", "-m", "forest", code=2).stderr


def test_a_saved_model_is_an_estimator(folder):
    write_families(folder / "f.csv", make_families(6, n_families=2))
    run("fit", "f.csv", "--quick")
    model = noneuclid.load("model.skops")
    assert model.predict(["ACGT"]).shape == (1,)
    assert model.trained_on_["kind"] == "sequences"


def test_check(folder):
    X = np.random.default_rng(0).normal(size=(60, 3))
    np.save("k.npy", X @ X.T)
    text = run("check", "k.npy").stdout
    assert "suitable: rank correlation 1.00" in text
    np.save("small.npy", X[:10] @ X[:10].T)
    assert "at least 20" in run("check", "small.npy", code=2).stderr
    assert "more than half" in run("check", "k.npy", "--landmarks", 50, code=2).stderr
    write_families(folder / "f.csv", make_families(15, n_families=2))
    assert "rank correlation" in run("check", "f.csv").stdout


def test_compare(folder):
    rng = np.random.default_rng(0)
    np.save("a.npy", rng.normal(size=(40, 2)))
    np.save("b.npy", rng.normal(size=(30, 2)))
    np.save("c.npy", rng.normal(size=(30, 2)) + 2)
    np.save("d.npy", rng.normal(size=(30, 3)))
    assert "may well be the same" in run("compare", "a.npy", "b.npy").stdout
    assert "a.npy and c.npy differ" in run("compare", "a.npy", "c.npy").stdout
    assert "2 columns" in run("compare", "a.npy", "d.npy", code=2).stderr
    assert "positive" in run("compare", "a.npy", "b.npy", "--width", -1, code=2).stderr


def write_rows(path, header, X):
    path.write_text("\n".join([",".join(header), *(",".join(map(repr, r)) for r in X.tolist())]))


def test_compare_goes_by_the_names_of_columns(folder):
    rng = np.random.default_rng(0)
    X, Y = (rng.normal([0.0, 5.0], size=(n, 2)) for n in (40, 30))
    write_rows(folder / "a.csv", ["u", "v"], X)
    write_rows(folder / "b.csv", ["u", "v"], Y)
    write_rows(folder / "c.csv", ["v", "u"], Y[:, ::-1])
    write_rows(folder / "d.csv", ["u", "w"], Y)
    one, other = (run("compare", "a.csv", name).stdout for name in ("b.csv", "c.csv"))
    results = [text[text.index("columns are standardised") :] for text in (one, other)]
    assert results[0] == results[1].replace("c.csv", "b.csv")
    error = run("compare", "a.csv", "d.csv", code=2).stderr
    assert error == (
        "error: a.csv has a column 'v' and d.csv has 'u', 'w': two samples need the same columns\n"
    )


def test_compare_gives_the_kernel_the_width_it_says():
    rng = np.random.default_rng(0)
    first, second = (Dataset("vectors", rng.normal(size=(n, 2))) for n in (40, 30))
    expected = two_sample_test(first.X, second.X, "median", n_permutations=99, random_state=0)
    result, width, _ = compare_samples(first, second, None, 99, 0, raw=True)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    given, *_ = compare_samples(first, second, width, 99, 0, raw=True)
    assert given.statistic == pytest.approx(expected.statistic, rel=1e-12)


def test_compare_refuses_constant_samples(folder):
    write_rows(folder / "const.csv", ["u", "v"], np.ones((20, 2)))
    error = run("compare", "const.csv", "const.csv", code=2).stderr
    assert "are equal: there is nothing to compare" in error
    assert error.count("\n") == 1


# --- interrupts ---------------------------------------------------------------------------------


def test_an_interrupt_tells_what_was_written(folder, monkeypatch):
    write_families(folder / "f.csv", make_families(6, n_families=2))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("noneuclid.cli.running.save_model", interrupt)
    result = run("analyze", "f.csv", "--save", "m.skops", *QUICK, code=130)
    assert result.stderr == "Stopped; only report.html was written\n"
    assert sorted(path.name for path in folder.iterdir()) == ["f.csv", "report.html"]


def test_save_without_classes_is_refused_before_the_work(folder, monkeypatch):
    np.save("x.npy", make_contaminated(20).X)
    monkeypatch.setattr("noneuclid.report.analyze", lambda *a, **k: pytest.fail("worked"))
    result = run("analyze", "x.npy", "--save", "m.skops", code=2)
    assert "x.npy has no classes" in result.stderr
    assert [path.name for path in folder.iterdir()] == ["x.npy"]


@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_an_interrupt_while_writing(tmp_path, monkeypatch, where):
    path = tmp_path / "page.html"
    path.write_text("old")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, where, interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    monkeypatch.undo()
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]
    assert path.read_text() == "old"
    write_atomically(path, "new")
    assert path.read_text() == "new"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "page.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert [path.name for path in target.parent.iterdir()] == ["page.html"]


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="no such device")
@pytest.mark.parametrize("redirected", [False, True])
def test_a_stream_is_written_to_directly(tmp_path, redirected):
    code = "from noneuclid._writing import write_atomically as w; w('/dev/stdout', 'text')"
    if redirected:
        with open(tmp_path / "out.txt", "wb") as file:
            subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
        assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]
        assert (tmp_path / "out.txt").read_text() == "text"
    else:
        command = [sys.executable, "-c", code]
        assert subprocess.run(command, capture_output=True, check=True).stdout == b"text"


@pytest.mark.slow
def test_the_demo(folder):
    text = run("demo").stdout
    assert "families: 120 sequences" in text
    assert "GLVQ, Sobolev" in text
    assert (folder / "noneuclid-demo.html").stat().st_size < 1_000_000


# --- metrics of sequences -------------------------------------------------------------------------


def write_fasta(path, data):
    path.write_text("".join(f">{name}\n{word}\n" for name, word in zip(data.names, data.X)))


@pytest.mark.parametrize("command", ["analyze", "fit"])
def test_models_of_another_metric_predict_fasta(folder, command):
    """Faulty before: ``fit`` had no ``--metric``, and a model saved so took a matrix only."""
    data = make_families(8, n_families=2)
    write_families(folder / "f.csv", data)
    write_fasta(folder / "new.fasta", data)
    target = ["--save", "m.skops"] if command == "analyze" else ["-o", "m.skops"]
    run(command, "f.csv", "--metric", "indel", *target, *QUICK)
    rows = list(csv.DictReader(run("predict", "m.skops", "new.fasta").stdout.splitlines()))
    assert sum(row["object"].startswith(row["class"]) for row in rows) >= 14
    assert noneuclid.load("m.skops").metric == "indel"


def test_the_page_of_another_metric_says_so_and_its_program_runs(folder):
    write_families(folder / "f.csv", make_families(6, n_families=2))
    text = run("analyze", "f.csv", "--metric", "osa", "--no-labels", *QUICK).stdout
    assert "groups" in text
    page = (folder / "report.html").read_text()
    assert "compared by their OSA distance" in page
    code = html.unescape(re.search(r"<code>(.*?)</code>", page, re.S)[1])
    assert 'pairwise(data.X, "osa")' in code
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Signature(" in done.stdout


@pytest.mark.parametrize("command", ["analyze", "fit"])
def test_an_unknown_metric_is_refused_with_the_names(folder, command):
    write_families(folder / "f.csv", make_families(6, n_families=2))
    error = run(command, "f.csv", "--metric", "cosine", code=2).stderr
    assert error.startswith("error: there is no distance 'cosine' of sequences: choose from ")
    assert "levenshtein" in error
    assert error.count("\n") == 1


def test_the_page_of_a_matrix_that_was_made_symmetric_says_so(folder):
    S = make_indefinite(24).X
    S[2, 5] += 0.01 * np.abs(S).max()
    np.savetxt("s.csv", S, delimiter=",")
    arguments = ["analyze", "s.csv", "--kind", "similarity"]
    assert "is not symmetric" in run(*arguments, code=2).stderr
    run(*arguments, "--symmetrize", *QUICK)
    page = (folder / "report.html").read_text()
    assert re.search(r"<dt>Symmetric</dt><dd>no</dd>", page)
    assert "the mean of both directions" in page


def test_the_seed_reaches_the_program_on_the_page(folder):
    data = make_spectra(16, n_points=20)
    np.savez("c.npz", curves=data.X, grid=data.grid)
    run("analyze", "c.npz", "--kind", "curves", "--seed", 5, *QUICK)
    code = re.search(r"<code>(.*?)</code>", (folder / "report.html").read_text(), re.S)[1]
    assert "random_state=5" in code
    assert "random_state=0" not in code
