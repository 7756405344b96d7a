"""The records as one page: benchmarks/README.md (``make benchmark-report``).

python benchmarks/report.py [--check]
"""

import argparse
import ast
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE, RECORDS = HERE / "README.md", HERE / "records"
HEAD = """# Benchmarks

Made by `make benchmark-report` from `benchmarks/records/`; every record is written by the script of
its name, and `make benchmark` runs them all. Both sides of a ratio were measured in one run, in
turn, on the machine named; the ratio is the figure, not the milliseconds. Other libraries are
installed in environments of their own, in the versions named, by the lists in `benchmarks/peers/`.
The errors beside published ones are in [the literature](../docs/literature/index.md).

## Beside other libraries

How many times faster than another library at the same task, both warm unless it says "first fit";
below 1, the other one is faster. What both reached in that time stands beside, ours first. The
benchmarks below tell the settings, and measure what has no peer.
"""


def scripts() -> list[Path]:
    """All scripts that keep records, by name."""
    found = sorted(set(HERE.glob("[!_]*.py")) - {Path(__file__)})
    return [path for path in found if "with recorded(" in path.read_text(encoding="utf-8")]


def read(script: Path) -> dict | None:
    """The record of a script, if there is one."""
    path = RECORDS / f"{script.stem}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def purpose(script: Path) -> str:
    """The first sentence of a script about itself."""
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).rstrip(".") + "."


def table(rows: list[dict]) -> list[str]:
    """A table of all that some row tells."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    columns = [name for name in columns if any(row.get(name) not in (None, "") for row in rows)]
    cells = [[str(row.get(name, "")).replace("|", "\\|") for name in columns] for row in rows]
    lines = [columns, ["---"] * len(columns), *cells]
    return [f"| {' | '.join(line)} |" for line in lines]


def peer(against: str, versions: dict[str, str]) -> str:
    """The library that a label begins with; none for what is only another way of ours."""
    names = [name for name in versions if against.casefold().startswith(name.casefold())]
    return max(names, key=len, default="")


def summary(records: list[dict]) -> list[str]:
    """Every ratio to another library, with its version; one row for the same on several data."""
    rows: dict[tuple, list[dict]] = {}
    for record in records:
        for row in record["figures"].get("ratios", []):
            other = peer(row["against"], record["versions"])
            if other:
                label = f"{other} {record['versions'][other]}{row['against'][len(other) :]}"
                rows.setdefault((row["what"], label, record["benchmark"]), []).append(row)
    return [*table([_headline(*what, found) for what, found in rows.items()]), ""]


def _headline(what: str, label: str, name: str, found: list[dict]) -> dict:
    """Cells of one row; what belongs to which data stands behind it."""
    data = [f" ({row['on']})" if row.get("on") else "" for row in found]
    ratios = [f"**{row['times faster']:.3g}**{on}" for row, on in zip(found, data)]
    reached = [row["quality"] + on for row, on in zip(found, data) if row["quality"]]
    cells = {"what": what, "other library": label, "times faster": "<br>".join(ratios)}
    return cells | {"reached": "<br>".join(reached), "benchmark": f"[{name}](#{name})"}


def where(records: list[dict]) -> list[str]:
    """Machines and dates of all records."""
    machines = {f"{m['processor']}, {m['cores']} cores" for m in (r["machine"] for r in records)}
    dates = sorted(record["date"] for record in records)
    days = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
    minutes = sum(record.get("seconds", 0) for record in records) / 60
    return [f"*{days}; {'; '.join(sorted(machines))}; {minutes:.0f} minutes in all.*", ""]


def section(script: Path, record: dict | None) -> str:
    """One benchmark."""
    lines = [f"## {script.stem}", "", purpose(script), ""]
    if record is None:
        return "\n".join([*lines, "Not recorded yet.", ""])
    figures, machine = record["figures"], record["machine"]
    lines += [f"`{record['command']}`", ""]
    lines += [*table(figures["ratios"]), ""] if figures.get("ratios") else []
    lines += ["```text", *figures["printed"], "```", ""] if figures["printed"] else []
    busy = machine["load"] is not None and machine["load"] > machine["cores"]
    note = f"The machine was busy (load {machine['load']}): ratios may be off. " if busy else ""
    took = f"{record['seconds']} s in all; " if "seconds" in record else ""
    place = f"{machine['processor']}, {machine['cores']} cores, {machine['system']}"
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    return "\n".join([*lines, f"*{note}{record['date']}; {took}{place}; {versions}.*", ""])


def page() -> str:
    """The whole page."""
    found = {script: read(script) for script in scripts()}
    records = [record for record in found.values() if record is not None]
    head = [HEAD, *summary(records), *where(records)] if records else [HEAD]
    return "\n".join([*head, *(section(*both) for both in found.items())])


def write() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="fail if the page is another one")
    if not parser.parse_args().check:
        write()
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("benchmarks/README.md is not up to date: run make benchmark-report")


if __name__ == "__main__":
    main()
