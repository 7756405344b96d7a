"""Where on the axis a geometry looks when it compares curves."""

from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_array, check_range
from noneuclid._parameters import Count, Seed, checked
from noneuclid.numerics import row_blocks
from noneuclid.spaces.base import Space, require
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.names import SpaceLike, as_space
from noneuclid.spaces.sobolev import Sobolev
from noneuclid.typing import Array


@singledispatch
def local_parts(space: Space, V: ArrayLike) -> Array:
    r"""Parts of the squared norms by position: (n, d), every row sums to :math:`\|v\|^2`.

    .. math:: v_j\,J(v)_j \qquad\text{or}\qquad
              \|v\|^{2-p} \sum_k a_k q_j\,|(D_k v)_j|^p,

    the second in Sobolev spaces, where the terms of the first are not local: those of neighbours
    cancel.

    Parameters
    ----------
    space : Space
        With a duality map J.
    V : array of shape (n, d)
        Differences of curves.

    Returns
    -------
    array of shape (n, d)
        Parts.

    Examples
    --------
    >>> from noneuclid.spaces import Euclidean
    >>> local_parts(Euclidean(), [[3.0, 4.0]])
    array([[ 9., 16.]])
    """
    require(space, "local_parts", "dual")
    rows = check_range(check_array(V, dtype=np.float64, input_name="V"), "V", tiny=True)
    parts = rows * space.dual(rows)
    if getattr(space, "degree", 1.0) != 1:  # they sum to another power of the norm
        total = parts.sum(axis=1, keepdims=True)
        parts *= space.squared_norm(rows)[:, None] / np.where(total > 0, total, 1.0)
    return np.asarray(parts)


@local_parts.register
def _of_sobolev(space: Sobolev, V: ArrayLike) -> Array:
    if space.p == np.inf:  # only the largest derivative counts: nothing to share out
        return local_parts.dispatch(LinearSpace)(space, V)
    rows = check_range(check_array(V, dtype=np.float64, input_name="V"), "V", tiny=True)
    norms = space.norm(rows)
    powers = np.abs(rows @ space._stack(rows.shape[1]).T) ** space.p
    parts = powers.reshape(len(rows), -1, rows.shape[1]).sum(axis=1)
    safe = np.where(norms > 0, norms, 1.0)
    return np.asarray(parts * (safe ** (2 - space.p))[:, None])


@checked
def attention(
    space: SpaceLike,
    X: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    n_pairs: Count = 400,
    random_state: Seed = 0,
) -> Array:
    r"""Share of every position in the squared distances between curves: where a geometry looks.

    The mean over random pairs of curves of :func:`local_parts` of their difference over its
    squared norm, times the number of positions: 1 is the share of a position if all count the
    same.

    Parameters
    ----------
    space : Space or str
        What ``as_space`` accepts; with a duality map.
    X : array of shape (n, d)
        Curves.
    labels : array of shape (n,), optional
        Classes: only curves of different classes are compared.
    n_pairs : int, default=400
        At most so many pairs.
    random_state : int, optional
        Decides the pairs.

    Returns
    -------
    array of shape (d,)

    Examples
    --------
    The Sobolev distance looks at the narrow line, the Euclidean one at the broad band.

    >>> from noneuclid.datasets import make_spectra
    >>> data = make_spectra(60)
    >>> near = (data.grid > 865) & (data.grid < 915)
    >>> for space in ("l2", Sobolev(spacing="unit")):
    ...     print(attention(space, data.X, data.labels)[near].mean() > 1)
    False
    True
    """
    chosen = as_space(space)
    rows = check_range(check_array(X, dtype=np.float64, ensure_min_samples=2))
    classes = np.arange(len(rows)) if labels is None else np.asarray(labels)
    if classes.shape != (len(rows),):
        raise ValueError(f"there are {len(rows)} curves but labels of shape {classes.shape}")
    rng = np.random.default_rng(random_state)
    i, k = rng.integers(len(rows), size=(2, 8 * n_pairs))
    pairs = np.flatnonzero(classes[i] != classes[k])[:n_pairs]
    shares, n_different = np.zeros(rows.shape[1]), 0
    for some in row_blocks(len(pairs), 8 * rows.shape[1]):
        parts = local_parts(chosen, rows[i[pairs[some]]] - rows[k[pairs[some]]])
        totals = parts.sum(axis=1)
        differ = totals > 0
        shares += (parts[differ] / totals[differ, None]).sum(axis=0)
        n_different += int(differ.sum())
    if n_different == 0:
        raise ValueError("no two curves of different classes differ: there is nothing to look at")
    return np.asarray(shares / n_different * rows.shape[1])
