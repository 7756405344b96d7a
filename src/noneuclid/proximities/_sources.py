"""Where numbers between training objects come from: a matrix, or the objects and a measure."""

from typing import Any

import numpy as np

from noneuclid.kernels import Kernel
from noneuclid.proximities._measures import Measure
from noneuclid.typing import Array, IntArray

Index = IntArray | slice
ASK = "the model did not keep the proximities of its training objects: pass them as P"


class Source:
    """Raw proximities between n objects, of which only asked-for parts are computed.

    Parameters
    ----------
    given : array of shape (n, n_columns), or n objects
        The matrix, or its columns of landmarks, kept in memory and not in files; or the objects.
    measure : Kernel or Dissimilarity, optional
        Between the objects; None if the matrix is given.
    plain : bool, default=False
        Whether the numbers are plain distances, which are squared on entry.
    """

    def __init__(self, given: Any, measure: Measure | None = None, *, plain: bool = False):
        self.given, self.measure, self.plain = given, measure, plain
        self.n = len(given)
        self.n_columns = self.n if measure is not None else given.shape[1]

    @property
    def objects(self) -> Any:
        return None if self.measure is None else self.given

    @property
    def name(self) -> str:
        """How an error calls the matrix."""
        return "the Gram matrix" if isinstance(self.measure, Kernel) else "X"

    @property
    def is_symmetric(self) -> bool:
        """Whether that is known without looking."""
        return self.measure is not None and self.measure.is_symmetric

    @property
    def is_positive(self) -> bool:
        """Whether similarities claim to have no negative eigenvalue."""
        return isinstance(self.measure, Kernel) and self.measure.is_positive_definite

    def block(self, rows: Index, columns: Index) -> Array:
        if self.measure is None:
            return self.entered(part(self.known, rows, columns))
        P = self.measure(self.known[rows], self.known[columns])
        if getattr(self.measure, "is_distance", False):  # 0 from itself, without rounding
            everyone = np.arange(self.n)
            P[everyone[rows][:, None] == everyone[columns]] = 0.0
        return self.entered(P)

    def within(self) -> Array:
        return self.entered(self.known if self.measure is None else self.measure(self.known))

    def diagonal(self) -> Array:
        if self.measure is None:
            return self.entered(np.diag(self.known).copy())
        return self.entered(self.measure.diag(self.known))

    def to(self, X: Any, columns: IntArray | None = None) -> Array:
        """Proximities of new objects, or rows of them, to these, or to some of these."""
        if self.measure is None:
            return self.entered(X if columns is None else X[:, columns])
        return self.entered(self.measure(X, self.known if columns is None else self.known[columns]))

    def own(self, X: Any) -> Array | None:
        """Proximities of new objects to themselves, where that is known."""
        return None if self.measure is None else self.measure.diag(X)

    def restrict(self, columns: IntArray) -> "Source":
        few = self.given
        if few is not None:
            few = few[columns] if self.measure is not None else few[np.ix_(columns, columns)]
        return copied(self, given=few, n=len(columns), n_columns=len(columns))

    def only(self, landmarks: IntArray) -> "Source":
        """What it takes to compare new objects with some of these: of a matrix, nothing."""
        return self.forgotten() if self.measure is None else self.restrict(landmarks)

    def forgotten(self) -> "Source":
        """The same without what was given."""
        return copied(self, given=None)

    @property
    def known(self) -> Any:
        """What was given, or an error if it is no longer there."""
        if self.given is None:
            raise ValueError(ASK)
        return self.given

    def entered(self, values: Array) -> Array:
        """The numbers as they come, or the squares of plain distances."""
        if self.plain and values.min(initial=0.0) < 0:
            raise ValueError(
                f"squared=False takes plain distances, and one is {values.min():.3g}: distances "
                "are not negative"
            )
        return values**2 if self.plain else np.asarray(values)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "given": self.objects}


def part(P: Array, rows: Index, columns: Index) -> Array:
    if isinstance(rows, slice) or isinstance(columns, slice):
        return P[rows][:, columns]
    return P[np.ix_(rows, columns)]


def copied(thing: Any, state: dict[str, Any] | None = None, **changed: Any) -> Any:
    """A shallow copy that keeps what is not written to files, or the given state only."""
    other = object.__new__(type(thing))
    other.__dict__.update({**(thing.__dict__ if state is None else state), **changed})
    return other
