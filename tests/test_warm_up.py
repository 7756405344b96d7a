"""Compiling ahead: what is worked through, and where it is kept."""

from pathlib import Path

from typer.testing import CliRunner

from noneuclid import _warm_up
from noneuclid.cli import app
from noneuclid.testing import all_estimators


def test_every_estimator_is_worked_through():
    names = [name for name, _ in _warm_up.tasks()]
    assert {cls.__name__ for cls in all_estimators()} <= set(names)
    assert {"GLVQ in l1", "GLVQ, sample by sample", "dtw", "two_sample_test"} <= set(names)
    assert len(names) == len(set(names))


def test_the_command_says_where_code_is_kept(monkeypatch):
    done = []
    monkeypatch.setattr(_warm_up, "tasks", lambda: [("one", lambda: done.append(1))])
    said = CliRunner().invoke(app, ["warm-up"])
    assert said.exit_code == 0, said.output
    assert done == [1]
    assert Path(_warm_up.cache_folder()).name in said.output.replace("\n", "")
    monkeypatch.setattr(_warm_up, "cache_folder", lambda: None)
    assert "no folder is writable" in CliRunner().invoke(app, ["warm-up"]).output


def test_what_is_worked_through_works():
    """Of each kind one; the benchmark of cold starts runs all."""
    first = {}
    for name, run in _warm_up.tasks():
        first.setdefault(name.split(" in ")[0].split(",")[0], run)
    for name in ("GLVQ", "ParzenClassifier", "SpikeTrainPCA", "SpectrumCorrection", "dtw"):
        first[name]()
