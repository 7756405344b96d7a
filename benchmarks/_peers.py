"""Where the peers are: other libraries, in environments of their own.

Every list in ``peers/`` is one environment, of libraries that agree about their dependencies.
``make benchmark-peers`` makes them in ``build/peers``, or in the folder that ``NONEUCLID_PEERS``
names, where every script finds them by itself::

    python = peer_python("minisom")  # None where it is not installed
    print(missing("minisom"))        # and why
"""

import os
import re
import sys
from pathlib import Path

LISTS = Path(__file__).with_name("peers")
FOLDER = Path(os.environ.get("NONEUCLID_PEERS") or LISTS.parents[1] / "build" / "peers").resolve()
asked: dict[str, str] = {}  # peers that were found since the last record, and their interpreters


def environments() -> dict[str, list[str]]:
    """Every environment and the distributions that its list names, the peers first."""
    found = {}
    for path in sorted(LISTS.glob("*.txt")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        found[path.stem] = [re.split(r"[\[<>=~!; ]", line)[0] for line in lines if line[0] != "#"]
    return found


def home(peer: str) -> Path:
    """The environment of a peer."""
    names = [name for name, peers in environments().items() if peer in peers]
    if not names:
        raise ValueError(f"no list in {LISTS} names {peer}")
    return FOLDER / names[0]


def peer_python(peer: str) -> str | None:
    """The interpreter of a peer's environment, None where there is none."""
    python = home(peer) / "bin" / "python"
    if not python.is_file() or (home(peer) / "failed.txt").is_file():
        return None
    asked[peer] = str(python)
    return str(python)


def plain_python() -> str:
    """An interpreter with what noneuclid needs and no more, as the peers have; else this one."""
    python = FOLDER / "plain" / "bin" / "python"
    return str(python) if python.is_file() else sys.executable


def missing(peer: str) -> str:
    """Why a peer was not measured, in one line."""
    failed = home(peer) / "failed.txt"
    why = failed.read_text(encoding="utf-8").strip() if failed.is_file() else "make benchmark-peers"
    return f"{peer} is not installed: {why}"
