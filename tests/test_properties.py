"""What must hold for any data: drawn by hypothesis, over all that is discovered.

Structure is drawn (sizes, signs, copies, scales), values follow from a seed: so a failing example
shrinks to the smallest structure that fails.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from noneuclid.information import (
    angle,
    cauchy_schwarz_divergence,
    cross_information_potential,
    euclidean_divergence,
    information_potential,
    renyi_entropy,
)
from noneuclid.kernels import FunctionKernel, Gaussian, Laplacian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, HebbianPCA
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    LGMLVQ,
    LVQ1,
    RSLVQ,
    MatrixRSLVQ,
    NeuralGas,
    ProximityLVQ,
    ProximityNeuralGas,
    ProximitySOM,
    RelationalGLVQ,
    RelationalRSLVQ,
    SelfOrganizingMap,
    compact,
    n_exemplars,
    sparsify,
)
from noneuclid.proximities import (
    NystroemEmbedding,
    PseudoEuclideanEmbedding,
    SpectrumCorrection,
    normalize,
    signature,
    spectrum,
    symmetrize,
    to_dissimilarity,
    to_similarity,
)
from noneuclid.spaces import Euclidean, KernelMetric, LinearSpace, Lp
from noneuclid.testing import example_kernels, example_points, example_spaces

seeds = st.integers(0, 2**32 - 1)
# Powers of two round nothing: what follows must scale to the last bits.
units = st.sampled_from([2.0**-40, 2.0**-7, 1.0, 2.0**5, 2.0**33])


class Similar(NamedTuple):
    """Objects as vectors with signs, and their similarities Z diag(signs) Z'."""

    Z: np.ndarray
    signs: np.ndarray
    S: np.ndarray


@st.composite
def similarities(draw, positive=False):
    """Symmetric matrices: definite or not, of low rank or full, with copies, tiny or huge."""
    n = draw(st.integers(2, 9))
    p = draw(st.integers(1, 4))
    q = 0 if positive else draw(st.integers(0, 3))
    rng = np.random.default_rng(draw(seeds))
    Z = rng.normal(size=(n, p + q))
    copies = draw(st.integers(0, n - 2))
    Z[n - copies :] = Z[rng.integers(0, n - copies, size=copies)]
    Z *= draw(st.sampled_from([1e-6, 1.0, 1e6]))
    signs = np.repeat([1.0, -1.0], [p, q])
    S = Z * signs @ Z.T
    return Similar(Z, signs, (S + S.T) / 2)


@st.composite
def dissimilarities(draw):
    """Symmetric matrices with a zero diagonal; nothing else is asked of them."""
    n = draw(st.integers(2, 9))
    rng = np.random.default_rng(draw(seeds))
    D = rng.normal(loc=draw(st.sampled_from([0.0, 3.0])), size=(n, n))
    D = (D + D.T) / 2
    if draw(st.booleans()):
        D[1], D[:, 1] = D[0], D[:, 0]
    np.fill_diagonal(D, 0.0)
    return D * draw(st.sampled_from([1e-9, 1.0, 1e9]))


def assert_near(got, expected, tolerance=1e-9):
    size = max(np.abs(expected).max(initial=0.0), 1e-300)
    np.testing.assert_allclose(got / size, expected / size, rtol=0, atol=tolerance)


# --- proximities ----------------------------------------------------------------------------


@given(dissimilarities())
def test_dissimilarities_come_back_from_similarities(D):
    assert_near(to_dissimilarity(to_similarity(D)), D)


@given(similarities())
def test_similarities_come_back_centred(similar):
    n = len(similar.S)
    J = np.eye(n) - 1 / n
    back = to_similarity(to_dissimilarity(similar.S))
    np.testing.assert_allclose(back, J @ similar.S @ J, atol=1e-9 * np.abs(similar.S).max())


@given(similarities())
def test_dissimilarities_are_squared_distances(similar):
    V = similar.Z[:, None] - similar.Z
    size = np.abs(similar.S).max()
    D = to_dissimilarity(similar.S)
    np.testing.assert_allclose(D, (V**2 * similar.signs).sum(axis=2), atol=1e-9 * size)


