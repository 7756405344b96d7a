"""A child that reads damaged files, one after the other, under limits.

Parent and child both know :func:`case`: a format and a number give the same input everywhere. To
see one again: ``python tests/fuzz/fuzz_worker.py npz 17``.
"""

import contextlib
import functools
import json
import os
import re
import signal
import sys
import tempfile
import traceback
import warnings
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from fuzz_mutations import BYTES, LARGEST, LINES, OWN
from fuzz_seeds import seeds, table

FORMATS = tuple(seeds())
BINARY = ("npy", "npz", "mat", "parquet", "feather", "xlsx", "ods", "gz", "bz2", "xz", "zip")
KINDS = ("similarity", "dissimilarity", "curves", "vectors", "spikes", "sequences")
SECONDS = float(os.environ.get("FUZZ_SECONDS", 20))
BYTES_AT_MOST = 2**30
_ROOM = 3 * 2**30  # of addresses, beyond what an idle child has


@dataclass
class Case:
    """A damaged file, how it came about, and what is done with it."""

    form: str
    number: int
    files: dict[str, bytes]
    recipe: list[str]
    options: dict = field(default_factory=dict)
    command: list[str] | None = None

    def __str__(self):
        steps = " > ".join(self.recipe)
        what = f"noneuclid {' '.join(self.command)}" if self.command else str(self.options)
        again = f"python tests/fuzz/fuzz_worker.py {self.form} {self.number}"
        return f"{again}: {steps}; {what}"


def case(form, number, keep=None):
    """Input ``number`` of a format; ``keep`` chooses some of its mutations."""
    if form in FAULTS:
        return Case(form, number, {}, [form, "fault[0]", ""])
    rng = np.random.default_rng([zlib.crc32(form.encode()), number])
    k = int(rng.integers(len(seeds()[form])))
    steps = range(int(rng.choice([1, 1, 1, 2, 3])))
    suffix, content = form, seeds()[form][k]
    if form == "labels":
        suffix = ("txt", "csv", "npy", "npz")[k]
    elif rng.random() < 0.03:
        suffix = str(rng.choice(FORMATS))
    binary = form in BINARY or (form == "labels" and k > 1)
    own = OWN.get(suffix, ()) if binary else ()
    usual = BYTES if binary else (*BYTES[::2], *LINES, *LINES)
    found = []
    for step in steps if keep is None else keep:
        one = np.random.default_rng([zlib.crc32(form.encode()), number, step])
        choice = own if own and one.random() < 0.5 else usual
        mutation = choice[one.integers(len(choice))]
        found.append(f"{mutation.__name__}[{step}]")
        content = _mutated(content, mutation, one)
    files = _files(form, suffix, content)
    made = Case(form, number, files, [f"{form}#{k}", *found, f".{suffix}"])
    made.options = _options(form, suffix, rng)
    if rng.random() < 0.01:
        made.command = _command(next(iter(files)).split("/")[0], rng)
    return made


def _mutated(content, mutation, rng):
    if isinstance(content, dict):
        name = sorted(content)[rng.integers(len(content))]
        return content | {name: _mutated(content[name], mutation, rng)}
    return mutation(content[:LARGEST] or b"\n", rng)


def _files(form, suffix, content):
    if form == "labels":
        return {"data.csv": table().encode(), f"labels.{suffix}": content}
    if isinstance(content, dict):
        return {f"data/{name}": part for name, part in content.items()}
    return {f"data.{suffix}": content}


def _options(form, suffix, rng):
    options = {}
    if rng.random() < 0.3:
        options["kind"] = str(rng.choice(KINDS))
    if rng.random() < 0.2:
        options["symmetrize"] = True
    if form == "labels":
        options["labels"] = f"labels.{suffix}"
    elif rng.random() < 0.2:
        options["labels"] = str(rng.choice(["class", "y", "w", "nothing", "u", "names"]))
    if rng.random() < 0.1:
        options["use_labels"] = False
    return options


def _command(name, rng):
    return [
        ["check", name],
        ["compare", name, "other.csv", "--permutations", "99"],
        ["analyze", name, "--quick", "--max-objects", "24", "-o", "out.html"],
        ["fit", name, "--quick", "--max-objects", "24", "-o", "out.skops"],
        ["predict", "model.skops", name],
    ][rng.integers(5)]


# --- in the child ---------------------------------------------------------------------------------

_CHANGES = {"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink"}
_ESCAPES = {"os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect"}


class Watch:
    """What is opened for writing, moved or removed outside of one folder."""

    def __init__(self):
        self.found, self.active, self.inside = [], False, ""
        sys.addaudithook(self)

    def __call__(self, event, args):
        if not self.active:
            return
        paths = []
        if event == "open" and isinstance(args[0], (str, bytes)):
            mode, flags = args[1], args[2]
            if set(mode or "") & set("wax+") or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                paths = [args[0]]
        elif event in _CHANGES:
            paths = [p for p in args if isinstance(p, (str, bytes))]
        elif event in _ESCAPES and args[0] not in ("lscpu", "sysctl"):  # how many cores there are
            self.found.append(f"{event} {args[:2]}")
        for path in map(os.fsdecode, paths):
            allowed = os.path.abspath(path).startswith((self.inside, os.devnull))
            if not allowed and "__pycache__" not in path:  # of compiled code
                self.found.append(f"{event} {path}")


