"""Spectra in JCAMP-DX, as nearly every spectrometer exports them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._axis import is_monotone, put_rising
from noneuclid.datasets._table import decode, number, text_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.typing import Array

_LABEL = re.compile(r"^\s*##([^=]*)=(.*)$|^\s*##(END)\s*$", re.IGNORECASE)
# Units as the format spells them, and as people do; others are taken as they are.
_UNITS = {"1/CM": "cm⁻¹", "NANOMETERS": "nm", "MICROMETERS": "µm", "SECONDS": "s", "HZ": "Hz"}
# Labels whose units all spectra must share.
_IN_UNITS = ("XUNITS", "YUNITS")
# Digits that also tell a sign, a difference or a repetition (McDonald and Wilks, 1988).
_SQUEEZED = {c: str(k) for k, c in enumerate("@ABCDEFGHI")}
_SQUEEZED |= {c: f"-{k}" for k, c in enumerate("abcdefghi", 1)}
_DIFFERENCE = {c: str(k) for k, c in enumerate("%JKLMNOPQR")}
_DIFFERENCE |= {c: f"-{k}" for k, c in enumerate("jklmnopqr", 1)}
_REPEATED = {c: str(k) for k, c in enumerate("STUVWXYZs", 1)}
_WORD = re.compile(r"[@A-Ia-i%J-Rj-rS-Zs][0-9]*|[+-]?[0-9.]+(?:[eE][+-][0-9]+)?|\?")
# Between the last point of a line and the check at the beginning of the next.
_CLOSE = 1e-6
# Points of a spectrum that repeats values: a few letters must not fill all memory.
_MOST = 2**22


@dataclass
class _Block:
    """Labels of one spectrum, and the lines below that of its data."""

    labels: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    form: str = ""

    def number(self, name: str, default: float | None = None) -> float:
        if name not in self.labels and default is not None:
            return default
        if name not in self.labels:
            raise DataError(f"##{name}= is missing")
        value = number(self.labels[name].split("$$")[0])
        if value is None:
            raise DataError(f"##{name}= holds {self.labels[name][:20]!r}, no number")
        if not np.isfinite(value):
            raise DataError(f"##{name}= holds {self.labels[name][:20]!r}, no finite number")
        return value

    def unit(self, name: str) -> str:
        """What a label tells of units, empty if nothing."""
        return self.labels.get(name, "").split("$$")[0].strip()


class JcampReader(Reader):
    """One spectrum or several on one axis in a file, or a folder of such files."""

    suffixes = (".jdx", ".dx", ".jcm", ".jcamp")
    formats = ("jcamp",)

    def recognises(self, file: DataFile) -> bool:
        if file.path.is_dir():
            return any(f.suffix.lower() in self.suffixes for f in file.path.iterdir())
        if super().recognises(file):
            return True
        return re.match(r"\s*##\s*TITLE\s*=", text_of(file.head[:256]), re.I) is not None

    def read(self, file: DataFile) -> Content:
        folder = file.path.is_dir()
        files = sorted(file.path.iterdir()) if folder else [file.path]
        files = [f for f in files if not folder or f.suffix.lower() in self.suffixes]
        names: list[str] = []
        spectra: list[tuple[Array, Array]] = []
        units: set[str] = set()
        told: dict[str, tuple[str, str]] = {}
        for path in files:
            for block in _blocks(decode(path), path.name):
                title = block.labels.get("TITLE", "").strip() or path.stem
                names.append(path.stem if folder and title in names else title)
                unit = block.unit("XUNITS")
                _refuse_other_units(file.name, names[-1], block, told)
                units.add(_UNITS.get(unit.upper(), unit))
                try:
                    with np.errstate(over="ignore", invalid="ignore"):  # infinity is refused there
                        spectra.append(_spectrum(block))
                except DataError as error:
                    raise DataError(f"{path.name}, spectrum {title!r}: {error}") from None
        if not spectra:
            raise DataError(f"{file.name} holds no spectrum (##XYDATA= or ##XYPOINTS=)")
        content = _on_one_axis(file.name, names, spectra)
        content.units = units.pop() if len(units) == 1 else None
        return content


def _refuse_other_units(
    file: str, name: str, block: _Block, told: dict[str, tuple[str, str]]
) -> None:
    """Raise if a spectrum is in other units than the first that told them, which are noted."""
    for label in _IN_UNITS:
        unit = block.unit(label)
        first, known = told.setdefault(label, (name, unit)) if unit else ("", "")
        if unit.upper().split() != known.upper().split():
            raise DataError(
                f"{file}: spectrum {name!r} has ##{label}={unit}, but {first!r} has "
                f"##{label}={known}: export all in the same units"
            )


def _on_one_axis(file: str, names: list[str], spectra: list[tuple[Array, Array]]) -> Content:
    grid = spectra[0][0]
    for name, (x, _) in zip(names, spectra):
        if len(x) != len(grid) or not np.allclose(x, grid, rtol=1e-6):
            raise DataError(
                f"{file}: spectrum {name!r} runs from {x[0]:g} to {x[-1]:g} in {len(x)} points, "
                f"but {names[0]!r} from {grid[0]:g} to {grid[-1]:g} in {len(grid)}: export all on "
                "one axis"
            )
    X = np.array([y for _, y in spectra])
    content = Content(file, X, kind="curves", grid=grid, names=names)
    content.place = lambda row, j: f"{file}, spectrum {names[row]!r}, point {j + 1}"
    put_rising(content)
    return content


def _blocks(text: str, file: str) -> Iterator[_Block]:
    """The spectra of a file; blocks that only link others are passed over."""
    block = _Block()
    inside = False
    for line in text.splitlines():
        if found := _LABEL.match(line):
            name = re.sub(r"[\s/_-]", "", found[1] or found[3]).upper()
            inside = name in ("XYDATA", "XYPOINTS", "PEAKTABLE")
            if inside:
                block.form = found[2].split("$$")[0].strip()
                if name == "PEAKTABLE":
                    raise DataError(f"{file} holds a table of peaks, not spectra")
            elif name == "END":
                if block.form:
                    yield block
                block = _Block()
            else:
                if name == "TITLE" and block.labels:
                    block = _Block()
                block.labels[name] = found[2].strip()
        elif inside and (rest := line.split("$$")[0].strip()):
            block.lines.append(rest)
    if block.form:
        raise DataError(f"{file} ends before ##END=: it is cut off")


def _spectrum(block: _Block) -> tuple[Array, Array]:
    """Positions and values, in the order of the file."""
    x_factor, y_factor = block.number("XFACTOR", 1.0), block.number("YFACTOR", 1.0)
    form = block.form.upper().replace(" ", "")
    if form.startswith("(XY..XY)"):
        words = re.split(r"[;,\s]+", " ".join(block.lines).strip())
        points = {word: number(word) for word in words if word}
        if None in points.values():
            bad = next(word for word, value in points.items() if value is None)
            raise DataError(f"{bad[:20]!r} is no number")
        values = np.array([points[word] for word in words if word], dtype=np.float64)
        if len(values) % 2:
            raise DataError("a position has no value")
        x, y = values[::2] * x_factor, values[1::2] * y_factor
    elif form.startswith("(X++(Y..Y)"):
        y = np.array(list(_ordinates(block.lines)))
        first = block.number("FIRSTX")
        steps = max(len(y) - 1, 0) * block.number("DELTAX", np.nan)
        last = first + steps if "LASTX" not in block.labels else block.number("LASTX")
        if np.isnan(last):
            raise DataError("##LASTX= is missing, and so is ##DELTAX=")
        x, y = np.linspace(first, last, len(y)), y * y_factor
    else:
        raise DataError(f"data of the form {block.form[:30]} are not read")
    expected = block.number("NPOINTS", float(len(y)))
    if len(y) != expected:
        raise DataError(f"##NPOINTS= says {expected:g}, but there are {len(y)} points")
    if not is_monotone(x) or not np.isfinite(y).all():
        raise DataError("its axis neither rises nor falls, or a value is missing")
    return x, y


def _ordinates(lines: list[str]) -> Iterator[float]:
    """The values of all lines; the first word of each is its position.

    After a difference, the next line begins with the value it led to, as a check.
    """
    before: float | None = None
    checked = False
    n_points = 0
    for line in lines:
        words = _WORD.findall(line)
        if "".join(words) != re.sub(r"[\s,]", "", line):
            raise DataError(f"the line {line[:30]!r} cannot be read")
        values, by_difference = _line(words[1:], _MOST - n_points)
        if before is not None and checked and values:
            if abs(values[0] - before) > _CLOSE * max(1.0, abs(before)):
                raise DataError(f"the check of the line {line[:30]!r} fails: the file is damaged")
            values = values[1:]
        n_points += len(values)
        yield from values
        before, checked = (values[-1] if values else before), by_difference


def _line(words: list[str], room: int) -> tuple[list[float], bool]:
    """The values of a line, at most so many repeated; whether its last word is a difference."""
    values: list[float] = []
    difference: float | None = None
    for word in words:
        first, rest = word[0], word[1:]
        if first in _REPEATED and values:
            times = float(_REPEATED[first] + rest) - 1
            if len(values) + times > room:
                raise DataError(f"{word[:30]!r} repeats a value beyond {_MOST:,} points")
            for _ in range(int(times)):
                values.append(values[-1] + (difference or 0.0))
        elif first in _DIFFERENCE and values:
            difference = float(_DIFFERENCE[first] + rest)
            values.append(values[-1] + difference)
        elif first == "?":
            values.append(np.nan)
            difference = None
        else:
            values.append(float(_SQUEEZED.get(first, first) + rest))
            difference = None
    return values, difference is not None
