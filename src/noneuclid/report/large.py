"""Models of data that are read by blocks, their predictions, and two such samples."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid._blocks import Blocks, Part
from noneuclid._blocks.passes import computed
from noneuclid.datasets import DataError
from noneuclid.datasets.large import LargeDataset
from noneuclid.datasets.large.dataset import Piece
from noneuclid.information import TestResult, bandwidth, two_sample_test
from noneuclid.report.analysis import remember
from noneuclid.report.checking import moved_columns, refuse_unlike, same_columns, standardized
from noneuclid.report.comparison import Settings
from noneuclid.report.fitting import fit_best
from noneuclid.report.prediction import SavedModel, lines_of
from noneuclid.typing import Array

# Rows of each sample by which the width of a kernel is chosen.
_FOR_WIDTH = 1000
# Rows that show whether the first column of a table without names holds classes.
_SEEN = 4096


# --- fit --------------------------------------------------------------------------------------


def fit_large(
    data: LargeDataset,
    settings: Settings,
    *,
    wanted: str = "auto",
    advance: Callable[[str], None] = lambda what: None,
) -> tuple[Any, str, float, int]:
    """The model that is best on a sample, fitted to all rows; its accuracy, and on how many.

    Parameters are chosen by cross-validation on a sample of ``settings.max_objects`` rows; the
    model with these parameters learns from all of them, block by block.
    """
    if not data.has_labels:
        raise DataError(f"{data.source} has no classes to learn: name them with --labels")
    sample = data.sample(settings.max_objects, random_state=settings.random_state)
    settings = replace(settings, max_objects=max(settings.max_objects, len(sample)))
    chosen, name, accuracy = fit_best(sample, settings, wanted=wanted, advance=advance)
    fitted = fit_blocks(clone(chosen), data)
    remember(fitted, data.described)
    learned = chosen.trained_on_  # of the sample: what it says about objects not seen
    kept = ("calibration", "nearest", "low", "high", "means")
    fitted.trained_on_ |= {name: learned[name] for name in kept if name in learned}
    return fitted, name, accuracy, len(sample)


def fit_blocks(model: Any, data: LargeDataset) -> Any:
    """Fit a learner of vectors, or scaling and such a learner, to all rows."""
    import dask

    X, y = data.X, data.y
    if data.n_bytes <= data.memory.kept:  # they are read once, not in every pass
        X, y = dask.persist(X, y)
    if isinstance(model, Pipeline):
        (_, scaler), (_, learner) = model.steps
        fit_scaler(scaler, X)
        learner.fit(X.map_blocks(scaler.transform, dtype=np.float64), y)
        return model
    return model.fit(X, y)


def fit_scaler(scaler: StandardScaler, X: Any) -> None:
    """Fit scikit-learn's scaler to a dask array: two passes, for the mean and the variance."""
    blocks = Blocks.of_rows(scaler, X)
    n, mean = blocks.n_samples, blocks.mean
    total, squares = blocks.sum(_deviations, mean)
    mean = mean + total / n  # of which rounding has left something
    variance = squares / n - (total / n) ** 2
    eps = np.finfo(np.float64).eps
    is_constant = variance <= n * eps * variance + (n * mean * eps) ** 2  # as scikit-learn has it
    scaler.n_samples_seen_ = n
    scaler.mean_, scaler.var_ = mean, variance
    scaler.scale_ = np.where(is_constant, 1.0, np.sqrt(variance))


def _deviations(part: Part, mean: Array) -> tuple[Array, Array]:
    V = part.X - mean
    return V.sum(axis=0), np.einsum("ij,ij->j", V, V)


# --- predict ----------------------------------------------------------------------------------


@dataclass
class Agreement:
    """How many predictions agree with the classes of the data."""

    right: int = 0
    known: bool = False


@dataclass(frozen=True)
class _Answers:
    """What a model says of a block, as lines of csv."""

    saved: SavedModel
    columns: Any

    def __call__(self, piece: Piece, has_labels: bool) -> tuple[list[str], bytes, int, bool]:
        found = self.saved.answers(piece.names(), piece.numbers()[:, self.columns])
        lines = lines_of(zip(*found.values()))
        if not has_labels:
            return list(found), lines, 0, False
        words, predicted = piece.labels().astype(str), found["class"].astype(str)
        known = bool(np.isin(words, self.saved.model.classes_.astype(str)).any())
        return list(found), lines, int((words == predicted).sum()), known


def predictions(saved: SavedModel, data: LargeDataset, agreement: Agreement) -> Iterator[bytes]:
    """The lines of a csv file, a few blocks at a time, in the order of the rows."""
    import dask

    columns = saved.matching_columns(data.described, lambda: data.sample(_SEEN).X)
    answer = _Answers(saved, columns)
    head: list[str] = []
    call = dask.delayed(answer, pure=False)
    at_once = 2 * data.memory.n_threads
    for k in range(0, len(data.pieces), at_once):
        tasks = [call(piece, data.has_labels) for piece in data.pieces[k : k + at_once]]
        for names, lines, right, known in computed(tasks):
            if not head:
                yield lines_of([names])
            elif head != names:
                raise ValueError("blocks are answered in different columns")
            head = names
            agreement.right += right
            agreement.known |= known
            yield lines


# --- compare ----------------------------------------------------------------------------------


def compare_large(
    first: LargeDataset,
    second: LargeDataset,
    width: float | None,
    n_permutations: int,
    random_state: int,
    *,
    raw: bool = False,
) -> tuple[TestResult, float, list[str]]:
    """Two-sample test of all rows by features of the kernel, the width that was used, and columns.

    If the samples differ, these are the ones that differ by themselves, corrected for their number.
    """
    refuse_unlike(first, second)
    if width is not None and not 0 < width < np.inf:
        raise DataError(f"--width {width:g} must be a positive number")
    order = same_columns(first, second)
    X, Y = first.X, second.X if isinstance(order, slice) else second.X[:, order]
    rescaled = first.kind == "vectors" and not raw
    if rescaled:
        X, Y = standardized(X, Y)
    if width is None:
        few = [d.sample(_FOR_WIDTH, random_state=random_state).X for d in (first, second)]
        few = [few[0], few[1][:, order]]
        pooled = np.vstack(standardized(*few) if rescaled else few)
        if not np.ptp(pooled, axis=0).any():
            raise DataError(
                f"all {first.noun} of {first.source} and {second.source} are equal: there is "
                "nothing to compare"
            )
        width = float(bandwidth(pooled, method="median"))
    # The kernel of Parzen windows of width σ has the width σ√2.
    options: dict[str, Any] = {"n_permutations": n_permutations, "random_state": random_state}
    result = two_sample_test(X, Y, width / np.sqrt(2.0), **options)
    return result, width, moved_columns(first, X, Y, result, random_state)
