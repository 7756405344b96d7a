"""Components of dask collections are those of the same rows in memory."""

import numpy as np
import pytest

from clusters import two_processes
from noneuclid._blocks import passes as passes_of_blocks
from noneuclid._memory import NotEnoughMemory
from noneuclid.kernels import Gaussian
from noneuclid.pca import FunctionalPCA, GeneralizedPCA, HebbianPCA, Objective, _block_ascent
from noneuclid.pca._online import first_state
from noneuclid.spaces import Hilbert, IncompatibleSpace, KernelMetric, Sobolev

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

# A solver that searches along a line stops where rounding hides the rise: half of the digits.
EXACT, SEARCHED = 1e-8, 1e-6
SPACES = ["l2", "l1", "l1.5", Sobolev(), Hilbert(np.diag(np.arange(1.0, 7.0)) + 0.5)]
CONVEX = ["l1", "l2", "l1.5", "tanh", "skeleton"]
SEARCHING = ["tanh_sech", "gaussian"]


@pytest.fixture(autouse=True)
def _here():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows(n=120, d=6, seed=0, mean=10.0):
    X = np.random.default_rng(seed).standard_t(4, size=(n, d)) * np.linspace(3, 1, d) + mean
    X[:, 2] = 0.1  # its mean rounds
    return X


