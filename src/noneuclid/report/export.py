"""Everything of an analysis in one folder, complete or not at all."""

import hashlib
import importlib.util
import io
import json
import os
import re
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from noneuclid import _writing
from noneuclid._files import DataError
from noneuclid._text import visible
from noneuclid._version import __version__
from noneuclid._warnings import warn
from noneuclid.displays.charts import COLUMN
from noneuclid.displays.fonts import families_with
from noneuclid.report import _tables
from noneuclid.report.blocks import Analysis, Figure
from noneuclid.report.kept import kept_data
from noneuclid.report.prediction import lines_of
from noneuclid.report.render import render, standalone

MARKER = "noneuclid-export.json"
_NARROWEST, _WIDEST = 40.0, 500.0
_DOTS_PER_INCH = 600
# Letters stay letters in PDF, and are drawn in SVG, so that both look alike everywhere.
_FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None}},
    "pdf": {"metadata": {"CreationDate": None}},
    "png": {"dpi": _DOTS_PER_INCH},
}
_SETTINGS: Any = {"pdf.fonttype": 42, "svg.fonttype": "path", "svg.hashsalt": "noneuclid"}
Files = dict[str, bytes]


def export(
    analysis: Analysis, folder: str | Path, *, width: float = COLUMN, force: bool = False
) -> Path:
    """Write page, figures, tables, predictions, model and program into a folder.

    The folder is written beside and then renamed: it is there completely or as it was before.

    Parameters
    ----------
    analysis : Analysis
    folder : str or Path
    width : float, default=89
        Of the figures, in millimetres.
    force : bool, default=False
        Write into a folder that holds other files, too; these stay.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     found = export(Analysis("Mine", "3 rows", [], [], "print(1)"), f"{place}/mine")
    ...     sorted(os.listdir(found))
    ['contents.txt', 'noneuclid-export.json', 'report.html', 'reproduce.py']
    """
    folder = check_export(folder, width=width, force=force)
    files = files_of(analysis, width)
    written = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    about = {"made by": f"noneuclid {__version__}", "files": written}
    files[MARKER] = json.dumps(about, indent=1).encode()
    with _beside(folder) as temporary:
        for name, data in files.items():
            path = temporary / name
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_bytes(data)
        _put(temporary, folder)
    return folder


# --- the folder -------------------------------------------------------------------------------


def check_export(folder: str | Path, *, width: float = COLUMN, force: bool = False) -> Path:
    """The folder by its true path; raises before the work begins, if it may not be written.

    Parameters
    ----------
    folder : str or Path
    width : float, default=89
    force : bool, default=False

    Returns
    -------
    Path
    """
    if not _NARROWEST <= width <= _WIDEST:
        raise DataError(
            f"a figure cannot be {width:g} mm wide: say {_NARROWEST:g} to {_WIDEST:g} mm, 89 for "
            "one column of a journal"
        )
    if importlib.util.find_spec("matplotlib") is None:
        raise DataError('figures for papers need matplotlib: pip install "noneuclid[plot]"')
    path = Path(os.path.realpath(folder))
    if path.exists() and not path.is_dir():
        raise DataError(f"{str(folder)!r} is a file: give the name of a folder to write")
    if not path.parent.is_dir():
        raise DataError(f"there is no folder {str(path.parent)!r} to write {path.name} in: make it")
    if not os.access(path.parent, os.W_OK):
        raise DataError(f"the folder {str(path.parent)!r} may not be written to")
    if path in (here := Path.cwd(), *here.parents, Path.home()):
        raise DataError(f"{str(folder)!r} is in use: give a folder that holds the export alone")
    foreign = [] if force else _foreign(path)
    if foreign:
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise DataError(
            f"{str(folder)!r} holds what no export wrote ({foreign[0]}{more}): give another "
            "folder, or say --force, which keeps other files and replaces those of the export"
        )
    return path


