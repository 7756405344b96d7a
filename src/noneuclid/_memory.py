"""Saying that something is too large before it is tried, rather than dying of it.

What needs more than half of the memory that is available is refused with a sentence that says how
much it needs and what to use instead. The environment variable ``NONEUCLID_MEMORY`` changes that:
``off`` refuses nothing, a size such as ``32G`` is what one step may need.
"""

import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import Any, TypeVar

VARIABLE = "NONEUCLID_MEMORY"
T = TypeVar("T")

# Asking the system takes longer than computing what is smaller than this.
_SMALL = 2**25
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:I?B)?", re.IGNORECASE)
_advice: ContextVar[str] = ContextVar("advice", default="")


class NotEnoughMemory(MemoryError):
    """Something would need more memory than is reasonable to ask for; nothing was allocated."""


def require_memory(what: str, n_bytes: float, instead: str) -> None:
    """Raise unless there is memory for what comes next.

    Parameters
    ----------
    what : str
        What needs it: the subject of the sentence, in the singular.
    n_bytes : float
        The most it takes at any moment, beside what is there already.
    instead : str
        What the user can do: an imperative. Advice of a caller, see :func:`advising`, goes first.

    Examples
    --------
    >>> require_memory("a matrix of 10 rows", 800, "use fewer rows")
    >>> require_memory("the matrix of 10,000,000 objects", 8e14, "use n_landmarks=…")
    Traceback (most recent call last):
    ...
    noneuclid._memory.NotEnoughMemory: the matrix of 10,000,000 objects needs 728 TiB of memory, ...
    """
    given, instead = os.environ.get(VARIABLE, "").strip(), _advice.get() or instead
    if given:
        limit = _limit(given)
        if n_bytes > limit:
            allowed = f"NONEUCLID_MEMORY allows {readable(limit)}"
            raise NotEnoughMemory(f"{_needs(what, n_bytes)}, and {allowed}: {instead}")
    elif n_bytes > _SMALL and n_bytes > (available := available_memory()) / 2:
        raise NotEnoughMemory(
            f"{_needs(what, n_bytes)}, more than half of the {readable(available)} available: "
            f"{instead} (the environment variable {VARIABLE}=off tries it nevertheless)"
        )


def are_few(numbers: int) -> bool:
    """Whether so few numbers need no question, as nobody set a limit."""
    return 8 * numbers <= _SMALL and VARIABLE not in os.environ


def require_matrices(
    what: str, n: int, m: int | None = None, *, copies: float = 1.0, instead: str
) -> None:
    """Raise unless there is memory for so many matrices of n × m numbers, n × n by default."""
    require_memory(what, 8.0 * n * (n if m is None else m) * copies, instead)


@contextmanager
def advising(sentence: str) -> Iterator[None]:
    """What users can do instead, said by who knows what they called: the outermost is heard.

    Examples
    --------
    >>> with advising("use n_landmarks=…"), advising("take fewer rows"):
    ...     require_memory("the matrix", 8e14, "take blocks")
    Traceback (most recent call last):
    ...
    noneuclid._memory.NotEnoughMemory: the matrix needs ...: use n_landmarks=… ...
    """
    token = _advice.set(_advice.get() or sentence)
    try:
        yield
    finally:
        _advice.reset(token)


def advised(sentence: str, function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Call a function under such advice, in a context of its own: no interrupt leaves it behind."""
    context = copy_context()
    context.run(_advice.set, _advice.get() or sentence)
    return context.run(function, *args, **kwargs)


def _needs(what: str, n_bytes: float) -> str:
    return f"{what} needs {readable(n_bytes)} of memory"


def _limit(given: str) -> float:
    if given.lower() == "off":
        return float("inf")
    found = size_of(given)
    if found is None:
        raise ValueError(f"{VARIABLE} (={given!r}) must be off, or a size such as 500M or 32G")
    return found


def size_of(given: str) -> float | None:
    """Bytes of a size in words, None if it is none.

    Examples
    --------
    >>> size_of("2GiB"), size_of("1.5 k"), size_of("much")
    (2147483648.0, 1536.0, None)
    """
    found = _SIZE.fullmatch(given.strip())
    return None if found is None else float(found[1]) * _UNITS[found[2].upper()]


def allowed_memory() -> float:
    """How many bytes one step may need."""
    given = os.environ.get(VARIABLE, "").strip()
    return _limit(given) if given else available_memory() / 2


def readable(n_bytes: float) -> str:
    """A number of bytes in words.

    Examples
    --------
    >>> readable(3 * 2**30), readable(80e9), readable(10)
    ('3 GiB', '74.5 GiB', '10 bytes')
    """
    for unit, size in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if n_bytes >= size:
            return f"{float(f'{n_bytes / size:.3g}'):g} {unit}"
    return f"{n_bytes:g} bytes"


def available_memory() -> int:
    """How many bytes this process may still take: what is free, within its limits.

    On Linux the least of what the system has, the control groups (containers) leave and the
    limits of the process (``ulimit``) allow; elsewhere what psutil says, if it is installed, or
    all memory there is. Where nothing is known nothing is refused.
    """
    return max(0, min([_of_system(), *_left_by_groups(), *_left_by_limits()]))


def _of_system() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    if importlib.util.find_spec("psutil"):
        import psutil

        return int(psutil.virtual_memory().available)
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return sys.maxsize


# Where the control groups of versions 1 and 2 say what they allow, use, and could drop of that.
_GROUPS = {
    "memory": ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    "": ("", "memory.max", "memory.current", "inactive_file"),
}


def _left_by_groups(root: str = "/sys/fs/cgroup", own: str = "/proc/self/cgroup") -> Iterator[int]:
    """What each group that the process is in, and each around it, leaves."""
    try:
        lines = Path(own).read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in _GROUPS:
                folder, *names = _GROUPS[controller]
                top = Path(root, folder)
                group = top / path.lstrip("/")
                for place in (group, *group.parents):
                    yield from _left_by_group(place, *names)
                    if place == top:
                        break


def _left_by_group(group: Path, limit: str, usage: str, droppable: str) -> Iterator[int]:
    try:
        most, used = ((group / name).read_text().strip() for name in (limit, usage))
        lines = (group / "memory.stat").read_text().splitlines()
    except OSError:  # no such group here, as in a container that sees only its own
        return
    if most != "max":
        cached = next((int(line.split()[1]) for line in lines if line.split()[0] == droppable), 0)
        yield int(most) - int(used) + cached


def _left_by_limits() -> Iterator[int]:
    """What the limits of the process leave of its address space and its data."""
    try:
        import resource

        pages = Path("/proc/self/statm").read_text().split()
    except (ImportError, OSError):
        return
    for limit, used in ((resource.RLIMIT_AS, pages[0]), (resource.RLIMIT_DATA, pages[5])):
        most = resource.getrlimit(limit)[0]
        if most != resource.RLIM_INFINITY:
            yield most - int(used) * resource.getpagesize()