def in_pieces(X):
    """Blocks of unequal sizes, one of them empty."""
    n = len(X)
    sizes = (1, 0, n // 2, 2, n - n // 2 - 3)
    return da.from_array(X, chunks=(sizes, X.shape[1]))


def close(one, other, tol=EXACT):
    np.testing.assert_allclose(one, other, rtol=tol, atol=tol * np.abs(other).max())


@pytest.fixture
def passes(monkeypatch):
    """Counts passes over the data; the one that is named is interrupted."""

    class Passes:
        count, interrupted = 0, None

    def counting(values):
        def counted(self, nodes):
            if Passes.interrupted == Passes.count:
                raise KeyboardInterrupt
            Passes.count += 1
            return values(self, nodes)

        return counted

    for kind in (passes_of_blocks.Directly, passes_of_blocks.Pass):
        monkeypatch.setattr(kind, "values", counting(kind.values))
    return Passes


@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("n", [120, 14, 6])
@pytest.mark.parametrize("solver", ["auto", "batch"])
def test_hebbian_components(space, n, solver):
    """Many rows per feature (a covariance is summed), few (triangles are merged), and fewer."""
    X = rows(n)
    params = {"space": space, "solver": solver, "n_components": 3, "random_state": 0}
    here, there = HebbianPCA(**params).fit(X), HebbianPCA(**params).fit(in_pieces(X))
    close(there.components_, here.components_)
    close(there.explained_variance_, here.explained_variance_)
    close(there.mean_, here.mean_)
    assert hasattr(there, "explained_variance_ratio_") == here.space_.is_hilbert
    if here.space_.is_hilbert:
        close(there.explained_variance_ratio_, here.explained_variance_ratio_)
    close(there.transform(in_pieces(X)).compute(), here.transform(X))
    assert float(there.score(in_pieces(X)).compute()) == pytest.approx(here.score(X), rel=EXACT)


@pytest.mark.parametrize("rule", ["subspace", "sanger"])
def test_other_rules(rule):
    X = rows()
    params = {"space": "l1.5", "rule": rule, "deflation": "sanger", "random_state": 0}
    here, there = HebbianPCA(**params).fit(X), HebbianPCA(**params).fit(in_pieces(X))
    close(there.components_, here.components_)


@pytest.mark.parametrize("n", [120, 14])
def test_a_large_mean_drowns_no_variance(n):
    near = rows(n, mean=0.0)
    X = near + 1e9
    found = HebbianPCA(n_components=3).fit(in_pieces(X))
    expected = HebbianPCA(n_components=3).fit(X - 1e9)
    close(found.explained_variance_, expected.explained_variance_, 1e-6)
    assert found.mean_[2] == X[0, 2]


@pytest.mark.parametrize("solver", ["eigen", "batch"])
def test_constant_data_have_no_variance(solver):
    X = np.full((40, 3), 0.1)
    model = HebbianPCA(solver=solver, random_state=0).fit(in_pieces(X))
    np.testing.assert_array_equal(model.explained_variance_, 0.0)
    np.testing.assert_array_equal(model.mean_, 0.1)


@pytest.mark.filterwarnings("ignore:.*come to rest")
@pytest.mark.parametrize("objective", CONVEX)
@pytest.mark.parametrize(("deflation", "n_init"), [("greedy", 3), ("joint", 1)])
def test_generalized_components(objective, deflation, n_init):
    X = rows(60)
    params = {"objective": objective, "deflation": deflation, "n_init": n_init, "max_iter": 6}
    params |= {"n_components": 2, "random_state": 0}
    here, there = GeneralizedPCA(**params).fit(X), GeneralizedPCA(**params).fit(in_pieces(X))
    close(there.components_, here.components_)
    close(there.objective_curve_[-1:], here.objective_curve_[-1:])
    assert there.a_ == (None if here.a_ is None else pytest.approx(here.a_))
    assert there.n_iter_ == here.n_iter_
    there_error = there.reconstruction_error(in_pieces(X)).compute()
    close(there_error, here.reconstruction_error(X))
    assert float(there.score(in_pieces(X)).compute()) == pytest.approx(here.score(X))


@pytest.mark.slow
@pytest.mark.parametrize("objective", [*CONVEX, "sech", "tanh2", "sigmoid"])
@pytest.mark.parametrize("deflation", ["greedy", "joint"])
def test_generalized_components_that_came_to_rest(objective, deflation):
    X = rows(200)
    params = {"objective": objective, "deflation": deflation, "n_init": 4, "n_components": 3}
    here = GeneralizedPCA(random_state=0, **params).fit(X)
    there = GeneralizedPCA(random_state=0, **params).fit(in_pieces(X))
    close(there.components_, here.components_)
    close(there.objective_curve_[-1:], here.objective_curve_[-1:])


@pytest.mark.parametrize("objective", [*SEARCHING, np.tanh])
def test_components_by_line_searches(objective):
    X = rows(40)
    params = {"objective": objective, "n_init": 2, "random_state": 0, "tol": 1e-3}
    here, there = GeneralizedPCA(**params).fit(X), GeneralizedPCA(**params).fit(in_pieces(X))
    close(there.components_, here.components_, SEARCHED)
    close(there.objective_curve_[-1:], here.objective_curve_[-1:])


def test_joint_components_that_are_searched():
    X = rows(40)
    params = {"objective": "tanh_sech", "deflation": "joint", "tol": 1e-3}
    here, there = GeneralizedPCA(**params).fit(X), GeneralizedPCA(**params).fit(in_pieces(X))
    close(there.components_, here.components_, 1e-5)


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("params", [{}, {"basis": "fourier", "smoothing": 0.1}])
def test_functional_components(missing, params):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 25)).cumsum(axis=1)
    X[rng.random(X.shape) < missing] = np.nan
    here, there = FunctionalPCA(**params).fit(X), FunctionalPCA(**params).fit(in_pieces(X))
    close(there.components_, here.components_)
    close(there.mean_, here.mean_)
    close(there.explained_variance_ratio_, here.explained_variance_ratio_)
    close(there.transform(in_pieces(X)).compute(), here.transform(X))


@pytest.mark.parametrize("model", [HebbianPCA, GeneralizedPCA, FunctionalPCA])
def test_tables(model):
    pd, dd = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    X = pd.DataFrame(rows(40), columns=list("abcdef"))
    there = model().fit(dd.from_pandas(X, npartitions=3))
    close(there.components_, model().fit(X).components_)
    assert there.feature_names_in_.tolist() == list("abcdef")


def test_a_stall_beside_a_better_point_is_left():
    X = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.9], [0.0, -1.9]])
    model = GeneralizedPCA(n_components=1).fit(da.from_array(X, chunks=(1, 2)))
    assert model.objective_curve_[-1] == pytest.approx(2 * np.hypot(2.0, 1.9))


def test_what_has_no_direction_left_is_filled():
    X = np.outer(np.arange(-2.0, 3.0), [1.0, 1.0, 0.0])
    W = GeneralizedPCA(n_components=3).fit(da.from_array(X, chunks=(2, 3))).components_
    np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-12)


