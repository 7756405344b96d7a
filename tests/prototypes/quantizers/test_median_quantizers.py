"""Median neural gas and maps: against brute force, and what they share with their kin."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import make_blobs

import noneuclid
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    MedianNeuralGas,
    MedianSOM,
    ProximityNeuralGas,
    compact,
    exemplars,
    n_exemplars,
    sparsify,
)
from noneuclid.prototypes.costs.grids import Grid
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood, RankNeighbourhood

X, Y = make_blobs(60, centers=[[0, 0], [7, 0], [3, 6]], random_state=0)
D = squared_euclidean(X, X)
STILL = {"schedule": "constant", "tol": 0.0, "max_epochs": 40}


def few(seed, n=9):
    """Distances with no rule but symmetry."""
    P = np.random.default_rng(seed).random((n, n))
    return (P + P.T) * (1 - np.eye(n))


def gas_cost(P, chosen, width):
    ranks = np.argsort(np.argsort(P[:, chosen], axis=1, kind="stable"), axis=1)
    return (np.exp(-ranks / width) * P[:, chosen]).sum(axis=1).mean()


def map_cost(P, chosen, width, shape):
    T = GridNeighbourhood(Grid(shape, "grid", False))._T(width)
    return (P[:, chosen] @ T.T).min(axis=1).mean()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("width", [0.1, 0.8])
def test_the_best_start_ends_at_the_best_of_all_choices_of_a_gas(seed, width):
    P = few(seed)
    every = {c: gas_cost(P, list(c), width) for c in itertools.permutations(range(9), 2)}
    found = []
    for start in every:
        model = MedianNeuralGas(n_prototypes=2, init=list(start), width=width, **STILL).fit(P)
        chosen = model.prototype_indices_
        found.append(gas_cost(P, chosen, width))
        assert found[-1] <= every[start] + 1e-12
        assert model.loss_curve_[-1] == pytest.approx(found[-1])
        assert (np.diff(model.loss_curve_) <= 1e-12).all()
    assert min(found) == pytest.approx(min(every.values()), rel=1e-12)


@pytest.mark.parametrize("width", [0.05, 0.7])
def test_the_best_start_ends_at_the_best_of_all_choices_of_a_map(width):
    P, shape = few(5, 7), (1, 3)
    every = {c: map_cost(P, list(c), width, shape) for c in itertools.permutations(range(7), 3)}
    found = []
    for start in every:
        model = MedianSOM(shape=shape, init=list(start), width=width, **STILL).fit(P)
        found.append(map_cost(P, model.prototype_indices_, width, shape))
        assert found[-1] <= every[start] + 1e-12
    assert min(found) == pytest.approx(min(every.values()), rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_no_prototype_has_a_better_object_for_its_pulls(seed):
    P = few(seed, 25)
    model = MedianNeuralGas(n_prototypes=4, width=0.6, random_state=seed, **STILL).fit(P)
    chosen = model.prototype_indices_
    _, pulls = RankNeighbourhood(4).assign(P[:, chosen], 0.6)
    costs = pulls.dense().T @ P
    here = costs[np.arange(4), chosen]
    assert len(set(chosen)) == 4
    assert (here <= np.delete(costs, chosen, axis=1).min(axis=1) * (1 + 1e-9)).all()


def test_annealing_finds_the_clusters_wherever_it_starts():
    groups = [np.flatnonzero(c == Y) for c in range(3)]
    right = {int(g[D[np.ix_(g, g)].sum(axis=0).argmin()]) for g in groups}
    for seed in range(5):
        model = MedianNeuralGas(n_prototypes=3, random_state=seed).fit(D)
        assert set(model.prototype_indices_.tolist()) == right
        np.testing.assert_allclose(model.transform(D), D[:, model.prototype_indices_], atol=1e-9)
        assert len(set(zip(model.labels_.tolist(), Y.tolist()))) == 3


def test_maps_keep_neighbours_together():
    line = np.sort(np.random.default_rng(0).random(80))[:, None]
    model = MedianSOM(shape=(1, 8), random_state=0).fit(squared_euclidean(line, line))
    places = line[model.prototype_indices_, 0]
    assert (np.diff(places) >= 0).all() or (np.diff(places) <= 0).all()
    assert model.topographic_error(squared_euclidean(line, line)) == 0
    some = MedianSOM(shape=(1, 3), init=[1, 5, 9], width=0.01, **STILL)
    assert some.fit(squared_euclidean(line, line)).prototype_indices_.shape == (3,)


def test_similarities_and_distances_are_one():
    S = X @ X.T
    first = MedianNeuralGas(n_prototypes=3, random_state=0).fit(D)
    second = MedianNeuralGas(n_prototypes=3, proximity="similarity", random_state=0).fit(S)
    np.testing.assert_array_equal(first.prototype_indices_, second.prototype_indices_)


def test_nothing_is_better_than_free_prototypes_but_hardly_worse():
    free = ProximityNeuralGas(n_prototypes=3, proximity="dissimilarity", random_state=0).fit(D)
    model = MedianNeuralGas(n_prototypes=3, random_state=0).fit(D)
    assert -free.score(D) <= -model.score(D) <= -1.2 * free.score(D)


@pytest.mark.parametrize("model", [MedianNeuralGas(n_prototypes=2), MedianSOM(shape=(1, 2))])
def test_words_files_and_sparse_tools(model, tmp_path):
    words = ["cat", "cart", "cut", "dog", "dig", "dug"]
    model.set_params(metric="levenshtein", random_state=0).fit(words)
    assert n_exemplars(model) == 1
    assert {f.objects[0] for f in exemplars(model, names=words)} <= {
        "cat",
        "cut",
        "dog",
        "dig",
        "dug",
    }
    small = compact(model)
    np.testing.assert_array_equal(small.predict(["car", "do"]), model.predict(["car", "do"]))
    noneuclid.save(model, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.prototype_indices_, model.prototype_indices_)
    assert sparsify(model, method="nearest", k=1).labels_.tolist() == model.labels_.tolist()


def test_duplicates_more_prototypes_than_objects_and_bad_starts():
    P = np.zeros((5, 5))
    assert MedianNeuralGas(n_prototypes=2, random_state=0).fit(P).labels_.tolist() == [0] * 5
    model = MedianSOM(shape=(3, 3), random_state=0).fit(few(0, 4))
    assert set(model.prototype_indices_) <= set(range(4))
    assert len(set(MedianNeuralGas(n_prototypes=4).fit(few(0, 4)).prototype_indices_)) == 4
    with pytest.raises(ValueError, match=r"n_prototypes \(=9\) must be at most n_samples=5, the"):
        MedianNeuralGas(n_prototypes=9).fit(few(0, 5))
    with pytest.raises(ValueError, match=r"init must be 2 indices of training objects, .* \(3,\)"):
        MedianNeuralGas(n_prototypes=2, init=[0, 1, 2]).fit(P)
    with pytest.raises(ValueError, match="init must hold indices from 0 to 4"):
        MedianNeuralGas(n_prototypes=2, init=[0, 5]).fit(P)
    with pytest.raises(ValueError, match=r"init \(=array\(.*\)\) must be"):
        MedianNeuralGas(n_prototypes=2, init=np.array([0.5, 1.0])).fit(P)
    with pytest.raises(TypeError, match="solver"):
        MedianNeuralGas(solver="online")
