"""Mutate valid model files, load them, and let what loads answer; in a process of its own.

    python model_fuzz.py FIRST_SEED NUMBER

prints one line of JSON: how many were refused and how many loaded, and what went wrong. A signal
or an endless loop ends the process, which the test sees.
"""

import contextlib
import gc
import io
import json
import random
import resource
import signal
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

import numpy as np
import write_release

import noneuclid

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("release_*/*.skops"))
DATA = {f"{name}_{k}": data for name, k, _, data in write_release.cases()}
SECONDS = 60  # of processor time for one input
ROOM = 2**30  # bytes over what the process has when it begins
TYPES = [
    ("os", "system"), ("builtins", "eval"), ("builtins", "list"), ("builtins", "map"),
    ("numpy", "void"), ("numpy", "ndarray"), ("numpy", "float64"), ("builtins", "dict"),
    ("noneuclid.spaces.lp", "Lp"), ("noneuclid.kernels.trains", "Trains"), ("posixpath", "join"),
    ("sklearn.decomposition._pca", "PCA"), ("sklearn.metrics._classification", "accuracy_score"),
    ("noneuclid.proximities.relation", "Relation"), ("", ""), ("no.such.module", "Thing"),
]  # fmt: skip
LOADERS = [
    "ObjectNode", "ConstructorFromReduceNode", "MethodNode", "OperatorFuncNode", "ListNode",
    "DictNode", "TypeNode", "FunctionNode", "NdArrayNode", "JsonNode", "PartialNode", "CachedNode",
    "TupleNode", "SetNode", "DefaultDictNode", "SparseMatrixNode", "TreeNode", "RandomStateNode",
]  # fmt: skip
CONTENTS = [
    "null", "-1", "1e308", "NaN", "999999999999", '"x"', "[1, 2]", "{}", "0", "true", "",
    "[" * 5000, '"precomputed"', '"dissimilarity"', "-0.0", "1" + "0" * 400,
]  # fmt: skip


def nodes(value):
    if isinstance(value, dict):
        if "__loader__" in value:
            yield value
        for part in list(value.values()):
            yield from nodes(part)
    elif isinstance(value, list):
        for part in value:
            yield from nodes(part)


def mutate_schema(rng, content):
    schema = json.loads(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        everything = list(nodes(schema))
        node = rng.choice(everything)
        kind = rng.randrange(8)
        if kind == 0:
            node["__module__"], node["__class__"] = rng.choice(TYPES)
        elif kind == 1:
            node["__loader__"] = rng.choice(LOADERS)
        elif kind == 2 and node["__loader__"] == "JsonNode":
            node["content"] = rng.choice(CONTENTS)
        elif kind == 3:
            node["__id__"] = rng.choice(everything).get("__id__")
        elif kind == 4 and len(node) > 1:
            del node[rng.choice(list(node))]
        elif kind == 5:
            node["content"] = json.loads(json.dumps(rng.choice(everything)))
        elif kind == 6:
            other = rng.choice(everything)
            node.clear()
            node.update(json.loads(json.dumps(other)))
        elif kind == 7 and isinstance(node.get("content"), dict):
            inner = node["content"]
            if inner:
                inner[rng.choice(list(inner))] = json.loads(json.dumps(rng.choice(everything)))
    return json.dumps(schema).encode()


def mutate_array(rng, content):
    array = np.load(io.BytesIO(content))
    kind = rng.randrange(7)
    if kind == 0:  # numbers of all sizes; the shape stays
        array = np.array(rng.choice((-1, 10**9, 0, 7, 2**62)) * np.ones_like(array, dtype=float))
        array = array.astype(np.load(io.BytesIO(content)).dtype, copy=False)
    elif kind == 1:
        array = array.ravel()[: rng.randrange(array.size + 1)]
    elif kind == 2:
        array = array.astype(rng.choice(("int8", "float32", "complex64", "U3", "bool", "int64")))
    elif kind == 3:
        array = rng.choice((array[None], array.T, array.ravel(), np.zeros((0, 3)), np.zeros(())))
    elif kind == 4:
        shape = rng.choice(("(1000000000000,)", "(-1,)", "(2, 2)", "()", "(99999999999, 0)"))
        header = f"{{'descr': '{rng.choice(('<f8', '|O', '|V0', '<U0'))}', 'fortran_order': False, "
        text = (header + f"'shape': {shape}, }}").ljust(117).encode() + b"\n"
        return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + content[-64:]
    elif kind == 5:
        damaged = bytearray(content)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        return bytes(damaged)
    else:
        array = np.full_like(array, np.nan) if array.dtype.kind == "f" else -array.astype(int) - 1
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def mutated(seed):
    """A damaged file: what it was made of, and its bytes."""
    rng = random.Random(seed)
    path = rng.choice(FILES)
    whole = path.read_bytes()
    kind = rng.randrange(10)
    if kind < 2:
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 3, 20))):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        return path.stem, bytes(damaged)
    if kind == 2:
        return path.stem, whole[: rng.randrange(len(whole))]
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    arrays = [name for name in members if name.endswith(".npy")]
    if kind < 6 or not arrays:
        members["schema.json"] = mutate_schema(rng, members["schema.json"])
    elif kind < 9:
        name = rng.choice(arrays)
        members[name] = mutate_array(rng, members[name])
    else:
        name = rng.choice(list(members))
        new = rng.choice(
            ("../../x.npy", "/etc/passwd", "a/b.npy", "x.npy", "\u202e.npy", "x" * 300)
        )
        members[new] = members.pop(name)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((0, 8))) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path.stem, out.getvalue()


def load(path):
    """Load in the room there is, once what an earlier answer left behind is gone."""
    with contextlib.suppress(MemoryError):
        return noneuclid.load(path)
    gc.collect()
    return noneuclid.load(path)


def main(first, number):
    warnings.simplefilter("ignore")
    for name in ("GLVQ_0", "ProximityLVQ_2", "SpikeTrainPCA_0"):  # what is lazy is imported now
        model = noneuclid.load(HERE / "release_next" / f"{name}.skops")
        write_release.said(model, DATA[name][2])
    with contextlib.suppress(FileNotFoundError):  # no /proc: no limit
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    counts, faults = {"refused": 0, "loaded": 0}, []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.skops"
        for seed in range(first, first + number):
            name, content = mutated(seed)
            path.write_bytes(content)
            print(seed, name, file=sys.stderr, flush=True)  # the last one is at fault in a crash
            signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
            try:
                model = load(path)
            except ValueError as error:
                counts["refused"] += 1
                if not str(error).isprintable():
                    faults.append(f"{seed} {name}: {error}")
                continue
            except BaseException as error:
                faults.append(f"{seed} {name}: {type(error).__name__}: {error}")
                continue
            counts["loaded"] += 1
            with contextlib.suppress(Exception), np.errstate(all="ignore"):
                write_release.said(model, DATA[name][2])
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            if len(list(Path(folder).iterdir())) > 1:
                faults.append(f"{seed} {name}: it wrote a file")
    print(json.dumps({**counts, "faults": faults}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
