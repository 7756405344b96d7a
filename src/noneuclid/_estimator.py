"""Estimators whose parameters are said once: fields of a dataclass, inherited with their words.

A class declares a parameter as a field and describes it in the ``Parameters`` section of its
docstring, as numpydoc does. Sub-classes inherit both; they may give another default, describe it
anew, or remove it by declaring it a ``ClassVar``. The decorator writes the whole section into
every class, so that ``help()`` shows all parameters of a class with the defaults it has.
"""

import dataclasses
import inspect
import re
from typing import Any, TypeVar, dataclass_transform

C = TypeVar("C", bound=type)

_SECTION = re.compile(r"^Parameters\n-+\n", re.MULTILINE)
_NEXT_SECTION = re.compile(r"^[A-Z][\w ]*\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \w+)*)( : .*)?\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE)
_DEFAULT = re.compile(r"(?:, |^)(?:default=.*|optional)$")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(dataclasses.field,))
def estimator(cls: C) -> C:
    """Make a class a keyword-only dataclass, and document all its parameters.

    Examples
    --------
    >>> from typing import ClassVar
    >>> from sklearn.base import BaseEstimator
    >>> @estimator
    ... class Learner(BaseEstimator):
    ...     '''Learns.
    ...
    ...     Parameters
    ...     ----------
    ...     width : float, default=1.0
    ...         How far it reaches.
    ...     depth : int, default=3
    ...     '''
    ...     width: float = 1.0
    ...     depth: int = 3
    >>> @estimator
    ... class Narrow(Learner):
    ...     '''Learns what is near.'''
    ...     width: float = 0.1
    ...     depth: ClassVar[int] = 1
    >>> Narrow.__doc__.splitlines()[-2:]
    ['width : float, default=0.1', '    How far it reaches.']
    >>> Narrow(width=2.0)
    Narrow(width=2.0)
    """
    own = dict(cls.__dict__).get("__doc__")
    made: C = dataclasses.dataclass(kw_only=True, repr=False, eq=False)(cls)  # type: ignore[assignment]
    cls._own_documentation = inspect.cleandoc(own) if own else ""  # type: ignore[attr-defined]
    made.__doc__ = _documentation(made)
    return made


def _documentation(cls: type) -> str:
    """The docstring of the class, with every parameter of its constructor in one section."""
    own = vars(cls)["_own_documentation"]
    known: dict[str, tuple[str, str]] = {}
    for base in reversed(cls.__mro__):
        known.update(_entries(vars(base).get("_own_documentation", "")))
    parameters = inspect.signature(cls).parameters.values()
    entries = [_entry(p, *known.get(p.name, ("", ""))) for p in parameters]
    if not entries:
        return own
    section = "Parameters\n----------\n" + "\n".join(entries)
    found = _SECTION.search(own)
    if found is not None:
        rest = _NEXT_SECTION.search(own, found.end())
        before, after = own[: found.start()], own[rest.start() :] if rest else ""
    else:
        rest = _NEXT_SECTION.search(own)
        before, after = (own[: rest.start()], own[rest.start() :]) if rest else (own, "")
    return "\n\n".join(part.strip("\n") for part in (before, section, after) if part.strip())


def _entries(documentation: str) -> dict[str, tuple[str, str]]:
    """Kind and description of each parameter a docstring describes."""
    found = _SECTION.search(documentation)
    if found is None:
        return {}
    rest = _NEXT_SECTION.search(documentation, found.end())
    section = documentation[found.end() : rest.start() if rest else None].rstrip() + "\n"
    return {
        name: ((match[2] or "")[3:], match[3].rstrip())
        for match in _ENTRY.finditer(section)
        for name in match[1].split(", ")
    }


def _entry(parameter: inspect.Parameter, kind: str, description: str) -> str:
    kind = _DEFAULT.sub("", kind)
    if parameter.default is not inspect.Parameter.empty:
        default = _shown(parameter.default)
        kind = f"{kind}, {default}" if kind else default
    head = f"{parameter.name} : {kind}" if kind else parameter.name
    return f"{head}\n{description}" if description else head


def _shown(default: Any) -> str:
    if default is None:
        return "optional"
    return f'default="{default}"' if isinstance(default, str) else f"default={default!r}"


def parameter_descriptions(cls: type) -> dict[str, str]:
    """Description of every constructor parameter, as ``help()`` shows it: empty where none."""
    return {name: text.strip() for name, (_, text) in _entries(inspect.getdoc(cls) or "").items()}
