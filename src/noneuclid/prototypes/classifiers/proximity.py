"""Prototype classifiers on similarities and dissimilarities."""

import copy
import dataclasses
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid._blocks import in_blocks
from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import Folder, NotNegative
from noneuclid.kernels.names import KernelLike
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.classifiers.base import GRADIENTS, GradientName, PrototypeClassifier
from noneuclid.prototypes.classifiers.deciding import evenly, evenly_counted
from noneuclid.prototypes.classifiers.objects import fit_objects_in_blocks
from noneuclid.prototypes.classifiers.vectors import LBFGS_NEEDS_COORDINATES
from noneuclid.prototypes.costs import Cost, Membership
from noneuclid.prototypes.costs.glvq import MarginParameters
from noneuclid.prototypes.costs.kohonen import WindowParameters
from noneuclid.prototypes.costs.rslvq import MixtureParameters
from noneuclid.prototypes.geometries.base import Constraint, Gradient
from noneuclid.prototypes.geometries.combinations import Combination, CombinationGeometry
from noneuclid.prototypes.geometries.relational import combinations_of
from noneuclid.prototypes.relational import RelationalModel
from noneuclid.prototypes.solvers.problem import Solver
from noneuclid.prototypes.solvers.sgd import SGD
from noneuclid.prototypes.starts.classes import initial_coefficients, that_weigh
from noneuclid.proximities import Relation
from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.relation import MetricLike
from noneuclid.typing import Array, IntArray


