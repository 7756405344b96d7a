"""FunctionalPCA of curves at their own times: conditional expectation, channels, bands."""

import numpy as np
import pytest
from scipy import linalg

import noneuclid
from noneuclid.curves import Curves
from noneuclid.curves.bases import inner_products, make_basis
from noneuclid.pca import FunctionalPCA
from noneuclid.pca._functions import Functions, Sample
from noneuclid.pca._moments import _pair_sums

GRID = np.linspace(0, 1, 101)
WAVES = (np.sin, np.cos)


def functions(t):
    return np.sqrt(2) * np.array([wave(2 * np.pi * t) for wave in WAVES])


def sparse_curves(n=100, points=(5, 10), noise=0.25, seed=0, channels=1, unit=1.0, scale=1.0):
    """Curves of two known components, thinned; the same, dense and without noise; the scores."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, 2)) * [2.0, 1.0]
    pairs = []
    for z in scores:
        inner = rng.uniform(size=rng.integers(points[0], points[1] + 1) - 2)
        t = np.sort(np.concatenate([rng.uniform(0, 0.02, 1), inner, rng.uniform(0.98, 1, 1)]))
        X = np.array([t + (z * [1, (-1) ** c]) @ functions(t) for c in range(channels)])
        X = scale * (X + noise * rng.normal(size=X.shape))
        pairs.append((unit * t, X if channels > 1 else X[0]))
    return Curves(pairs), scale * (GRID + scores @ functions(GRID)), scores


def angle(a, b):
    return np.degrees(np.arccos(min(1.0, abs(a @ b) / np.sqrt((a @ a) * (b @ b)))))


@pytest.mark.parametrize("seed", [0, 1])
def test_few_points_tell_what_dense_curves_tell(seed):
    curves, dense, _ = sparse_curves(seed=seed)
    model = FunctionalPCA(n_components=2)
    found = model.fit_transform(curves)
    whole = FunctionalPCA(n_components=2, grid=GRID).fit(dense)
    inside = GRID[2:-2]
    ours, theirs = model.component_functions(inside), whole.component_functions(inside)
    assert max(angle(a, b) for a, b in zip(ours, theirs)) < 5
    correlations = [np.corrcoef(found[:, k], whole.transform(dense)[:, k])[0, 1] for k in (0, 1)]
    assert min(np.abs(correlations)) > 0.98
    np.testing.assert_allclose(model.explained_variance_, whole.explained_variance_, rtol=0.1)
    assert np.sqrt(model.noise_variance_[0]) == pytest.approx(0.25, rel=0.1)


def test_bands_hold_the_curves():
    curves, dense, scores = sparse_curves()
    model = FunctionalPCA(n_components=2).fit(curves)
    t = GRID[2:-2]
    band, wide = model.reconstruct(curves, t), model.reconstruct(curves, t, simultaneous=True)
    truth = dense[:, 2:-2]
    held = (band.lower <= truth) & (truth <= band.upper)
    assert 0.9 < held.mean() < 0.99
    assert ((wide.lower <= truth) & (truth <= wide.upper)).all(axis=1).mean() > 0.9
    assert (wide.upper > band.upper).all()
    half = model.reconstruct(curves, t, level=0.5)
    assert 0.4 < ((half.lower <= truth) & (truth <= half.upper)).mean() < 0.6
    spread = np.sqrt(model.score_covariance(curves)[:, 0, 0])
    errors = model.transform(curves)[:, 0] * np.sign(model.component_functions([0.25])[0]) - (
        scores[:, 0] - scores[:, 0].mean()
    )
    assert (np.abs(errors) < 2.5 * spread).mean() > 0.85


def test_scores_are_conditional_expectations():
    """Against the Gaussian formula ΛΦ'(ΦΛΦ' + σ²I)⁻¹(x − μ), curve by curve."""
    curves, _, _ = sparse_curves(n=20)
    model = FunctionalPCA(n_components=2).fit(curves)
    process = model._random.process
    basis = process.functions.bases[0]
    G = inner_products(basis)
    found, covariances = model.transform(curves), model.score_covariance(curves)
    for k in range(len(curves)):
        t, x = curves[k]
        B = basis.evaluate(t)
        C = process.axes.T @ np.diag(process.variances) @ process.axes
        inverse = np.linalg.inv(B @ C @ B.T + process.noise[0] * np.eye(len(t)))
        reading = model.coefficients_ @ G @ C @ B.T
        np.testing.assert_allclose(found[k], reading @ inverse @ (x - B @ process.mean), atol=1e-8)
        left = (
            model.coefficients_ @ G @ C @ G @ model.coefficients_.T - reading @ inverse @ reading.T
        )
        np.testing.assert_allclose(covariances[k], left, atol=1e-8)


def test_sums_over_pairs_are_those_of_all_pairs():
    curves, _, _ = sparse_curves(n=6)
    flat = curves.flat_points()
    sample = Sample(flat.curves, flat.channels, flat.times, flat.values, 6)
    space = Functions([make_basis("bspline", 4, 9, (0.0, 1.0))], np.ones(1))
    B = space.design(sample.times, sample.channels)
    sums = _pair_sums(sample, B, sample.values, np.arange(6) % 2)
    upper = np.triu_indices(4)
    rows, targets = [[], []], [[], []]
    for i, (start, stop) in enumerate(zip(sample.bounds()[:-1], sample.bounds()[1:])):
        for j in range(start, stop):
            for k in range(start, stop):
                if j != k:
                    both = np.outer(B[j], B[k]) + np.outer(B[k], B[j]) * (1 - np.eye(4))
                    rows[i % 2].append(both[upper])
                    targets[i % 2].append(sample.values[j] * sample.values[k])
    for fold in (0, 1):
        A, y = np.array(rows[fold]), np.array(targets[fold])
        np.testing.assert_allclose(sums.A[fold], A.T @ A, atol=1e-9)
        np.testing.assert_allclose(sums.b[fold], A.T @ y, atol=1e-9)
        assert sums.y[fold] == pytest.approx(y @ y)


def test_no_unit_matters():
    plain = FunctionalPCA(n_components=2).fit_transform(sparse_curves()[0])
    other = FunctionalPCA(n_components=2).fit_transform(sparse_curves(unit=365.0, scale=1e4)[0])
    np.testing.assert_allclose(other / (1e4 * np.sqrt(365.0)), plain, atol=1e-5)


@pytest.mark.parametrize("basis", ["bspline", "fourier", "monomial"])
@pytest.mark.parametrize(("offset", "scale"), [(1e4, 1.0), (-1e6, 1.0), (1e9, 1e5), (3.0, 1e-6)])
def test_no_offset_and_no_scale_matters(basis, offset, scale):
    """f → a + bf has the mean a + bμ, scores bξ and noise b²σ²."""
    curves, _, _ = sparse_curves(n=30, noise=0.05)
    moved = Curves([(t, offset + scale * x) for t, x in curves])
    plain = FunctionalPCA(n_components=2, basis=basis).fit(curves)
    other = FunctionalPCA(n_components=2, basis=basis).fit(moved)
    np.testing.assert_allclose(other.noise_variance_ / scale**2, plain.noise_variance_, rtol=1e-5)
    np.testing.assert_allclose(other.transform(moved) / scale, plain.transform(curves), atol=1e-5)
    np.testing.assert_allclose((other.mean_ - offset) / scale, plain.mean_, atol=1e-5)
    band, same = other.reconstruct(moved), plain.reconstruct(curves)
    np.testing.assert_allclose((band.upper - offset) / scale, same.upper, atol=1e-5)


def test_each_channel_has_its_own_offset():
    curves, _, _ = sparse_curves(n=30, channels=2, noise=0.05)
    moved = Curves([(t, X + np.array([[1e4], [-1e6]])) for t, X in curves])
    plain, other = (FunctionalPCA(n_components=2).fit(data) for data in (curves, moved))
    np.testing.assert_allclose(other.transform(moved), plain.transform(curves), atol=1e-5)
    back = other.mean_ - np.repeat([1e4, -1e6], 101)
    np.testing.assert_allclose(back, plain.mean_, atol=1e-5)


def test_several_channels_share_their_scores():
    """A curve whose second channel was not observed has scores too."""
    curves, _, scores = sparse_curves(channels=2)
    model = FunctionalPCA(n_components=2).fit(curves)
    assert model.components_.shape == (2, 202)
    assert len(model.grid_) == len(model.noise_variance_) == 2
    found = model.transform(curves)
    assert min(abs(np.corrcoef(found[:, k], scores[:, k])[0, 1]) for k in (0, 1)) > 0.98
    first, second = (model.component_functions([0.25, 0.75], channel=c)[1] for c in (0, 1))
    np.testing.assert_allclose(np.abs(first), np.abs(second), atol=0.2)
    t, X = curves[0]
    half = Curves([(t, [X[0], np.full(len(t), np.nan)])])
    assert np.sign(model.transform(half)[0, 0]) == np.sign(found[0, 0])
    assert model.score_covariance(half)[0].trace() > model.score_covariance(curves[:1])[0].trace()


def test_weights_undo_the_units_of_channels():
    curves, _, _ = sparse_curves(n=40, channels=2)
    units = Curves([(t, X * [[1.0], [1000.0]]) for t, X in curves])
    plain = FunctionalPCA(n_components=2).fit_transform(curves)
    weighted = FunctionalPCA(n_components=2, channel_weights=[1.0, 1e-6]).fit_transform(units)
    np.testing.assert_allclose(np.abs(weighted), np.abs(plain), atol=1e-5)


def test_gaps_in_rows_are_curves():
    _, dense, _ = sparse_curves(n=30)
    rng = np.random.default_rng(0)
    rows = np.where(rng.random(dense.shape) < 0.9, np.nan, dense)
    rows[:, [0, -1]] = dense[:, [0, -1]]
    by_rows = FunctionalPCA(method="conditional", grid=GRID).fit(rows)
    by_curves = FunctionalPCA(grid=GRID).fit(Curves.from_array(rows, GRID))
    np.testing.assert_allclose(by_rows.components_, by_curves.components_, atol=1e-9)
    np.testing.assert_allclose(by_rows.transform(rows), by_curves.transform(rows), atol=1e-9)


def test_gaps_in_rows_need_no_grid():
    _, dense, _ = sparse_curves(n=30)
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((30, 21)) < 0.3, np.nan, dense[:, ::5])
    rows[:, 0] = np.nan  # a column that was never observed is a place of the grid nevertheless
    model = FunctionalPCA(n_components=2, method="conditional")
    scores = model.fit_transform(rows)
    assert model.n_features_in_ == 21
    np.testing.assert_array_equal(model.grid_[0], np.linspace(0, 1, 21))
    named = FunctionalPCA(n_components=2, method="conditional", grid=GRID[::5])
    np.testing.assert_allclose(named.fit_transform(rows), scores, atol=1e-6)
    assert np.abs(model.inverse_transform(scores) - dense[:, ::5])[:, 1:].max() < 0.5


@pytest.mark.parametrize("method", ["basis", "conditional"])
def test_times_in_single_precision_are_the_same_times(method):
    curves, _, _ = sparse_curves(n=20, unit=0.7)
    t = np.concatenate([t for t, _ in curves])
    single = Curves([(t.astype(np.float32), x) for t, x in curves])
    assert single.times.min() > t.min() or single.times.max() < t.max()
    model = FunctionalPCA(n_components=2, method=method, domain=(t.min(), t.max())).fit(single)
    other = FunctionalPCA(n_components=2, method=method).fit(single)
    for fitted in (model, other):
        np.testing.assert_allclose(
            fitted.transform(curves), fitted.transform(single), rtol=1e-3, atol=1e-3
        )
    FunctionalPCA(grid=[t.min(), t.max()], method=method).fit(single)
    with pytest.raises(ValueError, match="functions live"):
        other.transform(Curves([(t + 1e-5, x) for t, x in curves]))


def test_curves_each_by_itself():
    """On one grid, the same as rows; at other times of the same functions, nearly the same."""
    _, dense, _ = sparse_curves(n=30)
    rows = FunctionalPCA(grid=GRID, smoothing=1e-6).fit(dense)
    options = {"method": "basis", "smoothing": 1e-6, "n_basis": 15}
    own = FunctionalPCA(**options).fit(Curves.from_array(dense, GRID))
    np.testing.assert_allclose(own.components_, rows.components_, atol=1e-5)
    np.testing.assert_allclose(own.transform(dense), rows.transform(dense), atol=1e-5)
    thinned = Curves([(GRID[::3], row[::3]) for row in dense[:, :]])
    np.testing.assert_allclose(rows.transform(thinned), rows.transform(dense), atol=0.02)
    automatic = FunctionalPCA(method="basis").fit(Curves.from_array(dense, GRID))
    assert max(angle(a, b) for a, b in zip(automatic.components_, rows.components_)) < 1


@pytest.mark.parametrize("as_curves", [False, True])
def test_smoothed_components_are_those_of_a_sobolev_product(as_curves):
    """GΘGa = ρ(G + αP)a, and a'(G + αP)a = 1."""
    _, dense, _ = sparse_curves(n=30)
    noisy = dense + np.random.default_rng(0).normal(size=dense.shape)
    data = Curves.from_array(noisy, GRID) if as_curves else noisy
    alpha = 1e-3
    options = {"n_basis": 12, "grid": GRID, "method": "basis", "smoothing": 0.0}
    model = FunctionalPCA(component_smoothing=alpha, **options).fit(data)
    plain = FunctionalPCA(**options).fit(data)
    basis = make_basis("bspline", 12, 101, (0.0, 1.0))
    G, P = inner_products(basis), inner_products(basis, 2)
    C = np.linalg.lstsq(basis.evaluate(GRID), noisy.T, rcond=None)[0].T
    theta = np.cov(C.T, bias=True)
    values, vectors = linalg.eigh(G @ theta @ G, G + alpha * P)
    np.testing.assert_allclose(model.explained_variance_, values[::-1][:2], rtol=1e-6)
    for ours, exact in zip(model.coefficients_, vectors.T[::-1]):
        np.testing.assert_allclose(ours * np.sign(ours @ exact), exact, atol=1e-5)
    scores = (C - C.mean(axis=0)) @ G @ model.coefficients_.T
    np.testing.assert_allclose(model.transform(data), scores, atol=1e-4)
    rough = [np.einsum("ij,jk,ik->i", m.coefficients_, P, m.coefficients_) for m in (model, plain)]
    assert (rough[0] < rough[1]).all()


