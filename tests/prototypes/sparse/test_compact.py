"""Models over few objects predict what the whole ones do, as far as they say."""

import numpy as np
import pytest

from noneuclid import load, save
from noneuclid.prototypes import (
    KernelRSLVQ,
    ProximityLVQ,
    ProximityNeuralGas,
    ProximitySOM,
    RelationalGLVQ,
    compact,
    n_exemplars,
    sparsify,
)
from noneuclid.proximities import Relation, to_dissimilarity

METHODS = ["clip", "flip", "square", "shift"]
KINDS = ["similarity", "dissimilarity"]
Y = np.repeat([0, 1], 45)
NOISE = np.random.default_rng(3).normal(size=(90, 90))


def indefinite(rank=6, noise=0.0):
    """Similarities of two groups with two negative directions, of a rank below their number."""
    Z = np.random.default_rng(0).normal(size=(90, rank)) + 2 * np.eye(rank)[Y]
    signs = np.r_[np.ones(rank - 2), -np.ones(2)]
    return (Z * signs) @ Z.T + noise * (NOISE + NOISE.T)


def proximities(kind, **params):
    S = indefinite(**params)
    return S if kind == "similarity" else to_dissimilarity(S)


TRAIN, NEW = np.arange(90)[::2], np.arange(90)[1::2]


