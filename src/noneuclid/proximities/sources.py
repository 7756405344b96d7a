"""Where numbers between training objects come from: a matrix, or the objects and a measure.

Of a source only asked-for parts are computed. It gives raw numbers of its own kind.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from noneuclid.proximities.measures import Measure
from noneuclid.typing import Array, IntArray

Index = IntArray | slice


class Source(ABC):
    """A matrix of proximities between n objects, of which only asked-for parts are computed.

    Attributes
    ----------
    n : int
        How many objects there are.
    n_columns : int
        How many of them have columns: fewer if a matrix has those of landmarks only.
    objects : rows, list or None
        What they are, if that is known.
    name : str
        How an error calls the matrix.
    is_symmetric : bool
        Whether that is known without looking.
    """

    n: int
    n_columns: int
    objects: Any = None
    name: str = "X"
    is_symmetric: bool = False

    @property
    def is_at_hand(self) -> bool:
        """Whether there is anything to compute numbers from."""
        return True

    def forgotten(self) -> "Source":
        """The same without the training objects: what a file needs where landmarks stand in."""
        return self

    @abstractmethod
    def block(self, rows: Index, columns: Index) -> Array:
        """Proximities between some objects, as a fresh array."""

    @abstractmethod
    def within(self) -> Array:
        """Proximities between all objects."""

    @abstractmethod
    def diagonal(self) -> Array:
        """Proximities of the objects to themselves."""

    @abstractmethod
    def to(self, X: Any, columns: IntArray | None = None) -> Array:
        """Proximities of new objects to these, or to some of them."""

    @abstractmethod
    def own(self, X: Any) -> Array | None:
        """Proximities of new objects to themselves, where that is known."""

    @abstractmethod
    def restrict(self, columns: IntArray) -> "Source":
        """The same over some of the objects."""

    @abstractmethod
    def only(self, landmarks: IntArray) -> "Source":
        """What it takes to compare new objects with some of these, and nothing more."""


class MatrixSource(Source):
    """The matrix is given, or only its columns of landmarks; it is kept in memory, not in files."""

    def __init__(self, P: Array | None, n: int | None = None):
        self.P = P
        self.n = len(P) if P is not None else int(n or 0)
        self.n_columns = P.shape[1] if P is not None else self.n

    @property
    def is_at_hand(self) -> bool:
        """Whether the matrix is still there."""
        return self.P is not None

    def _matrix(self) -> Array:
        if self.P is None:
            raise ValueError(ASK)
        return self.P

    def block(self, rows: Index, columns: Index) -> Array:
        """A copy of the block."""
        return part(self._matrix(), rows, columns)

    def within(self) -> Array:
        """The matrix."""
        return self._matrix()

    def diagonal(self) -> Array:
        """The diagonal."""
        return np.diag(self._matrix()).copy()

    def to(self, X: Any, columns: IntArray | None = None) -> Array:
        """Some columns of the rows given."""
        return np.asarray(X if columns is None else X[:, columns])

    def own(self, X: Any) -> None:
        """Nothing is known of them."""

    def restrict(self, columns: IntArray) -> "MatrixSource":
        """The block of some objects."""
        P = None if self.P is None else self.P[np.ix_(columns, columns)]
        return MatrixSource(P, len(columns))

    def only(self, landmarks: IntArray) -> "MatrixSource":
        """Nothing: new objects bring their columns."""
        return MatrixSource(None, self.n)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "P": None}


class ObjectSource(Source):
    """The objects are given, and a measure of two sets of them."""

    def __init__(self, objects: Any, measure: Measure):
        self.objects, self.measure = objects, measure
        self.n = self.n_columns = len(objects)

    @property
    def name(self) -> str:  # type: ignore[override]
        """How an error calls the matrix."""
        return self.measure.name

    @property
    def is_at_hand(self) -> bool:
        """Whether the objects are still there."""
        return self.objects is not None

    def forgotten(self) -> "ObjectSource":
        """The measure alone."""
        other: ObjectSource = copied(self, objects=None)
        return other

    @property
    def is_symmetric(self) -> bool:  # type: ignore[override]
        """Whether the measure is."""
        return self.measure.is_symmetric

    def block(self, rows: Index, columns: Index) -> Array:
        """One value per pair, computed now."""
        P = self.measure.between(take(self.objects, rows), take(self.objects, columns))
        if self.measure.is_zero_at_itself:
            everyone = np.arange(self.n)
            P[everyone[rows][:, None] == everyone[columns]] = 0.0
        return P

    def within(self) -> Array:
        """One value per pair, computed now."""
        return self.measure.within(self.objects)

    def diagonal(self) -> Array:
        """One value per object."""
        return self.measure.own(self.objects)

    def to(self, X: Any, columns: IntArray | None = None) -> Array:
        """One value per pair, computed now."""
        others = self.objects if columns is None else take(self.objects, columns)
        return self.measure.between(X, others)

    def own(self, X: Any) -> Array:
        """One value per new object."""
        return self.measure.own(X)

    def restrict(self, columns: IntArray) -> "ObjectSource":
        """Some of the objects."""
        return ObjectSource(take(self.objects, columns), self.measure)

    def only(self, landmarks: IntArray) -> "ObjectSource":
        """The landmarks."""
        return self.restrict(landmarks)


class SquaredSource(Source):
    """Plain distances, squared on entry."""

    def __init__(self, source: Source):
        self.source, self.n, self.n_columns = source, source.n, source.n_columns
        self.objects, self.name = source.objects, source.name

    @property
    def is_at_hand(self) -> bool:
        """Whether the distances are."""
        return self.source.is_at_hand

    def forgotten(self) -> "SquaredSource":
        """The same over what the distances need."""
        other: SquaredSource = copied(self, source=self.source.forgotten(), objects=None)
        return other

    def block(self, rows: Index, columns: Index) -> Array:
        """d²."""
        return _squares(self.source.block(rows, columns))

    def within(self) -> Array:
        """d²."""
        return _squares(self.source.within())

    def diagonal(self) -> Array:
        """d²."""
        return _squares(self.source.diagonal())

    def to(self, X: Any, columns: IntArray | None = None) -> Array:
        """d²."""
        return _squares(self.source.to(X, columns))

    def own(self, X: Any) -> Array | None:
        """Zero, where it is known."""
        return self.source.own(X)

    def restrict(self, columns: IntArray) -> "SquaredSource":
        """Some of the objects."""
        return SquaredSource(self.source.restrict(columns))

    def only(self, landmarks: IntArray) -> "SquaredSource":
        """The landmarks."""
        return SquaredSource(self.source.only(landmarks))


def _squares(distances: Array) -> Array:
    if distances.min(initial=0.0) < 0:
        raise ValueError(
            f"squared=False takes plain distances, and one is {distances.min():.3g}: distances are "
            "not negative"
        )
    return distances**2


ASK = "the model did not keep the proximities of its training objects: pass them as P"


def part(P: Array, rows: Index, columns: Index) -> Array:
    """Some rows and columns of a matrix."""
    if isinstance(rows, slice) or isinstance(columns, slice):
        return P[rows][:, columns]
    return P[np.ix_(rows, columns)]


def take(objects: Any, index: Index) -> Any:
    """Some of the objects, whether they are an array or a list."""
    if isinstance(objects, list) and not isinstance(index, slice):
        return type(objects)(objects[i] for i in index)
    return objects[index]


def copied(thing: Any, **changed: Any) -> Any:
    """A shallow copy that keeps what is not written to files."""
    other = object.__new__(type(thing))
    other.__dict__.update({**thing.__dict__, **changed})
    return other
