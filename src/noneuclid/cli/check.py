"""``noneuclid check``: whether a few landmarks would do."""

from typing import Annotated

import typer

from noneuclid import _terminal as terminal
from noneuclid.cli.options import (
    Data,
    Decimal,
    Format,
    Kind,
    KindOption,
    Missing,
    Seed,
    Sheet,
    Symmetrize,
    written_as,
)
from noneuclid.cli.program import command


@command("check similarities.npz", "check genes.fasta --landmarks 50")
def check(
    data: Data,
    kind: KindOption = Kind.auto,
    landmarks: Annotated[
        int | None,
        typer.Option("--landmarks", min=2, help="How many; by default a tenth of the objects."),
    ] = None,
    symmetrize: Symmetrize = False,
    missing: Missing = None,
    form: Format = "auto",
    sheet: Sheet = None,
    decimal: Decimal = "auto",
    seed: Seed = 0,
) -> None:
    """Check quickly whether a few landmarks could replace all proximities."""
    from noneuclid.datasets import read_dataset
    from noneuclid.report.checking import check_landmarks

    options = {"missing": missing, **written_as(form, sheet, decimal)}
    found = read_dataset(data, kind=kind.value, symmetrize=symmetrize, use_labels=False, **options)
    terminal.say(found.understood)
    result = check_landmarks(found, landmarks, seed)
    rows = [(str(m), f"{rho:.2f}") for m, rho in result.curve.items()]
    terminal.show(rows, ("landmarks", "rank correlation"))
    terminal.say(result.verdict)
