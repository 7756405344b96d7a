"""Numbers as people read them."""

import math


def number(value: float, digits: int = 3) -> str:
    """Significant digits, a real minus sign, no exponent unless needed.

    Examples
    --------
    >>> number(-0.12345), number(1234567.0), number(0.0000012)
    ('−0.123', '1,234,567', '1.2e−06')
    """
    value = float(value)
    if math.isnan(value):
        return "–"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 10**digits:
        text = f"{value:,.0f}" if size < 1e9 else f"{value:.{digits - 1}e}"
    elif size < 1e-4:
        text = f"{value:.{digits}g}"
    else:
        text = f"{value:.{max(digits - 1 - math.floor(math.log10(size)), 0)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "−")


def percent(share: float, digits: int = 1) -> str:
    r"""A share in percent.

    Examples
    --------
    >>> percent(0.1234)
    '12.3\xa0%'
    """
    return f"{100 * share:.{digits}f}\xa0%".replace("-", "−")


def plus_minus(mean: float, sd: float) -> str:
    r"""Mean and standard deviation of shares, in percent.

    Examples
    --------
    >>> plus_minus(0.912, 0.03)
    '91.2\xa0±\xa03.0\xa0%'
    """
    return f"{100 * mean:.1f}\xa0±\xa0{100 * sd:.1f}\xa0%"


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
