"""Entropies of Gram matrices: information without an estimate of any density."""

from typing import Any

import numpy as np
from scipy import linalg

from noneuclid._memory import require_matrices
from noneuclid._parameters import Positive, checked
from noneuclid.proximities.checks import check_symmetric
from noneuclid.typing import Array

# Eigenvalues below minus this share of the largest are no rounding of double precision.
_ROUNDING = 1e-10
# Roundings that an entry of a computed matrix may be wrong by, in the precision it comes in.
_ERRORS = 2.0
_FEWER = "use fewer samples, or alpha=2, which needs no eigenvalues"


@checked
def matrix_renyi_entropy(K: Any, *others: Any, alpha: Positive = 1.01) -> float:
    r"""Rényi's entropy of a Gram matrix, in nats; of several, that of the variables together.

    With :math:`A_{ij} = K_{ij} / (n\sqrt{K_{ii}K_{jj}})`, a positive matrix of trace one, and its
    eigenvalues λ,

    .. math:: S_\alpha(A) = \frac1{1-\alpha}\log\operatorname{tr}A^\alpha
              = \frac1{1-\alpha}\log\sum_i\lambda_i^\alpha , \qquad
              S_\alpha(A, B) = S_\alpha\Bigl(\frac{A\circ B}{\operatorname{tr}A\circ B}\Bigr) .

    It is 0 if all samples are alike and log n if all are orthogonal; at α = 1 it is von Neumann's
    entropy :math:`-\sum\lambda\log\lambda`. No density is estimated, so that it does not suffer
    from many dimensions as those do, and any positive kernel will do.

    Parameters
    ----------
    K : array of shape (n, n)
        A positive Gram matrix, such as ``Gaussian(1.0)(X)``, with a positive diagonal; of single
        precision, negative eigenvalues and tiny ones are rounding sooner.
    *others : arrays of shape (n, n)
        Gram matrices of further variables of the same samples.
    alpha : float, default=1.01
        The order α, positive; near 1 it is close to Shannon's entropy. 2 is fastest.

    Returns
    -------
    entropy : float
        From 0 to log n. Divide by log 2 for bits.

    References
    ----------
    L. G. Sánchez Giraldo, M. Rao and J. C. Príncipe (2015), Measures of entropy from data using
    infinitely divisible kernels. IEEE Transactions on Information Theory 61.

    Examples
    --------
    >>> import numpy as np
    >>> round(matrix_renyi_entropy(np.eye(8), alpha=2), 4)  # log 8
    2.0794
    >>> abs(round(matrix_renyi_entropy(np.ones((8, 8)), alpha=2), 12))
    0.0
    """
    precision = _precision(K, *others)
    return _entropy(_together(_parts(K, others)), alpha, precision)


@checked
def matrix_mutual_information(K: Any, *others: Any, alpha: Positive = 1.01) -> float:
    r"""Mutual information of variables known by their Gram matrices, in nats.

    .. math:: I_\alpha(A; B) = S_\alpha(A) + S_\alpha(B) - S_\alpha(A, B) ,

    for more than two the total correlation :math:`\sum_v S_\alpha(A_v) - S_\alpha(A_1, \dots)`,
    with the entropies of :func:`~noneuclid.information.matrix_renyi_entropy`.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix of the first variable.
    *others : arrays of shape (n, n)
        Gram matrices of the others, at least one.
    alpha : float, default=1.01
        The order α.

    Returns
    -------
    information : float
        0 if one variable is constant; not negative for kernels all of whose powers are positive,
        such as the Gaussian and the Laplacian.

    References
    ----------
    L. G. Sánchez Giraldo, M. Rao and J. C. Príncipe (2015), Measures of entropy from data using
    infinitely divisible kernels. IEEE Transactions on Information Theory 61.

    S. Yu, L. G. Sánchez Giraldo, R. Jenssen and J. C. Príncipe (2020), Multivariate extension of
    matrix-based Rényi's α-order entropy functional. IEEE Transactions on Pattern Analysis and
    Machine Intelligence 42.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.kernels import Gaussian
    >>> rng = np.random.default_rng(0)
    >>> X, noise = rng.normal(size=(2, 100, 1))
    >>> K, of_square, of_noise = (Gaussian(1.0)(Z) for Z in (X, X**2, noise))
    >>> dependent = matrix_mutual_information(K, of_square)
    >>> bool(dependent > 3 * matrix_mutual_information(K, of_noise))
    True
    """
    if not others:
        raise ValueError("mutual information needs the Gram matrices of at least two variables")
    parts, precision = _parts(K, others), _precision(K, *others)
    joint = _entropy(_together(parts), alpha, precision)
    return sum(_entropy(A, alpha, precision) for A in parts) - joint


