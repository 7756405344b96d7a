"""What a benchmark measured, kept as JSON in ``records`` with machine, versions and date.

One line around the main part of a script::

    with recorded(__file__):
        main()

keeps what it prints, and every line of ``_timing.report`` as numbers. Only a whole run is kept:
with options on its command line, a script prints and nothing else. One option every script has,
``--quick``, which is ``quick`` here: sizes that show in a minute that it works, and no more.
``make benchmark-report`` turns all records into ``README.md``.
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
from time import perf_counter

import _peers

RECORDS = Path(__file__).with_name("records")
HERE = {"aeon": "aeon", "dask": "dask", "rapidfuzz": "rapidfuzz"}  # beside us, if imported
ALWAYS = ("noneuclid", "numpy", "scipy", "scikit-learn", "numba")
# One question to another environment: the versions of what it has.
_ASK = """
import json, sys
from importlib.metadata import version
print(json.dumps({name: version(name) for name in sys.argv[1:]}))
"""

INSIDE = "NONEUCLID_BENCHMARK_INSIDE"
quick = "--quick" in sys.argv[1:]  # every script runs at a small size then
if quick:
    sys.argv.remove("--quick")
ratios: list[dict] = []  # what _timing.report printed since the last record


def processor() -> str:
    """The model of the processor, as the system names it."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> dict:
    """Processor, cores, system, and how many processes wanted a core in the last minutes."""
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    load = round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else None
    return {"processor": processor(), "cores": os.cpu_count(), "system": system, "load": load}


def versions() -> dict[str, str]:
    """Versions of what is always used, and of the peers that were asked for."""
    here = [*ALWAYS, *(name for name, module in HERE.items() if module in sys.modules)]
    found = {}
    for name in here:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    for name, python in _peers.asked.items():
        done = subprocess.run([python, "-c", _ASK, name], capture_output=True, text=True)
        if done.returncode == 0:
            found |= json.loads(done.stdout)
    return found


def record(name: str, figures: dict, seconds: float) -> None:
    """Keep what a benchmark measured, and how long it took."""
    kept = {
        "benchmark": name,
        "command": f"python benchmarks/{name}.py",
        "date": date.today().isoformat(),
        "seconds": round(seconds),
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
    start = perf_counter()
    with contextlib.redirect_stdout(_Both()) as printed:
        yield
    if quick or sys.argv[1:]:
        print("(not recorded: a part of the benchmark, by its options)", file=sys.stderr)
        return
    others = [line for line in printed.getvalue().splitlines() if " times faster   " not in line]
    figures = {"ratios": ratios, "printed": [line.rstrip() for line in others if line.strip()]}
    record(Path(script).stem, figures, perf_counter() - start)
