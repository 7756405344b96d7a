"""What a dataset looks like in a notebook."""

from html import escape
from typing import Any

from noneuclid._text import visible

_ROWS, _CELLS, _LETTERS = 5, 6, 40


def markup_of(data: Any) -> str:
    """What was understood, and the first objects, as markup that needs no style sheet."""
    answers = data.labels if data.target is None else data.target
    called = "class" if data.target is None else data.target_name or "target"
    head = ["", *([called] if answers is not None else []), data.noun]
    rows = [
        [
            data.names[i],
            *([answers[i]] if answers is not None else []),
            _first(data.X[i]),
        ]
        for i in range(min(_ROWS, len(data)))
    ]
    more = f"<p>… and {len(data) - _ROWS} more</p>" if len(data) > _ROWS else ""
    return (
        f"<div><p><strong>{_shown(data.understood)}</strong></p><table><thead>{_line(head, 'th')}"
        f"</thead><tbody>{''.join(_line(row, 'td') for row in rows)}</tbody></table>{more}</div>"
    )


def _first(entry: Any) -> str:
    """The beginning of an object."""
    if isinstance(entry, str):
        return entry if len(entry) <= _LETTERS else f"{entry[: _LETTERS - 1]}…"
    shown = ", ".join(f"{value:.4g}" for value in entry[:_CELLS])
    return f"{shown}, …" if len(entry) > _CELLS else shown


def _line(cells: list[Any], element: str) -> str:
    inside = "".join(f"<{element}>{_shown(cell)}</{element}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def _shown(text: object) -> str:
    return escape(visible(text))
