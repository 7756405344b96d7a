"""Compiled code reads and writes inside its arrays, and says what plain Python says.

numba checks no index unless it is asked to, and an integer that overflows, or a division by zero,
is another thing in Python. So the tests of the numerics, and a fit of every estimator, run with
every index checked, and once more without a compiler; each in a process of its own.
"""

import os
import re
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
# What plain Python cannot show, and why: {test: reason}.
_RAISES = "its overflow or log(0) is a number in compiled code, and an error or warning in Python"
_MINUTES = "many pairs: minutes in plain Python"
NOT_PLAIN = {
    "test_jit.py": "of the compiler itself",
    "test_information_sums.py::test_far_points_do_not_underflow": _RAISES,
    "test_information_sums.py::test_against_the_matrix_of_pairs": _MINUTES,
    "test_information_sums.py::test_threads_do_not_change_a_bit": _MINUTES,
    "test_lp_pairs.py::test_huge_and_tiny_differences": _RAISES,
    "test_lp_pairs.py::test_mixed_scales_within_a_row": _RAISES,
    "test_lp_pairs.py::test_many_rows_in_parallel_are_few_rows_in_turn": _MINUTES,
}
FITTED = """
import sys, warnings
sys.path.insert(0, {tests!r})
warnings.simplefilter("ignore")
import test_odd_data as odd
for model in odd.MODELS.values():
    odd.answers(model, odd.problem(model))
print(len(odd.MODELS))
"""


def environment(variable, folder):
    # Tests in there are counted here, by one line: they must not count themselves, too.
    inherited = {k: v for k, v in os.environ.items() if k != "NONEUCLID_TRUST"}
    return {
        **inherited,
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


@pytest.mark.slow
@pytest.mark.trust
@pytest.mark.parametrize("variable", list(SETTINGS))
def test_every_estimator_fits(variable, tmp_path):
    done = run(["-c", FITTED.format(tests=str(TESTS))], variable, tmp_path)
    tried = int(done.stdout.split()[-1]) if done.returncode == 0 else len(all_estimators())
    failed = int(done.returncode != 0)
    campaigns.record("Numbers", f"fits with {SETTINGS[variable]}", tried, failed)
    assert not failed, done.stderr[-3000:]


def numerics(variable, folder, names):
    """Run files of the numerics' tests; says how many tests there were, and what failed."""
    left_out = NOT_PLAIN if variable == "NUMBA_DISABLE_JIT" else {}
    paths = [f"tests/numerics/{name}" for name in names if name not in left_out]
    options = ["-n", "0", "-q", "--no-header", "-p", "no:cacheprovider", "-m", "not slow"]
    options += [f"--deselect=tests/numerics/{test}" for test in left_out if "::" in test]
    done = run(["-m", "pytest", *options, *paths], variable, folder)
    counts = {kind: int(n) for n, kind in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failed = sum(counts.values()) - counts.get("passed", 0)
    what = f"numerical tests with {SETTINGS[variable]}"
    campaigns.record("Numbers", what, sum(counts.values()), failed or int(done.returncode != 0))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]


def test_cholesky_factors_in_plain_python(tmp_path):
    numerics("NUMBA_DISABLE_JIT", tmp_path, ["test_cholesky_and_balls.py"])


@pytest.mark.slow
@pytest.mark.trust
@pytest.mark.parametrize("variable", list(SETTINGS))
def test_numerics(variable, tmp_path):
    numerics(variable, tmp_path, sorted(p.name for p in TESTS.glob("numerics/test_*.py")))


def test_what_is_left_out_exists():
    for test in NOT_PLAIN:
        file, _, name = test.partition("::")
        assert f"def {name}" in (TESTS / "numerics" / file).read_text(encoding="utf-8")
