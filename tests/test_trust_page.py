"""The page of trust: a fault in any line is a fault of the whole."""

import json

import trust_page


def test_faults_of_all_lines_are_counted(tmp_path):
    lines = [("Tests", "a", 5, 2, "why"), ("Files", "b", 7, 0, ""), ("Zoo", "c", 1, 0, "")]
    for k, line in enumerate(lines):
        record = dict(zip(("area", "what", "tried", "failed", "note"), line))
        (tmp_path / f"{k}.json").write_text(json.dumps(record))
    text, faults = trust_page.page(trust_page.gather(tmp_path), "today", "commit 12ab")
    assert faults == 2
    assert "today, commit 12ab: **13 trials, 2 faults**" in text
    assert "| a (why) | 5 | 2 |" in text


def test_the_page_says_of_what_it_speaks(tmp_path, monkeypatch):
    monkeypatch.setattr(trust_page, "PAGE", tmp_path / "trust.md")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert trust_page.commit() == "a source that is not a clone"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert trust_page.commit() == "a source that is not a clone"
