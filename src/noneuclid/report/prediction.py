"""Predictions of saved models for new files."""

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from noneuclid._persistence import load
from noneuclid.datasets import DataError, Dataset, read_dataset


def load_model(path: Path) -> Any:
    """A model that ``fit`` or ``analyze --save`` wrote, or an error in one sentence."""
    try:
        model = load(path)
    except (ValueError, FileNotFoundError) as error:
        raise DataError(str(error)) from None
    except ImportError as error:
        raise DataError(str(error)) from None
    if not hasattr(model, "predict") or not hasattr(model, "trained_on_"):
        raise DataError(f"{path.name} holds no model saved by noneuclid fit or analyze --save")
    check_is_fitted(model)
    return model


def predict_file(model: Any, path: Path, *, use_labels: bool = True) -> tuple[str, str]:
    """Predictions as csv text, and a sentence on how many are right if the file has classes.

    Classes that are missing or make no sense are no reason not to predict them.

    Parameters
    ----------
    model : estimator
        From :func:`load_model`.
    path : Path
        New objects, of the kind the model was fitted on; for matrices rows of proximities to the
        training objects.
    use_labels : bool, default=True
        Whether to look for classes to compare the predictions with.
    """
    trained = model.trained_on_
    matrix = trained["kind"] in ("similarity", "dissimilarity")
    kind = "vectors" if matrix else trained["kind"]
    data = read_dataset(path, kind=kind, use_labels=False)
    X = data.X
    if kind in ("vectors", "curves"):
        X = _matching_columns(model, data)
    predicted = model.predict(X)
    certainty = _certainty(model, X)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["object", "class", *([] if certainty is None else ["certainty"])])
    for i, name in enumerate(data.names):
        extra = [] if certainty is None else [f"{certainty[i]:.3f}"]
        writer.writerow([name, predicted[i], *extra])
    labels = _labels(path, kind) if use_labels else None
    return text.getvalue(), _summary(model, data, labels, predicted)


def _labels(path: Path, kind: str) -> Any:
    try:
        return read_dataset(path, kind=kind).labels
    except DataError:
        return None


def _matching_columns(model: Any, data: Dataset) -> Any:
    """The columns the model was fitted on, in their order."""
    trained = model.trained_on_
    matrix = trained["kind"] in ("similarity", "dissimilarity")
    wanted = trained["names"] if matrix else trained["features"]
    if wanted is not None and data.features is not None:
        place = {name: j for j, name in enumerate(data.features)}
        if all(name in place for name in wanted):
            return data.X[:, [place[name] for name in wanted]]
    n = model.n_features_in_
    if data.features is None and data.X.shape[1] == n + 1 and _starts_with_classes(model, data.X):
        return data.X[:, 1:]
    if data.X.shape[1] != n:
        what = "proximities to its training objects" if matrix else "features"
        raise DataError(
            f"{data.source} has {data.X.shape[1]} columns of numbers, but the model needs {n}: the "
            f"{what}, in the order of {trained['source']}"
        )
    return data.X


def _starts_with_classes(model: Any, X: Any) -> bool:
    """Whether the first column holds known classes; reading does not see that if it is one only."""
    known = set(map(str, model.classes_))
    return all(f"{value:.0f}" in known and value == round(value) for value in X[:, 0].tolist())


def _certainty(model: Any, X: Any) -> Any:
    learner = model[-1] if hasattr(model, "steps") else model
    rows = model[:-1].transform(X) if hasattr(model, "steps") else X
    try:
        return learner.certainty(rows)
    except (AttributeError, ValueError):  # similarities of new objects to themselves are unknown
        return None


def _summary(model: Any, data: Dataset, labels: Any, predicted: Any) -> str:
    if labels is None:
        return ""
    words = np.asarray(labels).astype(str)
    if not np.isin(words, np.asarray(model.classes_).astype(str)).any():
        return ""
    right = int((words == predicted.astype(str)).sum())
    return f"{right} of {len(data)} predictions agree with the classes in {data.source}"