def test_smoothed_components_of_random_functions():
    curves, _, _ = sparse_curves(n=60, noise=0.5)
    model = FunctionalPCA(component_smoothing=1e-4).fit(curves)
    process, basis = model._random.process, model._random.functions.bases[0]
    G, P = inner_products(basis), inner_products(basis, 2)
    theta = process.axes.T @ np.diag(process.variances) @ process.axes
    values = linalg.eigh(G @ theta @ G, G + 1e-4 * P, eigvals_only=True)[::-1]
    np.testing.assert_allclose(model.explained_variance_, values[:2], rtol=1e-6)


def test_a_given_smoothing_smooths():
    curves, _, _ = sparse_curves(n=40, noise=0.5)
    rough = []
    for smoothing in (1e-6, 1e-2):
        model = FunctionalPCA(smoothing=smoothing).fit(curves)
        values = model.component_functions(np.linspace(0.05, 0.95, 50))
        rough.append(np.square(np.diff(values, 2, axis=1)).sum())
    assert rough[1] < rough[0]


def test_odd_curves():
    """Constant ones, equal ones, two of them; more components than directions."""
    t = np.linspace(0, 1, 6)
    same = Curves([(t, np.ones(6))] * 4)
    model = FunctionalPCA().fit(same)
    np.testing.assert_allclose(model.transform(same), 0, atol=1e-6)
    np.testing.assert_allclose(model.mean_, 1, atol=1e-6)
    two = FunctionalPCA(n_components=2).fit(Curves([(t, t), (t, -t)]))
    assert np.isfinite(two.components_).all()
    assert np.isfinite(two.transform(Curves([(t, t)]))).all()
    basis = FunctionalPCA(n_components=None, method="basis").fit(Curves([(t, t), (t, -t)]))
    np.testing.assert_allclose(
        basis.coefficients_
        @ inner_products(basis._random.functions.bases[0])
        @ basis.coefficients_.T,
        np.eye(2),
        atol=1e-8,
    )


