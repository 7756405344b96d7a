"""Sparse prototypes: what each approximation promises, and what it refuses."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_iris, make_blobs

import noneuclid
from noneuclid.kernels import as_kernel
from noneuclid.numerics import first_argmax, squared_euclidean
from noneuclid.numerics.meb import enclosing_ball
from noneuclid.prototypes import (
    GLVQ,
    KernelGLVQ,
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
    assignment_entropy,
    compact,
    description_length,
    exemplars,
    fit_sparse,
    n_exemplars,
    sparsify,
    sparsity_front,
)
from noneuclid.prototypes.sparse.approximations import core_set_ball, matching_pursuit
from noneuclid.prototypes.sparse.training import _shares

X, Y = make_blobs(80, centers=[[0, 0], [6, 0], [3, 5]], random_state=0)
DEGREES = [
    {"method": "nearest", "k": 2},
    {"method": "hull", "k": 3},
    {"method": "omp", "epsilon": 0.2},
    {"method": "omp", "k": 3},
    {"method": "meb", "epsilon": 0.1},
    {"method": "meb", "k": 3},
]


@pytest.fixture(scope="module")
def model():
    return KernelRSLVQ(n_prototypes=2, random_state=0).fit(X, Y)


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize(
    "learner",
    [
        KernelRSLVQ(n_prototypes=2, random_state=0),
        KernelGLVQ(n_prototypes=2, random_state=0, n_landmarks=20),
        RelationalGLVQ(n_prototypes=2, random_state=0),
        RelationalRSLVQ(sigma2=[1.0, 2.0, 3.0], prior=[0.2, 0.3, 0.5], random_state=0),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_every_method_gives_a_usable_classifier(learner, degree):
    full = learner.fit(X, Y)
    before = full.coefficients_.copy()
    small = sparsify(full, **degree)
    np.testing.assert_array_equal(full.coefficients_, before)
    assert n_exemplars(small) < n_exemplars(full)
    assert small.score(X, Y) > 0.9
    assert small.transform(X).shape == (80, len(small.prototype_labels_))
    if full.cost_.is_soft:
        np.testing.assert_allclose(small.predict_proba(X).sum(axis=1), 1.0)
    if degree["method"] != "omp":
        assert (small.coefficients_ >= 0).all()
        np.testing.assert_allclose(small.coefficients_.sum(axis=1), 1.0)
    if "k" in degree:
        assert (np.count_nonzero(small.coefficients_, axis=1) <= degree["k"]).all()


def test_distances_of_the_sparse_model_are_those_of_its_vectors():
    full = RelationalGLVQ(n_prototypes=2, random_state=0).fit(X, Y)
    for degree in DEGREES:
        small = sparsify(full, **degree)
        W = small.coefficients_ @ X
        np.testing.assert_allclose(small.transform(X), squared_euclidean(X, W), atol=1e-8)


def test_nearest_takes_objects_of_the_own_class(model):
    small = sparsify(model, method="nearest", k=1)
    for label, gamma in zip(small.prototype_labels_, small.coefficients_):
        assert Y[gamma.argmax()] == label
    distances = model.transform(X)
    for j, gamma in enumerate(small.coefficients_):
        own = np.flatnonzero(model.prototype_labels_[j] == Y)
        assert gamma.argmax() == own[distances[own, j].argmin()]


def test_matching_pursuit_falls_and_meets_epsilon(model):
    gram = model.relation_
    for epsilon in (0.3, 0.1, 0.01, 0.0):
        for gamma in model.coefficients_:
            sparse, residuals = matching_pursuit(gram, gamma, epsilon, None, affine=False)
            assert (np.diff(residuals) <= 1e-9).all()
            difference = gamma - sparse
            assert (
                difference @ gram.block(slice(None), slice(None)) @ difference <= epsilon**2 + 1e-9
            )
            assert np.count_nonzero(sparse) <= np.count_nonzero(gamma)


def exact_radius(K):
    """The dual as a quadratic programme, by a general solver."""
    n = len(K)
    found = minimize(
        lambda a: a @ K @ a - a @ np.diag(K),
        np.full(n, 1 / n),
        jac=lambda a: 2 * K @ a - np.diag(K),
        bounds=[(0, 1)] * n,
        constraints={"type": "eq", "fun": lambda a: a.sum() - 1, "jac": lambda a: np.ones(n)},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return np.sqrt(-found.fun)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("epsilon", [0.5, 0.1, 0.01, 0.0])
def test_enclosing_balls_are_as_small_as_promised(seed, epsilon):
    Z = np.random.default_rng(seed).normal(size=(40, 4))
    full = ProximityLVQ(cost="rslvq", random_state=0).fit(Z @ Z.T, np.repeat([0, 1], 20))
    gram, members = full.relation_, np.arange(40)
    exact = exact_radius(Z @ Z.T)
    alpha, radius = core_set_ball(gram, members, epsilon)
    reach = np.sqrt(((Z - alpha @ Z) ** 2).sum(axis=1)).max()
    assert radius <= exact * (1 + 1e-6)
    assert exact * (1 - 1e-6) <= reach <= (1 + epsilon) * exact * (1 + 1e-5)
    assert alpha.sum() == pytest.approx(1.0)
    weights, radius2 = enclosing_ball(Z @ Z.T, 1e-10, 100_000)
    assert np.sqrt(radius2) == pytest.approx(exact, rel=1e-5)
    assert (weights >= 0).all()


@pytest.mark.parametrize("method", ["omp", "meb"])
def test_indefinite_matrices_are_refused_and_the_correction_named(method):
    Z = np.random.default_rng(0).normal(size=(40, 4)) + 3 * np.eye(4)[np.repeat([0, 1], 20)]
    S = Z * np.array([1, 1, 1, -1.0]) @ Z.T
    y = np.repeat([0, 1], 20)
    for params in ({}, {"n_landmarks": 10}):
        full = KernelRSLVQ(kernel="precomputed", random_state=0, **params).fit(S, y)
        with pytest.raises(ValueError, match=r'indefinite: .*correction="clip" or "flip"'):
            sparsify(full, method=method, epsilon=0.1)
        found = sparsity_front(full, S, y, ks=(1,), training=S, max_fits=2)
        assert set(found.skipped) == {"omp", "meb"}
        corrected = full.set_params(correction="clip").fit(S, y)
        assert sparsify(corrected, method=method, epsilon=0.1).score(S, y) > 0.8


def test_prototypes_that_win_nothing_become_the_nearest_object():
    init = np.zeros((4, 80))
    for j, label in enumerate([0, 2, 1, 2]):  # the second is of class 0, but in the midst of 2
        # Not at the object of the last one: there the denominator of GLVQ would be rounding.
        init[j, np.flatnonzero(label == Y)[int(j == 1)]] = 1.0
    full = KernelGLVQ(n_prototypes={0: 2, 1: 1, 2: 1}, init=init, learning_rate=1e-9, max_epochs=1)
    winners = full.fit(X, Y).transform(X).argmin(axis=1)
    small = sparsify(full, method="meb", epsilon=0.1)
    K = as_kernel("rbf").resolve(X)(X)
    for j, label in enumerate([0, 0, 1, 2]):
        field = np.flatnonzero((winners == j) & (label == Y))
        gamma = small.coefficients_[j]
        if j == 1:  # it wins nothing, and becomes the object of its class next to it
            own = np.flatnonzero(Y == 0)
            nearest = own[(K[own] @ full.coefficients_[1]).argmax()]
            assert len(field) == 0
            np.testing.assert_array_equal(gamma, np.eye(80)[nearest])
            continue
        reach = (np.diag(K) - 2 * K @ gamma + gamma @ K @ gamma)[field].max()
        assert set(np.flatnonzero(gamma)) <= set(field)
        assert np.sqrt(reach) <= 1.1 * exact_radius(K[np.ix_(field, field)]) * (1 + 1e-5)


def test_duplicates_do_no_harm():
    twice, y = np.vstack([X, X]), np.r_[Y, Y]
    full = KernelRSLVQ(n_prototypes=2, random_state=0).fit(twice, y)
    K = as_kernel("rbf").resolve(twice)(twice)
    for degree in DEGREES:
        small = sparsify(full, **degree)
        G = small.coefficients_
        D = np.diag(K)[:, None] - 2 * K @ G.T + np.einsum("ji,ik,jk->j", G, K, G)
        np.testing.assert_allclose(small.transform(twice), D, atol=1e-9)
        np.testing.assert_array_equal(small.predict(twice)[:80], small.predict(twice)[80:])
        assert small.score(X, Y) >= full.score(X, Y) - 0.05


def test_more_than_there_is_means_all(model):
    same = sparsify(model, method="hull", k=1000)
    np.testing.assert_array_equal(same.coefficients_, model.coefficients_)
    assert len(sparsify(model, method="nearest", k=1000).coefficients_) == 2 * 80
    for method in ("omp", "meb"):
        assert sparsify(model, method=method, k=1000).score(X, Y) > 0.9
        assert sparsify(model, method=method, epsilon=0).score(X, Y) > 0.9


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"method": "best", "k": 1}, r"method \(='best'\) must be one of"),
        ({"method": "hull"}, "needs k"),
        ({"method": "hull", "epsilon": 0.1}, "needs k"),
        ({"method": "omp"}, "needs epsilon"),
        ({"method": "nearest", "k": 0}, r"k \(=0\) must be an integer, at least 1"),
        ({"method": "meb", "epsilon": -1}, r"epsilon \(=-1\) must be a number, at least 0"),
        ({"method": "hull", "k": 2, "P": np.eye(3)}, r"shape \(3, 3\), but the model was trained"),
    ],
)
def test_bad_arguments(model, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        sparsify(model, **params)


def test_saved_models_ask_for_their_matrix(tmp_path):
    D = squared_euclidean(X, X)
    full = RelationalGLVQ(metric="precomputed", random_state=0).fit(D, Y)
    noneuclid.save(full, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    with pytest.raises(ValueError, match="pass them as P"):
        sparsify(back, method="nearest", k=1)
    expected = sparsify(full, method="omp", epsilon=0.1).coefficients_
    again = sparsify(back, D, method="omp", epsilon=0.1)
    np.testing.assert_allclose(again.coefficients_, expected, atol=1e-12)


def test_exemplars_have_names_and_order(model):
    names = [f"object {i}" for i in range(80)]
    found = exemplars(model, 3, names=names)
    assert [f.label for f in found] == model.prototype_labels_.tolist()
    for f, gamma in zip(found, model.coefficients_):
        assert f.objects[0] == names[first_argmax(gamma)]
        assert len(f.objects) == 3
        assert (np.diff(f.coefficients) <= 1e-9).all()
    assert len(exemplars(sparsify(model, method="hull", k=2), 5)[0].objects) == 2
    with pytest.raises(ValueError, match="2 names for 80"):
        exemplars(model, 1, names=["a", "b"])
    with pytest.raises(ValueError, match=r"k \(=0\)"):
        exemplars(model, 0)


def test_measures(model):
    assert n_exemplars(model) == pytest.approx(np.count_nonzero(model.coefficients_) / 6)
    one = sparsify(model, method="nearest", k=1)
    assert n_exemplars(one) == pytest.approx(len(one.support_) / 6)
    assert description_length(one, X, Y) < description_length(model, X, Y)
    wrong = (Y + 1) % 3
    assert description_length(one, X, wrong) > description_length(one, X, Y)
    vague, sharp = (
        KernelRSLVQ(sigma2=sigma2, random_state=0).fit(X, Y) for sigma2 in (100.0, 0.01)
    )
    assert assignment_entropy(vague, X) > 0.99
    assert assignment_entropy(sharp, X) < 0.1
    assert 0 < assignment_entropy(KernelGLVQ(random_state=0).fit(X, Y), X) < 1


def test_the_front_is_not_dominated(model):
    found = sparsity_front(model, X, Y, ks=(1, 2, 5), epsilons=(0.2, 0.05), max_fits=5)
    assert not found.skipped
    degrees = [(p.method, p.k, p.epsilon is not None) for p in found.points]
    expected = [("full", None, False)]
    for method in ("nearest", "hull", "omp", "meb", "training"):
        expected += [(method, k, False) for k in (1, 2, 5)]
        expected += [(method, None, True)] * 2 if method in ("omp", "meb") else []
    assert degrees == expected
    front = found.front
    for point in found.points:
        assert any(
            p.n_exemplars <= point.n_exemplars and p.accuracy >= point.accuracy for p in front
        )
        assert point.n_exemplars == n_exemplars(point.model)
        assert point.accuracy == point.model.score(X, Y)
        if point.k is not None:
            assert point.n_exemplars <= point.k
    assert (np.diff([p.accuracy for p in front]) > 0).all()
    assert (np.diff([p.n_exemplars for p in front]) > 0).all()
    assert front[0].model.predict(X).shape == (80,)


def test_a_finer_accuracy_takes_more_objects(model):
    found = sparsity_front(model, X, Y, ks=(), epsilons=(0.5, 0.1, 0.01), methods=("omp", "meb"))
    for method in ("omp", "meb"):
        counts = [p.n_exemplars for p in found.points if p.method == method]
        assert len(counts) == 3
        assert (np.diff(counts) >= 0).all()
        assert counts[0] < counts[-1]


def test_the_front_says_what_does_not_apply(tmp_path):
    D = squared_euclidean(X, X)
    full = RelationalGLVQ(metric="precomputed", random_state=0).fit(D, Y)
    noneuclid.save(full, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    expected = sparsity_front(full, D, Y, ks=(2,), epsilons=(), max_fits=3)
    again = sparsity_front(back, D, Y, ks=(2,), epsilons=(), max_fits=3, training=D)
    assert [p[:4] for p in again.points] == [p[:4] for p in expected.points]
    affine = ProximityLVQ(metric="rbf", constraint="affine", random_state=0).fit(X, Y)
    found = sparsity_front(affine, X, Y, ks=(2,), epsilons=())
    assert 'needs constraint="convex"' in found.skipped["training"]
    landmarks = KernelRSLVQ(n_landmarks=20, random_state=0).fit(X, Y)
    noneuclid.save(landmarks, tmp_path / "landmarks.skops")
    landmarks = noneuclid.load(tmp_path / "landmarks.skops")
    found = sparsity_front(landmarks, X, Y, ks=(2,), epsilons=(), methods=("training",))
    assert "pass it as training" in found.skipped["training"]
    found = sparsity_front(landmarks, X, Y, ks=(2,), epsilons=(), training=X, max_fits=3)
    assert not found.skipped
    with pytest.raises(ValueError, match=r"methods \(=\['best'\]\) must be among"):
        sparsity_front(full, D, Y, methods=("best",))


# --- sparse training ------------------------------------------------------------------------


def test_sparse_steps_are_the_published_ones():
    S = X @ X.T + 1.0
    init = np.zeros((3, 80))
    for c in range(3):
        init[c, c == Y] = 1 / (c == Y).sum()
    rate, const, sigma2 = 0.05, 0.01, 5.0
    G = init.copy()
    for i in range(80):
        d = S[i, i] - 2 * G @ S[i] + np.einsum("jk,kl,jl->j", G, S, G)
        p = np.exp(-(d - d.min()) / sigma2)
        phi = (Y[i] == np.arange(3)) - p / p.sum()
        new = G - rate * phi[:, None] * (G - np.eye(80)[i])
        new = np.where(new > 0, np.maximum(new - rate * const, 0), 0)
        G = new / new.sum(axis=1, keepdims=True)
    model = ProximityLVQ(
        cost="rslvq",
        sigma2=sigma2,
        init=init,
        shuffle=False,
        learning_rate=rate,
        batch_size=1,
        max_epochs=1,
        sparsity_penalty=const,
    ).fit(S, Y)
    np.testing.assert_allclose(model.coefficients_, G, atol=1e-12)


@pytest.mark.parametrize("cls", [KernelRSLVQ, KernelGLVQ, RelationalGLVQ, RelationalRSLVQ])
def test_a_larger_penalty_leaves_fewer_objects(cls):
    counts = [
        n_exemplars(cls(sparsity_penalty=penalty, random_state=0).fit(X, Y))
        for penalty in (0.0, 1e6)
    ]
    assert counts[1] == 1.0 < counts[0]


@pytest.mark.parametrize("wanted", [1, 3, 10, 12.75, 30])
@pytest.mark.parametrize("cls", [KernelRSLVQ, RelationalGLVQ])
def test_sparse_training_meets_the_wanted_number(cls, wanted):
    iris, y = load_iris(return_X_y=True)
    model = fit_sparse(cls(random_state=0), iris, y, n_exemplars=wanted, max_fits=10)
    assert 0.9 * wanted <= n_exemplars(model) <= wanted
    np.testing.assert_allclose(model.coefficients_.sum(axis=1), 1.0)
    assert (model.coefficients_ >= 0).all()
    if wanted >= 10:
        assert model.score(iris, y) > 0.85
    assert 0 <= model.cut_mass_ < 1


def test_sparse_training_tells_what_was_cut():
    iris, y = load_iris(return_X_y=True)
    met = fit_sparse(KernelRSLVQ(random_state=0), iris, y, n_exemplars=30)
    assert met.cut_mass_ == 0
    assert met.sparsity_penalty > 0
    again = KernelRSLVQ(random_state=0, sparsity_penalty=met.sparsity_penalty).fit(iris, y)
    np.testing.assert_array_equal(met.coefficients_, again.coefficients_)
    jump = fit_sparse(KernelRSLVQ(random_state=0), iris, y, n_exemplars=10)  # 20 or 3, not 10
    assert jump.cut_mass_ > 0
    free = fit_sparse(KernelRSLVQ(random_state=0), iris, y, n_exemplars=1000)
    assert free.sparsity_penalty == 0
    np.testing.assert_array_equal(
        free.coefficients_, KernelRSLVQ(random_state=0).fit(iris, y).coefficients_
    )


@pytest.mark.parametrize("params", [{"n_landmarks": 20}, {"correction": "clip"}])
def test_sparse_training_in_features_and_after_a_correction(params):
    S = X * [1.0, 0.5] @ X.T + 1.0
    model = KernelRSLVQ(kernel="precomputed", random_state=0, **params)
    sparse = fit_sparse(model, S, Y, n_exemplars=5, max_fits=6)
    assert 4.5 <= n_exemplars(sparse) <= 5
    assert sparse.score(S, Y) > 0.8


@pytest.mark.parametrize("wanted", [1, 1.5, 2.34, 4, 5, 5.6, 9, 100])
def test_what_is_left_over_is_shared(wanted):
    falling = np.sort(np.random.default_rng(0).random((6, 10)), axis=1)[:, ::-1]
    falling[0, 2:] = 0
    falling[1, 5:] = 0
    numbers = _shares(falling, wanted)
    have = np.count_nonzero(falling, axis=1)
    assert (numbers >= 1).all()
    assert (numbers <= have).all()
    assert numbers.sum() == min(int(6 * wanted + 1e-9), have.sum())
    rest = numbers[have > numbers.max() - 1]
    assert np.ptp(rest) <= 1


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_exemplars": 0}, r"n_exemplars \(=0\) must be a number, at least 1"),
        ({"n_exemplars": 5, "max_fits": 0}, r"max_fits \(=0\) must be an integer, at least 1"),
    ],
)
def test_numbers_that_make_no_sense(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit_sparse(KernelRSLVQ(), X, Y, **params)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"sparsity_penalty": -1.0}, r"sparsity_penalty \(=-1.0\)"),
        ({"sparsity_penalty": 1.0, "constraint": "affine"}, 'needs constraint="convex"'),
        (
            {"sparsity_penalty": 1.0, "solver": "lbfgs", "gradient": "coordinates"},
            'use solver="sgd"',
        ),
    ],
)
def test_penalties_that_make_no_sense(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        KernelGLVQ(**params).fit(X, Y)


@pytest.mark.parametrize(
    "tool",
    [
        compact,
        exemplars,
        n_exemplars,
        lambda model: sparsify(model, k=1),
        lambda model: description_length(model, [[0.0]], [0]),
    ],
    ids=["compact", "exemplars", "n_exemplars", "sparsify", "description_length"],
)
def test_models_of_vectors_are_told_which_models_are_taken(tool, request):
    model = GLVQ().fit([[0.0], [1.0]], [0, 1])
    name = request.node.callspec.id
    with pytest.raises(TypeError, match=rf"^{name} takes models .*ProximityLVQ.* and GLVQ is none"):
        tool(model)


def test_description_length_takes_the_labels_that_the_model_knows():
    model = RelationalGLVQ(random_state=0).fit(X, Y)
    assert np.isfinite(description_length(model, X, Y))
    with pytest.raises(ValueError, match="80 objects but 79 labels"):
        description_length(model, X, Y[1:])
    with pytest.raises(ValueError, match=r"y has the class '[012]', which is not among"):
        description_length(model, X, Y.astype(str))
    with pytest.raises(ValueError, match="1d array"):
        description_length(model, X, 1)
