"""Timing shared by the benchmarks: everything in one run, best of several, as ratios."""

import compileall
import functools
import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import _record

# What takes longer pays little for the caches and threads that others leave.
_SHORT = 0.5


def best_time(function: Callable[[], Any], *, repeat: int = 5, warm_up: int = 1) -> float:
    """Shortest wall-clock time of several calls, in seconds.

    The first calls are not counted: they compile, allocate and fill caches. Noise on a shared
    machine only ever adds time, so the minimum is the figure closest to the code itself.
    """
    for _ in range(warm_up):
        function()
    return min(_elapsed(function) for _ in range(repeat))


def best_times(*functions: Callable[[], Any], repeat: int = 5) -> list[float]:
    """Shortest time of each function; their calls alternate, so that load hits all alike.

    A short call comes right after one of the same function that is not counted. Otherwise it pays
    for what the one before it left: the caches, and threads of a BLAS, which for some hundredths of
    a second wait for another product by turning round, and take the cores from those of another.
    """
    first = [_elapsed(function) for function in functions]
    rounds = []
    for _ in range(repeat):
        times = []
        for function, once in zip(functions, first):
            if once < _SHORT:
                function()
            times.append(_elapsed(function))
        rounds.append(times)
    return [min(times) for times in zip(*rounds)]


def _elapsed(function: Callable[[], Any]) -> float:
    start = perf_counter()
    function()
    return perf_counter() - start


def as_installed(cache: str) -> dict[str, str]:
    """Environment of a new process: nothing compiled to machine code, all modules to bytecode.

    Installing a library compiles its modules, as was done for the peers; a checkout has that done
    at the first import, or never, where nothing may be written.
    """
    _compile_modules()
    source = Path(find_spec("noneuclid").submodule_search_locations[0]).parent
    return {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(source)}


@functools.cache
def _compile_modules() -> None:
    for folder in find_spec("noneuclid").submodule_search_locations:
        compileall.compile_dir(folder, quiet=2)


def report(
    what: str,
    ours: float,
    theirs: float,
    *,
    against: str,
    on: str = "",
    goal: str = "",
    quality: str = "",
) -> float:
    """Print one line, keep it for the record, and return how many times faster ours is.

    ``against`` begins with the name of the other library, as it is installed; ``on`` names the
    data, where ``what`` is done with several; ``quality`` tells what both sides reached in that
    time, ours first: an error, an accuracy.
    """
    ratio = theirs / ours
    row = {"what": what, "on": on, "against": against, "ours (ms)": round(1e3 * ours, 3)}
    row |= {"theirs (ms)": round(1e3 * theirs, 3), "times faster": round(ratio, 2)}
    _record.ratios.append(row | {"goal": goal, "quality": quality})
    shown = f"{what}, {on}" if on else what
    line = f"{shown:<48} {1e3 * ours:9.2f} ms   {against:<28} {1e3 * theirs:9.2f} ms"
    notes = "; ".join(filter(None, (goal and f"goal: {goal}", quality)))
    print(f"{line}   {ratio:6.2f} times faster   {notes}", flush=True)
    return ratio
