"""The four named cells of cost × proximity × gradient.

Their constructors repeat the parameters they pass on, because scikit-learn reads parameters from
the constructor of each class.
"""

from collections.abc import Mapping
from typing import Any, Literal

from numpy.typing import ArrayLike

from noneuclid.prototypes.combinations import Constraint
from noneuclid.prototypes.proximity import ProximityLVQ
from noneuclid.proximities.corrections import Correction
from noneuclid.proximities.landmarks import Landmarks


class KernelGLVQ(ProximityLVQ):
    r"""Generalised LVQ in the feature space of a kernel.

    Prototypes move by :math:`\gamma_j \leftarrow (1-a)\gamma_j + a\,e_i` with GLVQ's forces.

    Parameters
    ----------
    kernel : "precomputed", str, Kernel or callable, default="rbf"
        Anything ``as_kernel`` accepts; ``"precomputed"``: X is the Gram matrix, which may be
        indefinite.
    **params
        See :class:`ProximityLVQ`.

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

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        n_prototypes: int | Mapping[Any, int] = 1,
        transfer: Literal["identity", "sigmoid", "tanh"] = "identity",
        slope: float | Literal["auto"] = 1.0,
        gradient: str = "riesz",
        constraint: Constraint = "convex",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        landmarks: Landmarks | ArrayLike = "uniform",
        sparsity_penalty: float = 0.0,
        init: str | ArrayLike = "kmeans",
        solver: Literal["sgd", "lbfgs"] = "sgd",
        learning_rate: float | Literal["auto"] = "auto",
        schedule: Literal["constant", "linear"] | None = None,
        max_epochs: int = 30,
        batch_size: int | None = None,
        tol: float = 1e-4,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool = False,
        random_state: Any = None,
    ):
        super().__init__(
            cost="glvq",
            proximity="similarity",
            metric=kernel,
            n_prototypes=n_prototypes,
            transfer=transfer,
            slope=slope,
            gradient=gradient,
            constraint=constraint,
            correction=correction,
            n_landmarks=n_landmarks,
            landmarks=landmarks,
            sparsity_penalty=sparsity_penalty,
            init=init,
            solver=solver,
            learning_rate=learning_rate,
            schedule=schedule,
            max_epochs=max_epochs,
            batch_size=batch_size,
            tol=tol,
            n_iter_no_change=n_iter_no_change,
            shuffle=shuffle,
            class_weight=class_weight,
            verbose=verbose,
            random_state=random_state,
        )
        self.kernel = kernel

    def _metric(self) -> Any:
        return self.kernel


class KernelRSLVQ(ProximityLVQ):
    r"""Robust soft LVQ in the feature space of a kernel, with class probabilities.

    Prototypes move by :math:`\gamma_j \leftarrow (1-a)\gamma_j + a\,e_i` with RSLVQ's forces.

    Parameters
    ----------
    kernel : "precomputed", str, Kernel or callable, default="rbf"
        Anything ``as_kernel`` accepts; ``"precomputed"``: X is the Gram matrix, which may be
        indefinite.
    **params
        See :class:`ProximityLVQ`.

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

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        n_prototypes: int | Mapping[Any, int] = 1,
        sigma2: float | Literal["scale"] | ArrayLike = "scale",
        prior: ArrayLike | None = None,
        gradient: str = "riesz",
        constraint: Constraint = "convex",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        landmarks: Landmarks | ArrayLike = "uniform",
        sparsity_penalty: float = 0.0,
        init: str | ArrayLike = "kmeans",
        solver: Literal["sgd", "lbfgs"] = "sgd",
        learning_rate: float | Literal["auto"] = "auto",
        schedule: Literal["constant", "linear"] | None = None,
        max_epochs: int = 30,
        batch_size: int | None = None,
        tol: float = 1e-4,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool = False,
        random_state: Any = None,
    ):
        super().__init__(
            cost="rslvq",
            proximity="similarity",
            metric=kernel,
            n_prototypes=n_prototypes,
            sigma2=sigma2,
            prior=prior,
            gradient=gradient,
            constraint=constraint,
            correction=correction,
            n_landmarks=n_landmarks,
            landmarks=landmarks,
            sparsity_penalty=sparsity_penalty,
            init=init,
            solver=solver,
            learning_rate=learning_rate,
            schedule=schedule,
            max_epochs=max_epochs,
            batch_size=batch_size,
            tol=tol,
            n_iter_no_change=n_iter_no_change,
            shuffle=shuffle,
            class_weight=class_weight,
            verbose=verbose,
            random_state=random_state,
        )
        self.kernel = kernel

    def _metric(self) -> Any:
        return self.kernel