def test_several_starts_share_their_passes(passes):
    X = in_pieces(rows(60))
    counts = []
    for n_init in (1, 6):
        passes.count = 0
        GeneralizedPCA(n_components=1, objective="tanh", n_init=n_init, random_state=0).fit(X)
        counts.append(passes.count)
    assert counts[1] < 2 * counts[0]


def test_a_is_chosen_on_a_bounded_sample(monkeypatch):
    X = rows(200)
    monkeypatch.setattr(_block_ascent, "_FEW_ROWS", 50)
    tried = []
    choose = GeneralizedPCA._choose_a

    def chosen(self, few, *rest):
        tried.append(few)
        return choose(self, few, *rest)

    monkeypatch.setattr(GeneralizedPCA, "_choose_a", chosen)
    model = GeneralizedPCA(objective="skeleton").fit(in_pieces(X))
    (few,) = tried
    assert few.shape == (50, 6)
    assert np.isin(few[:, 0], (X - model.mean_)[:, 0]).all()


@pytest.mark.filterwarnings("ignore:.*come to rest")
def test_only_sums_reach_the_client(monkeypatch):
    """Of 10,000 rows nothing larger than the covariance leaves the workers."""
    sizes, values = [], passes_of_blocks.Pass.values

    def measured(self, nodes):
        found = values(self, nodes)
        sizes.extend(_numbers(value) for value in found)
        return found

    monkeypatch.setattr(passes_of_blocks.Pass, "values", measured)
    X = da.random.RandomState(0).normal(size=(10_000, 5), chunks=(1000, 5))
    HebbianPCA(space="l1", random_state=0).fit(X)
    HebbianPCA(solver="online", max_iter=1, random_state=0).fit(X)
    GeneralizedPCA(n_components=1, n_init=3, max_iter=2, random_state=0).fit(X)
    GeneralizedPCA(n_components=1, objective="l2").fit(X)
    assert max(sizes) <= 5 * 5 + 10 * 2 + 3 * 5


def _numbers(value):
    if isinstance(value, (tuple, list)):
        return sum(map(_numbers, value))
    return np.size(value)


def test_online_goes_from_block_to_block():
    X = rows(400)
    params = {"solver": "online", "n_components": 2, "tol": 1e-2}
    there = HebbianPCA(random_state=0, **params).fit(in_pieces(X))
    again = HebbianPCA(random_state=0, **params).fit(in_pieces(X))
    np.testing.assert_array_equal(there.components_, again.components_)
    other = HebbianPCA(random_state=1, **params).fit(in_pieces(X))
    assert np.abs(there.components_ - other.components_).max() > 0
    exact = HebbianPCA(n_components=2).fit(X)
    close(there.components_, exact.components_, 0.05)
    close(there.explained_variance_ratio_, exact.explained_variance_ratio_, 0.01)
    clock = there._state.clock
    assert clock == 400 * there.n_iter_
    assert there.partial_fit(X[:10])._state.clock == clock + 10


def test_every_row_is_shown_once():
    """An epoch is a permutation of the rows of each block."""
    X = rows(50)
    model = HebbianPCA(solver="online", learning_rate=1e-9, max_iter=1, tol=1.0, random_state=0)
    with pytest.warns(match="come to rest"):
        model.fit(in_pieces(X))
    W, V = model._state.W, X - model.mean_
    first = first_state(model.space_, model.mean_, 2, np.random.RandomState(0)).W
    out = V @ first.T  # steps so short that all see the same components
    expected = [out[:, i] @ (V - out[:, : i + 1] @ first[: i + 1]) for i in range(2)]
    close((W - first) / 1e-9, np.array(expected), 1e-4)


@pytest.fixture(scope="module")
def cluster():
    yield from two_processes()


@pytest.mark.filterwarnings("ignore:.*come to rest")
def test_the_same_on_every_scheduler(cluster):
    X = in_pieces(rows(80))
    models = [
        HebbianPCA(space="l1", random_state=0),
        HebbianPCA(space=Sobolev(), solver="online", max_iter=2, random_state=0),
        GeneralizedPCA(
            objective=Objective(slope=lambda u: u / (1 + u)), max_iter=2, n_init=2, random_state=0
        ),
        FunctionalPCA(n_basis=5),
    ]
    for model in models:
        expected = model.fit(X).components_
        with dask.config.set(scheduler="threads"):
            np.testing.assert_array_equal(model.fit(X).components_, expected)
        with cluster.as_current(), dask.config.set(scheduler="distributed"):
            np.testing.assert_array_equal(model.fit(X).components_, expected)


