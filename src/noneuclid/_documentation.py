"""Sections of docstrings: what is said once of a class or a method holds for those that inherit.

A method that overrides another keeps its parameters and what it returns, so its docstring says
only what is new; :func:`complete_methods` adds the sections for ``help()`` and the reference.
"""

import inspect
import re
from typing import Any

_HEADING = r"^{}\n-{{3,}}\n"
_ANY_HEADING = re.compile(_HEADING.format(r"[A-Z][\w ]*"), re.MULTILINE)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \w+)*)( : .*)?\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE)
_OF_METHODS = ("Parameters", "Returns")

Entries = dict[str, tuple[str, str]]


class Documented:
    """Whose sub-classes inherit the sections of the methods they override."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        complete_methods(cls)


def complete_methods(cls: type) -> None:
    """Add the sections that a base says of the same method, and its own docstring does not.

    Examples
    --------
    >>> class Number:
    ...     def plus(self, other):
    ...         '''The sum.
    ...
    ...         Returns
    ...         -------
    ...         Number
    ...         '''
    >>> class Complex(Number):
    ...     def plus(self, other):
    ...         '''Real and imaginary parts are added.'''
    >>> complete_methods(Complex)
    >>> Complex.plus.__doc__.splitlines()[2:]
    ['Returns', '-------', 'Number']
    """
    for name, member in vars(cls).items():
        method = getattr(member, "__func__", member)
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        for base in cls.__mro__[1:]:
            words = getattr(base, name).__doc__ if name in vars(base) else None
            if method.__doc__ and words:
                method.__doc__ = _completed(method.__doc__, inspect.cleandoc(words))


def _completed(documentation: str, inherited: str) -> str:
    text, after = inspect.cleandoc(documentation), None
    for section in _OF_METHODS:
        start, stop = bounds(inherited, section)
        if start is not None and bounds(text, section)[0] is None:
            words = inherited[start:stop].split("\n", 2)[2].strip("\n")
            text = with_section(text, section, [words], after)
        after = section
    return text


def with_section(text: str, section: str, entries: list[str], after: str | None) -> str:
    """The text with the section written anew, where it stood or after another one."""
    if not entries:
        return text
    start, stop = bounds(text, section)
    if start is None:
        start = stop = bounds(text, after)[1]
    parts = text[:start], f"{section}\n{'-' * len(section)}\n" + "\n".join(entries), text[stop:]
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def bounds(text: str, section: str | None) -> tuple[int | None, int]:
    """Where a section begins and ends; without a name, or without it, the end of the preface."""
    found = re.search(_HEADING.format(section), text, re.MULTILINE) if section else None
    following = _ANY_HEADING.search(text, found.end() if found else 0)
    stop = following.start() if following else len(text)
    return (found.start() if found else None), stop


def entries_of(documentation: str, section: str) -> Entries:
    """Kind and description of every entry of a section."""
    start, stop = bounds(documentation, section)
    if start is None:
        return {}
    body = documentation[start:stop].split("\n", 2)[2].rstrip() + "\n"
    return {
        name: ((match[2] or "")[3:], match[3].rstrip())
        for match in _ENTRY.finditer(body)
        for name in match[1].split(", ")
    }
