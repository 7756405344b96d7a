"""The .ts format of aeon and of the UCR archive."""

import numpy as np

from noneuclid.datasets._table import data_lines, number
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.typing import Array


class TimeSeriesReader(Reader):
    """Series of one channel and equal length, with or without classes."""

    suffixes = (".ts",)

    def read(self, file: DataFile) -> Content:
        head: dict[str, list[str]] = {}
        # The format has comments with #; older files of the archives have some with % as well.
        rows = {k: line.strip() for k, line in data_lines(file.text()).items()}
        lines = {k: line for k, line in rows.items() if not line.startswith("%")}
        for k in list(lines):
            line = lines.pop(k)
            if line.lower().startswith("@data"):
                break
            if not line.startswith("@"):
                raise DataError(f"{file.name}, line {k} stands before @data: {line[:40]!r}")
            name, *values = line[1:].split()
            head[name.lower()] = values
        if not lines:
            raise DataError(f"{file.name} has no series after @data")
        if _says(head, "timestamps"):
            raise DataError(
                f"{file.name} holds time stamps: give series on one common grid instead"
            )
        labelled = _says(head, "classlabel") or _says(head, "targetlabel")
        series = [_series(line, k, file.name, labelled) for k, line in lines.items()]
        width = len(series[0][0])
        for k, (points, _) in zip(lines, series):
            if len(points) != width:
                raise DataError(
                    f"{file.name}, line {k} has {len(points)} points where the first series "
                    f"has {width}: cut or interpolate the series to one length"
                )
        content = Content(file.name, np.array([values for values, _ in series]), kind="curves")
        content.place = lambda row, j: f"{file.name}, line {list(lines)[row]}, point {j + 1}"
        if _says(head, "classlabel"):
            content.labels, content.label_name = [label for _, label in series], "@classLabel"
        return content


def _says(head: dict[str, list[str]], name: str) -> bool:
    return bool(head.get(name)) and head[name][0].lower() == "true"


def _series(line: str, at: int, file: str, labelled: bool) -> tuple[Array, str]:
    parts = line.split(":")
    label = parts.pop().strip() if labelled else ""
    if len(parts) != 1:
        raise DataError(f"{file}, line {at} holds {len(parts)} channels: give one channel per file")
    cells = [cell.strip() for cell in parts[0].split(",")]
    points = [number("nan" if cell == "?" else cell) for cell in cells]
    if None in points:
        raise DataError(
            f"{file}, line {at} must hold numbers separated by commas: {parts[0][:40]!r}"
        )
    return np.array(points, dtype=np.float64), label
