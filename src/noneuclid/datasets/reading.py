"""From a file to a dataset."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._files import NoSuchColumn, check_file, in_one_sentence, true_nature
from noneuclid.datasets._holes import fill, mirror, squared_form
from noneuclid.datasets._labels import as_labels, label_place, labels_from_file
from noneuclid.datasets._letters import normalized, refuse_numbers
from noneuclid.datasets._long import as_trains_of_rows
from noneuclid.datasets._targets import target_of
from noneuclid.datasets.content import AXES, CASES, DECIMALS, Content, Wishes
from noneuclid.datasets.dataset import KINDS, DataError, Dataset
from noneuclid.datasets.kinds import asymmetry, guess_kind, is_doubtful, proximity_kind
from noneuclid.datasets.readers import DataFile, reader_of
from noneuclid.datasets.understanding import (
    Ambiguous,
    WrongKind,
    curves_or_rows,
    fill_or_drop,
    parts_of,
    squared_or_plain,
)
from noneuclid.typing import Array

_ASYMMETRY = 1e-8
# A mean of both directions of proximities that differ more than this means nothing.
_LARGE_ASYMMETRY = 0.1
# So many columns are named in a message.
_SOME = 8
# Fourth powers, which squares of squared distances are, must neither overflow nor vanish.
LARGEST = 1e75


def read_dataset(
    path: str | Path,
    *,
    labels: str | Path | None = None,
    kind: str = "auto",
    symmetrize: bool = False,
    use_labels: bool = True,
    axis: str = "auto",
    ignore: Sequence[str] = (),
    index: str | None = None,
    groups: str | None = None,
    case: str = "auto",
    missing: str | float | ArrayLike | None = None,
    squared: bool | None = None,
    target: str | None = None,
    format: str = "auto",  # noqa: A002
    sheet: str | int | None = None,
    decimal: str = "auto",
    units: str | None = None,
    columns: Sequence[str] = (),
) -> Dataset:
    r"""Read a data file and find out what it holds.

    Parameters
    ----------
    path : str or Path
        csv, tsv, xlsx, ods, json, npy, npz, mat, parquet, feather, ts, FASTA, or plain text: a
        table, one sequence per line, or one spike train per line; any of them packed (gz, bz2, xz,
        zip). A folder of csv files of curves will do as well.
    labels : str or Path, optional
        Column or array of the file that holds the classes, or a file: one class per line, or a
        table with names, of which ``"file.csv:column"`` names the column. By default a column
        called class, label, target …, or one of few words.
    kind : "auto" or a kind of :class:`Dataset`, default="auto"
        By default what the numbers look like, see :func:`guess_kind`.
    symmetrize : bool, default=False
        Replace proximities by the mean of both directions, instead of refusing asymmetric ones.
    use_labels : bool, default=True
        Whether to look for classes at all.
    axis : {"auto", "across", "down", "none"}, default="auto"
        Where a table has the axis of curves: in its header, in its first column (one curve per
        column), or nowhere.
    ignore : sequence of str
        Columns of a table to leave out.
    index : str, optional
        The column of names; by default one called id, name …, or a first one of different words.
    groups : str, optional
        The column that tells which objects belong together (replicates, patients): they are never
        divided between training and test.
    case : {"auto", "keep"}, default="auto"
        Whether small and capital letters, U and T, gaps and stops of biological sequences are
        letters of their own ("keep").
    missing : {"drop", "mean"}, a number or an array of shape (d,), optional
        What to do about empty cells and absent pairs, which are refused otherwise: leave the rows
        out, fill in the mean of the column, or a number, which may be one for each column.
    squared : bool, optional
        Whether dissimilarities are squared distances (the learners take them so); False squares
        them. By default they stay as they are, and a note says so.
    target : str, optional
        The column or array of numbers that are to be predicted, instead of classes.
    format : str, default="auto"
        The format of the file, whatever its ending and its beginning say: csv, phylip, blast …
    sheet : str or int, optional
        The sheet of a workbook, by its name or its number from 1; by default the only one with
        data.
    decimal : {"auto", "comma", "point"}, default="auto"
        What separates fractions in numbers of a table. By default the table tells; where it does
        not, as in a column of 1,234, the file is refused.
    units : str, optional
        The unit of the axis of curves or of the times of events, for figures; by default what the
        file says, if it does.
    columns : sequence of str
        The columns of a table that are features, in this order, whatever else they look like:
        those of a model, say. By default all columns of numbers that are nothing else.

    Returns
    -------
    data : Dataset

    Raises
    ------
    DataError
        With one sentence that names the file, the place and the remedy.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "words.txt"
    ...     _ = path.write_text("CAT\nCART\nDOG\n")
    ...     read_dataset(path).kind
    'sequences'
    """
    if kind != "auto" and kind not in KINDS:
        raise ValueError(f'kind (={kind!r}) must be "auto" or one of {KINDS}')
    given = (("axis", axis, AXES), ("case", case, CASES), ("decimal", decimal, DECIMALS))
    for name, value, known in given:
        if value not in known:
            raise ValueError(f"{name} (={value!r}) must be one of {known}")
    if target is not None and labels is not None:
        raise ValueError("labels and target exclude each other: classes, or numbers")
    path = Path(path)
    wanted = None if labels is None else str(labels)
    if isinstance(ignore, str):
        ignore = (ignore,)
    wishes = Wishes(wanted, kind, axis, tuple(ignore), index, groups, case)
    text = missing if missing is None or isinstance(missing, str) else _numbers_to_fill(missing)
    wishes = replace(wishes, missing=text, squared=squared, target=target, format=format)
    one = None if sheet is None else str(sheet)
    wishes = replace(wishes, sheet=one, decimal=decimal, units=units)
    wishes = replace(wishes, use_labels=use_labels, columns=tuple(columns))
    content = _read(path, wishes)
    with in_one_sentence(path.name):
        return understood(path, content, wishes, symmetrize, use_labels)


def understood(
    path: Path, content: Content, wishes: Wishes, symmetrize: bool, use_labels: bool
) -> Dataset:
    """The dataset of what a reader found, by what was said about it."""
    kind, wanted = wishes.kind, wishes.labels
    _require_columns(content, wishes.columns)
    if kind in ("auto", "similarity", "dissimilarity"):
        if kind != "auto":
            squared_form(content)
        _order_columns_as_rows(content)
        mirror(content)
    if kind in ("auto", "spikes"):
        as_trains_of_rows(content, asked=kind == "spikes")
    chosen = _kind(content, kind)
    if content.sequences is not None:
        _write_alike(content, wishes)
    elif chosen in ("vectors", "curves"):
        fill(content, wishes.missing, is_curves=chosen == "curves")
    X = _objects(content, chosen, symmetrize)
    if chosen == "dissimilarity":
        X = _as_squares(content, X, wishes.squared)
    names = content.names or content.numbered(len(X))
    use_labels = use_labels and wishes.target is None
    found = _labels(content, wanted, names, path) if use_labels else None
    numbers = None if wishes.target is None else target_of(content, wishes.target, names)
    features = content.features if chosen in ("curves", "vectors") else None
    grid = content.grid if chosen == "curves" else None
    notes = tuple(note for note in content.notes if use_labels or not note.startswith("classes"))
    call = f", labels={wanted!r}" if wanted is not None and use_labels else ""
    call += f", kind={chosen!r}" + ", symmetrize=True" * symmetrize + wishes.in_code
    if not use_labels and wishes.target is None:
        call += ", use_labels=False"
    code = f"read_dataset({os.fspath(path)!r}{call})"
    source, size = content.file, content.asymmetry
    if wishes.groups is not None and content.groups is None:
        raise DataError(
            f"{content.file} has no columns or arrays with names, so none for --groups "
            f"{wishes.groups!r}: give a table"
        )
    together = None if content.groups is None else np.asarray(content.groups)
    plain = chosen == "dissimilarity" and wishes.squared is False
    data = Dataset(
        chosen, X, found, names, features, grid, source, notes, code, size, together, plain, numbers
    )
    units, called = wishes.units or content.units or "", wishes.target or ""
    data = replace(data, units=units, target_name=called)
    width = None if isinstance(X, list) else X.shape[1]
    parts = parts_of(content.parts, len(X), width, chosen, data.noun)
    said = {"axis": wishes.axis, "case": wishes.case}
    return replace(data, parts=tuple(parts), questions=tuple(content.questions), said=said)


def _numbers_to_fill(missing: Any) -> str | tuple[float, ...]:
    """A number in words, as a command has it, or one for each column."""
    if np.ndim(missing) == 0:
        return str(missing)
    return tuple(np.asarray(missing, dtype=np.float64).tolist())


def _require_columns(content: Content, wanted: tuple[str, ...]) -> None:
    """Raise unless the features are those that were named."""
    there = set(content.features or ())
    absent = [name for name in wanted if name not in there]
    if absent:
        known = ", ".join(map(repr, (content.features or ["none with a name"])[:_SOME]))
        raise NoSuchColumn(
            f"{content.file} has no column of numbers {absent[0]!r} (it has {known})"
        )


def _as_squares(content: Content, D: Array, squared: bool | None) -> Array:
    if squared is False:
        content.notes.append("plain distances, squared")
        return D**2
    if squared is None:
        content.notes.append("taken as squared distances (--plain: squares them)")
        content.questions.append(squared_or_plain())
    return D


def _write_alike(content: Content, wishes: Wishes) -> None:
    """Have biological sequences in one way of writing; refuse numbers that nobody called text."""
    found = content.sequences or []
    if wishes.kind == "auto" and content.kind is None:
        refuse_numbers(found, content.file)
    if wishes.case == "auto":
        content.sequences, notes = normalized(found, sure=content.is_biological)
        content.notes += notes


def _read(path: Path, wishes: Wishes) -> Content:
    if not os.path.isdir(path):
        check_file(path)
    file = DataFile(path, wishes=wishes)
    with in_one_sentence(path.name):
        reader = reader_of(file)
        try:
            with in_one_sentence(path.name, f"cannot be read by {type(reader).__name__}"):
                content = reader.read(file)
                _check(content)
        except DataError as error:
            truth = true_nature(file.head, path.suffix.lower())
            if truth:
                raise DataError(f"{path.name} {truth}") from error
            raise
    return content


def _check(content: Content) -> None:
    """Raise unless a reader, which anybody may have written, found what belongs together."""
    n = len(content.objects)
    if content.matrix is not None:
        content.matrix = np.asarray(content.matrix, dtype=np.float64)
        if content.matrix.ndim != 2:
            raise ValueError(f"the matrix has {content.matrix.ndim} dimensions, not two")
    if not n or (content.matrix is not None and not content.matrix.size):
        raise DataError(f"{content.file} is empty: it must hold one row per object")
    for what, values in (("names", content.names), ("labels", content.labels)):
        if values is not None and len(values) != n:
            raise ValueError(f"there are {len(values)} {what} for {n} objects")


def _order_columns_as_rows(content: Content) -> None:
    """Bring the columns of proximities into the order of the rows, if both have the same names."""
    names, columns, place = content.names, content.features, content.place
    if content.matrix is None or names is None or columns is None or names == columns:
        return
    if len(set(names)) < len(names) or sorted(names) != sorted(columns):
        return
    at = {name: j for j, name in enumerate(columns)}
    order = [at[name] for name in names]
    content.matrix, content.features, content.grid = content.matrix[:, order], names, None
    if place is not None:
        content.place = lambda row, j: place(row, order[j])
    content.notes.append("columns put in the order of the rows, by name")


def _kind(content: Content, kind: str) -> Any:
    has = {"sequences": content.sequences, "spikes": content.trains}
    for name, objects in has.items():
        if objects is not None:
            if kind not in ("auto", name):
                remedy = "leave --kind out, or give another file"
                raise WrongKind(f"{content.file} holds {name}, not {kind}", remedy)
            return name
    if kind in has:
        what = f"text, one {'sequence' if kind == 'sequences' else 'train'} per line"
        raise WrongKind(f"{content.file} holds a table of numbers, not {kind}", f"give {what}")
    matrix = cast(Array, content.matrix)
    if kind == "auto":
        if content.kind is not None:
            return content.kind
        match = content.names is not None and content.names == content.features
        with np.errstate(over="ignore", invalid="ignore"):  # too large numbers are refused later
            guess = guess_kind(matrix, has_grid=content.grid is not None, names_match=match)
            if guess in ("curves", "vectors") and content.grid is None and is_doubtful(matrix):
                content.questions.append(curves_or_rows(guess))
            return guess
    if kind in ("similarity", "dissimilarity") and matrix.shape[0] != matrix.shape[1]:
        raise DataError(
            f"{content.file} has {matrix.shape[0]} rows and {matrix.shape[1]} columns of numbers: "
            f"a {kind} matrix has as many columns as rows"
        )
    return kind


def _objects(content: Content, kind: str, symmetrize: bool) -> Any:
    for k, sequence in enumerate(content.sequences or []):
        if not sequence.strip():
            raise DataError(f"{content.file}: sequence {k + 1} is empty: remove it or fill it in")
    X = content.objects
    if kind in ("sequences", "spikes"):
        return X
    _refuse_holes(content, X)
    _refuse_extremes(content, X, each=kind == "vectors")
    if kind in ("similarity", "dissimilarity"):
        return _proximities(content, X, kind, symmetrize)
    if X.shape[1] < 2:
        pairs = "if it holds the distances of all pairs, say --kind dissimilarity"
        left = [part.what for part in content.parts if part.taken_for.startswith("left out")]
        beside = f" ({', '.join(left)} left out)" if left else ""
        what = f"{content.file} has one column of numbers{beside}"
        raise WrongKind(what, f"two or more are needed; {pairs}")
    return X


def _refuse_holes(content: Content, X: Array) -> None:
    bad = np.argwhere(~np.isfinite(X))
    if len(bad):
        row, column = (int(k) for k in bad[0])
        empty = bool(np.isnan(X[row, column]))
        what = "is empty" if empty else "is infinite"
        more = f" ({len(bad)} such cells in all)" if len(bad) > 1 else ""
        remedy = ", or say --missing drop or mean" if empty else ""
        sentence = (
            f"{content.where(row, column)} {what}{more}: fill it in, or remove the row{remedy}"
        )
        if empty and content.kind not in ("similarity", "dissimilarity"):
            raise Ambiguous(sentence, fill_or_drop())
        raise DataError(sentence)


def _refuse_extremes(content: Content, X: Array, *, each: bool) -> None:
    """Raise if squares overflow or vanish; ``each`` looks at every column by itself."""
    if not X.size:
        return
    size = np.abs(X)
    row, column = (int(k) for k in np.unravel_index(int(size.argmax()), X.shape))
    if size[row, column] <= LARGEST:
        highest = size.max(axis=0) if each else size.max(keepdims=True)[0]
        tiny = np.flatnonzero((highest > 0) & (highest < 1 / LARGEST))
        if not len(tiny):
            return
        if each:
            column = int(tiny[0])
            row = int(size[:, column].argmax())
    what = "large" if size[row, column] > 1 else "small"
    raise DataError(
        f"{content.where(row, column)} holds {X[row, column]:.3g}, whose square is too {what} a "
        "number: use other units"
    )


def _proximities(content: Content, P: Array, kind: str, symmetrize: bool) -> Array:
    size, i, j = asymmetry(P)
    if size > _ASYMMETRY and not symmetrize:
        large = np.linalg.norm(P - P.T) > _LARGE_ASYMMETRY * np.linalg.norm(P)
        remedy = "use --symmetrize to take the mean"
        if large:
            order = "check that rows and columns have the same order"
            remedy = f"the directions differ too much for a mean: {order}"
        raise DataError(
            f"{content.file} is not symmetric: row {i + 1}, column {j + 1} holds {P[i, j]:g}, but "
            f"row {j + 1}, column {i + 1} holds {P[j, i]:g}; {remedy}"
        )
    if size > _ASYMMETRY:
        content.asymmetry = size
        content.notes.append(f"made symmetric (largest difference {size:.2g} of the largest entry)")
    if kind == "dissimilarity" and proximity_kind(P) != "dissimilarity":
        k = int(np.abs(np.diag(P)).argmax())
        why = f"it holds negative numbers ({P.min():g})"
        if P[k, k]:
            why = f"row {k + 1} is {P[k, k]:g} on the diagonal, which must be 0"
        raise DataError(
            f"{content.file} does not hold dissimilarities: {why}; use --kind similarity"
        )
    return (P + P.T) / 2


def _labels(content: Content, wanted: str | None, names: list[str], data: Path) -> Array | None:
    values, name, file = content.labels, content.label_name, content.file
    if values is None or (wanted is not None and name.lower() != wanted.lower()):
        if wanted is None:
            return None
        if wanted in content.other:
            values, name = content.other[wanted], wanted
        else:
            known = content.features or list(content.other)
            path, column = label_place(wanted, data, file, known)
            file = name = path.name
            content.notes.append(f"classes from {name}")
            with in_one_sentence(name):
                values = labels_from_file(path, content, len(names), column)
    return as_labels(values, name, file, names)
