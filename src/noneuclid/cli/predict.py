"""``noneuclid predict``: classes of new objects."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks
from noneuclid.cli.options import (
    Axis,
    Case,
    Data,
    Decimal,
    Format,
    Ignore,
    Index,
    Letters,
    Missing,
    NoLabels,
    Sheet,
    Where,
    Yes,
    refuse_by_blocks,
    wishes_of,
    written_as,
)
from noneuclid.cli.program import command
from noneuclid.cli.reading import read, show_understanding


@terminal.guarded
def _is_there(context: typer.Context, saved: Path) -> Path:
    if not context.resilient_parsing and not saved.exists():
        raise DataError(f"there is no model file {str(saved)!r}: check the path")
    return saved


def _show(data: Any, *, beside: bool) -> None:
    """What was understood; beside results on the screen, only if a person sees it."""
    if not beside:
        show_understanding(data)
    elif terminal.errors.is_terminal:
        show_understanding(data, terminal.remark)


@command(
    "predict model.skops new_spectra.csv",
    "predict model.skops new_genes.fasta -o classes.csv",
    "predict model.skops new_parts/ --memory-limit 2GiB -o classes.csv",
    note="\nA model of a matrix takes rows of proximities of the new objects to the training "
    "objects.\n",
)
def predict(
    saved: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="Saved by fit or analyze.", callback=_is_there),
    ],
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="A csv file; by default the screen.", metavar="FILE"),
    ] = None,
    no_labels: NoLabels = False,
    axis: Axis = Where.auto,
    ignore: Ignore = None,
    index: Index = None,
    case: Case = Letters.auto,
    missing: Missing = None,
    form: Format = "auto",
    sheet: Sheet = None,
    decimal: Decimal = "auto",
    yes: Yes = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Predict the classes of new objects with a saved model."""
    if output is not None:
        terminal.check_target(output, saved, data)
    from noneuclid.report.prediction import SavedModel

    model = SavedModel(saved)
    wishes = wishes_of(axis, ignore, index, None, case, missing, None)
    wishes |= written_as(form, sheet, decimal)
    if blocks := by_blocks(memory_limit, scheduler, data):
        refuse_by_blocks(wishes)
        summary = blocks.predict(model, data, output, not no_labels)
    else:
        lines, summary = model.predict_file(
            data,
            use_labels=not no_labels,
            reader=partial(read, yes=yes, show=False),
            said=wishes,
            shown=partial(_show, beside=output is None),
        )
        if output is None:
            terminal.show_data(lines)
        else:
            terminal.write(output, lines)
    if output is not None:
        terminal.say(f"predictions: {output}")
    if summary:
        terminal.remark(summary)
