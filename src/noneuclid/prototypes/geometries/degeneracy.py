r"""What a degenerate matrix costs: a learned Ω should not give up all directions but a few.

.. math:: R(\Omega) = \tfrac12\left(k \ln\frac{\mathrm{tr}\,\Omega\Omega'}{k}
                      - \ln\det\Omega\Omega'\right) \ge 0

for Ω with k rows. It is zero where all k directions count alike, infinite where one is lost, and
does not depend on the size of Ω. With :math:`\mathrm{tr}\,\Omega\Omega' = 1` it is the published
:math:`-\tfrac12\ln\det\Omega\Omega'` up to a constant.

References
----------
P. Schneider, K. Bunte, H. Stiekema, B. Hammer, T. Villmann and M. Biehl (2010), Regularization in
matrix relevance learning.
"""

import numpy as np

from noneuclid.typing import Array

# Relative to the largest, directions below this are lost: values and slopes stay finite.
_LOST = 1e-12


def degeneracy(omega: Array) -> tuple[float, Array]:
    r"""R(Ω), and its slope :math:`k\Omega/\mathrm{tr}\,\Omega\Omega' - (\Omega\Omega')^{-1}\Omega`.

    Parameters
    ----------
    omega : array of shape (k, d)
        With k ≤ d.

    Returns
    -------
    float, and array of shape (k, d)
    """
    U, s, V = np.linalg.svd(omega, full_matrices=False)
    value, slope = _of_singular_values(s)
    return value, (U * slope) @ V


def diagonal_degeneracy(omega: Array) -> tuple[float, Array]:
    """R of the diagonal matrix with these entries, and its slope.

    Parameters
    ----------
    omega : array of shape (1, d)

    Returns
    -------
    float, and array of shape (1, d)
    """
    value, slope = _of_singular_values(np.abs(omega[0]))
    return value, (np.where(omega[0] < 0, -1.0, 1.0) * slope)[None, :]


def _of_singular_values(s: Array) -> tuple[float, Array]:
    """½(k ln(Σs²/k) − Σ ln s²), and k s/Σs² − 1/s."""
    k, largest = len(s), float(s.max(initial=0.0))
    if largest == 0:
        return 0.0, np.zeros_like(s)
    t = np.maximum(s / largest, _LOST)
    total = float(t @ t)
    value = 0.5 * k * np.log(total / k) - np.log(t).sum()
    return float(value), (k * t / total - 1.0 / t) / largest
