"""Prototypes of few objects, which a person can inspect."""

from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import check_at_least, check_choice, check_count
from noneuclid.numerics import first_argmin, steady_order
from noneuclid.prototypes.classifiers import ProximityLVQ
from noneuclid.prototypes.geometries.relational import combinations_of
from noneuclid.prototypes.quantizers import ProximityNeuralGas, ProximitySOM
from noneuclid.prototypes.regressors import ProximityRegressor
from noneuclid.prototypes.sparse.approximations import core_set_ball, hull, matching_pursuit
from noneuclid.prototypes.sparse.models import require_combinations
from noneuclid.proximities import Relation
from noneuclid.typing import Array, IntArray

Model = TypeVar("Model", ProximityLVQ, ProximityNeuralGas, ProximitySOM, ProximityRegressor)
Method = Literal["nearest", "hull", "omp", "meb"]
METHODS = ("nearest", "hull", "omp", "meb")


def sparsify(
    model: Model,
    P: ArrayLike | None = None,
    *,
    method: Method = "nearest",
    k: int | None = None,
    epsilon: float | None = None,
) -> Model:
    r"""Return the model with prototypes of fewer objects.

    ============= ===============================================================================
    ``"nearest"`` each prototype becomes its k nearest objects (of the same class); that of a
                  quantiser, which has as many clusters as before, the mean of its k nearest objects
    ``"hull"``    the k largest coefficients, divided by their sum
    ``"omp"``     orthogonal matching pursuit until
                  :math:`(\gamma-\tilde\gamma)'K(\gamma-\tilde\gamma) \le \epsilon^2`, or k objects
    ``"meb"``     centre of the smallest ball around the objects the prototype wins, up to
                  :math:`1+\epsilon`, from a core set (of at most k objects)
    ============= ===============================================================================

    ``"omp"`` and ``"meb"`` need positive semi-definite similarities. A k larger than what there is
    takes all; ε = 0 means exact up to rounding. Under ``"meb"`` a prototype that wins no object of
    its class becomes the nearest one.

    Parameters
    ----------
    model : ProximityLVQ, ProximityRegressor, ProximityNeuralGas or ProximitySOM, of any name
        Fitted; it stays as it is. A regressor gets the best values for its new prototypes.
    P : array of shape (n, n), optional
        Proximities between the training objects, where the model did not keep them (it keeps them
        in memory, not in files).
    method : {"nearest", "hull", "omp", "meb"}, default="nearest"
    k : int, optional
        Objects per prototype.
    epsilon : float, optional
        Accuracy of ``"omp"`` and ``"meb"``.

    Returns
    -------
    model of the same kind

    References
    ----------
    D. Hofmann, F.-M. Schleif, B. Paaßen and B. Hammer (2014), Learning interpretable kernelized
    prototype-based models. M. Bădoiu and K. Clarkson (2008), Optimal core-sets for balls.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid.prototypes import KernelRSLVQ, n_exemplars, sparsify
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelRSLVQ(random_state=0).fit(X, y)
    >>> small = sparsify(model, method="nearest", k=1)
    >>> n_exemplars(small), small.score(X, y) > 0.85
    (1.0, True)
    """
    require_combinations(model, "sparsify")
    check_degree(method, k, epsilon)
    relation = model.relation_ if P is None else model.relation_.recall(P)
    found = Approximations(
        relation, model.coefficients_, model.prototype_members(), divide=model.divides_prototypes
    )
    return model.with_coefficients(*found.approximate(method, k, epsilon), relation)


def check_degree(method: str, k: Any, epsilon: Any) -> None:
    """Raise for a method that is not known, or a degree of sparsity that it cannot have."""
    check_choice("method", method, METHODS)
    if k is not None:
        check_count("k", k)
    if epsilon is not None:
        check_at_least("epsilon", epsilon)
    if method in ("nearest", "hull"):
        if k is None or epsilon is not None:
            raise ValueError(f'method="{method}" needs k, the number of objects, and no epsilon')
    elif k is None and epsilon is None:
        raise ValueError(f'method="{method}" needs epsilon, its accuracy, or k')


class Approximations:
    """Sparse approximations of the prototypes of a model.

    Parameters
    ----------
    relation : Relation
        Of the training objects, whose proximities are at hand.
    G : array of shape (m, n)
        Coefficients of the prototypes.
    members : list of arrays of int
        Training objects of the class of each prototype.
    divide : bool, default=True
        Whether several objects may become prototypes in the place of one; else it is their mean.
    """

    def __init__(
        self, relation: Relation, G: Array, members: list[IntArray], *, divide: bool = True
    ):
        self.relation, self.G, self.members, self.divide = relation, G, members, divide
        self.geometry = combinations_of(relation)

    def approximate(
        self, method: str, k: int | None, epsilon: float | None
    ) -> tuple[Array, IntArray]:
        """New coefficients, and how many prototypes stand in the place of each old one."""
        if method in ("omp", "meb") and not self.relation.is_positive:
            raise ValueError(
                f'method="{method}" needs positive semi-definite similarities, and these are '
                'indefinite: fit the model with correction="clip" or "flip", or use "nearest" or '
                '"hull"'
            )
        accuracy = 0.0 if epsilon is None else float(epsilon)
        if method == "nearest":
            return self._nearest(k)
        rows = {"hull": self._hull, "omp": self._omp, "meb": self._meb}[method](k, accuracy)
        return np.array(rows), np.ones(len(rows), dtype=int)

    def _distances(self) -> Array:
        return self.geometry.distances(self.geometry.state(self.G))

    def _nearest(self, k: int | None) -> tuple[Array, IntArray]:
        D = self._distances()
        chosen = [
            members[steady_order(D[members, j])[:k]] for j, members in enumerate(self.members)
        ]
        if not self.divide:
            G = np.zeros_like(self.G)
            for row, index in zip(G, chosen):
                row[index] = 1.0 / len(index)
            return G, np.ones(len(G), dtype=int)
        counts = np.array([len(index) for index in chosen])
        G = np.zeros((counts.sum(), self.relation.n_objects_))
        G[np.arange(len(G)), np.concatenate(chosen)] = 1.0
        return G, counts

    def _hull(self, k: int | None, epsilon: float) -> list[Array]:
        assert k is not None
        return [hull(gamma, k) for gamma in self.G]

    def _omp(self, k: int | None, epsilon: float) -> list[Array]:
        of_distances = self.relation.proximity == "dissimilarity"
        affine = of_distances and self.relation.n_landmarks is None
        return [
            matching_pursuit(self.relation, gamma, epsilon, k, affine=affine)[0] for gamma in self.G
        ]

    def _meb(self, k: int | None, epsilon: float) -> list[Array]:
        D = self._distances()
        winner = first_argmin(D)
        rows = []
        for j, members in enumerate(self.members):
            field = members[winner[members] == j]
            if len(field) == 0:
                field = members[[first_argmin(D[members, j])]]
            rows.append(core_set_ball(self.relation, field, epsilon, k)[0])
        return rows
