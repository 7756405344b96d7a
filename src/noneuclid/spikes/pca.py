"""Principal components of event sequences."""

from dataclasses import field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import Count
from noneuclid.kernels import MultiNeuronKernel, SpikeTrainKernel
from noneuclid.pca.function_components import FunctionComponents
from noneuclid.proximities import Relation
from noneuclid.spikes.widths import select_width
from noneuclid.typing import Array


@estimator
class SpikeTrainPCA(FunctionComponents):
    r"""Principal component analysis of spike trains, in the space of their intensities.

    With the centred Gram matrix :math:`\tilde I` of the trains and its eigenvectors b, scaled to
    :math:`b'\tilde I b = 1`, the scores are :math:`\tilde I b`, and the principal components are
    functions of time,

    .. math:: \xi(t) = \sum_i b_i(\hat\lambda_i(t) - \bar\lambda(t)), \qquad \int\xi^2 = 1 .

    Parameters
    ----------
    n_components : int, default=2
        Number of components.
    kernel : SpikeTrainKernel or MultiNeuronKernel, optional
        Default: Gaussian smoothing with the width of ``select_width``. With ``normalize`` the
        intensities are those of length one, and so are their mean and the components. Trials of
        several neurons take a :class:`~noneuclid.kernels.MultiNeuronKernel`; components of a sum
        are then one function per neuron, those of a product have scores only.

    Attributes
    ----------
    explained_variance_ : array of shape (n_components,)
        Variance ρ/n of the scores on the training trains, ρ the eigenvalue.
    explained_variance_ratio_ : array of shape (n_components,)
        Its share in the variance of all trains.
    eigenvalues_ : array of shape (n,)
        All eigenvalues ρ of the centred Gram matrix, largest first.
    dual_coefficients_ : array of shape (n, n_components)
        The vectors b.
    kernel_ : SpikeTrainKernel
        The kernel used.

    References
    ----------
    A. R. C. Paiva, I. Park and J. C. Príncipe (2009), A reproducing kernel Hilbert space framework
    for spike train signal processing. Neural Computation 21.

    Examples
    --------
    >>> from noneuclid.spikes import jittered_templates
    >>> data = jittered_templates(50, random_state=0)
    >>> pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(data.trains)
    >>> score = pca.transform(data.trains)[:, 0]
    >>> sides = score[data.labels == 0], score[data.labels == 1]
    >>> bool(sides[0].max() < sides[1].min() or sides[1].max() < sides[0].min())
    True
    """

    n_components: Count = field(default=2, kw_only=False)
    kernel: SpikeTrainKernel | MultiNeuronKernel | None = None

    _things: ClassVar[str] = "trains"

    def _make_relation(self) -> Relation:
        return Relation(SpikeTrainKernel(1.0) if self.kernel is None else self.kernel)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the components.

        Parameters
        ----------
        X : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learn the components and return the scores of the training trains.

        Parameters
        ----------
        X : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``
            Trains.
        y : ignored
            For scikit-learn.

        Returns
        -------
        array of shape (n, n_components)
            Scores.
        """
        return self._scores_of(self._fit(X))

    def _fit(self, X: Any) -> Array:
        kernel = self.kernel
        if kernel is None:
            kernel = SpikeTrainKernel(select_width(X).width)
        return self._fit_functions(X, kernel)

    def _functions(self, at: Any) -> Array:
        check_is_fitted(self, "dual_coefficients_")
        return np.asarray(self.relation_.metric_.intensities(self.relation_.objects_, at))

    def component_functions(self, t: ArrayLike) -> Array:
        """ξ(t), the principal components as functions of time.

        Parameters
        ----------
        t : array of shape (k,)

        Returns
        -------
        array of shape (n_components, k), or (n_components, n_neurons, k) of several neurons
        """
        return self._components_at(t)

    def mean_intensity(self, t: ArrayLike) -> Array:
        """λ̄(t), the mean intensity of the training trains.

        Parameters
        ----------
        t : array of shape (k,)

        Returns
        -------
        array of shape (k,), or (n_neurons, k) of several neurons
        """
        return np.asarray(self._functions(t).mean(axis=0))

    def reconstruct(self, scores: ArrayLike, t: ArrayLike) -> Array:
        """Intensities λ̄(t) + Σ_k score_k ξ_k(t) from scores.

        Parameters
        ----------
        scores : array of shape (n, n_components)
        t : array of shape (k,)

        Returns
        -------
        array of shape (n, k), or (n, n_neurons, k) of several neurons
        """
        return self._reconstructed(scores, t)
