"""Predictions of saved models for new files."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from noneuclid._files import NoSuchColumn
from noneuclid._persistence import load
from noneuclid.datasets import DataError, Dataset, read_dataset
from noneuclid.datasets.understanding import WrongKind
from noneuclid.prototypes.decisions.ranks import n_at_least
from noneuclid.report._numbers import listing
from noneuclid.report.calibration import (
    Calibration,
    beyond,
    certainty,
    distances,
    learner_of,
    thoughts,
    usual_limit,
)
from noneuclid.typing import Array

# Positions that differ by less than this share of a step are written with other digits.
_SAME_POINT = 0.05
# What is noted about objects.
UNLIKE = "far from all prototypes"
BEYOND = "beyond the range of the training data"


class SavedModel:
    """A model that ``fit`` or ``analyze --save`` wrote, and what it was trained on.

    Parameters
    ----------
    path : Path
        The file; what it holds else is an error in one sentence.
    """

    def __init__(self, path: Path):
        try:
            self.model = load(path)
        except (ValueError, FileNotFoundError, ImportError) as error:
            raise DataError(str(error)) from None
        if not hasattr(self.model, "predict") or not hasattr(self.model, "trained_on_"):
            raise DataError(f"{path.name} holds no model saved by noneuclid fit or analyze --save")
        check_is_fitted(self.model)
        self.trained: dict[str, Any] = self.model.trained_on_
        self.is_matrix = self.trained["kind"] in ("similarity", "dissimilarity")
        self.kind = "vectors" if self.is_matrix else self.trained["kind"]

    def predict_file(
        self,
        path: Path,
        *,
        use_labels: bool = True,
        reader: Callable[..., Dataset] = read_dataset,
        said: dict[str, Any] | None = None,
        shown: Callable[[Dataset], None] = lambda data: None,
    ) -> tuple[str, str]:
        """Predictions as csv text, and a sentence on rows left out and on how many are right.

        Names are those of the file, letter by letter, so that tables can be joined by them; one
        that begins with ``=`` is a formula to a spreadsheet that is not told to import text.
        Classes that are missing or make no sense are no reason not to predict them.

        Parameters
        ----------
        path : Path
            New objects, of the kind the model was fitted on; for matrices rows of proximities to
            the training objects, or a matrix of names among which are theirs, in any order.
        use_labels : bool, default=True
            Whether to look for classes to compare the predictions with.
        reader : callable, default=read_dataset
            Reads the file, as :func:`~noneuclid.datasets.read_dataset` does.
        said : dict, optional
            Further arguments for it. Axis and letters are read as those of the training objects
            were, unless something else is said.
        shown : callable
            Called with what was read, before the work.

        Returns
        -------
        lines, agreement : str
        """
        said = self._said(said or {})
        among = self._among_names(path, said)
        if among is None:
            data, said = self._rows_of(path, reader, said)
        else:
            data = among
        shown(data)
        X = data.X
        if self.kind in ("vectors", "curves"):
            by_place = among is None
            X = X[:, self.matching_columns(data, lambda: X) if by_place else self._trained(data)]
            if self.trained.get("plain"):  # as the distances between the training objects were
                X = X**2
        answers = self.answers(data.names, X)
        lines = lines_of([list(answers)]) + lines_of(zip(*answers.values()))
        says_classes = use_labels and "class" in answers
        agreement = self._agreement(path, data, answers["class"], said) if says_classes else ""
        remarks = filter(None, (_left_out(data), agreement, unusual(answers.get("note", []))))
        return lines.decode("utf-8"), "; ".join(remarks)

    def _said(self, given: dict[str, Any]) -> dict[str, Any]:
        """What is said about a file, and what was said about the training objects."""
        before = self.trained.get("said", {})  # files of earlier versions have none
        kept = {name: value for name, value in before.items() if given.get(name, "auto") == "auto"}
        return {**given, **kept}

    def _means(self) -> Array:
        """What to fill in: those of the new file would make an answer depend on the other rows."""
        means: Array | None = self.trained.get("means")
        if means is None:
            why = (
                "it takes rows of proximities" if self.is_matrix else "an earlier version saved it"
            )
            raise DataError(
                f"--missing mean: the model has no means of its columns, since {why}; say drop, or "
                "a number"
            )
        return means

    @property
    def _wanted(self) -> list[str] | None:
        """Names of the columns the model was fitted on; numbers that count them are none."""
        names = self.trained["names"] if self.is_matrix else self.trained["features"]
        return None if self.is_matrix and _are_counted(names or []) else names

    def _rows_of(
        self, path: Path, reader: Callable[..., Dataset], said: dict[str, Any]
    ) -> tuple[Dataset, dict[str, Any]]:
        """Rows of the file, and what was said of it: the columns of the model, if it has them."""
        if self.kind == "vectors" and said.get("missing") == "mean":
            said = {**said, "missing": self._means()}
        if self.kind in ("vectors", "curves") and self._wanted is not None:
            by_name = {**said, "columns": self._wanted}
            with suppress(NoSuchColumn):  # other names, or none, which is looked at later
                return reader(path, kind=self.kind, use_labels=False, **by_name), by_name
        try:
            return reader(path, kind=self.kind, use_labels=False, **said), said
        except WrongKind as error:
            raise DataError(
                f"{error.what}: give a file of the form of {self.trained['source']}, on which "
                "the model was fitted"
            ) from None

    def _among_names(self, path: Path, said: dict[str, Any]) -> Dataset | None:
        """Hits, pairs or a matrix of names, among which are those of all training objects."""
        if not self.is_matrix:
            return None
        try:
            options = {**said, "kind": self.trained["kind"], "squared": True}
            data = read_dataset(path, use_labels=False, **options)
        except DataError:  # rows of proximities to the training objects
            return None
        names, known = self.trained["names"], set(data.names)
        if data.names == names:
            return data
        if any(name not in known for name in names):
            return None
        # Numbers that only count its rows name nothing.
        return None if _are_counted(data.names) and not self._has_header(path, said) else data

    def _has_header(self, path: Path, said: dict[str, Any]) -> bool:
        """Whether the numbers that name the objects of a matrix are in the file."""
        try:
            rows = read_dataset(path, **{**said, "kind": "vectors"}, use_labels=False)
        except DataError:  # hits or pairs, which have names always
            return True
        return rows.features is not None

    def _trained(self, data: Dataset) -> list[int] | slice:
        """The columns of the training objects in a matrix that has their names, in their order."""
        names = self.trained["names"]
        if data.names == names:
            return slice(None)
        for there, file in ((names, self.trained["source"]), (data.names, data.source)):
            times = Counter(there)
            if twice := [name for name in names if times[name] > 1]:
                raise DataError(
                    f"{file} has several objects {twice[0]!r}, and {data.source} does not have "
                    "those of the model in their order: give every object a name of its own"
                )
        place = {name: j for j, name in enumerate(data.names)}
        return [place[name] for name in names]

    def answers(self, names: list[str], X: Any) -> dict[str, Any]:
        """The columns of a table of predictions.

        Of classes: the one that is predicted, its certainty (one less the p-value of the next
        class), all classes that are likely at the level of 90 %, how usual the object is (the
        share of held-out training objects that are at least as far from all prototypes), and a
        note about objects unlike the training ones. Of numbers: an interval that holds nine of ten
        true ones, and the note.
        """
        if not hasattr(self.model, "classes_"):
            columns = self._numbers(names, X)
        else:
            columns = {"object": names, "class": self.model.predict(X)} | self._certainty(X)
        return columns | self._novelty(X, len(names))

    def _numbers(self, names: list[str], X: Any) -> dict[str, Any]:
        """Predicted numbers, and the intervals that hold nine of ten true ones."""
        values = np.asarray(self.model.predict(X), dtype=np.float64)
        columns = {"object": names, "number": [f"{value:.6g}" for value in values]}
        half = self.trained.get("half_width")
        if half is not None:
            columns |= {
                "low": [f"{value - half:.6g}" for value in values],
                "high": [f"{value + half:.6g}" for value in values],
            }
        return columns

    def _certainty(self, X: Any) -> dict[str, Any]:
        """How sure each prediction is, and which classes are likely."""
        kept = self.trained.get("calibration")
        if kept is None:  # a file of an earlier version
            return self._margin(X)
        known = Calibration.from_dict(kept, np.asarray(self.model.classes_))
        p = known.p_values(thoughts(self.model, X))
        sets = [" | ".join(map(str, known.classes[row])) for row in known.likely(p)]
        return {
            "certainty": [f"{value:.3f}" for value in certainty(p)],
            "likely": [words or "none" for words in sets],
        }

    def _margin(self, X: Any) -> dict[str, Any]:
        learner, rows = learner_of(self.model, X)
        try:
            return {"certainty": [f"{value:.3f}" for value in learner.certainty(rows)]}
        except (AttributeError, ValueError):  # similarities of new objects to themselves unknown
            return {}

    def _novelty(self, X: Any, n: int) -> dict[str, Any]:
        """How usual objects are, and a note about those that are not."""
        nearest: Any = self.trained.get("nearest")
        low = self.trained.get("low")
        if nearest is None and low is None:
            return {}
        notes: list[list[str]] = [[] for _ in range(n)]
        columns: dict[str, Any] = {}
        far = None if nearest is None else distances(self.model, X)
        if far is not None:
            rising = np.sort(nearest)
            usual = (1 + n_at_least(far, rising)) / (1 + len(rising))
            columns["usual"] = [f"{value:.3f}" for value in usual]
            for i in np.flatnonzero(far > usual_limit(nearest)):
                notes[i].append(UNLIKE)
        if low is not None:
            outside = beyond(X, low, self.trained["high"])
            for i in np.flatnonzero(outside.any(axis=1)):
                notes[i].append(f"{BEYOND} {self._where(outside[i])}")
        return columns | {"note": ["; ".join(words) for words in notes]}

    def _where(self, outside: Any) -> str:
        """At which points, or in which columns, an object leaves the range."""
        if self.kind == "curves":
            return f"at {outside.sum()} of {len(outside)} points"
        names = self.trained["features"] or [str(j + 1) for j in range(len(outside))]
        return f"in {listing([names[j] for j in np.flatnonzero(outside)], 3)}"

    def matching_columns(self, data: Dataset, rows: Callable[[], Any]) -> list[int] | slice:
        """The columns the model was fitted on, in their order; ``rows`` gives some, or all."""
        grid = self.trained.get("grid")
        if grid is not None and data.grid is not None:
            return self._matching_points(data, grid)
        wanted = self._wanted
        if wanted is not None and data.features is not None and data.features != wanted:
            self._refuse_ambiguous(data, wanted)
            place = {name: j for j, name in enumerate(data.features)}
            if absent := [name for name in wanted if name not in place]:
                raise DataError(
                    f"{data.source} has no column {absent[0]!r}, on which the model was fitted "
                    f"({len(absent)} of {len(wanted)} are not there): give the columns of numbers "
                    f"the names they have in {self.trained['source']}, or, if they stand in that "
                    "order, no header"
                )
            return [place[name] for name in wanted]
        n, columns = self.model.n_features_in_, data.X.shape[1]
        if data.features is None and columns == n + 1 and self._starts_with_classes(rows()):
            return slice(1, None)
        if columns != n:
            what = "proximities to its training objects" if self.is_matrix else "features"
            raise DataError(
                f"{data.source} has {columns} columns of numbers, but the model needs {n}: the "
                f"{what}, in the order of {self.trained['source']}"
            )
        return slice(None)

    def _matching_points(self, data: Dataset, grid: Array) -> list[int]:
        """The points of curves at which the model was fitted, wherever the file has them."""
        there = np.asarray(data.grid)
        near = np.abs(there[:, None] - grid[None, :]).argmin(axis=0)
        step = np.diff(grid).min()
        if (np.abs(there[near] - grid) > _SAME_POINT * step).any():
            raise DataError(
                f"{data.source} has {len(there)} points from {there[0]:g} to {there[-1]:g}, but "
                f"the model was fitted on {len(grid)} from {grid[0]:g} to {grid[-1]:g}: measure or "
                "interpolate the curves at the same points"
            )
        return near.tolist()

    def _refuse_ambiguous(self, data: Dataset, wanted: list[str]) -> None:
        for names, file in ((wanted, self.trained["source"]), (data.features or [], data.source)):
            twice = [name for name in wanted if names.count(name) > 1]
            if twice:
                raise DataError(
                    f"{file} has several columns {twice[0]!r}, and {data.source} does not have "
                    "those of the model in their order: give every column a name of its own"
                )

    def _starts_with_classes(self, X: Any) -> bool:
        """Whether the first column holds known classes; reading sees none if it is one only."""
        known = set(map(str, getattr(self.model, "classes_", ())))
        return all(f"{value:.0f}" in known and value == round(value) for value in X[:, 0].tolist())

    def _agreement(self, path: Path, data: Dataset, predicted: Any, said: dict[str, Any]) -> str:
        try:
            labels = read_dataset(path, kind=self.kind, **said).labels
        except DataError:
            return ""
        words = np.asarray(labels).astype(str)
        if labels is None or not np.isin(words, self.model.classes_.astype(str)).any():
            return ""
        right = int((words == predicted.astype(str)).sum())
        return f"{right} of {len(data)} predictions agree with the classes in {data.source}"


def _left_out(data: Dataset) -> str:
    """What is said of rows that get no prediction; a table on the screen has no other place."""
    return "; ".join(note for note in data.notes if note.endswith("with empty cells left out"))


def _are_counted(names: list[str]) -> bool:
    return names == [str(j + 1) for j in range(len(names))]


def unusual(notes: list[str]) -> str:
    """A sentence about objects that are unlike those of training, if there are any."""
    found = sum(bool(note) for note in notes)
    return f"{found} of {len(notes)} objects are unlike those of training: see note" * bool(found)


def lines_of(rows: Iterable[Iterable[Any]]) -> bytes:
    """Rows of a csv file."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    # Half of a character, which the name of a file may hold, cannot be written.
    return text.getvalue().encode("utf-8", "backslashreplace")
