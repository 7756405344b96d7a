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
    Folds,
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
    Page,
    Quick,
    Repeats,
    Seed,
    Squared,
    Symmetrize,
    Target,
    Where,
    Yes,
    refuse_by_blocks,
    wishes_of,
)
from noneuclid.cli.program import command
from noneuclid.cli.reading import or_no_labels, read
from noneuclid.cli.running import report_on, say_sample


@command(
    "analyze distances.csv --labels classes.txt",
    "analyze spectra.csv --target fat -o spectra.html",
    "analyze genes.fasta --labels families.csv --save model.skops",
    "analyze trains.txt --kind spikes",
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
    no_labels: NoLabels = False,
    symmetrize: Symmetrize = False,
    axis: Axis = Where.auto,
    ignore: Ignore = None,
    index: Index = None,
    groups: Groups = None,
    case: Case = Letters.auto,
    missing: Missing = None,
    squared: Squared = None,
    metric: Metric = "levenshtein",
    splits: Folds = 5,
    repeats: Repeats = 2,
    max_objects: MaxObjects = 800,
    seed: Seed = 0,
    quick: Quick = False,
    yes: Yes = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Look at a data file: diagnosis, comparison of models, prototypes; one HTML page.

    Of data that are read by blocks a random sample of --max-objects rows is looked at.
    """
    for file in filter(None, (output, save)):
        terminal.check_target(file)
    if target is not None and labels is not None:
        raise DataError("--labels and --target exclude each other: classes, or numbers")
    from noneuclid.report import Settings

    options: Any = {"labels": labels, "kind": kind.value, "use_labels": not no_labels}
    wishes = wishes_of(axis, ignore, index, groups, case, missing, squared, target)
    blocks = by_blocks(memory_limit, scheduler, data)
    if blocks is not None:
        refuse_by_blocks(wishes)
        with or_no_labels():
            found = blocks.sample(data, max_objects, seed, **options)
    else:
        with or_no_labels():
            found = read(data, yes=yes, symmetrize=symmetrize, **options, **wishes)
        say_sample(found, max_objects)
    if save is not None and found.labels is None and found.target is None:
        raise DataError(
            f"there is no model to save: {found.source} has no classes; name them with --labels, "
            "or leave --save out"
        )
    settings = Settings(
        folds=min(splits, 3) if quick else splits,
        repeats=1 if quick else repeats,
        random_state=seed,
        quick=quick,
        max_objects=max_objects,
        metric=metric,
    )
    with or_no_labels():
        report_on([found], enlarged(settings, len(found)) if blocks else settings, output, save)
