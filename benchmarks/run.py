"""All benchmarks beside their peers, one after the other, then the page (``make benchmark``).

    python benchmarks/run.py [NAME ...] [--quick] [--limit 600] [--list]

Each script runs in a process of its own, for so many seconds at most; one that fails or takes
longer is named at the end, keeps its former record, and stops no other. ``--quick`` shows in some
minutes that every script runs to its end, at small sizes, and records nothing.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
from time import perf_counter

from report import scripts, write


def run(path: os.PathLike, options: list[str], limit: float) -> str:
    """Run one script; what went wrong, in a word."""
    process = subprocess.Popen([sys.executable, path, *options], start_new_session=True)
    try:
        code = process.wait(limit)
    except subprocess.TimeoutExpired:
        return f"took longer than {limit:.0f} s"
    finally:
        if process.poll() is None:  # with the processes it started
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return f"failed ({code})" if code else ""


def processor() -> float:
    """Seconds of the processor that all processes took that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    known = {path.stem: path for path in scripts()}
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing recorded")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for each script")
    parser.add_argument("--list", action="store_true", help="the names, and nothing else")
    given = parser.parse_args()
    if unknown := set(given.names) - set(known):
        parser.error(f"no benchmark is named {', '.join(sorted(unknown))}: {', '.join(known)}")
    if given.list:
        print("\n".join(known))
        return
    spent, wrong = {}, {}
    for name in given.names or known:
        print(f"\n=== {name}", flush=True)
        start, worked = perf_counter(), processor()
        wrong[name] = run(known[name], ["--quick"] if given.quick else [], given.limit)
        spent[name] = perf_counter() - start, processor() - worked
        print(
            "({:.0f} s, {:.0f} s of the processor) {}".format(*spent[name], wrong[name]), flush=True
        )
    print("\n=== seconds, and seconds of the processor")
    for name, (passed, worked) in spent.items():
        print(f"{name:<24}{passed:7.0f}{worked:7.0f}   {wrong[name]}")
    print(f"{'together':<24}" + "".join(f"{sum(part):7.0f}" for part in zip(*spent.values())))
    if not given.quick:
        write()
    sys.exit(1 if any(wrong.values()) else 0)


if __name__ == "__main__":
    main()
