"""An analysis is what its parts say, in their order, each asked once."""

import contextlib
import io
import re
import runpy
import warnings
from collections import Counter
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest
from small_analyses import DATA, QUICK

from noneuclid.datasets import Dataset, make_contaminated, make_families, make_indefinite
from noneuclid.report import (
    Part,
    Prose,
    Section,
    Settings,
    Study,
    analyze,
    compose,
    figures,
    parts_of,
    render,
)

STUDY = Study(Dataset("sequences", ["AC", "AG"], source="two.txt", code="read_dataset('two.txt')"))


class Word(Part):
    def __init__(self, word):
        self.title, self.sentence, self.word = word.title(), f"It is {word}.", word

    def blocks(self):
        return [Prose(self.word)]

    def results(self):
        return [("word", self.word)]

    def code(self):
        return [f"print({self.word!r})"]


def test_everything_is_said_in_the_order_of_the_parts():
    found = compose(STUDY, [Word("one"), Word("two")])
    assert found.title == "two.txt: 2 sequences"
    assert found.understood == STUDY.data.understood
    assert found.findings == ["It is one.", "It is two."]
    assert [section.title for section in found.sections] == ["One", "Two"]
    assert [section.lead for section in found.sections] == found.findings
    assert found.results == [("word", "one"), ("word", "two")]
    assert found.code.splitlines()[2:] == [
        "data = read_dataset('two.txt')",
        "print('one')",
        "print('two')",
    ]
    assert found.model is None


def test_nothing_is_asked_twice():
    asked = Counter()

    class Counting(Part):
        title = "Counted"

        def blocks(self):
            asked["blocks"] += 1
            return [Prose("text")]

        @cached_property
        def sentence(self):
            asked["sentence"] += 1
            return "A sentence."

        def code(self):
            asked["code"] += 1
            return []

    found = compose(STUDY, [Counting()])
    assert found.findings == ["A sentence."]
    assert found.sections[0].lead == "A sentence."
    assert asked == {"blocks": 1, "sentence": 1, "code": 1}


def test_a_part_has_nothing_to_say_by_itself():
    part = Part()
    assert part.sections() == part.findings() == part.results() == part.code() == []
    assert compose(STUDY, []).sections == []


def test_a_lead_of_its_own_is_no_finding():
    class Quiet(Part):
        title, lead = "Quiet", "Over the section only."

        def blocks(self):
            return [Prose("text")]

    found = compose(STUDY, [Quiet()])
    assert found.findings == []
    assert found.sections == [Section("Quiet", [Prose("text")], "Over the section only.")]


def test_only_some_of_it():
    part = Word("one")
    numbers, words = part.only("code", "results"), part.only("findings", "sections")
    found = compose(STUDY, [numbers, Word("two"), words])
    assert found.findings == ["It is two.", "It is one."]
    assert found.results == [("word", "one"), ("word", "two")]
    assert [section.title for section in found.sections] == ["Two", "One"]
    with pytest.raises(ValueError, match=r'kinds \(=\'words\'\) must be one of "sections"'):
        part.only("words")


def test_the_model_of_a_part_is_the_model_of_the_analysis():
    part = Word("one")
    part.model = "a model"
    assert compose(STUDY, [Word("two"), part]).model == "a model"
    assert compose(STUDY, [part.only("code")]).model == "a model"


def test_data_without_an_expression_leave_a_gap_to_fill():
    code = compose(Study(Dataset("sequences", ["AC"])), []).code
    assert code.split() == ["data", "=", "..."]
    exec(code, {})


# --- parts of one's own ---------------------------------------------------------------------------


def test_parts_of_ones_own_come_last_and_see_the_model():
    seen = []

    class Mine(Part):
        sentence = "Mine."

        def __init__(self, study):
            seen.append(study)

    data = make_indefinite(24)
    found = analyze(data, QUICK, parts=[Mine, lambda study: Word("last")])
    assert found.findings[-2:] == ["Mine.", "It is last."]
    assert found.sections[-1].title == "Last"
    (study,) = seen
    assert study.model is found.model
    assert study.data is data
    assert study.seed == 0
    assert "<h2 " in render(found)


EXAMPLE = Path(__file__).parents[2] / "examples" / "your_own_report_part.py"


def test_the_example_of_the_documentation():
    names = runpy.run_path(str(EXAMPLE), run_name="your_own_report_part")
    data = replace(make_indefinite(24), labels=np.array(["a"] * 18 + ["b"] * 6))
    found = analyze(data, QUICK, parts=[names["ClassBalance"]])
    evenness = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25)) / np.log(2)
    assert found.results[-1] == ("evenness", f"{evenness:.2f}")
    assert found.findings[-1] == f"The evenness of the classes is {evenness:.2f}; 1 is even."
    assert found.sections[-1].blocks[0].rows == [["a", "75%"], ["b", "25%"]]
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(found.code.replace(data.code, "given"), {"given": data})
    assert float(output.getvalue().split()[-1]) == pytest.approx(evenness)


def test_the_lines_of_the_documentation_run():
    page = EXAMPLE.parents[1] / "docs" / "adding_a_report_part.md"
    names = runpy.run_path(str(EXAMPLE), run_name="your_own_report_part")
    (block,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    names["data"] = make_contaminated(24, n_outliers=0)
    exec(block.replace("Study(data)", "Study(data, quick)"), {**names, "quick": QUICK})
    for name in re.findall(r"`noneuclid\.report\.figures`: (.*?);", page.read_text("utf-8"), re.S):
        for function in re.findall(r"`(\w+)`", name):
            assert hasattr(figures, function)


def test_warnings_of_parts_are_remarks():
    def warning(study):
        warnings.warn("part 3 is slow", UserWarning, stacklevel=2)
        return Word("slow")

    found = analyze(replace(make_contaminated(20), labels=None), QUICK, parts=[warning, warning])
    assert found.notes == ["part 3 is slow"]


@pytest.mark.parametrize("kind", ["curves", "vectors"])
def test_parts_can_be_listed_and_left_out(kind):
    study = Study(replace(DATA[kind](), labels=None), QUICK)
    parts = parts_of(study)
    whole, half = compose(study, parts), compose(study, parts[: len(parts) // 2])
    assert whole.findings == analyze(study.data, QUICK).findings
    assert half.sections == whole.sections[: len(half.sections)]
    assert 0 < len(half.sections) < len(whole.sections)


def test_steps_are_announced():
    from noneuclid.report.analysis import steps

    for labels in (True, False):
        data = make_indefinite(24)
        data = data if labels else replace(data, labels=None)
        done = []
        analyze(data, QUICK, advance=done.append)
        assert abs(len(done) - steps(data, QUICK)) <= 2
        assert done[0] == "diagnosis"


def test_the_metric_is_a_setting_or_an_argument():
    data = make_families(6, n_families=2)
    by_argument = analyze(data, QUICK, metric="indel")
    by_setting = analyze(data, replace(QUICK, metric="indel"))
    assert by_argument.results == by_setting.results
    assert "compared by their Indel distance (insertions and deletions)" in by_setting.understood
    assert Settings().metric == "levenshtein"
