"""Dissimilarities of series as they are printed: one full table, one cell at a time."""

import numpy as np


def allowed(n, m, window):
    """Cells of the band, with the longer series first."""
    reach = int((1.0 if window is None else window) * min(n, m))
    mask = np.zeros((n, m), dtype=bool)
    for i in range(n):
        middle = int(i * (m - 1) / (n - 1) + 0.5) if n > 1 else 0
        mask[i, max(0, middle - reach) : middle + reach + 1] = True
    return mask


def points(series):
    return np.atleast_2d(np.asarray(series, dtype=float)).T


def ordered(a, b):
    x, y = points(a), points(b)
    return (x, y) if len(x) >= len(y) else (y, x)


def dtw(a, b, window=None, g=None, penalty=0.0):
    x, y = ordered(a, b)
    n, m = len(x), len(y)
    mask, G = allowed(n, m, window), np.full((n + 1, m + 1), np.inf)
    G[0, 0] = 0.0
    for i, j in np.argwhere(mask):
        w = 1.0 if g is None else 1.0 / (1.0 + np.exp(-g * (abs(i - j) - n / 2)))
        before = min(G[i, j], G[i, j + 1] + penalty, G[i + 1, j] + penalty)
        G[i + 1, j + 1] = w * ((x[i] - y[j]) ** 2).sum() + before
    return G[n, m]


def slopes(series):
    x = np.atleast_2d(np.asarray(series, dtype=float))
    return (x[:, 1:-1] - x[:, :-2] + (x[:, 2:] - x[:, :-2]) / 2) / 2


def ddtw(a, b, window=None):
    return dtw(slopes(a), slopes(b), window)


def shape_dtw(a, b, window=None, reach=5):
    x, y = ordered(a, b)
    n, m = len(x), len(y)
    A, B = (
        np.array([np.pad(z, ((reach, reach), (0, 0)), "edge")[i : i + 2 * reach + 1].ravel()
                  for i in range(len(z))])
        for z in (x, y)
    )  # fmt: skip
    G = {(0, 0): (0.0, 0.0)}
    for i, j in np.argwhere(allowed(n, m, window)):
        before = [G.get(cell, (np.inf, np.inf)) for cell in ((i, j), (i, j + 1), (i + 1, j))]
        shape, cost = min(before)
        here = ((A[i] - B[j]) ** 2).sum(), ((x[i] - y[j]) ** 2).sum()
        G[i + 1, j + 1] = shape + here[0], cost + here[1]
    return G[n, m][1]


def edit(a, b, window, apart, gap):
    x, y = ordered(a, b)
    n, m = len(x), len(y)
    mask, G = allowed(n, m, window), np.full((n + 1, m + 1), np.inf)
    G[0, 0] = 0.0
    for i in range(n):
        if mask[i, 0]:
            G[i + 1, 0] = G[i, 0] + gap(x[i])
    for j in range(m):
        if mask[0, j]:
            G[0, j + 1] = G[0, j] + gap(y[j])
    for i, j in np.argwhere(mask):
        G[i + 1, j + 1] = min(
            G[i, j] + apart(x[i], y[j]), G[i, j + 1] + gap(x[i]), G[i + 1, j] + gap(y[j])
        )
    return G[n, m]


def length(v):
    return float(np.sqrt((np.asarray(v) ** 2).sum()))


def erp(a, b, window=None, gap=0.0):
    return edit(a, b, window, lambda p, q: length(p - q), lambda p: length(p - gap))


def edr(a, b, window=None, epsilon=1.0):
    longest = max(len(points(a)), len(points(b)))
    return edit(a, b, window, lambda p, q: float(length(p - q) > epsilon), lambda p: 1.0) / longest


def lcss(a, b, window=None, epsilon=1.0):
    x, y = ordered(a, b)
    n, m = len(x), len(y)
    L = np.zeros((n + 1, m + 1))
    for i, j in np.argwhere(allowed(n, m, window)):
        match = length(x[i] - y[j]) <= epsilon
        L[i + 1, j + 1] = L[i, j] + 1 if match else max(L[i, j + 1], L[i + 1, j])
    return 1.0 - L[n, m] / m


def msm(a, b, window=None, cost=1.0):
    x, y = ordered(a, b)
    return sum(_msm(x[:, k], y[:, k], window, cost) for k in range(x.shape[1]))


def _msm(x, y, window, c):
    def split(value, one, other):
        between = min(one, other) <= value <= max(one, other)
        return c if between else c + min(abs(value - one), abs(value - other))

    n, m = len(x), len(y)
    G = np.full((n, m), np.inf)
    for i, j in np.argwhere(allowed(n, m, window)):
        if i == j == 0:
            G[0, 0] = abs(x[0] - y[0])
            continue
        ways = []
        if i > 0 and j > 0:
            ways.append(G[i - 1, j - 1] + abs(x[i] - y[j]))
        if i > 0:
            ways.append(G[i - 1, j] + split(x[i], x[i - 1], y[j]))
        if j > 0:
            ways.append(G[i, j - 1] + split(y[j], x[i], y[j - 1]))
        G[i, j] = min(ways)
    return G[-1, -1]


def twe(a, b, window=None, stiffness=0.001, penalty=1.0):
    x, y = ordered(a, b)
    n, m = len(x), len(y)
    mask = allowed(n, m, window)
    x, y = (np.vstack([np.zeros((1, z.shape[1])), z]) for z in (x, y))
    G = np.full((n + 1, m + 1), np.inf)
    G[0, 0] = 0.0
    for i, j in np.argwhere(mask) + 1:
        match = length(x[i] - y[j]) + length(x[i - 1] - y[j - 1]) + 2 * stiffness * abs(i - j)
        G[i, j] = min(
            G[i - 1, j - 1] + match,
            G[i - 1, j] + length(x[i] - x[i - 1]) + stiffness + penalty,
            G[i, j - 1] + length(y[j] - y[j - 1]) + stiffness + penalty,
        )
    return G[n, m]
