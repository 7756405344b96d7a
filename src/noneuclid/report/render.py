"""From an analysis to one self-contained page."""

import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from noneuclid._text import visible
from noneuclid._version import __version__
from noneuclid.report.blocks import Analysis, Figure


def render(*analyses: Analysis, title: str | None = None, now: datetime | None = None) -> str:
    """Return the page: style, script, drawings and data in one file that needs no network.

    Parameters
    ----------
    *analyses : Analysis
        One or more, one after the other.
    title : str, optional
        Of the page; by default that of the only analysis.
    now : datetime, optional
        The time to print; by default the present.

    Returns
    -------
    str
        HTML that needs nothing else.

    Examples
    --------
    >>> page = render(Analysis("Mine", "3 rows", [], [], "print(1)"))
    >>> page.startswith("<!DOCTYPE html>"), "http://" in page
    (True, False)
    """
    import jinja2

    folder = files("noneuclid.report").joinpath("page")
    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_finished,
    )
    environment.filters |= {"json": embedded_json, "program": _program}
    template = environment.from_string(folder.joinpath("page.html").read_text(encoding="utf-8"))
    moment = now or datetime.now(UTC)
    return template.render(
        title=title or (analyses[0].title if len(analyses) == 1 else "noneuclid report"),
        analyses=analyses,
        style=folder.joinpath("style.css").read_text(encoding="utf-8"),
        script=folder.joinpath("script.js").read_text(encoding="utf-8"),
        version=__version__,
        date=f"{moment:%d %B %Y}".lstrip("0"),
    )


def standalone(figure: Figure) -> str:
    """The drawing of a page as a file of its own, with the style of the page.

    Examples
    --------
    >>> drawing = '<svg class="plot" viewBox="0 0 9 9"><path d="M0 0H9"/></svg>'
    >>> standalone(Figure("Line", drawing, "", "")).startswith('<svg xmlns="http://www.w3.org/')
    True
    """
    style = files("noneuclid.report").joinpath("page", "style.css").read_text(encoding="utf-8")
    head = '<svg xmlns="http://www.w3.org/2000/svg" '
    drawing = figure.svg.replace("<svg ", head, 1)
    before, mark, after = drawing.partition(">")
    return f"{before}{mark}<style>{style}</style>{after}"


def embedded_json(value: Any) -> Any:
    """JSON that cannot end the script element it stands in."""
    import markupsafe

    text = json.dumps(_all_visible(value), ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return markupsafe.Markup(text)  # safe: nothing that markup knows is left


def _all_visible(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _all_visible(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_all_visible(part) for part in value]
    return visible(value) if isinstance(value, str) else value


def _program(code: str) -> Any:
    """Lines of code, in which texts of the data are literals."""
    import markupsafe

    return markupsafe.escape(visible(code, keep="\n"))


def _finished(value: Any) -> Any:
    """What an expression of the page becomes, before it is escaped; markup stays as it is."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return visible(value) if is_text else value
