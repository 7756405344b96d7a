"""Tables of a page as numbers, and what figures and tables are called."""

import importlib.util
import math
import re
from typing import Any

from noneuclid.report._numbers import read_cell


def named(analysis: Any, kind: str) -> dict[str, Any]:
    """The blocks of a kind by their titles; a title that occurs again is numbered."""
    found: dict[str, Any] = {}
    for section in analysis.sections:
        for block in section.blocks:
            if block.type == kind:
                found[unused(block.title, found)] = block
    return found


def unused(name: str, taken: Any) -> str:
    """The name, with a number behind it if it is taken."""
    k, free = 2, name
    while free in taken:
        free, k = f"{name} {k}", k + 1
    return free


def slug(name: str) -> str:
    """A name as that of a file.

    Examples
    --------
    >>> slug("True / predicted: 50 %"), slug("…")
    ('true-predicted-50', 'unnamed')
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "-".join(words)[:60].strip("-") or "unnamed"


def frame(analysis: Any, name: str) -> Any:
    """The table of a name as a DataFrame."""
    of_page = named(analysis, "table")
    chosen = _chosen(name, [*of_page, *analysis.records], "table")
    if chosen in of_page:
        return as_frame(columns_of(of_page[chosen]))
    return as_frame(analysis.records[chosen])


def figure_of(analysis: Any, name: str) -> Any:
    """The figure of a name."""
    found = named(analysis, "figure")
    return found[_chosen(name, list(found), "figure")]


def _chosen(name: str, names: list[str], what: str) -> str:
    if name in names:
        return name
    alike = [one for one in names if slug(one) == slug(name)]
    if len(alike) != 1:
        known = ", ".join(map(repr, names)) or "none"
        raise ValueError(f"there is no {what} {name!r}: choose from {known}")
    return alike[0]


def as_frame(columns: dict[str, Any]) -> Any:
    """Columns as a DataFrame of pandas."""
    if importlib.util.find_spec("pandas") is None:
        raise ImportError('tables need pandas: pip install "noneuclid[cli]"')
    import pandas as pd

    return pd.DataFrame(columns)


def columns_of(table: Any) -> dict[str, list[Any]]:
    """The columns of a table of a page, numbers as numbers, spreads in columns of their own."""
    found: dict[str, list[Any]] = {}
    for j, name in enumerate(table.columns):
        cells = [row[j] for row in table.rows]
        read = [read_cell(cell) for cell in cells] if j in table.numeric else [None]
        pairs = [pair for pair in read if pair is not None]
        if len(pairs) < len(read):
            found[unused(name, found)] = [str(cell) for cell in cells]
            continue
        found[unused(name, found)] = _whole([value for value, _ in pairs])
        if any(spread is not None for _, spread in pairs):
            spreads = [math.nan if spread is None else spread for _, spread in pairs]
            found[unused(f"{name} ±", found)] = spreads
    return found


def _whole(values: list[float]) -> list[Any]:
    """Counts as integers."""
    return [int(v) for v in values] if all(v == v and v == int(v) for v in values) else values
