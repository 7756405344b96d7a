"""Look the installed packages up among the known vulnerabilities (``make audit``).

Where pip-audit reaches no service, ``NONEUCLID_ADVISORIES`` names a copy of an advisory database
(``advisories.py``). What could not be looked up is no pass: it is counted and said. The lowest
versions that pyproject.toml allows are looked up, too, and told: a bound can be raised.
"""

import json
import os
import subprocess
import sys

import advisories
import campaigns
import lowest_versions

SOURCE = os.environ.get("NONEUCLID_ADVISORIES")


def main(tool, python):
    """Audit what ``python`` has installed, by the given pip-audit or SOURCE; 1 if any is known."""
    freeze = [python, "-m", "pip", "freeze", "--exclude-editable"]
    pins = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout.split("\n")
    packages = look_up(tool, [pin for pin in pins if pin])
    if packages is None:
        return 2
    known, unseen = tell(packages), [p for p in packages if "skip_reason" in p]
    looked = len(packages) - len(unseen)
    notes = [f"advisories until {advisories.date(SOURCE)}"] if SOURCE else []
    notes += [f"{len(unseen)} of {len(packages)} could not be looked up"] if unseen else []
    note = ", ".join(notes)
    campaigns.record(
        "Supply chain", "installed packages without known vulnerability", looked, known, note
    )
    print(f"{looked} packages looked up, {known} with known vulnerabilities. {note}".strip())
    lowest = look_up(tool, lowest_versions.pins()) or []
    print(f"{tell(lowest)} of {len(lowest)} lowest versions allowed have known vulnerabilities.")
    return 1 if known else 2 if not looked else 0


def look_up(tool, pins):
    """A dictionary for each ``name==version`` pin, with its ``vulns``; None if nobody answers."""
    if SOURCE:
        return advisories.look_up(pins, SOURCE)
    done = subprocess.run(
        [tool, "--format=json", "--progress-spinner=off", "--no-deps", "--requirement=/dev/stdin"],
        input="\n".join(pins),
        capture_output=True,
        text=True,
    )
    if not done.stdout.strip():
        print(f"pip-audit gave no answer: {done.stderr.strip().splitlines()[-1]}")
        return None
    return json.loads(done.stdout)["dependencies"]


def tell(packages):
    """Print a line for every package with known vulnerabilities; how many there are."""
    known = [package for package in packages if package.get("vulns")]
    for package in known:
        names = ", ".join(v["id"] for v in package["vulns"])
        print(f"{package['name']} {package['version']}: {names}")
    return len(known)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
