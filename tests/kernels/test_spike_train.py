import pickle
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from scipy.integrate import trapezoid
from sklearn.decomposition import KernelPCA
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

import noneuclid
from noneuclid.kernels import Schoenberg, SpikeTrainKernel
from noneuclid.kernels.trains import Trains, as_trains
from noneuclid.numerics.spikes_gaussian import grid_step
from noneuclid.prototypes import KernelGLVQ, KernelRSLVQ, compact, exemplars, sparsify
from noneuclid.spikes import SpikeTrainPCA

# κ of u = |t|/τ, times τ.
KAPPA = {
    "gaussian": lambda u: np.exp(-(u**2) / 4) / (2 * np.sqrt(np.pi)),
    "exponential": lambda u: np.exp(-u) / 2,
    "laplacian": lambda u: (1 + u) * np.exp(-u) / 4,
    "alpha": lambda u: (1 + u) * np.exp(-u) / 4,
    "rectangular": lambda u: np.maximum(1 - u, 0),
}
SMOOTHINGS = {
    "gaussian": lambda t: np.exp(-(t**2) / 2) / np.sqrt(2 * np.pi),
    "exponential": lambda t: np.where(t >= 0, np.exp(-np.abs(t)), 0),
    "laplacian": lambda t: np.exp(-np.abs(t)) / 2,
    "alpha": lambda t: np.where(t >= 0, t * np.exp(-np.abs(t)), 0),
    "rectangular": lambda t: np.where(np.abs(t) < 0.5, 1.0, 0.0),
}
NAMES = list(KAPPA)


def naive(X, Y, width, smoothing):
    kappa = KAPPA[smoothing]
    return np.array(
        [[kappa(np.abs(np.subtract.outer(x, y)) / width).sum() / width for y in Y] for x in X]
    )


def trains(seed, counts, start=0.0, length=1.0):
    rng = np.random.default_rng(seed)
    return [np.sort(start + length * rng.random(n)) for n in counts]


@pytest.mark.parametrize("smoothing", NAMES)
@pytest.mark.parametrize("width", [1e-4, 0.01, 0.3, 20.0])
@pytest.mark.parametrize("start", [0.0, -0.5, 1e6])
def test_equals_the_naive_double_sum(smoothing, width, start):
    X = trains(0, (40, 0, 1, 300, 7), start)
    Y = [*trains(1, (5, 120, 0), start), X[0], X[0] + width / 3]
    kernel = SpikeTrainKernel(width, smoothing=smoothing)
    expected = naive(X, Y, width, smoothing)
    np.testing.assert_allclose(kernel(X, Y), expected, rtol=0, atol=1e-12 * expected.max())
    own = naive(X, X, width, smoothing)
    K = kernel(X)
    np.testing.assert_allclose(K, own, rtol=0, atol=1e-12 * own.max())
    np.testing.assert_allclose(kernel.diag(X), np.diag(own), rtol=1e-12)
    np.testing.assert_array_equal(K, K.T)


@pytest.mark.parametrize("smoothing", NAMES)
def test_kappa_is_the_autocorrelation_of_the_smoothing_function(smoothing):
    t = np.linspace(-60, 60, 1_200_001)
    h = SMOOTHINGS[smoothing]
    assert trapezoid(h(t), t) == pytest.approx(1, abs=1e-4)
    for distance in (0.0, 0.4, 1.7):
        kappa = trapezoid(h(t) * h(t - distance), t)
        value = SpikeTrainKernel(1.0, smoothing=smoothing)([[0.0]], [[distance]])[0, 0]
        assert value == pytest.approx(kappa, abs=1e-4)
    events = np.linspace(-100, 100, 200_001)
    total = SpikeTrainKernel(1.0, smoothing=smoothing)([[0.0]], [events])[0, 0] * 1e-3
    assert total == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("smoothing", NAMES)
def test_long_recordings_lose_no_digits(smoothing):
    """Two days with a millisecond's width: exp(t/τ) would be e^(2e8)."""
    bursts = np.array([0.0, 1.0, 3600.0, 1.7e5])[:, None] + np.array([0.0, 0.001, 0.0035])
    X = [bursts.ravel(), bursts.ravel() + 5e-4]
    expected = naive(X, X, 1e-3, smoothing)
    result = SpikeTrainKernel(1e-3, smoothing=smoothing)(X)
    np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.parametrize("smoothing", ["exponential", "laplacian"])
