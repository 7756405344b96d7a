"""``noneuclid analyze``: a data file, looked at on one page."""

from pathlib import Path
from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks, enlarged
from noneuclid.cli.options import (
    Axis,
    Case,
    Data,
    Decimal,
    Folds,
    Format,
    Groups,
    Ignore,
    Index,
    Kind,
    KindOption,
    Labels,
    Letters,
    MaxObjects,
    Metric,
    Missing,
    NoLabels,
    NumberOfGroups,
    Page,
    Quick,
    Repeats,
    Seed,
    Sheet,
    Squared,
    Symmetrize,
    Target,
    Thorough,
    Units,
    Where,
    Yes,
    refuse_by_blocks,
    wishes_of,
    written_as,
)
from noneuclid.cli.program import command
from noneuclid.cli.reading import or_no_labels, read
from noneuclid.cli.running import Taken, report_on, say_sample


@command(
    "analyze distances.csv --labels classes.txt",
    "analyze spectra.csv --target fat -o spectra.html",
    "analyze genes.fasta --labels families.csv --save model.skops",
    "analyze trains.txt --kind spikes",
    'analyze spectra.csv --export results --title "Meat" --x-label "wavelength (nm)"',
    "analyze parts/ --memory-limit 2GiB --max-objects 2000",
)
def analyze(
    data: Data,
    labels: Labels = None,
    target: Target = None,
    kind: KindOption = Kind.auto,
    output: Page = Path("report.html"),
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the model, too (.skops)."),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="FOLDER",
            help="Write figures for papers (SVG, PDF, PNG), tables, predictions, model and code.",
        ),
    ] = None,
    width: Annotated[
        float, typer.Option("--figure-width", help="Of exported figures, in millimetres.")
    ] = 89.0,
    force: Annotated[
        bool, typer.Option("--force", help="Export into a folder that holds other files.")
    ] = False,
    title: Annotated[str, typer.Option("--title", help="Of the page.", show_default=False)] = "",
    x_label: Annotated[
        str,
        typer.Option("--x-label", help="Of the axis of curves, or of time.", show_default=False),
    ] = "",
    y_label: Annotated[
        str, typer.Option("--y-label", help="Of the values of curves.", show_default=False)
    ] = "",
    no_labels: NoLabels = False,
    symmetrize: Symmetrize = False,
    axis: Axis = Where.auto,
    ignore: Ignore = None,
    index: Index = None,
    groups: Groups = None,
    case: Case = Letters.auto,
    missing: Missing = None,
    squared: Squared = None,
    form: Format = "auto",
    sheet: Sheet = None,
    decimal: Decimal = "auto",
    units: Units = None,
    metric: Metric = "levenshtein",
    splits: Folds = 5,
    repeats: Repeats = 2,
    max_objects: MaxObjects = 1000,
    groups_number: NumberOfGroups = None,
    seed: Seed = 0,
    quick: Quick = False,
    thorough: Thorough = False,
    yes: Yes = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Look at a data file: diagnosis, comparison of models, prototypes; one HTML page.

    Of data that are read by blocks a random sample of --max-objects rows is looked at.
    """
    for file in filter(None, (output, save)):
        terminal.check_target(file, data, labels, target, groups)
    taken = None if export is None else Taken(export, width, force)
    if taken is not None:
        taken.check()
    if target is not None and labels is not None:
        raise DataError("--labels and --target exclude each other: classes, or numbers")
    if quick and thorough:
        raise DataError("--quick and --thorough exclude each other")
    from noneuclid.report import Settings
    from noneuclid.report.analysis import with_labels

    options: Any = {"labels": labels, "kind": kind.value, "use_labels": not no_labels}
    wishes = wishes_of(axis, ignore, index, groups, case, missing, squared, target)
    wishes |= {**written_as(form, sheet, decimal), "units": units}
    blocks = by_blocks(memory_limit, scheduler, data)
    if blocks is not None:
        refuse_by_blocks(wishes)
        with or_no_labels():
            found = blocks.sample(data, max_objects, seed, **options)
    else:
        with or_no_labels():
            found = read(data, yes=yes, symmetrize=symmetrize, **options, **wishes)
        say_sample(found, max_objects)
    found = with_labels(found, x_label, y_label)
    if save is not None and found.labels is None and found.target is None:
        raise DataError(
            f"there is no model to save: {found.source} has no classes; name them with --labels, "
            "or leave --save out"
        )
    settings = Settings(
        folds=min(splits, 3) if quick else splits,
        repeats=1 if quick else max(repeats, 4) if thorough else repeats,
        random_state=seed,
        quick=quick,
        max_objects=max_objects,
        metric=metric,
        thorough=thorough,
        n_groups=groups_number,
    )
    if blocks:
        settings = enlarged(settings, len(found))
    with or_no_labels():
        report_on([found], settings, output, save, title or None, taken)
