"""Text of unknown origin, made fit to be shown."""

import unicodedata

_LONGEST = 600


def visible(text: object, keep: str = "") -> str:
    r"""Text in which nothing is hidden: what has no shape of its own is written as an escape.

    Control sequences, ends of lines, zero-width letters, marks that turn the direction of writing,
    and halves of characters would otherwise do something to a terminal or a page, or let one name
    look like another. ``keep`` names exceptions.

    Examples
    --------
    >>> visible("a\x1b[31mb\u202e\nc"), visible("größer 幅\xa0%")
    ('a\\x1b[31mb\\u202e\\nc', 'größer 幅\xa0%')
    """
    shown = str(text)
    if shown.isprintable():
        return shown
    return "".join(c if c in keep or _has_shape(c) else _escaped(c) for c in shown)


def _has_shape(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def sentence(text: object) -> str:
    """One line of bounded length: the middle of a longer one is left out, its remedy is not."""
    shown = visible(text)
    if len(shown) <= _LONGEST:
        return shown
    return f"{shown[: _LONGEST // 2]} … {shown[-_LONGEST // 3 :]}"
