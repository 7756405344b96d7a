"""Scores and distances of dask collections are those of the same rows in memory."""

import numpy as np
import pytest

from noneuclid.prototypes import GLVQ, ConformalRegressor, PrototypeRegressor, ProximityNeuralGas
from noneuclid.search import GeometrySearch

da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3))
Y = np.sin(X[:, 0]) + X[:, 1] + 100.0
CHUNKS = [(90,), (40, 0, 50), (7, 3, 80), (1,) * 90]


def in_blocks(values, sizes):
    return da.from_array(values, chunks=(sizes, *((n,) for n in values.shape[1:])))


@pytest.mark.parametrize("sizes", CHUNKS, ids=len)
@pytest.mark.parametrize("targets", [Y, np.column_stack([Y, -3 * X[:, 2]])], ids=["one", "two"])
def test_r2_is_no_mean_of_blocks(sizes, targets):
    model = PrototypeRegressor(n_prototypes=4, random_state=0).fit(X, targets)
    rows, wanted, weights = (in_blocks(v, sizes) for v in (X, targets, np.arange(90.0)))
    found = [model.score(rows, wanted), model.score(rows, wanted, weights)]
    again = [model.score(X, targets), model.score(X, targets, np.arange(90.0))]
    np.testing.assert_allclose([float(score) for score in found], again, rtol=1e-12)
    assert float(model.score(rows, targets)) == pytest.approx(again[0], rel=1e-12)


def test_r2_of_intervals():
    model = ConformalRegressor(PrototypeRegressor(n_prototypes=4, random_state=0)).fit(X, Y)
    found = float(model.score(in_blocks(X, (40, 50)), in_blocks(Y, (40, 50))))
    assert found == pytest.approx(model.score(X, Y), rel=1e-12)


def searched(scoring, y):
    learner = GLVQ(random_state=0) if y.dtype.kind != "f" else PrototypeRegressor(random_state=0)
    search = GeometrySearch(
        estimators=learner, geometries=["l2"], cv=3, scoring=scoring, random_state=0
    )
    return search.fit(X, y)


@pytest.mark.parametrize("scoring", [None, "balanced_accuracy", "f1", "roc_auc"])
def test_searches_score_all_samples_at_once(scoring):
    y = (X[:, 0] + 0.7 * RNG.normal(size=90) > 0.8).astype(int)
    search = searched(scoring, y)
    for sizes in CHUNKS:
        score = search.score(in_blocks(X, sizes), in_blocks(y, sizes))
        if scoring == "roc_auc":
            with pytest.raises(ValueError, match="needs more than predictions"):
                score.compute()
        else:
            assert float(score) == pytest.approx(search.score(X, y), rel=1e-12)


def test_searches_for_numbers_score_all_samples_at_once():
    search = searched(None, Y)
    found = float(search.score(in_blocks(X, (45, 45)), in_blocks(Y, (45, 45))))
    assert found == pytest.approx(search.score(X, Y), rel=1e-12)


@pytest.mark.parametrize("sizes", CHUNKS, ids=len)
def test_similarities_of_rows_with_themselves_go_with_their_blocks(sizes):
    S = X @ X.T
    own, rows = np.diag(S), in_blocks(S, sizes)
    model = ProximityNeuralGas(n_prototypes=4, random_state=0).fit(S)
    for given in (own, own.tolist(), in_blocks(own, sizes), in_blocks(own, (90,))):
        found = [model.transform(rows, given), model.transform(rows, self_similarity=given)]
        for one in found:
            np.testing.assert_allclose(one.compute(), model.transform(S, own), atol=1e-9)
        assert float(model.score(rows, None, given)) == pytest.approx(model.score(S, None, own))
    with pytest.raises(ValueError, match="X has 90 samples, but self_similarity has 89"):
        model.transform(rows, own[1:])
