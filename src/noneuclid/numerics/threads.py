"""Work in Python threads, for what NumPy and compiled code do without holding the interpreter."""

import contextlib
import contextvars
import functools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from noneuclid.numerics._jit import threads_here

# Products of matrices with fewer multiplications than this gain nothing from further threads.
_WORTH_THREADS = 1 << 27

S = TypeVar("S")
T = TypeVar("T")


def in_threads(function: Callable[[S], T], items: Iterable[S]) -> Iterator[T]:
    """The function of every item, in order, on as many cores as this place has.

    The items must not depend on the number of cores: then what is made of the results, in their
    order, does not either.

    Parameters
    ----------
    function : callable
        Safe to be called by several threads at once.
    items : iterable
        Its arguments.

    Yields
    ------
    object
        What the function returns.

    Examples
    --------
    >>> list(in_threads(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    given = list(items)
    cores = min(threads_here(), len(given))
    if cores < 2:
        yield from map(function, given)
        return
    with ThreadPoolExecutor(cores) as pool:
        waiting = [pool.submit(contextvars.copy_context().run, function, item) for item in given]
        try:
            for future in waiting:
                yield future.result()
        finally:
            for future in waiting:
                future.cancel()


@contextlib.contextmanager
def one_blas_thread(multiplications: int) -> Iterator[None]:
    """Products of matrices on one thread, where they are too small to gain from several.

    Threads of a BLAS wait for the next product by turning round, and take the cores from compiled
    code and from other processes: many small products are several times slower with them. The
    limit holds for the process; who comes last takes it away.

    Parameters
    ----------
    multiplications : int
        Of a typical product.

    Yields
    ------
    None

    Examples
    --------
    >>> with one_blas_thread(1000):
    ...     pass
    """
    if multiplications >= _WORTH_THREADS:
        yield
        return
    _limit.enter()
    try:
        yield
    finally:
        _limit.leave()


class _Limit:
    """One thread for BLAS as long as somebody wants it, in whatever order they come and go."""

    def __init__(self) -> None:
        self._lock, self._wanted = threading.Lock(), 0
        self._before: Any = None

    def enter(self) -> None:
        with self._lock:
            self._wanted += 1
            if self._wanted == 1:
                self._before = _libraries().limit(limits=1, user_api="blas")
                self._before.__enter__()

    def leave(self) -> None:
        with self._lock:
            self._wanted -= 1
            if self._wanted == 0:
                self._before.__exit__(None, None, None)


@functools.cache
def _libraries() -> ThreadpoolController:
    """The libraries that compute with threads; to look for them takes longer than a small fit."""
    return ThreadpoolController()


_limit = _Limit()


def _after_fork() -> None:
    global _limit
    _limit = _Limit()  # the thread that held the lock is not there in the child


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
