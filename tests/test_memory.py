"""What is too large for the machine says so before it allocates anything."""

import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.utils import get_tags

import campaigns
import noneuclid
from noneuclid import _memory
from noneuclid._memory import NotEnoughMemory, available_memory, readable, require_memory
from noneuclid.information import f_correlation
from noneuclid.kernels import Gaussian, Laplacian, SpikeTrainKernel
from noneuclid.pca import GeneralizedKernelPCA
from noneuclid.prototypes import GMLVQ, LGMLVQ, ProximityLVQ
from noneuclid.proximities import (
    NystroemEmbedding,
    Relation,
    SpectrumCorrection,
    landmark_pairwise,
    pairwise,
    spectrum,
    to_dissimilarity,
    to_similarity,
)
from noneuclid.proximities.diagnosis import diagnose
from noneuclid.spikes import jittered_templates
from test_contract import MODELS, is_pairwise, prepared

AREA = "Memory"
N, LIMIT = 1600, 2**24  # a matrix of all pairs is 19.5 MiB


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setenv("NONEUCLID_MEMORY", f"{LIMIT}")


# --- how much there is ----------------------------------------------------------------------


def test_what_is_available_is_within_reason():
    assert 2**20 < available_memory() <= sys.maxsize


@pytest.mark.parametrize(
    ("given", "limit"), [("off", np.inf), ("OFF", np.inf), ("1K", 1024), ("1.5 GiB", 1.5 * 2**30)]
)
def test_the_variable(monkeypatch, given, limit):
    monkeypatch.setenv("NONEUCLID_MEMORY", given)
    require_memory("it", min(limit, 1e30), "stop")
    if limit < np.inf:
        with pytest.raises(NotEnoughMemory, match=r"NONEUCLID_MEMORY allows .*: stop$"):
            require_memory("it", limit + 1, "stop")


@pytest.mark.parametrize("given", ["much", "-1", "5X", "nan"])
def test_a_variable_that_says_nothing(monkeypatch, given):
    monkeypatch.setenv("NONEUCLID_MEMORY", given)
    with pytest.raises(ValueError, match=r"NONEUCLID_MEMORY \(='.*'\) must be off, or a size"):
        require_memory("it", 1, "stop")


def test_more_than_half_is_refused(monkeypatch):
    monkeypatch.delenv("NONEUCLID_MEMORY", raising=False)
    monkeypatch.setattr(_memory, "available_memory", lambda: 2**30)
    require_memory("it", 2**29, "stop")
    with pytest.raises(MemoryError) as raised:
        require_memory("it", 2**29 + 1, "stop")
    assert str(raised.value) == (
        "it needs 512 MiB of memory, more than half of the 1 GiB available: stop (the environment "
        "variable NONEUCLID_MEMORY=off tries it nevertheless)"
    )


def test_sizes_are_readable():
    assert [readable(x) for x in (0, 1023, 1024, 1e9, 8e12)] == [
        *("0 bytes", "1023 bytes", "1 KiB", "954 MiB", "7.28 TiB")
    ]


@pytest.mark.parametrize("version", [1, 2])
def test_limits_of_containers(tmp_path, version):
    """A group leaves its limit less what it uses, but for what could be dropped; so do parents."""
    top = tmp_path / "memory" if version == 1 else tmp_path
    names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    names = names if version == 1 else ("memory.max", "memory.current", "inactive_file")
    for folder, most, used in ((top / "a" / "b", 1000, 300), (top / "a", 5000, 4500)):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / names[0]).write_text(f"{most}\n")
        (folder / names[1]).write_text(f"{used}\n")
        (folder / "memory.stat").write_text(f"cache 1\n{names[2]} 50\n")
    if version == 2:
        (top / "memory.max").write_text("max\n")
        (top / "memory.current").write_text("1\n")
        (top / "memory.stat").write_text("inactive_file 0\n")
    own = tmp_path / "own"
    own.write_text("4:memory:/a/b\n3:cpu:/\n" if version == 1 else "0::/a/b\n")
    assert list(_memory._left_by_groups(str(tmp_path), str(own))) == [750, 550]
    assert list(_memory._left_by_groups(str(tmp_path), str(tmp_path / "missing"))) == []