@pytest.mark.parametrize(
    ("model", "done"),
    [
        (HebbianPCA(space="l1"), 1),
        (HebbianPCA(solver="online", max_iter=4, tol=1e-12), 4),
        (HebbianPCA(space=Sobolev(p=1.5), solver="online", max_iter=3, tol=1e-12), 4),
        (HebbianPCA(space=Sobolev(), solver="online", max_iter=3, tol=1e-12), 4),
        (HebbianPCA(space=Sobolev()), 1),
        (GeneralizedPCA(n_init=3, tol=0.1), 6),
        (GeneralizedPCA(objective="tanh_sech", deflation="joint", max_iter=2), 9),
        (FunctionalPCA(n_basis=5), 1),
    ],
    ids=str,
)
@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.filterwarnings("ignore:.*come to rest")
def test_an_interrupted_fit_goes_on(model, done, lazy, tmp_path, passes):
    X = in_pieces(rows(60)) if lazy else rows(60)
    # Without a seed: the journal keeps the one that the first fit drew.
    model.set_params(checkpoint=tmp_path / "whole").fit(X)
    whole = passes.count
    seed = (tmp_path / "whole" / "fit.json").read_text()
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "fit.json").write_text(seed)
    expected = model.components_
    model.set_params(checkpoint=tmp_path / "part")
    passes.count, passes.interrupted = 0, done
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)
    passes.count, passes.interrupted = 0, None
    np.testing.assert_array_equal(model.fit(X).components_, expected)
    assert passes.count == whole - done + 1  # the first pass is made again: are the data the same?
    passes.count = 0
    np.testing.assert_array_equal(model.fit(X).components_, expected)
    assert passes.count == 1


def test_a_checkpoint_in_memory_changes_no_component(tmp_path):
    X = rows()
    for model in (HebbianPCA(space="l1.5", random_state=0), GeneralizedPCA(random_state=0)):
        expected = model.fit(X).components_
        model.set_params(checkpoint=tmp_path / type(model).__name__)
        close(model.fit(X).components_, expected)


def test_a_checkpoint_of_other_data_is_refused(tmp_path):
    model = HebbianPCA(space="l1", random_state=0, checkpoint=tmp_path)
    model.fit(in_pieces(rows()))
    with pytest.raises(ValueError, match="was begun with other data"):
        model.fit(in_pieces(rows(seed=1)))


@pytest.mark.parametrize("model", [HebbianPCA(), GeneralizedPCA()], ids=str)
def test_a_missing_value_is_found(model):
    X = rows()
    X[70, 1] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*row 8 of block 3"):
        model.fit(da.from_array(X, chunks=((1, 1, 60, 58), 6)))


@pytest.mark.parametrize("model", [HebbianPCA, GeneralizedPCA])
def test_too_few_samples_are_refused(model):
    with pytest.raises(ValueError, match="at least two samples"):
        model().fit(da.ones((1, 4)))
    with pytest.raises(ValueError, match=r"n_components \(=5\) must be at most"):
        model(n_components=5).fit(da.ones((10, 4), chunks=(3, 4)))


def test_a_kernel_is_refused():
    model = HebbianPCA(space=KernelMetric(Gaussian()))
    with pytest.raises(IncompatibleSpace, match="needs all samples at once"):
        model.fit(in_pieces(rows()))


def test_a_function_cannot_be_journalled(tmp_path):
    with pytest.raises(ValueError, match="needs an objective with a name"):
        GeneralizedPCA(objective=np.tanh, checkpoint=tmp_path).fit(rows())


def test_matrices_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setenv("NONEUCLID_MEMORY", "1K")
    with pytest.raises(NotEnoughMemory, match="covariance of 6 features"):
        HebbianPCA(space="l1").fit(in_pieces(rows()))


@pytest.mark.parametrize("folder", [3, "x" * 5000])
def test_a_checkpoint_must_be_a_path(folder):
    with pytest.raises(ValueError, match=r"checkpoint \(=.*\) must be"):
        HebbianPCA(checkpoint=folder).fit(rows())
