import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from noneuclid.numerics import exp_nonpositive, lp_pull, lp_squared_distance
from noneuclid.numerics._jit import jit, suited
from noneuclid.numerics.information import _bag_sums


def test_functions_that_cannot_be_cached_are_compiled_all_the_same():
    names = {}
    exec("def double(x):\n    return 2 * x", names)  # no file: numba has nowhere to cache it
    with pytest.raises(RuntimeError, match="cache"):
        numba.njit(cache=True)(names["double"])
    assert jit()(names["double"])(21) == 42


def test_options_reach_the_compiler():
    assert jit(sums=True)(_add).targetoptions["fastmath"] >= {"reassoc"}
    assert "reassoc" not in jit()(_add).targetoptions["fastmath"]
    assert jit(inline=True)(_add).targetoptions["inline"] == "always"


def test_little_work_is_done_without_threads_and_gives_the_same():
    rng = np.random.default_rng(0)
    assert suited(_bag_sums, 10**9) is _bag_sums
    for d in (1, 4):
        X, first = rng.normal(size=(d, 60)), np.array([0, 20, 30, 60])
        given = X, first, X, first, False
        little, much = np.zeros((3, 3)), np.zeros((3, 3))
        suited(_bag_sums, 1)(*given, little)
        _bag_sums(*given, much)
        np.testing.assert_array_equal(little, much)


def _add(x, y):
    return x + y


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=(501, 17)), rng.normal(size=(13, 17)), rng.normal(size=(501, 13))


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="there is one core only")
@pytest.mark.parametrize("p", [1.0, 1.5, 2.7, 3.0, np.inf])
def test_results_do_not_depend_on_the_number_of_threads(data, p):
    X, W, F = data
    results = []
    before = numba.get_num_threads()
    try:
        for n_threads in (1, 2):
            numba.set_num_threads(n_threads)
            x = -np.abs(np.random.default_rng(1).normal(size=100_000))
            results.append((lp_squared_distance(X, W, p), lp_pull(X, W, F, p), exp_nonpositive(x)))
    finally:
        numba.set_num_threads(before)
    for one, two in zip(*results):
        np.testing.assert_array_equal(one, two)


def test_parallel_code_may_be_called_from_several_threads():
    # In a process of its own: unprotected, numba's own threads would end the whole process.
    code = """
import numpy as np
from concurrent.futures import ThreadPoolExecutor
from noneuclid.numerics import lp_squared_distance
X = np.random.default_rng(0).normal(size=(200, 20))
expected = lp_squared_distance(X, X, 1.5)
with ThreadPoolExecutor(4) as pool:
    for D in pool.map(lambda _: lp_squared_distance(X, X, 1.5), range(100)):
        assert (D == expected).all()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_process_does_not_inherit_a_lock_held_elsewhere():
    code = """
import os, sys
import numpy as np
from noneuclid.numerics import _jit, lp_squared_distance
X = np.ones((300, 300))
with _jit._one_parallel_kernel:
    child = os.fork()
    if child == 0:
        lp_squared_distance(X, X, 1.5)
        os._exit(0)
    sys.exit(os.waitpid(child, 0)[1])
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_error_in_one_thread_does_not_block_the_others(data):
    X, W, _ = data
    with ThreadPoolExecutor(2) as pool:
        failed = pool.submit(lp_squared_distance, X, "text", 1.5)
        assert failed.exception(timeout=60) is not None
        assert pool.submit(lp_squared_distance, X, W, 1.5).result(timeout=60).shape == (501, 13)


@pytest.mark.parametrize("collects", [True, False])
def test_the_collector_is_as_it_was_after_compiling(collects):
    seen, names = [], {}
    code = (
        "def double(x):\n    return 2 * x\ndef nothing(x):\n    return x.there_is_no_such_thing()"
    )
    exec(code, names)  # no file: nothing comes from the cache
    doubled, impossible = jit()(names["double"]), jit()(names["nothing"])
    compiled = getattr(doubled, "_compiler", None)
    if compiled is None:
        pytest.skip("nothing is compiled here")
    compile_function = compiled.compile
    compiled.compile = lambda *args: (seen.append(gc.isenabled()), compile_function(*args))[1]
    before = gc.isenabled()
    try:
        gc.enable() if collects else gc.disable()
        assert doubled(3) == 6
        assert gc.isenabled() == collects
        with pytest.raises(numba.TypingError):
            impossible(3)
        assert gc.isenabled() == collects
    finally:
        gc.enable() if before else gc.disable()
    assert seen == [False]
