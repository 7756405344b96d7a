"""The benchmarks find their peers, stop at their limit, and make one page of what they recorded."""

import importlib
import re
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def module(monkeypatch):
    """Modules of the benchmarks, which are no package."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if name in {path.stem for path in BENCHMARKS.glob("*.py")}:
            del sys.modules[name]


def test_every_peer_that_a_script_asks_for_is_on_a_list(module):
    listed = {peer for peers in module("_peers").environments().values() for peer in peers}
    text = "".join(path.read_text(encoding="utf-8") for path in BENCHMARKS.glob("[!_]*.py"))
    asked = set(re.findall(r'(?:peer_python|missing)\("([^"]+)"\)', text))
    assert len(asked) > 4
    assert asked <= listed


def test_a_peer_is_found_where_it_was_installed(module, monkeypatch, tmp_path):
    peers = module("_peers")
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    assert peers.peer_python("minisom") is None
    assert peers.missing("minisom") == "minisom is not installed: make benchmark-peers"
    python = tmp_path / peers.home("minisom").name / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    assert peers.peer_python("minisom") == str(python)
    (peers.home("minisom") / "failed.txt").write_text("no such version\n", encoding="utf-8")
    assert peers.peer_python("minisom") is None
    assert peers.missing("minisom") == "minisom is not installed: no such version"
    with pytest.raises(ValueError, match=r"no list in .* names nobody"):
        peers.home("nobody")


def test_a_script_that_fails_or_takes_too_long_stops_no_other(module, tmp_path):
    run = module("run").run
    for text, limit, wrong in (
        ("", 60, ""),
        ("raise SystemExit(3)", 60, "failed (3)"),
        ("import time; time.sleep(60)", 0.2, "took longer than 0 s"),
    ):
        script = tmp_path / "script.py"
        script.write_text(text, encoding="utf-8")
        assert run(script, [], limit) == wrong


def test_ratios_to_other_libraries_stand_together_with_versions_and_errors(module):
    report = module("report")

    def row(what, on, against, ratio):
        cells = {"what": what, "on": on, "against": against, "times faster": ratio}
        return cells | {"quality": "accuracy 0.9; 0.8"}

    rows = [
        row("GLVQ", "digits", "MiniSom, online", 2.0),
        row("GLVQ", "wine", "MiniSom, online", 3),
    ]
    rows.append(row("GLVQ", "", "all pairs", 7.0))  # ours in another way
    versions = {"noneuclid": "1", "minisom": "2.3"}
    record = {"benchmark": "maps", "versions": versions, "figures": {"ratios": rows}}
    *head, line, _ = report.summary([record])
    assert len(head) == 2
    assert "| minisom 2.3, online | **2** (digits)<br>**3** (wine) |" in line
    assert "accuracy 0.9; 0.8 (digits)" in line
    assert line.endswith("| [maps](#maps) |")
