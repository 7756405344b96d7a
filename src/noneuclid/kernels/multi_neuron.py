"""Kernels of trials in which several neurons were recorded at once."""

from collections.abc import Callable
from functools import reduce
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import shown
from noneuclid._parameters import Count, check_parameters
from noneuclid.kernels.base import Kernel, ObjectKernel
from noneuclid.kernels.schoenberg import Schoenberg
from noneuclid.kernels.spike_train import SpikeTrainKernel
from noneuclid.kernels.trains import Trains, check_units
from noneuclid.kernels.trials import Trials, as_trials
from noneuclid.typing import Array

_COMBINED: dict[str, Callable[[Array, Array], Array]] = {"sum": np.add, "product": np.multiply}


class MultiNeuronKernel(ObjectKernel):
    r"""Sum or product of a kernel of trains, over the neurons of a trial.

    .. math:: K(x, y) = \sum_n k(x_n, y_n) \quad\text{or}\quad \prod_n k(x_n, y_n) ,

    where :math:`x_n` is the train of neuron n. The sum is the inner product of all intensities
    side by side: what one neuron does adds to what the others do. The product is that of their
    tensor product, and two trials are alike only if all neurons are: with a kernel that can
    be zero, such as :class:`SpikeTrainKernel`, one neuron without events, or without any near the
    other's, makes it zero. ``Schoenberg`` never is; over the same width the product of
    ``Schoenberg(k)`` is ``Schoenberg`` of the sum.

    Parameters
    ----------
    kernel : Kernel
        k, a kernel of trains. What it leaves to the data is fixed on the trains of all neurons
        together.
    combine : {"sum", "product"}, default="sum"
    n_neurons : int, optional
        How many neurons there are. By default as many as the data have; a learner remembers it.

    Notes
    -----
    A trial is a list of trains, one per neuron, in the same order in all trials:
    ``[[[0.1, 0.2], []], [[0.3], [0.4]]]`` are two trials of two neurons. Every neuron needs a train
    in every trial, ``[]`` where it had no event.

    References
    ----------
    A. R. C. Paiva, I. Park and J. C. Príncipe (2009), A reproducing kernel Hilbert space framework
    for spike train signal processing. Neural Computation 21. I. M. Park, S. Seth, A. R. C. Paiva,
    L. Li and J. C. Príncipe (2013), Kernel methods on spike train space for neuroscience: a
    tutorial. IEEE Signal Processing Magazine 30.

    Examples
    --------
    >>> trials = [[[0.0], [1.0]], [[0.0], [1.5]], [[0.0], []]]
    >>> kernel = SpikeTrainKernel(0.5, smoothing="exponential")
    >>> MultiNeuronKernel(kernel)(trials).round(4)
    array([[2.    , 1.3679, 1.    ],
           [1.3679, 2.    , 1.    ],
           [1.    , 1.    , 1.    ]])
    >>> MultiNeuronKernel(kernel, combine="product")(trials).round(4)
    array([[1.    , 0.3679, 0.    ],
           [0.3679, 1.    , 0.    ],
           [0.    , 0.    , 0.    ]])
    """

    def __init__(
        self,
        kernel: Kernel,
        *,
        combine: Literal["sum", "product"] = "sum",
        n_neurons: Count | None = None,
    ):
        self.kernel = kernel
        self.combine = combine
        self.n_neurons = n_neurons

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a sum, a product, and a product of Schoenberg's kernels."""
        inner = SpikeTrainKernel(0.7)
        return [
            cls(inner),
            cls(inner, combine="product"),
            cls(Schoenberg(inner, 0.8), combine="product", n_neurons=2),
        ]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Those of the inner kernel: sums and products of positive kernels are positive."""
        return self.kernel.laws

    @property
    def width(self) -> Any:
        """That of the inner kernel."""
        return self.kernel.width  # type: ignore[attr-defined]

    def _check_params(self) -> None:
        takes_trains = getattr(self.kernel, "takes_objects", False)
        try:
            takes_trains = takes_trains and isinstance(self.kernel.as_objects([[0.0]]), Trains)
        except (TypeError, ValueError):
            takes_trains = False
        if not takes_trains:
            raise ValueError(f"kernel (={shown(self.kernel)}) must be a kernel of trains")

    def example_objects(self, rng: np.random.Generator, n: int) -> Trials:
        """Return n random trials of two neurons."""
        neurons = [self.kernel.example_objects(rng, n) for _ in range(2)]
        return Trials(neurons, n)

    def as_objects(self, X: Any, name: str = "X") -> Trials:
        """Return the trials in one form, checked; all methods take it too.

        Parameters
        ----------
        X : list of trials
        name : str, default="X"
            What errors call it.

        Returns
        -------
        Trials
        """
        check_parameters(self)
        trials = as_trials(X, name, self.n_neurons)
        neurons = [
            self.kernel.as_objects(trains, f"neuron {k} of {name}")
            for k, trains in enumerate(trials.neurons)
        ]
        return Trials(neurons, len(trials))

    def resolve(self, X: Any) -> Self:
        """Return the kernel with the number of neurons, and what the inner one leaves open, fixed.

        Parameters
        ----------
        X : list of trials

        Returns
        -------
        MultiNeuronKernel
        """
        trials = self.as_objects(X)
        inner = self.kernel.resolve(trials.trains)
        return type(self)(inner, combine=self.combine, n_neurons=trials.n_neurons or None)

    def _check_pair(self, X: Any, Y: Any) -> tuple[Any, Any]:
        X, Y = super()._check_pair(X, Y)
        if len(X) and len(Y) and X.n_neurons != Y.n_neurons:
            raise ValueError(f"X has {X.n_neurons} neurons and Y {Y.n_neurons}")
        for x, y in zip(X.neurons, Y.neurons):
            check_units(x, y)
        return X, Y

    def _combined(self, parts: list[Array], shape: tuple[int, ...]) -> Array:
        return reduce(_COMBINED[self.combine], parts) if parts else np.zeros(shape)

    def _evaluate(self, X: Any, Y: Any) -> Array:
        pairs = zip(X.neurons, X.neurons if Y is X else Y.neurons)
        return self._combined([self.kernel._evaluate(x, y) for x, y in pairs], (len(X), len(Y)))

    def diag(self, X: Any) -> Array:
        """K(x_i, x_i) of every trial.

        Parameters
        ----------
        X : list of trials

        Returns
        -------
        array of shape (n,)
        """
        X = self.as_objects(X)
        return self._combined([self.kernel.diag(x) for x in X.neurons], (len(X),))

    def intensities(self, X: Any, t: ArrayLike) -> Array:
        """The functions of time, one per neuron, whose inner products the sum gives.

        Parameters
        ----------
        X : list of trials
        t : array of shape (k,)
            Where to evaluate, in any order.

        Returns
        -------
        array of shape (n, n_neurons, k)
        """
        if self.combine != "sum" or not isinstance(self.kernel, SpikeTrainKernel):
            raise ValueError(
                f"{shown(self)} gives no inner products of functions of time: that is what a sum "
                "of SpikeTrainKernel does"
            )
        neurons = self.as_objects(X).neurons
        return np.stack([self.kernel.intensities(trains, t) for trains in neurons], axis=1)
