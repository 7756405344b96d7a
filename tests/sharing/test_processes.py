"""Fits in workers of joblib and Dask and in forked children: same answers, no more threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sharing_tasks

import campaigns

HERE = Path(__file__).parent
AREA = "Threads and processes"
LIMIT = 1200  # seconds, for a machine that is busy; what hangs, hangs for ever
IN_TRUST = pytest.mark.slow  # `make trust` only: a process of its own takes seconds to begin


def run(code, **environment):
    """Run code in a process of its own, where a crash or a hang is seen; what it printed."""
    paths = [str(HERE), str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-2000:]}"
    return done.stdout


def counted(what, tried, failed=0):
    campaigns.record(AREA, what, tried, failed)


# --- forked children ------------------------------------------------------------------------

FORK = """
import multiprocessing
import numpy as np
import sharing_tasks
from noneuclid.numerics import _jit

expected = sharing_tasks.answers()
sharing_tasks.threads()  # the threads of compiled code are there

def child(connection):
    connection.send((sharing_tasks.answers(), _jit._no_threads_here))

context = multiprocessing.get_context("fork")
for _ in range(2):
    ours, theirs = context.Pipe()
    process = context.Process(target=child, args=(theirs,))
    process.start()
    theirs.close()
    found, alone = ours.recv()
    process.join()
    for got, values in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, values, rtol=1e-12, atol=1e-12)
    assert process.exitcode == 0, process.exitcode
print(alone)
"""


@pytest.mark.trust
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("layer", ["default", pytest.param("workqueue", marks=IN_TRUST)])
def test_forked_children_of_a_process_that_fitted(layer):
    """GNU's OpenMP, where numba takes it, would end the child without a word."""
    run(FORK, NUMBA_THREADING_LAYER=layer)
    counted("fits in forked children of a process that fitted before", 10)


# Every parallel function of the package, on the same arguments, with threads and without.
WITHOUT_THREADS = """
import warnings
import numpy as np
import test_contract as contract
from noneuclid.numerics import _jit

def outputs(model):
    X, y, new = contract.problem(model)
    return contract.outputs(contract.prepared(model).fit(X, y), new)

warnings.simplefilter("ignore")
names = {names!r}
for model in [m for m in contract.MODELS if type(m).__name__ in names]:
    _jit._no_threads_here = False
    expected = outputs(model)
    _jit._no_threads_here = True
    for name, values in outputs(model).items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-12, atol=1e-12)
    print(model)
"""


@pytest.mark.trust
@IN_TRUST
def test_code_without_threads_gives_the_same():
    names = tuple(sharing_tasks.parallel_users())
    lines = run(WITHOUT_THREADS.replace("{names!r}", repr(names))).splitlines()
    counted("estimators whose compiled code runs without threads alike", len(lines))
    assert len(lines) >= len(names)


# --- threads that would end the process -----------------------------------------------------

CONCURRENT = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np, numba
from noneuclid.numerics import lp_squared_distance

X = np.random.default_rng(0).normal(size=(200, 20))
expected = lp_squared_distance(X, X, 1.5)
with ThreadPoolExecutor(4) as pool:
    for D in pool.map(lambda _: lp_squared_distance(X, X, 1.5), range(TIMES)):
        assert (D == expected).all()
print(numba.threading_layer())
"""


@pytest.mark.trust
@pytest.mark.parametrize("layer", [pytest.param("default", marks=IN_TRUST), "workqueue"])
def test_parallel_code_from_several_threads(layer):
    times = campaigns.size(100, 2000)
    used = run(CONCURRENT.replace("TIMES", str(times)), NUMBA_THREADING_LAYER=layer)
    counted("calls of parallel code from 4 threads at once", times)
    assert layer in ("default", used.strip())


# --- joblib ---------------------------------------------------------------------------------


JOBLIB = """
import joblib, numpy as np
import sharing_tasks
expected = sharing_tasks.answers()
with joblib.parallel_config(backend="BACKEND", n_jobs=2):
    found = joblib.Parallel()(joblib.delayed(sharing_tasks.answers)() for _ in range(4))
    threads = joblib.Parallel()(joblib.delayed(sharing_tasks.threads)() for _ in range(4))
for one in found:
    for got, values in zip(one, expected, strict=True):
        np.testing.assert_allclose(got, values, rtol=1e-12, atol=1e-12)
assert all(compiled == 1 for compiled, *_ in threads), threads
if "BACKEND" == "loky":
    import os
    assert all(blas <= max(os.cpu_count() // 2, 1) for _, blas, _ in threads), threads
"""


@pytest.mark.trust
@pytest.mark.parametrize(
    "backend",
    ["loky", *(pytest.param(name, marks=IN_TRUST) for name in ("threading", "multiprocessing"))],
)
def test_workers_of_joblib(backend):
    """Same answers, and compiled code takes one thread: the other workers have the other cores."""
    if backend == "multiprocessing" and not hasattr(os, "fork"):
        pytest.skip("no fork here")
    run(JOBLIB.replace("BACKEND", backend))
    counted("fits in workers of joblib: loky, threads, forked", 20)


def test_outside_of_workers_all_cores_are_used():
    assert sharing_tasks._jit._share() >= 1
    given = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "2"}
    code = "from noneuclid.numerics import _jit; print(_jit._share())"
    assert run(code, **given).strip() == "2"
    environment = {"OMP_NUM_THREADS": "1,1"}
    if "NUMBA_NUM_THREADS" not in os.environ:
        assert run(code, **environment).strip() == "1"


def test_the_number_of_threads_is_given_back(monkeypatch):
    numba = pytest.importorskip("numba")
    before = numba.get_num_threads()
    monkeypatch.setattr(sharing_tasks._jit, "_share", lambda: 1)
    sharing_tasks.threads()
    assert numba.get_num_threads() == before


# --- Dask -----------------------------------------------------------------------------------

DASK = """
import numpy as np
import sharing_tasks

if __name__ == "__main__":
    import dask
    import distributed
    expected = sharing_tasks.answers()
    tasks = [dask.delayed(sharing_tasks.answers, pure=False)(k) for k in range(4)]
    found = list(dask.compute(*tasks, scheduler="threads", num_workers=2))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0"
    ) as cluster, distributed.Client(cluster) as client:
        found += client.gather(client.map(sharing_tasks.answers, range(8), pure=False))
        threads = client.gather(client.map(sharing_tasks.threads, range(8), pure=False))
    for one in found:
        for got, values in zip(one, expected, strict=True):
            np.testing.assert_allclose(got, values, rtol=1e-12, atol=1e-12)
    assert len({process for _, _, process in threads}) == 2, threads
    assert all(compiled == 1 and blas == 1 for compiled, blas, _ in threads), threads
"""


@pytest.mark.trust
def test_workers_of_dask(tmp_path):
    pytest.importorskip("distributed")
    script = tmp_path / "cluster.py"  # its processes import the script again
    script.write_text(DASK)
    run(f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')")
    counted("fits in threads and processes of Dask", 60)