def test_limits_of_the_process():
    resource = pytest.importorskip("resource")
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("what a process uses is not to be seen")
    code = (
        "import resource; from noneuclid._memory import available_memory as a;"
        f"resource.setrlimit({resource.RLIMIT_AS}, (2**30, 2**30)); print(a())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert 2**28 < int(said) < 2**30


def test_systems_that_say_nothing_refuse_nothing(monkeypatch):
    monkeypatch.setattr(_memory, "Path", lambda *_: (_ for _ in ()).throw(OSError()))
    monkeypatch.setattr(_memory.importlib.util, "find_spec", lambda _: None)
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert available_memory() == sys.maxsize


# --- every learner --------------------------------------------------------------------------


def large(model, n=N):
    """Many objects of the kind a model takes, and labels."""
    y = np.arange(n) % 3
    rows = np.random.default_rng(0).normal(size=(n, 4)) + 2.0 * np.eye(3, 4)[y]
    if not get_tags(model).input_tags.two_d_array:
        return jittered_templates(n, random_state=0).trains, y
    if not is_pairwise(model):
        return rows, y
    unlike = getattr(model, "proximity", "similarity") == "dissimilarity"
    return (cdist(rows, rows, "sqeuclidean") if unlike else rows @ rows.T), y


# A matrix that is given is taken as it is; what these learn needs no further one.
ALL_PAIRS = {
    "BanachKernelPCA()": "learn from a sample of the objects",
    "DistributionPCA()": "GeneralizedKernelPCA",
    "GeneralizedKernelPCA(objective='l2')": "use n_landmarks=…",
    "KernelGLVQ()": "use n_landmarks=…",
    "KernelHebbianPCA()": "use budget=…",
    "KernelRSLVQ()": "use n_landmarks=…",
    "MedianLVQ(metric='sqeuclidean')": "use ProximityLVQ with n_landmarks=…",
    "ProximityLVQ(cost='lvq1', metric='rbf')": "use n_landmarks=…",
    "PseudoEuclideanEmbedding()": "use NystroemEmbedding",
    "RelationalGLVQ()": "use n_landmarks=…",
    "RelationalRSLVQ()": "use n_landmarks=…",
    "SpectrumCorrection()": "use NystroemEmbedding, or a learner with n_landmarks=…",
    "SpikeTrainPCA(kernel=SpikeTrainKernel(width=1.0), n_components=1)": "GeneralizedKernelPCA",
}
SLOW = ("KernelICA", "ParzenClassifier")  # exact sums of all pairs, in blocks: long, not large


@pytest.mark.trust
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "model", [model for model in MODELS if type(model).__name__ not in SLOW], ids=repr
)
def test_every_learner_says_so_before_it_allocates(model, small):
    X, y = large(model)
    few = {"max_epochs": 1, "max_iter": 2}
    params = {name: few[name] for name in few if name in model.get_params()}
    learner = prepared(model).set_params(**params)
    learner.fit(*large(model, 60))  # compiles
    tracemalloc.start()
    try:
        learner.fit(X, y)
        said = None
    except NotEnoughMemory as error:
        said = str(error)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    campaigns.record(AREA, "learners held to a limit", 1, peak > 1.25 * LIMIT)
    assert peak < 1.25 * LIMIT
    expected = ALL_PAIRS.get(repr(model).replace("\n", "").replace(" " * 10, ""))
    if expected is not None:
        assert said is not None, "it should need more"
        assert expected in said
        assert "needs" in said
        assert "NONEUCLID_MEMORY allows 16 MiB" in said
    if said is not None:
        assert learner.fit(*large(model, 60)) is learner


def test_every_known_learner_of_all_pairs_is_tested():
    assert set(ALL_PAIRS) <= {repr(model) for model in MODELS}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_variable_lets_it_run(small, monkeypatch):
    X, y = large(noneuclid.KernelGLVQ())
    model = noneuclid.KernelGLVQ(max_epochs=1, random_state=0)
    with pytest.raises(NotEnoughMemory):
        model.fit(X, y)
    for given in ("off", "1G"):
        monkeypatch.setenv("NONEUCLID_MEMORY", given)
        assert model.fit(X, y).score(X, y) > 0.5


# --- every function -------------------------------------------------------------------------

