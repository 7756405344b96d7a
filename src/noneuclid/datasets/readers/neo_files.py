"""Spike trains in the files of recording systems, through neo."""

import importlib.util
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid._files import DataError, check_file
from noneuclid._memory import require_memory
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader

# Of its formats that hold events and run no code when they are read, as pickles do.
_SUFFIXES = (".plx", ".pl2", ".nev", ".nex5", ".nix", ".nwb", ".smr", ".smrx", ".spike2", ".nse")
_NEUROEXPLORER = b"NEX1"


class NeoReader(Reader):
    """All spike trains of all segments, if neo is installed."""

    suffixes = _SUFFIXES
    formats = ("neo",)

    def recognises(self, file: DataFile) -> bool:
        return super().recognises(file) or file.head.startswith(_NEUROEXPLORER)

    def read(self, file: DataFile) -> Content:
        if importlib.util.find_spec("neo") is None:
            raise DataError(f'{file.name} needs neo: pip install "noneuclid[neo]"')
        require_memory(file.name, 3 * check_file(file.path), "read a part of it with neo")
        return trains_of(_blocks(file.path), file.name)


def _blocks(path: Path) -> list[Any]:
    import neo

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its dependencies, and of what is not read here
            reader = neo.get_io(str(path))
            if "pickle" in type(reader).__name__.lower():
                raise DataError(f"{path.name} is a pickle, which could run code: save it as nix")
            return list(reader.read())
    except DataError:
        raise
    except Exception as error:  # whatever the readers of some fifty formats raise
        raise DataError(f"{path.name} cannot be read by neo ({error}): check the file") from error


def trains_of(blocks: Any, file: str) -> Content:
    """Trains of objects as neo has them: blocks of segments, or segments, with ``spiketrains``."""
    trains, names, units, segments = [], [], set(), []
    several = list(blocks) if isinstance(blocks, (list, tuple)) else [blocks]
    for block in several:
        for k, segment in enumerate(getattr(block, "segments", [block])):
            for j, train in enumerate(getattr(segment, "spiketrains", [])):
                times = np.asarray(getattr(train, "magnitude", train), dtype=np.float64)
                trains.append(np.sort(times))
                names.append(_name(train, j))
                segments.append(str(k + 1))
                units.add(_unit(train))
    if not trains:
        raise DataError(f"{file} holds no spike trains: sort the spikes first")
    if len(units) > 1:
        raise DataError(f"{file} has times in {', '.join(sorted(units))}: rescale them to one unit")
    unit = units.pop()
    content = Content(file, trains=trains, kind="spikes", units=unit or None)
    content.other = {"unit": names, "segment": segments}
    if len(set(segments)) > 1:
        names = [f"{name} / {segment}" for name, segment in zip(names, segments)]
        content.notes.append(f"{len(set(segments))} segments, one train for every unit in each")
    content.names = names
    if unit:
        content.notes.append(f"times in {unit}")
    return content


def _name(train: Any, j: int) -> str:
    """What a train is called, or else its number."""
    about = getattr(train, "annotations", None) or {}
    given = getattr(train, "name", None) or about.get("id") or about.get("unit_id")
    return str(j + 1 if given is None else given)


def _unit(train: Any) -> str:
    """The sign of the unit of time, if it has one."""
    dimensions = getattr(train, "dimensionality", None)
    return "" if dimensions is None else str(getattr(dimensions, "string", dimensions))
