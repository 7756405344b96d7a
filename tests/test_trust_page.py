"""The page of trust: a fault in any line is a fault of the whole."""

import json

import trust_page


def test_faults_of_all_lines_are_counted(tmp_path):
    lines = [("Tests", "a", 5, 2, "why"), ("Files", "b", 7, 0, ""), ("Zoo", "c", 1, 0, "")]
    for k, line in enumerate(lines):
        record = dict(zip(("area", "what", "tried", "failed", "note"), line))
        (tmp_path / f"{k}.json").write_text(json.dumps(record))
    text, faults = trust_page.page(trust_page.gather(tmp_path), "today")
    assert faults == 2
    assert "**13 trials, 2 faults**" in text
    assert "| a (why) | 5 | 2 |" in text
