"""How far rows are from the others, judged by components that outliers hardly turn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.preprocessing import RobustScaler

from noneuclid._data import check_array
from noneuclid._parameters import Count, Positive, Seed, checked
from noneuclid.numerics import steady_order
from noneuclid.pca.generalized import GeneralizedPCA
from noneuclid.typing import Array, IntArray

# 1.4826 times the median absolute deviation estimates the standard deviation of normal data.
_NORMAL, _NORMAL_MEAN = 1.4826, 1.2533
_ROUNDING = 1e-12


@dataclass(frozen=True)
class RobustComponents:
    """Classical and robust components of the same scaled rows."""

    scaler: RobustScaler
    plain: GeneralizedPCA
    """Of largest variance (l2)."""
    robust: GeneralizedPCA
    """Of largest mean modulus (l1), which outliers hardly turn."""
    outlyingness: Array
    """The larger of the distances off the robust plane and, within it, off the middle; both in
    robust standard deviations."""
    cutoff: float = 5.0
    """Beyond it a row counts as an outlier."""

    @property
    def angle(self) -> float:
        """Between the first components of both, in degrees."""
        cosine = abs(float(self.plain.components_[0] @ self.robust.components_[0]))
        return float(np.degrees(np.arccos(min(cosine, 1.0))))

    @property
    def outliers(self) -> IntArray:
        """Rows beyond the cutoff, farthest first."""
        order = steady_order(-self.outlyingness)
        return order[self.outlyingness[order] > self.cutoff]


@checked
def robust_components(
    X: ArrayLike, *, n_components: Count = 2, cutoff: Positive = 5.0, random_state: Seed = 0
) -> RobustComponents:
    r"""Compare classical components with such as outliers hardly move.

    Rows are scaled by median and interquartile range. Their outlyingness is

    .. math:: \max\Bigl(\frac{|r_i - \mathrm{med}\,r|}{1.4826\,\mathrm{mad}\,r},\;
              \Bigl(\sum_k \frac{(z_{ik} - \mathrm{med}\,z_k)^2}
              {(1.4826\,\mathrm{mad}\,z_k)^2}\Bigr)^{1/2}\Bigr)

    with r the distances off the plane of the robust components and z the coordinates within it.

    Parameters
    ----------
    X : array of shape (n, d)
        At least two rows and two columns.
    n_components : int, default=2
        Dimension of the plane; fewer where rows or columns are few.
    cutoff : float, default=5
        Beyond it a row counts as an outlier; normal data hardly ever have one.
    random_state : int, optional
        Decides the starts of the robust components.

    Returns
    -------
    RobustComponents
        Both kinds of components, the angle between the first ones, and the outliers.

    References
    ----------
    M. Hubert, P. Rousseeuw and K. Vanden Branden (2005), ROBPCA: a new approach to robust
    principal component analysis (its orthogonal and score distances).

    Examples
    --------
    >>> from noneuclid.datasets import make_contaminated
    >>> found = robust_components(make_contaminated(150, n_outliers=4).X)
    >>> sorted(found.outliers.tolist()), found.angle > 45
    ([146, 147, 148, 149], True)
    """
    rows: Array = check_array(X, dtype=np.float64, ensure_min_samples=2, ensure_min_features=2)
    scaler = RobustScaler().fit(rows)
    Z = scaler.transform(rows)
    k = min(n_components, rows.shape[1] - 1, len(rows) - 1)
    plain = GeneralizedPCA(n_components=k, objective="l2", random_state=random_state).fit(Z)
    robust = GeneralizedPCA(
        n_components=k, objective="l1", n_init=5, random_state=random_state
    ).fit(Z)
    off = _robust_distance(robust.reconstruction_error(Z)[:, None])
    within = _robust_distance(robust.transform(Z))
    return RobustComponents(scaler, plain, robust, np.maximum(off, within), cutoff)


@checked
def outlyingness(X: ArrayLike, *, n_components: Count = 2, random_state: Seed = 0) -> Array:
    """How far every row is from the others, in robust standard deviations: (n,).

    See :func:`robust_components` for the formula and the parameters.

    Parameters
    ----------
    X : array of shape (n, d)
    n_components : int, default=2
    random_state : int, optional

    Returns
    -------
    array of shape (n,)
        Not negative.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(50, 4)), [[30.0, 0.0, 0.0, 0.0]]])
    >>> int(outlyingness(X).argmax())
    50
    """
    found = robust_components(X, n_components=n_components, random_state=random_state)
    return found.outlyingness


def _robust_distance(values: Array) -> Array:
    """Distance from the median over 1.4826 times the median absolute deviation, all columns.

    Where more than half of the values are equal, over 1.2533 times the mean absolute deviation: as
    large for normal values, and 0 only if all are equal.
    """
    away = np.abs(values - np.median(values, axis=0))
    spread = _NORMAL * np.median(away, axis=0)
    equal = spread <= _ROUNDING * np.abs(values).max(axis=0)
    spread = np.where(equal, _NORMAL_MEAN * away.mean(axis=0), spread)
    scaled = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)
    return np.asarray(np.sqrt((scaled**2).sum(axis=1)))
