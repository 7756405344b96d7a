"""No command writes over what it reads."""

import os

import numpy as np
import pytest
from typer.testing import CliRunner

from noneuclid import save
from noneuclid.cli import app
from noneuclid.prototypes import GLVQ

ROWS = [f"{i % 2 * 9 + i / 10:.2f},{i / 7:.2f},{'ab'[i % 2]}" for i in range(12)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("u,v,class\n" + "\n".join(ROWS))
    (tmp_path / "classes.csv").write_text("class\n" + "\n".join("ab" * 6))
    (tmp_path / "link.html").symlink_to("t.csv")
    save(GLVQ(random_state=0).fit(np.eye(4), [0, 0, 1, 1]), tmp_path / "m.skops")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "fit t.csv -y -o t.csv",
        "fit t.csv -y -o ./t.csv",
        "fit t.csv --labels classes.csv -y -o classes.csv",
        "analyze t.csv -y -o t.csv",
        "analyze t.csv -y -o link.html",
        "analyze t.csv -y -o page.html --save t.csv",
        "predict m.skops t.csv -y -o t.csv",
        "predict m.skops t.csv -y -o m.skops",
    ],
)
def test_what_is_read_is_not_written_over(folder, words):
    """Faulty before: the data were gone, and the command said that all was well."""
    before = {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2
    assert "is read by this command, and would be lost" in result.stderr
    assert {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))} == before
