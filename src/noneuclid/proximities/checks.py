"""One clear sentence before any work is done on a matrix of proximities."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import check_choice
from noneuclid._data import check_array, check_range
from noneuclid._memory import require_matrices
from noneuclid._warnings import warn
from noneuclid.numerics import row_blocks
from noneuclid.typing import Array

Proximity = Literal["similarity", "dissimilarity"]

# So few rows may be square and symmetric by chance.
_FEW_ROWS = 8
# Rounding of a computed matrix; more than that is an asymmetric measurement.
_ASYMMETRY = 1e-8
# Rows and columns of this size fit the cache together.
_STRIP = 2**18
_AS_IT_IS = "give an array of float64 in C order, which is taken as it is"
FEWER_OBJECTS = "use NystroemEmbedding, or a learner with n_landmarks=…"


def check_kind(proximity: str) -> None:
    """Raise unless the kind of proximity is known."""
    check_choice("proximity", proximity, ("similarity", "dissimilarity"))


def largest_modulus(P: Array) -> float:
    """max |p_ij|, without a second matrix."""
    return float(max(P.max(initial=0.0), -P.min(initial=0.0)))


def check_square(P: ArrayLike, name: str = "P") -> Array:
    """Return a finite square matrix as float64, or raise."""
    if not (isinstance(P, np.ndarray) and P.dtype == np.float64 and P.flags.c_contiguous):
        shape = getattr(P, "shape", ())  # lists, which may be ragged, need more than their copy
        require_matrices(
            f"a copy of {name} in double precision", *(*shape, 1, 1)[:2], instead=_AS_IT_IS
        )
    matrix: Array = check_array(P, dtype=np.float64, order="C", input_name=name)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"{name} must be a square matrix of proximities between all objects; its shape is "
            f"{matrix.shape}"
        )
    return check_range(matrix, name, power=2)


def check_symmetric(P: ArrayLike, name: str = "P") -> Array:
    """Return a square symmetric matrix, exactly symmetric after rounding, or raise."""
    P = check_square(P, name)
    difference = max(
        np.abs(P[rows] - P[:, rows].T).max() for rows in row_blocks(len(P), 8 * len(P), _STRIP)
    )
    if difference > _ASYMMETRY * largest_modulus(P):
        raise ValueError(
            f"{name} must be symmetric, but differs from its transpose by up to {difference:.3g}: "
            "use noneuclid.proximities.symmetrize first, if the mean of both is meant"
        )
    return P if difference == 0 else mean_of_both(P, name)


def mean_of_both(P: Array, name: str = "P") -> Array:
    """(P + P')/2."""
    require_matrices(f"the mean of both directions of {name}", len(P), instead=FEWER_OBJECTS)
    mean = P + P.T
    mean /= 2
    return mean


def check_proximities(P: ArrayLike, proximity: str, name: str = "P") -> Array:
    """Return a symmetric matrix of the kind it is said to be, or raise."""
    check_kind(proximity)
    P = check_symmetric(P, name)
    diagonal = np.diag(P)
    size = largest_modulus(P)
    if proximity == "dissimilarity" and np.abs(diagonal).max() > _ASYMMETRY * size:
        raise ValueError(
            f"{name} is given as dissimilarities, but its diagonal is not zero (it holds "
            f'{diagonal[np.abs(diagonal).argmax()]:.3g}): is it proximity="similarity"?'
        )
    return P


def warn_if_distances(S: Array, name: str = "P") -> None:
    """Warn if a matrix of similarities looks like one of distances."""
    if S.any() and not np.diag(S).any() and S.min() >= 0:
        warn(
            f"{name} is given as similarities, but its diagonal is zero and nothing is negative, "
            'as in a matrix of distances: is it proximity="dissimilarity"?',
        )


def warn_if_pairs(X: Any, name: str = "X") -> None:
    """Warn if rows of numbers look like a matrix of pairs."""
    if not isinstance(X, np.ndarray) or X.dtype.kind != "f" or X.ndim != 2 or len(X) < _FEW_ROWS:
        return
    if X.shape[0] != X.shape[1] or not X.any():
        return
    if not np.diag(X).any() and X.min() >= 0:
        like = "distances, with a zero diagonal and nothing negative"
    elif np.array_equal(X, X.T):
        like = "similarities, symmetric"
    else:
        return
    warn(
        f"{name} is taken as rows of numbers, but it is square like a matrix of {like}: is it "
        'metric="precomputed" (or kernel="precomputed")?'
    )


def may_be_negative(P: Array, proximity: str) -> bool:
    """Whether similarities are given, or dissimilarities some of which are below zero."""
    return proximity == "similarity" or _lowest(P) < 0


def _lowest(P: Array) -> float:
    """The lowest number, 0 if that is rounding."""
    lowest = float(P.min(initial=0.0))
    return lowest if lowest < 0 and -lowest > _ASYMMETRY * largest_modulus(P) else 0.0


def column_names(P: Any) -> list[str] | None:
    """What a table calls its columns, if it names them all."""
    names = list(getattr(P, "columns", []))
    return names if names and all(isinstance(name, str) for name in names) else None


def check_rows(
    R: ArrayLike,
    n_objects: int,
    learner: str,
    *,
    signed: bool = True,
    names: list[str] | None = None,
) -> Array:
    """Return rows of proximities to the training objects, or raise.

    ``names`` are those of the columns in fit: others, or in another order, are other objects. Warn
    if some are negative and those of the training objects are not (``signed=False``): no error,
    as a part of an indefinite matrix may happen to have none.
    """
    given = column_names(R)
    if given is not None and names is not None and len(given) == len(names) and given != names:
        k = next(k for k, (new, old) in enumerate(zip(given, names)) if new != old)
        raise ValueError(
            f"column {k} of X is {given[k]!r} and was {names[k]!r} when {learner} was fitted: give "
            "the proximities to the same objects, in the same order"
        )
    rows: Array = check_array(R, dtype=np.float64, order="C", input_name="X")
    if rows.shape[1] != n_objects:
        raise ValueError(
            f"X has {rows.shape[1]} features, but {learner} is expecting {n_objects} features as "
            "input: the proximities to all training objects, one column each"
        )
    check_range(rows, power=2, tiny=True)
    if not signed and _lowest(rows) < 0:
        warn(
            f"X holds negative dissimilarities, down to {_lowest(rows):.3g}, and {learner} was "
            "fitted to none: give rows of the same dissimilarities as in fit"
        )
    return rows


class PairwiseInput:
    """An estimator whose X is always a matrix of proximities."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.pairwise = True
        return tags