def test_small_values_are_right_relative_to_themselves(smoothing):
    X, Y = [[0.0], [0.0, 1.0]], [[300.0], [33.0, 700.0], [31.0]]
    expected = naive([np.array(x) for x in X], [np.array(y) for y in Y], 1.0, smoothing)
    np.testing.assert_allclose(
        SpikeTrainKernel(1.0, smoothing=smoothing)(X, Y), expected, rtol=1e-12
    )


def test_the_gaussian_keeps_its_error_bound():
    """Single events at all distances: off by at most 5e-16 κ(0) and rounding."""
    distances = np.linspace(0, 30, 3001)
    for width in (0.7, 1.0, 1.3, 1.9):
        k = SpikeTrainKernel(width)
        K = k([[0.123]], list(0.123 + width * distances[:, None]))[0]
        error = np.abs(K * width - KAPPA["gaussian"](distances))
        assert error.max() < 1e-15 * KAPPA["gaussian"](0)
        assert width / 4 < grid_step(width) <= width / 2


@pytest.mark.parametrize("smoothing", NAMES)
def test_the_number_of_threads_changes_nothing(smoothing):
    X, Y = trains(0, [30] * 200), trains(1, [40] * 17)
    kernel = SpikeTrainKernel(0.02, smoothing=smoothing)
    expected = kernel(X), kernel(X, Y), kernel.diag(X)
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        for got, want in zip((kernel(X), kernel(X, Y), kernel.diag(X)), expected):
            np.testing.assert_array_equal(got, want)
    finally:
        numba.set_num_threads(threads)


@pytest.mark.parametrize("smoothing", NAMES)
def test_distance(smoothing):
    X = [*trains(2, (5, 0, 9)), np.array([0.2, 0.2])]
    kernel = SpikeTrainKernel(0.1, smoothing=smoothing)
    K = naive(X, X, 0.1, smoothing)
    expected = np.diag(K)[:, None] - 2 * K + np.diag(K)
    np.testing.assert_allclose(kernel.squared_distance(X), expected, atol=1e-10)
    np.testing.assert_allclose(kernel.squared_distance(X, X), expected, atol=1e-10)
    assert (np.diag(kernel.squared_distance(X)) == 0).all()


@pytest.mark.parametrize("smoothing", NAMES)
def test_the_normalised_kernel_is_the_cosine_of_the_angle(smoothing):
    X = [*trains(2, (5, 0, 90)), np.array([0.2, 0.2]), np.array([])]
    kernel = SpikeTrainKernel(0.1, smoothing=smoothing, normalize=True)
    raw = naive(X, X, 0.1, smoothing)
    lengths = np.sqrt(np.diag(raw))
    cosines = raw / np.where(lengths > 0, lengths, 1) / np.where(lengths > 0, lengths, 1)[:, None]
    np.testing.assert_allclose(kernel(X), cosines, atol=1e-12)
    np.testing.assert_allclose(kernel(X, X[:3]), cosines[:, :3], atol=1e-12)
    np.testing.assert_array_equal(kernel.diag(X), [1, 0, 1, 1, 0])
    # As many events again at the same times change nothing; without events there is no direction.
    twice = [np.sort(np.r_[x, x]) for x in X]
    np.testing.assert_allclose(kernel(twice), kernel(X), atol=1e-12)
    D = kernel.squared_distance(X)
    np.testing.assert_allclose(D[0], [0, 1, 2 - 2 * cosines[0, 2], 2 - 2 * cosines[0, 3], 1])
    assert D[1, 4] == 0


def test_learners_take_normalised_trains_without_events(labelled):
    X, y = labelled
    X, y = [*X, [], []], [*y, y[0], y[-1]]
    kernel = SpikeTrainKernel(0.05, normalize=True)
    for cls in (KernelGLVQ, KernelRSLVQ):
        model = cls(kernel=kernel, random_state=0).fit(X, y)
        assert np.isfinite(model.transform(X)).all()
        assert model.score(X, y) > 0.8


