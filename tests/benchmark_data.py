"""Published data sets, where they are at hand; tests that need one skip elsewhere."""

import os
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(os.environ.get("NONEUCLID_DATA", Path(__file__).parents[2] / "shared" / "data"))


def path_of(name: str) -> Path:
    """Where the set lies; one reason for all that are missing, so that it is told once."""
    path = FOLDER / f"{name}.npz"
    if not path.is_file():
        pytest.skip("the benchmark data are not there: set NONEUCLID_DATA to their folder")
    return path


def load(name: str) -> dict[str, np.ndarray]:
    """The arrays of a set, by name."""
    with np.load(path_of(name), allow_pickle=False) as archive:
        return dict(archive)
