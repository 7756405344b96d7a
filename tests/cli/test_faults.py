"""The command under signals, full disks, closed pipes, and other processes.

Nothing here waits for a time: a signal comes after so many calls, which a run without one counted.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import campaigns
import noneuclid
from noneuclid.datasets import make_families

pytest.importorskip("typer")
posix = pytest.mark.skipif(os.name != "posix", reason="there are no such signals")

AREA = "Interruption"
# Runs the command and sends its own process a signal after so many calls; writes their number. It
# is sent where the interpreter looks for signals: not before a C function, which may free a lock.
SIGNALLED = """
import os, sys
moment, number, counted = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
del sys.argv[1:4]
calls = 0
def count(frame, event, argument):
    global calls
    if event in ("call", "c_return"):
        calls += 1
        if calls == moment:
            os.kill(os.getpid(), number)
from noneuclid.__main__ import main
from noneuclid import _signals
_signals.listen()
sys.setprofile(count)
try:
    main()
finally:
    sys.setprofile(None)
    with open(counted, "w") as file:
        file.write(str(calls))
"""
QUICK = ("--quick", "--splits", "2", "--repeats", "1")


def command(*arguments, **options):
    """A run of the command in a process of its own."""
    line = [sys.executable, "-m", "noneuclid", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=600, **options)


def one_line(result, code):
    """The command ended with this code and one line on standard error."""
    assert result.returncode == code, result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A table of sequences, and a model of it."""
    folder = tmp_path_factory.mktemp("data")
    found = make_families(6, n_families=2)
    rows = zip(found.names, found.X, found.labels)
    text = "name,sequence,class\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows)
    (folder / "f.csv").write_text(text)
    result = command("fit", "f.csv", "-o", "m.skops", *QUICK[:3], cwd=folder)
    assert result.returncode == 0, result.stderr
    return folder


def signalled(moment, number, folder, *arguments):
    counted = folder.parent / f"{folder.name}.calls"
    line = [sys.executable, "-c", SIGNALLED, str(moment), str(int(number)), str(counted)]
    result = subprocess.run(
        [*line, *arguments], capture_output=True, text=True, timeout=600, cwd=folder
    )
    return result, counted


COMMANDS = {
    "analyze": ("analyze", "f.csv", "-o", "page.html", "--save", "model.skops", *QUICK),
    "fit": ("fit", "f.csv", "-o", "model.skops", *QUICK[:3]),
    "predict": ("predict", "m.skops", "f.csv", "-o", "page.html"),
}


def is_whole(path, old):
    """Whether a file is the old one or a new one, all of it."""
    content = path.read_bytes()
    if content == old:
        return True
    if path.suffix == ".skops":
        return hasattr(noneuclid.load(path), "predict")
    return content.rstrip().endswith(b"</html>") or content.startswith(b"object,class")


@posix
@pytest.mark.trust
@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_signal_at_any_moment_is_one_line_and_no_half_file(tmp_path, data, name):
    pytest.importorskip("skops")
    folder = tmp_path / "work"
    shutil.copytree(data, folder)
    # The first run fills caches, later ones make fewer calls; compiling while calls are counted
    # would take a minute.
    result = command(*COMMANDS[name], cwd=folder)
    assert result.returncode == 0, result.stderr
    result, counted = signalled(-1, 0, folder, *COMMANDS[name])
    assert result.returncode == 0, result.stderr
    for written in (folder / "page.html", folder / "model.skops"):
        written.write_bytes(b"old")
    names = sorted(os.listdir(folder))
    tried, failed = 0, []
    calls = int(counted.read_text())
    moments = np.linspace(1, calls - 1, campaigns.size(4, 42)).astype(int)
    for k, moment in enumerate(moments[1:-1].tolist()):
        number = (signal.SIGINT, signal.SIGTERM)[k % 2]
        result, counted = signalled(moment, number, folder, *COMMANDS[name])
        if result.returncode == 0 and int(counted.read_text()) < moment:
            continue  # runs differ in their calls: this one had ended before
        whole = all(is_whole(folder / x, b"old") for x in ("page.html", "model.skops"))
        *before, last = result.stderr.splitlines() or [""]
        said = last.startswith("Stopped; ") and all("predictions agree" in x for x in before)
        left = sorted(os.listdir(folder)) != names
        tried += 1
        if result.returncode != 130 or not said or not whole or left:
            failed.append((moment, result.returncode, result.stderr, os.listdir(folder)))
    campaigns.record(AREA, "signals during commands", tried, len(failed))
    assert not failed
    assert tried > 0


