"""How far one bag of samples has to be carried to become another."""

import importlib
from dataclasses import field
from typing import Any, Self

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import AtLeastOne, check_parameters
from noneuclid._progress import progress
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels.bags import Bags, as_bags
from noneuclid.kernels.pairs import FEWER_PAIRS
from noneuclid.numerics import squared_euclidean
from noneuclid.typing import Array


@estimator
class Wasserstein(BaseEstimator):
    r"""The least cost of carrying one bag of samples to another.

    .. math:: W_p^p(x, y) = \min_{\pi}\sum_{ij}\pi_{ij}\|x_i - y_j\|^p, \qquad
              \sum_j\pi_{ij} = \tfrac1n,\; \sum_i\pi_{ij} = \tfrac1m

    No root is taken, so that p = 2 is squared-distance-like. Samples in one dimension are sorted;
    more dimensions are a linear programme, which ``POT`` solves (``pip install
    "noneuclid[transport]"``). It goes wherever a metric goes, as an object or as
    ``metric="wasserstein"``, and clones, prints and grid-searches (``metric__p``).

    Parameters
    ----------
    p : float, default=2.0
        The power of the distances, at least 1.

    References
    ----------
    G. Peyré and M. Cuturi (2019), Computational optimal transport. R. Flamary et al. (2021), POT:
    Python optimal transport.

    Examples
    --------
    >>> Wasserstein().between([[[0.0], [1.0]], [[3.0], [2.0]], [[0.5]]])
    array([[0.  , 4.  , 0.25],
           [4.  , 0.  , 4.25],
           [0.25, 4.25, 0.  ]])
    """

    p: AtLeastOne = field(default=2.0, kw_only=False)

    takes_verbose = True

    def __call__(self, a: Any, b: Any) -> float:
        """Return the cost of two bags."""
        return float(self.between([a], [b])[0, 0])

    def as_objects(self, X: Any, name: str = "X") -> Bags:
        """Return bags in one form, checked.

        Parameters
        ----------
        X : list of arrays of shape (n_i, d), or array of shape (n, n_i, d)
        name : str, default="X"
            What errors call it.

        Returns
        -------
        Bags
        """
        return as_bags(X, name)

    def resolve(self, X: Any) -> Self:
        """Return the metric: it leaves nothing to the data.

        Parameters
        ----------
        X : bags

        Returns
        -------
        Wasserstein
        """
        check_parameters(self)
        return self

    def between(self, X: Any, Y: Any = None, *, verbose: bool = False) -> Array:
        """Return the costs of all bags of X and all of Y, or of each other.

        Parameters
        ----------
        X, Y : list of arrays of shape (n_i, d), or array of shape (n, n_i, d)
        verbose : bool, default=False
            Show a progress bar.

        Returns
        -------
        array of shape (n, m)
        """
        check_parameters(self)
        X = self.as_objects(X)
        same = Y is None or Y is X
        Y = X if same else self.as_objects(Y, "Y")
        X = X if same else X.in_columns_of(Y)
        what = f"Wasserstein costs of {len(X):,} and {len(Y):,} bags"
        require_matrices(what, len(X), len(Y), instead=FEWER_PAIRS)
        carry = _sorted_cost if X.points.shape[1] == 1 else _programme()
        out = np.zeros((len(X), len(Y)))
        for i in progress(range(len(X)), len(X), "bags", bool(verbose)):
            for j in range(i + 1 if same else 0, len(Y)):
                out[i, j] = carry(X[i], Y[j], float(self.p))
                if same:
                    out[j, i] = out[i, j]
        return out


def _sorted_cost(x: Array, y: Array, p: float) -> float:
    """In one dimension, quantile goes to quantile."""
    n, m = len(x), len(y)
    levels = np.union1d(np.arange(1, n + 1) * m, np.arange(1, m + 1) * n)  # in units of 1/nm
    weights = np.diff(levels, prepend=0) / (n * m)
    at = levels - 1
    gaps = np.abs(np.sort(x[:, 0])[at // m] - np.sort(y[:, 0])[at // n])
    return float(weights @ gaps**p)


def _programme() -> Any:
    try:
        emd2 = importlib.import_module("ot").emd2
    except ImportError:
        raise ImportError(
            'Wasserstein in more than one dimension needs POT: pip install "noneuclid[transport]"'
        ) from None

    def carry(x: Array, y: Array, p: float) -> float:
        costs = squared_euclidean(x, y) ** (p / 2.0)
        return float(emd2(np.full(len(x), 1 / len(x)), np.full(len(y), 1 / len(y)), costs))

    return carry
