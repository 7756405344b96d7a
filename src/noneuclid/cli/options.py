"""Arguments and options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from noneuclid import _terminal as terminal
from noneuclid._files import DataError, check_file


class Kind(StrEnum):
    """What the data are."""

    auto = "auto"
    similarity = "similarity"
    dissimilarity = "dissimilarity"
    curves = "curves"
    vectors = "vectors"
    spikes = "spikes"
    sequences = "sequences"


@terminal.guarded
def _is_there(context: typer.Context, path: Path | None) -> Path | None:
    """The path; what is not there is said before the modules that read it are imported."""
    completes = context.resilient_parsing  # a shell asks what may come next
    if path is not None and not completes and not path.is_dir():
        check_file(path)
    return path


Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        callback=_is_there,
        help="csv, tsv, xlsx, ods, json, npy, npz, mat, parquet, feather, ts, FASTA or text, "
        "packed or not; a folder of curves, or of parts in parquet or csv; a zarr array.",
        show_default=False,
    ),
]
Other = Annotated[
    Path | None,
    typer.Argument(
        metavar="[OTHER]",
        callback=_is_there,
        help="The second sample; without it, the two classes of DATA are compared.",
        show_default=False,
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        "--labels",
        "-l",
        metavar="FILE|COLUMN",
        help="Where the classes are; by default a column called class, label, target …",
        show_default=False,
    ),
]
Page = Annotated[Path, typer.Option("--output", "-o", help="The page to write.", metavar="FILE")]
NoLabels = Annotated[bool, typer.Option("--no-labels", help="Do not use classes.")]
KindOption = Annotated[Kind, typer.Option("--kind", "-k", help="What the data are.")]
Symmetrize = Annotated[
    bool, typer.Option("--symmetrize", help="Take the mean of both directions of proximities.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all random choices.")]
Quick = Annotated[
    bool, typer.Option("--quick", help="Fewer splits and parameters, and no slow geometries.")
]
Thorough = Annotated[
    bool, typer.Option("--thorough", help="All geometries, the slow ones, too, and more splits.")
]
NumberOfGroups = Annotated[
    int | None,
    typer.Option(
        "--groups-number",
        metavar="K",
        min=2,
        help="How many groups to find without classes; by default, evidence decides.",
        show_default=False,
    ),
]
MaxObjects = Annotated[
    int,
    typer.Option(
        "--max-objects",
        min=20,
        help="Of more objects, a random sample is what parameters are chosen on, and what is "
        "compared pair by pair; models learn from all.",
    ),
]
Folds = Annotated[int, typer.Option("--splits", min=2, max=20, help="Folds of cross-validation.")]
Repeats = Annotated[int, typer.Option("--repeats", min=1, max=50, help="Repetitions of it.")]
Metric = Annotated[
    str, typer.Option("--metric", help="Distance between sequences: indel, osa, lcs, jaro …")
]


class Where(StrEnum):
    """Where a table has the axis of curves."""

    auto = "auto"
    across = "across"
    down = "down"
    none = "none"


class Letters(StrEnum):
    """How sequences are written."""

    auto = "auto"
    keep = "keep"


Axis = Annotated[
    Where,
    typer.Option(
        "--axis", help="Of curves: in the header (across), in the first column (down), or none."
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", metavar="COLUMN", help="Leave a column out; may be repeated."),
]
Index = Annotated[str | None, typer.Option("--id", metavar="COLUMN", help="The column of names.")]
Groups = Annotated[
    str | None,
    typer.Option(
        "--groups", metavar="COLUMN", help="Objects that belong together: replicates, patients …"
    ),
]
Case = Annotated[
    Letters,
    typer.Option("--case", help='"keep" tells small from capital letters, U from T, and gaps.'),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing", metavar="drop|mean|NUMBER", help="What to do about empty cells and pairs."
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="COLUMN",
        help="Numbers to predict, instead of classes.",
        show_default=False,
    ),
]
Squared = Annotated[
    bool | None,
    typer.Option(
        "--squared/--plain",
        help="Whether dissimilarities are squared distances.",
        show_default=False,
    ),
]
Yes = Annotated[
    bool,
    typer.Option("--yes", "-y", help="Ask nothing: take what is usual, refuse what is in doubt."),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Read the file as csv, phylip, blast, json …, whatever it looks like.",
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(
        "--sheet",
        metavar="NAME|NUMBER",
        help="Of a workbook; by default the only one with data.",
        show_default=False,
    ),
]
Decimal = Annotated[
    str,
    typer.Option("--decimal", help="What separates fractions in numbers: comma or point."),
]
Units = Annotated[
    str | None,
    typer.Option(
        "--units",
        metavar="UNIT",
        help="Of the axis of curves or of times: nm, ms …, for the figures.",
        show_default=False,
    ),
]


def written_as(form: str, sheet: str | None, decimal: str) -> dict[str, Any]:
    """What was said about how the file is written, as ``read_dataset`` takes it."""
    from noneuclid.datasets.content import DECIMALS

    if decimal not in DECIMALS:
        raise DataError(f"--decimal {decimal}: say one of {', '.join(DECIMALS)}")
    return {"format": form, "sheet": sheet, "decimal": decimal}


def wishes_of(
    axis: Where,
    ignore: list[str] | None,
    index: str | None,
    groups: str | None,
    case: Letters,
    missing: str | None,
    squared: bool | None,
    target: str | None = None,
) -> dict[str, Any]:
    """What was said about the columns, as ``read_dataset`` takes it."""
    said: dict[str, Any] = {"axis": axis.value, "ignore": ignore or (), "index": index}
    said |= {"groups": groups, "case": case.value, "missing": missing, "squared": squared}
    return said | {"target": target}


def refuse_by_blocks(wishes: dict[str, Any]) -> None:
    """What is said about columns holds for files that are read as a whole."""
    usual = {"axis": "auto", "ignore": (), "case": "auto", "format": "auto", "decimal": "auto"}
    for name, value in wishes.items():
        if value != usual.get(name):
            flag = "id" if name == "index" else name
            raise DataError(f"--{flag} is not for data that are read by blocks: leave it out")
