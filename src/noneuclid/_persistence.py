"""Saving and loading models without pickle."""

import contextlib
import functools
import importlib
import importlib.util
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO
from zipfile import ZipFile

from noneuclid._model_files import BadModelFile, built, read_schema, renamed, rewrite
from noneuclid._moved import MOVED
from noneuclid._upgrades import upgrade
from noneuclid._version import __version__
from noneuclid._warnings import warn
from noneuclid._writing import write_atomically

# Before, files could name what is called when they are read (CVE-2025-54412, CVE-2025-54413, and
# the bit generators of NumPy), and trees of scikit-learn that crash.
_SAFE_SKOPS = (0, 16)

_ENDLESS = "it contains itself"


def save(model: Any, path: str | Path) -> None:
    """Write a model, space or kernel to a file that runs no code when it is read.

    Lambdas, and functions and classes defined inside functions, cannot be found again when
    loading and are refused; nothing is written then.

    Parameters
    ----------
    model : object
        A fitted or unfitted estimator, space or kernel.
    path : str or Path
        Usually ending in ``.skops``.

    Examples
    --------
    >>> import tempfile, noneuclid
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     noneuclid.save(noneuclid.Lp(1.5), folder + "/space.skops")
    ...     noneuclid.load(folder + "/space.skops")
    Lp(p=1.5)
    """
    write_atomically(path, dumps(model))


def dumps(model: Any) -> bytes:
    """What :func:`save` writes."""
    skops_io = _skops_io()
    try:
        _refuse_local_functions(model, set())
        data = skops_io.dumps({"format": "noneuclid", "version": __version__, "model": model})
        with ZipFile(io.BytesIO(data)) as archive:  # what load would refuse is not written
            read_schema(archive, len(data))
    except (BadModelFile, RecursionError) as error:
        reason = _ENDLESS if isinstance(error, RecursionError) else error
        raise ValueError(f"{type(model).__name__} cannot be saved: {reason}") from None
    except TypeError as error:  # compiled functions, open files: what has no name to be found by
        if _contains_itself(model):  # which ends in whatever the depth of the stack leads to
            raise ValueError(f"{type(model).__name__} cannot be saved: {_ENDLESS}") from None
        raise ValueError(
            f"{type(model).__name__} holds something that cannot be written to a file ({error}), "
            "such as a compiled function: name a metric, or wrap it in a function of your module"
        ) from error
    return bytes(data)


def _contains_itself(thing: Any, within: tuple[int, ...] = ()) -> bool:
    """Whether a list, tuple or dict is one of its own parts, at any depth."""
    if not isinstance(thing, (list, tuple, dict)):
        return False
    if id(thing) in within:
        return True
    parts = thing.values() if isinstance(thing, dict) else thing
    return any(_contains_itself(part, (*within, id(thing))) for part in parts)


def load(path: str | Path, *, trusted: Iterable[str] = ()) -> Any:
    """Read what :func:`save` wrote.

    Parameters
    ----------
    path : str or Path
        The file.
    trusted : iterable of str
        Further types or functions to trust, by their full name. NumPy's, SciPy's,
        scikit-learn's and this package's own are trusted already.

    Returns
    -------
    object
        What was saved, as it was.
    """
    skops_io = _skops_io()
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no model file {str(path)!r}")
    with path.open("rb") as file, _told(path):
        names = {trusted} if isinstance(trusted, str) else set(trusted)
        content = _content(skops_io, file, names)
    if not isinstance(content, dict) or content.get("format") != "noneuclid":
        raise ValueError(f"{str(path)!r} is not a model saved by noneuclid.save")
    if content.get("version") != __version__:
        warn(
            f"{str(path)!r} was saved by noneuclid {_line(content.get('version'))}, this is "
            f"{__version__}: results may differ"
        )
    return content.get("model")


