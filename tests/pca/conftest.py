"""Benchmark data for the slow tests; they skip where it is absent."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

_PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def benchmark_data() -> Callable[[str], Mapping[str, np.ndarray]]:
    folder = Path(os.environ.get("NONEUCLID_DATA", _PROJECT.parent / "shared" / "data"))

    def load(name: str) -> Mapping[str, np.ndarray]:
        path = folder / f"{name}.npz"
        if not path.is_file():
            pytest.skip(f"{path.name} is not there: set NONEUCLID_DATA to the benchmark data")
        with np.load(path, allow_pickle=False) as archive:
            return dict(archive)

    return load
