"""Classical scaling in pseudo-Euclidean space, of objects and of combinations of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse.linalg import eigsh

from noneuclid.numerics import signed_eigh
from noneuclid.proximities import to_similarity
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.typing import Array

# Of a larger matrix only the two eigenvalues that are drawn are computed.
_ALL_EIGENVALUES = 2000


def similarities(P: ArrayLike, proximity: Proximity) -> Array:
    """Check proximities, and return the similarities they are or imply."""
    P = check_proximities(P, proximity)
    return to_similarity(P) if proximity == "dissimilarity" else P


@dataclass(frozen=True)
class Scaling:
    """The two directions of largest modulus of the centred products."""

    points: Array
    """(n, 2): the objects."""
    prototypes: Array
    """(m, 2): combinations of them."""
    eigenvalues: Array
    shares: Array | None
    """Of the sum of all moduli, if that is known."""


def scale_matrix(S: Array, G: Array) -> Scaling:
    """Objects with similarities S, and the combinations G of them."""
    centred = S - S.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    if len(S) <= _ALL_EIGENVALUES:
        values, vectors = linalg.eigh(centred)
        total = float(np.abs(values).sum())
    else:
        start = np.random.default_rng(0).normal(size=len(S))
        values, vectors = eigsh(centred, k=2, which="LM", v0=start)
        total = 0.0
    return _two(values, vectors, total, lambda B, U: B @ (S @ U), G)


def scale_features(Z: Array, signs: Array, G: Array) -> Scaling:
    """Objects with features Z of a pseudo-Euclidean space, in time linear in their number."""
    centred = Z - Z.mean(axis=0)
    c, V = signed_eigh(centred.T @ centred, 1e-13)
    R = np.sqrt(c)[:, None] * V.T
    values, U = linalg.eigh((R * signs) @ R.T)
    vectors = centred @ (V / np.sqrt(c)) @ U
    total = float(np.abs(values).sum())
    return _two(values, vectors, total, lambda B, U: (B @ Z * signs) @ (Z.T @ U), G)


def _two(values: Array, vectors: Array, total: float, products: Any, G: Array) -> Scaling:
    """Coordinates of e_i and γ_j: their products with Hu, relative to the mean of the objects."""
    order = np.argsort(-np.abs(values), kind="stable")[:2]
    values, U = values[order], vectors[:, order]
    n = len(U)
    U = U * np.where(U[np.abs(U).argmax(axis=0), np.arange(U.shape[1])] < 0, -1.0, 1.0)
    root = np.sqrt(np.maximum(np.abs(values), 1e-300))
    U_centred = U - U.mean(axis=0)
    coordinates = products(G - 1.0 / n, U_centred) * np.sign(values) / root
    points = U * root
    if len(values) < 2:  # one object, or one direction, lies on a line
        missing = 2 - len(values)
        points, coordinates = (np.pad(B, ((0, 0), (0, missing))) for B in (points, coordinates))
        values = np.pad(values, (0, missing))
    shares = np.abs(values) / total if total > 0 else None
    return Scaling(points, coordinates, values, shares)