def _content(skops_io: ModuleType, file: BinaryIO, trusted: set[str]) -> Any:
    """What is in a file, after all of it was looked through."""
    with ZipFile(file) as archive:
        schema = read_schema(archive, os.fstat(file.fileno()).st_size)
        if renamed(schema, MOVED):
            copy = io.BytesIO()
            rewrite(archive, schema, copy)
            file = copy
    file.seek(0)
    unknown = set(skops_io.get_untrusted_types(file=file))
    foreign = unknown - _own_types() - trusted
    foreign = foreign and foreign - _search_types()
    if foreign:
        raise BadModelFile(
            f"it contains types that are not trusted: {', '.join(sorted(foreign))}. If you know "
            "where the file comes from, name them in load(..., trusted=[...])"
        )
    for name in sorted(unknown & built(schema)):
        if not isinstance(_find(name), type):
            raise BadModelFile(f"it would call {name}, which is no type")
    file.seek(0)
    content = skops_io.load(file, trusted=sorted(unknown))
    upgrade(content)
    return content


def _find(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever is wrong with a file, say it in one sentence."""
    try:
        yield
    except (Warning, MemoryError):  # a user's own filter; a model that is really large
        raise
    except BadModelFile as error:
        raise ValueError(f"{str(path)!r} is not read: {error}") from None
    except (ImportError, AttributeError) as error:
        raise ValueError(
            f"{str(path)!r} needs something that is not installed here: {_line(error)}"
        ) from error
    except Exception as error:  # a parser may raise anything for a file that is damaged
        raise ValueError(
            f"{str(path)!r} is not a model saved by noneuclid.save, or it is damaged "
            f"({type(error).__name__}: {_line(error)})"
        ) from error


def _line(text: Any) -> str:
    """The first words of a text that may come from a file: in one line, nothing but letters."""
    line = " ".join(str(text).split())[:200]
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _skops_io() -> ModuleType:
    if importlib.util.find_spec("skops") is None:
        raise ImportError('saving and loading needs skops: pip install "noneuclid[io]"')
    import skops.io

    if tuple(int(part) for part in skops.__version__.split(".")[:2]) < _SAFE_SKOPS:
        raise ImportError(
            f"skops {skops.__version__} can be made to run code by a model file: "
            'pip install --upgrade "noneuclid[io]"'
        )
    return skops.io


def _own_types() -> set[str]:
    """Names of the package's types that a model may have; readers of data are none of them."""
    from noneuclid._discovery import own_classes

    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in own_classes()}
    return {name for name in names if not name.startswith("noneuclid.datasets.")}


def _search_types() -> set[str]:
    """What a fitted search of scikit-learn has besides estimators: splits and scores."""
    from sklearn import metrics, model_selection

    # Of the modules themselves, not of ``__all__``: that names experimental ones as well.
    public = [
        thing
        for home in (model_selection, metrics)
        for name, thing in vars(home).items()
        if name in home.__all__ and callable(thing)
    ]
    scorers = ("_PassthroughScorer", "_Scorer", "_MultimetricScorer")
    return {f"{thing.__module__}.{thing.__qualname__}" for thing in public} | {
        f"sklearn.metrics._scorer.{name}" for name in scorers
    }


def _refuse_local_functions(value: Any, seen: set[int]) -> None:
    if id(value) in seen:
        return
    seen.add(id(value))
    named = value if callable(value) and hasattr(value, "__qualname__") else type(value)
    name = named.__qualname__
    if "<lambda>" in name or "<locals>" in name:
        raise ValueError(
            f"cannot save {name}: a lambda, or what is defined inside a function, cannot be found "
            "again when loading; define it at the top level of a module"
        )
    if isinstance(value, functools.partial):
        parts: Iterable[Any] = (value.func, value.args, value.keywords)
    elif isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, (list, tuple, set)):
        parts = value
    else:
        parts = vars(value).values() if hasattr(value, "__dict__") else ()
    if not isinstance(value, (type, ModuleType)):
        for part in parts:
            _refuse_local_functions(part, seen)
