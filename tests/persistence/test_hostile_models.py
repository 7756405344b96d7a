"""Files that wish harm are refused in one sentence; nothing in them is run, nothing grows."""

import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import skops

import campaigns
import noneuclid
from noneuclid import _persistence
from noneuclid.spaces import Hilbert

HERE = Path(__file__).parent
RUN = []


def run(*args):
    """What no file may call."""
    RUN.append(args)


class Pickled:
    def __reduce__(self):
        return run, (1,)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


@pytest.fixture
def members(path):
    """The parts of a file with an array, a dict, a list and an object."""
    noneuclid.save([Hilbert(np.eye(3)), {"a": (1, 2)}], path)
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def write(path, members, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, content in members.items():
            file.writestr(name, content)


def refused(path, what, match=None, **kwargs):
    """Load must raise one sentence that names the file, and run nothing."""
    RUN.clear()
    with pytest.raises(ValueError, match=match or "model.skops") as caught:
        noneuclid.load(path, **kwargs)
    sentence = str(caught.value)
    campaigns.record("Save and load", "hostile model files refused in one sentence", 1, len(RUN))
    assert not RUN, f"{what} was run"
    assert "model.skops" in sentence
    assert sentence.isprintable()
    assert len(sentence) < 600


def with_model(members, node):
    """The file with another model in it."""
    schema = json.loads(members["schema.json"])
    schema["content"]["model"] = node
    return {**members, "schema.json": json.dumps(schema).encode()}


def node(loader, module="builtins", name="dict", **more):
    return {"__loader__": f"{loader}Node", "__module__": module, "__class__": name, **more}


def text(value):
    return node("Json", "builtins", "str", content=json.dumps(value), is_json=True)


def several(loader, *parts, **more):
    return node(loader, name=loader.lower(), content=list(parts), **more)


HERE_RUN = (__name__, "run")
ARGUMENTS = several("Tuple", text(1))
STATE = node("Dict", content={}, key_types=several("List"))
STRING = node("Type", "builtins", "str")
FUNCTION = node("Function", *HERE_RUN)


def keyed(key, value, kind=STRING):
    return node("Dict", content={key: value}, key_types=several("List", kind))


def called(module, name, *args):
    return node("ConstructorFromReduce", module, name, content=several("Tuple", *map(text, args)))


CALLS = {
    "a constructor": called(*HERE_RUN, 1),
    "an object": node("Object", *HERE_RUN, content=STATE),
    "a function": FUNCTION,
    "a type": node("Type", *HERE_RUN),
    "a list": node("List", *HERE_RUN, content=[text(1)]),
    "a set": node("Set", *HERE_RUN, content=[text(1)]),
    "a dictionary": node("Dict", *HERE_RUN, content={}, key_types=several("List")),
    "os.system": called("os", "system", "id"),
    "eval": called("builtins", "eval", "1"),
    "a key": keyed("id", text(1), node("Type", "os", "system")),
    "a factory": node(
        "DefaultDict",
        "collections",
        "defaultdict",
        content={"main": STATE, "default_factory": FUNCTION},
    ),
    "a part": node(
        "Partial",
        "functools",
        "partial",
        content={"func": FUNCTION, "args": ARGUMENTS, "kwds": STATE, "namespace": STATE},
    ),
    "a method": node("Method", "builtins", "str", content={"func": "format", "obj": text("x")}),
    "an operator": node("OperatorFunc", "operator", "methodcaller", attrs=ARGUMENTS),
    "a generator": node(
        "RandomGenerator",
        "numpy.random._generator",
        "Generator",
        content={"bit_generator": keyed("bit_generator", text("seed")), "seed_seq": STATE},
    ),
    "a tree": node(
        "Tree", "sklearn.tree._tree", "Tree", content=STATE, __reduce__={"args": ARGUMENTS}
    ),
    "an unknown node": node("Pickle", content="gASV"),
    "a reader": node("Object", "noneuclid.datasets.readers.base", "DataFile", content=STATE),
    "a name for a terminal": node("Object", "os", "\x1b[31m\n\u202e", content=STATE),
    "a very long name": node("Object", "os", "x" * 10_000, content=STATE),
    "no type": {"__loader__": "ObjectNode"},
    "a loader that is a list": {"__loader__": ["ObjectNode"], "__module__": "os", "__class__": "x"},
    "an id that is a list": several("List", __id__=[1]),
}


@pytest.mark.trust
@pytest.mark.parametrize("what", list(CALLS))
def test_nothing_is_called(path, members, what):
    write(path, with_model(members, CALLS[what]))
    refused(path, what)


@pytest.mark.trust
def test_what_is_trusted_as_a_function_is_not_called(path, members):
    """A file may refer to a function that the user trusts; it is not the file that calls it."""
    write(path, with_model(members, CALLS["a function"]))
    assert noneuclid.load(path, trusted=[f"{__name__}.run"]) is run
    for what in ("a constructor", "a list", "a set", "a dictionary", "an object"):
        write(path, with_model(members, CALLS[what]))
        refused(path, what, "it would call .*run, which is no type", trusted=[f"{__name__}.run"])
    score = node(
        "ConstructorFromReduce", "sklearn.metrics._classification", "accuracy_score",
        content=ARGUMENTS,
    )  # fmt: skip
    write(path, with_model(members, score))
    refused(path, "a score", "it would call sklearn.*accuracy_score")


def deep(depth):
    schema = text(1)
    for _ in range(depth):
        schema = several("List", schema)
    return schema


def laughs(depth):
    """Lists of lists, ten times each, every one written once: 10^depth in all."""
    small = several("List", *[text(1)] * 10, __id__=1)
    for level in range(2, depth):
        small = several("List", small, *[several("List", __id__=level - 1)] * 9, __id__=level)
    return small


def itself():
    return several("List", several("List", __id__=77), __id__=77)


SHAPES = {
    "nested nodes": ("model", lambda: deep(400)),
    "ten to the thirtieth": ("model", lambda: laughs(30)),
    "a list in itself": ("model", itself),
    "a table of laughs": (
        "model",
        lambda: node(
            "NdArray", "numpy", "ndarray", type="json", content=[laughs(9)],
            shape=several("Tuple", *[text(10)] * 9),
        ),
    ),
    "nested brackets": ("schema", b"[" * 200_000),
    "brackets in a number": (
        "model",
        lambda: node("Json", "builtins", "str", content="[" * 200_000, is_json=True),
    ),
    "no tree": ("schema", b"[1, 2]"),
    "no text": ("schema", b"\xff\xfe\x00"),
    "an old protocol": ("protocol", 0),
    "a protocol of the future": ("protocol", 10**6),
    "a protocol that is true": ("protocol", True),
}  # fmt: skip


@pytest.mark.trust
@pytest.mark.parametrize("what", list(SHAPES))
def test_descriptions_that_do_not_end(path, members, what):
    kind, value = SHAPES[what]
    if kind == "model":
        members = with_model(members, value())
    elif kind == "schema":
        members["schema.json"] = value
    else:
        members["schema.json"] = json.dumps(
            {**json.loads(members["schema.json"]), "protocol": value}
        ).encode()
    write(path, members)
    refused(path, what)


def npy(descr, shape, rest=b""):
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117)
    content = header.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(content).to_bytes(2, "little") + content + rest


