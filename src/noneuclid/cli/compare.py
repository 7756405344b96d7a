"""``noneuclid compare``: whether two samples differ."""

from typing import Annotated

import typer

from noneuclid import _terminal as terminal
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks, say_units
from noneuclid.cli.options import (
    Data,
    Decimal,
    Format,
    Missing,
    Seed,
    Sheet,
    refuse_by_blocks,
    written_as,
)
from noneuclid.cli.program import command


@command(
    "compare before.csv after.csv",
    "compare group_a.npz group_b.npz --permutations 5000",
    "compare january/ february/ --memory-limit 2GiB",
)
def compare(
    first: Data,
    second: Data,
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
    missing: Missing = None,
    form: Format = "auto",
    sheet: Sheet = None,
    decimal: Decimal = "auto",
    seed: Seed = 0,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Test whether two samples come from the same distribution.

    All rows of data that are read by blocks are compared, by features of the kernel.
    """
    from noneuclid.datasets import read_dataset
    from noneuclid.report.checking import compare_samples

    wishes = {"missing": missing, **written_as(form, sheet, decimal)}
    if blocks := by_blocks(memory_limit, scheduler, first, second):
        refuse_by_blocks(wishes)
        result, used, moved = blocks.compare(first, second, width, permutations, seed, raw=raw)
    else:
        one, other = (read_dataset(path, use_labels=False, **wishes) for path in (first, second))
        terminal.say(one.understood)
        terminal.say(other.understood)
        say_units(one, raw)
        result, used, moved = compare_samples(one, other, width, permutations, seed, raw=raw)
    numbers = {
        "statistic (Euclidean divergence)": result.statistic,
        "p value": result.pvalue,
        "width of the kernel": used,
    }
    if blocks:
        numbers["error of the statistic"] = result.error
    rows = [(name, f"{value:.4g}") for name, value in numbers.items()]
    terminal.show(rows, ("result", "value"))
    differ = "differ" if result.pvalue < 0.05 else "may well be the same"
    terminal.say(f"The distributions of {first.name} and {second.name} {differ}.")
    if moved:
        terminal.say(f"Columns that differ by themselves: {', '.join(moved)}.")
