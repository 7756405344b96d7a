"""What a reader of files is, and which one reads a file."""

import contextlib
import importlib
import inspect
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import ClassVar, TypeVar

from noneuclid._documentation import Documented
from noneuclid._files import DataError
from noneuclid.datasets._table import decode
from noneuclid.datasets.content import Content, Wishes

T = TypeVar("T", bound="Reader | type[Reader]")

# What a reader that looks inside gets to see of a file.
_HEAD = 2**16
_registered: list["Reader"] = []


@dataclass
class DataFile:
    """A file to be read, and what the user said about it.

    Parameters
    ----------
    path : Path
        A file or a folder.
    labels : str, optional
        What holds the classes: the name of a column or array of this file, or of another file.
        Only formats that have names for such things need to look at it.
    kind : str, default="auto"
        The kind of data the user expects.
    wishes : Wishes, optional
        All that the user said; by default classes and kind.
    """

    path: Path
    labels: str | None = None
    kind: str = "auto"
    wishes: Wishes = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.wishes is None:
            self.wishes = Wishes(self.labels, self.kind)
        self.labels, self.kind = self.wishes.labels, self.wishes.kind

    @property
    def name(self) -> str:
        """Name of the file, for messages."""
        return self.path.name

    @cached_property
    def head(self) -> bytes:
        """The beginning of the file; empty for a folder."""
        if self.path.is_dir():
            return b""
        with self.path.open("rb") as file:
            return file.read(_HEAD)

    def text(self) -> str:
        """Return the text in any usual encoding; raise a ``DataError`` if the file holds none.

        Returns
        -------
        str
            With line feeds as ends of lines, and without a byte-order mark.
        """
        return decode(self.path)


class Reader(Documented, ABC):
    """How one format of files is read: give ``suffixes`` or ``recognises``, and ``read``.

    Attributes
    ----------
    suffixes : tuple of str
        Endings of the format, in small letters and with the dot.
    formats : tuple of str
        What a user may call the format, to have a file read as such whatever it looks like; without
        them, the endings.
    is_fallback : bool
        Whether it is asked after all others, for what nobody else knows.
    is_wrapping : bool
        Whether there is another file inside, which is what a format named by the user is about.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    formats: ClassVar[tuple[str, ...]] = ()
    is_fallback: ClassVar[bool] = False
    is_wrapping: ClassVar[bool] = False

    def recognises(self, file: DataFile) -> bool:
        """Whether the file is of the format; by default, whether it has one of the endings.

        Parameters
        ----------
        file : DataFile
            Path, first bytes and text of the file.

        Returns
        -------
        bool
            True if this reader is to read it.
        """
        return file.path.suffix.lower() in self.suffixes and not file.path.is_dir()

    @abstractmethod
    def read(self, file: DataFile) -> Content:
        """Return what the file holds.

        A ``ValueError`` (or ``DataError``) that names the place and the remedy becomes the one
        sentence the user sees; of any other exception he sees that the file is damaged.

        Parameters
        ----------
        file : DataFile
            Path, first bytes and text of the file.

        Returns
        -------
        Content
            Objects, and what is known of them.
        """


def register_reader(reader: T) -> T:
    """Let :func:`read_dataset` know a format: its reader is asked before those of the package.

    Parameters
    ----------
    reader : Reader or class of Reader
        Of several that recognise a file, the last one registered reads it.

    Returns
    -------
    reader : Reader or class of Reader
        As given, so that it can be used as a decorator of the class.

    Examples
    --------
    >>> import tempfile
    >>> from noneuclid.datasets import Content, Reader, read_dataset, register_reader
    >>> @register_reader
    ... class Morse(Reader):
    ...     suffixes = (".morse",)
    ...
    ...     def read(self, file):
    ...         return Content(file.name, sequences=file.text().split(" / "))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "words.morse"
    ...     _ = path.write_text(".-.. / ...-")
    ...     read_dataset(path).X
    ['.-..', '...-']
    """
    made = reader() if inspect.isclass(reader) else reader
    if not isinstance(made, Reader):
        raise TypeError(f"register_reader takes a Reader, not {reader!r}")
    _registered[:] = [made, *(r for r in _registered if type(r) is not type(made))]
    return reader


@contextlib.contextmanager
def temporarily(reader: Reader) -> Iterator[None]:
    """Let a reader be asked first, for as long as a block of code runs."""
    before = _registered.copy()
    try:
        register_reader(reader)
        yield
    finally:
        _registered[:] = before


def all_readers() -> list[Reader]:
    """Return all readers in the order in which they are asked.

    First what was registered, then readers by the ending of a file, then those that look inside.

    Returns
    -------
    list of Reader
        Instances.
    """
    return [*_registered, *_own_readers()]


def reader_of(file: DataFile) -> Reader:
    """Return the reader of a file: that of the format the user has named, or who recognises it."""
    wanted, readers = file.wishes.format.lower(), all_readers()
    if wanted != "auto":
        wrapping = [reader for reader in readers if reader.is_wrapping and reader.recognises(file)]
        found = wrapping or [reader for reader in readers if wanted in names_of(reader)]
        if not found:
            known = sorted({name for reader in readers for name in names_of(reader)})
            raise DataError(f"--format {wanted}: say auto or one of {', '.join(known)}")
        return found[0]
    return next(reader for reader in readers if reader.recognises(file))


def names_of(reader: Reader) -> tuple[str, ...]:
    """What a user may call the format of a reader."""
    if reader.is_wrapping:
        return ()
    return reader.formats or tuple(suffix.lstrip(".") for suffix in reader.suffixes)


@cache
def _own_readers() -> tuple[Reader, ...]:
    package = importlib.import_module(__package__)
    found = set()
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{__package__}.{info.name}")
        found |= {cls for _, cls in inspect.getmembers(module, inspect.isclass)}
    own = [cls for cls in found if issubclass(cls, Reader) and not inspect.isabstract(cls)]
    order = sorted(own, key=lambda cls: (cls.is_fallback, not cls.suffixes, cls.__name__))
    return tuple(cls() for cls in order)
