"""The figures of the sources, drawn from the records alone.

    python literature/figures.py FOLDER

The documentation draws them when it is built (``docs/pictures.py``); no picture is kept.
"""

import json
import sys
from pathlib import Path

import _figures_objects  # noqa: F401  they register their drawings
import _figures_vectors  # noqa: F401
from _drawing import DRAWINGS, save
from _experiment import RECORDS, published


def name_of(item: str) -> str:
    """The file of an item's picture."""
    return f"{item}.svg"


def draw(folder: Path, items=None) -> None:
    """Draw the items, by default all that have a drawing."""
    folder.mkdir(parents=True, exist_ok=True)
    for item in items or DRAWINGS:
        record = json.loads((RECORDS / f"{item}.json").read_text(encoding="utf-8"))
        save(item, record, published(item), folder / name_of(item))


if __name__ == "__main__":
    draw(Path(sys.argv[1]), sys.argv[2:])
