r"""Prototypes among feature vectors of samples that lie in blocks.

In memory, prototypes are combinations :math:`W = \Gamma Z` of all training objects, as many
coefficients as samples. But features have a low rank r. Riesz steps need the vectors W alone. A
coordinate step :math:`\Delta\Gamma = -PZ'` moves them by :math:`\Delta W = -PZ'Z`, and any frame A
with :math:`A'A = Z'Z` makes the same step, in r coefficients: :math:`W = \Gamma A`. Only convex
coefficients cannot do without their objects; they are those of the landmarks here.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import linalg

from noneuclid._blocks import Blocks, Part
from noneuclid.prototypes.costs.base import CostCode, Membership
from noneuclid.prototypes.geometries.base import Constraint, Geometry
from noneuclid.prototypes.geometries.combinations import Combination
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.typing import Array, IntArray

# Eigenvalues of Z'Z below this share of the largest are taken for that.
_FLAT = 1e-13


class FrameGeometry(FeatureGeometry):
    """Combinations W = ΓA of the rows of a frame, and samples Z that need not be among them.

    For learning with labels along the coordinate gradient.

    Parameters
    ----------
    Z : array of shape (n, r)
        Features of the samples.
    A : array of shape (m, r)
        The frame: features of landmarks, or a root of Z'Z.
    positive, constraint, weights
        As for every geometry of features.
    """

    def __init__(
        self,
        Z: Array,
        A: Array,
        positive: int,
        constraint: Constraint = "convex",
        weights: Array | None = None,
    ):
        super().__init__(Z, positive, constraint, weights)
        self.A = A

    def _images(self, G: Array) -> Array:
        return np.ascontiguousarray(G @ self.A)

    def pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂γ_j = 2(Σ_i F_ij w_j − (F'Z)_j)' I_pq A'."""
        pull = F.sum(axis=0)[:, None] * theta.images - F.T @ self.Z[rows]
        return 2.0 * (pull * self.signs) @ self.A.T


