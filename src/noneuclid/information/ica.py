"""Independent components by kernel measures of dependence."""

from dataclasses import field
from itertools import combinations
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from sklearn.utils import check_random_state

from noneuclid._data import check_is_fitted, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Positive, Seed
from noneuclid._sklearn import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from noneuclid.information._line_features import Features, line_features
from noneuclid.information.f_correlations import largest_correlation
from noneuclid.numerics import first_argmin, fix_vectors, orientation
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.spaces import Chart
from noneuclid.spaces.names import SpaceLike, hilbert_space_for
from noneuclid.typing import Array

_CONSTANT = 1e-13  # a spread below this share of the values is rounding
ROOT2 = float(np.sqrt(2.0))
_FEATURES = 64  # about as many has a component of variance one; for the number of threads only
_ANGLES = 18  # coarse angles tried per pair, for there are local minima


@estimator
class KernelICA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Independent component analysis with a kernel contrast.

    The data are whitened; then planes of two components are rotated, one pair after the other,
    each to the angle at which the contrast is smallest, until no angle moves. Unlike measures of
    non-Gaussianity, the contrasts are zero for independent components only: they need no guess of
    the sources' distributions, and separate sources whose kurtosis vanishes.

    Parameters
    ----------
    n_components : int, optional
        Number of components; default: all. Fewer are those of largest variance in the space.
    space : str or Space, default="l2"
        A Hilbert space, such as ``Sobolev()`` for curves. It decides which directions are kept
        where there are fewer components than features; the sources of all of them do not depend
        on it.
    contrast : "f_correlation" or "qmi_cs", default="f_correlation"
        The :func:`~noneuclid.information.f_correlation` of two components, or their Cauchy–Schwarz
        quadratic mutual information.
    width : float, optional
        Of the kernel of the F-correlation on components of variance one (default: 0.5), or of the
        Parzen windows (default: Silverman's).
    regularization : float, default=5e-4
        Of the F-correlation.
    max_iter : int, default=20
        Largest number of sweeps over all pairs.
    tol : float, default=1e-3
        Stop when no pair turns by more than this angle.
    n_init : int, default=1
        Number of starts, of which the one with the smallest contrast is kept: the principal axes,
        then random rotations of them.
    random_state : int, RandomState or None, default=None
        Seed of the random rotations.

    Attributes
    ----------
    components_ : array of shape (n_components, n_features)
        Takes centred data to the sources, which have variance one.
    mixing_ : array of shape (n_features, n_components)
        Pseudo-inverse of ``components_``.
    mean_ : array of shape (n_features,)
    space_ : Space
        The space in use.
    contrast_ : float
        Mean contrast of all pairs of components.
    n_iter_ : int
        Sweeps made.

    References
    ----------
    F. R. Bach and M. I. Jordan (2002), Kernel independent component analysis. Journal of Machine
    Learning Research 3.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> sources = np.column_stack([rng.uniform(-1, 1, 500), rng.laplace(size=500)])
    >>> X = sources @ np.array([[1.0, 2.0], [1.0, -1.0]])
    >>> found = KernelICA().fit_transform(X)
    >>> correlations = abs(np.corrcoef(found.T, sources.T)[:2, 2:])
    >>> bool((correlations.max(axis=0) > 0.99).all())
    True
    """

    n_components: Count | None = field(default=None, kw_only=False)
    space: SpaceLike = "l2"
    contrast: Literal["f_correlation", "qmi_cs"] = "f_correlation"
    width: Positive | None = None
    regularization: Positive = 5e-4
    max_iter: Count = 20
    tol: Positive = 1e-3
    n_init: Count = 1
    random_state: Seed = None

    @property
    def _n_features_out(self) -> int:
        return self.components_.shape[0]

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the components.

        Parameters
        ----------
        X : array of shape (n, d)
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        rows = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        self._check_count(*rows.shape)
        self.space_ = hilbert_space_for(self, "its sources are products with the data")
        self.mean_ = rows.mean(axis=0)
        chart = self._chart(rows.shape[1])
        Z = chart.forth(rows - self.mean_)
        whitening, dewhitening = self._whiten(Z, float(np.abs(chart.forth(rows)).max()))
        S = Z @ whitening.T
        if not chart.is_identity:  # to and from the features themselves
            whitening = whitening @ chart.forth(np.eye(rows.shape[1])).T
            dewhitening = chart.back(np.ascontiguousarray(dewhitening.T)).T
        with one_blas_thread(len(S) * _FEATURES**2):
            R = self._best_rotation(S)
        R = R * orientation(R @ whitening, axis=1)
        self.components_, self.mixing_ = R @ whitening, dewhitening @ R.T
        return self

    def _chart(self, d: int) -> Chart:
        return cast(Chart, self.space_.chart(d))

    def _check_count(self, n: int, d: int) -> None:
        k, most = self.n_components, min(n, d)
        if k is not None and k > most:
            raise ValueError(
                f"n_components (={k}) must be at most min(n_samples, n_features) = {most}"
            )

    def _whiten(self, X: Array, largest: float) -> tuple[Array, Array]:
        n = len(X)
        _, sizes, axes = np.linalg.svd(X / np.sqrt(n), full_matrices=False)
        varies = sizes[0] > _CONSTANT * largest
        rank = int((sizes > 1e-10 * sizes[0]).sum()) if varies else 0
        k = rank if self.n_components is None else self.n_components
        if k > rank or k == 0:
            raise ValueError(
                f"the data vary in {rank} directions only: lower n_components (={k}) or drop "
                "columns that repeat others"
            )
        if 1 < k == n - 1:
            raise ValueError(
                f"{n} samples in {k} directions look alike whatever their sources were: lower "
                f"n_components (={k}) or give more samples"
            )
        axes = fix_vectors(sizes, axes.T).T
        return axes[:k] / sizes[:k, None], (axes[:k] * sizes[:k, None]).T

    def _kernel_width(self, n: int) -> float:
        if self.width is not None:
            return float(self.width)
        return 0.5 if self.contrast == "f_correlation" else (4.0 / (3.0 * n)) ** 0.2

    def _best_rotation(self, S: Array) -> Array:
        """The rotation of whitened data with the smallest contrast of all starts."""
        rng = check_random_state(self.random_state)
        best = None
        for start in range(self.n_init):
            R = _random_rotation(S.shape[1], rng) if start else np.eye(S.shape[1])
            found = self._rotate(S, R)
            if best is None or found[1] < best[1]:
                best = found
        assert best is not None
        R, self.contrast_, self.n_iter_ = best
        return R

    def _rotate(self, S: Array, R: Array) -> tuple[Array, float, int]:
        """Sweeps over all planes from a rotation on: the last rotation, its contrast, sweeps."""
        n, k = S.shape
        width = self._kernel_width(n)
        S = S @ R.T
        for sweep in range(self.max_iter):
            turned = 0.0
            for i, j in combinations(range(k), 2):
                angle = self._best_angle(S[:, [i, j]], width, everywhere=sweep == 0)
                Q = _rotation(angle)
                S[:, [i, j]] = S[:, [i, j]] @ Q.T
                R[[i, j]] = Q @ R[[i, j]]
                turned = max(turned, abs(angle))
            if turned <= self.tol:
                break
        pairs = [
            self._contrast(P, self._features(P, width))
            for P in (S[:, [i, j]] for i, j in combinations(range(k), 2))
        ]
        return R, float(np.mean(pairs)) if pairs else 0.0, sweep + 1

    def _features(self, P: Array, width: float) -> Features:
        """Features of both columns, whatever the angle: none is longer than the longest row."""
        reach = float(np.sqrt(np.einsum("ij,ij->i", P, P).max()))
        return line_features(reach, width if self.contrast == "f_correlation" else width * ROOT2)

    def _best_angle(self, P: Array, width: float, everywhere: bool) -> float:
        """Angle in (−π/4, π/4] of least contrast; others only exchange and flip components."""
        features = self._features(P, width)

        def value(angle: float) -> float:
            return self._contrast(P @ _rotation(angle).T, features)

        spacing, tol = np.pi / 2 / _ANGLES, float(self.tol)
        angles = spacing * np.arange(-_ANGLES // 2 + 1, _ANGLES // 2 + 1)
        if not everywhere:  # later sweeps only polish
            angles = spacing * np.array([-1.0, 0.0, 1.0])
        start = angles[first_argmin(np.array([value(angle) for angle in angles]))]
        bounds, options = (start - spacing, start + spacing), {"xatol": 0.1 * tol}
        found = minimize_scalar(value, bounds=bounds, method="bounded", options=options)
        return (float(found.x) + np.pi / 4) % (np.pi / 2) - np.pi / 4

    def _contrast(self, P: Array, features: Features) -> float:
        """Dependence of the two columns."""
        first, second = features(P[:, 0]), features(P[:, 1])
        m1, m2 = first.mean(axis=0), second.mean(axis=0)
        if self.contrast == "f_correlation":
            return largest_correlation([first - m1, second - m2], float(self.regularization))
        C = first.T @ second / len(P)
        cosine = (m1 @ C @ m2) / np.sqrt((C * C).sum() * (m1 @ m1) * (m2 @ m2))
        return -float(np.log(cosine))

    def transform(self, X: ArrayLike) -> Array:
        """Sources of new data.

        Parameters
        ----------
        X : array of shape (n, d)
            Data.

        Returns
        -------
        array of shape (n, n_components)
            Sources; those of the training data have unit variance.
        """
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return np.asarray((rows - self.mean_) @ self.components_.T)

    def inverse_transform(self, S: ArrayLike) -> Array:
        """Data from their sources; exact if no component was left out.

        Parameters
        ----------
        S : array of shape (n, n_components)
            Sources.

        Returns
        -------
        array of shape (n, d)
            Data.
        """
        check_is_fitted(self)
        sources = np.asarray(S, dtype=np.float64)
        return np.asarray(sources @ self.mixing_.T + self.mean_)


def _random_rotation(k: int, rng: np.random.RandomState) -> Array:
    """Uniform among all orthogonal matrices."""
    Q, R = np.linalg.qr(rng.normal(size=(k, k)))
    return np.asarray(Q * np.sign(np.diag(R)))


def _rotation(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c]])