@given(similarities())
def test_signs_of_the_spectrum_are_those_of_the_vectors(similar):
    distinct = len(np.unique(similar.Z, axis=0))
    positive, negative = (int((similar.signs == sign).sum()) for sign in (1, -1))
    values = spectrum(similar.S)
    found = signature(similar.S, cutoff=1e-10)
    assert sum(found) == len(values) == len(similar.S)
    assert found[0] <= positive
    assert found[1] <= negative
    assert_near(values.sum(), np.trace(similar.S), 1e-9 * len(values) * 1e3)
    if distinct >= len(similar.signs):  # enough objects to span all directions
        assert sum(found[:2]) <= len(similar.signs)
    assert signature(-similar.S, cutoff=1e-10)[:2] == (found[1], found[0])


@given(similarities(), st.sampled_from(["clip", "flip", "shift", "square"]))
def test_corrected_similarities_are_positive(similar, method):
    corrected = SpectrumCorrection(method=method).fit_transform(similar.S)
    values = np.linalg.eigvalsh(corrected)
    np.testing.assert_array_equal(corrected, corrected.T)
    assert values.min() >= -1e-9 * np.abs(values).max()
    old = np.linalg.eigvalsh(similar.S)
    expected = {
        "clip": np.maximum(old, 0),
        "flip": np.abs(old),
        "square": old**2,
        "shift": old - min(old.min(), 0),
    }[method]
    assert_near(values, np.sort(expected), 1e-9)


@given(similarities(), st.sampled_from(["clip", "flip", "shift"]))
def test_corrections_leave_alone_what_is_positive(similar, method):
    once = SpectrumCorrection(method=method).fit_transform(similar.S)
    assume(np.abs(once).max() > 0)
    assert_near(SpectrumCorrection(method=method).fit_transform(once), once)


@given(similarities(positive=True), st.sampled_from(["clip", "flip", "shift"]))
def test_corrections_of_positive_matrices_change_nothing(similar, method):
    assert_near(SpectrumCorrection(method=method).fit_transform(similar.S), similar.S)


@given(similarities(), st.sampled_from(["clip", "flip", "square"]))
def test_new_rows_are_corrected_as_the_training_rows_were(similar, method):
    model = SpectrumCorrection(method=method)
    expected = model.fit_transform(similar.S)
    assert_near(model.transform(similar.S.copy()), expected)


@given(dissimilarities(), st.sampled_from(["clip", "flip", "shift", "square"]))
def test_corrected_dissimilarities_are_euclidean(D, method):
    corrected = SpectrumCorrection(method=method, proximity="dissimilarity").fit_transform(D)
    size = np.abs(corrected).max(initial=1e-300)
    assert corrected.min() >= -1e-9 * size
    np.testing.assert_allclose(np.diag(corrected), 0.0, atol=1e-9 * size)
    values = np.linalg.eigvalsh(to_similarity((corrected + corrected.T) / 2))
    assert values.min() >= -1e-9 * size


@given(similarities())
def test_the_embedding_reproduces_similarities(similar):
    model = PseudoEuclideanEmbedding()
    Z = model.fit_transform(similar.S)
    assert_near(model.space_.product(Z, Z), similar.S)
    assert_near(model.transform(similar.S), Z, 1e-7)
    assert sum(model.signature_) == Z.shape[1]


@given(dissimilarities())
def test_the_embedding_reproduces_dissimilarities(D):
    assume(np.abs(D).max() > 0)
    model = PseudoEuclideanEmbedding(proximity="dissimilarity")
    Z = model.fit_transform(D)
    assert_near(model.space_.squared_distance(Z, Z), D, 1e-8)


@given(similarities(), seeds)
def test_all_objects_as_landmarks_lose_nothing(similar, seed):
    model = NystroemEmbedding(n_landmarks=len(similar.S), random_state=seed % 1000)
    Z = model.fit_transform(similar.S)
    assert_near(model.space_.product(Z, Z), similar.S, 1e-6)


@given(similarities(), seeds)
def test_the_order_of_objects_does_not_matter(similar, seed):
    order = np.random.default_rng(seed).permutation(len(similar.S))
    turned = similar.S[np.ix_(order, order)]
    assert_near(spectrum(turned), spectrum(similar.S))
    for method in ("clip", "flip", "square", "shift"):
        whole = SpectrumCorrection(method=method).fit_transform(similar.S)
        assert_near(
            SpectrumCorrection(method=method).fit_transform(turned), whole[np.ix_(order, order)]
        )


@given(similarities(positive=True))
def test_normalised_similarities_are_cosines(similar):
    length = np.linalg.norm(similar.Z, axis=1)
    expected = (similar.Z / length[:, None]) @ (similar.Z / length[:, None]).T
    np.testing.assert_allclose(normalize(similar.S), expected, atol=1e-9)


