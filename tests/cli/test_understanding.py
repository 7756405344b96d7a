"""What is shown of a file, asked about it, and refused for want of an answer."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from noneuclid.cli import app, reading
from noneuclid.datasets import make_families

BY_SITE = "u,v,treatment,site\n" + "\n".join(
    f"{x:.3f},{y:.3f},{'ab'[i % 2]},{'xyz'[i % 3]}"
    for i, (x, y) in enumerate(np.random.default_rng(0).normal(size=(30, 2)))
)


def run(*arguments, code=0, answers=None):
    result = CliRunner().invoke(app, list(map(str, arguments)), input=answers)
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def asked(monkeypatch):
    monkeypatch.setattr(reading, "is_interactive", lambda: True)


def spectra(path):
    t = np.linspace(0, 3, 40)
    head = ["sample_id", "class", *(f"{x:g}" for x in np.linspace(850, 928, 40)), "Fat (%)", "who"]
    lines = [",".join(head)]
    for i in range(20):
        curve = ",".join(f"{v:.4f}" for v in np.sin(t + 0.1 * i))
        lines.append(f"s{i},{'ab'[i % 2]},{curve},{1.5 * i},{['one', 'two', 'three'][i % 3]}")
    path.write_text("\n".join(lines))


def distances(path, n=20):
    x = np.random.default_rng(0).normal(size=(n, 2))
    D = np.sqrt(((x[:, None] - x) ** 2).sum(axis=-1))
    np.savetxt(path, D, delimiter=",")


def test_look_tells_every_column_and_what_to_say_if_it_is_wrong(folder):
    spectra(folder / "s.csv")
    text = run("look", "s.csv").stdout
    said = {
        "column 'sample_id'": ["names of the objects", "--id COLUMN"],
        "column 'class'": ["classes", "--labels COLUMN", "--no-labels"],
        "40 columns '850' … '928'": ["points of curves", "--kind vectors (features)"],
        "column 'Fat (%)'": ["left out: no point of the axis", "--target 'Fat (%)'"],
        "column 'who'": ["left out: text", "--labels 'who'", "--groups 'who'"],
        "20 rows": ["curves"],
    }
    lines = text.splitlines()
    for part, words in said.items():
        (line,) = [line for line in lines if line.startswith(f"  {part} ")]
        assert all(word in line for word in words), line
    assert lines[-1].startswith("in Python: read_dataset('s.csv'")
    assert sorted(path.name for path in folder.iterdir()) == ["s.csv"]


def test_what_is_said_changes_what_is_shown(folder):
    spectra(folder / "s.csv")
    text = run("look", "s.csv", "--ignore", "who", "--target", "Fat (%)").stdout
    assert re.search(r"column 'who' +left out, as you said", text)
    assert re.search(r"column 'Fat \(%\)' +numbers to predict", text)
    text = run("look", "s.csv", "--kind", "vectors", "--no-labels").stdout
    assert re.search(r"41 columns '850' … 'Fat \(%\)' +features", text)
    assert re.search(r"column 'class' +left out: classes, which are not used", text)


def test_a_run_begins_with_the_same_and_names_options_it_has(folder):
    spectra(folder / "s.csv")
    (head,) = re.findall(r"(?s)^.*20 rows +curves", run("check", "s.csv").stdout)
    assert "--id COLUMN" in head
    assert "--kind vectors" in head
    assert "--no-labels" not in head  # check has no such option
    assert "--target" not in head


@pytest.mark.parametrize("command", ["look", "analyze", "fit"])
def test_two_columns_of_classes_are_refused_and_the_option_named(folder, command):
    (folder / "t.csv").write_text(BY_SITE)
    error = run(command, "t.csv", code=2).stderr
    assert "('treatment', 'site'): say which with --labels COLUMN" in error
    assert error.count("\n") == 1


def test_two_columns_of_classes_are_asked_about_in_a_terminal(folder, asked):
    (folder / "t.csv").write_text(BY_SITE)
    result = run("look", "t.csv", answers="7\n1\n")
    assert "  1  column 'treatment' (--labels 'treatment')" in result.stderr
    assert "Say a number from 1 to 2." in result.stderr
    assert "2 classes (a: 15, b: 15)" in result.stdout
    assert "say which with --labels" in run("look", "t.csv", "--yes", code=2).stderr


def test_sure_names_of_classes_are_taken_before_others(folder):
    (folder / "t.csv").write_text(BY_SITE.replace("treatment", "class").replace("site", "group"))
    assert "2 classes" in run("look", "t.csv").stdout
    assert "3 classes" in run("look", "t.csv", "--labels", "group").stdout
    run("look", "t.csv", "--no-labels")


def test_plain_distances_are_asked_about(folder, asked):
    distances(folder / "d.csv")
    assert "plain distances, squared" in run("look", "d.csv", answers="2\n").stdout
    assert "plain" not in run("look", "d.csv", answers="\n").stdout.split("\n")[0]
    assert "Number" not in run("look", "d.csv", "--plain").stderr
    assert "taken as squared distances (--plain" in run("look", "d.csv", "--yes").stdout


def test_empty_cells_pairs_and_trains_are_asked_about(folder, asked):
    (folder / "h.csv").write_text(
        "u,v\n" + "\n".join(f"{i * 1.5},{i * i % 7}" for i in range(9)) + "\n9,"
    )
    assert "1 rows with empty cells left out" in run("look", "h.csv", answers="1\n").stdout
    assert "filled with means" in run("look", "h.csv", answers="2\n").stdout
    pairs = [f"{a},{b},{1 + ord(b) - ord(a)}" for a in "pqrs" for b in "pqrs" if a < b]
    (folder / "p.csv").write_text("from,to,value\n" + "\n".join(pairs))
    assert "dissimilarity matrix" in run("look", "p.csv", answers="2\n\n").stdout
    assert "--kind similarity or --kind dissimilarity" in run("look", "p.csv", "-y", code=2).stderr


@pytest.mark.slow
def test_a_person_at_a_terminal_is_asked(folder):
    pty = pytest.importorskip("pty")
    (folder / "t.csv").write_text(BY_SITE)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "noneuclid", "look", "t.csv"]
    with subprocess.Popen(command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE) as process:
        os.write(ours, b"2\n")
        out = process.communicate(timeout=120)[0].decode()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0
    assert "3 classes (x: 10, y: 10, z: 10)" in out


def test_letters_of_new_sequences_are_read_as_those_of_training(folder):
    data = make_families(8, n_families=2)
    words = [x.lower() if i % 2 else x for i, x in enumerate(data.X)]
    lines = [f"s{i},{x},{'ab'[i % 2]}" for i, x in enumerate(words)]
    (folder / "f.csv").write_text("id,sequence,class\n" + "\n".join(lines))
    run("fit", "f.csv", "--case", "keep", "--quick", "--splits", "2", "-o", "m.skops")
    found = run("predict", "m.skops", "f.csv")
    assert "16 of 16 predictions agree" in found.stderr  # by case alone
    said = run("predict", "m.skops", "f.csv", "-o", "p.csv").stdout
    assert "column 'sequence'" in said
    assert found.stdout.startswith("object,class")


def test_predict_fills_holes_and_does_not_speak_of_kinds(folder):
    rows = [f"{i % 2 * 9 + i / 10:.2f},{i / 7:.2f},{'ab'[i % 2]}" for i in range(24)]
    (folder / "t.csv").write_text("u,v,class\n" + "\n".join(rows))
    (folder / "new.csv").write_text("u,v\n0.1,\n9.1,1.0\n")
    (folder / "words.fasta").write_text(">a\nACGT\n>b\nACGA\n")
    run("fit", "t.csv", "--quick", "--splits", "2", "-o", "m.skops")
    assert "--missing drop or mean" in run("predict", "m.skops", "new.csv", code=2).stderr
    assert len(run("predict", "m.skops", "new.csv", "--missing", "mean").stdout.split()) == 3
    dropped = run("predict", "m.skops", "new.csv", "--missing", "drop")
    assert [line.split(",")[0] for line in dropped.stdout.split()] == ["object", "2"]
    assert "1 rows with empty cells left out" in dropped.stderr
    error = run("predict", "m.skops", "words.fasta", code=2).stderr
    assert "--kind" not in error
    assert "words.fasta holds sequences, not vectors: give a file of the form of t.csv" in error
