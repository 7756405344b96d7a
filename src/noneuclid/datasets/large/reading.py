"""From a folder of parts, a zarr array or a large file to a dataset in blocks."""

import os
from pathlib import Path

import numpy as np

from noneuclid._blocks.passes import computed
from noneuclid._files import DataError
from noneuclid.datasets._labels import label_file
from noneuclid.datasets.content import Wishes
from noneuclid.datasets.dataset import Dataset
from noneuclid.datasets.large.dataset import LargeDataset
from noneuclid.datasets.large.opening import Memory, Source, open_source
from noneuclid.datasets.large.rows import reading
from noneuclid.datasets.large.survey import (
    Columns,
    NoClass,
    Outline,
    Seen,
    classes_of,
    from_file,
    outlined,
    surveyed,
)


def read_sample(
    path: str | Path,
    n: int,
    *,
    labels: str | Path | None = None,
    kind: str = "auto",
    use_labels: bool = True,
    random_state: int = 0,
) -> Dataset:
    r"""Read a random sample of data that are too large to be read as a whole.

    Parameters
    ----------
    path : str or Path
        A folder of parquet or csv files with the same columns, a zarr array, or a large file of
        one of these formats or npy.
    n : int
        So many rows at the most; a few more, if a class is so rare that it has less than eight.
    labels, kind, use_labels : str, str, bool
        As in :func:`~noneuclid.datasets.read_dataset`.
    random_state : int, default=0

    Returns
    -------
    data : Dataset

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for k in range(3):
    ...         rows = "".join(f"{i},{k},{i * k},{'ab'[i % 2]}\n" for i in range(10))
    ...         _ = (Path(folder) / f"part-{k}.csv").write_text("u,v,w,class\n" + rows)
    ...     data = read_sample(folder, 20)
    >>> len(data), data.features, data.classes
    (20, ['u', 'v', 'w'], {'a': 11, 'b': 9})
    """
    options = {"labels": labels, "kind": kind, "use_labels": use_labels}
    return open_large(Path(path), **options).sample(n, random_state=random_state)  # type: ignore[arg-type]


def open_large(
    path: Path,
    *,
    labels: str | Path | None = None,
    kind: str = "auto",
    use_labels: bool = True,
    lenient: bool = False,
    memory: Memory | None = None,
) -> LargeDataset:
    """Look at all blocks twice, and say what they hold.

    ``lenient`` forgives classes that are missing or make no sense: there are none then.
    """
    memory = memory or Memory.of()
    wanted = None if labels is None else str(labels)
    source = open_source(path, memory, computed)
    outline = outlined(source, Wishes(wanted, kind, use_labels=use_labels and not lenient))
    said = f", labels={wanted!r}" if wanted is not None and use_labels else ""
    said += f", kind={outline.kind!r}" + ("" if use_labels else ", use_labels=False")
    found = LargeDataset(source, outline, memory, (os.fspath(path), said))
    if not use_labels:
        _forget_classes(outline)
    try:
        seen = surveyed(source, outline)
    except NoClass:
        if not lenient:
            raise
        _forget_classes(outline)
        seen = surveyed(source, outline)
    _leave_out(source, outline, seen)
    if use_labels:
        try:
            _add_classes(found, path, wanted, seen)
        except DataError:
            if not lenient:
                raise
            _forget_classes(outline)
    return found


def _forget_classes(outline: Outline) -> None:
    outline.columns = Columns(outline.columns.numeric, None, outline.columns.index)
    outline.notes = [note for note in outline.notes if not note.startswith("classes")]


def _add_classes(found: LargeDataset, path: Path, wanted: str | None, seen: Seen) -> None:
    source, outline = found.storage, found.outline
    if outline.columns.label is not None:
        name = outline.label_name
        found.written = classes_of(seen.words, name, source.name)
        names, which = np.unique(found.written.labels, return_inverse=True)
        counts = np.bincount(which, weights=list(seen.words.values())).astype(int)
        found.classes = dict(zip(names.tolist(), counts.tolist()))
    elif wanted is not None:
        file = label_file(wanted, path, source.name, source.names)
        with reading(file.name):
            found.beside = from_file(file, source, len(found), outline.columns.index is not None)
        outline.notes.append(f"classes from {file.name}")
        names, counts = np.unique(found.beside, return_counts=True)
        found.classes = dict(zip(names.tolist(), counts.tolist()))


def _leave_out(source: Source, outline: Outline, seen: Seen) -> None:
    """Without the columns that count the rows, as a table that is read as a whole."""
    if not seen.counting:
        return
    names = source.names or [f"column {j + 1}" for j in range(source.width)]
    numeric = outline.columns.numeric
    kept = tuple(j for k, j in enumerate(numeric) if k not in seen.counting)
    for k in seen.counting:
        outline.notes.append(f"column {names[numeric[k]]!r} counts the rows: left out")
    if len(kept) < 2:
        raise DataError(f"{source.name} has one column of numbers: two or more are needed")
    outline.columns = Columns(kept, outline.columns.label, outline.columns.index)
    if outline.features is not None:
        outline.features = [names[j] for j in kept]
        if outline.grid is not None:
            outline.grid = np.delete(outline.grid, seen.counting)
