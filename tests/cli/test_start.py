"""What comes at once: help, the version, and the refusal of what cannot be."""

import os
import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "sklearn", "numba", "matplotlib", "pandas", "pyarrow", "dask", "skops")
COUNT = f"""
import sys
from noneuclid.__main__ import main
sys.argv = ["noneuclid", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    code = end.code or 0
print(code, sorted({{name.split(".")[0] for name in sys.modules}} & set({HEAVY!r})))
"""


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--version"], 0, "noneuclid "),
        (["--help"], 0, "Commands:"),
        (["analyze", "--help"], 0, "--max-objects"),
        (["fit", "-h"], 0, "--labels"),
        (["predict", "-h"], 0, "MODEL"),
        (["compare", "-h"], 0, "--permutations"),
        (["check", "-h"], 0, "--landmarks"),
        (["warm-up", "-h"], 0, "Compile ahead"),
        (["nothing"], 2, "No such command"),
        (["analyze", "no.csv"], 2, "there is no file 'no.csv'"),
        (["check", "no.csv", "--no-such-option"], 2, "No such option"),
        (["compare", "no.csv", "no.csv"], 2, "there is no file 'no.csv'"),
        (["predict", "no.skops", "no.csv"], 2, "there is no"),
        (["fit", __file__, "-o", "no/model.skops"], 2, "there is no folder"),
        (["analyze", __file__, "-o", "no/page.html"], 2, "there is no folder"),
        (["demo", "-o", "no/page.html"], 2, "there is no folder"),
    ],
    ids=lambda value: "-".join(os.path.basename(v) for v in value) if type(value) is list else "",
)
def test_what_comes_at_once_loads_nothing_heavy(arguments, code, said, tmp_path):
    command = [sys.executable, "-c", COUNT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert said in done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{code} []"
