"""What a reader found in a file, before it is decided what it means."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from noneuclid.datasets.understanding import Part, Question
from noneuclid.typing import Array, IntArray

AXES = ("auto", "across", "down", "none")
CASES = ("auto", "keep")
DECIMALS = ("auto", "comma", "point")
# Said in the call that reads a file by themselves.
_IN_CALL = ("labels", "kind", "use_labels")


@dataclass(frozen=True)
class Wishes:
    """What a user said about a file.

    Parameters
    ----------
    labels : str, optional
        What holds the classes: the name of a column or array of this file, or of another file.
    kind : str, default="auto"
        The kind of data.
    axis : {"auto", "across", "down", "none"}, default="auto"
        Where a table has the axis of curves: in its header, in its first column, or nowhere.
    ignore : tuple of str
        Columns that are not looked at.
    index : str, optional
        The column of names.
    groups : str, optional
        The column that tells which objects belong together: replicates, patients, batches.
    case : {"auto", "keep"}, default="auto"
        Whether different ways of writing biological sequences count.
    missing : str or tuple of float, optional
        What to do about empty cells and absent pairs: ``"drop"`` the rows, fill in the ``"mean"``
        of the column (of curves: of the neighbours), a number, or one for each column.
    squared : bool, optional
        Whether dissimilarities are squared distances. If not, they are squared; if nobody says,
        they are taken as such.
    target : str, optional
        The column or array of numbers to be predicted.
    use_labels : bool, default=True
        Whether classes are looked for.
    format : str, default="auto"
        The name of a format, see :attr:`Reader.formats`, whatever the file looks like.
    sheet : str, optional
        The sheet of a workbook, by its name or its number from 1.
    decimal : {"auto", "comma", "point"}, default="auto"
        What separates fractions in numbers; the other one separates thousands.
    units : str, optional
        The unit of an axis or of times.
    columns : tuple of str
        The columns of a table that are features, whatever else they look like.
    """

    labels: str | None = None
    kind: str = "auto"
    axis: str = "auto"
    ignore: tuple[str, ...] = ()
    index: str | None = None
    groups: str | None = None
    case: str = "auto"
    missing: str | tuple[float, ...] | None = None
    squared: bool | None = None
    target: str | None = None
    use_labels: bool = True
    format: str = "auto"
    sheet: str | None = None
    decimal: str = "auto"
    units: str | None = None
    columns: tuple[str, ...] = ()

    @property
    def in_code(self) -> str:
        """What is said beside classes and kind, as arguments of a call."""
        beside = [field for field in fields(self) if field.name not in _IN_CALL]
        values = [(field.name, getattr(self, field.name), field.default) for field in beside]
        return "".join(f", {name}={value!r}" for name, value, usual in values if value != usual)


@dataclass
class Content:
    """What a file holds: one of ``matrix``, ``trains`` and ``sequences``, and what is about them.

    Parameters
    ----------
    file : str
        Name of the file, for messages.
    matrix : array of shape (n, d), optional
        A table of numbers: proximities, curves or vectors. NaN where there is a hole.
    trains : list of arrays, optional
        Times of events, one array per object.
    sequences : list of str, optional
        One string per object.
    kind : str, optional
        The kind of :class:`Dataset`, where the format or names in the file tell it; without it,
        :func:`guess_kind` looks at the numbers.
    names : list of str, optional
        Names of the objects.
    features : list of str, optional
        Names of the columns of ``matrix``.
    grid : array of shape (d,), optional
        Positions of the columns, if they are points of curves.
    labels : sequence, optional
        Classes of the objects.
    label_name : str
        What the file calls them.
    groups : sequence, optional
        Which objects belong together.
    other : dict
        What else has one value per object, by name: ``labels=`` may choose it.
    notes : list of str
        Decisions taken while reading.
    parts : list of Part
        What the columns are taken for.
    questions : list of Question
        What could be meant otherwise, though the file can be read.
    place : function of two numbers, optional
        Where an entry of the matrix is in the file, in words, by its row and column.
    """

    file: str
    matrix: Array | None = None
    trains: list[Array] | None = None
    sequences: list[str] | None = None
    kind: str | None = None
    names: list[str] | None = None
    features: list[str] | None = None
    grid: Array | None = None
    labels: Any = None
    label_name: str = ""
    groups: Any = None
    other: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    is_biological: bool = False
    """Whether the format tells that sequences are those of nucleotides or amino acids."""
    asymmetry: float = 0.0
    """Of a matrix that was made symmetric, before."""
    units: str | None = None
    """Of the axis or of times, where the file tells it."""
    place: Callable[[int, int], str] | None = None
    kept: IntArray | None = None
    """Which objects of the file are still there, if not all."""
    n_in_file: int = 0
    """How many there were then."""

    @property
    def objects(self) -> Any:
        """The one of ``matrix``, ``trains`` and ``sequences`` that is there."""
        there = [x for x in (self.matrix, self.trains, self.sequences) if x is not None]
        if len(there) != 1:
            raise ValueError(
                f"{self.file}: a reader must find one of matrix, trains and sequences, "
                f"not {len(there)}"
            )
        return there[0]

    def keep(self, rows: IntArray) -> None:
        """Forget all objects of a matrix but some.

        Parameters
        ----------
        rows : array of int
            Indices of the objects that stay, in their new order.
        """
        assert self.matrix is not None
        if self.kept is None:
            self.kept, self.n_in_file = rows, len(self.matrix)
        else:
            self.kept = self.kept[rows]
        self.matrix = self.matrix[rows]
        for name in ("names", "labels", "groups"):
            if (values := getattr(self, name)) is not None:
                setattr(self, name, [values[i] for i in rows])
        self.other = {name: [values[i] for i in rows] for name, values in self.other.items()}
        if (place := self.place) is not None:
            self.place = lambda row, column: place(int(rows[row]), column)

    def numbered(self, n: int) -> list[str]:
        """Names of n objects that have none: their numbers in the file, whatever was left out.

        Parameters
        ----------
        n : int
            How many objects are still there.

        Returns
        -------
        list of str
        """
        rows = range(n) if self.kept is None else self.kept.tolist()
        return [str(i + 1) for i in rows]

    def where(self, row: int, column: int) -> str:
        """Where an entry of the matrix is, as a person would look for it; both count from 0.

        Parameters
        ----------
        row, column : int
            Indices of the entry.

        Returns
        -------
        str
            File, line and column, as far as they are known.
        """
        if self.place is not None:
            return self.place(row, column)
        return f"{self.file}, row {row + 1}, column {column + 1}"
