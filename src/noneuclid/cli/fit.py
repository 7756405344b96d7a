"""``noneuclid fit``: the best model, saved."""

from pathlib import Path
from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._memory import advising
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks
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
    Quick,
    Seed,
    Sheet,
    Squared,
    Symmetrize,
    Target,
    Units,
    Where,
    Yes,
    refuse_by_blocks,
    wishes_of,
    written_as,
)
from noneuclid.cli.program import command
from noneuclid.cli.reading import read
from noneuclid.cli.running import FEWER_OBJECTS, save_model, say_sample


@command(
    "fit spectra.csv --labels fat_class -o spectra.skops",
    "fit spectra.csv --target fat",
    'fit genes.fasta --labels families.csv --model "kernel RSLVQ" --metric indel',
    "fit parts/ --labels class --memory-limit 2GiB --scheduler tcp://localhost:8786",
    "fit huge.zarr --labels classes.npy -o huge.skops",
)
def fit(
    data: Data,
    labels: Labels = None,
    target: Target = None,
    kind: KindOption = Kind.auto,
    wanted: Annotated[
        str,
        typer.Option("--model", "-m", help='"auto", or (part of) a name: kernel GLVQ, GMLVQ …'),
    ] = "auto",
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The model to write.", metavar="FILE")
    ] = Path("model.skops"),
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
    max_objects: MaxObjects = 5000,
    seed: Seed = 0,
    quick: Quick = False,
    yes: Yes = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Fit the best model of prototypes and save it.

    For data that are read by blocks the model is chosen on a random sample of --max-objects rows,
    and then fitted to all of them.
    """
    terminal.check_target(output, data, labels, target, groups)
    from noneuclid.datasets import kept_together
    from noneuclid.report import Settings, fit_described

    settings = Settings(
        folds=splits, random_state=seed, quick=quick, max_objects=max_objects, metric=metric
    )
    wishes = wishes_of(axis, ignore, index, groups, case, missing, squared, target)
    wishes |= {**written_as(form, sheet, decimal), "units": units}
    if blocks := by_blocks(memory_limit, scheduler, data):
        refuse_by_blocks(wishes)
        fitted, line = blocks.fit(data, settings, wanted, labels=labels, kind=kind.value)
    else:
        options: Any = {"labels": labels, "kind": kind.value, "symmetrize": symmetrize}
        found = kept_together(read(data, yes=yes, **options, **wishes))
        say_sample(found, max_objects)
        with terminal.progress(4) as advance, advising(FEWER_OBJECTS):
            fitted, line = fit_described(found, settings, wanted, advance)
    save_model(fitted, output)
    terminal.say(line)
    terminal.say(f"model: {output}")
