"""What benchmarks measured is kept with machine and versions, and shown on one page."""

import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks"


@pytest.fixture
def modules(monkeypatch, tmp_path):
    """The three modules, their records in a folder of the test."""
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.delenv("NONEUCLID_BENCHMARK_INSIDE", raising=False)
    monkeypatch.setattr(sys, "argv", ["benchmarks/speed.py"])
    for name in ("_record", "_timing", "report"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    found = [importlib.import_module(name) for name in ("_record", "_timing", "report")]
    for name in ("_record", "_timing", "report"):
        monkeypatch.delitem(sys.modules, name)  # other folders have a module of that name
    monkeypatch.setattr(found[0], "RECORDS", tmp_path)
    monkeypatch.setattr(found[2], "RECORDS", tmp_path)
    return found


def test_the_page_is_that_of_the_records(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.delitem(sys.modules, "report", raising=False)
    page = importlib.import_module("report").page()
    monkeypatch.delitem(sys.modules, "report")
    said = "run make benchmark-report"
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == page, said


def test_figures_are_kept_with_machine_and_versions(modules, tmp_path):
    modules[0].record("speed", {"import": {"ours (s)": 0.4}, "rows": 7}, seconds=1.6)
    kept = json.loads((tmp_path / "speed.json").read_text(encoding="utf-8"))
    assert kept["figures"] == {"import": {"ours (s)": 0.4}, "rows": 7}
    assert {"noneuclid", "numpy", "scikit-learn"} <= set(kept["versions"])
    assert kept["machine"]["cores"] >= 1
    assert kept["machine"]["processor"]
    assert kept["command"] == "python benchmarks/speed.py"
    assert kept["seconds"] == 2


def test_ratios_and_lines_of_a_script_are_kept_and_shown(modules, tmp_path, capfd):
    record, timing, report = modules
    with record.recorded("speed.py"):
        timing.report("distances", 0.5, 1.0, against="a peer", goal="2")
        print("errors 3.4 %")
    kept = json.loads((tmp_path / "speed.json").read_text(encoding="utf-8"))
    (row,) = kept["figures"]["ratios"]
    assert (row["what"], row["times faster"], row["goal"]) == ("distances", 2.0, "2")
    assert kept["figures"]["printed"] == ["errors 3.4 %"]
    script = tmp_path / "speed.py"
    script.write_text('"""How fast it is."""\n', encoding="utf-8")
    shown = report.section(script, report.read(script))
    assert "How fast it is." in shown
    assert "| distances | a peer | 500.0 | 1000.0 | 2.0 | 2 |" in shown
    assert "errors 3.4 %" in shown
    assert kept["machine"]["processor"] in shown


def test_a_process_inside_a_benchmark_keeps_nothing(modules, tmp_path, monkeypatch):
    monkeypatch.setenv("NONEUCLID_BENCHMARK_INSIDE", "yes")
    with modules[0].recorded("speed.py"):
        pass
    assert not list(tmp_path.iterdir())


def test_what_is_not_recorded_is_said(modules, tmp_path):
    script = tmp_path / "slow.py"
    script.write_text('"""How slow it is."""\n', encoding="utf-8")
    assert "Not recorded yet." in modules[2].section(script, None)
