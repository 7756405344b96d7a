r"""Fixed points of :math:`w \leftarrow g/\|g\|` with the gradient g of the objective.

.. math:: g = \sum_i f'(|o_i|)\,\mathrm{sgn}(o_i)\,x_i, \qquad o_i = w'x_i

For convex f the step maximises a linear lower bound of the objective, which therefore never
falls; near a fixed point, Anderson acceleration replaces most steps, and is undone where the
objective would fall. Otherwise a line search decides how much of the step is taken. Deflation
never copies the data: on :math:`X(I - WW')` projections of a w orthogonal to W are those on X,
and gradients those on X with their part in W removed.
"""

from typing import NamedTuple

import numpy as np
from scipy import linalg

from noneuclid.numerics import row_blocks
from noneuclid.pca._anderson import Anderson
from noneuclid.pca._base import principal_axes
from noneuclid.pca._objectives import Objective
from noneuclid.typing import Array

# Below this share of the largest norm, what is left of the data after deflation is rounding.
_NOISE = 1e-12
# Squared norms by subtraction have lost their digits below this share.
_CANCELLED = 1e-8
# Rows read twice are taken in blocks that stay in the cache in between.
_CACHED_BYTES = 2**20
# Acceleration begins when a step is this short, and goes at most so far, absolutely and in steps:
# from far away it might land near another fixed point than the plain steps do.
NEAR, FAR, STRETCH, DEPTH = 3e-4, 0.1, 100.0, 8
# Changed slopes of fewer rows than this share are added to the gradient instead of a new one.
FEW = 8
_ROUNDING = 4e-16
_SINGLE_TINY = float(np.finfo(np.float32).tiny)
_ARMIJO, _SHORTEST = 1e-4, 2.0**-40


class Ascent(NamedTuple):
    """Orthonormal rows W, the total objective after every iteration, and how it ended."""

    W: Array
    curve: Array
    n_iter: int
    converged: bool


def _unit(g: Array, W: Array) -> tuple[Array, float]:
    """Direction and size of g orthogonal to the rows of W."""
    g = g - (g @ W.T) @ W
    size = float(np.linalg.norm(g))
    return (g / size if size > 0 else g), size


def signed(objective: Objective, o: Array) -> Array:
    """f'(|o|) sgn(o)."""
    return np.asarray(objective.slope(np.abs(o)) * np.sign(o))


def total_of(objective: Objective, o: Array) -> float:
    """Σ f(|o_i|)."""
    return float(np.sum(objective.value(np.abs(o))))


class _Pull:
    """Projections o = Xw and the gradient Σ f'(|o_i|) sgn(o_i) x_i at one w after the other."""

    def __init__(self, X: Array, objective: Objective):
        self.X, self.objective = X, objective
        self.slopes = np.full(len(X), np.nan)
        self.gradient = np.zeros(X.shape[1])
        self.signs = _Signs(X) if objective.is_l1 else None

    def __call__(self, w: Array) -> tuple[float, Array]:
        """The objective and its gradient at w."""
        if self.signs is not None:
            return self._by_changes(self.signs(w), w)
        o, g = np.empty(len(self.X)), np.zeros(self.X.shape[1])
        for rows in row_blocks(len(self.X), self.X.shape[1] * 8, _CACHED_BYTES):
            block = self.X[rows]
            o[rows] = block @ w
            g += signed(self.objective, o[rows]) @ block
        return total_of(self.objective, o), g

    def _by_changes(self, slopes: Array, w: Array) -> tuple[float, Array]:
        """Few signs change from step to step; only their rows are read again."""
        changed = np.flatnonzero(slopes != self.slopes)
        if len(changed) * FEW > len(slopes):
            self.gradient = slopes @ self.X
        else:
            change = slopes[changed] - self.slopes[changed]
            self.gradient = self.gradient + change @ self.X[changed]
        self.slopes = slopes
        return float(self.gradient @ w), self.gradient


class _Signs:
    """The signs of Xw, by single precision where it can tell: half the memory is read."""

    def __init__(self, X: Array):
        self.X = X
        scale = max(float(X.max(initial=0.0)), -float(X.min(initial=0.0)), 1e-300)
        self.single = np.empty(X.shape, dtype=np.float32)
        np.divide(X, scale, out=self.single, casting="same_kind")
        norms = np.sqrt(np.einsum("ij,ij->i", self.single, self.single, dtype=np.float64))
        unit = X.shape[1] + 4  # the worst case of a sum of so many products
        self.doubt = unit * (2.0**-24 * norms + _SINGLE_TINY)

    def __call__(self, w: Array) -> Array:
        o = (self.single @ w.astype(np.float32)).astype(np.float64)
        unsure = np.flatnonzero(np.abs(o) <= self.doubt)
        o[unsure] = self.X[unsure] @ w
        return np.sign(o)


