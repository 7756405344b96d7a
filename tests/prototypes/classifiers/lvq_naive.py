"""The learning rules of kernel and relational LVQ, written down literally and slowly."""

import numpy as np


def forces(cost, d, own, sigma2=None):
    """φ_j of one sample: GLVQ with the identity, or RSLVQ."""
    phi = np.zeros_like(d)
    if cost == "glvq":
        right = min(np.flatnonzero(own), key=lambda j: d[j])
        wrong = min(np.flatnonzero(~own), key=lambda j: d[j])
        total = d[right] + d[wrong]
        phi[right], phi[wrong] = 2 * d[wrong] / total**2, -2 * d[right] / total**2
        return phi
    f = -d / sigma2
    for j in range(len(d)):
        posterior = 1 / sum(np.exp(f[k] - f[j]) for k in range(len(d)))
        phi[j] = -posterior
        if own[j]:
            phi[j] += 1 / sum(np.exp(f[k] - f[j]) for k in range(len(d)) if own[k])
    return phi


def distance(P, gamma, i, proximity):
    """d(ξ_i, Σγ_l ξ_l) by double sums."""
    if proximity == "similarity":
        return P[i, i] - 2 * P[i] @ gamma + gamma @ P @ gamma
    return P[i] @ gamma - 0.5 * gamma @ P @ gamma


def epoch(P, y, G, labels, *, cost, proximity, gradient, rate, constraint="convex", sigma2=None):
    """One pass over the samples in order; returns Γ and how many steps clipped everything."""
    G = G.copy()
    n, kept, large = len(P), 0, 0
    for i in range(n):
        d = np.array([distance(P, g, i, proximity) for g in G])
        phi = forces(cost, d, labels == y[i], sigma2)
        for j in range(len(G)):
            a = rate * phi[j]
            large += a >= 1
            if gradient == "riesz":
                new = (1 - a) * G[j] + a * np.eye(n)[i]
            else:
                slope = P[i] - P @ G[j]
                if proximity == "similarity":
                    slope = 2 * (P @ G[j] - P[i])
                if constraint == "affine":
                    slope = slope - slope.mean()
                new = G[j] - a * slope
            if constraint == "convex":
                new = np.maximum(new, 0)
                if new.sum() <= 1e-14:
                    kept += 1
                    continue
                new = new / new.sum()
            G[j] = new
    return G, kept, large