def test_van_rossums_distance_is_elephants():
    metrics = pytest.importorskip("elephant.spike_train_dissimilarity")
    neo, pq = pytest.importorskip("neo"), pytest.importorskip("quantities")
    X = [neo.SpikeTrain(x, units="s", t_stop=1.0) for x in trains(0, (10, 3, 25))]
    expected = metrics.van_rossum_distance(X, time_constant=0.05 * pq.s)
    D = SpikeTrainKernel(0.05, smoothing="exponential").squared_distance(X)
    np.testing.assert_allclose(np.sqrt(2 * 0.05 * D), expected, atol=1e-6)


# --- forms of input ---------------------------------------------------------------------------


class Quantity:
    """As those of ``quantities``: numbers with a unit."""

    def __init__(self, values, unit="s"):
        self.magnitude = np.asarray(values)
        self.dimensionality = unit

    def __len__(self):
        return len(self.magnitude)


def test_all_forms_give_the_same():
    X = trains(3, (4, 0, 6))
    kernel = SpikeTrainKernel(0.1)
    expected = kernel(X)
    flat, offsets = np.concatenate(X), np.array([0, 4, 4, 10])
    ragged = np.empty(3, dtype=object)
    ragged[:] = X
    for same in (
        [x.tolist() for x in X],
        ragged,
        (flat, offsets),
        [SimpleNamespace(times=x) for x in X],
        [Quantity(x) for x in X],
        [SimpleNamespace(times=Quantity(x)) for x in X],
        kernel.as_objects(X),
        [x[::-1] for x in X],
    ):
        np.testing.assert_array_equal(kernel(same), expected)
    np.testing.assert_array_equal(kernel(np.array([X[0], X[0] + 1])), kernel([X[0], X[0] + 1]))


def test_legal_oddities():
    kernel = SpikeTrainKernel(0.5, smoothing="exponential")
    assert kernel([[1.0, 1.0]])[0, 0] == pytest.approx(4.0)  # two events at once are two events
    assert kernel([[-3.0]], [[-3.0]])[0, 0] == pytest.approx(1.0)
    assert kernel([[2, 1]], [[1]])[0, 0] == pytest.approx(1 + np.exp(-2))  # unsorted, integers
    assert kernel([[], [1.0]]).tolist() == [[0, 0], [0, 1]]
    assert kernel([]).shape == kernel([], []).shape == (0, 0)
    assert kernel([], [[1.0]]).shape == (0, 1)
    assert kernel.diag([]).shape == (0,)
    assert kernel([[], []]).tolist() == [[0, 0], [0, 0]]
    assert kernel((np.empty(0), np.array([0]))).shape == (0, 0)


BAD = [
    ([[0.1, np.nan]], ValueError, r"X\[0\] holds NaN or infinity"),
    ([[0.1], [np.inf]], ValueError, r"X\[1\] holds NaN or infinity"),
    ([0.1, 0.2], ValueError, r"X is a single train: give a list of trains, \[train\]"),
    (np.array([0.1, 0.2]), ValueError, "X is a single train"),
    (Quantity([0.1]), ValueError, "X is a single train"),
    ([[[0.1]]], ValueError, r"X\[0\] must be a 1-d array of event times; its shape is \(1, 1\)"),
    ([["a"]], TypeError, r"X\[0\] must be a 1-d array of event times, not \['a'\]"),
    ([["0.1"]], TypeError, r"X\[0\] must be a 1-d array of event times"),
    ([np.array([1j])], TypeError, r"X\[0\] must be a 1-d array of event times"),
    ([[0.1], None], (TypeError, ValueError), r"X\[1\] must be a 1-d array of event times"),
    ("trains", TypeError, "X must be a list of trains, not str"),
    (3.0, TypeError, "X must be a list of trains, not float"),
    (([0.1], [0.2], [0.3]), ValueError, r"a tuple means \(times, offsets\)"),
    (([0.1, 0.2], [0.0, 2.0]), ValueError, "offsets of X must be integers"),
    (([0.1, 0.2], [0, 1]), ValueError, r"rise from 0 to the number of times \(=2\)"),
    (([0.1, 0.2], [0, 2, 1, 2]), ValueError, "rise from 0"),
    ([Quantity([1.0]), Quantity([1.0], "ms")], ValueError, r"different units \(s, ms\): use one"),
    ([Quantity([1.0]), [1.0]], ValueError, r"different units \(s, no unit\)"),
    ([[1e20]], ValueError, "cannot resolve a width of 0.1: are both in the same unit"),
]