def _precision(*matrices: Any) -> float:
    """The coarsest of the matrices given; whatever is no array of floats counts as double."""
    types = [getattr(M, "dtype", None) for M in matrices]
    floats = [t for t in types if isinstance(t, np.dtype) and t.kind == "f"]
    return max(float(np.finfo(t).eps) for t in (np.dtype(np.float64), *floats))


def _parts(K: Any, others: tuple[Any, ...]) -> list[Array]:
    names = ["K", *(f"others[{k}]" for k in range(len(others)))]
    return [_normalised(M, name) for M, name in zip((K, *others), names)]


def _normalised(K: Any, name: str) -> Array:
    M = check_symmetric(K, name)
    diagonal = np.diag(M)
    if not (diagonal > 0).all():
        raise ValueError(f"{name} must have a positive diagonal, as positive kernels have")
    root = np.sqrt(diagonal)
    A = M / root
    A /= root[:, None]
    A /= len(A)
    _check_positive(A, name, _precision(K))
    return A


def _check_positive(A: Array, name: str, precision: float) -> None:
    """Raise if eigenvalues are more negative than the rounding of the entries makes them.

    Cholesky's factor of A + εI tells far sooner than eigenvalues, which only count what is wrong.
    """
    n = len(A)
    share = max(_ROUNDING, _ERRORS * np.sqrt(n) * precision)
    require_matrices(f"the factor of {n:,} samples", n, instead="use fewer samples")
    shifted = A.copy()
    at_most_largest = max(np.linalg.norm(A) / np.sqrt(n), A.sum() / n)
    shifted.flat[:: n + 1] += share * at_most_largest
    try:
        linalg.cholesky(shifted.T, overwrite_a=True, check_finite=False)
        return
    except linalg.LinAlgError:
        values = _eigenvalues(A)
    negative = int((values < -share * values[-1]).sum())
    if negative:
        counted = "1 eigenvalue is" if negative == 1 else f"{negative} eigenvalues are"
        raise ValueError(
            f"{name} is not positive: {counted} negative; correct it with SpectrumCorrection first"
        )


def _together(parts: list[Array]) -> Array:
    n = len(parts[0])
    if any(len(A) != n for A in parts):
        sizes = ", ".join(str(len(A)) for A in parts)
        raise ValueError(f"the Gram matrices must be of the same samples; their sizes are {sizes}")
    joint = parts[0]
    for A in parts[1:]:
        joint = joint * A * n  # of trace one again, since all diagonals are 1/n
    return joint


def _eigenvalues(A: Array) -> Array:
    n = len(A)
    require_matrices(f"the eigenvalues of {n:,} samples", n, copies=2.0, instead=_FEWER)
    return np.asarray(linalg.eigvalsh(A))


def _entropy(A: Array, alpha: float, precision: float) -> float:
    if alpha == 2:
        return float(-np.log(np.einsum("ij,ij->", A, A)))
    values = _eigenvalues(A)
    rounding = max(len(A) * np.finfo(float).eps, np.sqrt(len(A)) * precision)
    values = values[values > rounding * values[-1]]
    values /= values.sum()
    logs = np.log(values)
    if alpha == 1:
        return float(-(values @ logs))
    # Σ λ^α − 1 = Σ λ (λ^(α−1) − 1), which keeps its digits for α near 1
    return float(np.log1p(values @ np.expm1((alpha - 1.0) * logs)) / (1.0 - alpha))
