"""Known vulnerabilities by a copy of an advisory database, for those whom a firewall keeps apart.

The copy is a folder or a git directory of advisories in the OSV schema, as YAML or JSON: a clone
of github.com/pypa/advisory-database, or what osv.dev offers for PyPI, unpacked. Whether a version
is affected is decided as the schema says (https://ossf.github.io/osv-schema/#evaluation).
"""

import io
import re
import subprocess
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

_NAME = re.compile(rb"""["']?name["']?:\s*["']?([\w.-]+)""")
_ENDS = (".yaml", ".yml", ".json")
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def look_up(pins, source):
    """What an audit says of ``name==version`` pins: one dictionary for each, as of pip-audit."""
    found = [_package(pin) for pin in pins]
    names = {package["name"] for package in found if "version" in package}
    known = read(source, names)
    for package in found:
        if "version" in package:
            ours = known.get(package["name"], [])
            package["vulns"] = [a for a in ours if affects(a, package["name"], package["version"])]
    return found


def _package(pin):
    name, _, version = pin.partition("==")
    if re.fullmatch(r"[\w.-]+", name) and version:
        return {"name": canonicalize_name(name), "version": version.strip()}
    return {"name": pin, "skip_reason": "not pinned to a version"}


def read(source, names):
    """Advisories that stand, by the canonical names of the packages wanted."""
    known = {}
    for text in _texts(Path(source)):
        if names.isdisjoint(canonicalize_name(name.decode()) for name in _NAME.findall(text)):
            continue
        advisory = yaml.load(text, _Loader)
        if not advisory.get("withdrawn"):
            for name in {_name(part) for part in advisory.get("affected", [])} & names:
                known.setdefault(name, []).append(advisory)
    return known


def _texts(source):
    if _is_git(source):
        tree = subprocess.run(["git", "-C", source, "archive", "HEAD"], capture_output=True)
        tree.check_returncode()
        with tarfile.open(fileobj=io.BytesIO(tree.stdout)) as archive:
            for member in archive:
                if member.isfile() and member.name.endswith(_ENDS):
                    yield archive.extractfile(member).read()
    else:
        for path in sorted(source.rglob("*.*")):
            if path.name.endswith(_ENDS):
                yield path.read_bytes()


def _is_git(source):
    return (source / ".git").exists() or (source / "HEAD").is_file()


def date(source):
    """The day of a copy: that of its last commit, or of the newest file."""
    source = Path(source)
    if _is_git(source):
        command = ["git", "-C", source, "log", "-1", "--format=%cs"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    newest = max((path.stat().st_mtime for path in source.rglob("*.*")), default=0.0)
    return datetime.fromtimestamp(newest, UTC).date().isoformat()


def affects(advisory, name, version):
    """Whether an advisory concerns a version of a package."""
    return any(
        _listed(part, version) or any(_within(span, version) for span in part.get("ranges", []))
        for part in advisory.get("affected", [])
        if _name(part) == canonicalize_name(name)
    )


def _name(part):
    package = part.get("package", {})
    return canonicalize_name(package["name"]) if package.get("ecosystem") == "PyPI" else None


def _listed(part, version):
    return any(
        str(v) == version or _parsed(v) == Version(version) for v in part.get("versions", [])
    )


def _parsed(text):
    try:
        return Version(str(text))
    except InvalidVersion:  # of before PEP 440: no version that can be installed equals it
        return None


def _within(span, version):
    """The schema's evaluation: the last event not after the version decides."""
    if span["type"] not in ("ECOSYSTEM", "SEMVER"):  # a range of commits; versions are listed
        return False
    ours = Version(version)
    events = [(kind, str(at)) for event in span["events"] for kind, at in event.items()]
    limits = [at for kind, at in events if kind == "limit"]
    if limits and not any(at == "*" or ours < Version(at) for at in limits):
        return False
    affected = False
    for kind, at in sorted(events, key=lambda event: _order(event[1])):
        if kind == "introduced" and _order(at) <= (1, ours):
            affected = True
        elif kind in ("fixed", "last_affected") and ours >= Version(at):
            affected = kind == "last_affected" and ours == Version(at) and affected
    return affected


def _order(at):
    """A key of versions: "0" is before all of them, "*" after."""
    return {"0": (0, Version("0")), "*": (2, Version("0"))}.get(at) or (1, Version(at))
