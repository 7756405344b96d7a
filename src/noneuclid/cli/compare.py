"""``noneuclid compare``: whether two samples differ."""

from pathlib import Path
from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks, say_units
from noneuclid.cli.options import (
    Axis,
    Case,
    Data,
    Decimal,
    Format,
    Ignore,
    Index,
    Kind,
    KindOption,
    Labels,
    Letters,
    Metric,
    Missing,
    Other,
    Seed,
    Sheet,
    Squared,
    Symmetrize,
    Where,
    Yes,
    refuse_by_blocks,
    wishes_of,
    written_as,
)
from noneuclid.cli.program import command
from noneuclid.cli.reading import read

_LEVEL = 0.05


@command(
    "compare before.csv after.csv",
    "compare group_a.npz group_b.npz --permutations 5000",
    "compare healthy.fasta infected.fasta --metric indel",
    "compare distances.csv --labels treatment.csv",
    "compare january/ february/ --memory-limit 2GiB",
)
def compare(
    first: Data,
    second: Other = None,
    labels: Labels = None,
    kind: KindOption = Kind.auto,
    symmetrize: Symmetrize = False,
    axis: Axis = Where.auto,
    ignore: Ignore = None,
    index: Index = None,
    case: Case = Letters.auto,
    missing: Missing = None,
    squared: Squared = None,
    form: Format = "auto",
    sheet: Sheet = None,
    decimal: Decimal = "auto",
    metric: Metric = "levenshtein",
    width: Annotated[
        float | None,
        typer.Option("--width", help="Of the kernel; by default the median distance."),
    ] = None,
    permutations: Annotated[
        int, typer.Option("--permutations", min=99, help="Of the null distribution.")
    ] = 999,
    raw: Annotated[
        bool, typer.Option("--raw", help="Compare columns in their own units, not standardised.")
    ] = False,
    seed: Seed = 0,
    yes: Yes = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Test whether two samples come from the same distribution: two files, or two classes of one.

    Rows, curves, spike trains and sequences; of a matrix, the two classes of its objects. All rows
    of data that are read by blocks are compared, by features of the kernel.
    """
    if second is not None and labels is not None:
        raise DataError("--labels is for one file with two classes: leave it out, or OTHER")
    wishes = wishes_of(axis, ignore, index, None, case, missing, squared)
    wishes |= written_as(form, sheet, decimal)
    options: Any = {"kind": kind.value, "symmetrize": symmetrize}
    paths = [path for path in (first, second) if path is not None]
    numbers: dict[str, float | None] = {}
    if blocks := by_blocks(memory_limit, scheduler, *paths):
        result, used, moved = _by_blocks(blocks, paths, wishes, width, permutations, seed, raw=raw)
        numbers["error of the statistic"] = result.error
    else:
        from noneuclid.report.two_samples import compare_any, compare_classes

        use: Any = {"use_labels": second is None, "labels": labels}
        found = [read(path, yes=yes, **use, **options, **wishes) for path in paths]
        say_units(found[0], raw)
        test: Any = compare_classes if second is None else compare_any
        result, used, moved = test(*found, width, permutations, seed, raw=raw, metric=metric)
        if second is None:
            paths = [Path(str(name)) for name in found[0].classes]
    numbers = {
        "statistic (Euclidean divergence)": result.statistic,
        "p value": result.pvalue,
        "width of the kernel": used,
        **numbers,
    }
    rows = [(name, f"{value:.4g}") for name, value in numbers.items() if value is not None]
    terminal.show(rows, ("result", "value"))
    differ = "differ" if result.pvalue < _LEVEL else "may well be the same"
    terminal.say(f"The distributions of {paths[0].name} and {paths[1].name} {differ}.")
    if moved:
        terminal.say(f"Columns that differ by themselves: {', '.join(moved)}.")


def _by_blocks(
    blocks: Any, paths: list[Path], wishes: dict[str, Any], *options: Any, raw: bool
) -> tuple[Any, float, list[str]]:
    refuse_by_blocks(wishes)
    if len(paths) < 2:
        raise DataError("data that are read by blocks are compared file with file: give OTHER, too")
    return blocks.compare(*paths, *options, raw=raw)
