"""What a data file holds, once it has been understood."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, get_args

import numpy as np

from noneuclid._files import DataError
from noneuclid._text import visible
from noneuclid.datasets._markup import markup_of
from noneuclid.datasets.understanding import Part, Question
from noneuclid.typing import Array, IntArray

__all__ = ["KINDS", "DataError", "Dataset", "Kind"]

Kind = Literal["similarity", "dissimilarity", "curves", "vectors", "spikes", "sequences"]
KINDS: tuple[str, ...] = get_args(Kind)

_MATRICES = ("similarity", "dissimilarity")
_NOUNS = ("objects", "objects", "curves", "rows", "spike trains", "sequences")
_SHOWN_CLASSES = 6


@dataclass(frozen=True, repr=False)
class Dataset:
    """Objects, their names and classes, and what kind of objects they are.

    Parameters
    ----------
    kind : {"similarity", "dissimilarity", "curves", "vectors", "spikes", "sequences"}
        What ``X`` holds.
    X : array of shape (n, n) or (n, d), list of arrays, or list of str
        Proximities between all objects, rows, spike trains, or sequences.
    labels : array of shape (n,), optional
        Classes.
    names : list of str
        Names of the objects; numbers from 1 where the file has none.
    features : list of str, optional
        Names of the columns of curves and vectors.
    grid : array of shape (d,), optional
        Positions of the points of curves.
    source : str
        Where the data come from.
    notes : tuple of str
        Decisions taken while reading.
    code : str
        The Python expression that gives this dataset again.
    asymmetry : float
        Of proximities that were made symmetric: the largest difference of both directions over
        the largest entry, before.
    groups : array of shape (n,), optional
        Which objects belong together, and are never divided between training and test.
    plain : bool
        Of dissimilarities: whether they were plain distances in the file, and were squared.
    target : array of shape (n,), optional
        Numbers that are to be predicted.
    target_name : str
        What they are called, for figures and tables.
    units : str
        Of the axis of curves or of the times of events; empty where nobody told.
    x_label, y_label : str
        Of curves, and of spike trains without the second: what figures call the axis, and the
        values over it.
    parts : tuple of Part
        What the columns and rows of the file were taken for, and what they could be otherwise.
    questions : tuple of Question
        What a person could be asked: other ways to read the file, with other results.
    said : dict
        How axis and letters were to be read, so that new files of the same kind are read alike.

    Examples
    --------
    >>> data = Dataset("sequences", ["ACGT", "ACGA"], source="two.txt")
    >>> data.understood
    'two.txt: 2 sequences of 4 letters, no classes'
    """

    kind: Kind
    X: Any
    labels: Array | None = None
    names: list[str] = field(default_factory=list)
    features: list[str] | None = None
    grid: Array | None = None
    source: str = "data"
    notes: tuple[str, ...] = ()
    code: str = ""
    asymmetry: float = 0.0
    groups: Any = None
    plain: bool = False
    target: Array | None = None
    target_name: str = ""
    units: str = ""
    x_label: str = ""
    y_label: str = ""
    parts: tuple[Part, ...] = ()
    questions: tuple[Question, ...] = ()
    said: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind (={self.kind!r}) must be one of {KINDS}")
        if not self.names:
            object.__setattr__(self, "names", [str(i + 1) for i in range(len(self.X))])
        if len(self.names) != len(self.X):
            raise ValueError(f"there are {len(self.names)} names for {len(self.X)} objects")

    def __len__(self) -> int:
        return len(self.X)

    def __repr__(self) -> str:
        return f"<Dataset {self.understood}>"

    def _repr_html_(self) -> str:
        return markup_of(self)

    @property
    def classes(self) -> dict[Any, int]:
        """Every class and how many objects it has."""
        if self.labels is None:
            return {}
        found, counts = np.unique(self.labels, return_counts=True)
        return dict(zip(found.tolist(), counts.tolist()))

    @property
    def is_matrix(self) -> bool:
        """Whether X holds proximities between all objects."""
        return self.kind in _MATRICES

    @property
    def noun(self) -> str:
        """What the objects are called."""
        return _NOUNS[KINDS.index(self.kind)]

    @property
    def axis_name(self) -> str:
        """What figures call the axis of curves, or the time of events."""
        if self.x_label or self.kind not in ("curves", "spikes"):
            return self.x_label
        if self.kind == "spikes":
            return f"time ({self.units or 'unit of the file'})"
        name = "number of the point" if self.grid is None else "position on the axis"
        return f"{name} ({self.units})" if self.units else name

    @property
    def understood(self) -> str:
        """One line: what the file was taken to be."""
        answers = classes_in_words(self.classes)
        if self.target is not None:
            answers = f"numbers from {self.target.min():g} to {self.target.max():g}"
        parts = [f"{self.source}: {len(self)} {self.objects}", answers]
        return visible(", ".join([*parts, *self.notes]))

    @property
    def objects(self) -> str:
        """What the objects are, in words."""
        if self.is_matrix:
            return f"objects with a {self.kind} matrix"
        if self.kind == "curves":
            unit = f" {self.units}" if self.units else ""
            grid = ""
            if self.grid is not None:
                grid = f" from {self.grid[0]:g} to {self.grid[-1]:g}{unit}"
            return f"curves of {self.X.shape[1]} points{grid}"
        if self.kind == "vectors":
            return f"rows of {self.X.shape[1]} features"
        unit = "events" if self.kind == "spikes" else "letters"
        lengths = sorted({len(x) for x in self.X})
        span = " to ".join(str(length) for length in sorted({lengths[0], lengths[-1]}))
        return f"{self.noun} of {span} {unit}"

    def with_notes(self, *notes: str) -> Self:
        """The same with further remarks.

        Parameters
        ----------
        *notes : str
            Sentences for whoever reads the report.

        Returns
        -------
        Dataset
            A copy; this one stays as it is.
        """
        return replace(self, notes=(*self.notes, *notes))

    def sample(self, n: int, *, random_state: int = 0) -> Self:
        """At most n of the objects, at random, classes in proportion; all if there are fewer.

        Parameters
        ----------
        n : int
        random_state : int, default=0

        Returns
        -------
        Dataset
            Itself if there are not more; else a copy, which says of what it is a sample.
        """
        if len(self) <= n:
            return self
        small = self.take(self.sampled(n, random_state=random_state))
        code = f"{self.code}.sample({n}, random_state={random_state})" if self.code else ""
        return replace(small, code=code).with_notes(f"a random sample of {n} out of {len(self)}")

    def sampled(self, n: int, *, random_state: int = 0) -> IntArray:
        """The indices of :meth:`sample`, in rising order.

        Parameters
        ----------
        n : int
        random_state : int, default=0

        Returns
        -------
        rows : array of int
        """
        if len(self) <= n:
            return np.arange(len(self))
        order = np.random.default_rng(random_state).permutation(len(self))
        if self.labels is not None:  # a systematic sample of the objects sorted by class
            order = order[np.argsort(self.labels[order], kind="stable")]
        return np.sort(order[(np.arange(n) * len(self)) // n])

    def take(self, rows: Any) -> Self:
        """Some of the objects.

        Parameters
        ----------
        rows : array of int

        Returns
        -------
        data : Dataset
        """
        if self.is_matrix:
            X = self.X[np.ix_(rows, rows)]
        else:
            X = [self.X[i] for i in rows] if isinstance(self.X, list) else self.X[rows]
        chosen: dict[str, Any] = {
            name: None if value is None else value[rows]
            for name, value in (
                ("labels", self.labels),
                ("groups", self.groups),
                ("target", self.target),
            )
        }
        return replace(self, X=X, names=[self.names[i] for i in rows], code="", **chosen)


def classes_in_words(classes: dict[Any, int]) -> str:
    """The classes and their sizes, in words."""
    if not classes:
        return "no classes"
    sizes = list(classes.items())
    shown = ", ".join(f"{name}: {size}" for name, size in sizes[:_SHOWN_CLASSES])
    rest = ", …" if len(sizes) > _SHOWN_CLASSES else ""
    return f"{len(sizes)} classes ({shown}{rest})"