class FeatureVectors(FrameGeometry):
    """The vectors W themselves, moved along the Riesz gradient.

    Steps are those of combinations of all samples, whose coefficients nobody needs: under the
    convex constraint a sample of another class, which has none, repels nothing.
    """

    def _images(self, G: Array) -> Array:
        return np.array(G, order="C")

    def project(self, G: Array, previous: Array) -> tuple[Array, int]:
        """Steps towards samples do not leave their hull."""
        return G, 0

    def riesz_pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − z_i)."""
        F = np.maximum(F, 0.0) if self.constraint == "convex" else F
        return F.sum(axis=0)[:, None] * theta.images - F.T @ self.Z[rows]

    def riesz_epoch(
        self, theta: Combination, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """Prototype steps over all samples in order, compiled."""
        free = np.zeros((len(theta.G), len(self.Z)))
        moved = Combination(free, theta.images, theta.squares)
        counts = super().riesz_epoch(moved, who, order, step, code)
        theta.G[:] = theta.images
        return counts


def landmark_coefficients(W: Array, A: Array) -> Array:
    """The shortest combinations of landmarks A that are the vectors W.

    Landmarks of dissimilarities are centred, and any constant may be added: they sum to one.
    """
    G = W @ np.linalg.pinv(A, rcond=1e-8)
    if np.abs(A.sum(axis=0)).max() > 1e-9 * np.abs(A).sum(axis=0).max():
        return G
    return np.asarray(G + (1.0 - G.sum(axis=1, keepdims=True)) / len(A))


def root_frame(blocks: Blocks, *, centred: bool) -> Array:
    """A with A'A = Z'Z of all samples, or of the centred ones."""
    total = blocks.sum(_total)
    centre = total / blocks.n_samples if centred else np.zeros(len(total))
    c, V = linalg.eigh(blocks.sum(_products, centre))
    # A direction without variance stays where it is, but must be there.
    return np.asarray((V * np.sqrt(np.maximum(c, _FLAT * c[-1]))) @ V.T)


def _total(part: Part) -> Array:
    return np.asarray(part.X.sum(axis=0))


def _products(part: Part, centre: Array) -> Array:
    V = part.X - centre
    return np.asarray(V.T @ V)


@dataclass
class FeaturesLocally:
    """A block of features as a problem of its own, where it lies.

    Parameters
    ----------
    kind : type
        Of the geometry.
    A, positive, constraint
        What it is made of, beside the features of the samples.
    classes : ClassesOf
    """

    kind: type[FrameGeometry]
    A: Array
    positive: int
    constraint: Constraint
    classes: Any

    def __call__(self, part: Part) -> tuple[FrameGeometry, Membership, Array | None]:
        """Its geometry, who belongs to whom, and weights."""
        who, weights = self.classes(part)
        return self.of(part.X, weights), who, weights

    def vectors(self) -> "FeaturesLocally":
        """The same where prototypes are given as vectors."""
        return replace(self, kind=FeatureVectors)

    def of(self, Z: Array, weights: Array | None = None) -> FrameGeometry:
        """The geometry of some features."""
        return self.kind(Z, self.A, self.positive, self.constraint, weights)


class SummedFeatures:
    """A geometry of the landmarks that knows the scales of all samples.

    Parameters
    ----------
    few : FrameGeometry
        Of the landmarks; makes and moves states.
    n : int
        How many samples there are.
    m : int
        How many objects the combinations are made of.
    size : float
        Σ_i |z_i' I_pq z_i|.
    masses, sums, squares : arrays of shapes (c,), (c, r), (c,)
        Weights, weighted sums of features and of their self-products, of each class.
    """

    takes_questions_meanwhile = False
    """Two passes over blocks at once would mix up their journal, and their numbers of threads."""

    def __init__(
        self,
        few: FrameGeometry,
        n: int,
        m: int,
        size: float,
        masses: Array,
        sums: Array,
        squares: Array,
    ):
        self.few, self.n_samples, self.m, self.size = few, n, m, size
        self.masses, self.sums, self.squares = masses, sums, squares

    def __getattr__(self, name: str) -> Any:
        if name == "few":  # not there yet while it is unpickled
            raise AttributeError(name)
        return getattr(self.few, name)

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of all samples from their mean; negative if indefinite."""
        mean = self.sums.sum(axis=0) / self.masses.sum()
        return float(self.squares.sum() / self.masses.sum() - mean * self.few.signs @ mean)

    def magnitude(self) -> float:
        """Mean modulus of the self-products."""
        return self.size / self.n_samples

    def scale(self) -> float:
        """The unit of all distances."""
        return Geometry.scale(self)  # type: ignore[arg-type]

    def scale_within(self, y: Any = None) -> float:
        """Mean variance within classes, if it is positive."""
        masses = np.where(self.masses > 0, self.masses, 1.0)
        means = np.einsum("ck,ck,k->c", self.sums, self.sums, self.few.signs) / masses
        within = float((self.squares - means).sum() / self.masses.sum())
        return within if within > 1e-12 * self.scale() else self.scale()

    def stiffness(self, m: int) -> float:
        """The coordinate gradient is the Riesz gradient times A'A, of about m units."""
        return self.m * self.scale()


def summed(blocks: Blocks, locally: FeaturesLocally, few: Array, n_classes: int) -> SummedFeatures:
    """The geometry of a few samples, with the scales of all."""
    sums = blocks.sum(_sums, locally, n_classes)
    if not sums[1].sum() > 0:
        raise ValueError("the weights of all samples are zero: nothing can be learned")
    n = blocks.n_samples
    m = len(locally.A) if locally.constraint == "convex" else n
    return SummedFeatures(locally.of(few), n, m, *sums)


def _sums(part: Part, locally: FeaturesLocally, n_classes: int) -> tuple[Any, ...]:
    geometry, who, weights = locally(part)
    shares = (who.y == np.arange(n_classes)[:, None]).astype(np.float64)
    if weights is not None:
        shares *= weights
    q = geometry.diagonal
    return float(np.abs(q).sum()), shares.sum(axis=1), shares @ geometry.Z, shares @ q
