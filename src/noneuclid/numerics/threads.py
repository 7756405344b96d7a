"""Work in Python threads, for what NumPy and compiled code do without holding the interpreter."""

import contextlib
import contextvars
import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from threadpoolctl import ThreadpoolController

from noneuclid.numerics._jit import threads_here

# Products of matrices with fewer multiplications than this gain nothing from further threads; those
# with a vector wait for memory, of which several threads get more.
_WORTH_THREADS, _WORTH_THREADS_OF_VECTORS = 1 << 27, 1 << 22

# Whether the main thread has asked for one: to ask again takes as long as a small product.
_is_limited = False

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


def worth_threads(multiplications: int, *, of_vectors: bool = False) -> bool:
    """Whether several threads make a product of matrices faster.

    Parameters
    ----------
    multiplications : int
        How many it takes.
    of_vectors : bool
        Whether it is one of a matrix and a vector.

    Returns
    -------
    bool
    """
    return multiplications >= (_WORTH_THREADS_OF_VECTORS if of_vectors else _WORTH_THREADS)


@contextlib.contextmanager
def one_blas_thread(multiplications: int, *, of_vectors: bool = False) -> Iterator[None]:
    """Products of matrices on one thread, where they are too small to gain from several.

    Threads of a BLAS wait for the next product by turning round, and take the cores from compiled
    code and from other processes: many small products are several times slower with them. The
    number of threads belongs to the process: only its main thread sets it, since others would undo
    what somebody else had set, and OpenBLAS does not listen to them.

    Parameters
    ----------
    multiplications : int
        Of a typical product.
    of_vectors : bool
        Whether it is one of a matrix and a vector.

    Yields
    ------
    None

    Examples
    --------
    >>> with one_blas_thread(1000):
    ...     pass
    """
    global _is_limited
    in_main = threading.current_thread() is threading.main_thread()
    needless = worth_threads(multiplications, of_vectors=of_vectors) or not in_main or _is_limited
    if needless:
        yield
        return
    with _libraries().limit(limits=1, user_api="blas"):
        _is_limited = True
        try:
            yield
        finally:
            _is_limited = False


@functools.cache
def _libraries() -> ThreadpoolController:
    """The libraries that compute with threads; to look for them takes longer than a small fit."""
    return ThreadpoolController()
