"""What the command line shows: progress, tables, and one sentence when something is wrong."""

import functools
import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from noneuclid import _signals, _speech
from noneuclid._files import DataError
from noneuclid._memory import NotEnoughMemory
from noneuclid._text import visible
from noneuclid._writing import is_stream, write_atomically

T = TypeVar("T")


class _Screen(Console):
    """Standard output; when nobody reads it any more, the work goes on in silence."""

    def on_broken_pipe(self) -> None:
        self.quiet = True
        _silence()


console = _Screen(highlight=False, emoji=False, markup=False)
errors = Console(stderr=True, highlight=False, emoji=False, markup=False)

BAD_INPUT = 2
INTERRUPTED = _signals.INTERRUPTED

# Letters of an unexpected message that are shown.
_LONGEST = 200
# Files of this command, and what they were before: what is another file now was written.
_targets: dict[Path, tuple[int, int] | None] = {}


class Commands(TyperGroup):
    """The commands; an argument that is wrong, perhaps the name of a file, is shown plainly."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the options before the command."""
        with _plain_usage_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Read the options of the command, and run it."""
        with _plain_usage_errors():
            return super().invoke(ctx)


@contextmanager
def _plain_usage_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # of click, wherever typer has it from
            words = visible(error.format_message())
            error.format_message = lambda: words
        raise


def guarded(command: Callable[..., T]) -> Callable[..., T]:
    """Turn errors into one sentence and an exit code, never a traceback.

    Bad input exits with 2, an interrupt with 130, a fault of this program with 1. Setting the
    environment variable ``NONEUCLID_DEBUG`` shows the traceback after all.
    """

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> T:
        _targets.clear()
        try:
            with _signals.raising(_stopped), _speech.in_command():
                try:
                    return command(*args, **kwargs)
                except Exception:
                    if _signals.stopped():  # what an interrupt became on its way through others
                        raise KeyboardInterrupt from None
                    raise
        except DataError as error:
            fail(str(error), BAD_INPUT)
        except KeyboardInterrupt:
            fail(_stopped(), INTERRUPTED, word="")
        except (typer.Exit, typer.Abort):
            raise
        except OSError as error:
            fail(_of_system(error), BAD_INPUT)
        except NotEnoughMemory as error:
            fail(str(error), BAD_INPUT)
        except MemoryError:
            fail("the data do not fit into memory: give fewer objects", BAD_INPUT)
        except Exception as error:
            if "NONEUCLID_DEBUG" in os.environ:
                raise
            text = textwrap.shorten(str(error), _LONGEST, placeholder=" …") or "no message"
            fail(
                f"this should not have happened: {text} ({type(error).__name__}; set "
                "NONEUCLID_DEBUG=1 to see where)",
                1,
            )

    return run


def _of_system(error: OSError) -> str:
    where = f" ({error.filename})" if error.filename else ""
    return f"{(error.strerror or str(error)).lower()}{where}"


def fail(sentence: str, code: int, word: str = "error: ") -> NoReturn:
    """Print one sentence and leave."""
    sentence = sentence[:1].upper() + sentence[1:] if not word else sentence
    _print_error(word, sentence)
    raise typer.Exit(code)


def _print_error(word: str, sentence: str) -> None:
    errors.print(Text.assemble((word, "bold red"), _plain(sentence)), soft_wrap=True)


def write(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all, and remember it for the case of an interrupt."""
    note(path)
    write_atomically(path, content)


def note(path: Path) -> None:
    """Remember a file that will be written."""
    _targets[path] = _identity(path)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _stopped() -> str:
    written = [path.name for path, before in _targets.items() if _identity(path) != before]
    what = f"only {' and '.join(written)}" if written else "nothing"
    return f"Stopped; {what} was written"


def put(text: str) -> None:
    """Write text to standard output as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    except OSError:  # which is told once
        _silence()
        raise


def _silence() -> None:
    """Let standard output lead nowhere, as its reader has left or its disk is full."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@contextmanager
def output() -> Iterator[None]:
    """Say in one sentence that standard output cannot be written; Python shows a traceback."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        _silence()
        if not isinstance(error, BrokenPipeError):
            _print_error("error: ", _of_system(error))
            sys.exit(BAD_INPUT)


def check_target(path: Path, *read: Path | str | None) -> None:
    """Raise before the work begins, if its result could not be written, or over what is read.

    Parameters
    ----------
    path : Path
        Where the result is to go.
    *read : Path or str, optional
        Files that are read; a word that is no file, such as the name of a column, is none.
    """
    if is_stream(path):
        return
    if any(one is not None and _is_same_file(path, Path(one)) for one in read):
        raise DataError(f"{str(path)!r} is read by this command, and would be lost: choose another")
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder: give the name of a file to write")
    if not folder.is_dir():
        raise DataError(f"there is no folder {str(folder)!r} to write {path.name} to: create it")
    if not os.access(folder, os.W_OK):
        raise DataError(f"the folder {str(folder)!r} cannot be written to: choose another with -o")


def _is_same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # one of them is not there, or no name that a file could have
        return False


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error, if a person is looking; gives a function that advances it."""
    if not errors.is_terminal:  # a disabled bar of rich still ends in an empty line
        yield lambda what: None
        return
    with _bar() as bar:
        task = bar.add_task("starting", total=total)
        yield lambda what: bar.update(task, advance=1, description=visible(what))


@contextmanager
def passes() -> Iterator[Callable[..., None]]:
    """A bar for passes over blocks: told the number of a pass, tasks done and all, or a step."""
    if not errors.is_terminal:
        yield lambda *what: None
        return
    with _bar() as bar:
        task, step = bar.add_task("starting", total=None), "reading"

        def watch(*what: Any) -> None:
            nonlocal step
            number, done, total = what if len(what) == 3 else (None, 0, 0)
            step = step if len(what) == 3 else visible(what[0])
            shown = step if number is None else f"{step}: pass {number}"
            bar.update(task, completed=done, total=total or None, description=shown)

        yield watch


def _bar() -> Progress:
    columns = (
        TextColumn("{task.description:<26}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("to go:"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=errors, transient=True)


def show(rows: list[tuple[str, str]], columns: tuple[str, str]) -> None:
    """A table of two columns."""
    table = Table(show_edge=False, pad_edge=False)
    table.add_column(columns[0])
    table.add_column(columns[1], justify="right")
    for name, value in rows:
        table.add_row(_plain(name), _plain(value))
    console.print(table)


def say(text: str, style: str = "") -> None:
    """Print a line; nothing means anything special in it."""
    console.print(_plain(text), style=style, soft_wrap=True)


def remark(text: str) -> None:
    """Print a line beside the results, on standard error."""
    errors.print(_plain(text), soft_wrap=True)


def show_data(lines: str) -> None:
    """Print lines of data: as they are for another program, with nothing hidden for a person."""
    put(visible(lines, keep="\n") if sys.stdout.isatty() else lines)


def _plain(text: str) -> Text:
    """Text without markup, and without what would do something to the terminal."""
    return Text(visible(text).replace("\xa0", " "))
