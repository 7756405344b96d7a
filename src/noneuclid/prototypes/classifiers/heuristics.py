"""Prototypes that move by rules which are no gradients of a cost: LVQ1 and LVQ2.1."""

from typing import ClassVar, Literal

from noneuclid._estimator import estimator
from noneuclid.prototypes.classifiers.vectors import VectorLVQ
from noneuclid.prototypes.costs import Cost
from noneuclid.prototypes.costs.kohonen import WindowParameters


@estimator
class _Heuristic(VectorLVQ):
    """A heuristic of Kohonen's.

    Parameters
    ----------
    solver : {"sgd"}, default="sgd"
        A heuristic has no gradient that ``"lbfgs"`` could follow.
    """

    solver: Literal["sgd", "lbfgs"] = "sgd"


@estimator
class LVQ1(_Heuristic):
    r"""Kohonen's LVQ1: the nearest prototype moves, to samples of its class and away from others.

    .. math:: w \leftarrow w \pm \varepsilon\,(x - w)

    References
    ----------
    T. Kohonen (1990), The self-organizing map.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LVQ1(n_prototypes=2, random_state=0).fit(X, y)
    >>> model.prototypes_.shape, bool(model.score(X, y) > 0.9)
    ((6, 4), True)
    """

    cost: ClassVar[str | Cost] = "lvq1"  # type: ignore[misc]


@estimator
class LVQ21(WindowParameters, _Heuristic):
    r"""Kohonen's LVQ2.1: the nearest right and the nearest wrong prototype move.

    They do so only if the sample lies near the border between them,

    .. math:: \min\left(\frac{d_+}{d_-}, \frac{d_-}{d_+}\right) > \frac{1-window}{1+window}

    with distances that are not squared. It is a heuristic for the fine-tuning of prototypes, which
    may drift apart if it runs for long; the state with the fewest errors is kept.

    References
    ----------
    T. Kohonen (1990), Improved versions of learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> start = LVQ1(n_prototypes=2, random_state=0).fit(X, y)
    >>> LVQ21(n_prototypes=2, init=start.prototypes_, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost: ClassVar[str | Cost] = "lvq21"  # type: ignore[misc]
