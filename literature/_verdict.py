"""What our numbers are worth beside the published ones, by rule.

One number is *reached* when it lies within two of our standard errors of the published one (or
within half a unit of its last printed digit, whichever is more), and otherwise *better* or *worse*
in the direction that is better; where neither direction is, a number that is off is *worse*.
A table is *worse* when more than one in ten of its numbers is, else *better* when more than half
are, else *reached*. A finding that our numbers do not show counts as a worse number; one that
rests on an error of the source does not count.
"""

import math
from collections import Counter

REACHED, BETTER, WORSE = "reached", "better", "worse"
NOT_COMPARABLE, NO_DATA, NOT_RUN = "not comparable", "data cannot be had", "not run"
VERDICTS = (REACHED, BETTER, WORSE, NOT_COMPARABLE, NO_DATA, NOT_RUN)


def of_number(ours: float, error: float | None, printed: str, better: str) -> str:
    """Verdict of one number; ``better`` is "higher", "lower" or "same"."""
    target, digits = float(printed), len(printed.partition(".")[2])
    margin = max(2 * (error or 0.0), 0.5 * 10.0**-digits) * (1 + 1e-9)
    gap = ours - target
    if math.isfinite(gap) and abs(gap) <= margin:
        return REACHED
    return BETTER if (gap > 0 and better == "higher") or (gap < 0 and better == "lower") else WORSE


def direction(better, column: str) -> str:
    """What is better in a column: one word for all, or one per column."""
    return better if isinstance(better, str) else better.get(column, "same")


def of_cells(item, record: dict, published: dict) -> dict[tuple[str, str], str]:
    """Verdict of every number that both sides have."""
    found = {}
    for row, cells in record["cells"].items():
        for column, ours in cells.items():
            printed = item.misprints.get((row, column), published.get(row, {}).get(column, ""))
            if printed and column not in item.settings:
                better = direction(item.better, column)
                found[row, column] = of_number(ours["value"], ours["error"], printed, better)
    return found


def counts(item, record: dict, published: dict) -> Counter:
    """How many numbers and findings are reached, better, worse."""
    found = Counter(of_cells(item, record, published).values())
    for finding in record["claims"]:
        if finding["holds"] != "erratum":
            found[REACHED if finding["holds"] else WORSE] += 1
    return found


def of_item(item, record: dict | None, published: dict) -> str:
    """Verdict of a table or figure."""
    if item.no_data:
        return NO_DATA
    if record is None:
        return NOT_RUN
    if record["not_comparable"]:
        return NOT_COMPARABLE
    found = counts(item, record, published)
    total = sum(found.values())
    if not total:
        return NOT_COMPARABLE
    if found[WORSE] > total / 10:
        return WORSE
    return BETTER if found[BETTER] > total / 2 else REACHED
