"""Which objects belong together, so that no test is of what was seen in training."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from noneuclid.datasets.dataset import Dataset
from noneuclid.typing import IntArray

# S1_a and S1_b, plant7.2, "sample 12 rep 3", leaf-4B.
_REPLICATE = re.compile(
    r"(?P<object>.*\d.*?)"
    r"(?:[\s_.-]+(?:(?:rep|repl|replicate|scan|run|r)[\s_.-]*)?(?:\d{1,2}|[A-Ha-h])|(?<=\d)[A-Ha-h])"
)
_MOST_REPLICATES = 12
_FEWEST_OBJECTS = 8
# This share of all names must be those of replicates.
_MOSTLY = 0.8


def kept_together(data: Dataset) -> Dataset:
    """The dataset with groups: those that were named, or equal objects and replicates by name.

    Parameters
    ----------
    data : Dataset
        With or without groups.

    Returns
    -------
    Dataset
        With ``groups`` where there are any, and a note that says how they were found.

    Examples
    --------
    >>> names = [f"S{k}_{letter}" for k in range(10) for letter in "ab"]
    >>> data = Dataset("vectors", np.arange(40.0).reshape(20, 2), names=names)
    >>> kept_together(data).groups.tolist()[:4], kept_together(data).notes[0]
    ([0, 0, 1, 1], '10 objects by 20 names (S0_a, S0_b …), kept together in cross-validation')
    """
    if data.groups is not None:
        return data
    equal = _equal_objects(data)
    named = _replicates(data)
    if equal is None and named is None:
        return data
    n, notes = len(data), []
    edges = [both for both in (equal, named) if both is not None]
    if named is not None:
        first = int(np.flatnonzero(named == named[0])[1]) if (named == named[0]).sum() > 1 else 0
        shown = f"{data.names[0]}, {data.names[first]} …"
        notes.append(
            f"{named.max() + 1} objects by {n} names ({shown}), kept together in cross-validation"
        )
    if equal is not None:
        copies = n - int(equal.max()) - 1
        said = f"{copies} objects are equal to others" if copies > 1 else "two objects are equal"
        notes.append(f"{said}, kept together in cross-validation")
    code = f"kept_together({data.code})" if data.code else ""
    return replace(data, groups=_joined(edges, n), code=code).with_notes(*notes)


def _joined(partitions: list[IntArray], n: int) -> IntArray:
    """Numbers of the finest groups that divide none of the parts, in the order of the objects."""
    joined = np.concatenate(partitions)
    offset = np.repeat(np.arange(len(partitions)) * n, n)
    rows, columns = np.tile(np.arange(n), len(partitions)), joined + offset + n
    size = n + len(partitions) * n
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    return _numbered(connected_components(graph, directed=False)[1][:n].tolist())


def _numbered(keys: list[Any]) -> IntArray:
    """0, 1, … in the order in which they come."""
    at = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    return np.array([at[key] for key in keys])


def _equal_objects(data: Dataset) -> IntArray | None:
    """Numbers that equal objects share; None if all differ."""
    if data.is_matrix:
        near = np.asarray(data.X)
        if data.kind == "similarity":
            own = np.diag(near)
            near = own[:, None] - 2 * near + own[None, :]
        same = np.argwhere(np.isclose(near, 0.0, atol=1e-12 * np.abs(data.X).max()))
        graph = coo_array((np.ones(len(same)), same.T), shape=near.shape)
        keys = connected_components(graph, directed=False)[1].tolist()
    elif data.kind == "sequences":
        keys = list(data.X)
    else:
        keys = [np.asarray(x).tobytes() for x in data.X]
    found = _numbered(keys)
    return found if found.max() + 1 < len(found) else None


def _replicates(data: Dataset) -> IntArray | None:
    """Numbers of the objects that names are about, if most of them end in that of a replicate."""
    matches = [_REPLICATE.fullmatch(name) for name in data.names]
    keys = [found["object"] if found else name for found, name in zip(matches, data.names)]
    sizes = Counter(keys)
    several = sum(size for size in sizes.values() if size > 1)
    if several < _MOSTLY * len(keys) or max(sizes.values()) > _MOST_REPLICATES:
        return None
    if len(sizes) < max(_FEWEST_OBJECTS, 2 * len(data.classes)):
        return None
    return _numbered(keys)
