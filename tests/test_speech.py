"""Refusals name options of the command to those who run it, and arguments to those who call."""

import inspect
import re

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import noneuclid
from cli.test_flags_in_messages import FLAG, SAID
from noneuclid import _speech
from noneuclid._files import DataError
from noneuclid._speech import in_command, spoken
from noneuclid.cli.program import app
from noneuclid.datasets import as_dataset, read_dataset
from noneuclid.report import Settings, analyze
from noneuclid.report.checking import check_landmarks, compare_samples

# Said by commands alone: what is read by blocks, and where to write.
OF_COMMANDS = {"memory_limit", "scheduler"}
ARGUMENTS = {name for name, _ in _speech._VALUES.values()} | {
    words.split("=")[0] for words in _speech._SWITCHES.values()
}


def test_every_option_that_the_library_names_has_an_argument():
    library = {flag for where, flag in SAID if not where.startswith(("cli.", "_speech"))}
    assert len(library) > 15
    for flag in library:
        assert not FLAG.search(spoken(f"say {flag} now")), flag


def test_arguments_exist():
    functions = (read_dataset, analyze, Settings, check_landmarks, compare_samples)
    functions += (noneuclid.report.Analysis.export,)
    known = {name for one in functions for name in inspect.signature(one).parameters}
    assert known | OF_COMMANDS >= ARGUMENTS


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("say --missing drop or mean", 'say missing="drop" or "mean"'),
        ("say with --missing VALUE what", "say with missing=VALUE what"),
        ("--missing often: say drop", 'missing="often": say drop'),
        ("--id: f has no column 'x'", "index: f has no column 'x'"),
        ("say --labels 'a \\'b' if", "say labels='a \\'b' if"),
        ("--labels f.csv:COLUMN, or --no-labels", 'labels="f.csv:COLUMN", or use_labels=False'),
        ("--kind vectors or --plain", 'kind="vectors" or squared=False'),
        ("leave --kind out", "leave kind out"),
        ("--sheet 'My Data': none", "sheet='My Data': none"),
        ("--width -1 must be", "width=-1 must be"),
        ("at --scheduler tcp://h:1 (x): start", 'at scheduler="tcp://h:1" (x): start'),
        ("the file's '--kind vectors' isn't --kind", "the file's '--kind vectors' isn't kind"),
        ("by noneuclid fit or analyze --save", "by noneuclid fit or analyze --save"),
        ("--kindly --labels-of x--kind", "--kindly --labels-of x--kind"),
    ],
)
def test_translations(command, python):
    assert spoken(command) == python
    with in_command():
        assert spoken(command) == command
        assert str(DataError(command)) == command
    assert str(DataError(command)) == python


HOLES = pd.DataFrame({"a": [1.0, None, 3.0, 4.0], "b": [2.0, 3.0, 1.0, 5.0]})


@pytest.mark.parametrize(
    ("data", "said", "words"),
    [
        (HOLES, {}, 'missing="drop" or "mean"'),
        (HOLES, {"missing": "often"}, 'missing="often": say drop'),
        (HOLES, {"index": "who"}, "index: data has no column 'who'"),
        (HOLES, {"target": "who"}, "target: data has no column 'who'"),
        (HOLES, {"ignore": ["a", "b"]}, "take some out of ignore"),
        (-np.ones((3, 3)), {"kind": "dissimilarity"}, 'use kind="similarity"'),
        (np.eye(4) + 1e-3 * np.triu(np.ones((4, 4))), {"kind": "similarity"}, "symmetrize=True"),
    ],
)
def test_refusals_in_python(data, said, words):
    with pytest.raises(DataError) as refused:
        as_dataset(data, **said)
    assert words in str(refused.value)
    assert not FLAG.search(str(refused.value))
    with pytest.raises(DataError, match=re.escape(words)):
        analyze(data, **said)


def test_refusals_of_the_command(tmp_path):
    HOLES.to_csv(tmp_path / "holes.csv", index=False)
    done = CliRunner().invoke(app, ["look", str(tmp_path / "holes.csv"), "--yes"])
    assert done.exit_code == 2
    assert "--missing drop" in done.output
    assert "missing=" not in done.output
    assert spoken("--plain") == "squared=False"  # the command has ended
