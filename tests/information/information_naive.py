"""Double sums and integrals, written as the equations are."""

import numpy as np


def G(v, s):
    """Gaussian density of width s at a vector v."""
    v = np.atleast_1d(v)
    return np.exp(-(v @ v) / (2 * s**2)) / (2 * np.pi * s**2) ** (len(v) / 2)


def uniform(X):
    return np.full(len(X), 1 / len(X))


def V(X, Y, sx, sy, a=None, b=None):
    a, b = (uniform(Z) if w is None else w for Z, w in ((X, a), (Y, b)))
    s = np.sqrt(sx**2 + sy**2)
    return sum(a[i] * b[j] * G(x - y, s) for i, x in enumerate(X) for j, y in enumerate(Y))


def gram(X, s):
    return np.array([[G(x - y, np.sqrt(2) * s) for y in X] for x in X])


def parzen(X, s, a=None):
    """The density itself, as a function of points (n, d)."""
    a = uniform(X) if a is None else a

    def density(points):
        squares = ((points[:, None, :] - X[None]) ** 2).sum(axis=2)
        return np.exp(-squares / (2 * s**2)) @ a / (2 * np.pi * s**2) ** (X.shape[1] / 2)

    return density


def integral(f, d, bound=13.0, n=261):
    """The rectangle rule, which is exact for smooth functions that vanish at the ends."""
    grid = np.linspace(-bound, bound, n if d > 1 else 20 * n)
    points = np.stack(np.meshgrid(*[grid] * d), axis=-1).reshape(-1, d)
    return f(points).sum() * (grid[1] - grid[0]) ** d
