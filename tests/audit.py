"""Look the installed packages up among the known vulnerabilities (``make audit``).

What pip-audit could not look up is no pass: it is counted and said.
"""

import json
import subprocess
import sys

import campaigns


def main(tool, python):
    """Audit what ``python`` has installed with the given pip-audit; 1 if something is known."""
    freeze = [python, "-m", "pip", "freeze", "--exclude-editable"]
    installed = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout
    done = subprocess.run(
        [tool, "--format=json", "--progress-spinner=off", "--no-deps", "--requirement=/dev/stdin"],
        input=installed,
        capture_output=True,
        text=True,
    )
    if not done.stdout.strip():
        print(f"pip-audit gave no answer: {done.stderr.strip().splitlines()[-1]}")
        return 2
    packages = json.loads(done.stdout)["dependencies"]
    known = [p for p in packages if p.get("vulns")]
    unseen = [p for p in packages if "skip_reason" in p]
    for package in known:
        names = ", ".join(v["id"] for v in package["vulns"])
        print(f"{package['name']} {package['version']}: {names}")
    looked = len(packages) - len(unseen)
    note = f"{len(unseen)} of {len(packages)} could not be looked up" if unseen else ""
    campaigns.record(
        "Supply chain", "installed packages without known vulnerability", looked, len(known), note
    )
    print(f"{looked} packages looked up, {len(known)} with known vulnerabilities. {note}".strip())
    return 1 if known else 2 if not looked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
