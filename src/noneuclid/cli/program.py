"""The program that the commands belong to."""

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._version import __version__

app = typer.Typer(
    cls=terminal.Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

running: ContextVar[str] = ContextVar("running", default="")
"""Name of the command that runs."""


def _examples(*lines: str, note: str = "") -> str:
    """The end of a help text."""
    shown = "\n".join(f"  noneuclid {line}" for line in lines)
    return f"Example{'s' * (len(lines) > 1)}:\n\n\b\n{shown}\n{note}"


def command(*examples: str, note: str = "") -> Callable[[Callable[..., None]], Any]:
    """A command that shows examples in its help, and fails in one sentence.

    Parameters
    ----------
    *examples : str
        What may follow ``noneuclid``.
    note : str
        Shown after them.

    Returns
    -------
    decorator : callable
    """
    declared = app.command(epilog=_examples(*examples, note=note))
    return lambda function: declared(terminal.guarded(_named(function)))


def _named(function: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        token = running.set(function.__name__)
        try:
            function(*args, **kwargs)
        finally:
            running.reset(token)

    return run


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"noneuclid {__version__}")
        raise typer.Exit


@app.callback(
    epilog=_examples(
        "demo",
        "look spectra.csv",
        "analyze distances.csv --labels classes.txt -o report.html",
        "fit spectra.csv --labels fat_class -o model.skops",
        "predict model.skops new_spectra.csv",
        "check similarities.npz",
        "compare before.csv after.csv",
    )
)
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Machine learning in the geometry your data really has."""
