"""Compiled code reads and writes inside its arrays, and says what plain Python says.

numba checks no index unless it is asked to, and an integer that overflows, or a division by zero,
is another thing in Python. So the tests of the numerics, and a fit of every estimator, run with
every index checked, and once more without a compiler; each in a process of its own.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import campaigns
from noneuclid.testing import all_estimators

TESTS = Path(__file__).parent
# Compiled with checks, code is kept apart from that without.
SETTINGS = {
    "NUMBA_BOUNDSCHECK": "every index of compiled code checked",
    "NUMBA_DISABLE_JIT": "compiled code run as plain Python",
}
# Tests of the compiler itself, of threads, and of samples so large that Python would need minutes.
NOT_PLAIN = "not compil and not cache and not threads and not thread and not speed"
# Names of the numerics' tests that a quick pass tries.
FEW = ("test_lvq_steps.py", "test_quantization_steps.py", "test_cholesky_and_balls.py")
FITTED = """
import sys, warnings
sys.path.insert(0, {tests!r})
warnings.simplefilter("ignore")
import test_odd_data as odd
every = {every}
names = list(odd.MODELS)[::every]
for name in names:
    model = odd.MODELS[name]
    odd.answers(model, odd.problem(model))
print(len(names))
"""


def environment(variable, folder):
    return {
        **os.environ,
        variable: "1",
        "NUMBA_CACHE_DIR": str(folder),
        "OPENBLAS_NUM_THREADS": "1",
    }


def run(command, variable, folder):
    return subprocess.run(
        [sys.executable, *command],
        env=environment(variable, folder),
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.trust
@pytest.mark.parametrize("variable", list(SETTINGS))
def test_every_estimator_fits(variable, tmp_path):
    every = campaigns.size(15, 1)
    done = run(["-c", FITTED.format(tests=str(TESTS), every=every)], variable, tmp_path)
    tried = int(done.stdout.split()[-1]) if done.returncode == 0 else len(all_estimators())
    failed = int(done.returncode != 0)
    campaigns.record("Numbers", f"fits with {SETTINGS[variable]}", tried, failed)
    assert not failed, done.stderr[-3000:]


@pytest.mark.trust
@pytest.mark.parametrize("variable", list(SETTINGS))
def test_numerics(variable, tmp_path):
    files = campaigns.size(FEW[:1], tuple(sorted(p.name for p in TESTS.glob("numerics/test_*.py"))))
    chosen = ["-k", NOT_PLAIN] if variable == "NUMBA_DISABLE_JIT" else []
    options = ["-n", "0", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow", *chosen]
    paths = [str(TESTS / "numerics" / name) for name in files]
    done = run(["-m", "pytest", *options, *paths], variable, tmp_path)
    summary = (done.stdout.strip().splitlines() or ["nothing ran"])[-1]
    campaigns.record(
        "Numbers", f"files of numerical tests with {SETTINGS[variable]}", len(files),
        int(done.returncode != 0), summary,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
