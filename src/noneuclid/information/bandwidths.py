"""How wide Parzen windows should be."""

from typing import Any

from noneuclid._checks import check_choice
from noneuclid.information._checks import check_rows
from noneuclid.information._widths import METHODS, find_width


def bandwidth(X: Any, method: str = "silverman") -> float:
    r"""Choose the width of the Parzen windows.

    Parameters
    ----------
    X : array of shape (n, d)
    method : "silverman", "median" or "loo", default="silverman"
        ``"silverman"``: :math:`\bar s\,(4/((d + 2)n))^{1/(d+4)}` with the mean variance
        :math:`\bar s^2` of the columns, best for Gaussian data. ``"median"``: the median distance
        of distinct rows (of at most 1000), the usual choice for tests. ``"loo"``: the width under
        which every sample is likeliest, given all others.

    Returns
    -------
    width : float

    References
    ----------
    B. W. Silverman (1986), Density Estimation for Statistics and Data Analysis.

    Examples
    --------
    >>> bandwidth([[0.0], [1.0], [3.0]], "median")
    2.0
    """
    check_choice("method", method, METHODS)
    return find_width(check_rows(X, least=2), method)
