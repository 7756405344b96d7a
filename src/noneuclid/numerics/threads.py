"""Work in Python threads, for what NumPy and compiled code do without holding the interpreter."""

import contextlib
import contextvars
import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

import numpy as np
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


class Beside(Generic[T]):
    """Another thread, which answers one question after the other.

    Queues of C carry both, so that an interrupt at any moment leaves no lock behind. The thread
    ends with the block, or when nobody can ask any more.

    Examples
    --------
    >>> with Beside() as other:
    ...     other.ask(pow, 2, 3)
    ...     other.ask(len, "four")
    ...     other.answer(), other.answer()
    (8, 4)
    """

    def __init__(self) -> None:
        self._questions: SimpleQueue[Callable[[], T] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        queues = self._questions, self._answers  # and not itself, which would never be forgotten
        self._thread = threading.Thread(target=_answered, args=queues, daemon=True)

    def __enter__(self) -> "Beside[T]":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._questions.put(None)
        self._thread.join()

    def __del__(self) -> None:
        self._questions.put(None)  # an interrupt may have come before the end of the block did so

    def ask(self, function: Callable[..., T], *args: Any) -> None:
        """Have a function called there, in the context of the caller.

        Parameters
        ----------
        function : callable
        *args
            What it is given.
        """
        context, errors = contextvars.copy_context(), np.geterr()

        def question() -> T:
            with np.errstate(**errors):  # with NumPy 1 it is no part of the context
                return context.run(function, *args)

        self._questions.put(question)

    def answer(self) -> T:
        """The first answer that was not taken yet; raises what the function raised.

        Returns
        -------
        object
            What the function returned.
        """
        value, error = self._answers.get()
        if error is not None:
            raise error
        return value  # type: ignore[return-value]


def _answered(
    questions: SimpleQueue[Callable[[], T] | None],
    answers: SimpleQueue[tuple[T | None, BaseException | None]],
) -> None:
    while (question := questions.get()) is not None:
        try:
            answers.put((question(), None))
        except BaseException as error:
            answers.put((None, error))


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