ROWS = np.random.default_rng(0).normal(size=(N, 2))
FUNCTIONS = {
    "a kernel": lambda: Gaussian(1.0)(ROWS),
    "another kernel": lambda: Laplacian(1.0)(ROWS, ROWS),
    "a space": lambda: noneuclid.Lp(1.5).squared_distance(ROWS, ROWS),
    "products": lambda: noneuclid.Euclidean().product(ROWS, ROWS),
    "trains": lambda: SpikeTrainKernel(1.0).squared_distance(list(ROWS)),
    "a named metric": lambda: pairwise(ROWS, "cityblock"),
    "words": lambda: pairwise([str(i) for i in range(N)], "levenshtein"),
    "a function": lambda: pairwise(list(range(N)), lambda a, b: abs(a - b)),
    "a relation": lambda: Relation("rbf").fit(ROWS).matrix,
    "a corrected relation": lambda: Relation("rbf", correction="clip").fit(ROWS),
    "its chart": lambda: Relation("rbf").fit(ROWS).chart,
    "its signature": lambda: Relation("rbf").fit(ROWS).signature_,
    "dependence": lambda: f_correlation(ROWS[:, :1], ROWS[:, 1:], Gaussian(1e-3)),
    "a metric of full rank": lambda: GMLVQ(rank=N).fit(np.eye(6, N), [0, 1] * 3),
    "local metrics": lambda: LGMLVQ(rank=N // 4, n_prototypes=3).fit(np.eye(6, N), [0, 1] * 3),
}
GIVEN = np.eye(N)
OF_MATRICES = {
    "spectrum": spectrum,
    "to_similarity": lambda P: to_similarity(1.0 - P),
    "to_dissimilarity": to_dissimilarity,
    "correction": SpectrumCorrection().fit_transform,
    "diagnosis": diagnose,
    "single precision": lambda P: spectrum(P.astype(np.float32)),
}


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_functions_of_all_pairs(name, small):
    f_correlation(ROWS[:70, :1], ROWS[:70, 1:], Gaussian(1e-3))  # compiling takes memory, too
    tracemalloc.start()
    with pytest.raises(NotEnoughMemory, match=r"needs .* of memory, .*: \w+"):
        FUNCTIONS[name]()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    campaigns.record(AREA, "functions held to a limit", 1, peak > LIMIT)
    assert peak < LIMIT


@pytest.mark.parametrize("name", list(OF_MATRICES))
def test_functions_of_matrices(name, small):
    with pytest.raises(NotEnoughMemory, match=r"needs .* of memory, .*: \w+"):
        OF_MATRICES[name](GIVEN)


# --- what is proposed does it ---------------------------------------------------------------


def test_the_proposals_work(small):
    y = np.arange(N) % 2
    assert ProximityLVQ(metric="rbf", n_landmarks=20, max_epochs=1).fit(ROWS, y).score(ROWS, y) >= 0
    for kernel, X in (("rbf", ROWS), (SpikeTrainKernel(1.0), list(ROWS))):
        model = GeneralizedKernelPCA(kernel=kernel, objective="l2", n_landmarks=20, random_state=0)
        assert model.fit(X).transform(X[:5]).shape == (5, 2)
    assert NystroemEmbedding(n_landmarks=20, correction="flip").fit_transform(GIVEN).shape[0] == N
    assert landmark_pairwise(ROWS, ROWS[:9], "cityblock").shape == (N, 9)
    assert 0 <= f_correlation(ROWS[:, :1], ROWS[:, 1:], low_rank=1e-6) <= 1
    assert GMLVQ(rank=2, max_epochs=1).fit(np.eye(6, N), [0, 1] * 3).omega_.shape == (2, N)


@pytest.mark.parametrize("model", [GMLVQ(max_epochs=1), LGMLVQ(max_epochs=1)])
def test_few_samples_of_many_features_need_few_directions(model, small):
    """By default a matrix has no more rows than samples and prototypes have directions."""
    assert model.fit(np.eye(6, N), [0, 1] * 3).predict(np.eye(6, N)).shape == (6,)


# --- estimates are right --------------------------------------------------------------------

MEASURED = [
    "SpectrumCorrection().fit_transform(S)",
    "KernelHebbianPCA(max_iter=1).fit(X)",
    "PseudoEuclideanEmbedding().fit(S)",
    "BanachKernelPCA().fit(X)",
    "SpikeTrainPCA(1, kernel=SpikeTrainKernel(1.0)).fit(list(X))",
    "f_correlation(X, X[:, ::-1], Gaussian(0.1))",
    "Relation('rbf', correction='clip').fit(X)",
    "KernelGLVQ(max_epochs=1).fit(X, np.arange(n) % 2)",
    "diagnose(S - 2.0 * (S == 1.0))",
]
MEASURE = """
import warnings
import numpy as np
from noneuclid import *
from noneuclid import _memory
from noneuclid.proximities import *
from noneuclid.proximities.diagnosis import diagnose
from noneuclid.information import f_correlation
from noneuclid.spikes import SpikeTrainPCA
warnings.simplefilter("ignore")
asked = []
_memory.require_memory = lambda what, n_bytes, instead: asked.append(n_bytes)
def data(n):
    X = np.random.default_rng(0).normal(size=(n, 3))
    S = np.empty((n, n))
    for i in range(n):  # row by row: the largest thing so far is S itself
        S[i] = np.exp(-((X - X[i]) ** 2).sum(axis=1))
    return n, X, S
def peak():  # of this program: that of getrusage begins with the size of its parent
    with open("/proc/self/status") as file:
        return 1024 * int(next(line for line in file if line.startswith("VmHWM")).split()[1])
run = lambda n, X, S: {call}
run(*data(100))
asked.clear()
given = data({n})
before = peak()
run(*given)
print(max(asked), peak() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="sizes are not to be seen")
@pytest.mark.trust
@pytest.mark.parametrize("call", campaigns.size(MEASURED[:2], MEASURED))
def test_estimates_are_right_to_a_factor_of_two(call):
    code = MEASURE.format(call=call, n=1500)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    said, measured = map(float, result.stdout.split())
    right = 0.5 < said / measured < 2.0
    campaigns.record(AREA, "estimates compared with measured peaks", 1, not right)
    assert right, f"{readable(said)} were said, {readable(measured)} taken"
