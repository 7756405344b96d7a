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
its name. All times of a row were measured in one run, in turn, on the machine named; the ratio is
the figure, not the milliseconds. Peers are installed in environments of their own, in the versions
named. The errors beside published ones are in [the literature](../docs/literature/index.md).
"""


def scripts() -> list[Path]:
    """All scripts that keep records, by name."""
    found = sorted(HERE.glob("[!_]*.py"))
    return [path for path in found if "from _record import" in path.read_text(encoding="utf-8")]


def purpose(script: Path) -> str:
    """The first sentence of a script about itself."""
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).rstrip(".") + "."


def table(rows: dict) -> list[str]:
    """Figures with several numbers each."""
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    columns = [
        name for name in columns if any(row.get(name) not in (None, "") for row in rows.values())
    ]
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for what, row in rows.items():
        cells = " | ".join(str(row.get(name, "")) for name in columns)
        lines.append(f"| {what} | {cells} |")
    return lines


def body(record: dict) -> list[str]:
    """Ratios, single figures, then what else was printed."""
    figures = dict(record["figures"])
    printed = figures.pop("printed", [])
    rows = {what: row for what, row in figures.items() if isinstance(row, dict)}
    single = {what: value for what, value in figures.items() if not isinstance(value, dict)}
    lines = [*table(rows), ""] if rows else []
    lines += [f"- {what}: {value}" for what, value in single.items()] + ([""] if single else [])
    return [*lines, "```text", *printed, "```", ""] if printed else lines


def section(script: Path) -> str:
    """One benchmark."""
    lines = [f"## {script.stem}", "", purpose(script), ""]
    path = RECORDS / f"{script.stem}.json"
    if not path.is_file():
        return "\n".join([*lines, "Not recorded yet.", ""])
    record = json.loads(path.read_text(encoding="utf-8"))
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    where = record["machine"]
    lines += [f"`{record['command']}`", "", *body(record)]
    machine = f"{where['processor']}, {where['cores']} cores, {where['system']}"
    busy = where["load"] is not None and where["load"] > where["cores"]
    note = f"The machine was busy (load {where['load']}): ratios may be off. " if busy else ""
    return "\n".join([*lines, f"*{note}{record['date']}; {machine}; {versions}.*", ""])


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(script) for script in scripts())])


def main():
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help="fail if the page is another one")
    if not parser.parse_args().check:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("benchmarks/README.md is not up to date: run make benchmark-report")


if __name__ == "__main__":
    main()
