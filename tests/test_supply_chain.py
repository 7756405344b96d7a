"""What users install: no network, the licence, the same wheel twice, versions that are tested."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import campaigns
import lowest_versions

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# An audit hook cannot be removed and sees every socket, also those opened by C code of Python's.
# Processes of one machine may talk to each other through AF_UNIX.
OFFLINE = """
import socket, sys
UNIX = getattr(socket, "AF_UNIX", None)
def hook(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request"):
        raise PermissionError(f"network: {event} {arguments}")
    if event in ("socket.connect", "socket.bind") and arguments[0].family != UNIX:
        raise PermissionError(f"network: {event} {arguments}")
sys.addaudithook(hook)
"""
EVERY_MODULE = """
import importlib, pkgutil, noneuclid
names = [m.name for m in pkgutil.walk_packages(noneuclid.__path__, "noneuclid.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names))
"""
A_FIT = """
import numpy as np, noneuclid
X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
noneuclid.save(noneuclid.GLVQ(max_epochs=2).fit(X, y), "model.skops")
print(noneuclid.load("model.skops").predict(X[:1]))
"""
AN_ANALYSIS = """
from pathlib import Path
Path("words.txt").write_text("\\n".join(["ACGT", "ACGA", "TTGA", "TTGC", "GGGG"] * 8))
from noneuclid.cli import main
sys.argv = ["noneuclid", "analyze", "words.txt", "-o", "page.html"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
assert Path("page.html").stat().st_size > 1000
"""


@pytest.mark.trust
@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("importing every module", EVERY_MODULE),
        ("fitting, saving and loading", A_FIT),
        ("analysing a file", AN_ANALYSIS),
    ],
    ids=["imports", "fit", "analyze"],
)
def test_no_network(what, code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE + code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=600,
    )
    campaigns.record("Supply chain", "runs without network", 1, int(done.returncode != 0), what)
    assert done.returncode == 0, done.stderr
    assert "network:" not in done.stderr + done.stdout


def test_the_network_test_can_fail(tmp_path):
    for code in (
        "socket.create_connection(('127.0.0.1', 9), timeout=1)",
        "import urllib.request; urllib.request.urlopen('http://localhost')",
        "s = socket.socket(); s.bind(('127.0.0.1', 0))",
    ):
        done = subprocess.run(
            [sys.executable, "-c", OFFLINE + code], capture_output=True, text=True
        )
        assert "PermissionError: network:" in done.stderr


def test_the_licence_is_named_in_spdx_and_included():
    assert PROJECT["license"] == "BSD-3-Clause"
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("BSD 3-Clause License")
    assert "Neither the name of the copyright holder" in text
    assert (ROOT / "SECURITY.md").is_file()


def test_every_dependency_has_a_lowest_version_and_no_highest():
    extras = PROJECT["optional-dependencies"].values()
    for requirement in [*PROJECT["dependencies"], *(r for extra in extras for r in extra)]:
        if not requirement.startswith("noneuclid"):
            assert re.fullmatch(r"[\w-]+(\[[\w,]+\])?>=[\d.]+", requirement), requirement
    assert lowest_versions.lowest("dask[array]>=2024.1") == "dask==2024.1"
    assert lowest_versions.lowest("noneuclid[io]") is None


def build(folder, umask):
    """Build the wheel in a clone with another path, time zone and mask of rights; return it."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True, umask=umask)
    command = ["make", "wheel", f"PYTHON={sys.executable}", "WHEEL=--no-index --no-build-isolation"]
    environment = os.environ | {"TZ": f"UTC{umask % 12}", "PYTHONHASHSEED": str(umask)}
    subprocess.run(command, check=True, cwd=folder, env=environment, umask=umask, timeout=600)
    (wheel,) = (folder / "dist").glob("*.whl")
    return wheel


@pytest.mark.slow
@pytest.mark.trust
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no git repository to build a wheel from")
def test_the_wheel_is_reproducible_and_complete(tmp_path):
    wheels = [build(tmp_path / f"clone-{umask}", umask) for umask in (0o022, 0o077)]
    sums = {hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels}
    campaigns.record("Supply chain", "builds of the wheel give the same bytes", 2, len(sums) - 1)
    assert len(sums) == 1
    with zipfile.ZipFile(wheels[0]) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("/METADATA"))).decode()
    assert "License-Expression: BSD-3-Clause" in metadata
    assert any(n.endswith("licenses/LICENSE") for n in names)
    tops = {n.split("/")[0] for n in names}
    assert tops == {"noneuclid", next(t for t in tops if t.endswith(".dist-info"))}
    shipped = {p.relative_to(ROOT / "src").as_posix() for p in (ROOT / "src").rglob("*.*")}
    wanted = {s for s in shipped if s.endswith((".py", ".pyi", ".typed", ".html", ".css", ".js"))}
    assert wanted <= set(names)
