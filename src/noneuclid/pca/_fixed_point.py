r"""Deterministic fixed points of the Hebbian rules in any linear space.

The response :math:`[v, w] = \langle v, J(w)\rangle` is linear in the sample, so that the expected
update needs the data only through :math:`C = E[vv'] = B'B`, and with :math:`z = J(w)` a
component satisfies :math:`Cz = (z'Cz)\,w`. The iteration :math:`w \leftarrow Cz/\|Cz\|` maximises
the convex function :math:`z'Cz = E[O^2]` over the dual unit ball by its linear bounds: in a
normed space it never decreases.
"""

from typing import Any, NamedTuple

import numpy as np

from noneuclid.numerics import first_argmax, fix_vectors, row_blocks
from noneuclid.pca._anderson import Anderson
from noneuclid.spaces import LinearSpace
from noneuclid.typing import Array, IntArray

# Components whose mean squared response falls below this share of the first are rounding noise.
_NOISE = 1e-26
# An update of which so little is left is rounding: normalised it would be any direction.
_CANCELLED = 1e-13
# After so many plain steps the starts that still move are extrapolated, one by one.
_PLAIN = 20
_DEPTH = 8
_LOWER = 1 - 1e-12  # what rounding alone may lower E[O²] to
_NEAR = 1e4  # times the tolerance: a bound so short may hide a move that is shorter still
# So many axes are tried for a component without variance.
_AXES = 1000


class Components(NamedTuple):
    """Components of norm 1, their mean squared responses, and how the search went."""

    W: Array
    variances: Array
    n_iter: int
    converged: bool
    collapsed: bool = False


def normalise(space: LinearSpace, W: Array) -> Array:
    """Rows at norm 1; zero rows stay zero."""
    norms = space.norm(W)
    return np.asarray(W / np.where(norms > 0, norms, 1.0)[:, None])