@given(st.integers(1, 8), seeds)
def test_symmetrised_matrices_are_the_mean_with_the_transpose(n, seed):
    P = np.random.default_rng(seed).normal(size=(n, n))
    np.testing.assert_array_equal(symmetrize(P), (P + P.T) / 2)
    np.testing.assert_array_equal(symmetrize(symmetrize(P)), symmetrize(P))


# --- spaces and kernels ---------------------------------------------------------------------

LINEAR = [space for space in example_spaces() if isinstance(space, LinearSpace)]
METRICS = [space for space in example_spaces() if isinstance(space, KernelMetric)]


def drawn(thing, seed, n):
    return example_points(thing, np.random.default_rng(seed), n)


@pytest.mark.parametrize("space", LINEAR)
@given(seed=seeds)
def test_distances_do_not_depend_on_the_origin(space, seed):
    X, W, shift = drawn(space, seed, 5), drawn(space, seed + 1, 3), drawn(space, seed + 2, 1)
    expected = space.squared_distance(X, W)
    assert_near(space.squared_distance(X + shift, W + shift), expected, 1e-7)
    assert_near(space.squared_distance(W, X).T, expected)


@pytest.mark.parametrize("space", LINEAR)
@given(seed=seeds, a=st.floats(-3, 3), b=st.floats(-3, 3))
def test_products_are_linear_in_the_first_argument(space, seed, a, b):
    x, y, W = drawn(space, seed, 2), drawn(space, seed + 1, 2), drawn(space, seed + 2, 3)
    parts = a * space.product(x, W), b * space.product(y, W)
    size = max(np.abs(parts).max(), 1e-300)
    np.testing.assert_allclose(
        space.product(a * x + b * y, W) / size, (parts[0] + parts[1]) / size, atol=1e-9
    )


@pytest.mark.parametrize("space", LINEAR)
@given(seed=seeds, scale=st.floats(0.01, 100))
def test_distances_are_homogeneous(space, seed, scale):
    X, W = drawn(space, seed, 4), drawn(space, seed + 1, 3)
    expected = scale**2 * space.squared_distance(X, W)
    assert_near(space.squared_distance(scale * X, scale * W), expected)


@pytest.mark.parametrize("space", [s for s in LINEAR if "triangle" in s.laws])
@given(seed=seeds)
def test_detours_are_longer(space, seed):
    X, via, W = (drawn(space, seed + k, 4) for k in range(3))
    direct = np.sqrt(space.squared_distance(X, W))
    detour = np.sqrt(space.squared_distance(X, via)).min(axis=1)[:, None]
    through = np.sqrt(space.squared_distance(X, via))[:, :, None] + np.sqrt(
        space.squared_distance(via, W)
    )
    assert (direct <= through.min(axis=1) * (1 + 1e-9)).all()
    assert (detour >= 0).all()


@pytest.mark.parametrize("space", METRICS)
@given(seed=seeds)
def test_kernel_metrics_are_distances_of_the_kernel(space, seed):
    X, W = drawn(space, seed, 4), drawn(space, seed + 1, 3)
    k = space.kernel
    expected = k.diag(X)[:, None] - 2 * k(X, W) + k.diag(W)
    assert_near(space.squared_distance(X, W), expected, 1e-8)


@given(seed=seeds, d=st.integers(1, 7), unit=units)
def test_lp_of_two_is_euclidean(seed, d, unit):
    rng = np.random.default_rng(seed)
    X, W = unit * rng.normal(size=(5, d)), unit * rng.normal(size=(3, d))
    lp, euclidean = Lp(2), Euclidean()
    assert_near(lp.squared_distance(X, W), cdist(X, W, "sqeuclidean"))
    assert_near(euclidean.squared_distance(X, W), cdist(X, W, "sqeuclidean"))
    assert_near(lp.product(X, W), X @ W.T)
    assert_near(lp.dual(W), W)


@given(seed=seeds, p=st.floats(1, 12), d=st.integers(1, 7))
@example(seed=0, p=1.0, d=3)
def test_lp_is_the_formula(seed, p, d):
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(5, d)), rng.normal(size=(3, d))
    expected = (np.abs(X[:, None] - W) ** p).sum(axis=2) ** (2 / p)
    assert_near(Lp(p).squared_distance(X, W), expected)
    norm = (np.abs(W) ** p).sum(axis=1, keepdims=True) ** (1 / p)
    assert_near(Lp(p).dual(W), np.abs(W) ** (p - 1) * np.sign(W) * norm ** (2 - p), 1e-8)


