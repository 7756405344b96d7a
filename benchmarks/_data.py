"""Where the benchmark data are, which the package does not ship."""

import os
from pathlib import Path

import numpy as np


def load(name: str) -> dict[str, np.ndarray]:
    """Arrays of one benchmark file, from NONEUCLID_DATA or ../shared/data beside the project."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    path = Path(os.environ.get("NONEUCLID_DATA", beside)) / f"{name}.npz"
    if not path.is_file():
        raise SystemExit(
            f"benchmark data not found: set NONEUCLID_DATA to the folder of {path.name}"
        )
    with np.load(path, allow_pickle=False) as file:
        return dict(file)
