"""The one door to numba.

Compiled functions are cached on disk where a folder is writable and compiled anew otherwise: a
read-only installation or a full disk must never be an error. Functions are never passed as
arguments (numba does not cache those); a small number selects the branch instead.
"""

import contextlib
import functools
import gc
import os
import threading
import types
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

import numba
from joblib.parallel import get_active_backend

F = TypeVar("F", bound=Callable[..., Any])

# "contract" lets a*b+c become one instruction. "reassoc" lets a sum be vectorised; it must stay
# off where rounding is steered on purpose, as in the polynomial exp.
_STRICT = {"contract"}
_SUMS = {"contract", "reassoc", "nsz", "nnan"}

# numba's "workqueue" threading layer, the only one that is always there, ends the process when
# two Python threads start parallel code at once. One kernel uses all cores anyway.
_one_parallel_kernel = threading.Lock()
# GNU's OpenMP cannot be used in a child of a process that used it: numba would end the child.
_no_threads_here = False


def _after_fork() -> None:
    global _one_parallel_kernel, _no_threads_here
    _one_parallel_kernel = threading.Lock()  # the thread that held it is not there in the child
    try:
        _no_threads_here = numba.threading_layer() == "omp"
    except ValueError:  # nothing parallel ran before
        _no_threads_here = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def jit(
    *,
    parallel: bool = False,
    sums: bool = False,
    inline: bool = False,
    nogil: bool = False,
    borrows: bool = False,
) -> Callable[[F], F]:
    """Compile a function on first use, cached where possible.

    Parameters
    ----------
    parallel : bool
        Threads over ``numba.prange``. Such a function is an entry point: compiled code cannot
        call it.
    sums : bool
        Allow reassociation, so that reductions vectorise.
    inline : bool
        Insert the body into the compiled caller.
    nogil : bool
        Let other Python threads run meanwhile.
    borrows : bool
        Make no arrays, and give none back: nobody counts then who refers to those that are given,
        which takes time whenever one is handed on, and an eighth of the time to compile.
    """
    # No door for C or for compiled code that is given a function: nobody uses it, and every one
    # takes longer to compile than a short function.
    options: dict[str, Any] = {
        "fastmath": _SUMS if sums else _STRICT,
        "parallel": parallel,
        "no_cfunc_wrapper": True,
    }
    if inline:
        options["inline"] = "always"
    if nogil:
        options["nogil"] = True
    if borrows:
        options["_nrt"] = False

    def decorate(function: F) -> F:
        compiled = _compile(function, options)
        return cast(F, _in_turn(compiled, function, options) if parallel else compiled)

    return decorate


# For fewer operations, waking the threads takes as long as the work, and compiling for them takes
# seconds.
_MUCH = 1 << 21


def suited(function: F, operations: int) -> F:
    """A parallel function, for much work; without threads, for little.

    Parameters
    ----------
    function : a function compiled with ``jit(parallel=True)``
    operations : int
        How many there are about, such as pairs times coordinates.

    Returns
    -------
    callable
        It gives the same, on one core or on all.
    """
    return function if operations > _MUCH else cast(F, function.in_turn)  # type: ignore[attr-defined]


def _kept_if_possible(compiled: Any) -> Any:
    """Let the cache forget what it cannot write, as on a full disk."""
    cache = getattr(compiled, "_cache", None)
    if cache is not None and hasattr(cache, "save_overload"):
        save = cache.save_overload

        def save_overload(signature: Any, data: Any) -> None:
            with contextlib.suppress(OSError):
                save(signature, data)

        cache.save_overload = save_overload
    return compiled


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Collect no garbage meanwhile."""
    collects = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if collects:
            gc.enable()


def _made_sooner(compiled: Any) -> Any:
    """Collect no garbage while it compiles.

    numba makes millions of objects, and the collector looks at all that the process has again and
    again: an eighth of the time of a first fit.
    """
    compile_signature = getattr(compiled, "compile", None)
    if compile_signature is not None:  # else nothing is compiled here: NUMBA_DISABLE_JIT

        @functools.wraps(compile_signature)
        def compile_without_collection(signature: Any) -> Any:
            with _no_collection():
                return compile_signature(signature)

        compiled.compile = compile_without_collection
    return compiled


def _compile(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    try:
        compiled = _kept_if_possible(numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no folder to cache in
        compiled = numba.njit(**options)(function)
    return cast(Callable[..., Any], _made_sooner(compiled))


def _in_turn(
    compiled: Callable[..., Any], function: Callable[..., Any], options: dict[str, Any]
) -> Callable[..., Any]:
    """Parallel code for one Python thread at a time, with as many threads as it may use."""
    # Under another name, since numba's cache does not see that an option differs.
    name = f"{function.__name__}_without_threads"
    copy = types.FunctionType(
        function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
    )
    copy.__qualname__ = name
    serial = _compile(copy, {**options, "parallel": False})

    @functools.wraps(compiled)
    def call(*args: Any) -> Any:
        if _no_threads_here:
            return serial(*args)
        with _one_parallel_kernel, _threads_at_most(_share()):
            return compiled(*args)

    call.in_turn = serial  # type: ignore[attr-defined]
    return call


def _share() -> int:
    """How many threads this place leaves to compiled code.

    One in a worker of joblib: its siblings have the other cores. Dask's worker processes, and
    batch systems, say it by OMP_NUM_THREADS, which numba does not read.
    """
    said = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if said.isdecimal() and int(said) > 0 and "NUMBA_NUM_THREADS" not in os.environ:
        share = int(said)
    else:
        share = int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    if share == 1:  # asking joblib takes as long as a short kernel
        return 1
    return 1 if getattr(get_active_backend()[0], "nesting_level", 0) else share


def threads_here() -> int:
    """How many threads may work at once: those compiled code would take."""
    return 1 if _no_threads_here else min(int(numba.get_num_threads()), _share())


@contextlib.contextmanager
def _threads_at_most(share: int) -> Iterator[None]:
    before = numba.get_num_threads()
    if before <= share:
        yield
        return
    numba.set_num_threads(share)  # of this Python thread
    try:
        yield
    finally:
        numba.set_num_threads(before)
