"""Completion by the shell, and an installation without the extra of the command."""

import os
import subprocess
import sys

import pytest

from noneuclid import __main__


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("noneuclid co", ["compare"]),
        ("noneuclid analyze no.csv --mi", ["--missing"]),
        ("noneuclid fit no.csv --kind s", ["similarity", "spikes", "sequences"]),
        ("noneuclid predict no.skops no.csv --ca", ["--case"]),
    ],
)
def test_the_shell_completes_commands_options_and_choices(line, offered, tmp_path):
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    done = subprocess.run(
        [sys.executable, "-m", "noneuclid"],
        env={**os.environ, **asked, "_NONEUCLID_COMPLETE": "complete_bash"},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.stdout.split() == offered
    assert done.stderr == ""  # that a file is not there yet is no concern of the shell


def test_without_its_extra_the_command_says_what_to_install(monkeypatch):
    found = __main__.importlib.util.find_spec
    monkeypatch.setattr(
        __main__.importlib.util, "find_spec", lambda name: None if name == "typer" else found(name)
    )
    with pytest.raises(SystemExit) as end:
        __main__.main()
    assert end.value.code.endswith('not: pip install "noneuclid[cli]"')
    assert end.value.code.startswith("The command noneuclid needs typer, ")
