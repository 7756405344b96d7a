"""How much a hostile test tries, and where it writes down what held.

``make test`` tries a little of everything. ``make trust`` sets ``NONEUCLID_TRUST`` to a folder: the
tests marked ``trust`` then try much more and leave one line of numbers each, of which
``tests/trust_page.py`` makes ``docs/trust.md``.
"""

import json
import os
import uuid
from pathlib import Path

FOLDER = os.environ.get("NONEUCLID_TRUST")
SETTING = os.environ.get("NONEUCLID_SETTING", "hostile tests")  # under which tests run just now


def size(few, many):
    """How many inputs to try: few in `make test`, many in `make trust`."""
    return many if FOLDER else few


def record(area, what, tried, failed=0, note=""):
    """Write down that so many inputs, settings or faults were tried, and how many did not hold.

    ``area`` is a heading of the page ("Files", "Numbers", "Interruption" …), ``what`` one line
    under it; several tests may add to one line. Call it before asserting: faults are counted, too.
    """
    if FOLDER:
        line = {"area": area, "what": what, "tried": tried, "failed": failed, "note": note}
        folder = Path(FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{uuid.uuid4().hex}.json").write_text(json.dumps(line), encoding="utf-8")
