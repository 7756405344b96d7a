"""Ctrl-C and SIGTERM end the program in one line, with exit code 130, at whatever moment they come.

Inside a command they raise a KeyboardInterrupt, so that everything cleans up after itself; before
and after it, where modules are loaded and arguments parsed, they end the process at once.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from noneuclid import _writing

INTERRUPTED = 128 + signal.SIGINT

# A second signal so soon is the same wish, as of a pressed key that also stops the whole group.
_SAME = 2.0

_active = False
_first: float | None = None


def _nothing() -> str:
    return "Stopped; nothing was written"


_sentence: Callable[[], str] = _nothing


def listen() -> None:
    """Leave at once on a signal, from now on; inside :func:`raising` an exception is raised."""
    global _active
    _active = threading.current_thread() is threading.main_thread()
    if _active:
        _handle(_leave_now)
        sys.unraisablehook = _unraisable


@contextmanager
def raising(sentence: Callable[[], str]) -> Iterator[None]:
    """Raise a KeyboardInterrupt on the first signal.

    Parameters
    ----------
    sentence : callable
        Gives the line that says what was done, for a signal that has to end the process later.
    """
    global _first, _sentence
    _first, _sentence = None, sentence
    if _active:
        _handle(_raise)
    try:
        yield
    finally:
        if _active:
            _handle(_leave_now)


def stopped() -> bool:
    """Whether a signal came, though its exception may have become another one on its way."""
    return _first is not None


def _handle(handler: Callable[[int, Any], None]) -> None:
    for name in ("SIGINT", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)


def _raise(*_: Any) -> None:
    global _first
    if _first is None:
        _first = time.monotonic()
        raise KeyboardInterrupt
    if time.monotonic() - _first > _SAME:  # somebody swallowed the exception
        leave()


def _leave_now(*_: Any) -> None:
    if _first is None:  # otherwise it is leaving already
        leave()


def _unraisable(problem: Any) -> None:
    """An interrupt in a finaliser cannot be raised: it ends the process all the same."""
    if isinstance(problem.exc_value, KeyboardInterrupt):
        leave()
    if not stopped():  # what was not finished then complains for nothing
        sys.__unraisablehook__(problem)


def leave() -> NoReturn:
    """End the process now, with one line and without unfinished files."""
    for temporary in tuple(_writing.UNFINISHED):
        _writing.remove(temporary)
    os.write(2, f"{_sentence()}\n".encode())
    os._exit(INTERRUPTED)
