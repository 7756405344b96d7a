"""Saving and loading models without pickle."""

import functools
import importlib.util
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from noneuclid._version import __version__
from noneuclid._warnings import warn
from noneuclid._writing import write_atomically


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
    skops_io = _skops_io()
    _refuse_local_functions(model, set())
    try:
        data = skops_io.dumps({"format": "noneuclid", "version": __version__, "model": model})
    except TypeError as error:  # compiled functions, open files: what has no name to be found by
        raise ValueError(
            f"{type(model).__name__} holds something that cannot be written to a file ({error}), "
            "such as a compiled function: name a metric, or wrap it in a function of your module"
        ) from error
    write_atomically(path, data)


def load(path: str | Path, *, trusted: Iterable[str] = ()) -> Any:
    """Read what :func:`save` wrote.

    Parameters
    ----------
    path : str or Path
        The file.
    trusted : iterable of str
        Further types or functions to trust, by their full name. NumPy's, SciPy's,
        scikit-learn's and this package's own are trusted already.
    """
    skops_io = _skops_io()
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no model file {str(path)!r}")
    try:
        unknown = skops_io.get_untrusted_types(file=path)
    except Exception as error:
        raise ValueError(f"{str(path)!r} is not a model saved by noneuclid.save") from error
    ours = _own_types()
    trust = ours | set(trusted)
    foreign = sorted(set(unknown) - trust)
    if foreign:
        raise ValueError(
            f"{str(path)!r} contains types that are not trusted: {', '.join(foreign)}. If you "
            "know where the file comes from, name them in load(..., trusted=[...])"
        )
    content = skops_io.load(path, trusted=sorted(set(unknown)))
    if not isinstance(content, dict) or content.get("format") != "noneuclid":
        raise ValueError(f"{str(path)!r} is not a model saved by noneuclid.save")
    if content["version"] != __version__:
        warn(
            f"{str(path)!r} was saved by noneuclid {content['version']}, this is {__version__}: "
            "results may differ"
        )
    return content["model"]


def _skops_io() -> ModuleType:
    if importlib.util.find_spec("skops") is None:
        raise ImportError('saving and loading needs skops: pip install "noneuclid[io]"')
    import skops.io

    return skops.io


def _own_types() -> set[str]:
    from noneuclid._discovery import own_classes

    return {f"{cls.__module__}.{cls.__qualname__}" for cls in own_classes()}


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
