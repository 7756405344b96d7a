"""``noneuclid predict``: classes of new objects."""

from pathlib import Path
from typing import Annotated

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks
from noneuclid.cli.options import (
    Data,
    Decimal,
    Format,
    Missing,
    NoLabels,
    Sheet,
    refuse_by_blocks,
    written_as,
)
from noneuclid.cli.program import command


@terminal.guarded
def _is_there(saved: Path) -> Path:
    if not saved.exists():
        raise DataError(f"there is no model file {str(saved)!r}: check the path")
    return saved


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
    missing: Missing = None,
    form: Format = "auto",
    sheet: Sheet = None,
    decimal: Decimal = "auto",
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Predict the classes of new objects with a saved model."""
    if output is not None:
        terminal.check_target(output)
    from noneuclid.report.prediction import SavedModel

    model = SavedModel(saved)
    wishes = {"missing": missing, **written_as(form, sheet, decimal)}
    if blocks := by_blocks(memory_limit, scheduler, data):
        refuse_by_blocks(wishes)
        summary = blocks.predict(model, data, output, not no_labels)
    else:
        lines, summary = model.predict_file(data, use_labels=not no_labels, **wishes)
        if output is None:
            terminal.show_data(lines)
        else:
            terminal.write(output, lines)
    if output is not None:
        terminal.say(f"predictions: {output}")
    if summary:
        terminal.remark(summary)
