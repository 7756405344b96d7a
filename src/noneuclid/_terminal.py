"""What the command line shows: progress, tables, and one sentence when something is wrong."""

import functools
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from noneuclid._text import visible
from noneuclid._writing import is_stream, write_atomically
from noneuclid.datasets import DataError

T = TypeVar("T")

console = Console(highlight=False, emoji=False, markup=False)
errors = Console(stderr=True, highlight=False, emoji=False, markup=False)

BAD_INPUT = 2
INTERRUPTED = 128 + signal.SIGINT

# Letters of an unexpected message that are shown.
_LONGEST = 200
_written: list[str] = []


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
        _written.clear()
        try:
            return command(*args, **kwargs)
        except DataError as error:
            fail(str(error), BAD_INPUT)
        except KeyboardInterrupt:
            what = f"only {' and '.join(_written)}" if _written else "nothing"
            fail(f"stopped; {what} was written", INTERRUPTED, word="")
        except (typer.Exit, typer.Abort):
            raise
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            fail(f"{(error.strerror or str(error)).lower()}{where}", BAD_INPUT)
        except MemoryError:
            fail("the data do not fit into memory: use --max-objects", BAD_INPUT)
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


def fail(sentence: str, code: int, word: str = "error: ") -> NoReturn:
    """Print one sentence and leave."""
    sentence = sentence[:1].upper() + sentence[1:] if not word else sentence
    errors.print(Text.assemble((word, "bold red"), _plain(sentence)), soft_wrap=True)
    raise typer.Exit(code)


def write(path: Path, content: str | bytes) -> None:
    """Write a file completely or not at all, and remember it for the case of an interrupt."""
    write_atomically(path, content)
    _written.append(path.name)


def check_target(path: Path) -> None:
    """Raise before the work begins, if its result could not be written."""
    if is_stream(path):
        return
    folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder: give the name of a file to write")
    if not folder.is_dir():
        raise DataError(f"there is no folder {str(folder)!r} to write {path.name} to: create it")
    if not os.access(folder, os.W_OK):
        raise DataError(f"the folder {str(folder)!r} cannot be written to: choose another with -o")


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error, if a person is looking; gives a function that advances it."""
    columns = (
        TextColumn("{task.description:<26}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    with bar:
        task = bar.add_task("starting", total=total)
        yield lambda what: bar.update(task, advance=1, description=visible(what))


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
    typer.echo(visible(lines, keep="\n") if sys.stdout.isatty() else lines, nl=False)


def _plain(text: str) -> Text:
    """Text without markup, and without what would do something to the terminal."""
    return Text(visible(text).replace("\xa0", " "))


def stop_on_sigterm() -> None:
    """Let SIGTERM clean up as an interrupt does."""

    def stop(*_: Any) -> NoReturn:
        raise KeyboardInterrupt

    if hasattr(signal, "SIGTERM"):
        signal.signal(signal.SIGTERM, stop)
