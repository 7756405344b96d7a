"""The one door to numba.

Compiled functions are cached on disk where a folder is writable and compiled anew otherwise: a
read-only installation or a full disk must never be an error. Functions are never passed as
arguments (numba does not cache those); a small number selects the branch instead.
"""

import contextlib
import functools
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

# "contract" lets a*b+c become one instruction. "reassoc" lets a sum be vectorised; it must stay
# off where rounding is steered on purpose, as in the polynomial exp.
_STRICT = {"contract"}
_SUMS = {"contract", "reassoc", "nsz", "nnan"}

# numba's "workqueue" threading layer, the only one that is always there, ends the process when
# two Python threads start parallel code at once. One kernel uses all cores anyway.
_one_parallel_kernel = threading.Lock()


def _renew_lock() -> None:
    global _one_parallel_kernel
    _one_parallel_kernel = threading.Lock()


if hasattr(os, "register_at_fork"):  # the thread that holds the lock is not there in the child
    os.register_at_fork(after_in_child=_renew_lock)


def jit(*, parallel: bool = False, sums: bool = False, inline: bool = False) -> Callable[[F], F]:
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
    """
    options: dict[str, Any] = {"fastmath": _SUMS if sums else _STRICT, "parallel": parallel}
    if inline:
        options["inline"] = "always"

    def decorate(function: F) -> F:
        try:
            compiled = _kept_if_possible(numba.njit(cache=True, **options)(function))
        except RuntimeError:  # no folder to cache in
            compiled = numba.njit(**options)(function)
        return cast(F, _one_at_a_time(compiled) if parallel else compiled)

    return decorate


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


def _one_at_a_time(compiled: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(compiled)
    def call(*args: Any) -> Any:
        with _one_parallel_kernel:
            return compiled(*args)

    return call
