"""``noneuclid analyze --export``, and what the page and its figures are called."""

import re
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

from noneuclid.cli import app
from noneuclid.cli.running import Taken
from noneuclid.datasets import make_contaminated, make_spectra

QUICK = ["--quick", "--splits", "2"]


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_export_with_words_of_ones_own(folder):
    data = make_spectra(24, n_points=20)
    np.savez("s.npz", curves=data.X, labels=data.labels, grid=data.grid)
    words = ["--title", "Meat <1>", "--x-label", "wavelength (nm)", "--y-label", "absorbance"]
    output = run("analyze", "s.npz", "--export", "all", "--figure-width", 60, *words, *QUICK).stdout
    assert output.splitlines()[-1] == f"export: {folder / 'all'}"
    page = (folder / "report.html").read_text()
    assert "<h1>Meat &lt;1&gt;</h1>" in page
    assert ">wavelength (nm)</text>" in page
    assert ">absorbance</text>" in page
    assert sorted(p.name for p in folder.iterdir()) == ["all", "report.html", "s.npz"]
    assert (folder / "all" / "report.html").read_text() == page
    svg = next((folder / "all" / "figures").glob("*.svg")).read_text()
    assert float(re.search(r'width="([\d.]+)pt"', svg)[1]) == pytest.approx(60 / 25.4 * 72, abs=0.1)
    assert "read_dataset('s.npz'" in (folder / "all" / "reproduce.py").read_text()


def test_what_cannot_be_exported_is_refused_before_the_work(folder):
    data = make_contaminated(20)
    np.savez("x.npz", X=data.X, labels=data.labels)
    (folder / "full").mkdir()
    (folder / "full" / "mine.txt").write_text("mine")
    for arguments, why in (
        (["--export", "full"], "holds what no export wrote (mine.txt)"),
        (["--export", "no/folder"], "there is no folder"),
        (["--export", "x.npz"], "is a file"),
        (["--export", "new", "--figure-width", "1"], "cannot be 1 mm wide"),
        (
            ["--x-label", "time"],
            "a label of the x axis is for curves and spike trains, not for rows",
        ),
    ):
        result = run("analyze", "x.npz", *arguments, code=2)
        assert why in re.sub(r"\s+", " ", result.output)
    assert sorted(p.name for p in folder.iterdir()) == ["full", "x.npz"]


def test_what_an_export_remarks_is_one_line_each(tmp_path, capsys):
    """No place in the source, no traceback: a sentence."""

    class Boxes:
        def export(self, *args, **kwargs):
            for _ in range(2):
                warnings.warn("figures show boxes", UserWarning, stacklevel=2)

    Taken(tmp_path / "all", 89.0, False).write(Boxes())
    assert capsys.readouterr().err == "note: figures show boxes\n"