def _climb_convex(
    pull: _Pull, w: Array, W: Array, max_iter: int, tol: float
) -> tuple[Array, list[float], bool]:
    objective, mixer = pull.objective, Anderson(DEPTH)
    curve: list[float] = []
    plain = None
    for _ in range(max_iter):
        total, g = pull(w)
        if plain is not None and total < curve[-1] * (1 - _ROUNDING):
            w, plain = plain, None
            mixer.clear()
            continue
        curve.append(total)
        new, size = _unit(g, W)
        if size == 0:
            return w, curve, True
        change = float(np.linalg.norm(new - w))
        if change < tol:
            pushed = _leave_stall(pull.X, pull.X @ w, W, objective)
            if pushed is None:
                return new, curve, True
            w, plain = pushed, None
            mixer.clear()
            continue
        smooth = change < NEAR and not objective.is_l1
        guess = mixer.propose(new, new - w) if smooth else None
        w, plain = new, None
        if guess is not None and np.linalg.norm(guess - new) < min(FAR, STRETCH * change):
            w, plain = _unit(guess, W)[0], new
    return w, curve, False


def _leave_stall(X: Array, o: Array, W: Array, objective: Objective) -> Array | None:
    """Where f'(0) > 0, sgn(0) = 0 can stall the step beside a better point.

    A sample with projection exactly 0 on the fixed point raises the objective if it is given a
    sign: |g + f'(0) x| > |g|, as x is orthogonal to g.
    """
    zero = o == 0
    if not zero.any() or objective.slope(np.zeros(1))[0] <= 0:
        return None
    zero &= X.any(axis=1)
    if not zero.any():
        return None
    if len(W) and np.linalg.norm(X[zero] - X[zero] @ W.T @ W) <= _NOISE * np.linalg.norm(X):
        return None
    signs = signed(objective, o)
    signs[np.argmax(zero)] = objective.slope(np.zeros(1))[0]
    new, size = _unit(signs @ X, W)
    return new if total_of(objective, X @ new) > total_of(objective, o) and size > 0 else None


def _climb_searching(
    pull: _Pull, w: Array, W: Array, max_iter: int, tol: float
) -> tuple[Array, list[float], bool]:
    X, objective = pull.X, pull.objective
    o, step = X @ w, 1.0
    value = total_of(objective, o)
    curve = [value]
    for _ in range(max_iter):
        direction, size = _unit(signed(objective, o) @ X, W)
        cosine = float(w @ direction)
        rise = size * max(1.0 - cosine**2, 0.0)  # derivative of the objective along the arc
        if rise <= 1e-15 * abs(value) or np.linalg.norm(direction - w) < tol:
            return w, curve, True
        o_direction = X @ direction
        step = min(4.0 * step, 1.0)
        while step > _SHORTEST:
            length = np.sqrt((1 - step) ** 2 + step**2 + 2 * step * (1 - step) * cosine)
            new_o = ((1 - step) * o + step * o_direction) / max(length, 1e-300)
            new_value = total_of(objective, new_o)
            if new_value >= value + _ARMIJO * step * rise:
                break
            step /= 2.0
        else:
            return w, curve, True  # no rise that rounding would show
        gain, value = new_value - value, new_value
        new = (1 - step) * w + step * direction
        new /= np.linalg.norm(new)
        change, w = np.linalg.norm(new - w), new
        o = X @ w
        curve.append(value)
        if change < tol or gain <= 1e-15 * abs(value):
            return w, curve, True
    return w, curve, False


def _climb_serially(
    pull: _Pull, w: Array, W: Array, max_iter: int, tol: float
) -> tuple[Array, list[float], bool]:
    """Coefficients c of w ∝ X'c change one at a time."""
    objective, X = pull.objective, pull.X - (pull.X @ W.T) @ W
    c = signed(objective, X @ w)
    curve, total = [], c @ X
    for _ in range(max_iter):
        for i, x in enumerate(X):
            size = np.linalg.norm(total)
            o = x @ total / size if size > 0 else 0.0
            new = float(objective.slope(np.abs(np.array([o])))[0] * np.sign(o))
            if new != c[i]:
                total = total + (new - c[i]) * x
                c[i] = new
        total = c @ X
        size = np.linalg.norm(total)
        moved, w = (np.linalg.norm(total / size - w), total / size) if size > 0 else (0.0, w)
        curve.append(total_of(objective, X @ w))
        if moved < tol:
            return w, curve, True
    return w, curve, False


def _orthogonal_axis(W: Array, d: int) -> Array:
    """A unit vector orthogonal to the rows of W."""
    rest = np.eye(d) - W.T @ W
    best = rest[np.argmax(np.diag(rest))]
    return np.asarray(best / np.linalg.norm(best))


