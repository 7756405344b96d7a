"""Data that were in no file, kept beside the program that reads them again."""

import io
import re
from typing import Any

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.kernels.trains import as_trains

FILE = "data.npz"
# What `read_dataset` takes an array of an npz file for, by its name.
_ARRAY = {"vectors": "X", "sequences": "sequences"}


def kept_data(analysis: Any) -> tuple[str, dict[str, bytes]]:
    """The program of an analysis, and the data that it reads, if these were in no file."""
    data = analysis.data
    if data is None or (data.code and "as_dataset(" not in data.code):
        return analysis.code, {}
    said = f"kind={data.kind!r}"
    if data.target is not None:
        said += ', target="target"'
    if data.plain or data.kind == "dissimilarity":
        said += ", squared=True"  # they are squares by now
    if data.groups is not None:
        said += ', groups="groups"'
    reading = f"read_dataset({FILE!r}, {said})"
    if not data.code:
        imported = f"from noneuclid.datasets import read_dataset\n{analysis.code}"
        return imported.replace("data = ...\n", f"data = {reading}\n", 1), {FILE: _packed(data)}
    code = analysis.code.replace(data.code, reading)
    return re.sub(r"\bas_dataset\b", "read_dataset", code), {FILE: _packed(data)}


def _plain(values: Any) -> Any:
    """Words as words: objects could only be read back by running code."""
    found = np.asarray(values)
    return found.astype(str) if found.dtype.kind == "O" else found


def _packed(data: Dataset) -> bytes:
    arrays: dict[str, Any] = {"names": np.array(data.names, dtype=str)}
    if data.kind == "spikes":
        trains = as_trains(data.X)
        arrays |= {"times": trains.times, "offsets": trains.offsets}
    else:
        arrays[_ARRAY.get(data.kind, data.kind)] = np.asarray(data.X)
    optional = {"labels": data.labels, "target": data.target, "grid": data.grid}
    optional["groups"] = data.groups
    arrays |= {name: _plain(value) for name, value in optional.items() if value is not None}
    if data.features is not None:
        arrays["feature_names"] = np.array(data.features, dtype=str)
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()