@estimator
class _RelationalLVQ(RelationalModel, PrototypeClassifier):
    r"""Labelled combinations of the objects of a relation.

    Parameters
    ----------
    gradient : {"riesz", "coordinates"}, default="riesz"
        Move the prototype (kernel LVQ), :math:`\gamma_j \leftarrow \gamma_j + a(e_i - \gamma_j)`,
        or its coefficients (relational LVQ). ``"prototypes"`` and ``"coefficients"`` mean the same.
    constraint : {"convex", "affine", "none"}, default="convex"
        Coefficients are non-negative and sum to one; sum to one; or are free (similarities only).
        Under ``"convex"`` no object can push a prototype away that it is no part of. Riesz steps,
        of which then little but attraction is left, often find nothing better than their start,
        which is returned: ``min(loss_curve_)`` is its first entry. ``"affine"``, or
        ``gradient="coordinates"`` with ``solver="lbfgs"``, learns further.
    sparsity_penalty : float, default=0.0
        Taken off every coefficient in every step, times the learning rate, before they are
        clipped and normalised: prototypes of few objects. See ``fit_sparse``.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, n), default="kmeans"
        Class-wise k-means, class-wise medoids, random weights on the class, or coefficients.
    solver : {"sgd", "lbfgs"}, default="sgd"
        ``"lbfgs"`` follows the coordinate gradient.
    batch_size : int, optional
        Samples per step. Default one; for automatic coordinate steps half of the data.
    checkpoint : str or path, optional
        A folder that keeps what every pass over the data found. A fit that was interrupted goes
        on from there, and ends as if nothing had happened. It takes ``n_landmarks``, and learns
        as from a dask collection.

    Notes
    -----
    Objects in a dask collection take ``n_landmarks``. A bounded random sample is looked at here,
    for the landmarks and for what a metric leaves to the data; features of all objects are
    computed once, where they lie, and kept there. What is learned is the same as in memory, but
    for one thing: coordinate steps under the convex constraint are those of combinations of the
    landmarks, which start at landmarks of their class. In any case ``coefficients_``,
    ``support_`` and ``init`` count landmarks, of which ``landmark_indices_`` says which objects
    they are, and coefficients of prototypes that were free to move have any sign.
    """

    constraint: Constraint = "convex"
    sparsity_penalty: NotNegative = 0.0
    checkpoint: Folder | None = None

    @property
    def _why_refused(self) -> str:  # type: ignore[override]
        if self.correction is not None:
            return "objects are as near to prototypes of two classes as to themselves"
        return (
            'the proximities are indefinite; correction="clip" or "flip", or the RSLVQ cost, '
            "avoid this"
        )

    def _check_params(self) -> None:
        if self.proximity == "dissimilarity" and self.constraint == "none":
            raise ValueError(
                'constraint="none" needs similarities: distances from dissimilarities hold for '
                'coefficients that sum to one, so use "affine" or "convex"'
            )
        if self.solver == "lbfgs" and GRADIENTS[self.gradient] == "riesz":
            raise ValueError(LBFGS_NEEDS_COORDINATES)
        if self.sparsity_penalty > 0 and self.constraint != "convex":
            raise ValueError(
                'sparsity_penalty needs constraint="convex": it works by clipping coefficients at '
                "zero"
            )
        if self.sparsity_penalty > 0 and self.solver == "lbfgs":
            raise ValueError('sparsity_penalty is paid step by step: use solver="sgd"')

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : array of shape (n, n) or (n, m), or n objects, or a dask bag, array, Series, DataFrame
            Proximities between all training objects; to the ``landmarks`` only; or the objects,
            which may lie in a dask collection if ``n_landmarks`` is given.
        y : array of shape (n,), or a dask bag, array or Series
            Labels, in the same blocks.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self : object
            Fitted.
        """
        self._choose_number(X, y, sample_weight)
        if in_blocks(X, y, sample_weight) or self.checkpoint is not None:
            return self._fit_blocks(X, y, sample_weight)
        relation = self._fit_relation(X)
        who, counts = self._set_classes(y, relation.n_objects_)
        weights = self._weights(sample_weight, who.y)
        geometry = combinations_of(relation, self.constraint, weights)
        rng = check_random_state(self.random_state)
        with one_blas_thread(relation.n_objects_**2 // len(counts)):  # class by class
            y_heavy = that_weigh(who.y, weights, counts, self.classes_)
            theta = geometry.state(self._start(geometry, y_heavy, counts, rng))
        problem = self._pose(geometry, theta, who, weights)
        with one_blas_thread(geometry.multiplications(theta)):
            result = self._make_solver(GRADIENTS[self.gradient]).run(problem, theta, rng)
            learned = self._combine(geometry, result.theta)
            self._y = who.y
            self._counted = evenly_counted(len(who.y), weights)
            self._look_back(geometry, learned)
        self._note(result)
        self.n_clipped_ = result.clipped
        return self

    def _look_back(self, geometry: CombinationGeometry, theta: Combination) -> None:
        """See how far training objects are from the prototypes that were learned."""
        some = self._counted if hasattr(self, "_counted") else evenly(len(self._y))
        rows = slice(None) if len(some) == len(self._y) else some
        D = geometry.distances(theta, rows)
        self._note_training(D, self._y[some])

    def _fit_blocks(self, X: Any, y: Any, sample_weight: Any) -> Self:
        fit_objects_in_blocks(self, X, y, sample_weight)
        return self

    def _make_solver(self, gradient: Gradient) -> Solver:
        solver = super()._make_solver(gradient)
        if isinstance(solver, SGD):
            return dataclasses.replace(solver, penalty=float(self.sparsity_penalty))
        return solver

    def _start(
        self, geometry: CombinationGeometry, y: IntArray, counts: IntArray, rng: Any
    ) -> Array:
        return initial_coefficients(self.init, geometry, y, counts, rng)

    # --- with other coefficients ------------------------------------------------------------

    def training_labels(self) -> np.ndarray:
        """Labels of the training objects.

        Returns
        -------
        array of shape (n,)
            As they were given.
        """
        check_is_fitted(self)
        return self.classes_[self._y]

    def prototype_members(self) -> list[IntArray]:
        """The training objects of the class of each prototype.

        Returns
        -------
        list of array of int
            Indices, one array per prototype.
        """
        labels = self.training_labels()
        return [np.flatnonzero(labels == label) for label in self.prototype_labels_]

    def training_cost(self) -> float:
        """The cost of the training objects, without weights.

        Returns
        -------
        float
            What ``fit`` made small.
        """
        geometry = combinations_of(self.relation_)
        D = geometry.distances(geometry.state(self.coefficients_))
        classes = np.searchsorted(self.classes_, self.prototype_labels_)
        return self.cost_.evaluate(D, Membership(self._y, classes)).value

    def assignment_logits(self, X: ArrayLike) -> Array:
        """Log-weight of every prototype for every object: those of a mixture, if it is one.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n, m)
            Up to a constant per object.
        """
        check_is_fitted(self)
        D = self._relative_distances(X) if self.cost_.is_soft else self._distances(X)
        return self.cost_.assignment_logits(D)

    def with_coefficients(
        self, G: Array, counts: IntArray | None = None, relation: Relation | None = None
    ) -> Self:
        """The classifier with other coefficients; it stays as it is itself.

        Parameters
        ----------
        G : array of shape (m', n)
            Coefficients of the new prototypes.
        counts : array of int of shape (m,), optional
            How many of them stand in the place of each prototype; one by default.
        relation : Relation, optional
            The relation with its training proximities at hand, where the model lost them.

        Returns
        -------
        object
            A fitted copy.
        """
        check_is_fitted(self)
        counts = np.ones(len(self.coefficients_), dtype=int) if counts is None else counts
        geometry = combinations_of(self.relation_ if relation is None else relation)
        small = copy.copy(self)
        small._n_original = getattr(self, "_n_original", len(self.coefficients_))  # type: ignore[attr-defined]
        small.prototype_labels_ = np.repeat(self.prototype_labels_, counts)
        small.cost_ = self.cost_.spread(counts)
        small._look_back(geometry, small._combine(geometry, geometry.state(G)))
        return small

    def restricted(self, columns: IntArray) -> Self:
        """The classifier over a few training objects, among them those of its support.

        Returns
        -------
        classifier
        """
        small = super().restricted(columns)
        small._y, small._counted = self._y[columns], evenly(len(columns))
        return small


@estimator
class ProximityLVQ(MarginParameters, MixtureParameters, WindowParameters, _RelationalLVQ):
    r"""Learning vector quantisation for anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, and
    distances to them need only the proximities:

    .. math:: d(\xi_i, w_j) = s_{ii} - 2(S\gamma_j)_i + \gamma_j'S\gamma_j
              \quad\text{or}\quad (D\gamma_j)_i - \tfrac12\gamma_j'D\gamma_j .

    The matrix may be indefinite. Costs, two kinds of proximity and two gradients make a cube;
    :class:`KernelGLVQ`, :class:`KernelRSLVQ`, :class:`RelationalGLVQ` and
    :class:`RelationalRSLVQ` are four of its cells.

    Attributes
    ----------
    sigma2_ : float or array
        Bandwidth of a soft cost.

    References
    ----------
    B. Hammer, D. Hofmann, F.-M. Schleif and X. Zhu (2014), Learning vector quantization for
    (dis-)similarities. Neurocomputing 131.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.metrics import pairwise_distances
    >>> X, y = load_iris(return_X_y=True)
    >>> D = pairwise_distances(X, metric="cityblock")
    >>> model = ProximityLVQ(proximity="dissimilarity", n_prototypes=2, random_state=0).fit(D, y)
    >>> model.score(D, y) > 0.9
    True
    """


@estimator
class _KernelLVQ(_RelationalLVQ):
    """Riesz steps over similarities.

    Parameters
    ----------
    kernel : "precomputed", str, Kernel or callable, default="rbf"
        Anything ``as_kernel`` accepts; ``"precomputed"``: X is the Gram matrix, which may be
        indefinite.
    """

    proximity: ClassVar[Proximity] = "similarity"  # type: ignore[misc]
    metric: ClassVar[Any] = None  # type: ignore[misc]
    squared: ClassVar[Literal["auto"]] = "auto"  # type: ignore[misc]
    kernel: Literal["precomputed"] | KernelLike = "rbf"

    def _metric(self) -> Any:
        return self.kernel


@estimator
class KernelGLVQ(MarginParameters, _KernelLVQ):
    r"""Generalised LVQ in the feature space of a kernel.

    Prototypes move by :math:`\gamma_j \leftarrow (1-a)\gamma_j + a\,e_i` with GLVQ's forces.

    References
    ----------
    A. K. Qin and P. N. Suganthan (2004), A novel kernel prototype-based learning algorithm.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> KernelGLVQ(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost: ClassVar[str | Cost] = "glvq"  # type: ignore[misc]


@estimator
class KernelRSLVQ(MixtureParameters, _KernelLVQ):
    r"""Robust soft LVQ in the feature space of a kernel, with class probabilities.

    Prototypes move by :math:`\gamma_j \leftarrow (1-a)\gamma_j + a\,e_i` with RSLVQ's forces.

    Attributes
    ----------
    sigma2_ : float or array
        The bandwidth.

    References
    ----------
    D. Hofmann and B. Hammer (2012), Kernel robust soft learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> KernelRSLVQ(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost: ClassVar[str | Cost] = "rslvq"  # type: ignore[misc]


@estimator
class _DissimilarityLVQ(_RelationalLVQ):
    """Coordinate steps over dissimilarities.

    Parameters
    ----------
    metric : "precomputed", str or callable, default="sqeuclidean"
        ``"precomputed"``: X is the matrix of dissimilarities; a name of
        ``noneuclid.proximities.metrics()``, such as ``"levenshtein"`` for strings; or a function of
        two objects. What it gives stands for *squared* distances, plain ones too: see ``squared``.
    """

    proximity: ClassVar[Proximity] = "dissimilarity"  # type: ignore[misc]
    metric: MetricLike = "sqeuclidean"
    gradient: GradientName = "coordinates"


@estimator
class RelationalGLVQ(MarginParameters, _DissimilarityLVQ):
    r"""Generalised LVQ on dissimilarities.

    Coefficients move along :math:`D\gamma_j - D_i`, the gradient of the relational distance.

    References
    ----------
    B. Hammer, D. Hofmann, F.-M. Schleif and X. Zhu (2014), Learning vector quantization for
    (dis-)similarities.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> RelationalGLVQ(random_state=0).fit(X, y).score(X, y) > 0.9
    True

    Plain distances stand for squared ones, unless they are said to be plain:

    >>> plain = RelationalGLVQ(metric="euclidean", squared=False, random_state=0).fit(X, y)
    >>> same = RelationalGLVQ(metric="sqeuclidean", random_state=0).fit(X, y)
    >>> bool((plain.predict(X) == same.predict(X)).all())
    True
    """

    cost: ClassVar[str | Cost] = "glvq"  # type: ignore[misc]


@estimator
class RelationalRSLVQ(MixtureParameters, _DissimilarityLVQ):
    r"""Robust soft LVQ on dissimilarities, with class probabilities.

    Coefficients move along :math:`D\gamma_j - D_i`, the gradient of the relational distance.

    Attributes
    ----------
    sigma2_ : float or array
        The bandwidth.

    References
    ----------
    B. Hammer, D. Hofmann, F.-M. Schleif and X. Zhu (2014), Learning vector quantization for
    (dis-)similarities.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> RelationalRSLVQ(random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost: ClassVar[str | Cost] = "rslvq"  # type: ignore[misc]
