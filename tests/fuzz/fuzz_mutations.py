"""How a valid file is damaged: its bytes, lines, headers and shapes."""

import functools
import io
import re
import struct
import warnings
import zipfile
import zlib

import numpy as np
from fuzz_seeds import archive, inflated, npy, npz, seeds

LARGEST = 2**22
NUMBERS = (0, 1, 2, 3, 7, 8, 16, 127, 128, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1)
SHAPES = (
    "()", "(0,)", "(5,)", "(0, 3)", "(3, 0)", "(2, 3, 4)", "(1000000000,)", "(1000000, 1000000)",
    "(-1, 3)", "(24, -3)", "(99999999999999999999,)", "(0, 1000000000)", "(1000000000, 0)",
    "(1.5, 2)", "'24'", "(True, 3)", "(24, 3, 1)", "(4294967296, 4294967296)",
)  # fmt: skip
DTYPES = (
    "'<f8'", "'>f8'", "'<f2'", "'<f4'", "'<c16'", "'|O'", "'|S0'", "'<U0'", "'|V0'",
    "'<U1000000000'", "'|S2147483647'", "'<M8[ns]'", "'|b1'", "'<i8'", "'>u2'", "'<g'",
    "[('a', '<f8'), ('b', '<i4')]", "('<f8', (1000000000,))", "'nonsense'", "[('a', '|O')]",
    "'|V24'", "'<m8'",
)  # fmt: skip
WORDS = (
    "", "nan", "inf", "-inf", "1e999", "1e-320", "1e200", "-1", "0x10", "1_000", "٣", "½", "#",
    '"', "'", '""', ",", ";", "\t", "|", " ", "a,b", "NA", "?", "true", "\u202eabc", "\x1b[31m",
    "\x00", "\x85", "\u2028", "\ufeff", "é", "💥", "<b>", "{{ 7 }}", "$x$", "1,5", "@data", "@",
    "@classLabel true", "@timeStamps true", "@data true", "> ", ">", ":", "(1,2)", "id", "class",
    "sequence", "Unnamed: 0", "[bold]", "%s", "\\", "\r", "1e", "--1", "9" * 5000, "A" * 200_000,
)  # fmt: skip
NAMES = (
    "X.npy", "y.npy", "offsets.npy", "../evil.npy", "/abs.npy", "names.npy", "grid.npy", "a.txt",
    ".npy", "file.npy", "sequences.npy",
)  # fmt: skip
ODD_SHAPES = (
    (), (0,), (1,), (24,), (24, 1), (1, 24), (0, 3), (3, 0), (2, 3, 4), (24, 24), (23, 3),
    (24, 2000),
)  # fmt: skip
ODD_TYPES = (
    "f8", "f4", "f2", "i8", "u1", "?", "c16", "U", "S8", "M8[s]", "O", "V8", "g", "nan", "const",
)  # fmt: skip
# Where the directory of a zip file has flags, method, check sum, sizes, lengths and offsets.
FIELDS = ((8, "<H"), (10, "<H"), (16, "<I"), (20, "<I"), (24, "<I"), (28, "<H"), (42, "<I"))


def flip(content, rng):
    """Some bits."""
    data = bytearray(content)
    for at in rng.integers(len(data), size=rng.integers(1, 9)):
        data[at] ^= 1 << int(rng.integers(8))
    return bytes(data)


def overwrite(content, rng):
    """A number of one to eight bytes by a number with a meaning."""
    form = rng.choice(["B", "<H", ">H", "<I", ">I", "<Q", ">Q"])
    size = struct.calcsize(form)
    value = int(rng.choice(NUMBERS)) if rng.random() < 0.8 else int(rng.integers(2**62))
    near = min(len(content), 400)
    at = int(rng.integers(near if rng.random() < 0.5 else len(content)))
    if rng.random() < 0.3:
        at = len(content) - 1 - int(rng.integers(near))
    return content[:at] + struct.pack(form, value % 2 ** (8 * size)) + content[at + size :]


def noise(content, rng):
    at, size = int(rng.integers(len(content))), int(rng.integers(1, 64))
    return content[:at] + rng.bytes(size) + content[at + size * int(rng.integers(2)) :]


def cut(content, rng):
    return content[: int(rng.integers(len(content)))]


def behead(content, rng):
    return content[int(rng.integers(1, max(2, min(len(content), 300)))) :]


def remove(content, rng):
    a, b = sorted(rng.integers(len(content), size=2).tolist())
    return content[:a] + content[b:]


def repeat(content, rng):
    a, b = sorted(rng.integers(len(content), size=2).tolist())
    return content[:b] + content[a:b] * int(rng.integers(1, 20)) + content[b:]


def splice(content, rng):
    """Its beginning with the end of a file of any format."""
    every = [s for some in seeds().values() for s in some if isinstance(s, bytes)]
    other = every[rng.integers(len(every))]
    return content[: int(rng.integers(len(content)))] + other[int(rng.integers(len(other))) :]


BYTES = (flip, overwrite, overwrite, noise, cut, behead, remove, repeat, splice)


