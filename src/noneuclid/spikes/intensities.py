"""The intensity of event sequences."""

from typing import Any

from numpy.typing import ArrayLike

from noneuclid.kernels import SpikeTrainKernel
from noneuclid.kernels.spike_train import Smoothing
from noneuclid.kernels.trains import is_one_train


def intensity(train: Any, t: ArrayLike, width: float, *, smoothing: Smoothing = "gaussian") -> Any:
    r"""Smoothed event sequence :math:`\hat\lambda(t) = \sum_m h(t - t_m)`, in events per time.

    Parameters
    ----------
    train : 1-d array, object with ``times``, or list of them
        One train, or several.
    t : array of shape (k,)
        Where to evaluate, in any order.
    width : float
        Width τ of the smoothing function h.
    smoothing : {"gaussian", "exponential", "laplacian", "alpha", "rectangular"}
        See :class:`~noneuclid.kernels.SpikeTrainKernel`.

    Returns
    -------
    array of shape (k,), or (n, k) for a list of n trains

    Examples
    --------
    >>> intensity([0.0, 1.0], [-0.1, 0.0, 0.5, 1.0], 1.0, smoothing="exponential").round(4)
    array([0.    , 1.    , 0.6065, 1.3679])
    >>> intensity([[0.0], []], [0.0], 0.5, smoothing="rectangular")
    array([[2.],
           [0.]])
    """
    kernel = SpikeTrainKernel(width, smoothing=smoothing)
    single = is_one_train(train)
    values = kernel.intensities(kernel.as_objects([train] if single else train, "train"), t)
    return values[0] if single else values
