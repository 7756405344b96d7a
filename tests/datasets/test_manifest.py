"""Every file of tests/files is understood as its manifest says, and none lies there unsaid."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from noneuclid.datasets import DataError, read_dataset

FILES = Path(__file__).parents[1] / "files"
EXPECTED = tomllib.loads((FILES / "expected.toml").read_text(encoding="utf-8"))
LARGEST = 10_000


def read(name):
    wanted = EXPECTED[name]
    if "needs" in wanted:
        pytest.importorskip(wanted["needs"])
    return read_dataset(FILES / wanted.get("file", name), **wanted.get("options", {}))


def shape_of(X):
    if isinstance(X, np.ndarray):
        return list(X.shape)
    return [len(X), min(map(len, X)), max(map(len, X))]


def test_every_file_has_its_entry():
    there = {path.name for path in FILES.iterdir()} - {"expected.toml"}
    assert there == {wanted.get("file", name) for name, wanted in EXPECTED.items()}
    assert all((FILES / name).stat().st_size < LARGEST for name in there)


@pytest.mark.parametrize("name", [name for name in EXPECTED if "refused" not in EXPECTED[name]])
def test_understood(name):
    wanted, data = EXPECTED[name], read(name)
    assert (data.kind, shape_of(data.X)) == (wanted["kind"], wanted["shape"])
    assert data.units == wanted.get("units", "")
    assert data.names[: len(wanted.get("names", []))] == wanted.get("names", [])
    if "options" not in wanted:
        assert data.classes == wanted.get("classes", {})
    if "grid" in wanted:
        assert data.grid[[0, -1]].tolist() == wanted["grid"]
    first = wanted.get("first", [])
    np.testing.assert_allclose(np.asarray(data.X[0])[: len(first)], first, atol=1e-12)
    for note in wanted.get("notes", []):
        assert any(note in said for said in data.notes), (note, data.notes)


@pytest.mark.parametrize("name", [name for name in EXPECTED if "refused" in EXPECTED[name]])
def test_refused(name):
    with pytest.raises(DataError) as refused:
        read(name)
    said = str(refused.value)
    assert EXPECTED[name]["refused"] in said
    assert said.isprintable()


@pytest.mark.parametrize("name", [name for name in EXPECTED if "refused" not in EXPECTED[name]])
def test_the_code_reads_the_same(name):
    """What a page shows as the way to have the data again gives the data again."""
    data = read(name)
    again = eval(data.code, {"read_dataset": read_dataset})
    assert again.understood == data.understood
    assert all(map(np.array_equal, again.X, data.X))
