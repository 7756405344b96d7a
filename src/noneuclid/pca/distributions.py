"""Principal components of distributions."""

from dataclasses import field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import Count
from noneuclid.kernels import CrossInformationPotential
from noneuclid.kernels.bags import as_bags
from noneuclid.pca.function_components import FunctionComponents
from noneuclid.proximities import Relation
from noneuclid.typing import Array


@estimator
class DistributionPCA(FunctionComponents):
    r"""Principal component analysis of distributions, each known by a bag of samples.

    Parzen estimates :math:`\hat p_i` of the bags are vectors of a Hilbert space, whose products are
    the cross information potentials :math:`V_{ij} = \int\hat p_i\hat p_j`. With the eigenvectors b
    of the centred matrix :math:`\tilde V`, scaled to :math:`b'\tilde V b = 1`, the scores are
    :math:`\tilde V b`, and the principal components are differences of densities,

    .. math:: \xi(x) = \sum_i b_i(\hat p_i(x) - \bar p(x)), \qquad \int\xi = 0,\; \int\xi^2 = 1 .

    Parameters
    ----------
    n_components : int, default=2
        Number of components.
    kernel : CrossInformationPotential, optional
        Default: windows of Silverman's width for a bag of mean size and variance.

    Attributes
    ----------
    kernel_ : CrossInformationPotential
        The kernel used.

    References
    ----------
    J. C. Príncipe (2010), Information Theoretic Learning.

    A. Kneip and K. J. Utikal (2001), Inference for density families using functional principal
    component analysis. Journal of the American Statistical Association 96.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> means = np.linspace(-1, 1, 20)
    >>> bags = [rng.normal(mean, 1.0, size=(100, 1)) for mean in means]
    >>> pca = DistributionPCA(2).fit(bags)
    >>> bool(abs(np.corrcoef(pca.transform(bags)[:, 0], means)[0, 1]) > 0.9)
    True
    >>> pca.component_densities([[-2.0], [0.0], [2.0]]).shape
    (2, 3)
    """

    n_components: Count = field(default=2, kw_only=False)
    kernel: CrossInformationPotential | None = None

    _things: ClassVar[str] = "bags"

    def _make_relation(self) -> Relation:
        return Relation(CrossInformationPotential(1.0) if self.kernel is None else self.kernel)

    def as_objects(self, X: Any) -> Any:
        """Bags in one form; bags of numbers may come as 1-d arrays.

        Parameters
        ----------
        X : sequence of bags
            Arrays of shape (n_samples, d), or (n_samples,).

        Returns
        -------
        sequence of bags
            Checked, in a form that takes indices.
        """
        return as_bags(_columns(X))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the components.

        Parameters
        ----------
        X : list of arrays of shape (n_i, d) or (n_i,), or array of shape (n, n_i, d)
            Bags of samples, or of numbers.
        y : ignored

        Returns
        -------
        self
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learn the components and return the scores of the training bags.

        Parameters
        ----------
        X : list of arrays of shape (n_i, d) or (n_i,), or array of shape (n, n_i, d)
        y : ignored

        Returns
        -------
        array of shape (n, n_components)
        """
        return self._scores_of(self._fit(X))

    def _fit(self, X: Any) -> Array:
        bags = self.as_objects(X)
        kernel = self.kernel
        if kernel is None:
            self._refuse_single_sample(len(bags))
            kernel = CrossInformationPotential(_silverman(bags))
        return self._fit_functions(bags, kernel)

    def transform(self, X: Any) -> Array:
        """Scores of new bags.

        Parameters
        ----------
        X : list of arrays of shape (n_i, d) or (n_i,), or array of shape (n, n_i, d)

        Returns
        -------
        array of shape (n, n_components)
        """
        check_is_fitted(self)
        return super().transform(self.as_objects(X))

    def _functions(self, at: Any) -> Array:
        check_is_fitted(self, "dual_coefficients_")
        bags = self.relation_.objects_
        if np.ndim(at) == 1 and bags.points.shape[1] == 1:
            at = np.asarray(at)[:, None]
        return np.asarray(self.relation_.metric_.densities(bags, at))

    def component_densities(self, points: ArrayLike) -> Array:
        """ξ, the principal components as differences of densities.

        Parameters
        ----------
        points : array of shape (k, d), or (k,) for bags of numbers

        Returns
        -------
        array of shape (n_components, k)
        """
        return self._components_at(points)

    def mean_density(self, points: ArrayLike) -> Array:
        """p̄, the mean density of the training bags.

        Parameters
        ----------
        points : array of shape (k, d), or (k,) for bags of numbers

        Returns
        -------
        array of shape (k,)
        """
        return np.asarray(self._functions(points).mean(axis=0))

    def reconstruct(self, scores: ArrayLike, points: ArrayLike) -> Array:
        """Densities p̄(x) + Σ_k score_k ξ_k(x) from scores; with few of them they may be negative.

        Parameters
        ----------
        scores : array of shape (n, n_components)
        points : array of shape (k, d), or (k,) for bags of numbers

        Returns
        -------
        array of shape (n, k)
        """
        return self._reconstructed(scores, points)


def _columns(X: Any) -> Any:
    """Bags of numbers as bags of samples with one coordinate."""
    if not isinstance(X, (list, tuple)):
        return X
    return [np.asarray(bag)[:, None] if getattr(bag, "ndim", 0) == 1 else bag for bag in X]


def _silverman(bags: Any) -> Any:
    """Width for a typical bag; the median distance of all samples if bags have one each."""
    d = bags.points.shape[1]
    spread = float(np.sqrt(np.mean([bag.var(axis=0).mean() for bag in bags])))
    if not spread > 1e-13 * np.abs(bags.points).max(initial=0.0):
        return "median"
    n = len(bags.points) / len(bags)
    return spread * (4.0 / ((d + 2.0) * n)) ** (1.0 / (d + 4.0))
