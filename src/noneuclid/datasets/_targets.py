"""Numbers that are to be predicted, from a column or an array."""

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._table import numbers_of, words_of
from noneuclid.datasets.content import Content
from noneuclid.typing import Array

_FEWEST_VALUES = 3


def target_of(content: Content, wanted: str, names: list[str]) -> Array:
    """The numbers, or an error that says what is wrong with them."""
    alike = [name for name in content.other if name.lower() == wanted.lower()]
    if not alike:
        known = ", ".join(list(content.other)[:8])
        there = f" (there are {known})" if known else ""
        raise DataError(f"--target: {content.file} has no column {wanted!r}{there}")
    name = wanted if wanted in content.other else alike[0]
    cells = content.other[name]
    values = numbers_of(words_of(np.ravel(cells)) if isinstance(cells, np.ndarray) else list(cells))
    if values is None:
        raise DataError(f"--target: {name!r} of {content.file} holds text where numbers are needed")
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise DataError(
            f"--target: {content.file} has no number in {name!r} for {names[bad[0]]!r}"
            f"{f' nor for {len(bad) - 1} more' if len(bad) > 1 else ''}: fill it in, or remove it"
        )
    if len(np.unique(values)) < _FEWEST_VALUES:
        raise DataError(
            f"--target: {name!r} of {content.file} has {len(np.unique(values))} different values: "
            f"say --labels {name!r} if they are classes"
        )
    content.notes.append(f"numbers to predict from {name!r}")
    return values
