"""Looking through a model file before anything in it is built.

A model file is a zip archive: ``schema.json``, a tree of nodes that name types, and one member per
array. Whoever wrote it may wish harm, so its sizes, names and nodes are checked first. The bounds
follow from what :func:`noneuclid.save` writes: nothing is compressed, every array belongs to one
object, and an object that occurs twice is written out twice.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from noneuclid._npy import parse_header

SCHEMA = "schema.json"
# Compressed by hand, a model shrinks by a factor of ten or so; a bomb by a thousand.
_EXPANSION, _SMALL = 20, 2**24
_SMALL_SCHEMA = 2**20
_DEEPEST = 120
_LONGEST = 200
_OLDEST_PROTOCOL = 2
_NAME = re.compile(r"[\w-]+\.(json|npy|bin)", re.ASCII)
# What save writes, as skops calls it; all others, such as calls of methods, are refused.
_LOADERS = frozenset(
    f"{kind}Node"
    for kind in (
        "Bytes", "ConstructorFromReduce", "DefaultDict", "Dict", "DType", "Function", "Json",
        "List", "Loss", "MaskedArray", "NdArray", "Object", "Partial", "RandomGenerator",
        "RandomState", "Set", "Slice", "Tree", "Tuple", "Type",
    )
)  # fmt: skip
_REFERENCES = ("FunctionNode", "TypeNode")


class BadModelFile(ValueError):
    """Why a file is not read, in half a sentence."""


def read_schema(archive: ZipFile, length: int) -> dict[str, Any]:
    """Return the tree of nodes of a file that is harmless to build, or raise.

    Parameters
    ----------
    archive : ZipFile
    length : int
        Of the file, in bytes.
    """
    sizes = _member_sizes(archive, length)
    if sizes.get(SCHEMA, 0) > max(_SMALL_SCHEMA, length):
        raise BadModelFile("its description is larger than the file")
    schema = json.loads(archive.read(SCHEMA))
    if not isinstance(schema, dict):
        raise BadModelFile("its description is no tree")
    protocol = schema.get("protocol")
    if type(protocol) is not int or protocol < _OLDEST_PROTOCOL:
        raise BadModelFile("its protocol is not one that save ever wrote")
    _check_nodes(schema, sizes)
    for name in sizes:
        if name.endswith(".npy"):
            with archive.open(name) as file:
                _check_header(file, sizes[name])
    return schema


def _member_sizes(archive: ZipFile, length: int) -> dict[str, int]:
    members = archive.infolist()
    sizes = {member.filename: member.file_size for member in members}
    if len(sizes) < len(members):
        raise BadModelFile("two of its parts have the same name")
    for member in members:
        if not _NAME.fullmatch(member.filename):
            raise BadModelFile(f"one of its parts is called {member.filename[:60]!r}")
        if member.flag_bits & 1 or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise BadModelFile("it is encrypted, or compressed in a way that save never uses")
        if member.compress_size > length:  # room for so much would be made before it is read
            raise BadModelFile("one of its parts is larger than the file")
    if sum(sizes.values()) > max(_SMALL, _EXPANSION * length):
        raise BadModelFile(f"it would unpack to {sum(sizes.values()) / 2**20:,.0f} MiB")
    return sizes


def _check_nodes(schema: dict[str, Any], sizes: dict[str, int]) -> None:
    """Check every node, children first, without recursion.

    A node may be known by its id already, and stands then for what was read before. Its own
    content must be as large: so no node contains itself, and none grows by standing for another.
    """
    owners: dict[str, Any] = {}
    known: dict[Any, int] = {}
    stack: list[tuple[Any, int, bool]] = [(schema, 0, False)]
    counts = [0]  # of all values, below every container that is open
    while stack:
        value, depth, is_left = stack.pop()
        if is_left:
            count = counts.pop()
            counts[-1] += count
            if "__loader__" in value:
                _check_node(value, sizes, owners)
                if known.setdefault(value.get("__id__"), count) != count and "__id__" in value:
                    raise BadModelFile("one of its parts refers to another of a different size")
            continue
        counts[-1] += 1
        if not isinstance(value, (dict, list)):
            continue
        if depth > _DEEPEST:
            raise BadModelFile("its description is nested too deeply")
        children: Any = value
        if isinstance(value, dict):
            stack.append((value, depth, True))
            counts.append(0)
            children = value.values()
        stack.extend((child, depth + 1, False) for child in children)


def _check_node(node: dict[str, Any], sizes: dict[str, int], owners: dict[str, Any]) -> None:
    loader, module, name = (node.get(key) for key in ("__loader__", "__module__", "__class__"))
    if not isinstance(loader, str) or loader not in _LOADERS:
        raise BadModelFile(f"one of its parts is a {str(loader)[:40]!r}, which none may be")
    if not isinstance(module, str) or not isinstance(name, str):
        raise BadModelFile("one of its parts has no type")
    if len(module + name) > _LONGEST or not f"{module}.{name}".replace(".", "").isidentifier():
        raise BadModelFile("one of its parts has a type that cannot be spelt")
    if not isinstance(node.get("__id__", 0), int):
        raise BadModelFile("one of its parts has no number")
    if (module, name) == ("numpy", "void"):
        raise BadModelFile("one of its arrays has a type without numbers")
    file = node.get("file")
    if file is not None and (
        file not in sizes or owners.setdefault(file, node.get("__id__")) != node.get("__id__")
    ):
        raise BadModelFile("one of its arrays is missing, or belongs to two objects")


def _check_header(file: Any, size: int) -> None:
    """The array that a member announces must be the one that follows."""
    try:
        shape, _, dtype = parse_header(file)
    except KeyError:
        raise BadModelFile("one of its arrays has an unknown format") from None
    if dtype.hasobject:
        raise BadModelFile("one of its arrays holds pickled objects")
    if min(shape, default=0) < 0 or math.prod(shape) * max(dtype.itemsize, 1) > size:
        raise BadModelFile("one of its arrays is larger than the file")


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """All nodes of a description."""
    stack = [schema]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            if "__loader__" in value:
                yield value
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)


def type_name(node: dict[str, Any]) -> str:
    return f"{node['__module__']}.{node['__class__']}"


def built(schema: Any) -> set[str]:
    """Names of all that is called to build something, and not only referred to."""
    return {type_name(node) for node in nodes(schema) if node["__loader__"] not in _REFERENCES}


def renamed(schema: Any, moved: dict[str, str]) -> bool:
    """Give types that have moved the names they have now; whether there was one."""
    old = [node for node in nodes(schema) if type_name(node) in moved]
    for node in old:
        node["__module__"], node["__class__"] = moved[type_name(node)].rsplit(".", 1)
    return bool(old)


def rewrite(archive: ZipFile, schema: dict[str, Any], to: BinaryIO) -> None:
    """Write the archive again, with another description."""
    with ZipFile(to, "w") as copy:
        for member in archive.infolist():
            if member.filename != SCHEMA:
                copy.writestr(member.filename, archive.read(member))
        copy.writestr(SCHEMA, json.dumps(schema))
