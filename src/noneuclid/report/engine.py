"""Where blocks are read: threads of this process, or a dask cluster that already runs."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from noneuclid._memory import allowed_memory
from noneuclid.datasets import DataError
from noneuclid.datasets.large import Memory

# Seconds for a scheduler to answer, and for its first worker to come.
_PATIENCE = 10
# This share of the memory that is allowed may hold the data between two passes.
_KEPT = 0.25

Watch = Callable[[int, int, int], None]
"""Called with the number of a pass, the tasks that are done, and how many it has (0: unknown)."""


def _unwatched(*numbers: int) -> None:
    """Nobody looks."""


@contextmanager
def engine(
    address: str | None = None, limit: float | None = None, watch: Watch = _unwatched
) -> Iterator[Memory]:
    """Let dask compute on threads, or on the cluster at an address; gives the memory for blocks."""
    try:
        import dask
    except ImportError:
        raise DataError('reading by blocks needs dask: pip install "noneuclid[dask]"') from None
    if address is not None:
        with _client(address, watch) as client:
            yield _of_cluster(client, address, limit)
        return
    threads = os.cpu_count() or 1
    limit = limit or allowed_memory()
    with dask.config.set(scheduler=_Threads(threads, watch)):
        yield Memory(limit, threads, limit * _KEPT)


class _Threads:
    """A scheduler of dask: its threads, with somebody watching the passes."""

    def __init__(self, n: int, watch: Watch):
        self.n, self.watch, self.passes = n, watch, 0

    def __call__(self, graph: Any, keys: Any, **options: Any) -> Any:
        from dask import threaded
        from dask.callbacks import Callback

        self.passes += 1
        done = 0

        def posttask(key: Any, result: Any, graph: Any, state: Any, worker: Any) -> None:
            nonlocal done
            done += 1
            waiting = sum(len(state[name]) for name in ("ready", "waiting", "running"))
            self.watch(self.passes, done, done + waiting)

        with Callback(posttask=posttask):
            options["num_workers"] = self.n
            return threaded.get(graph, keys, **options)


@contextmanager
def _client(address: str, watch: Watch) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise DataError('--scheduler needs dask: pip install "noneuclid[dask]"') from None
    passes = 0

    class Watched(Client):
        """A client that tells of every pass."""

        def get(self, *args: Any, **kwargs: Any) -> Any:
            nonlocal passes
            passes += 1
            watch(passes, 0, 0)
            return super().get(*args, **kwargs)

    try:
        with _quiet("distributed"):
            # A client would wait for ever for somebody who takes calls, but does not answer.
            asyncio.run(asyncio.wait_for(_answer(address), _PATIENCE))
            client = Watched(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError, RuntimeError, TimeoutError) as error:
        why = str(error).splitlines()[0] if str(error) else "no answer"
        raise DataError(
            f"no dask scheduler answers at --scheduler {address} ({why}): start one with "
            "`dask scheduler`, and give the address that it shows"
        ) from error
    with client:
        yield client


async def _answer(address: str) -> None:
    """Ask who is there."""
    from distributed import rpc

    async with rpc(address) as there:
        found = await there.identity()
    if found.get("type") != "Scheduler":
        raise ValueError(f"it is the address of a {found.get('type')}")


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Without what a package logs about an error that is said in one sentence."""
    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _of_cluster(client: Any, address: str, limit: float | None) -> Memory:
    """The memory of the smallest worker, and that of all for data between two passes."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise DataError(
            f"the dask scheduler at {address} has no workers: start some with `dask worker "
            f"{address}`"
        ) from None
    workers = list(client.scheduler_info(n_workers=-1)["workers"].values())
    sizes = [worker["memory_limit"] or allowed_memory() for worker in workers]
    threads = max(int(worker["nthreads"]) for worker in workers)
    limit = limit or min(sizes) / 2
    return Memory(limit, threads, min(sum(sizes), limit * len(sizes)) * _KEPT)
