"""A dask cluster of two processes, for tests that it gives what one process gives."""

from collections.abc import Iterator
from typing import Any

import pytest


def two_processes() -> Iterator[Any]:
    """A client of two worker processes, which nobody uses who does not ask for it."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client
