"""Fonts for names in other scripts: the first installed one that has their letters."""

from collections.abc import Iterable
from functools import cache
from typing import Any

# It has every letter, as a box that names its script.
_LAST_RESORT = "Last Resort"


@cache
def _letters_of(path: str) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    try:
        return frozenset(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):  # a file that is gone, or no font
        return frozenset()


def families_with(letters: Iterable[str]) -> list[str]:
    """Families of installed fonts that together have the letters, as far as there are any.

    Parameters
    ----------
    letters : iterable of str
        Single letters.

    Returns
    -------
    list of str
        Names for matplotlib's ``font.family``; the family that has most letters first.

    Examples
    --------
    >>> families_with("")
    []
    """
    from matplotlib import font_manager

    wanted, found = {ord(letter) for letter in letters}, []
    fonts: Any = {
        font.name: font.fname
        for font in sorted(font_manager.fontManager.ttflist, key=lambda f: (f.name, f.fname))
        if font.style == "normal" and not font.name.startswith(_LAST_RESORT)
    }
    while wanted and fonts:
        best = max(fonts, key=lambda name: len(wanted & _letters_of(fonts[name])))
        has = wanted & _letters_of(fonts.pop(best))
        if not has:
            break
        found.append(best)
        wanted -= has
    return found
