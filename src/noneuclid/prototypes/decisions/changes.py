"""The smallest change of a vector that changes its class."""

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, optimize

from noneuclid._data import check_is_fitted
from noneuclid._parameters import Positive, checked
from noneuclid.numerics import squared_euclidean
from noneuclid.spaces import IncompatibleSpace
from noneuclid.typing import Array

Overshoot = Annotated[float, Positive]


class SmallestChange(NamedTuple):
    """Changed vectors, how far they are from the given ones, and their classes."""

    points: Array
    distances: Array
    classes: np.ndarray


@checked
def smallest_change(
    model: Any, X: ArrayLike, *, target: Any = None, overshoot: Overshoot = 1e-6
) -> SmallestChange:
    r"""The smallest changes of vectors that change the class they are predicted to have.

    In a Hilbert space the vectors that are nearer to prototype j than to all those of other
    classes are a polyhedron, and the nearest of them is the solution of a convex problem:

    .. math:: \min_v \|v - x\|^2 \quad\text{such that}\quad
              \|v - w_k\|^2 - \|v - w_j\|^2 \ge \varepsilon \|w_k - w_j\|^2
              \quad\text{for all } k \text{ with } c_k \ne c_j .

    Of the solutions for all prototypes j of other classes the nearest is taken. It is exact: each
    is a least-distance problem with a linear side, solved by non-negative least squares.

    Parameters
    ----------
    model : VectorLVQ
        A fitted classifier by the nearest prototype, such as :class:`GLVQ` or :class:`LVQ1`, in a
        Hilbert space: ``"l2"``, ``Sobolev()``, ``Hilbert(gram)`` …; distances are those of the
        space.
    X : array of shape (n, d)
    target : label, optional
        The class that shall be predicted; by default any other than the one that is.
    overshoot : float, default=1e-6
        ε: so far beyond the border, as a share of the distance of the prototypes.

    Returns
    -------
    SmallestChange
        ``points`` (n, d), ``distances`` (n,) from the given ones in the norm of the space, and
        ``classes`` (n,). Vectors that are predicted to be of the target stay as they are.

    References
    ----------
    C. L. Lawson and R. J. Hanson (1974), Solving Least Squares Problems, chapter 23.
    A. Artelt and B. Hammer (2019), Efficient computation of counterfactual explanations of LVQ
    models.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid.prototypes import GLVQ, smallest_change
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GLVQ(random_state=0).fit(X, y)
    >>> changed = smallest_change(model, X[:2], target=2)
    >>> model.predict(X[:2]), model.predict(changed.points)
    (array([0, 0]), array([2, 2]))
    """
    check_is_fitted(model)
    chart = _flat_chart(model)
    labels, classes = model.prototype_labels_, model.classes_
    if target is not None and target not in classes.tolist():
        raise ValueError(f"target (={target!r}) must be one of the classes {classes.tolist()}")
    rows = model._validate(X, reset=False)
    if np.isnan(rows).any():
        raise ValueError("X contains NaN: the smallest change of a gap is not known, fill it")
    predicted = model.predict(rows)
    Z, W = chart.forth(rows), chart.forth(model.prototypes_)
    basis = linalg.orth((W - W[0]).T)
    moves, found = np.zeros_like(Z), predicted.copy()
    for i, z in enumerate(Z):
        if target is None or predicted[i] != target:
            wanted = labels != predicted[i] if target is None else labels == target
            moves[i], j = _nearest_region(z, W, basis, labels, np.flatnonzero(wanted), overshoot)
            found[i] = labels[j]
    distances = np.linalg.norm(moves, axis=1)
    changed = np.where(distances[:, None] > 0, chart.back(Z + moves), rows)
    return SmallestChange(changed, distances, found)


def _flat_chart(model: Any) -> Any:
    """The chart in which borders between prototypes are planes, or an error."""
    name = type(model).__name__
    if not getattr(model, "_has_flat_borders", False):
        raise TypeError(
            f"smallest_change needs prototypes that are vectors, compared in the metric of a "
            f"space, as GLVQ has them; {name} has others"
        )
    if model._is_soft():
        raise TypeError(
            f"smallest_change needs classes of the nearest prototype; those of {name} are the "
            "most probable ones, whose borders are curved"
        )
    chart = model.space_.chart(model.n_features_in_)
    if chart is None or not chart.is_positive:
        raise IncompatibleSpace(
            f"smallest_change needs a Hilbert space, in which borders between prototypes are "
            f"planes; {model.space_} is none"
        )
    return chart


def _nearest_region(
    z: Array, W: Array, basis: Array, labels: np.ndarray, wanted: Any, overshoot: float
) -> tuple[Array, int]:
    """The smallest move into the region of one of the wanted prototypes, and which it is."""
    moves, sizes = [], []
    D = squared_euclidean(z[None, :], W)[0]
    for j in wanted:
        others = np.flatnonzero(labels != labels[j])
        G = 2.0 * (W[j] - W[others]) @ basis
        apart = ((W[j] - W[others]) ** 2).sum(axis=1)
        moves.append(_least_distance(G, D[j] - D[others] + overshoot * apart))
        sizes.append(np.linalg.norm(moves[-1]))
    best = int(np.argmin(sizes))
    return basis @ moves[best], int(wanted[best])


def _least_distance(G: Array, h: Array) -> Array:
    r"""The shortest u with G u ≥ h: -r/r_last with the residual r of NNLS for [G' ; h']λ ≈ e_last.

    Examples
    --------
    >>> import numpy as np
    >>> _least_distance(np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([2.0, -5.0]))
    array([1., 1.])
    """
    sizes = np.linalg.norm(G, axis=1)
    G, h, sizes = G[sizes > 0], h[sizes > 0], sizes[sizes > 0]
    G, h = G / sizes[:, None], h / sizes
    if len(h) == 0 or (h <= 0).all():
        return np.zeros(G.shape[1])
    unit = float(np.abs(h).max())
    E = np.vstack([G.T, h / unit])
    goal = np.zeros(len(E))
    goal[-1] = 1.0
    weights, _ = optimize.nnls(E, goal)
    rest = E @ weights - goal
    return np.asarray(-unit * rest[:-1] / rest[-1])