@pytest.mark.parametrize(("X", "error", "message"), BAD)
def test_bad_trains(X, error, message):
    for call in (SpikeTrainKernel(0.1), SpikeTrainKernel(0.1).diag):
        with pytest.raises(error, match=message):
            call(X)


def test_units_of_both_arguments_must_agree():
    with pytest.raises(ValueError, match="X has times in s and Y in ms: use one unit"):
        SpikeTrainKernel(0.1)([Quantity([1.0])], [Quantity([1.0], "ms")])


@pytest.mark.parametrize("width", [0, -1.0, np.nan, np.inf, "scale", None, True])
def test_bad_width(width):
    with pytest.raises(ValueError, match=r"width \(=.*\) must be a positive number"):
        SpikeTrainKernel(width)([[1.0]])


@pytest.mark.parametrize("smoothing", ["box", 3, None, ["alpha"]])
def test_bad_smoothing(smoothing):
    with pytest.raises(ValueError, match=r'smoothing \(=.*\) must be one of "gaussian", "expo'):
        SpikeTrainKernel(1.0, smoothing=smoothing)([[1.0]])


# --- learners -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def labelled():
    """Noisy copies of two templates."""
    rng = np.random.default_rng(0)
    templates = rng.uniform(0, 0.25, size=(2, 10))
    y = np.arange(60) % 2
    X = [t[rng.random(10) < 0.8] for t in templates[y]]
    return [x + 0.003 * rng.normal(size=len(x)) for x in X], np.array(["a", "b"])[y]


@pytest.mark.parametrize("cls", [KernelRSLVQ, KernelGLVQ])
def test_prototypes_over_trains(cls, labelled, tmp_path):
    X, y = labelled
    kernel = SpikeTrainKernel(0.003)
    model = cls(kernel=kernel, random_state=0).fit(X[:40], y[:40])
    assert model.score(X[40:], y[40:]) >= 0.95
    given = cls(kernel="precomputed", random_state=0).fit(kernel(X[:40]), y[:40])
    np.testing.assert_allclose(given.coefficients_, model.coefficients_, atol=1e-12)
    np.testing.assert_array_equal(given.predict(kernel(X[40:], X[:40])), model.predict(X[40:]))
    noneuclid.save(model, tmp_path / "model.skops")
    for other in (
        pickle.loads(pickle.dumps(model)),
        noneuclid.load(tmp_path / "model.skops"),
        compact(model),
    ):
        np.testing.assert_allclose(other.transform(X), model.transform(X), atol=1e-9)


def test_exemplar_trains_stand_for_the_prototypes(labelled):
    X, y = labelled
    model = KernelRSLVQ(kernel=SpikeTrainKernel(0.003), random_state=0).fit(X[:40], y[:40])
    for exemplar in exemplars(model, 2):
        assert set(y[exemplar.objects]) == {exemplar.label}
    few = sparsify(model, method="nearest", k=1)
    assert len(few.support_) == 2
    assert few.score(X[40:], y[40:]) >= 0.9


def test_prototypes_refuse_other_units_and_no_trains(labelled):
    X, y = labelled
    model = KernelRSLVQ(kernel=SpikeTrainKernel(0.003)).fit([Quantity(x) for x in X], y)
    with pytest.raises(ValueError, match="X has times in ms and Y in s"):
        model.predict([Quantity(X[0], "ms")])
    with pytest.raises(ValueError, match="X is empty: there is nothing to learn from"):
        KernelRSLVQ(kernel=SpikeTrainKernel(0.003)).fit([], [])
    with pytest.raises(ValueError, match="60 objects but 59 labels"):
        KernelRSLVQ(kernel=SpikeTrainKernel(0.003)).fit(X, y[1:])


