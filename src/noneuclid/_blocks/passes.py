"""A pass over blocks: calls where the blocks lie, as a dask graph, or at once in memory.

The graph of a pass is written by hand, one node per block and per sum: ``dask.delayed`` takes
several times as long to write it down, which counts when blocks are many.
"""

import concurrent.futures
import functools
import uuid
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from threadpoolctl import ThreadpoolController

from noneuclid._blocks import door


class Directly:
    """Rows in memory: calls are made at once."""

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """The value of the function."""
        return function(*args)

    def held(self, value: Any) -> Any:
        """A value to give to calls."""
        return value

    def values(self, nodes: list[Any]) -> list[Any]:
        """What the calls gave."""
        return nodes


class Graph:
    """Blocks of dask collections: where the graphs of all passes begin.

    Parameters
    ----------
    beside : lists of delayed blocks, of blocks in memory, or None
        One list for the samples, one for labels, and so on.
    """

    def __init__(self, *beside: Sequence[Any] | None):
        door.import_dask()
        from dask.highlevelgraph import HighLevelGraph

        delayed = [
            b for blocks in beside if blocks is not None for b in blocks if hasattr(b, "key")
        ]
        # Blocks of one collection share its graph: each is merged once.
        graphs = {id(block.dask): block.dask for block in delayed}
        self._base = HighLevelGraph.merge(*graphs.values())

    def begin(self) -> "Pass":
        """A new pass."""
        return Pass(self._base)


class Pass:
    """Calls as nodes of a graph; nothing happens before values are asked for."""

    def __init__(self, base: Any):
        self._base, self._name = base, f"noneuclid-{uuid.uuid4().hex[:16]}"
        self._nodes: dict[Any, Any] = {}

    def call(self, function: Callable[..., Any], *args: Any) -> "_Node":
        """The node of a call; arguments are nodes, delayed blocks, or values that are data."""
        from dask._task_spec import Task, TaskRef

        key = f"{self._name}-{len(self._nodes)}"
        keys = (_key(arg) for arg in args)
        given = (arg if key is None else TaskRef(key) for arg, key in zip(args, keys))
        self._nodes[key] = Task(key, function, *given)
        return _Node(key)

    def held(self, value: Any) -> "_Node":
        """The node of a value: it travels once per worker, not once per call."""
        return self.call(_opened, _Held(value))

    def values(self, nodes: list[Any]) -> list[Any]:
        """What the calls give, by whatever scheduler is set; one sentence if it is gone."""
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        last = self.call(_listed, *nodes).key
        graph = HighLevelGraph(
            {**self._base.layers, self._name: self._nodes},
            {**self._base.dependencies, self._name: set(self._base.layers)},
        )
        # Blocks run side by side: more threads inside each would only wait for each other.
        with _threads().limit(limits=1, user_api="blas"):
            (found,) = computed([Delayed(last, graph, layer=self._name)])
        return list(found)


def computed(tasks: Sequence[Any]) -> Sequence[Any]:
    """What delayed tasks give, by whatever scheduler is set; one sentence if it is gone."""
    import dask

    try:
        found: Sequence[Any] = dask.compute(*tasks)
    except Exception as error:
        if isinstance(error, concurrent.futures.CancelledError) or _of_cluster(error):
            raise ConnectionError(
                f"the dask cluster did not finish the pass ({type(error).__name__}): see "
                "whether it still runs, and whether a block fits into the memory of a worker"
            ) from error
        raise
    return found


@functools.cache
def _threads() -> ThreadpoolController:
    """The libraries that compute with threads; to look for them takes longer than a short pass."""
    return ThreadpoolController()


class _Held:
    """A value that dask does not look into."""

    def __init__(self, value: Any):
        self.value = value


def _opened(held: _Held) -> Any:
    return held.value


class _Node(NamedTuple):
    """A call by its key in the graph."""

    key: str


def _listed(*values: Any) -> list[Any]:
    return list(values)


def _key(arg: Any) -> Any:
    """The key of a node or of a delayed block; None for data."""
    if isinstance(arg, _Node) or (hasattr(arg, "dask") and hasattr(arg, "key")):
        return arg.key
    return None


def _of_cluster(error: Exception) -> bool:
    return type(error).__module__.split(".")[0] in ("distributed", "tornado", "asyncio")
