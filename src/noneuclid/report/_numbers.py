"""Numbers as people read them."""

import math
import re
from typing import Self

_NUMBER = r"[+-]?\d[\d,]*\.?\d*(?:e[+-]?\d+)?"
_CELL = re.compile(rf"({_NUMBER})(?: ± ({_NUMBER}))?( ?%)?")


class Shown(str):
    r"""A number as people read it, which remembers the number, and its spread if it has one.

    Examples
    --------
    >>> cell = percent(0.12345)
    >>> cell, cell.value
    ('12.3\xa0%', 0.12345)
    """

    value: float
    spread: float | None

    def __new__(cls, text: str, value: float, spread: float | None = None) -> Self:
        """The text with its number."""
        found = super().__new__(cls, text)
        found.value, found.spread = float(value), spread
        return found


def read_cell(cell: str) -> tuple[float, float | None] | None:
    """The number of a cell and its spread; of other texts what they say, None if it is no number.

    Examples
    --------
    >>> read_cell(plus_minus(0.9123, 0.03)), read_cell("−1.5 ± 0.2"), read_cell("–"), read_cell("a")
    ((0.9123, 0.03), (-1.5, 0.2), (nan, None), None)
    """
    if isinstance(cell, Shown):
        return cell.value, cell.spread
    text = cell.replace("−", "-").replace("\xa0", " ").strip()
    if text in ("–", "-", ""):
        return math.nan, None
    found = _CELL.fullmatch(text)
    if found is None:
        return None
    scale = 0.01 if found[3] else 1.0
    value, spread = (
        None if part is None else scale * float(part.replace(",", "")) for part in found.group(1, 2)
    )
    assert value is not None
    return value, spread


def number(value: float, digits: int = 3) -> Shown:
    """Significant digits, a real minus sign, no exponent unless needed.

    Parameters
    ----------
    value : float
    digits : int, default=3

    Returns
    -------
    Shown
        Text that remembers the number.

    Examples
    --------
    >>> number(-0.12345), number(1234567.0), number(0.0000012)
    ('−0.123', '1,234,567', '1.2e−06')
    """
    value = float(value)
    if math.isnan(value):
        return Shown("–", value)
    if value == 0:
        return Shown("0", value)
    size = abs(value)
    if size >= 10**digits:
        text = f"{value:,.0f}" if size < 1e9 else f"{value:.{digits - 1}e}"
    elif size < 1e-4:
        text = f"{value:.{digits}g}"
    else:
        text = f"{value:.{max(digits - 1 - math.floor(math.log10(size)), 0)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return Shown(text.replace("-", "−"), value)


def percent(share: float, digits: int = 1) -> Shown:
    r"""A share in percent.

    Parameters
    ----------
    share : float
    digits : int, default=1
        After the point.

    Returns
    -------
    Shown
        Text that remembers the share.

    Examples
    --------
    >>> percent(0.1234)
    '12.3\xa0%'
    """
    rounded = round(100 * share, digits) + 0.0  # no minus before a zero
    return Shown(f"{rounded:.{digits}f}\xa0%".replace("-", "−"), share)


def difference(value: float, error: float, digits: int = 1) -> Shown:
    """A difference and its error, both with so many digits after the point.

    Examples
    --------
    >>> difference(-1.24, 0.3)
    '−1.2 ± 0.3'
    """
    text = f"{value:.{digits}f} ± {error:.{digits}f}".replace("-", "−")
    return Shown(text, value, float(error))


def plus_minus(mean: float, sd: float) -> Shown:
    r"""Mean and standard deviation of shares, in percent.

    Parameters
    ----------
    mean, sd : float

    Returns
    -------
    Shown
        Text that remembers both.

    Examples
    --------
    >>> plus_minus(0.912, 0.03)
    '91.2\xa0±\xa03.0\xa0%'
    """
    return Shown(f"{100 * mean:.1f}\xa0±\xa0{100 * sd:.1f}\xa0%", mean, float(sd))


def listing(words: list[str], most: int = 5) -> str:
    """Words in a sentence.

    Examples
    --------
    >>> listing(["a", "b", "c"]), listing(["a", "b", "c"], 2)
    ('a, b and c', 'a, b and 1 more')
    """
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def capital(text: str) -> str:
    """The text as the beginning of a sentence.

    Examples
    --------
    >>> capital("kernel GLVQ"), capital("")
    ('Kernel GLVQ', '')
    """
    return text[:1].upper() + text[1:]
