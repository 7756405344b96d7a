"""Print the lowest versions pyproject.toml allows, as constraints for pip.

``make test-versions`` installs them and runs the tests: what the file promises is what was tried.
"""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"
OF_THAT_TIME = ["pyparsing==3.1"]  # later ones warn at every import of an old matplotlib
TOOLS = "dev"  # what tests need besides is no promise to users


def lowest(requirement):
    """``"numpy>=1.26"`` → ``"numpy==1.26"``; None for the package's own extras."""
    name, _, version = requirement.partition(">=")
    bare = re.sub(r"\[.*\]", "", name)
    return None if bare == "noneuclid" else f"{bare}=={version}"


def pins():
    """What users install, at its lowest: the dependencies and every extra but the tools."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + [r for e in extras if e != TOOLS for r in extras[e]]
    return sorted({c for c in map(lowest, wanted) if c})


def main():
    """Constraints for pip."""
    sys.stdout.write("\n".join([*pins(), *OF_THAT_TIME]) + "\n")


if __name__ == "__main__":
    main()
