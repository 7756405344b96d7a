"""What the tests of data that are read by blocks share."""

import pytest
from large_parts import QUICK, TABLE, run, to_csv


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """A model, and what it predicts for the whole table in memory."""
    folder = tmp_path_factory.mktemp("large")
    to_csv(TABLE, folder / "all.csv")
    run("fit", folder / "all.csv", *QUICK, "-o", folder / "m.skops")
    run("predict", folder / "m.skops", folder / "all.csv", "-o", folder / "p.csv")
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path
