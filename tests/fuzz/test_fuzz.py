"""Damaged files of every format: read, or refused in one sentence; nothing else ever happens."""

import sys
from pathlib import Path

import pytest

import campaigns

pytest.importorskip("resource", reason="limits of processes are those of Unix")
pytest.importorskip("pyarrow")
pytest.importorskip("openpyxl")
pytest.importorskip("neo")
pytest.importorskip("typer")

from fuzz_seeds import seeds
from fuzz_worker import FAULTS, FORMATS, case
from fuzzing import Child, campaign

from noneuclid.datasets import DataFile, all_readers, read_dataset
from noneuclid.datasets.readers import reader_of

SHARES = campaigns.size(2, 16)
INPUTS = campaigns.size(300, 20_000)


@pytest.fixture(scope="module")
def valid(tmp_path_factory):
    """Every valid file, by the format and its number."""
    folder, found = tmp_path_factory.mktemp("valid"), []
    for form, some in seeds().items():
        for k, content in enumerate(some):
            path = folder / f"{form}{k}.{form}"
            if isinstance(content, dict):
                path.mkdir()
                for name, part in content.items():
                    (path / name).write_bytes(part)
            else:
                path.write_bytes(content)
            if form != "labels":
                found.append(path)
    return found


def test_there_is_a_valid_file_for_every_reader(valid):
    for path in valid:
        assert len(read_dataset(path)) >= 6, path
    kinds = [type(r) for r in all_readers() if type(r).__module__.startswith("noneuclid.")]
    # Not those that examples register, if they ran before.
    own = {kind for kind in kinds if hasattr(sys.modules[kind.__module__], kind.__name__)}
    assert {type(reader_of(DataFile(path))) for path in valid} == own


def test_inputs_are_the_same_every_time():
    for form in FORMATS:
        first, again = case(form, 3), case(form, 3)
        assert first == again
        assert len({str(case(form, k).files) for k in range(20)}) > 10


def noticed(faults):
    child, stray = Child(), Path(__file__).with_name("stray")
    try:
        return {fault: child.run(fault, 0) for fault in faults}
    finally:
        child.close()
        if stray.exists():
            stray.rmdir()


def test_whatever_a_reader_might_do_is_noticed():
    for fault, outcome in noticed(set(FAULTS) - {"!HANG"}).items():
        assert outcome.startswith(fault[1:]), (fault, outcome)


def test_a_reader_that_does_not_end_is_noticed(monkeypatch):
    # Short only here: a busy machine needs seconds to fill the gibibyte of another fault.
    monkeypatch.setenv("FUZZ_SECONDS", "2")
    assert noticed(["!HANG"])["!HANG"].startswith("HANG")


@pytest.mark.trust
@pytest.mark.parametrize("share", range(SHARES))
def test_nothing_breaks_a_reader(share):
    """0 uncaught exceptions, signals, hangs over 20 s, peaks over 1 GiB, stray files."""
    numbers = range(share, INPUTS, SHARES)
    tried, wrong = campaign((FORMATS[k % len(FORMATS)], k // len(FORMATS)) for k in numbers)
    note = "no exception, signal, hang over 20 s, peak over 1 GiB or stray file"
    campaigns.record(
        "Files", "damaged files of every format read or refused", tried, len(wrong), note
    )
    assert tried == len(numbers)
    assert not wrong, "\n".join(wrong)