def fitted(kind, correction, P, **params):
    model = ProximityLVQ(proximity=kind, correction=correction, random_state=0, **params)
    return sparsify(model.fit(P[np.ix_(TRAIN, TRAIN)], Y[TRAIN]), method="hull", k=2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("correction", METHODS)
def test_objects_that_span_all_others_tell_everything(kind, correction):
    P = proximities(kind)
    model = fitted(kind, correction, P, cost="rslvq")
    small = compact(model, tolerance=0)
    rows = P[np.ix_(NEW, TRAIN)]
    few = rows[:, small.compact_objects_]
    assert few.shape[1] <= (4 if correction == "shift" else 8) < len(TRAIN)
    assert set(model.support_) <= set(small.compact_objects_)
    np.testing.assert_allclose(small.predict_proba(few), model.predict_proba(rows), atol=1e-5)
    np.testing.assert_array_equal(small.predict(few), model.predict(rows))
    scale = np.abs(P).max() ** (2 if correction == "square" else 1)
    assert small.compact_bound_ <= 1e-5 * scale
    assert small.compact_error_ <= 1e-5 * scale
    with pytest.raises(ValueError, match=f"45 features, .* expecting {few.shape[1]}"):
        small.predict(rows)


@pytest.mark.parametrize("correction", METHODS)
def test_distances_too_are_told_by_objects_that_span_all(correction):
    P = proximities("dissimilarity")
    model = fitted("dissimilarity", correction, P)
    small = compact(model, tolerance=0)
    if correction in ("clip", "flip", "square"):
        # The middle of the training objects takes one object more than the prototypes.
        more = np.union1d(small.compact_objects_, np.arange(12))
        small = model.restricted(more)
    rows = P[np.ix_(NEW, TRAIN)]
    exact, told = model.transform(rows), small.transform(rows[:, small.compact_objects_])
    np.testing.assert_allclose(told, exact, atol=1e-6 * np.abs(exact).max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("correction", ["clip", "flip", "square"])
def test_errors_stay_below_the_bound_where_nothing_is_exact(kind, correction):
    P = proximities(kind, noise=0.3)
    model = fitted(kind, correction, P)
    exact = model.relation_.spectrum_correction_.spectrum
    assert (np.abs(exact.values) > 1e-4).sum() >= 44  # no eigenvalue is zero
    found = [compact(model, tolerance=t) for t in (0.5, 0.2, 0.05)]
    counts = [len(small.compact_objects_) for small in found]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    for small in found:
        # Training rows are consistent with themselves, so that the theorem holds for them.
        rows = P[np.ix_(TRAIN, TRAIN)]
        few = rows[:, small.compact_objects_]
        others = np.setdiff1d(np.arange(45), small.compact_objects_)
        D = model._relative_distances(rows)[others]
        wrong = small._relative_distances(few)[others] - D
        between = wrong[:, :1] - wrong  # what all have in common decides nothing
        assert np.abs(between).max() <= 2 * small.compact_bound_ * (1 + 1e-6)
        assert 0 <= small.compact_error_ <= small.compact_bound_ * (1 + 1e-6) + 1e-9
        # So a decision by more than both errors stays.
        first, second = np.sort(D, axis=1)[:, :2].T
        clear = others[second - first > 2 * small.compact_error_]
        assert len(clear) > 0
        np.testing.assert_array_equal(small.predict(few)[clear], model.predict(rows)[clear])
    assert (small.predict(few) == model.predict(rows)).mean() > 0.9  # of the smallest tolerance


def test_the_bound_is_what_least_squares_leave():
    """|t − P t| in the flipped geometry, by another way: vectors and numpy's least squares."""
    P = proximities("similarity", noise=0.3)
    model = fitted("similarity", "clip", P)
    small = compact(model, n_objects=12, tolerance=0)
    assert len(small.compact_objects_) == 12
    values, Q = np.linalg.eigh(P[np.ix_(TRAIN, TRAIN)])
    vectors = Q * np.sqrt(np.abs(values))
    targets = model.coefficients_ @ (vectors * (values > 0))
    few = vectors[small.compact_objects_]
    rest = targets - np.linalg.lstsq(few.T, targets.T, rcond=None)[0].T @ few
    lengths = np.linalg.norm(vectors, axis=1)
    bound = 2 * lengths.max() * np.linalg.norm(rest, axis=1).max()
    assert small.compact_bound_ == pytest.approx(bound, rel=1e-6)


def test_only_the_stated_objects_are_compared():
    words = [f"{a}{b}{c}" for a in "abcxyz" for b in "kl" for c in "mnop"]
    y = [word[0] in "abc" for word in words]
    seen = set()

    def different(a, b):
        seen.add(b)
        return float(sum(p != q for p, q in zip(a, b)))

    model = ProximityLVQ(
        proximity="dissimilarity", metric=different, correction="flip", random_state=0
    ).fit(words, y)
    model = sparsify(model, method="nearest", k=1)
    small = compact(model, n_objects=10)
    seen.clear()
    small.predict(["akm", "zlp"])
    assert seen == {words[i] for i in small.compact_objects_}
    assert len(seen) <= 10


def test_a_correction_that_changes_nothing_needs_the_support_only():
    X = np.random.default_rng(0).normal(size=(60, 3)) + 3 * Y[:60, None]
    y = Y[15:75]
    X[:, 0] += 4 * y
    plain = RelationalGLVQ(random_state=0, correction="clip").fit(X, y)
    model = sparsify(plain, method="hull", k=2)
    small = compact(model)
    np.testing.assert_array_equal(small.compact_objects_, model.support_)
    np.testing.assert_allclose(small.transform(X), model.transform(X), atol=1e-8)


@pytest.mark.parametrize("correction", [None, *METHODS])
@pytest.mark.parametrize("kind", KINDS)
def test_compact_models_are_saved_compacted_again_and_pruned(kind, correction, tmp_path):
    P = proximities(kind)
    model = fitted(kind, correction, P, cost="rslvq")
    small = compact(model, n_objects=10)
    rows = P[np.ix_(NEW, TRAIN)][:, small.compact_objects_]
    save(small, tmp_path / "small.noneuclid")
    back = load(tmp_path / "small.noneuclid")
    np.testing.assert_array_equal(back.predict(rows), small.predict(rows))
    assert back.compact_bound_ == small.compact_bound_
    again = compact(small)
    np.testing.assert_array_equal(again.compact_objects_, small.compact_objects_)
    np.testing.assert_array_equal(again.predict(rows), small.predict(rows))
    inner = P[np.ix_(TRAIN, TRAIN)][np.ix_(small.compact_objects_, small.compact_objects_)]
    single = sparsify(back, inner, method="hull", k=1)
    assert np.count_nonzero(single.coefficients_) == len(single.coefficients_)
    assert single.predict(rows).shape == (len(NEW),)
    if correction is not None:
        assert small.relation_.signature_ == model.relation_.signature_


@pytest.mark.parametrize("correction", [None, "clip"])
def test_quantisers_are_compacted_too(correction):
    P = proximities("dissimilarity")
    A, rows = P[np.ix_(TRAIN, TRAIN)], P[np.ix_(NEW, TRAIN)]
    params = {"proximity": "dissimilarity", "correction": correction, "random_state": 0}
    for model in (
        ProximityNeuralGas(n_prototypes=3, **params),
        ProximitySOM(shape=(2, 2), **params),
    ):
        small = compact(model.fit(A), tolerance=0)
        few = rows[:, small.compact_objects_]
        np.testing.assert_array_equal(small.predict(few), model.predict(rows))


def test_what_makes_no_sense_is_refused():
    P = proximities("similarity")
    model = fitted("similarity", "clip", P)
    with pytest.raises(ValueError, match=r"n_objects \(=1\) must be at least \d, the objects"):
        compact(model, n_objects=1)
    with pytest.raises(ValueError, match=r"tolerance \(=-1\)"):
        compact(model, tolerance=-1)
    landmarks = KernelRSLVQ(kernel="precomputed", n_landmarks=9, random_state=0)
    with pytest.raises(ValueError, match=r"needs no compacting: .* its 9 landmarks"):
        compact(landmarks.fit(P, Y))


def test_restricted_relations_give_the_corrected_blocks_as_they_were():
    P = proximities("dissimilarity")
    for correction in METHODS:
        relation = Relation(proximity="dissimilarity", correction=correction).fit(P)
        few = np.array([3, 50, 20, 7])
        small = relation.restrict(few)
        part = relation.matrix[np.ix_(few, few)]
        np.testing.assert_allclose(small.matrix, part)
        np.testing.assert_allclose(small.recall(P[np.ix_(few, few)]).matrix, part, atol=1e-9)
        again = small.restrict(np.array([2, 0]))
        straight = relation.restrict(few[[2, 0]])
        rows = P[:5][:, few]
        np.testing.assert_allclose(again.to(rows[:, [2, 0]])[0], straight.to(rows[:, [2, 0]])[0])
        assert relation.restrict([4]).to(P[:5, [4]])[0].shape == (5, 1)


def test_a_model_that_is_fitted_anew_forgets_what_it_was_made_of():
    X = np.random.default_rng(0).normal(size=(40, 3))
    y, D = (X[:, 0] > 0).astype(int), ((X[:, None] - X) ** 2).sum(axis=2)
    model = RelationalGLVQ(metric="precomputed", n_prototypes=2, random_state=0).fit(D, y)
    small = compact(sparsify(model, method="hull", k=3))
    assert len(small.compact_objects_) < 40
    some = np.arange(30, 40)
    small.set_params(n_prototypes=1).fit(D[np.ix_(some, some)], y[some])
    fresh = RelationalGLVQ(metric="precomputed", random_state=0).fit(D[np.ix_(some, some)], y[some])
    np.testing.assert_array_equal(small.coefficients_, fresh.coefficients_)
    assert not hasattr(small, "compact_objects_")
    assert n_exemplars(small) == n_exemplars(fresh)
    few = [compact(sparsify(m, method="hull", k=1)).compact_objects_ for m in (small, fresh)]
    np.testing.assert_array_equal(*few)