def _starts(X: Array, squares: Array, W: Array, n_init: int, rng: np.random.RandomState) -> Array:
    """The sample of largest norm and random others, orthogonal to W."""
    rows = [int(np.argmax(squares))]
    possible = np.flatnonzero(squares > 1e-6 * squares.max())
    rows += list(rng.choice(possible, size=n_init - 1)) if n_init > 1 else []
    starts = X[rows] - X[rows] @ W.T @ W
    starts -= starts @ W.T @ W
    return np.asarray(starts / np.linalg.norm(starts, axis=1, keepdims=True))


def _left(X: Array, squares: Array, W: Array, trusted: float) -> Array:
    """Squared norms orthogonal to W: the differences given, or computed anew if too small."""
    if squares.max(initial=0.0) > trusted:
        return np.maximum(squares, 0.0)
    rest = X - (X @ W.T) @ W
    return np.asarray(np.einsum("ij,ij->i", rest, rest))


def greedy(
    X: Array,
    k: int,
    objective: Objective,
    *,
    n_init: int,
    max_iter: int,
    tol: float,
    rng: np.random.RandomState,
    serial: bool = False,
) -> Ascent:
    """Component after component, each the best over the starts."""
    W = np.empty((0, X.shape[1]))
    squares = np.einsum("ij,ij->i", X, X)
    largest = squares.max(initial=0.0)
    climb = _climb_convex if objective.convex else _climb_searching
    climb, pull = _climb_serially if serial else climb, _Pull(X, objective)
    curve: list[float] = []
    base, longest, converged = 0.0, 0, True
    for _ in range(k):
        if squares.max(initial=0.0) <= _NOISE**2 * largest:
            W = np.vstack([W, _orthogonal_axis(W, X.shape[1])])
            continue
        runs = [
            climb(pull, start, W, max_iter, tol) for start in _starts(X, squares, W, n_init, rng)
        ]
        w, one, good = max(runs, key=lambda run: run[1][-1])
        curve += [base + value for value in one]
        base = curve[-1]
        longest, converged = max(longest, len(one)), converged and good
        W = np.vstack([W, w])
        squares = _left(X, squares - (X @ w) ** 2, W, _CANCELLED * largest)
    return Ascent(W, np.array(curve or [0.0]), longest, converged)


def exact_l2(X: Array, k: int, objective: Objective) -> Ascent:
    """The l2 objective is PCA; signs are those the fixed point has from its usual start."""
    W = principal_axes(X, np.zeros(X.shape[1]), k)[1]
    projections = X @ W.T
    squares = np.einsum("ij,ij->i", X, X)
    for j in range(k):
        if projections[np.argmax(squares), j] < 0:
            W[j] *= -1.0
        squares = squares - projections[:, j] ** 2
    totals = objective.value(np.abs(projections)).sum(axis=0)
    return Ascent(W, np.cumsum(totals), 1, True)


def joint(X: Array, first: Ascent, objective: Objective, *, max_iter: int, tol: float) -> Ascent:
    """All components at once: W ← polar factor of the gradient, from the greedy solution."""
    W, curve, converged = first.W, [first.curve[-1]], False
    for _ in range(max_iter):
        gradient = signed(objective, X @ W.T).T @ X
        target, step = _polar(gradient, W), 1.0
        new, value = target, total_of(objective, X @ target.T)
        while value < curve[-1] and not objective.convex and step > _SHORTEST:
            step /= 2.0
            new = _polar((1 - step) * W + step * target, W)
            value = total_of(objective, X @ new.T)
        change = np.linalg.norm(new - W)
        if change < tol or step <= _SHORTEST or value < curve[-1] * (1 - 1e-12):
            converged = True
            break
        W = new
        curve.append(max(value, curve[-1]))
    return Ascent(W, np.array(curve), len(curve), converged)


def _polar(G: Array, fallback: Array) -> Array:
    """Nearest matrix with orthonormal rows."""
    if not G.any():
        return fallback
    U, _, V = linalg.svd(G, full_matrices=False)
    return np.asarray(U @ V)


def dual_of(X: Array, W: Array, objective: Objective) -> Array:
    """β with X'β = W': what each sample contributes to each component.

    A fixed point is a combination of the samples by its own slopes, less its part in the earlier
    components; where the search ended elsewhere (joint or not convex), by least squares.
    """
    slopes = signed(objective, X @ W.T)
    gradients = slopes.T @ X
    beta = np.zeros_like(slopes)
    for j in range(len(W)):
        overlap = gradients[j] @ W[:j].T
        rest = gradients[j] - overlap @ W[:j]
        size = np.linalg.norm(rest)
        if size > 0:
            beta[:, j] = (slopes[:, j] - beta[:, :j] @ overlap) / size
    if np.abs(beta.T @ X - W).max(initial=0.0) > 1e-8:
        beta = np.asarray(linalg.lstsq(X.T, W.T, cond=1e-12, lapack_driver="gelsd")[0])
    return beta