def _times(most, part):
    """How often something may be repeated: the input itself must stay small."""
    return max(1, min(most, LARGEST // (len(part) + 1)))


def lines(content, rng):
    """Lines left out, doubled, exchanged, joined, repeated a thousand times."""
    rows = content.split(b"\n")
    i, j = rng.integers(len(rows), size=2)
    action = rng.integers(8)
    if action == 0:
        del rows[i]
    elif action == 1:
        rows.insert(j, rows[i])
    elif action == 2:
        rows[i], rows[j] = rows[j], rows[i]
    elif action == 3:
        rows[i] = rows[i] + rows[j]
    elif action == 4:
        rows[i:i] = [rows[i]] * _times(1000, rows[i])
    elif action == 5:
        rows[i] = rows[i][: int(rng.integers(len(rows[i]) + 1))]
    elif action == 6:
        rows[i] = rows[i] * _times(500, rows[i])
    else:
        rows = rows[: 1 + int(i)]
    return b"\n".join(rows)


def cell(content, rng):
    """A word, cell or delimiter replaced by an odd one, here or everywhere."""
    word = WORDS[rng.integers(len(WORDS))].encode("utf-8")
    found = re.findall(rb"[\w.-]+|[,;\t |:]", content[:20_000])
    if not found:
        return content + word
    old = found[rng.integers(len(found))]
    often = int(rng.choice([1, 1, 3, -1]))
    return content.replace(old, word, often if len(word) < 100 else min(abs(often), 3))


def column(content, rng):
    """A column left out, doubled, or moved."""
    mark = max(b",;\t |", key=content.count).to_bytes()
    rows = [row.split(mark) for row in content.split(b"\n")]
    width = max(map(len, rows))
    i, j = rng.integers(width, size=2).tolist()
    action = rng.integers(3)
    for row in rows:
        if i < len(row) and row != [b""]:
            if action == 0:
                del row[i]
            elif action == 1:
                row.insert(j, row[i])
            else:
                row[i : i + 1] = row[i : i + 1] * _times(50, content)
    return b"\n".join(mark.join(row) for row in rows)


def encode(content, rng):
    """In another encoding, perhaps not to the end."""
    name = rng.choice(["utf-16", "utf-16-be", "utf-32", "utf-7", "cp1252"])
    made = content.decode("utf-8", errors="replace").encode(name, errors="replace")
    return made[: len(made) - int(rng.integers(3))]


LINES = (lines, lines, cell, cell, cell, column, encode)


def header(content, rng):
    """The header of an npy file: shape, type and order as they are not."""
    found = re.search(rb"\{.*\}", content[:400])
    if content[:6] != b"\x93NUMPY" or found is None:
        return overwrite(content, rng)
    words = found[0].decode("latin1")
    if rng.random() < 0.6:
        words = re.sub(r"\([^)]*\)", lambda _: SHAPES[rng.integers(len(SHAPES))], words, count=1)
    if rng.random() < 0.5:
        dtype = DTYPES[rng.integers(len(DTYPES))]
        words = re.sub(r"'descr': '[^']*'", lambda _: f"'descr': {dtype}", words)
    if rng.random() < 0.2:
        words = words.replace("False", str(rng.choice(["True", "None", "1", "(" * 300])))
    version = int(rng.choice([1, 1, 1, 2, 3, 9]))
    words = words.ljust(int(rng.choice([118, 118, 54, 20_000]))) + "\n"
    size = struct.pack("<H" if version == 1 else "<I", len(words))
    body = content[found.end() :].lstrip(b" ")[1:]
    return b"\x93NUMPY" + bytes([version, 0]) + size + words.encode("latin1") + body


def odd_array(rng):
    """A valid array that is not what one expects."""
    shape = ODD_SHAPES[rng.integers(len(ODD_SHAPES))]
    values = rng.normal(size=shape) * 10.0 ** int(rng.choice([0, 0, 0, -200, 200, 300, -320]))
    kind = ODD_TYPES[rng.integers(len(ODD_TYPES))]
    if kind in ("nan", "const"):
        return np.full(shape, np.nan if kind == "nan" else 3.0)
    if kind in ("M8[s]", "V8"):
        return np.zeros(shape, dtype=kind)
    with np.errstate(all="ignore"):
        return values.astype(kind)


def shape(content, rng):
    """Another array in its place."""
    return npy(odd_array(rng))


def members(content, rng):
    """Arrays of an npz file exchanged, damaged inside, renamed, doubled, packed once more."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            inside = [(name, file.read(name)) for name in file.namelist()]
    except Exception:
        return overwrite(content, rng)
    i = int(rng.integers(len(inside))) if inside else 0
    action = rng.integers(9) if inside else 3
    name = NAMES[rng.integers(len(NAMES))]
    part = inside[i][1] or b"\n" if inside else b""  # nothing cannot be damaged
    if action == 0:
        inside[i] = inside[i][0], header(part, rng)
    elif action == 1:
        inside[i] = inside[i][0], npy(odd_array(rng))
    elif action == 2:
        inside[i] = name, inside[i][1]
    elif action == 3:
        inside.append(("inner.zip", content))
    elif action == 4:
        inside.append((inside[i][0], npy(odd_array(rng))))
    elif action == 5:
        inside[i] = inside[i][0], BYTES[rng.integers(len(BYTES))](part, rng)
    elif action == 6:
        del inside[i]
    elif action == 7:
        return zip_bomb()
    else:
        inside[i] = name, npz(X=np.zeros(3))
    methods = [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        return archive(inside, methods[rng.integers(4)])


@functools.cache
def zip_bomb():
    """Nine million zeros."""
    return npz(X=np.zeros((3_000_000, 3)))


@functools.cache
def packed_zeros():
    """The end of a packed element."""
    return zlib.compress(bytes(72_000_000))


def directory(content, rng):
    """Numbers in the directory at the end of a zip file."""
    at = content.rfind(b"PK\x01\x02")
    if at < 0 or rng.random() < 0.3:
        at = content.rfind(b"PK\x05\x06")
    if at < 0:
        return overwrite(content, rng)
    offset, form = FIELDS[rng.integers(len(FIELDS))]
    value = int(rng.choice(NUMBERS)) % 2 ** (8 * struct.calcsize(form))
    end = at + offset + struct.calcsize(form)
    return content[: at + offset] + struct.pack(form, value) + content[end:]


def element(content, rng):
    """The inside of a mat file, packed again where it was packed."""
    try:
        parts = inflated(content)
    except Exception:
        return overwrite(content, rng)
    if len(parts) < 2:
        return overwrite(content, rng)
    i = int(rng.integers(1, len(parts)))
    part = parts[i] or b"\0"
    for _ in range(int(rng.integers(1, 4))):
        near = 4 * int(rng.integers(max(min(len(part) // 4, 30), 1)))
        at = near if rng.random() < 0.7 else int(rng.integers(len(part)))
        value = int(rng.choice((*NUMBERS, *range(20), 0x0900, 0x0206, 0x0800)))
        form = rng.choice(["B", "<H", "<I", "<I"])
        size = struct.calcsize(form)
        part = part[:at] + struct.pack(form, value % 2 ** (8 * size)) + part[at + size :]
    parts[i] = part
    packed = [struct.pack("<II", 15, len(z)) + z for z in map(zlib.compress, parts[1:])]
    if rng.random() < 0.03:
        bomb = packed_zeros()
        return b"".join([parts[0], struct.pack("<II", 15, len(bomb)), bomb, *packed])
    return b"".join([parts[0], *(packed if rng.random() < 0.5 else parts[1:])])


def footer(content, rng):
    """The description at the end of a parquet file."""
    size = int.from_bytes(content[-8:-4], "little")
    start = max(0, len(content) - 8 - size)
    action = rng.integers(4)
    if action == 0:
        return content[:-8] + struct.pack("<I", int(rng.choice(NUMBERS))) + b"PAR1"
    inside = content[start:-8] or b"\0"
    inside = (flip, noise, overwrite)[action - 1](inside, rng)
    return content[:start] + inside + struct.pack("<I", len(inside)) + b"PAR1"


def pages(content, rng):
    """The data of a parquet file, not its description."""
    start = max(5, len(content) - 8 - int.from_bytes(content[-8:-4], "little"))
    return (flip, overwrite)[rng.integers(2)](content[:start], rng)[:start] + content[start:]


def inside(content, rng):
    """One file of a zip archive, its numbers and words; packed once more."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            found = [(name, file.read(name)) for name in file.namelist()]
    except Exception:
        return overwrite(content, rng)
    if not found:
        return zip_bomb()
    largest = max(range(len(found)), key=lambda k: len(found[k][1]))
    i = largest if rng.random() < 0.7 else int(rng.integers(len(found)))
    name, part = found[i]
    numbers = list(re.finditer(rb"[0-9]+", part))
    if numbers and rng.random() < 0.6:
        one = numbers[rng.integers(len(numbers))]
        value = rng.choice(["0", "-1", "16384", "1048576", "99999999", "x", "1e308", ""])
        part = part[: one.start()] + str(value).encode() + part[one.end() :]
    else:
        part = BYTES[rng.integers(len(BYTES))](part if len(part) > 1 else b"xy", rng)
    found[i] = name, part
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        return archive(found)


def arrow(content, rng):
    """The numbers of a feather file: most of those that matter are multiples of four."""
    for _ in range(int(rng.integers(1, 4))):
        at = 4 * int(rng.integers(max(1, len(content) // 4)))
        form = rng.choice(["<i", "<q", "<H"])
        value = int(rng.choice([0, 1, -1, 8, 24, 255, 2**15, 2**31 - 1])) % 2**15
        if form == "<q":
            value = int(rng.choice([-1, 0, 2**31, 2**40, 2**62]))
        size = struct.calcsize(form)
        content = content[:at] + struct.pack(form, value) + content[at + size :]
    return content


OWN = {
    "feather": (arrow, arrow),
    "xlsx": (inside, inside, inside, directory),
    "ods": (inside, inside, inside, directory),
    "zip": (inside, members, directory),
    "npy": (header, header, header, shape),
    "npz": (members, members, directory),
    "mat": (element, element, element),
    "parquet": (footer, footer, pages, pages, pages),
}
