"""A progress bar on long work."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

_WIDTH = 30
_EVERY_SECONDS = 0.1


def progress(steps: Iterable[T], total: int, label: str, enabled: bool = True) -> Iterator[T]:
    """Yield the steps; show how far they are on standard error.

    Examples
    --------
    >>> list(progress(range(3), 3, "steps", enabled=False))
    [0, 1, 2]
    """
    if not enabled:
        yield from steps
        return
    start = last = time.monotonic()
    for done, step in enumerate(steps, 1):
        yield step
        now = time.monotonic()
        if now - last >= _EVERY_SECONDS or done == total:
            last = now
            bar = "#" * (_WIDTH * done // max(total, 1))
            text = f"\r{label} [{bar:<{_WIDTH}}] {done}/{total} {now - start:5.1f} s"
            print(text, end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
