"""Pictures that are drawn when the site is built: of the literature, and of the displays.

Each is drawn again only when what it is made from has changed, so that pages need no new build.
"""

import filecmp
import shutil
import sys
import tempfile
from pathlib import Path

import displays_pictures

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "literature"))

import figures


def draw(folder):
    """Draw all pictures into a folder; those that are there already stay as they are."""
    with tempfile.TemporaryDirectory() as name:
        made = Path(name)
        figures.draw(made / "literature")
        displays_pictures.draw(made / "displays")
        for path in made.rglob("*.svg"):
            target = folder / path.relative_to(made)
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.is_file() or not filecmp.cmp(path, target, shallow=False):
                shutil.copy(path, target)
