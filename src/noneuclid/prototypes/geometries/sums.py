"""Scales and units of vectors in blocks, from sums: what solvers ask of all samples at once."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid.prototypes.geometries.base import Geometry
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.typing import Array, IntArray


@dataclass
class Spread:
    """Sums over all samples of what their scales are made of.

    ``mass`` is Σ w_i; distances are those to the mean, weighted; ``within`` those to the mean of
    the own class; squares are Euclidean.
    """

    n: float
    mass: float
    distances: float
    moduli: float
    within: float
    weighted_squares: float
    squares: float
    slopes: float


class SummedGeometry:
    """A geometry of a few samples that knows the scales of all.

    Parameters
    ----------
    few : VectorGeometry
        Of a sample; makes and moves states.
    spread : Spread
        Of all samples.
    """

    def __init__(self, few: VectorGeometry, spread: Spread):
        self.few, self.spread = few, spread

    def __getattr__(self, name: str) -> Any:
        if name in ("few", "spread"):  # not there yet while it is unpickled
            raise AttributeError(name)
        return getattr(self.few, name)

    @property
    def n_samples(self) -> int:
        """How many samples there are in all."""
        return int(self.spread.n)

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of all samples from their mean."""
        return self.spread.distances / self.spread.mass

    def magnitude(self) -> float:
        """Mean modulus of the squared distances from the mean."""
        return self.spread.moduli / self.spread.n

    def scale(self) -> float:
        """The unit of all distances."""
        return Geometry.scale(self)  # type: ignore[arg-type]

    def scale_within(self, y: Any = None) -> float:
        """Mean variance within classes, if it is positive."""
        within = self.spread.within / self.spread.mass
        return within if within > 1e-12 * self.scale() else self.scale()

    def units(self, n_rows: int) -> float:
        """Root mean square of the coordinates around their mean."""
        return float(np.sqrt(self.spread.weighted_squares / self.spread.mass)) or 1.0

    def coordinate_size(self) -> float:
        """Size of J(v) beside v."""
        if self.spread.squares == 0:
            return 1.0
        return 0.5 * float(np.sqrt(self.spread.slopes / self.spread.squares))

    def stiffness(self, m: int) -> float:
        """Samples per prototype, times the size of J."""
        return self.spread.n / m * self.coordinate_size()


class SummedMatrix:
    """A geometry with a matrix, of a few samples, that knows the scales of all.

    Parameters
    ----------
    few : MatrixGeometry
    vectors : SummedGeometry
        Of the vectors alone.
    """

    def __init__(self, few: Any, vectors: SummedGeometry):
        self.few, self.vectors = few, vectors
        few.plain = vectors

    def __getattr__(self, name: str) -> Any:
        if name in ("few", "vectors"):
            raise AttributeError(name)
        return getattr(self.few, name)

    @property
    def n_samples(self) -> int:
        """How many samples there are in all."""
        return self.vectors.n_samples

    def scale_within(self, y: Any = None) -> float:
        """Mean variance within classes, under the first matrix of all."""
        return self.few.variance() * self.vectors.scale_within() / self.vectors.scale()

    def stiffness(self, m: int) -> float:
        """Samples per prototype, times the size of Ω'Ω."""
        return self.n_samples / m


def plain(geometry: Any) -> VectorGeometry:
    """The geometry of the vectors alone, where a matrix is learned beside them."""
    found: VectorGeometry = getattr(geometry, "plain", geometry)
    return found


def spread_of(blocks: Blocks, locally: Any, n_classes: int, *, slopes: bool) -> Spread:
    """Two passes: means of all samples and of every class, then distances from them."""
    sums, masses = blocks.sum(_class_sums, locally, n_classes)
    mass = float(masses.sum())
    if not mass > 0:
        raise ValueError("the weights of all samples are zero: nothing can be learned")
    means = sums / np.where(masses > 0, masses, 1.0)[:, None]
    centres = np.vstack([sums.sum(axis=0) / mass, means])
    return Spread(*map(float, blocks.sum(_sums, locally, centres, slopes)))


def _class_sums(part: Part, locally: Any, n_classes: int) -> tuple[Array, Array]:
    geometry, who, weights = locally(part)
    index, X = who.y, plain(geometry).X
    shares = (index == np.arange(n_classes)[:, None]).astype(np.float64)
    if weights is not None:
        shares *= weights
    return shares @ X, shares.sum(axis=1)


def _sums(part: Part, locally: Any, centres: Array, slopes: bool) -> Array:
    geometry, who, weights = locally(part)
    vectors, index = plain(geometry), who.y
    D = vectors.distances(vectors.state(centres))
    squares = np.square(vectors.X - centres[0]).sum(axis=1)
    mass = np.ones(len(D)) if weights is None else weights
    steep = 0.0
    if slopes:
        J = vectors.space.squared_distance_gradient(centres[0], vectors.X)  # type: ignore[attr-defined]
        steep = float(np.square(J).sum())
    return np.array(
        [
            len(D),
            mass.sum(),
            mass @ D[:, 0],
            np.abs(D[:, 0]).sum(),
            mass @ D[np.arange(len(D)), 1 + index],
            mass @ squares,
            squares.sum(),
            steep,
        ]
    )