def starting_points(space: LinearSpace, B: Array, n_init: int, rng: np.random.RandomState) -> Array:
    """Principal axes, disturbed as they may be unstable fixed points; random mixtures of rows."""
    _, sizes, axes = np.linalg.svd(B, full_matrices=False)
    axes = fix_vectors(sizes, axes.T).T[: (n_init + 1) // 2]
    axes = axes + 1e-3 * rng.normal(size=axes.shape) * np.abs(axes).max()
    mixtures = rng.normal(size=(n_init - len(axes), len(B))) @ B
    starts = normalise(space, np.vstack([axes, mixtures]))
    return starts[starts.any(axis=1)]


class _Deflation:
    """What earlier components take away from the expected update :math:`Cz`."""

    def __init__(self, B: Array, residual: bool):
        self.B = B
        self.residual = residual
        self.taken: list[tuple[Array, Array]] = []

    def update(self, Z: Array) -> tuple[Array, Array]:
        """Expected update and mean squared response for each row z = J(w)."""
        out = Z @ self.B.T
        Y = out @ self.B
        before = np.abs(Y).max(axis=1, initial=0.0)
        for w, z in self.taken:
            Y -= np.outer(out @ (self.B @ z), w)
        Y[np.abs(Y).max(axis=1, initial=0.0) <= _CANCELLED * before] = 0.0
        return Y, np.einsum("ij,ij->i", out, out)

    def take(self, w: Array, z: Array) -> None:
        """Remove w: from the data (residual) or, at Sanger's own length, from the updates."""
        if self.residual:
            self.B = self.B - np.outer(self.B @ z, w)
            return
        Y, variance = self.update(z[None, :])
        squared_length = max(float(Y[0] @ z), 0.0) / variance[0] if variance[0] > 0 else 0.0
        self.taken.append((squared_length * w, z))


def _search(
    space: LinearSpace, deflation: _Deflation, W: Array, max_iter: int, tol: float
) -> tuple[Array, float, int, bool]:
    """Best of the fixed points reached from the rows of W."""
    plain = min(_PLAIN, max_iter) if deflation.residual else max_iter
    W, change, steps = _plain_steps(space, deflation, W, plain, max_iter // 2, tol)
    for row in np.flatnonzero(change >= tol) if plain < max_iter else []:
        W[row], change[row], taken = _extrapolated(
            space, deflation.B, W[row], max_iter - plain, tol
        )
        steps = max(steps, plain + taken)
    Z = space._dual(W)
    Y, variances = deflation.update(Z)
    real = (change < tol) & (np.einsum("ij,ij->i", Y, Z) > 0)  # a fixed point, at positive length
    best = int(first_argmax(np.where(real, variances, 0.0) if real.any() else variances))
    return W[best], float(variances[best]), steps, bool(change[best] < tol)


def _plain_steps(
    space: LinearSpace, deflation: _Deflation, W: Array, n_steps: int, half: int, tol: float
) -> tuple[Array, Array, int]:
    """Every row after its plain steps, how far its last one went, and how many there were."""
    change = np.full(len(W), np.inf)
    for step in range(1, n_steps + 1):
        Y, _ = deflation.update(space._dual(W))
        new = normalise(space, Y)
        if step > half:  # Sanger's updates can alternate: go half-way
            new = normalise(space, new + W)
        alive: Any = new.any(axis=1)
        change = space.norm(new - W) * alive
        W = np.where(alive[:, None], new, W)
        if change.max() < tol:
            break
    return W, change, step


def _extrapolated(
    space: LinearSpace, B: Array, w: Array, max_iter: int, tol: float
) -> tuple[Array, float, int]:
    """One row after extrapolated steps; one that lowers E[O²], as no plain step does, is undone.

    After a step w is a mixture cB of the rows of B. Steps are taken in its coefficients, which are
    few where features are many: c ← Bz/E[O²] rests where Cz = E[O²] w. Of all features each step
    asks for two products and one dual; how far it went is bounded by the triangle inequality and
    looked at only when this is short.
    """
    mixer, reached, change, lengths = Anderson(_DEPTH), 0.0, np.inf, space.norm(B)
    c: Array | None = None
    plain: Array | None = None
    for step in range(1, max_iter + 1):  # noqa: B007
        z = space._dual(w[None, :])[0]
        length = _length(space, w, z) or 1.0
        out = B @ z / length**space.degree
        variance = float(out @ out)
        if plain is not None and variance < _LOWER * reached:
            c, w, reached, plain = plain, plain @ B, 0.0, None
            mixer.clear()
            continue
        before, reached, plain = c, variance, out / (variance or 1.0)
        c = plain
        if before is not None:
            move = c - before / length
            change = float(np.abs(move) @ lengths)
            change = _length(space, move @ B) if change < _NEAR * tol else change
            if change < tol:
                break
            guess = mixer.propose(c, move)
            c = c if guess is None else guess
        w = c @ B
    return normalise(space, (w if plain is None else plain @ B)[None, :])[0], change, step


def _length(space: LinearSpace, v: Array, dual: Array | None = None) -> float:
    """The norm of one vector: a power of it is ⟨v, J(v)⟩."""
    dual = space._dual(v[None, :])[0] if dual is None else dual
    return float(max(float(v @ dual), 0.0) ** (1.0 / (1.0 + space.degree)))


def _leftover(space: LinearSpace, taken: list[Array], d: int) -> Array:
    """A unit vector to which no response of the earlier components answers."""
    duals = [space._dual(w[None, :])[0] for w in taken]

    def free(chosen: IntArray) -> Array:
        axes = np.zeros((len(chosen), d))
        axes[np.arange(len(chosen)), chosen] = 1.0
        for w, dual in zip(taken, duals):
            axes = axes - np.outer(axes @ dual, w)
        return axes

    # All axes at once would be a matrix of d × d; of very many, those least answered to are tried.
    answers = np.abs(duals).sum(axis=0) if duals else np.zeros(d)
    tried = np.sort(np.argsort(answers, kind="stable")[:_AXES])
    blocks = row_blocks(len(tried), 8 * d)
    sizes = np.concatenate([space.norm(free(tried[rows])) for rows in blocks])
    longest = int(first_argmax(sizes))
    return np.asarray(free(tried[longest : longest + 1])[0] / sizes[longest])


def fixed_points(
    space: LinearSpace,
    B: Array,
    k: int,
    *,
    residual: bool,
    n_init: int,
    max_iter: int,
    tol: float,
    rng: np.random.RandomState,
) -> Components:
    """Component after component: the fixed point of largest E[O²] from several starts."""
    deflation = _Deflation(B, residual)
    found: list[Array] = []
    variances: list[float] = []
    longest, converged, collapsed = 0, True, False
    for _ in range(k):
        starts = starting_points(space, deflation.B, n_init, rng)
        noise = _NOISE * max(variances, default=0.0)
        size = deflation.update(space._dual(starts))[1].max(initial=0.0)
        if size <= noise:
            found.append(_leftover(space, found, B.shape[1]))
            variances.append(0.0)
            continue
        w, variance, n_iter, good = _search(space, deflation, starts, max_iter, tol)
        longest, converged = max(longest, n_iter), converged and good
        z = space._dual(w[None, :])[0]
        deflation.take(w, z)
        collapsed |= bool(deflation.taken) and not deflation.taken[-1][0].any()
        found.append(w)
        variances.append(variance)
    return Components(np.array(found), np.array(variances), longest, converged, collapsed)


def subspace_fixed_point(
    space: LinearSpace, B: Array, k: int, *, max_iter: int, tol: float, rng: np.random.RandomState
) -> Components:
    """Oja's subspace rule, W ← W + (ZC − (ZCZ')W)/λ, iterated to rest, then normalised."""
    W = starting_points(space, B, 2 * k, rng)[:k]
    if len(W) < k:
        return Components(normalise(space, np.eye(k, B.shape[1])), np.zeros(k), 0, True)
    step = np.inf
    for iteration in range(1, max_iter + 1):  # noqa: B007
        out = space._dual(W) @ B.T
        G = out @ out.T
        move = (out @ B - G @ W) / (2.0 * np.linalg.norm(G, 2))
        W = W + move
        step = float(space.norm(move).max() / space.norm(W).max())
        if step < tol:
            break
    W = normalise(space, W)
    out = space._dual(W) @ B.T
    return Components(W, np.einsum("ij,ij->i", out, out), iteration, step < tol)
