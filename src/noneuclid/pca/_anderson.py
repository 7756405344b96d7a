"""Anderson acceleration of a fixed point iteration."""

import numpy as np

from noneuclid.typing import Array


class Anderson:
    r"""Extrapolates :math:`v \leftarrow G(v)` from its last few steps.

    .. math:: v^+ = G(v_k) - \sum_j \gamma_j \bigl(G(v_{j+1}) - G(v_j)\bigr), \qquad
        \gamma = \arg\min_\gamma \Bigl\| F_k - \sum_j \gamma_j (F_{j+1} - F_j) \Bigr\|, \quad
        F_j = G(v_j) - v_j

    Near a fixed point where G is smooth it converges as a Krylov method does, at the price of the
    plain step. Nothing is guaranteed elsewhere: callers keep the plain step to fall back on.

    Parameters
    ----------
    depth : int
        Differences kept.

    References
    ----------
    D. G. Anderson (1965), Iterative procedures for nonlinear integral equations. H. F. Walker and
    P. Ni (2011), Anderson acceleration for fixed-point iterations.

    Examples
    --------
    >>> import numpy as np
    >>> A, v = np.diag([0.9, 0.5, 0.1]), np.ones(3)  # the fixed point of v ← Av is 0
    >>> mixer = Anderson(3)
    >>> for _ in range(4):
    ...     guess = mixer.propose(A @ v, A @ v - v)
    ...     v = A @ v if guess is None else guess
    >>> bool(np.abs(v).max() < 1e-12)
    True
    """

    def __init__(self, depth: int):
        self.depth = depth
        self.clear()

    def clear(self) -> None:
        """Forget the steps so far."""
        self._last: tuple[Array, Array] | None = None
        self._images: list[Array] = []
        self._residuals: list[Array] = []

    def propose(self, image: Array, residual: Array) -> Array | None:
        """The extrapolated point from G(v) and F at the newest v; None after the first."""
        if self._last is not None:
            self._images.append(image - self._last[0])
            self._residuals.append(residual - self._last[1])
            del self._images[: -self.depth], self._residuals[: -self.depth]
        self._last = image, residual
        if not self._images:
            return None
        D = np.array(self._residuals)
        lengths = np.linalg.norm(D, axis=1)
        scale = 1.0 / np.where(lengths > 0, lengths, 1.0)
        D *= scale[:, None]
        gamma = np.linalg.lstsq(D @ D.T, D @ residual, rcond=1e-12)[0]
        return np.asarray(image - (gamma * scale) @ np.array(self._images))