@pytest.mark.parametrize("kernel", example_kernels())
@given(seed=seeds, copies=st.integers(0, 3))
def test_gram_matrices_keep_the_claimed_laws_with_copies(kernel, seed, copies):
    objects = list(drawn(kernel, seed, 5))
    objects += objects[:copies]
    objects = objects if kernel.takes_objects else np.array(objects)
    K = kernel(objects)
    size = np.abs(K).max()
    np.testing.assert_allclose(kernel.diag(objects), np.diag(K), atol=1e-12 * size)
    np.testing.assert_allclose(K[5:], K[:copies], atol=1e-12 * size)
    if "symmetry" in kernel.laws:
        np.testing.assert_allclose(K, K.T, atol=1e-12 * size)
    if "positivity" in kernel.laws:
        assert np.linalg.eigvalsh((K + K.T) / 2).min() >= -1e-10 * size
        bound = np.sqrt(np.outer(np.diag(K), np.diag(K)))
        assert (np.abs(K) <= bound * (1 + 1e-9) + 1e-300).all()


@pytest.mark.parametrize("cls", [Gaussian, Laplacian])
@pytest.mark.parametrize("rule", ["scale", "median"])
@given(seed=seeds, unit=units)
def test_widths_found_on_the_data_have_their_unit(cls, rule, seed, unit):
    X = np.random.default_rng(seed).normal(size=(12, 3))
    resolved, scaled = cls(width=rule).resolve(X), cls(width=rule).resolve(unit * X)
    assert scaled.width == pytest.approx(unit * resolved.width, rel=1e-9)
    np.testing.assert_allclose(scaled(unit * X), resolved(X), atol=1e-9)


# --- learners -------------------------------------------------------------------------------


class Problem(NamedTuple):
    """Classes that overlap, a first prototype for each, and new samples."""

    X: np.ndarray
    y: np.ndarray
    start: np.ndarray
    new: np.ndarray


@st.composite
def problems(draw, d=None):
    n_classes = draw(st.integers(2, 3))
    d = draw(st.integers(2, 4)) if d is None else d
    rng = np.random.default_rng(draw(seeds))
    y = np.arange(draw(st.integers(5, 9)) * n_classes) % n_classes
    centres = 4.0 * np.eye(n_classes, d) + rng.normal(size=(n_classes, d))
    X = centres[y] + 0.8 * rng.normal(size=(len(y), d))
    new = centres.mean(axis=0) + 2.0 * rng.normal(size=(6, d))
    return Problem(X, y, np.array([X[y == c][0] for c in range(n_classes)]), new)


# Few steps: rounding grows with every one.
DESCENT = [
    partial(GLVQ, solver="lbfgs", max_epochs=4),
    partial(RSLVQ, solver="lbfgs", max_epochs=4),
    partial(GMLVQ, solver="lbfgs", max_epochs=3),
    partial(LGMLVQ, solver="lbfgs", max_epochs=3),
    partial(MatrixRSLVQ, solver="lbfgs", max_epochs=3),
]


def assert_decides_alike(model, other, new, other_new, unit=1.0):
    D = model.transform(new)
    assert_near(other.transform(other_new) / unit**2, D, 1e-5)
    clear = np.abs(np.diff(np.sort(D, axis=1)[:, :2])[:, 0]) > 1e-4 * np.abs(D).max()
    np.testing.assert_array_equal(other.predict(other_new)[clear], model.predict(new)[clear])


@pytest.mark.parametrize("make", DESCENT, ids=lambda make: make.func.__name__)
@given(problem=problems(), seed=seeds)
def test_the_order_of_samples_does_not_matter(make, problem, seed):
    order = np.random.default_rng(seed).permutation(len(problem.y))
    model = make(init=problem.start).fit(problem.X, problem.y)
    other = make(init=problem.start).fit(problem.X[order], problem.y[order])
    assert_decides_alike(model, other, problem.new, problem.new)