def _refuse(sentence, cause=None):
    from noneuclid.datasets import DataError

    raise DataError(sentence) from cause


def _spin():
    while True:
        pass


# What a reader might do, to see that it would be noticed.
FAULTS = {
    "!read": lambda: None,
    "!refused": lambda: _refuse("x.csv is empty"),
    "!UNCAUGHT": lambda: 1 / 0,
    "!SIGNAL": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "!HANG": _spin,
    "!PEAK": lambda: bytearray(b"x") * (BYTES_AT_MOST + 2**20),
    "!MEMORY": lambda: _refuse("x.npy is damaged", MemoryError()),
    "!WARNED": lambda: warnings.warn("odd", RuntimeWarning, stacklevel=1),
    "!WROTE": lambda: os.mkdir(Path(__file__).with_name("stray")),
}


def run(made, folder, watch):
    """Do it; returns what happened: "read", "refused: …", or what is wrong."""
    from noneuclid.datasets import DataError, read_dataset

    watch.found, watch.inside, watch.active = [], str(folder), True
    with warnings.catch_warnings(record=True) as leaked:
        warnings.simplefilter("always")
        try:
            if made.form in FAULTS:
                FAULTS[made.form]()
                outcome = "read"
            elif made.command:
                outcome = command(made.command)
            else:
                options = dict(made.options)
                read_dataset(Path(next(iter(made.files)).split("/")[0]), **options)
                outcome = "read"
        except DataError as error:
            outcome = _judged(error)
        except BaseException as error:
            where = traceback.extract_tb(error.__traceback__)
            place = "; ".join(f"{Path(f.filename).name}:{f.lineno}" for f in where[-4:])
            outcome = f"UNCAUGHT {type(error).__name__}: {str(error)[:200]} [{place}]"
        finally:
            watch.active = False
    if watch.found:
        return f"WROTE {watch.found[:3]}"
    if leaked and not outcome.startswith("UNCAUGHT") and not made.command:
        first = leaked[0]
        place = f"{Path(first.filename).name}:{first.lineno}"
        return f"WARNED {first.category.__name__}: {str(first.message)[:100]} [{place}]"
    return outcome


def _judged(error):
    from noneuclid._memory import NotEnoughMemory

    sentence, cause = str(error), error
    while cause is not None:
        if isinstance(cause, MemoryError) and not isinstance(cause, NotEnoughMemory):
            return f"MEMORY was tried to be had before it was refused: {sentence}"
        cause = cause.__cause__ or cause.__context__
    if len(sentence.splitlines()) != 1 or not sentence.isprintable() or len(sentence) > 1000:
        return f"MANY LINES or hidden letters: {sentence[:300]!r}"
    return f"refused: {sentence}"


def command(arguments):
    from typer.testing import CliRunner

    from noneuclid.cli import app

    result = CliRunner().invoke(app, arguments)
    if result.exit_code == 0:
        return "read"
    said = result.stderr
    if result.exit_code == 2 and said.startswith("error: ") and said.count("\n") == 1:
        return f"refused: {said[7:].strip()}"
    return f"UNCAUGHT exit code {result.exit_code}: {said[-300:]!r}"


def prepare(folder, command):
    """Files that commands need beside the damaged one."""
    (folder / "other.csv").write_text(table(), encoding="utf-8")
    if "predict" in command:
        (folder / "model.skops").write_bytes(model())


@functools.cache
def model():
    """A model that predict can use."""
    from noneuclid import save
    from noneuclid.datasets import read_dataset
    from noneuclid.report import Settings, fit_best

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(table(), encoding="utf-8")
        fitted = fit_best(read_dataset(path), Settings(quick=True), wanted="GLVQ")[0]
        save(fitted, path.with_suffix(".skops"))
        return path.with_suffix(".skops").read_bytes()


def usage():
    """Seconds of the processor, and the largest number of bytes ever in memory."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    with contextlib.suppress(OSError):  # Linux begins to count in the parent
        peak = int(re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())[1]) * 1024
    return used.ru_utime + used.ru_stime, peak


def limit_addresses():
    import resource

    with contextlib.suppress(OSError, ValueError):  # macOS has no such limit
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + _ROOM
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def one(form, number, keep, watch, seconds=SECONDS):
    made = case(form, number, keep)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        tempfile.tempdir = str(folder / "temporary")
        os.mkdir(tempfile.tempdir)
        for name, content in made.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        if made.command:
            prepare(folder, made.command)
        there = set(os.listdir(folder))
        os.chdir(folder)
        before, _ = usage()
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            outcome = run(made, folder, watch)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            os.chdir("/")
            tempfile.tempdir = None
        left = set(os.listdir(folder)) - there - {"out.html", "out.skops"}
        left |= set(os.listdir(folder / "temporary"))
        if left:
            outcome = f"WROTE {sorted(left)}"
    after, peak = usage()
    return {"outcome": outcome, "seconds": after - before, "peak": peak}


def main():
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    watch = Watch()
    one("parquet", 0, [], watch, seconds=0)  # what is imported once does not count
    limit_addresses()
    for line in sys.stdin:
        form, number, keep = json.loads(line)
        print(json.dumps(one(form, number, keep, watch)), file=channel, flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        shown = case(sys.argv[1], int(sys.argv[2]))
        print(shown)
        for name, content in shown.files.items():
            print(name, len(content), content[:300])
        print(one(sys.argv[1], int(sys.argv[2]), None, Watch()))
    else:
        main()
