"""The number of prototypes that learners choose: by validation, reproducibly, and bounded."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils import check_random_state

from noneuclid.prototypes import GLVQ, LGMLVQ, LVQ1, RSLVQ, KernelGLVQ, MedianLVQ, RelationalGLVQ
from noneuclid.prototypes.classifiers.growing import _falls


def clouds(per_class, n=60, seed=0):
    """Two classes of so many clouds each, taking turns on a circle: no line parts them."""
    rng = np.random.default_rng(seed)
    turns = 2 * np.pi * np.arange(2 * per_class) / (2 * per_class)
    centres = 4.0 * np.column_stack([np.cos(turns), np.sin(turns)])
    X = np.vstack([c + 0.5 * rng.normal(size=(n // per_class, 2)) for c in centres])
    return X, np.repeat(np.arange(2 * per_class) % 2, n // per_class)


def distances(X):
    return ((X[:, None] - X) ** 2).sum(axis=2)


@pytest.mark.parametrize("per_class", [1, 2, 3])
def test_as_many_are_found_as_there_are_clouds(per_class):
    X, y = clouds(per_class)
    model = GLVQ(n_prototypes="auto", random_state=0).fit(X, y)
    assert model.n_prototypes_ == per_class
    assert len(model.prototypes_) == 2 * per_class
    assert model.score(X, y) > 0.95
    assert set(model.validation_errors_) == set(range(1, per_class + 3))
    plain = GLVQ(n_prototypes=per_class, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.prototypes_, plain.prototypes_)


@pytest.mark.parametrize(
    "model",
    [
        RelationalGLVQ(metric="precomputed"),
        KernelGLVQ(kernel="linear"),
        MedianLVQ(),
        RelationalGLVQ(metric="sqeuclidean", n_landmarks=30),
    ],
    ids=repr,
)
def test_over_proximities(model):
    X, y = clouds(2)
    P = distances(X) if getattr(model, "metric", None) == "precomputed" else X
    model = clone(model).set_params(n_prototypes="auto", random_state=0).fit(P, y)
    assert model.n_prototypes_ == 2
    assert model.score(P, y) > 0.9


def test_in_the_feature_space_of_a_kernel_one_prototype_may_do():
    X, y = clouds(2)
    assert KernelGLVQ(n_prototypes="auto", random_state=0).fit(X, y).n_prototypes_ == 1


@pytest.mark.parametrize("model", [LVQ1(), RSLVQ(space="l1"), LGMLVQ(max_epochs=5)], ids=repr)
def test_every_learner_of_vectors_takes_it(model):
    X, y = clouds(2)
    model = clone(model).set_params(n_prototypes="auto", random_state=0).fit(X, y)
    assert 1 <= model.n_prototypes_ <= 4
    assert len(model.prototype_labels_) == 2 * model.n_prototypes_


def test_errors_are_those_of_cross_validation():
    X, y = clouds(2, seed=3)
    X = X + np.random.default_rng(1).normal(size=X.shape)
    y = np.array(["b", "a"])[y]
    model = GLVQ(n_prototypes="auto", random_state=5).fit(X, y)
    seed = check_random_state(5).randint(2**31)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    for k, error in model.validation_errors_.items():
        predicted = cross_val_predict(GLVQ(n_prototypes=k, random_state=5), X, y, cv=folds)
        assert error == pytest.approx((predicted != y).mean())
    again = clone(model).fit(X, y)
    assert again.validation_errors_ == model.validation_errors_


def test_weights_count():
    """Weights tell which samples matter: of the second half of the clouds none does."""
    X, y = clouds(2)
    weights = (np.arange(len(y)) < len(y) / 2).astype(float)
    model = GLVQ(n_prototypes="auto", random_state=0).fit(X, y, sample_weight=weights)
    assert model.n_prototypes_ == 1
    assert model.validation_errors_[1] == 0.0


def test_a_fall_must_exceed_its_standard_error():
    delta = np.zeros(100)
    delta[:1] = 1.0
    assert not _falls(delta, None)  # one sample: both are 0.01
    assert not _falls(delta, np.full(100, 0.3))
    delta[:4] = 1.0
    assert _falls(delta, None)
    assert not _falls(-delta, None)
    assert not _falls(np.zeros(100), None)
    assert _falls(delta, np.full(100, 7.0))


def test_classes_of_few_samples_get_few_prototypes():
    X, y = clouds(2)
    few = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:3]]
    model = GLVQ(n_prototypes="auto", random_state=0).fit(X[few], y[few])
    assert max(model.validation_errors_) <= 2
    lonely = few[:-2]
    model.fit(X[lonely], y[lonely])
    assert (model.n_prototypes_, model.validation_errors_) == (1, {})


def test_what_it_does_not_go_with_is_refused(tmp_path):
    X, y = clouds(1)
    with pytest.raises(ValueError, match=r"init has the prototypes of one"):
        GLVQ(n_prototypes="auto", init=X[:2]).fit(X, y)
    with pytest.raises(ValueError, match=r"begin with fit, or give partial_fit a number"):
        GLVQ(n_prototypes="auto").partial_fit(X, y)
    with pytest.raises(ValueError, match=r"choose it on some of them, and give the number"):
        GLVQ(n_prototypes="auto", checkpoint=tmp_path).fit(X, y)
    with pytest.raises(ValueError, match=r"n_prototypes \(='many'\) must be positive integers or"):
        GLVQ(n_prototypes="many").fit(X, y)
    da = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match=r"choose it on some of them, and give the number"):
        GLVQ(n_prototypes="auto").fit(da.from_array(X, chunks=(30, 2)), da.from_array(y, chunks=30))


def test_streams_go_on_after_a_fit():
    X, y = clouds(2)
    model = GLVQ(n_prototypes="auto", random_state=0).fit(X, y)
    assert len(model.partial_fit(X, y).prototypes_) == 4
