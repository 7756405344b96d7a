"""The same model over fewer training objects."""

from typing import TypeVar

import numpy as np

from noneuclid._checks import check_at_least, check_count
from noneuclid._memory import require_matrices
from noneuclid.prototypes.relational import RelationalModel
from noneuclid.prototypes.sparse.models import require_combinations
from noneuclid.proximities import SpectrumCorrection
from noneuclid.proximities._few_columns import spanning
from noneuclid.typing import IntArray

Model = TypeVar("Model", bound=RelationalModel)
_INSTEAD = "fit the model with n_landmarks=…, whose proximities suffice as they are"


def compact(model: Model, *, n_objects: int | None = None, tolerance: float = 0.05) -> Model:
    r"""Return the same model over a few training objects.

    New objects then need proximities to these instead of to all: column k of a precomputed row is
    the proximity to training object ``compact_objects_[k]``. Without a correction, and with
    ``"shift"``, they are the support, and distances stay what they are.

    Other corrections mix the proximities to all objects. The product of a new object ξ with a
    corrected prototype is its raw product with a vector :math:`t_j` in the span of the training
    objects, and that is told by the proximities to objects I up to what the span of I leaves of it:

    .. math:: |\tilde d(\xi, w_j) - d(\xi, w_j)| \le 2\,\|\xi\|\,\|t_j - P_I t_j\| ,

    lengths in the geometry of a flip, up to what all prototypes have in common. So objects are
    added to the support, each the one that leaves least, until no distance can be wrong by more
    than ``tolerance`` of the mean one. As many as the similarities have eigenvalues beside zero
    tell all exactly. Where no eigenvalue is zero, nothing less than all is exact: then
    ``tolerance`` or ``n_objects`` decides. What the correction adds to all distances of an object
    decides nothing, but ``transform`` shows it: it is estimated too, without a bound.

    Parameters
    ----------
    model : ProximityLVQ, ProximityRegressor, ProximityNeuralGas or ProximitySOM, of any name
        Fitted, without ``n_landmarks``; it stays as it is. A sparse one (:func:`sparsify`,
        :func:`fit_sparse`) needs fewest objects.
    n_objects : int, optional
        At most so many objects, not fewer than in the support. Only corrected models need it.
    tolerance : float, default=0.05
        Largest error of a distance that is allowed, as a share of the mean distance of training
        objects to prototypes; 0 means all that rounding allows.

    Returns
    -------
    model of the same kind
        With ``compact_objects_``; ``compact_bound_``, by how much a distance of an object as long
        as the longest training object can be wrong at most; and ``compact_error_``, by how much one
        of a training object is.

    Examples
    --------
    >>> from noneuclid.prototypes import RelationalGLVQ, compact
    >>> X, y = [[0.0], [0.1], [0.2], [5.0], [5.1]], [0, 0, 0, 1, 1]
    >>> model = RelationalGLVQ(init="kmedoids", learning_rate=1e-9, random_state=0).fit(X, y)
    >>> small = compact(model)
    >>> small.coefficients_.shape[1] <= 5, small.predict([[0.3], [4.0]])
    (True, array([0, 1]))
    """
    require_combinations(model, "compact")
    check_at_least("tolerance", tolerance)
    if model.relation_.n_landmarks is not None:
        raise ValueError(
            "a model with n_landmarks needs no compacting: it takes proximities to its "
            f"{len(model.landmark_indices_)} landmarks as they are"
        )
    correction = model.relation_.spectrum_correction_
    if correction is None or correction.method == "shift":
        small = model.restricted(_support(model))
        small.compact_bound_ = small.compact_error_ = 0.0  # type: ignore[attr-defined]
        return small
    n = model.coefficients_.shape[1]
    what = f"finding objects that tell corrected proximities to {n:,} objects"
    require_matrices(what, n, copies=3.0, instead=_INSTEAD)
    columns, bound = _telling(model, correction, _most(model, n_objects), float(tolerance))
    small = model.restricted(columns)
    small.compact_bound_ = bound  # type: ignore[attr-defined]
    small.compact_error_ = _largest_error(model, small, correction)  # type: ignore[attr-defined]
    return small


def _support(model: RelationalModel) -> IntArray:
    """Objects the model reads; those of one that is compact and corrected stay all."""
    few = model.relation_.correction not in (None, "shift")
    return np.arange(model.coefficients_.shape[1]) if few else model.support_


def _most(model: RelationalModel, n_objects: int | None) -> int:
    n, least = model.coefficients_.shape[1], len(model.support_)
    if n_objects is None:
        return n
    check_count("n_objects", n_objects)
    if n_objects < least:
        raise ValueError(
            f"n_objects (={n_objects}) must be at least {least}, the objects the prototypes are "
            "made of: sparsify the model first"
        )
    return min(int(n_objects), n)


def _telling(
    model: RelationalModel, correction: SpectrumCorrection, most: int, tolerance: float
) -> tuple[IntArray, float]:
    """The objects, in rising order, and by how much a distance can be wrong."""
    spectrum, G = correction.spectrum, model.coefficients_
    products = spectrum.times(spectrum.corrected, G)
    own = spectrum.vectors**2 @ spectrum.corrected
    squares = np.einsum("jl,lj->j", G, products)
    mean = own.mean() - 2.0 * products.mean() + squares.mean()
    longest = np.sqrt((spectrum.vectors**2 @ np.abs(spectrum.values)).max())
    enough = tolerance * mean / (2.0 * longest) if longest > 0 else np.inf
    affine = model.relation_.proximity == "dissimilarity"
    found = spanning(spectrum, G, model.support_, most, enough, affine=affine)
    if len(found.columns) == G.shape[1]:  # nothing is left out; what rest there is is rounding
        return np.arange(G.shape[1]), 0.0
    return np.sort(found.columns), float(2.0 * longest * found.rest.max())


def _largest_error(
    model: RelationalModel, small: RelationalModel, correction: SpectrumCorrection
) -> float:
    """Of the distances of training objects that are none of the compact model's."""
    spectrum, columns = correction.spectrum, small.compact_objects_  # type: ignore[attr-defined]
    others = np.setdiff1d(np.arange(model.coefficients_.shape[1]), columns)
    if len(others) == 0:
        return 0.0
    few = correction.restrict(columns)
    told = few.relative(correction.given[np.ix_(others, columns)]) @ small.coefficients_.T
    products = spectrum.times(spectrum.corrected, model.coefficients_)[others]
    if correction.proximity == "similarity":
        return float(2.0 * np.abs(told - products).max())
    squares = spectrum.vectors**2
    own, corrected = squares @ spectrum.values, squares @ spectrum.corrected
    exact = own[others, None] - 2.0 * products + model.coefficients_ @ corrected
    return float(np.abs(told - exact).max())
