"""What a benchmark measured, kept as JSON in ``records`` with machine, versions and date.

Two ways in. One line, for figures with names::

    record("cold_start", {"import": {"ours (s)": 0.4}})

and, for a script that prints what it finds, one line around its main part::

    with recorded(__file__):
        main()

which also keeps every line that ``_timing.report`` prints as numbers. ``make benchmark-report``
turns all records into ``README.md``.
"""

import contextlib
import io
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RECORDS = Path(__file__).with_name("records")
PEERS = {  # distribution -> the module it is imported as
    "aeon": "aeon",
    "alibi-detect": "alibi_detect",
    "dask": "dask",
    "elephant": "elephant",
    "FDApy": "FDApy",
    "hyppo": "hyppo",
    "kmedoids": "kmedoids",
    "minisom": "minisom",
    "POT": "ot",
    "prosemble": "prosemble",
    "proto-dist-ml": "proto_dist_ml",
    "pykeops": "pykeops",
    "pyspike": "pyspike",
    "rapidfuzz": "rapidfuzz",
    "scikit-fda": "skfda",
    "sklvq": "sklvq",
    "tslearn": "tslearn",
}
ALWAYS = ("noneuclid", "numpy", "scipy", "scikit-learn", "numba")
# One question to another environment: the versions of what it has.
_ASK = """
import json, sys
from importlib.metadata import PackageNotFoundError, version
def ask(name):
    try: return version(name)
    except PackageNotFoundError: return ""
print(json.dumps({name: ask(name) for name in sys.argv[1:]}))
"""

INSIDE = "NONEUCLID_BENCHMARK_INSIDE"
ratios: list[dict] = []  # what _timing.report printed since the last record


def processor() -> str:
    """The model of the processor, as the system names it."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> dict:
    """Processor, cores, system, and how many processes wanted a core in the last quarter hour."""
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    load = round(os.getloadavg()[2], 1) if hasattr(os, "getloadavg") else None
    return {"processor": processor(), "cores": os.cpu_count(), "system": system, "load": load}


def versions() -> dict[str, str]:
    """Versions of what is always used, and of peers imported here or in their own environments."""
    here = [*ALWAYS, *(name for name, module in PEERS.items() if module in sys.modules)]
    found = {}
    for name in here:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    for python in interpreters():
        done = subprocess.run([python, "-c", _ASK, *PEERS], capture_output=True, text=True)
        if done.returncode == 0:
            found |= {name: number for name, number in json.loads(done.stdout).items() if number}
    return found


def interpreters() -> list[str]:
    """The interpreters of peers that the command line names."""
    return [word for word in sys.argv[1:] if Path(word).name.startswith("python")]


def command() -> str:
    """The command line, without the places of interpreters."""
    words = ["PYTHON" if word in interpreters() else word for word in sys.argv[1:]]
    return " ".join([f"python benchmarks/{Path(sys.argv[0]).name}", *words])


def record(name: str, figures: dict) -> None:
    """Keep what a benchmark measured.

    ``figures`` maps what was measured to a number, or to a dictionary of numbers and words (one row
    of a table).
    """
    kept = {
        "benchmark": name,
        "command": command(),
        "date": date.today().isoformat(),
        "machine": machine(),
        "versions": versions(),
        "figures": figures,
    }
    RECORDS.mkdir(exist_ok=True)
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    (RECORDS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


class _Both(io.StringIO):
    """Writes to the screen, too."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)
        return super().write(text)

    def flush(self) -> None:
        sys.__stdout__.flush()


@contextlib.contextmanager
def recorded(script: str) -> Iterator[None]:
    """Keep the ratios and lines that the block prints as the record of a script."""
    if os.environ.get(INSIDE):  # a script that measures itself in a process of its own
        yield
        return
    os.environ[INSIDE] = "yes"
    ratios.clear()
    with contextlib.redirect_stdout(_Both()) as printed:
        yield
    figures: dict = {f"{row.pop('what')}, against {row.pop('against')}": row for row in ratios}
    others = [line for line in printed.getvalue().splitlines() if " times faster   " not in line]
    figures["printed"] = [line.rstrip() for line in others if line.strip()]
    record(Path(script).stem, figures)
