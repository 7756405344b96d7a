"""One file in a gzip, bzip2, xz or zip archive: unpacked beside, and read as what it is."""

import bz2
import gzip
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, Any

from noneuclid._files import DataError, check_file, largest_plausible
from noneuclid._memory import readable
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader, all_readers, reader_of

_OPEN: dict[str, Callable[[Path], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, NotImplementedError)
_PIECE = 2**20
_SHOWN = 8
_LONGEST_NAME = 200
_ENCRYPTED = 0x1


class PackedReader(Reader):
    """A file of any other format inside; of a zip archive, the only one with data."""

    suffixes = (*_OPEN, ".zip")
    is_wrapping = True

    def read(self, file: DataFile) -> Content:
        length = check_file(file.path)
        with tempfile.TemporaryDirectory() as folder:
            try:
                inner = self._unpacked(file.path, Path(folder), largest_plausible(length))
            except _DAMAGED as error:
                why = f" ({error})" if str(error) else ""
                raise DataError(f"{file.name} is damaged{why}: pack it once more") from error
            try:
                found = DataFile(inner, wishes=file.wishes)
                check_file(inner)
                reader = reader_of(found)
                if reader.is_wrapping:
                    raise DataError(f"{inner.name} is packed itself: unpack it once")
                content = reader.read(found)
            except ValueError as error:
                raise DataError(f"{file.name}: {error}") from error
        if (place := content.place) is not None:
            content.place = lambda row, column: f"{file.name}: {place(row, column)}"
        content.file = file.name
        content.notes.insert(0, f"unpacked: {inner.name}")
        return content

    def _unpacked(self, path: Path, folder: Path, most: int) -> Path:
        suffix = path.suffix.lower()
        if suffix != ".zip":
            inner = folder / path.stem
            with _OPEN[suffix](path) as packed:
                _copy(packed, inner, most, path.name)
            return inner
        with zipfile.ZipFile(path) as archive:
            member = _only_member(archive, path.name)
            if member.flag_bits & _ENCRYPTED:
                raise DataError(f"{path.name} needs a password: unpack it")
            inner = folder / PurePosixPath(member.filename).name[-_LONGEST_NAME:]
            with archive.open(member) as packed:
                _copy(packed, inner, most, path.name)
        return inner


def _copy(packed: IO[bytes], to: Path, most: int, name: str) -> None:
    """Write what comes out, as long as that is not more than such files hold."""
    size = 0
    with to.open("wb") as out:
        while piece := packed.read(_PIECE):
            size += len(piece)
            if size > most:
                raise DataError(
                    f"{name} would grow to more than {readable(most)} when it is unpacked: unpack "
                    "it if that is right"
                )
            out.write(piece)


def _only_member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """The member with data: the only one, or the only one with an ending that tells."""
    members = [one for one in archive.infolist() if not one.is_dir() and _is_visible(one.filename)]
    known = {suffix for reader in all_readers() for suffix in reader.suffixes}
    telling = [one for one in members if Path(one.filename).suffix.lower() in known]
    chosen = telling if telling and len(members) > 1 else members
    if not chosen:
        raise DataError(f"{name} is empty: it must hold one file with data")
    if len(chosen) > 1:
        shown = ", ".join(PurePosixPath(one.filename).name for one in chosen[:_SHOWN])
        more = ", …" if len(chosen) > _SHOWN else ""
        raise DataError(
            f"{name} holds {len(chosen)} files ({shown}{more}): unpack it and give one of them"
        )
    return chosen[0]


def _is_visible(name: str) -> bool:
    """Whether it is no file of a system (``__MACOSX``, ``.DS_Store``) and none about the data."""
    parts = PurePosixPath(name).parts
    about = parts[-1:] and parts[-1].lower().startswith(("readme", "license", "licence"))
    return not about and not any(part.startswith((".", "__MACOSX")) for part in parts)
