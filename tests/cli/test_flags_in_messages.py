"""Every option that a message advises exists in every command that may say it."""

import ast
import re
from pathlib import Path

import pytest
from typer.main import get_command

import noneuclid
from noneuclid.cli.program import app
from noneuclid.cli.reading import options_of

ROOT = Path(noneuclid.__file__).parent
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMANDS = set(get_command(app).commands)
READS = {"look", "analyze", "fit", "predict", "check", "compare"}
CLASSES = {"look", "analyze", "fit"}
BLOCKS = {"look", "analyze", "fit", "predict", "compare"}
# Which commands say what stands there: the longest beginning of module and function counts.
SAID_BY = {
    "datasets": READS,
    "datasets._class_columns": CLASSES,
    "datasets._columns.roles_of": READS,
    "datasets._labels": CLASSES,
    "datasets._targets": CLASSES,
    "datasets._letters.refuse_numbers": READS - {"predict"},  # whose kind is that of the model
    "datasets._columns.refuse_prose": READS - {"predict"},
    "datasets._edges.edges": READS - {"predict"},
    "datasets.reading._kind": READS - {"predict"},
    "datasets.reading._objects": READS - {"predict"},
    "datasets.reading._proximities": READS - {"predict"},
    "datasets.reading._as_squares": READS - {"predict"},
    "datasets.understanding": set(),  # shown by the commands that have them only
    "datasets._columns._ALL_FEATURES": set(),
    "datasets._columns._standing": set(),
    "datasets.large": BLOCKS,
    "datasets.large.survey.outlined": BLOCKS - {"predict"},
    "report.analysis": {"analyze", "fit"},
    "report.checking.check_landmarks": {"check"},
    "report.checking": {"compare"},
    "report.engine": BLOCKS,
    "report.export": {"analyze"},
    "report.fitting": {"fit"},
    "report.large.fit_large": {"fit"},
    "report.large": {"compare"},
    "report.matrices": {"analyze", "fit", "check", "compare"},
    "report.parts": {"analyze"},
    "report.prediction": {"predict"},
    "report.two_samples": {"compare"},
    "_speech": set(),  # what they are called in Python
    "cli.by_blocks.ByBlocks.sample": {"analyze"},
    "cli.by_blocks": BLOCKS,
    "cli.by_blocks.say_units": {"compare"},
    "cli.options": set(),  # the options themselves
    "cli.options.refuse_by_blocks": BLOCKS,
    "cli.program": set(),  # and examples of all commands
    "cli.reading.or_no_labels": {"analyze", "look"},
    "cli.running": {"analyze", "fit"},
    **{f"cli.{name}": {name} for name in COMMANDS},
}
# Of other programs, or said about a file that analyze wrote.
ELSEWHERE = {"--upgrade", "--save"}
# Columns that a command takes are looked up by one function, with the option that named them.
ASKED_FOR = {"--ignore", "--groups", "--target", "--id", "--axis", "--labels"}


def messages():
    for file in sorted(ROOT.rglob("*.py")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        yield from walk(ast.parse(file.read_text(encoding="utf-8")), module)


def walk(node, where):
    for child in ast.iter_child_nodes(node):
        inside = where
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inside = f"{where}.{child.name}"
        if isinstance(node, ast.Module) and isinstance(child, ast.Assign):
            inside = f"{where}.{ast.unparse(child.targets[0])}"
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            for flag in FLAG.findall(child.value):
                yield inside, flag
        yield from walk(child, inside)


SAID = sorted({(where, flag) for where, flag in messages() if flag not in ELSEWHERE})


def sayers(where):
    known = [one for one in SAID_BY if where == one or where.startswith(one + ".")]
    return SAID_BY[max(known, key=len)] if known else None


@pytest.mark.parametrize("where", sorted({where for where, _ in SAID}))
def test_advice_names_options_that_the_command_has(where):
    commands = sayers(where)
    assert commands is not None, f"say in SAID_BY which commands say what {where} says"
    for flag in (flag for place, flag in SAID if place == where):
        for command in sorted(commands):
            only_if_given = where.startswith("datasets") and flag in ASKED_FOR
            assert flag in options_of(command) or only_if_given, (command, flag)


def test_there_are_messages_to_look_at():
    assert ("datasets.reading._refuse_holes", "--missing") in SAID
    assert len(SAID) > 40


def test_what_every_reading_command_takes():
    everywhere = {"--axis", "--ignore", "--id", "--case", "--missing", "--yes"}
    everywhere |= {"--format", "--sheet", "--decimal"}
    for command in READS:
        assert everywhere <= options_of(command), command
    for command in READS - {"predict"}:  # the model knows
        assert {"--kind", "--squared", "--plain", "--symmetrize"} <= options_of(command), command
    for command in CLASSES:
        assert {"--labels", "--target", "--groups"} <= options_of(command), command
