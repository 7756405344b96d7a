"""Reading a file for a command: what is in doubt is asked, and what was understood is shown."""

import functools
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import BadClasses, DataError
from noneuclid.cli import program

if TYPE_CHECKING:
    from noneuclid.datasets import Dataset
    from noneuclid.datasets.understanding import Answer, Question


def read(path: Path, *, yes: bool = False, show: bool = True, **said: Any) -> "Dataset":
    """Read a file; ask whoever sits at the terminal what it does not tell.

    Parameters
    ----------
    path : Path
    yes : bool, default=False
        Ask nothing: take what is usual, and refuse where nothing is.
    show : bool, default=True
        Whether to show what was understood.
    **said
        Arguments of :func:`~noneuclid.datasets.read_dataset`.

    Returns
    -------
    data : Dataset
    """
    from noneuclid.datasets import read_dataset
    from noneuclid.datasets.understanding import Ambiguous

    while True:
        try:
            data = read_dataset(path, **said)
        except Ambiguous as doubt:
            answer = _asked(path.name, doubt.question, yes)
            if answer is None:
                raise
        else:
            question = next(iter(data.questions), None)
            answer = None if question is None else _asked(path.name, question, yes)
            if answer is None:
                if show:
                    show_understanding(data)
                return data
        said |= answer.said


def _asked(name: str, question: "Question", yes: bool) -> "Answer | None":
    """What a person answers; None if there is nobody, or the command lacks the option for it."""
    allowed = [one for one in question.answers if not (_options(one.flag) - options_of_command())]
    if yes or not is_interactive() or not allowed:
        return None
    terminal.remark(f"{name}: {question.words}")
    for k, one in enumerate(allowed, 1):
        terminal.remark(f"  {k}  {one.words} ({one.flag})")
    usual = None if question.default is None else str(question.default + 1)
    while True:
        given = typer.prompt("Number", default=usual, err=True).strip()
        if given.isdecimal() and 1 <= int(given) <= len(allowed):
            return allowed[int(given) - 1]
        terminal.remark(f"Say a number from 1 to {len(allowed)}.")


def is_interactive() -> bool:
    """Whether a person can be asked: input and messages are a terminal's."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def options_of_command() -> set[str]:
    """The options of the command that runs."""
    return options_of(program.running.get())


@functools.cache
def options_of(command: str) -> set[str]:
    """The options of a command, by its name; none of another word."""
    known: dict[str, Any] = typer.main.get_command(program.app).commands  # type: ignore[attr-defined]
    params = known[command].params if command in known else []
    return {name for one in params for name in (*one.opts, *one.secondary_opts)}


def _options(flag: str) -> set[str]:
    return {word for word in shlex.split(flag) if word.startswith("--")}


def show_understanding(data: Any, tell: Callable[[str], None] = terminal.say) -> None:
    """The head of every run: what the file was taken for, part by part, and what to say if not."""
    tell(data.understood)
    known = options_of_command()
    lines = []
    for part in getattr(data, "parts", ()):
        others = [f"{flag} ({is_then})" for flag, is_then in part.otherwise]
        fitting = [one for one, (flag, _) in zip(others, part.otherwise) if _options(flag) <= known]
        lines.append((part.what, part.taken_for, "; ".join(fitting)))
    if not lines:
        return
    first, second = (max(len(line[k]) for line in lines) for k in (0, 1))
    for what, taken_for, otherwise in lines:
        end = f"  otherwise {otherwise}" if otherwise else ""
        tell(f"  {what:<{first}}  {taken_for:<{second}}{end}".rstrip())


@contextmanager
def or_no_labels() -> Iterator[None]:
    """Say what to do about bad classes in a command that can do without."""
    try:
        yield
    except BadClasses as error:
        raise DataError(f"{error}, or say --no-labels") from None