WAITING = """
import os, sys, time
from noneuclid import _signals
from noneuclid.proximities import pairwise

def slow(a, b, folder=sys.argv[1]):
    open(os.path.join(folder, str(os.getpid())), "w").close()
    time.sleep(0.01)
    return 0.0

_signals.listen()
try:
    with _signals.raising(lambda: "Stopped"):
        pairwise(list(range(1000)), slow, n_jobs=2)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="processes are not to be seen")
@pytest.mark.trust
@pytest.mark.parametrize("sent", campaigns.size(["SIGTERM"], ["SIGINT", "SIGTERM"]))
def test_a_signal_leaves_no_process_behind(tmp_path, sent):
    """Workers of joblib end with the process that is interrupted while it waits for them."""
    process = subprocess.Popen([sys.executable, "-c", WAITING, str(tmp_path)])
    until(lambda: os.listdir(tmp_path))
    process.send_signal(getattr(signal, sent))
    code = process.wait(timeout=300)
    campaigns.record(AREA, "signals while worker processes run", 1, code != 130)
    assert code == 130
    for worker in os.listdir(tmp_path):
        until(lambda worker=worker: not is_running(int(worker)))


def until(condition):
    """Wait, as long as a slow machine may need."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("waited for five minutes")


def is_running(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


# --- disks and pipes ------------------------------------------------------------------------


@posix
@pytest.mark.trust
def test_files_that_cannot_grow(tmp_path, data):
    """What a full disk or a quota does to a file that is half written."""
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    (tmp_path / "page.csv").write_text("old")
    names = sorted(os.listdir(tmp_path))
    resource = pytest.importorskip("resource")
    result = command(
        *("predict", "m.skops", "f.csv", "-o", "page.csv"),
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
    )
    campaigns.record(AREA, "files that cannot be written", 1, result.returncode != 2)
    assert "file too large (page.csv)" in one_line(result, 2).replace(f"{tmp_path}/", "")
    assert (tmp_path / "page.csv").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == names


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no such device")
@pytest.mark.parametrize("arguments", [("--version",), ("predict", "m.skops", "f.csv")])
def test_standard_output_on_a_full_disk(data, arguments):
    with open("/dev/full", "w") as full:
        line = [sys.executable, "-m", "noneuclid", *arguments]
        result = subprocess.run(
            line, stdout=full, stderr=subprocess.PIPE, text=True, cwd=data, timeout=600
        )
    assert one_line(result, 2) == "error: no space left on device\n"


@posix
@pytest.mark.parametrize("name", ["--help", "predict", "analyze"])
def test_a_reader_who_leaves_is_no_error(tmp_path, data, name):
    """As with ``| head -1``: no traceback, and files are written all the same."""
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    arguments = {"predict": COMMANDS["predict"][:3], "analyze": COMMANDS["analyze"]}
    reader, writer = os.pipe()
    os.close(reader)
    line = [sys.executable, "-m", "noneuclid", *arguments.get(name, (name,))]
    result = subprocess.run(
        line, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=600
    )
    os.close(writer)
    assert result.returncode == 0 or name == "--help"  # which is another library's
    assert "Traceback" not in result.stderr
    assert "roken" not in result.stderr
    assert (tmp_path / "page.html").exists() == (name == "analyze")


@posix
def test_a_folder_that_cannot_be_written_to(tmp_path, data):
    """Permissions do not bind root: it gives up what lifts them."""
    prefix = []
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("root cannot give up its rights here")
        prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    line = [*prefix, sys.executable, "-m", "noneuclid", "predict", "m.skops", "f.csv"]
    result = subprocess.run(
        [*line, "-o", str(locked / "a.csv")], capture_output=True, text=True, cwd=data, timeout=600
    )
    assert "cannot be written to: choose another with -o" in one_line(result, 2)
    assert os.listdir(locked) == []


# --- homes and caches -----------------------------------------------------------------------

FITTING = """
import numpy as np, warnings
from noneuclid.pca import KernelHebbianPCA
warnings.simplefilter("ignore")
X = np.random.default_rng(0).normal(size=(40, 3))
model = KernelHebbianPCA(kernel="linear", max_iter=3, random_state=0).fit(X)
print(model.dual_coefficients_.tobytes().hex())
"""


def fitting(**changed):
    """A fit of compiled code in a process of its own, with other variables."""
    env = {name: value for name, value in (os.environ | changed).items() if value is not None}
    return subprocess.Popen(
        [sys.executable, "-c", FITTING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )


@pytest.mark.trust
@pytest.mark.parametrize(
    "home", campaigns.size(["/nonexistent"], [None, "/nonexistent", "/dev/null"]), ids=str
)
def test_no_home(data, home):
    env = {name: value for name, value in os.environ.items() if not name.startswith("XDG")}
    env.pop("HOME", None)
    env |= {} if home is None else {"HOME": home}
    result = command("predict", "m.skops", "f.csv", env=env, cwd=data)
    campaigns.record(AREA, "homes that are not there", 1, result.returncode != 0)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("object,class")
    assert result.stderr.count("\n") <= 1


@pytest.mark.trust
def test_processes_that_fill_the_compilation_cache_at_once(tmp_path):
    known = fitting()
    expected, errors = known.communicate(timeout=600)
    assert known.returncode == 0, errors
    n = campaigns.size(2, 8)
    together = [fitting(NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(n)]
    results = [(process.communicate(timeout=600), process.returncode) for process in together]
    wrong = [result for result in results if result[0][0] != expected or result[1] != 0]
    campaigns.record(AREA, "processes filling one compilation cache", n, len(wrong))
    assert not wrong
    last = fitting(NUMBA_CACHE_DIR=str(tmp_path))
    assert last.communicate(timeout=600)[0] == expected
    assert not [path for path in tmp_path.rglob("*") if ".tmp" in path.name]


@posix
@pytest.mark.trust
def test_a_compilation_cache_that_cannot_be_written(tmp_path):
    """A full disk, as far as the cache is concerned: code is compiled and not kept."""
    resource = pytest.importorskip("resource")
    known = fitting()
    expected = known.communicate(timeout=600)[0]
    code = f"import resource; resource.setrlimit({resource.RLIMIT_FSIZE}, (512, 512))\n" + FITTING
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        timeout=600,
    )
    campaigns.record(AREA, "compilation caches that cannot be written", 1, result.returncode != 0)
    assert result.returncode == 0, result.stderr
    assert result.stdout == expected


@pytest.mark.trust
def test_runs_to_one_output_leave_one_complete_file(tmp_path, data):
    shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    names = sorted([*os.listdir(tmp_path), "model.skops"])
    n = campaigns.size(2, 6)
    line = [sys.executable, "-m", "noneuclid", *COMMANDS["fit"]]
    together = [
        subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(n)
    ]
    codes = [(process.communicate(timeout=600)[1], process.returncode) for process in together]
    campaigns.record(AREA, "runs writing one file at once", n, sum(c != 0 for _, c in codes))
    assert codes == [(b"", 0)] * n
    assert hasattr(noneuclid.load(tmp_path / "model.skops"), "predict")
    assert sorted(os.listdir(tmp_path)) == names
