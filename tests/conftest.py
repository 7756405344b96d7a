"""Shared by all tests."""

import re
import sys
from collections import Counter

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import settings
from threadpoolctl import threadpool_info

import campaigns

# The same few examples every time: a test that fails here fails everywhere.
settings.register_profile(
    "noneuclid", deadline=None, derandomize=True, database=None, max_examples=8
)
settings.load_profile("noneuclid")


@pytest.fixture(autouse=True)
def forget_metrics():
    """Metrics that a test registers are gone after it."""
    yield
    if "noneuclid.proximities.registry" in sys.modules:
        sys.modules["noneuclid.proximities.registry"]._USERS.clear()
        sys.modules["noneuclid.kernels.pairs"].REGISTERED.clear()


# Tests that take longest, in `make trust` many minutes each: at the end, one process would wait.
_FIRST = ("test_results_do_not_depend_on_the_machine", "test_numerics", "test_every_estimator_fits")


def pytest_collection_modifyitems(items):
    """Begin with the longest tests."""
    items.sort(key=lambda item: item.name.partition("[")[0] not in _FIRST)


# Every generator of a test module, and its state when all modules had been imported.
_BEGINNINGS = {}


def pytest_collection_finish(session):
    """Note how the generators of all modules begin."""
    modules = {item.module for item in session.items if hasattr(item, "module")}
    for generator in (value for module in modules for value in vars(module).values()):
        if isinstance(generator, np.random.Generator):
            _BEGINNINGS[id(generator)] = generator, generator.bit_generator.state


@pytest.fixture(autouse=True)
def same_data():
    """Data are the same whatever tests ran before, in whatever order, on however many cores."""
    for generator, state in _BEGINNINGS.values():
        generator.bit_generator.state = state


def pytest_make_parametrize_id(config, val, argname):
    """Spaces, kernels and costs name themselves; addresses would differ between processes."""
    if hasattr(val, "get_params"):
        return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", str(val)))
    return None


def processor():
    """What the tests ran on: a failure that others do not see may be due to it."""
    kernels = {
        pool.get("architecture", "unknown")
        for pool in threadpool_info()
        if pool["user_api"] == "blas"
    }
    return f"processor {llvm.get_host_cpu_name()}, BLAS for {', '.join(sorted(kernels)) or 'none'}"


def pytest_terminal_summary(terminalreporter):
    """Say what was not tested and why: one line for each reason, whatever the number of tests."""
    skipped = [report.longrepr for report in terminalreporter.stats.get("skipped", [])]
    reasons = Counter(where[2].removeprefix("Skipped: ") for where in skipped if len(where) == 3)
    for reason, count in sorted(reasons.items()):
        tests = "1 test" if count == 1 else f"{count} tests"
        terminalreporter.write_line(f"{tests} skipped: {reason}")
    passed, *bad = (len(terminalreporter.stats.get(k, [])) for k in ("passed", "failed", "error"))
    if not hasattr(terminalreporter.config, "workerinput"):  # which the first process counts, too
        terminalreporter.write_line(processor())
        campaigns.record("Tests", campaigns.SETTING, passed + sum(bad), sum(bad))