@pytest.mark.parametrize("make", DESCENT[:2], ids=lambda make: make.func.__name__)
@given(problem=problems(), seed=seeds)
def test_turning_all_data_turns_the_prototypes(make, problem, seed):
    d = problem.X.shape[1]
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
    model = make(init=problem.start).fit(problem.X, problem.y)
    turned = make(init=problem.start @ Q).fit(problem.X @ Q, problem.y)
    assert_near(turned.prototypes_, model.prototypes_ @ Q, 1e-5)
    assert_decides_alike(model, turned, problem.new, problem.new @ Q)


@pytest.mark.parametrize("make", DESCENT[:2], ids=lambda make: make.func.__name__)
@pytest.mark.parametrize("space", ["l2", "l1", "l3"])
@given(problem=problems(), unit=units)
def test_the_unit_of_the_data_does_not_matter(make, space, problem, unit):
    model = make(space=space, init=problem.start).fit(problem.X, problem.y)
    scaled = make(space=space, init=unit * problem.start).fit(unit * problem.X, problem.y)
    assert_near(scaled.prototypes_ / unit, model.prototypes_, 1e-5)
    assert_decides_alike(model, scaled, problem.new, unit * problem.new, unit)


@pytest.mark.parametrize("cls", [GLVQ, RSLVQ, LVQ1])
@given(problem=problems())
def test_learning_in_lp_of_two_is_euclidean_learning(cls, problem):
    options = {"solver": "sgd", "gradient": "riesz", "learning_rate": 0.01, "max_epochs": 2}
    models = [
        cls(space=space, init=problem.start, shuffle=False, **options).fit(problem.X, problem.y)
        for space in ("l2", Euclidean(), Lp(2))
    ]
    for other in models[1:]:
        assert_near(other.prototypes_, models[0].prototypes_)


@pytest.mark.parametrize(
    ("cost", "vectors"), [("glvq", GLVQ), ("rslvq", RSLVQ), ("lvq1", LVQ1)], ids=str
)
@given(problem=problems())
def test_relational_learning_is_learning_of_vectors(cost, vectors, problem):
    """γ ← γ + a(e_i − γ) moves Σγ_l x_l as w ← w + a(x_i − w) moves w."""
    G = np.zeros((len(problem.start), len(problem.y)))
    for c in range(len(G)):
        G[c, np.flatnonzero(problem.y == c)[:3]] = 1 / 3
    options = {"learning_rate": 0.01, "shuffle": False, "max_epochs": 2, "gradient": "riesz"}
    if cost == "rslvq":
        options["sigma2"] = 2.0
    relational = ProximityLVQ(
        cost=cost,
        proximity="dissimilarity",
        metric="sqeuclidean",
        constraint="affine",
        init=G,
        **options,
    ).fit(problem.X, problem.y)
    plain = vectors(init=G @ problem.X, solver="sgd", **options).fit(problem.X, problem.y)
    assert_near(relational.coefficients_ @ problem.X, plain.prototypes_, 1e-8)
    assert_near(relational.transform(problem.new), plain.transform(problem.new), 1e-7)


@given(problem=problems())
def test_batch_quantisers_of_distances_are_those_of_vectors(problem):
    pairs = [
        (NeuralGas(n_prototypes=3), ProximityNeuralGas(n_prototypes=3)),
        (SelfOrganizingMap(shape=(1, 3)), ProximitySOM(shape=(1, 3))),
    ]
    for vectors, relational in pairs:
        vectors.set_params(init=problem.X[:3], max_epochs=4).fit(problem.X)
        relational.set_params(
            proximity="dissimilarity",
            metric="sqeuclidean",
            init=np.eye(3, len(problem.X)),
            max_epochs=4,
        ).fit(problem.X)
        assert_near(relational.coefficients_ @ problem.X, vectors.prototypes_, 1e-7)
        np.testing.assert_array_equal(relational.labels_, vectors.labels_)


@pytest.mark.parametrize("cls", [RelationalGLVQ, RelationalRSLVQ])
@given(problem=problems(), k=st.integers(1, 4))
def test_compact_and_sparse_models_are_over_the_same_objects(cls, problem, k):
    full = cls(random_state=0, max_epochs=2).fit(problem.X, problem.y)
    small = sparsify(full, method="hull", k=k)
    packed = compact(small)
    assert packed.coefficients_.shape[1] == len(small.support_)
    assert n_exemplars(packed) == n_exemplars(small) <= k
    assert_near(packed.transform(problem.new), small.transform(problem.new), 1e-9)
    np.testing.assert_array_equal(packed.predict(problem.new), small.predict(problem.new))
    W = small.coefficients_ @ problem.X
    assert_near(small.transform(problem.new), cdist(problem.new, W, "sqeuclidean"), 1e-8)


