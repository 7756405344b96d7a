"""``noneuclid check``: whether a few landmarks would do."""

from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
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
    Letters,
    Metric,
    Missing,
    Seed,
    Sheet,
    Squared,
    Symmetrize,
    Where,
    Yes,
    wishes_of,
    written_as,
)
from noneuclid.cli.program import command
from noneuclid.cli.reading import read


@command("check similarities.npz", "check genes.fasta --landmarks 50")
def check(
    data: Data,
    kind: KindOption = Kind.auto,
    landmarks: Annotated[
        int | None,
        typer.Option("--landmarks", min=2, help="How many; by default a tenth of the objects."),
    ] = None,
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
    seed: Seed = 0,
    yes: Yes = False,
) -> None:
    """Check quickly whether a few landmarks could replace all proximities."""
    from noneuclid.report.checking import check_landmarks

    wishes = wishes_of(axis, ignore, index, None, case, missing, squared)
    wishes |= written_as(form, sheet, decimal)
    options: Any = {"kind": kind.value, "symmetrize": symmetrize, "use_labels": False}
    found = read(data, yes=yes, **options, **wishes)
    result = check_landmarks(found, landmarks, seed, metric=metric)
    rows = [(str(m), f"{rho:.2f}") for m, rho in result.curve.items()]
    terminal.show(rows, ("landmarks", "rank correlation"))
    terminal.say(result.verdict)
