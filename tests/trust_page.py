"""Write docs/trust.md from the numbers that ``make trust`` left in a folder."""

import json
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "trust.md"
AREAS = {
    "Tests": "Whole runs of the test suite; a test that fails for any reason is counted here.",
    "Machines": "The same tests under other BLAS kernels, instruction sets, numbers of threads, "
    "orders and hash seeds, and the results of all estimators compared between them.",
    "Files": "Valid files of every format, damaged by bytes, lines, headers and shapes. What "
    "holds: data or one sentence; no other exception, no signal, no hang over 20 s, no peak over "
    "1 GiB, nothing written elsewhere.",
    "Memory": "What would take more memory than there is says so before it starts.",
    "Interruption": "Ctrl-C, SIGTERM, full disks, closed pipes, folders without rights, two at "
    "once: models stay as they were, files are whole or not there.",
    "Threads and processes": "Results from several threads and processes are those of one.",
    "Numbers": "Every estimator on odd data, and delicate formulas against 50 digits. What holds: "
    "finite and sensible results, or one sentence.",
    "Parameters": "Wrong values of every parameter. What holds: one sentence that names it, at "
    "fit, and no model left behind.",
    "Save and load": "What is read back predicts bit for bit the same; hostile files are refused.",
    "Supply chain": "What is installed, from where, and what it reaches.",
}


def gather(folder):
    """Sum what the tests recorded: {area: {what: [tried, failed, notes]}}."""
    table = defaultdict(lambda: defaultdict(lambda: [0, 0, set()]))
    for path in sorted(Path(folder).glob("*.json")):
        line = json.loads(path.read_text(encoding="utf-8"))
        row = table[line["area"]][line["what"]]
        row[0] += line["tried"]
        row[1] += line["failed"]
        row[2] |= {line["note"]} - {""}
    return table


def commit():
    """What was tried: the commit, and whether the folder differed from it."""
    command = ["git", "describe", "--always", "--exclude=*", "--dirty"]
    try:
        said = subprocess.run(command, cwd=PAGE.parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "a source that is not a clone"
    return f"commit {said.stdout.strip()}"


def page(table, date, source):
    """The page: a heading for each area, a line for each property."""
    tried = sum(row[0] for rows in table.values() for row in rows.values())
    failed = sum(row[1] for rows in table.values() for row in rows.values())
    lines = [
        "# What was tried, and what held",
        "",
        f"Counted by the campaigns of `make trust`, {date}, {source}: **{tried:,} trials, "
        f"{failed:,} faults**. What is not listed was not run at full size. `make test` "
        "tries a part of each; a fault fails the tests. [SECURITY.md](../SECURITY.md) says what is "
        "promised.",
    ]
    for area in [*AREAS, *sorted(set(table) - set(AREAS))]:
        lines += ["", f"## {area}", ""]
        lines += [AREAS[area], ""] if area in AREAS else []
        if area not in table:
            lines += ["Not run."]
            continue
        lines += ["| | tried | faults |", "|---|--:|--:|"]
        for what, (n, faults, notes) in sorted(table[area].items()):
            note = f" ({'; '.join(sorted(notes))})" if notes else ""
            lines.append(f"| {what}{note} | {n:,} | {faults:,} |")
    return "\n".join(lines) + "\n", failed


if __name__ == "__main__":
    text, faults = page(gather(sys.argv[1]), datetime.now(UTC).date().isoformat(), commit())
    PAGE.write_text(text, encoding="utf-8")
    print(f"{PAGE.name} written: {faults} faults")
    sys.exit(faults > 0)
