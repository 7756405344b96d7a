"""The text of a file, whatever program wrote it."""

from pathlib import Path

from noneuclid.datasets.dataset import DataError

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def text_of(data: bytes) -> str:
    """Text of the beginning of a file; odd characters where it is none."""
    if data[:2] in _UTF16:
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")  # spreadsheets


def decode(path: Path) -> str:
    """The text of a file, or an error if it holds none."""
    text = text_of(path.read_bytes())
    if sum(ord(c) < 32 and c not in "\t\r\n\f" for c in text[:100_000]) or "\ufffd" in text:
        raise DataError(
            f"{path.name} is not a text file: give csv, tsv, txt, npy, npz, mat, parquet or ts, "
            "with the ending that says which"
        )
    return text


def data_lines(text: str) -> list[str]:
    """The lines that are neither empty nor comments."""
    return [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
