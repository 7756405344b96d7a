"""``noneuclid look``: what a file is taken for."""

from typing import Any

from noneuclid import _terminal as terminal
from noneuclid._files import DataError
from noneuclid.cli.by_blocks import MemoryLimit, Scheduler, by_blocks
from noneuclid.cli.options import (
    Axis,
    Case,
    Data,
    Decimal,
    Format,
    Groups,
    Ignore,
    Index,
    Kind,
    KindOption,
    Labels,
    Letters,
    Missing,
    NoLabels,
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
from noneuclid.cli.reading import or_no_labels, read

_SHOWN = 5


@command("look spectra.csv", "look genes.tsv --labels family --ignore operator")
def look(
    data: Data,
    labels: Labels = None,
    target: Target = None,
    kind: KindOption = Kind.auto,
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
    yes: Yes = False,
    memory_limit: MemoryLimit = None,
    scheduler: Scheduler = None,
) -> None:
    """Tell what a file is taken for, part by part, and what to say if that is wrong.

    Nothing is computed or written. All other commands take the same options and begin alike.
    """
    if target is not None and labels is not None:
        raise DataError("--labels and --target exclude each other: classes, or numbers")
    wishes = wishes_of(axis, ignore, index, groups, case, missing, squared, target)
    wishes |= {**written_as(form, sheet, decimal), "units": units}
    options: Any = {"labels": labels, "kind": kind.value, "use_labels": not no_labels}
    if blocks := by_blocks(memory_limit, scheduler, data):
        refuse_by_blocks(wishes)
        with or_no_labels():
            blocks.look(data, **options)
        return
    with or_no_labels():
        found = read(data, yes=yes, symmetrize=symmetrize, **options, **wishes)
    names = ", ".join(found.names[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    terminal.say(f"objects: {names}")
    if found.groups is not None:
        terminal.say(f"groups, kept together in cross-validation: {len(set(found.groups))}")
    terminal.say(f"in Python: {found.code}")
