"""Which objects are landmarks, chosen without the whole matrix."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import is_count, is_number
from noneuclid._parameters import Rule, check, is_indices
from noneuclid.numerics import first_argmax
from noneuclid.proximities._sources import Source
from noneuclid.typing import Array, IntArray

NumberOfLandmarks = Annotated[
    int | float,
    Rule(
        "a positive integer, or a share between 0 and 1",
        lambda m: is_count(m) or (is_number(m) and 0 < m < 1),
    ),
]
LandmarkChoice = (
    Literal["uniform", "kmeans++", "pivoted"]
    | Annotated[ArrayLike, Rule("a list of indices", is_indices)]
)

# A residual below this share of the largest self-similarity is rounding.
_ROUNDING = 1e-12


def landmark_count(wanted: int | float, n: int) -> int:
    """Return how many landmarks: at most a number, or a share of the objects if below one."""
    check("n_landmarks", wanted, NumberOfLandmarks)
    return max(1, round(float(wanted) * n)) if wanted < 1 else min(int(wanted), n)


def check_agreement(n_landmarks: Any, landmarks: Any) -> None:
    """Raise if landmarks are given, and not as many as are asked for."""
    if isinstance(landmarks, str):
        return
    given = len(np.asarray(landmarks))
    if n_landmarks is None:
        raise ValueError("landmarks are given, but n_landmarks is None: set it to their number")
    if n_landmarks != given:
        raise ValueError(
            f"landmarks holds {given} indices, but n_landmarks is {n_landmarks}: set it to their "
            "number"
        )


def check_indices(landmarks: ArrayLike, n: int) -> IntArray:
    """Return given landmarks as distinct indices of objects, or raise."""
    index = np.asarray(landmarks)
    if index.min() < 0 or index.max() >= n:
        raise ValueError(
            f"landmarks holds index {index.max() if index.max() >= n else index.min()}, but there "
            f"are {n} objects, counted from 0"
        )
    if len(np.unique(index)) < len(index):
        raise ValueError("landmarks names an object twice: each may be a landmark once")
    return index


def choose_landmarks(
    method: str | ArrayLike, source: Source, m: int, proximity: str, rng: Any
) -> IntArray:
    """Indices of m landmarks; never more than the columns of the landmarks are computed."""
    if not isinstance(method, str):
        return check_indices(method, source.n)
    return _METHODS[method](source, m, proximity, rng)


def _uniform(source: Source, m: int, proximity: str, rng: Any) -> IntArray:
    return rng.permutation(source.n)[:m]


def _column(source: Source, j: int) -> Array:
    return source.block(slice(None), np.array([j]))[:, 0]


def _distant(source: Source, m: int, proximity: str, rng: Any) -> IntArray:
    """k-means++: the next landmark is drawn with the squared distance to the nearest so far."""
    own = source.diagonal()
    chosen = [int(rng.randint(source.n))]
    nearest = np.full(source.n, np.inf)
    while len(chosen) < m:
        j = chosen[-1]
        d = _column(source, j)
        if proximity == "similarity":
            d = own + own[j] - 2 * d
            d[d <= _ROUNDING * (np.abs(own) + abs(own[j]))] = 0.0  # a duplicate
        nearest = np.minimum(nearest, np.maximum(d, 0.0))
        nearest[chosen] = 0.0
        total = nearest.sum()
        if not total > 0:  # only duplicates are left
            return _fill(chosen, source.n, m, rng)
        chosen.append(int(rng.choice(source.n, p=nearest / total)))
    return np.array(chosen)


def _pivoted(source: Source, m: int, proximity: str, rng: Any) -> IntArray:
    """Pivoted Cholesky with signs: the next landmark is the worst approximated object."""
    origin = int(rng.randint(source.n))
    chosen: list[int] = []
    if proximity == "dissimilarity":  # s_ij = ½(d_i0 + d_j0 − d_ij), similarities seen from one
        to_origin = _column(source, origin)
        residual, chosen = to_origin.copy(), [origin]
    else:
        residual = source.diagonal()
    size = np.abs(residual).max(initial=0.0)
    L, signs = np.zeros((source.n, m)), np.zeros(m)
    residual[chosen] = 0.0
    while len(chosen) < m:
        j = int(first_argmax(np.abs(residual)))
        pivot = residual[j]
        if not abs(pivot) > _ROUNDING * size:
            return _fill(chosen, source.n, m, rng)
        column = _column(source, j)
        if proximity == "dissimilarity":
            column = 0.5 * (to_origin + to_origin[j] - column)
        k = len(chosen)
        column = column - (L[:, :k] * signs[:k]) @ L[j, :k]
        L[:, k], signs[k] = column / np.sqrt(abs(pivot)), np.sign(pivot)
        residual -= signs[k] * L[:, k] ** 2
        chosen.append(j)
        residual[chosen] = 0.0
    return np.array(chosen)


def _fill(chosen: list[int], n: int, m: int, rng: Any) -> IntArray:
    """Nothing is left to gain by the rule: the remaining landmarks are drawn."""
    free = np.setdiff1d(np.arange(n), chosen)
    return np.concatenate([np.array(chosen, dtype=int), rng.permutation(free)[: m - len(chosen)]])


_METHODS: dict[str, Callable[[Source, int, str, Any], IntArray]] = {
    "uniform": _uniform,
    "kmeans++": _distant,
    "pivoted": _pivoted,
}