def test_support_vector_machines_take_ragged_lists(labelled):
    X, y = labelled
    kernel = SpikeTrainKernel(0.003)
    model = SVC(kernel=kernel).fit(X[:40], y[:40])
    given = SVC(kernel="precomputed").fit(kernel(X[:40]), y[:40])
    assert model.score(X[40:], y[40:]) >= 0.95
    np.testing.assert_allclose(
        model.decision_function(X[40:]), given.decision_function(kernel(X[40:], X[:40])), atol=1e-6
    )


def test_other_scikit_learn_learners_take_the_matrix(labelled):
    X, _ = labelled
    kernel = SpikeTrainKernel(0.003)
    theirs = KernelPCA(3, kernel="precomputed").fit(kernel(X[:40]))
    ours = SpikeTrainPCA(n_components=3, kernel=kernel).fit(X[:40])
    new = theirs.transform(kernel(X[40:], X[:40]))
    np.testing.assert_allclose(np.abs(ours.transform(X[40:])), np.abs(new), atol=1e-8)
    assert np.abs(new).max() > 0.1


@pytest.mark.parametrize("learner", [KernelRSLVQ(random_state=0), SVC()])
def test_cross_validation_and_grid_search_over_the_width(learner, labelled):
    X, y = labelled
    learner = learner.set_params(kernel=SpikeTrainKernel(0.003))
    assert cross_val_score(learner, X, y, cv=3).mean() > 0.9
    search = GridSearchCV(learner, {"kernel__width": [1e-6, 0.003]}, cv=3).fit(X, y)
    assert search.best_params_ == {"kernel__width": 0.003}


def test_trains_from_a_file_are_checked_before_compiled_code_trusts_them():
    trains = as_trains([[0.1, 0.2], [0.3]])
    again = pickle.loads(pickle.dumps(trains))
    np.testing.assert_array_equal(again.times, trains.times)
    np.testing.assert_array_equal(again.offsets, trains.offsets)
    for offsets in ([0, 2, 9], [0, 5, 3], [-1, 2, 3], [0.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="offsets of what was saved must be integers"):
            Trains.__new__(Trains).__setstate__(
                {"times": trains.times, "offsets": np.array(offsets)}
            )


# --- the Gaussian of the distance of trains ------------------------------------------------------


@pytest.mark.parametrize("smoothing", NAMES)
def test_schoenbergs_kernel_of_trains_is_the_gaussian_of_their_distance(smoothing):
    X = trains(4, (6, 0, 12, 1))
    inner = SpikeTrainKernel(0.1, smoothing=smoothing)
    K = naive(X, X, 0.1, smoothing)
    D = np.diag(K)[:, None] - 2 * K + np.diag(K)
    distances = np.sqrt(np.maximum(D[np.triu_indices(4, 1)], 0))
    kernel = Schoenberg(inner, "median").resolve(X)
    assert kernel.width == pytest.approx(np.median(distances), rel=1e-9)
    np.testing.assert_allclose(kernel(X), np.exp(-D / (2 * kernel.width**2)), atol=1e-10)


def test_schoenbergs_kernel_tells_what_no_product_of_intensities_can():
    """One event or three are one class, two the other: no line through counts divides them."""
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 4, size=90)
    X = [np.sort(0.5 + 0.01 * rng.normal(size=k)) for k in counts]
    y = counts % 2
    plain, curved = SpikeTrainKernel(0.5), Schoenberg(SpikeTrainKernel(0.5), 0.3)
    assert SVC(kernel=plain, C=100.0).fit(X[:60], y[:60]).score(X[60:], y[60:]) < 0.8
    assert SVC(kernel=curved, C=100.0).fit(X[:60], y[:60]).score(X[60:], y[60:]) == 1.0


@pytest.mark.parametrize("cls", [KernelGLVQ, KernelRSLVQ])
def test_learners_take_schoenbergs_kernel_of_trains(cls, labelled, tmp_path):
    X, y = labelled
    model = cls(kernel=Schoenberg(SpikeTrainKernel(0.005), "median"), random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    noneuclid.save(model, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
