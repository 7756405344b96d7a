"""A real cluster of two processes: the same results, nothing gathered, workers that die."""

import os
import signal
import subprocess
import sys
import time

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from noneuclid.pca import HebbianPCA
from noneuclid.prototypes import GLVQ, GMLVQ, RSLVQ, FuzzyLabelledSOM, NeuralGas

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

# Sockets and files that distributed leaves to the garbage collector are not ours.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

N, D = 1200, 6


def blocks_of(n=N, size=150):
    """Samples that are made where they are needed, the same ones every time."""
    rows = da.map_blocks(_made, chunks=((size,) * (n // size), (D,)), dtype=float)
    return rows, rows[:, 0].map_blocks(_classes, dtype=int)


def _made(block_info=None):
    k, n = block_info[None]["chunk-location"][0], block_info[None]["chunk-shape"][0]
    rng = np.random.default_rng(k)
    X = rng.normal(size=(n, D))
    X[:, 1] += np.round(X[:, 0]).clip(-1, 1) * 2
    return X


def _classes(first):
    return np.round(first).clip(-1, 1).astype(int)


@pytest.fixture(scope="module")
def cluster():
    settings = {"distributed.scheduler.allowed-failures": 5, "distributed.worker.daemon": False}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as made,
    ):
        yield made


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as made:
        yield made


LEARNERS = [
    GLVQ(n_prototypes=2),
    RSLVQ(space="l1", max_epochs=5),
    FuzzyLabelledSOM(shape=(2, 3), max_epochs=5),
    *(
        pytest.param(model, marks=pytest.mark.slow)
        for model in [
            GMLVQ(rank=2, max_epochs=5),
            GLVQ(solver="sgd", max_epochs=3),
            NeuralGas(n_prototypes=5, max_epochs=5),
        ]
    ),
]


@pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")  # that is the point
@pytest.mark.parametrize("model", LEARNERS, ids=repr)
def test_every_scheduler_gives_the_same(model, client):
    model = clone(model).set_params(random_state=0)
    rows, labels = blocks_of()
    on_cluster = clone(model).fit(rows, labels)
    with dask.config.set(scheduler="synchronous"):
        alone = clone(model).fit(rows, labels)
    with dask.config.set(scheduler="threads"):
        threads = clone(model).fit(rows, labels)
    np.testing.assert_array_equal(threads.prototypes_, alone.prototypes_)
    np.testing.assert_allclose(on_cluster.prototypes_, alone.prototypes_, rtol=1e-12)
    said = on_cluster.predict(rows)
    np.testing.assert_array_equal(said.compute(), on_cluster.predict(rows.compute()))


@pytest.mark.slow  # every pass starts its own processes
def test_processes_give_the_same():
    rows, labels = blocks_of()
    model = GLVQ(random_state=0, max_epochs=2)
    with dask.config.set(scheduler="synchronous"):
        alone = clone(model).fit(rows, labels)
    with dask.config.set(scheduler="processes", num_workers=2):
        processes = clone(model).fit(rows, labels)
    np.testing.assert_allclose(processes.prototypes_, alone.prototypes_, rtol=1e-12)


def test_nothing_large_reaches_the_client(client):
    """A pass brings parameters and sums; a start a bounded sample, which is less than the data."""
    n, size = 60_000, 5_000
    rows, labels = blocks_of(n, size)
    received, read = [], distributed.comm.tcp.TCP.read

    async def counted(self, *args, **kwargs):
        message = await read(self, *args, **kwargs)
        received.append(_size(message))
        return message

    distributed.comm.tcp.TCP.read = counted
    try:
        GLVQ(random_state=0).fit(rows, labels)
    finally:
        distributed.comm.tcp.TCP.read = read
    of_sample = 3 * 1000 * (D + 4) * 8
    assert max(received) < 2 * of_sample < n * D * 8 / 5


def _size(message):
    """Bytes of everything in a message, as it came over the wire."""
    if isinstance(message, (bytes, bytearray, memoryview)):
        return len(message)
    if isinstance(message, dict):
        return sum(_size(value) for value in message.values())
    if isinstance(message, (list, tuple)):
        return sum(map(_size, message))
    for name in ("frames", "data"):
        if hasattr(message, name) and not isinstance(message, np.ndarray):
            return _size(getattr(message, name))
    return getattr(message, "nbytes", 0)


def test_a_search_over_parameters_on_the_cluster(client):
    rows, labels = (part.compute() for part in blocks_of(300, 150))
    search = GridSearchCV(GLVQ(random_state=0, max_epochs=3), {"n_prototypes": [1, 2]}, cv=2)
    with joblib.parallel_backend("dask"):
        search.fit(rows, labels)
    again = clone(search).fit(rows, labels)
    assert search.best_params_ == again.best_params_
    assert search.best_score_ == pytest.approx(again.best_score_)


class Slow:
    """Makes a pass last, so that a worker can die in the middle of it."""

    def __init__(self, path):
        self.path = str(path)

    def __call__(self, block):
        if os.path.exists(self.path):
            time.sleep(0.1)
        return block


def test_a_worker_that_dies_changes_nothing(client, cluster, tmp_path):
    rows, labels = blocks_of()
    model = GLVQ(random_state=0, max_epochs=4)
    expected = clone(model).fit(rows, labels).prototypes_
    slow = tmp_path / "slow"
    slow.write_text("")
    pids = [worker.pid for worker in cluster.workers.values()]

    def kill_one():
        time.sleep(1.0)
        os.kill(pids[0], signal.SIGKILL)
        slow.unlink()

    killing = joblib.parallel.threading.Thread(target=kill_one)
    killing.start()
    found = clone(model).fit(rows.map_blocks(Slow(slow), dtype=float), labels).prototypes_
    killing.join()
    np.testing.assert_array_equal(found, expected)
    client.wait_for_workers(2)
    assert {worker.pid for worker in cluster.workers.values()} != set(pids)


_FIT = """
import sys, numpy as np
sys.path.insert(0, {tests!r})
import dask
from test_cluster import blocks_of, Slow
from noneuclid.prototypes import GLVQ
rows, labels = blocks_of()
rows = rows.map_blocks(Slow({slow!r}), dtype=float)
with dask.config.set(scheduler="synchronous"):
    model = GLVQ(random_state=0, max_epochs=6, checkpoint={folder!r}).fit(rows, labels)
np.save({out!r}, model.prototypes_)
"""


def test_a_client_that_dies_goes_on(tmp_path):
    slow, folder, out = tmp_path / "slow", tmp_path / "checkpoint", tmp_path / "out.npy"
    slow.write_text("")
    script = _FIT.format(
        tests=os.path.dirname(__file__), slow=str(slow), folder=str(folder), out=str(out)
    )
    process = subprocess.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 120
    while len(list(folder.glob("*.npz"))) < 6 and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not out.exists()
    slow.unlink()
    subprocess.run([sys.executable, "-c", script], check=True)
    rows, labels = blocks_of()
    with dask.config.set(scheduler="synchronous"):
        whole = GLVQ(random_state=0, max_epochs=6).fit(rows, labels)
    np.testing.assert_array_equal(np.load(out), whole.prototypes_)


_CLUSTER = """
import time
from distributed import LocalCluster
if __name__ == "__main__":
    options = dict(processes=False, protocol="tcp://", dashboard_address=":0")
    print(LocalCluster(n_workers=1, **options).scheduler_address, flush=True)
    time.sleep(300)
"""


def test_a_cluster_that_is_gone_is_one_sentence():
    rows, labels = blocks_of()
    process = subprocess.Popen([sys.executable, "-c", _CLUSTER], stdout=subprocess.PIPE, text=True)
    with process, dask.config.set({"distributed.comm.timeouts.connect": "3s"}):
        client = distributed.Client(process.stdout.readline().strip())
        process.kill()
        with pytest.raises(ConnectionError, match="the dask cluster did not finish") as error:
            GLVQ().fit(rows, labels)
        client.close()
    assert "\n" not in str(error.value)


def test_components_and_prototypes_in_one_pipeline_of_steps(client):
    rows, labels = blocks_of()
    components = HebbianPCA(n_components=3).fit(rows.compute())
    model = GLVQ(random_state=0).fit(components.transform(rows), labels)
    assert float(model.score(components.transform(rows), labels)) > 0.7
