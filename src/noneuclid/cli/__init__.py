"""The command ``noneuclid``: from a data file to an answer a person can look at.

One file per command. What a command works with is imported when it runs, so that help, the version
and the refusal of a wrong option come at once.
"""

from noneuclid import _signals
from noneuclid import _terminal as terminal
from noneuclid.cli.program import app

# Importing a command adds it, in the order of the help.
# isort: off
from noneuclid.cli import look, analyze, fit, predict, check, compare, demo, warm_up
# isort: on

__all__ = [
    "analyze",
    "app",
    "check",
    "compare",
    "demo",
    "fit",
    "look",
    "main",
    "predict",
    "warm_up",
]


def main() -> None:
    """Run the command; the entry point of the package."""
    _signals.listen()
    with terminal.output():
        app(prog_name="noneuclid")
