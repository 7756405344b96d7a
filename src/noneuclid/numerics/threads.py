"""Work in Python threads, for what NumPy and compiled code do without holding the interpreter."""

import contextvars
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from noneuclid.numerics._jit import threads_here

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