ARRAYS = {
    "a huge array": npy("<f8", "(1000000000000,)"),
    "an array that is a little too large": npy("<f8", "(3, 3)", bytes(63)),
    "a negative shape": npy("<f8", "(-1, 3)", bytes(72)),
    "items of no size": npy("|V0", "(1000000000000,)"),
    "pickled objects": npy("|O", "(1,)", pickle.dumps([Pickled()])),
    "a pickle": pickle.dumps(Pickled()),
    "a header with a call": npy("<f8", "(__import__('os').getpid(),)"),
    "a long header": b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little") + b"{" * 100,
    "nothing": b"",
}


@pytest.mark.trust
@pytest.mark.parametrize("what", list(ARRAYS))
def test_arrays_that_are_none(path, members, what):
    name = next(name for name in members if name.endswith(".npy"))
    write(path, {**members, name: ARRAYS[what]})
    refused(path, what)


@pytest.mark.trust
@pytest.mark.parametrize(
    "name", ["../x.npy", "/etc/x.npy", "a/b.npy", "..\\x.npy", "x.pkl", "‮.npy"]
)
def test_names_of_parts(path, members, name):
    write(path, {**members, name: b"1"})
    refused(path, name, "one of its parts is called")


@pytest.mark.trust
def test_bombs_and_other_archives(path, members):
    zeros = npy("<f8", f"({2**24},)", bytes(2**27))
    write(path, {**members, "1.npy": zeros}, zipfile.ZIP_DEFLATED)
    refused(path, "a bomb", "would unpack to 128 MiB")
    write(path, {**members, "schema.json": b" " * 2**22 + members["schema.json"]}, 8)
    refused(path, "a long description", "description is larger than the file")
    write(path, members, zipfile.ZIP_BZIP2)
    refused(path, "bzip2", "in a way that save never uses")
    write(path, members)
    whole = path.read_bytes()
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as file:
        file.writestr("schema.json", b"{}")
    refused(path, "two descriptions", "the same name")
    for cut in range(0, len(whole), max(len(whole) // 40, 1)):
        path.write_bytes(whole[:cut])
        refused(path, "a cut file")
    end = whole.rindex(b"PK\x01\x02") + 20  # how long the last part says it is in the archive
    path.write_bytes(whole[:end] + (2**31 - 1).to_bytes(4, "little") + whole[end + 4 :])
    refused(path, "a part without end", "one of its parts is larger than the file")
    path.write_bytes(pickle.dumps(Pickled()))
    refused(path, "a pickle")


@pytest.mark.trust
def test_an_array_belongs_to_one_object(path, members):
    """Else a small file would name a large array a thousand times."""
    name = next(name for name in members if name.endswith(".npy"))
    one = node("NdArray", "numpy", "ndarray", type="numpy", file=name)
    write(path, with_model(members, several("List", {**one, "__id__": 5}, {**one, "__id__": 6})))
    refused(path, "an array of two objects", "belongs to two objects")


def test_every_flipped_bit_is_noticed_or_harmless(path, members):
    """The archive has checksums: what loads is what was saved."""
    write(path, members)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for where in rng.integers(len(whole), size=60):
        damaged = bytearray(whole)
        damaged[where] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(damaged))
        try:
            back = noneuclid.load(path)
        except ValueError:
            continue
        assert (back[0].gram == np.eye(3)).all()
        assert back[1] == {"a": (1, 2)}


def test_a_skops_that_runs_code_is_refused(path, monkeypatch):
    monkeypatch.setattr(skops, "__version__", "0.11.0")
    with pytest.raises(ImportError, match=r"skops 0\.11\.0 can be made to run code.*upgrade"):
        noneuclid.load(path)
    monkeypatch.setattr(skops, "__version__", "1.0.dev0")
    assert _persistence._skops_io() is not None


# --- mutations ------------------------------------------------------------------------------


@pytest.mark.trust
@pytest.mark.parametrize("part", range(campaigns.size(1, 6)))
def test_mutated_files(part):
    """Of mutated files none crashes, hangs, fills memory or raises something else."""
    number = campaigns.size(100, 500)
    paths = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, str(HERE / "model_fuzz.py"), str(10_000 * part), str(number)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    last = done.stderr.splitlines()[-1:]
    # LAPACK may have printed a line of its own about the numbers of a damaged file.
    counts = [line for line in done.stdout.splitlines() if line.startswith("{")]
    found = json.loads(counts[0]) if done.returncode == 0 else {"faults": last}
    campaigns.record(
        "Save and load", "mutated model files: no crash, hang or peak of memory", number,
        len(found["faults"]),
    )  # fmt: skip
    assert done.returncode == 0, f"{done.returncode} after {done.stderr[-1000:]}"
    assert not found["faults"]
    assert found["refused"] > number / 3
    assert found["loaded"] > number / 10