def _foreign(folder: Path) -> list[str]:
    """Files of a folder that an earlier export did not write, or that were changed since."""
    if not folder.is_dir():
        return []
    try:
        known = dict(json.loads((folder / MARKER).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        known = {}
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            continue
        own = name == MARKER and known
        if not own and (name not in known or _digest(path) != known[name]):
            found.append(name)
    return found


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """A temporary folder in the same place, of which nothing is left."""
    temporary = _writing.temporary_beside(folder)
    try:
        _writing.UNFINISHED.add(temporary)
        temporary.mkdir()
        yield temporary
    finally:
        _writing.remove(temporary)


def _put(temporary: Path, folder: Path) -> None:
    """Let the new folder take the place of the old one, and keep what others wrote there."""
    if not folder.exists():
        os.rename(temporary, folder)
        return
    for name in _foreign(folder):
        if not (temporary / name).exists():
            (temporary / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(folder / name, temporary / name, follow_symlinks=False)
    old = _writing.temporary_beside(folder)  # finished, so whoever ends the process leaves it
    os.rename(folder, old)
    try:
        os.rename(temporary, folder)
    except BaseException:
        os.rename(old, folder)
        raise
    _writing.remove(old)


# --- what is in it ----------------------------------------------------------------------------


def files_of(analysis: Analysis, width: float = COLUMN) -> Files:
    """Names and contents of all files.

    Parameters
    ----------
    analysis : Analysis
    width : float, default=89
        Of the figures, in millimetres.

    Returns
    -------
    dict of str to bytes
    """
    code, data = kept_data(analysis)
    files: Files = {"report.html": render(analysis).encode(), "reproduce.py": code.encode(), **data}
    words = [analysis.title, analysis.understood, "", *analysis.findings, ""]
    words += ["report.html: the page", "reproduce.py: the program that gives its numbers again"]
    words += [f"{name}: the data" for name in data]
    absent: set[str] = set()
    for k, (name, figure) in enumerate(_tables.named(analysis, "figure").items(), 1):
        stem = f"figures/{k:02d}-{_tables.slug(name)}"
        drawn, missing = _drawn(figure, width)
        files |= {f"{stem}.{kind}": content for kind, content in drawn.items()}
        words += ["", f"{stem} ({', '.join(drawn)})", *_said(figure)]
        absent |= set(missing)
        if missing:
            words.append(f"Letters that no installed font has: {' '.join(missing)}")
    for k, (name, table) in enumerate(_tables.named(analysis, "table").items(), 1):
        path = f"tables/{k:02d}-{_tables.slug(name)}.csv"
        files[path] = _csv(_tables.columns_of(table))
        words += ["", path, *_said(table)]
    for name, columns in analysis.records.items():
        files[f"{_tables.slug(name)}.csv"] = _csv(columns)
        words += ["", f"{_tables.slug(name)}.csv: {name}, one object per row"]
    if absent:
        letters = " ".join(sorted(absent))
        warn(
            f"figures show boxes for letters that no installed font has ({letters}): install one "
            "that does, such as Noto Sans, and export again"
        )
    words += _model(analysis, files)
    text = "\n".join(visible(line) for line in words)
    files["contents.txt"] = f"{text}\n".encode()
    return files


def _said(block: Any) -> list[str]:
    """What the page says about a figure or a table."""
    return [line for line in (block.title, block.reading, block.how) if line]


def _drawn(figure: Figure, width: float) -> tuple[dict[str, bytes], list[str]]:
    """The drawing in all formats, and letters that no installed font has.

    Of a figure that only the page can draw it is the drawing of the page.
    """
    import matplotlib as mpl

    if figure.chart is None:
        return {"svg": standalone(figure).encode()}, []
    drawn, missing = _drawn_with(figure, width, {})
    others = families_with(missing)
    if others:
        usual = list(mpl.rcParams["font.family"])
        drawn, missing = _drawn_with(figure, width, {"font.family": [*usual, *others]})
    return drawn, missing


def _drawn_with(
    figure: Figure, width: float, fonts: dict[str, Any]
) -> tuple[dict[str, bytes], list[str]]:
    """The drawing in all formats with some fonts, and the letters that these do not have."""
    import matplotlib as mpl

    found, settings = {}, _SETTINGS | fonts
    with warnings.catch_warnings(record=True) as caught, mpl.rc_context(settings):
        warnings.filterwarnings("always", message="Glyph")
        drawn = figure.drawn(width)
        for kind, options in _FORMATS.items():
            stream = io.BytesIO()
            drawn.savefig(stream, format=kind, **options)
            found[kind] = stream.getvalue()
    glyphs = [re.match(r"Glyph (\d+) ", str(warning.message)) for warning in caught]
    return found, sorted({chr(int(glyph[1])) for glyph in glyphs if glyph})


def _csv(columns: dict[str, Any]) -> bytes:
    """A table with the names of its columns; numbers have all their digits."""
    return lines_of([list(columns), *zip(*columns.values())])


def _model(analysis: Analysis, files: Files) -> list[str]:
    """Add the model, or say why it is not there."""
    from noneuclid._persistence import dumps

    if analysis.model is None:
        return []
    try:
        files["model.skops"] = dumps(analysis.model)
    except (ImportError, TypeError, ValueError) as error:
        return ["", f"The model could not be saved: {error}"]
    return ["", "model.skops: the model, for noneuclid.load and `noneuclid predict`"]
