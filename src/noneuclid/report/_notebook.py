"""What an analysis and a dataset look like in a notebook and in a terminal."""

from html import escape
from typing import Any

from noneuclid._text import visible

_SHOWN_RESULTS = 8


def text_of(analysis: Any) -> str:
    """Title, findings, and what there is to take away, in a few lines."""
    lines = [analysis.title, *(f"· {finding}" for finding in analysis.findings)]
    for what in ("tables", "figures"):
        if names := getattr(analysis, what):
            lines.append(f"{what}: {', '.join(names)}")
    return "\n".join(visible(line) for line in lines)


def html_of(analysis: Any) -> str:
    """The same as markup that needs no style sheet and runs nothing."""
    findings = "".join(f"<li>{_shown(finding)}</li>" for finding in analysis.findings)
    rows = "".join(
        f"<tr><td>{_shown(name)}</td><td>{_shown(value)}</td></tr>"
        for name, value in analysis.results[:_SHOWN_RESULTS]
    )
    named = "".join(
        f"<p><code>.{what[:-1]}(…)</code>: {_shown(', '.join(names))}</p>"
        for what in ("tables", "figures")
        if (names := getattr(analysis, what))
    )
    return (
        f"<div><p><strong>{_shown(analysis.title)}</strong></p><ul>{findings}</ul>"
        f"{f'<table><tbody>{rows}</tbody></table>' if rows else ''}"
        f"{f'<details><summary>tables and figures</summary>{named}</details>' if named else ''}"
        '<p><code>.save("report.html")</code> writes the whole page.</p></div>'
    )


def _shown(text: object) -> str:
    return escape(visible(text))