# --- components -----------------------------------------------------------------------------


@pytest.mark.parametrize("objective", ["l1", "l2", "l1.5"])
@given(seed=seeds, unit=units)
def test_components_turn_with_the_data_and_have_no_unit(objective, seed, unit):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 3)) * [4.0, 2.0, 1.0]
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    model = GeneralizedPCA(n_components=2, objective=objective).fit(X)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-9)
    moved = GeneralizedPCA(n_components=2, objective=objective).fit(unit * (X @ Q + 5.0))
    # Signs are fixed by the entry of largest modulus, which turning changes.
    overlap = np.abs(moved.components_ @ Q.T @ model.components_.T)
    np.testing.assert_allclose(overlap, np.eye(2), atol=1e-5)
    assert moved.score(unit * (X @ Q + 5.0)) / unit == pytest.approx(model.score(X), rel=1e-6)


@given(seed=seeds)
def test_linear_kernel_components_are_those_of_the_data(seed):
    X = np.random.default_rng(seed).normal(size=(20, 3)) * [3.0, 2.0, 1.0]
    plain = GeneralizedPCA(n_components=2, objective="l2").fit(X)
    kernel = GeneralizedKernelPCA(n_components=2, objective="l2", kernel="linear").fit(X)
    hebbian = HebbianPCA(n_components=2).fit(X)
    expected = np.abs(plain.transform(X))
    assert_near(np.abs(kernel.transform(X)), expected, 1e-7)
    assert_near(np.abs(hebbian.transform(X)), expected, 1e-7)
    by_svd = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[:2] ** 2 / len(X)
    np.testing.assert_allclose(hebbian.explained_variance_, by_svd, rtol=1e-9)


# --- distributions --------------------------------------------------------------------------


@st.composite
def samples(draw):
    d = draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(seeds))
    X, Y = (
        rng.normal(size=(draw(st.integers(1, 8)), d)),
        rng.normal(size=(draw(st.integers(1, 8)), d)),
    )
    return X, Y + draw(st.floats(-3, 3)), draw(st.floats(0.2, 4))


def naive_potential(X, Y, width):
    """Mean of G_{σ√2}(x − y) over all pairs."""
    variance, d = 2 * width**2, X.shape[1]
    G = np.exp(-cdist(X, Y, "sqeuclidean") / (2 * variance)) / (2 * np.pi * variance) ** (d / 2)
    return G.mean()


@given(samples())
def test_potentials_are_products_of_densities(drawn):
    X, Y, width = drawn
    Vx, Vy, Vxy = (naive_potential(*pair, width) for pair in ((X, X), (Y, Y), (X, Y)))
    assert information_potential(X, width) == pytest.approx(Vx, rel=1e-9)
    assert cross_information_potential(X, Y, width) == pytest.approx(Vxy, rel=1e-9)
    assert renyi_entropy(X, width) == pytest.approx(-np.log(Vx), abs=1e-8)
    assert Vxy**2 <= Vx * Vy * (1 + 1e-12)
    tiny = 1e-9 * (Vx + Vy)
    assert euclidean_divergence(X, Y, width) == pytest.approx(Vx + Vy - 2 * Vxy, abs=tiny)
    cosine = Vxy / np.sqrt(Vx * Vy)
    assert cauchy_schwarz_divergence(X, Y, width) == pytest.approx(-np.log(cosine), abs=1e-7)
    assert np.cos(angle(X, Y, width)) == pytest.approx(cosine, abs=1e-7)


@given(samples(), seeds)
def test_divergences_do_not_see_order_and_place(drawn, seed):
    X, Y, width = drawn
    rng = np.random.default_rng(seed)
    shift = rng.normal(size=X.shape[1])
    for divergence in (euclidean_divergence, cauchy_schwarz_divergence):
        value = divergence(X, Y, width)
        assert divergence(Y, X, width) == pytest.approx(value, rel=1e-7, abs=1e-9)
        moved = divergence(rng.permutation(X) + shift, Y + shift, width)
        assert moved == pytest.approx(value, rel=1e-6, abs=1e-8)
        assert divergence(X, X, width) == pytest.approx(0.0, abs=1e-9)
        assert value >= 0


def test_function_kernels_are_among_those_drawn():
    """Claims of nothing are tested, too."""
    assert any(isinstance(kernel, FunctionKernel) for kernel in example_kernels())
