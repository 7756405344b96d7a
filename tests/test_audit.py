"""Versions are compared with advisories as the OSV schema says."""

import json
import os
import shutil
import subprocess

import pytest

import advisories
import audit


def advisory(*events, versions=(), kind="ECOSYSTEM", name="Some_Package", **more):
    package = {"name": name, "ecosystem": "PyPI"}
    ranges = [{"type": kind, "events": list(events)}] if events else []
    part = {"package": package, "ranges": ranges, "versions": list(versions)}
    return {"id": "PYSEC-1", "affected": [part], **more}


SPAN = advisory({"introduced": "1.2"}, {"fixed": "1.10"})
TWICE = advisory({"introduced": "3"}, {"fixed": "2.1"}, {"introduced": "0"}, {"fixed": "3.0.4"})
LAST = advisory({"introduced": "0"}, {"last_affected": "2.0"})
LIMIT = advisory({"introduced": "1"}, {"limit": "2"})
LISTED = advisory(versions=["1.0", "2004d", "2.0.post1"])
COMMITS = advisory({"introduced": "0"}, kind="GIT")


@pytest.mark.parametrize(
    ("told", "affected", "not_affected"),
    [
        (SPAN, ["1.2", "1.2.0", "1.9.9", "1.10rc1"], ["1.1", "1.2rc1", "1.10", "1.10.0", "2!1.5"]),
        (TWICE, ["0.1", "2.0.9", "3.0", "3.0.3"], ["2.1", "2.9", "3.0.4", "9"]),
        (LAST, ["0.0.1.dev1", "2.0", "2.0.0"], ["2.0.post1", "2.0.1"]),
        (LIMIT, ["1.0", "1.9"], ["0.9", "2.0", "3"]),
        (LISTED, ["1", "1.0.0", "2.0.post1"], ["2.0", "1.0.1"]),
        (COMMITS, [], ["1.0"]),
    ],
    ids=["span", "twice", "last", "limit", "listed", "commits"],
)
def test_which_versions_are_affected(told, affected, not_affected):
    for version in [*affected, *not_affected]:
        found = advisories.affects(told, "some-package", version)
        assert found == (version in affected), version
        assert not advisories.affects(told, "another", version)


def _copy(folder):
    """A copy of a database: what stands in YAML and JSON, what was withdrawn, another ecosystem."""
    gone = advisory({"introduced": "0"}, withdrawn="2020-01-01T00:00:00Z")
    other = advisory({"introduced": "0"})
    other["affected"][0]["package"]["ecosystem"] = "npm"
    (folder / "vulns").mkdir()
    for name, told in {"a.json": SPAN, "b.yaml": LAST, "c.json": gone, "d.json": other}.items():
        text = json.dumps(told | {"id": f"PYSEC-{name[0]}"})
        (folder / "vulns" / name).write_text(text, encoding="utf-8")
    (folder / "README.md").write_text("name: some-package", encoding="utf-8")
    return folder


def _committed(folder):
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    date = "2024-05-06T07:08:09Z"
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "x", "--date", date]):
        command = ["git", "-C", str(folder), *words]
        subprocess.run(command, check=True, env=os.environ | {"GIT_COMMITTER_DATE": date})
    return folder


NO_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.mark.parametrize("kind", ["folder", pytest.param("git", marks=NO_GIT)])
def test_an_audit_by_a_copy(kind, tmp_path, monkeypatch, capsys):
    source = _copy(tmp_path) if kind == "folder" else _committed(_copy(tmp_path))
    monkeypatch.setattr(audit, "SOURCE", str(source))
    pins = ["Some.Package==1.5", "some_package==2.5", "noise==1", "local @ file:///x"]
    found = audit.look_up("no tool is needed", pins)
    assert [[v["id"] for v in p.get("vulns", [])] for p in found] == [
        ["PYSEC-a", "PYSEC-b"],
        [],
        [],
        [],
    ]
    assert ["skip_reason" in p for p in found] == [False, False, False, True]
    assert audit.tell(found) == 1
    assert capsys.readouterr().out == "some-package 1.5: PYSEC-a, PYSEC-b\n"
    if kind == "git":
        assert advisories.date(source) == "2024-05-06"