def test_models_persist(tmp_path):
    curves, _, _ = sparse_curves(n=20)
    model = FunctionalPCA().fit(curves)
    noneuclid.save(model, tmp_path / "model.skops")
    loaded = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(loaded.transform(curves), model.transform(curves))
    np.testing.assert_array_equal(loaded.reconstruct(curves).upper, model.reconstruct(curves).upper)


T = np.linspace(0, 1, 5)
PAIR = [(T, T), (T, -T), (T, T**2)]


@pytest.mark.parametrize(
    ("params", "curves", "sentence"),
    [
        ({}, PAIR[:1], "at least two samples"),
        ({"domain": (0.5, 2.0)}, PAIR, "holds the grid"),
        ({"grid": [0.0, 2.0]}, PAIR, "grid must be increasing positions within 0 and 1"),
        ({"channel_weights": [1.0, 2.0]}, PAIR, "channel_weights must be 1 numbers"),
        ({"n_components": 9}, PAIR, "at most"),
        ({"component_smoothing": -1.0}, PAIR, "at least 0"),
        ({"method": "pace"}, PAIR, "must be one of"),
        ({}, [([T, [0.5]], [T, [1.0]])] * 3, "channel 1 was never observed twice"),
    ],
)
def test_bad_fits_in_one_sentence(params, curves, sentence):
    with pytest.raises(ValueError, match=sentence):
        FunctionalPCA(**params).fit(Curves(curves))


def test_bad_questions_in_one_sentence():
    curves, dense, _ = sparse_curves(n=12)
    model = FunctionalPCA().fit(curves)
    with pytest.raises(ValueError, match="curve 0 was observed from 0 to 2"):
        model.transform(Curves([([0.0, 2.0], [1.0, 1.0])]))
    with pytest.raises(ValueError, match="channels"):
        model.transform(sparse_curves(n=2, channels=2)[0])
    with pytest.raises(ValueError, match="t must lie within"):
        model.reconstruct(curves, [5.0])
    with pytest.raises(ValueError, match="level"):
        model.reconstruct(curves, level=95)
    with pytest.raises(ValueError, match="channel"):
        model.component_functions([0.5], channel=1)
    rows = FunctionalPCA(grid=GRID).fit(dense)
    with pytest.raises(ValueError, match='reconstruct needs method="conditional"'):
        rows.reconstruct(dense)
    with pytest.raises(ValueError, match="one was learned from"):
        rows.transform(sparse_curves(n=2, channels=2)[0])
    with pytest.raises(ValueError, match="channel_weights are for Curves"):
        FunctionalPCA(channel_weights=[1.0]).fit(dense)
