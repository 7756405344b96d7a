"""Sentences in the words of whoever asked: options of the command, or arguments in Python.

Sentences are written as the command says them. Where no command runs, an error speaks Python.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

# Options that take a value, and the arguments that do; words that they take beside names.
_KINDS = "similarity|dissimilarity|curves|vectors|spikes|sequences|KIND"
_VALUES = {
    "--labels": ("labels", ""),
    "--target": ("target", ""),
    "--groups": ("groups", ""),
    "--id": ("index", ""),
    "--ignore": ("ignore", ""),
    "--kind": ("kind", _KINDS),
    "--axis": ("axis", "across|down|none"),
    "--case": ("case", "keep"),
    "--missing": ("missing", "drop|mean"),
    "--decimal": ("decimal", "comma|point"),
    "--format": ("format", ""),
    "--sheet": ("sheet", ""),
    "--units": ("units", ""),
    "--metric": ("metric", ""),
    "--width": ("width", ""),
    "--landmarks": ("n_landmarks", ""),
    "--groups-number": ("n_groups", ""),
    "--max-objects": ("max_objects", ""),
    "--memory-limit": ("memory_limit", ""),
    "--scheduler": ("scheduler", ""),
}
# Options that take none.
_SWITCHES = {
    "--no-labels": "use_labels=False",
    "--squared": "squared=True",
    "--plain": "squared=False",
    "--symmetrize": "symmetrize=True",
    "--quick": "quick=True",
    "--force": "force=True",
    "--raw": "raw=True",
}
_NUMBER = r"[-+]?\d[\d.e+-]*(?=[ :,;)]|$)|VALUE"
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_PLACE = r"(?:[^\s'\"]*:)?(?:COLUMN|NAME)\b"  # what somebody else has to fill in
_WRONG = r"[^\s:'\"]+(?=: )"  # a value that is refused: a colon follows
_ADDRESS = r"\w+://[^\s'\"]+"

_command_runs = False


@contextmanager
def in_command() -> Iterator[None]:
    """Speak as the command does, in all threads."""
    global _command_runs
    before, _command_runs = _command_runs, True
    try:
        yield
    finally:
        _command_runs = before


def spoken(words: str) -> str:
    """A sentence that may name options of the command, in the words of whoever asked.

    Parameters
    ----------
    words : str
        As the command says it.

    Returns
    -------
    str
        The same while a command runs; else with the arguments of Python.

    Examples
    --------
    >>> spoken("some cells are empty: say --missing drop or mean, or --plain")
    'some cells are empty: say missing="drop" or "mean", or squared=False'
    >>> with in_command():
    ...     spoken("leave --kind out")
    'leave --kind out'
    """
    return words if _command_runs else _OPTION.sub(_in_python, words)


def _pattern() -> re.Pattern[str]:
    named = "|".join(sorted((*_VALUES, *_SWITCHES), key=len, reverse=True))
    choices = "|".join(filter(None, (words for _, words in _VALUES.values())))
    value = rf"{_NUMBER}|(?:{choices})\b|{_QUOTED}|{_PLACE}|{_ADDRESS}|{_WRONG}"
    # Names of files and columns are quoted: what is in quotes stays as it is.
    return re.compile(
        rf"(?<!\w)(?P<name>{_QUOTED})|(?<![\w-])(?P<option>{named})(?![\w-])"
        rf"(?: (?P<value>{value})(?: or (?P<other>(?:{choices})\b))?)?"
    )


_OPTION = _pattern()


def _in_python(found: re.Match[str]) -> str:
    option, value, other = found["option"], found["value"], found["other"]
    if option is None:
        return found[0]
    if option in _SWITCHES:
        return _SWITCHES[option] + found[0][len(option) :]
    argument = _VALUES[option][0]
    if value is None:
        return argument
    return f"{argument}={_literal(value)}" + (f" or {_literal(other)}" if other else "")


def _literal(value: str) -> str:
    return value if re.fullmatch(rf"{_NUMBER}|{_QUOTED}", value) else f'"{value}"'
