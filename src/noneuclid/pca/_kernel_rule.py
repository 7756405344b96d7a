r"""Sanger's rule in the data space with the response of a kernel: a heuristic.

With a linear kernel the rule rests at norm 1. With a bounded one, such as the Gaussian, the
decay :math:`E[O^2]w` never catches up with the growth :math:`E[Ov]`: the plain rule drifts out of
the data. It is therefore followed outward from the mean only as long as the variance of the
component's response that earlier responses do not explain keeps rising. Where the decay does pull
a component back, as it does under a linear kernel, the rule is followed to its rest.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics import fix_vectors
from noneuclid.spaces import Space
from noneuclid.typing import Array

# The longest step, as a share of the root mean square of the data's norms.
_LONGEST = 0.1
# How often a start is halved at most, how many of these are looked at first, and how many responses
# are computed together where none of them will do.
_HALVINGS, _FIRST, _TOGETHER = 60, 6, 2**16


class KernelComponents(NamedTuple):
    """Components in the data space and the mean response that centres theirs."""

    W: Array
    response_mean: Array
    variances: Array
    n_iter: int
    converged: bool


class _Rule:
    """The expected update of one component, given the earlier ones."""

    def __init__(self, space: Space, X: Array, earlier: Array):
        self.X, self.earlier = X, earlier
        # Rows were checked once; a space of somebody else's may have the public method only.
        self.product = getattr(space, "_product", space.product)
        self.size = float(np.sqrt(np.einsum("ij,ij->", X, X) / len(X)))
        self.out = self.responses(earlier)
        self.basis = np.linalg.svd(self.out, full_matrices=False)[0] if len(earlier) else self.out

    def responses(self, W: Array) -> Array:
        out = self.product(self.X, W) if len(W) else np.empty((len(self.X), 0))
        return np.asarray(out - out.mean(axis=0))

    def unexplained(self, o: Array) -> float:
        """Variance of a response that the earlier responses do not explain."""
        rest = o - self.basis @ (self.basis.T @ o)
        return float(rest @ rest) / len(o)

    def move(self, w: Array, o: Array) -> Array:
        """Sanger's expected update over E[O²], of bounded length."""
        power = float(o @ o)
        if power == 0:
            return np.zeros_like(w)
        update = (o @ self.X - (o @ self.out) @ self.earlier) / power - w
        length = float(np.linalg.norm(update)) / self.size
        return np.asarray(update / max(length / _LONGEST, 1.0))

    def pushes(self, W: Array, out: Array) -> NDArray[np.bool_]:
        """Which rows the rule pushes outward: those that their `move` has a positive product with.

        That of the update times E[O²], whose sign is the same.
        """
        updates = out.T @ self.X - (out.T @ self.out) @ self.earlier
        powers = np.einsum("ij,ij->j", out, out)
        outward = np.einsum("ij,ij->i", updates, W) - powers * np.einsum("ij,ij->i", W, W)
        return np.asarray((outward > 0) & (powers > 0))

    def start(self, axis: Array) -> Array:
        """The axis, short enough for the rule to push it outward."""
        w, done, count = self.size * axis, 0, _FIRST
        while done < _HALVINGS:
            tried = np.outer(2.0 ** -np.arange(done, min(done + count, _HALVINGS)), w)
            pushed = np.flatnonzero(self.pushes(tried, self.responses(tried)))
            if len(pushed):
                return np.asarray(tried[pushed[0]])
            done += count
            count = max(_FIRST, _TOGETHER // len(self.X))
        return np.asarray(w / 2.0**_HALVINGS)

    def follow(self, w: Array, max_iter: int, tol: float) -> tuple[Array, int, bool]:
        """Outward steps that raise the unexplained variance, inward ones that calm the rule."""
        o = self.responses(w[None, :])[:, 0]
        value, step, longest = self.unexplained(o), 1.0, 1.0
        direction = self.move(w, o)
        for iteration in range(1, max_iter + 1):
            if step * np.linalg.norm(direction) <= tol * self.size:
                return w, iteration, True
            inward = float(direction @ w) < 0
            if inward:  # whole steps of |w| ↦ 1/|w| would swing around 1, half ones are Newton's
                longest = 0.5
            step = min(step, longest)
            new = w + step * direction
            new_o = self.responses(new[None, :])[:, 0]
            new_value, new_direction = self.unexplained(new_o), self.move(new, new_o)
            calmer = inward and np.linalg.norm(new_direction) < np.linalg.norm(direction)
            if new_value > value or calmer:
                w, value, direction = new, new_value, new_direction
                step = min(2 * step, longest)
            else:
                step /= 2
        return w, max_iter, False


def kernel_rule(space: Space, X: Array, k: int, *, max_iter: int, tol: float) -> KernelComponents:
    """k components of the centred rows of X, one after the other."""
    if not X.any():
        raise ValueError("the data are constant: a kernel response has nothing to follow")
    W = np.empty((0, X.shape[1]))
    _, sizes, axes = np.linalg.svd(X, full_matrices=False)
    axes = fix_vectors(sizes, axes.T).T[:k]
    longest, converged = 0, True
    for axis in axes:
        rule = _Rule(space, X, W)
        w, n_iter, good = rule.follow(rule.start(axis), max_iter, tol)
        W = np.vstack([W, w])
        longest, converged = max(longest, n_iter), converged and good
    out = space.product(X, W)
    return KernelComponents(W, out.mean(axis=0), out.var(axis=0), longest, converged)
