"""A journal of passes, so that an interrupted fit goes on where it was.

Between two passes over the data a fit is a computation on small numbers that anybody can repeat:
the same parameters, seed and sums give the same next question. So it is enough to keep the answer
to every pass. A fit that finds a journal asks it first, and reads data only for what is not there.
"""

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from noneuclid._checks import shown
from noneuclid._version import __version__
from noneuclid._writing import write_atomically

_HEAD = "fit.json"


class Journal:
    """Answers to the passes of one fit, one file each, in a folder.

    Parameters
    ----------
    folder : path
        Made if it is not there.
    fit : str
        What is fitted, with its parameters. A folder of another fit is refused.
    """

    def __init__(self, folder: str | os.PathLike[str], fit: str):
        self.folder, self.fit = Path(folder), fit
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"checkpoint (={str(folder)!r}) must be a folder that can be made: {error.strerror}"
            ) from None
        self.n_passes = self.n_read = 0
        head = {"noneuclid": __version__, "fit": fit}
        known = self._head()
        if known is None:
            head["seed"] = str(int(np.random.SeedSequence().generate_state(1)[0]))
            write_atomically(self.folder / _HEAD, json.dumps(head, indent=1))
            known = head
        self.seed = int(known["seed"])
        if {**known, "seed": ""} != {**head, "seed": ""}:
            raise ValueError(
                f"checkpoint (={str(folder)!r}) belongs to another fit, {known['fit']} of "
                f"noneuclid {known['noneuclid']}: give another folder, or remove this one"
            )

    @staticmethod
    def check(folder: str | os.PathLike[str]) -> None:
        """Raise unless a journal can be kept there; nothing is made yet."""
        path = Path(folder).absolute()
        try:
            there = next(place for place in (path, *path.parents) if place.exists())
        except OSError as error:  # no name that a folder could have
            raise ValueError(
                f"checkpoint (={shown(str(folder))}) must be a folder that can be made: "
                f"{error.strerror}"
            ) from None
        if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
            raise ValueError(
                f"checkpoint (={str(folder)!r}) must be a folder that can be written to; {there} "
                "cannot"
            )

    def ask(self, question: Any, answer: Callable[[], Any], *, check: bool = False) -> Any:
        """The answer that is written down, or else the answer, which is written down then.

        With ``check`` it is always computed, and must be the one that is written down.
        """
        name = f"{self.n_passes:06d}.npz"
        self.n_passes += 1
        key = joblib.hash(question)
        known = self._read(name)
        if known is not None and known[0] == key and not check:
            self.n_read += 1
            return known[1]
        found = answer()
        if known is not None and not (known[0] == key and _alike(known[1], found)):
            raise ValueError(
                f"checkpoint (={str(self.folder)!r}) was begun with other data, or another start: "
                "give another folder, or remove this one"
            )
        if known is None:
            flat: dict[str, np.ndarray] = {"key": np.array(key)}
            shape, file = json.dumps(_flattened(found, flat)), io.BytesIO()
            np.savez(file, shape=np.array(shape), **flat)  # type: ignore[arg-type]
            write_atomically(self.folder / name, file.getvalue())
        return found

    def _head(self) -> dict[str, str] | None:
        try:
            head = json.loads((self.folder / _HEAD).read_text())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ValueError(
                f"checkpoint (={str(self.folder)!r}) cannot be read: {error}"
            ) from None
        if not isinstance(head, dict) or not {"noneuclid", "fit", "seed"} <= head.keys():
            raise ValueError(f"checkpoint (={str(self.folder)!r}) is no folder of a fit")
        return head

    def _read(self, name: str) -> tuple[str, Any] | None:
        path = self.folder / name
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as file:
                flat = {key: file[key] for key in file.files}
            return str(flat["key"]), _restored(json.loads(str(flat["shape"])), flat)
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"checkpoint file {str(path)!r} is damaged ({error}): remove it and those after it"
            ) from None


def _alike(one: Any, other: Any) -> bool:
    """Whether two answers are the same but for rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_alike(one[k], other[k]) for k in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_alike, one, other))
    a, b = np.asarray(one), np.asarray(other)
    if a.dtype.kind == "f" and a.shape == b.shape:
        return bool(np.allclose(a, b, rtol=1e-9, atol=1e-9 * float(np.abs(a).max(initial=0.0))))
    return bool(np.array_equal(a, b))


def _flattened(value: Any, flat: dict[str, np.ndarray]) -> Any:
    """The structure of nested tuples, lists and dicts, with names for the arrays in it."""
    if isinstance(value, dict):
        pairs = [[_flattened(k, flat), _flattened(v, flat)] for k, v in value.items()]
        return {"dict": pairs}
    if isinstance(value, (tuple, list)):
        return {type(value).__name__: [_flattened(v, flat) for v in value]}
    if value is None or type(value) in (bool, int, float, str):
        return {"value": value}
    array = np.asarray(value)
    if array.dtype == object:
        return {"objects": [_flattened(v, flat) for v in array.tolist()], "shape": array.shape}
    name = f"a{len(flat)}"
    flat[name] = array
    return {"array": name}


def _restored(shape: Any, flat: dict[str, np.ndarray]) -> Any:
    ((kind, inside),) = [(k, v) for k, v in shape.items() if k != "shape"]
    if kind == "dict":
        return {_restored(k, flat): _restored(v, flat) for k, v in inside}
    if kind == "value":
        return inside
    if kind == "array":
        array = flat[inside]
        return array[()] if array.ndim == 0 else array
    items = [_restored(v, flat) for v in inside]
    if kind == "objects":
        array = np.empty(len(items), dtype=object)
        array[:] = items
        return array.reshape(shape["shape"])
    return tuple(items) if kind == "tuple" else items
