"""Empty cells: halves of symmetric matrices, and what the user said about the others."""

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets.content import Content
from noneuclid.typing import Array

DROP, MEAN = "drop", "mean"


def mirror(content: Content) -> None:
    """Fill one triangle of a square matrix from the other, if that is what is empty."""
    P = content.matrix
    if P is None or len(P) < 3 or P.shape[0] != P.shape[1] or content.kind in ("vectors", "curves"):
        return
    holes = np.isnan(P)
    above = np.triu(np.ones(P.shape, dtype=bool), 1)
    for half in (above, above.T):
        if holes[half].all() and not holes[half.T].any():
            content.matrix = np.where(holes, P.T, P)
            diagonal = np.diag(holes)
            if diagonal.all():
                np.fill_diagonal(content.matrix, 0.0)
            content.notes.append("one triangle of a symmetric matrix")
            return


def squared_form(content: Content) -> None:
    """Have a single row or column of all pairs, as SciPy's ``pdist`` gives it, be a matrix."""
    values = content.matrix
    if values is None or 1 not in values.shape:
        return
    m = values.size
    n = round((1 + np.sqrt(1 + 8 * m)) / 2)
    if n * (n - 1) // 2 != m or n < 3:
        return
    P = np.zeros((n, n))
    P[np.triu_indices(n, 1)] = values.ravel()
    content.matrix, content.names, content.features, content.grid = P + P.T, None, None, None
    content.place = None
    content.notes.append(f"{m} distances of all pairs of {n} objects")


def fill(content: Content, missing: str | tuple[float, ...] | None, *, is_curves: bool) -> None:
    """Do what the user said about empty cells; nothing if he said nothing."""
    X = content.matrix
    if X is None or missing is None or not np.isnan(X).any():
        return
    holes = np.isnan(X)
    if missing == DROP:
        content.keep(np.flatnonzero(~holes.any(axis=1)))
        content.notes.append(f"{int(holes.any(axis=1).sum())} rows with empty cells left out")
        if not len(content.objects):
            raise DataError(f"{content.file}: every row has an empty cell: say --missing mean")
        return
    content.matrix = _filled(content, X, holes, missing, is_curves)
    rule = "their neighbours" if is_curves else "their columns"
    by = f"means of {rule}" if missing == MEAN else missing
    by = by if isinstance(by, str) else "the number given for their column"
    content.notes.append(f"{int(holes.sum())} empty cells filled with {by}")


def _filled(
    content: Content, X: Array, holes: Array, missing: str | tuple[float, ...], is_curves: bool
) -> Array:
    X = X.copy()
    if not isinstance(missing, str):
        if len(missing) != X.shape[1]:
            raise DataError(
                f"{content.file} has {X.shape[1]} columns of numbers, but there are {len(missing)} "
                "numbers to fill in"
            )
        return np.where(holes, np.asarray(missing), X)
    if missing != MEAN:
        try:
            X[holes] = float(missing)
        except ValueError:
            raise DataError(
                f"--missing {missing}: say drop, mean, or a number to fill in"
            ) from None
        return X
    at = np.arange(X.shape[1]) if content.grid is None else content.grid
    for row, empty in zip(X, holes) if is_curves else zip(X.T, holes.T):
        if empty.all():
            what = "a curve" if is_curves else "a column"
            raise DataError(f"{content.file}: {what} is empty throughout: take it out")
        if is_curves:
            row[empty] = np.interp(at[empty], at[~empty], row[~empty])
        else:
            row[empty] = row[~empty].mean()
    return X
