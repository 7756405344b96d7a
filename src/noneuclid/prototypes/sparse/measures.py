"""How sparse, short and clear-cut a model of prototypes is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, logsumexp

from noneuclid._checks import check_count
from noneuclid.numerics import steady_order
from noneuclid.prototypes.classifiers import ProximityLVQ
from noneuclid.prototypes.labels import known_class_indices
from noneuclid.prototypes.quantizers import ProximityNeuralGas, ProximitySOM
from noneuclid.prototypes.regressors import ProximityRegressor
from noneuclid.prototypes.sparse.models import require_combinations
from noneuclid.typing import Array

Model = ProximityLVQ | ProximityNeuralGas | ProximitySOM | ProximityRegressor


class Exemplars(NamedTuple):
    """The objects a prototype is made of, the most important first."""

    label: Any
    """Class of the prototype, or what it says where it says numbers; its number if nothing."""
    objects: list[Any]
    coefficients: Array


def exemplars(
    model: Model, k: int | None = None, names: Sequence[Any] | None = None
) -> list[Exemplars]:
    """Return the objects of largest coefficient of every prototype.

    Parameters
    ----------
    model : ProximityLVQ, ProximityRegressor, ProximityNeuralGas or ProximitySOM, of any name
        Fitted.
    k : int, optional
        At most so many per prototype; default all with a non-zero coefficient.
    names : sequence of length n, optional
        Names of the training objects; by default their indices.

    Returns
    -------
    list of Exemplars
        One per prototype.

    Examples
    --------
    >>> from noneuclid.prototypes import RelationalGLVQ, exemplars
    >>> words = ["cat", "cart", "car", "dog", "dig", "dug"]
    >>> model = RelationalGLVQ(metric="levenshtein", init="kmedoids", max_epochs=1, random_state=0)
    >>> model = model.fit(words, [0, 0, 0, 1, 1, 1])
    >>> [found.objects for found in exemplars(model, 1, names=words)]
    [['cat'], ['dog']]
    """
    require_combinations(model, "exemplars")
    if k is not None:
        check_count("k", k)
    n = model.coefficients_.shape[1]
    if names is not None and len(names) != n:
        raise ValueError(f"there are {len(names)} names for {n} training objects")
    found = []
    for label, gamma in zip(model._exemplar_labels, model.coefficients_):
        order = steady_order(-np.abs(gamma))[: np.count_nonzero(gamma)][:k]
        objects = [int(i) if names is None else names[i] for i in order]
        found.append(Exemplars(label, objects, gamma[order]))
    return found


def n_exemplars(model: Model) -> float:
    """Mean number of non-zero coefficients per prototype.

    After ``sparsify(method="nearest")`` prototypes are objects: equal ones count once, per
    prototype of the original model, so that the number can be below one.

    Parameters
    ----------
    model : ProximityLVQ, ProximityNeuralGas or ProximitySOM, of any name
        Fitted.

    Returns
    -------
    float

    Examples
    --------
    >>> from noneuclid.prototypes import RelationalGLVQ, n_exemplars
    >>> model = RelationalGLVQ(init="kmedoids", learning_rate=1e-9, max_epochs=1, random_state=0)
    >>> n_exemplars(model.fit([[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1])) >= 1
    True
    """
    require_combinations(model, "n_exemplars")
    m = getattr(model, "_n_original", len(model.coefficients_))
    return float(np.count_nonzero(np.unique(model.coefficients_, axis=0)) / m)


def description_length(model: ProximityLVQ, P: ArrayLike, y: ArrayLike) -> float:
    r"""Bits for the model and for what it gets wrong.

    Model: for every distinct prototype its class, :math:`\log_2 C`, for every object in it the
    index, :math:`\log_2 n`, and for every free coefficient :math:`\tfrac12\log_2 n` (one fewer
    than objects where they sum to one). Errors: which of the N objects,
    :math:`\log_2\binom{N}{e} + \log_2(N+1)`, and the right class of each, :math:`\log_2(C-1)`.

    Parameters
    ----------
    model : ProximityLVQ
        Fitted.
    P : as for ``predict``
    y : array
        The right labels.

    Returns
    -------
    float
        In bits; smaller is better.

    References
    ----------
    J. Rissanen (1978), Modeling by shortest data description.

    Examples
    --------
    >>> from noneuclid.prototypes import RelationalGLVQ, description_length
    >>> X, y = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]
    >>> model = RelationalGLVQ(init="kmedoids", learning_rate=1e-9, max_epochs=1, random_state=0)
    >>> description_length(model.fit(X, y), X, y) > 0
    True
    """
    if not hasattr(model, "classes_"):
        raise TypeError(
            f"{type(model).__name__} has no classes, and description_length counts wrong ones: use "
            "n_exemplars and assignment_entropy"
        )
    require_combinations(model, "description_length")
    predicted = model.predict(P)
    known = known_class_indices(y, model.classes_, len(predicted))
    wrong = predicted != model.classes_[known]
    n, N, e, C = model.coefficients_.shape[1], len(wrong), int(wrong.sum()), len(model.classes_)
    rows = np.unique(model.coefficients_, axis=0)
    used = np.count_nonzero(rows, axis=1)
    free = np.where(np.abs(rows.sum(axis=1) - 1) < 1e-8, used - 1, used)
    bits = len(rows) * np.log2(C) + used.sum() * np.log2(n) + 0.5 * free.sum() * np.log2(n)
    binomial = (gammaln(N + 1) - gammaln(e + 1) - gammaln(N - e + 1)) / np.log(2)
    return float(bits + binomial + np.log2(N + 1) + e * np.log2(max(C - 1, 1)))


def assignment_entropy(model: Model, P: ArrayLike) -> float:
    r"""Mean entropy of the assignment of objects to prototypes, between 0 and 1.

    .. math:: -\frac1N\sum_i\sum_j \frac{P(j|\xi_i)\log P(j|\xi_i)}{\log m}

    with RSLVQ's probabilities, or :math:`P(j|\xi)\propto e^{-d/\bar d}` for other costs and for
    quantisers, where :math:`\bar d` is the mean distance to the nearest prototype.

    Parameters
    ----------
    model : ProximityLVQ, ProximityNeuralGas or ProximitySOM, of any name
        Fitted.
    P : as for ``predict``

    Returns
    -------
    float

    Examples
    --------
    >>> from noneuclid.prototypes import KernelRSLVQ, assignment_entropy
    >>> X, y = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]
    >>> 0 <= assignment_entropy(KernelRSLVQ(random_state=0).fit(X, y), X) <= 1
    True
    """
    E = model.assignment_logits(P)
    E = E - logsumexp(E, axis=1, keepdims=True)
    entropy = -np.where(E > -700, np.exp(E) * E, 0.0).sum(axis=1)
    return float(max(entropy.mean(), 0.0) / np.log(max(E.shape[1], 2)))
