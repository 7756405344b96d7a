"""The page about the command: what it shows is so, and it knows every option for reading."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import CliRunner

from noneuclid.cli import app
from noneuclid.cli.reading import options_of

PAGE = (Path(__file__).parents[2] / "docs" / "tool.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.S)


def files(folder):
    rng = np.random.default_rng(0)
    head = ["sample_id", "class", *(f"{x:g}" for x in np.linspace(850, 908, 30)), "Fat (%)"]
    rows = [head]
    for i in range(40):
        curve = np.sin(np.linspace(0, 3, 30) + 0.5 * (i % 2)) + 0.01 * rng.normal(size=30)
        name = ["low", "high"][i % 2]
        rows.append([f"s{i}", name, *(f"{v:.4f}" for v in curve), f"{3 * rng.random():.2f}"])
    (folder / "spectra.csv").write_text("\n".join(map(",".join, rows)))
    for name, letters in (("before", "ACGT"), ("after", "AACGT")):
        words = ["".join(rng.choice(list(letters), 12)) for _ in range(30)]
        (folder / f"{name}.txt").write_text("\n".join(words))
    x = rng.normal(size=(20, 2))
    np.savetxt(folder / "distances.csv", np.linalg.norm(x[:, None] - x, axis=2), delimiter=",")
    (folder / "groups.txt").write_text("\n".join(["treated", "control"] * 10))


@pytest.mark.slow
def test_what_the_page_shows_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    lines = [line for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
    for line in lines:
        done = CliRunner().invoke(app, shlex.split(line)[2:])
        assert done.exit_code == 0, (line, done.output)


def test_the_file_is_shown_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files(tmp_path)
    command, *shown = BLOCKS[0].splitlines()
    assert CliRunner().invoke(app, shlex.split(command)[2:]).stdout.splitlines() == shown


def test_the_page_has_all_commands_and_options_for_reading():
    commands = get_command(app).commands
    for name in commands:
        assert f"`{name}" in PAGE
    everywhere = set.union(*map(options_of, commands))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) - {"--install-completion"}
    assert named - {"--help", "--show-completion"} <= everywhere
    reading = {flag for flag in options_of("look") if flag.startswith("--")} & options_of("analyze")
    assert reading - {"--memory-limit", "--scheduler"} <= named