class RelationalGLVQ(ProximityLVQ):
    r"""Generalised LVQ on dissimilarities.

    Coefficients move along :math:`D\gamma_j - D_i`, the gradient of the relational distance.

    Parameters
    ----------
    metric : "precomputed", str or callable, default="sqeuclidean"
        ``"precomputed"``: X is the matrix of dissimilarities; a name of
        ``sklearn.metrics.pairwise_distances``, ``"levenshtein"`` for strings, or a function of
        two objects.
    **params
        See :class:`ProximityLVQ`.

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
    """

    def __init__(
        self,
        *,
        metric: Any = "sqeuclidean",
        n_prototypes: int | Mapping[Any, int] = 1,
        transfer: Literal["identity", "sigmoid", "tanh"] = "identity",
        slope: float | Literal["auto"] = 1.0,
        gradient: str = "coordinates",
        constraint: Constraint = "convex",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        landmarks: Landmarks | ArrayLike = "uniform",
        sparsity_penalty: float = 0.0,
        init: str | ArrayLike = "kmeans",
        solver: Literal["sgd", "lbfgs"] = "sgd",
        learning_rate: float | Literal["auto"] = "auto",
        schedule: Literal["constant", "linear"] | None = None,
        max_epochs: int = 30,
        batch_size: int | None = None,
        tol: float = 1e-4,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool = False,
        random_state: Any = None,
    ):
        super().__init__(
            cost="glvq",
            proximity="dissimilarity",
            metric=metric,
            n_prototypes=n_prototypes,
            transfer=transfer,
            slope=slope,
            gradient=gradient,
            constraint=constraint,
            correction=correction,
            n_landmarks=n_landmarks,
            landmarks=landmarks,
            sparsity_penalty=sparsity_penalty,
            init=init,
            solver=solver,
            learning_rate=learning_rate,
            schedule=schedule,
            max_epochs=max_epochs,
            batch_size=batch_size,
            tol=tol,
            n_iter_no_change=n_iter_no_change,
            shuffle=shuffle,
            class_weight=class_weight,
            verbose=verbose,
            random_state=random_state,
        )


class RelationalRSLVQ(ProximityLVQ):
    r"""Robust soft LVQ on dissimilarities, with class probabilities.

    Coefficients move along :math:`D\gamma_j - D_i`, the gradient of the relational distance.

    Parameters
    ----------
    metric : "precomputed", str or callable, default="sqeuclidean"
        ``"precomputed"``: X is the matrix of dissimilarities; a name of
        ``sklearn.metrics.pairwise_distances``, ``"levenshtein"`` for strings, or a function of
        two objects.
    **params
        See :class:`ProximityLVQ`.

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

    def __init__(
        self,
        *,
        metric: Any = "sqeuclidean",
        n_prototypes: int | Mapping[Any, int] = 1,
        sigma2: float | Literal["scale"] | ArrayLike = "scale",
        prior: ArrayLike | None = None,
        gradient: str = "coordinates",
        constraint: Constraint = "convex",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        landmarks: Landmarks | ArrayLike = "uniform",
        sparsity_penalty: float = 0.0,
        init: str | ArrayLike = "kmeans",
        solver: Literal["sgd", "lbfgs"] = "sgd",
        learning_rate: float | Literal["auto"] = "auto",
        schedule: Literal["constant", "linear"] | None = None,
        max_epochs: int = 30,
        batch_size: int | None = None,
        tol: float = 1e-4,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool = False,
        random_state: Any = None,
    ):
        super().__init__(
            cost="rslvq",
            proximity="dissimilarity",
            metric=metric,
            n_prototypes=n_prototypes,
            sigma2=sigma2,
            prior=prior,
            gradient=gradient,
            constraint=constraint,
            correction=correction,
            n_landmarks=n_landmarks,
            landmarks=landmarks,
            sparsity_penalty=sparsity_penalty,
            init=init,
            solver=solver,
            learning_rate=learning_rate,
            schedule=schedule,
            max_epochs=max_epochs,
            batch_size=batch_size,
            tol=tol,
            n_iter_no_change=n_iter_no_change,
            shuffle=shuffle,
            class_weight=class_weight,
            verbose=verbose,
            random_state=random_state,
        )
        self.metric = metric

    def _metric(self) -> Any:
        return self.metric
