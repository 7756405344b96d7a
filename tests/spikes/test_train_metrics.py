"""Distances of spike trains: against naive programmes, elephant, and theorems."""

import itertools

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import noneuclid
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.prototypes import ProximityNeuralGas, ProximitySOM, RelationalGLVQ
from noneuclid.proximities import Relation, describe_metric, metrics, pairwise
from noneuclid.spikes import VanRossum, VictorPurpura, jittered_templates
from noneuclid.testing import check_metric


def trains(seed, counts):
    rng = np.random.default_rng(seed)
    return [np.sort(rng.random(n)) for n in counts]


TRAINS = [*trains(0, (7, 0, 1, 12, 30)), np.array([0.2, 0.2, 0.9])]


def naive_edits(x, y, q):
    """The whole table of the dynamic programme."""
    G = np.zeros((len(x) + 1, len(y) + 1))
    G[:, 0], G[0] = np.arange(len(x) + 1), np.arange(len(y) + 1)
    for i, j in itertools.product(range(len(x)), range(len(y))):
        moved = G[i, j] + q * abs(x[i] - y[j])
        G[i + 1, j + 1] = min(G[i, j + 1] + 1, G[i + 1, j] + 1, moved)
    return G[-1, -1]


def best_matching(x, y, q):
    """By all ways to match events with one another: the definition itself."""
    costs = []
    for k in range(min(len(x), len(y)) + 1):
        for some in itertools.combinations(range(len(x)), k):
            for others in itertools.permutations(range(len(y)), k):
                moved = sum(q * abs(x[i] - y[j]) for i, j in zip(some, others))
                costs.append(moved + len(x) + len(y) - 2 * k)
    return min(costs)


@pytest.mark.parametrize("q", [0.0, 0.5, 3.0, 40.0, 1e6])
def test_victor_purpura_is_the_dynamic_programme(q):
    expected = [[naive_edits(x, y, q) for y in TRAINS] for x in TRAINS]
    metric = VictorPurpura(cost=q)
    np.testing.assert_allclose(metric.between(TRAINS), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(
        metric.between(TRAINS, TRAINS[1:4]), metric.between(TRAINS)[:, 1:4]
    )
    assert metric(TRAINS[0], TRAINS[3]) == metric.between(TRAINS)[0, 3]


@pytest.mark.parametrize("seed", range(4))
def test_victor_purpura_is_the_cheapest_of_all_matchings(seed):
    x, y = trains(seed, (4, 3))
    for q in (0.5, 2.0, 8.0):
        assert VictorPurpura(cost=q)(x, y) == pytest.approx(best_matching(x, y, q), abs=1e-12)


def test_victor_purpura_between_its_two_ends():
    counts = np.array([len(x) for x in TRAINS])
    D = VictorPurpura(cost=0).between(TRAINS)
    np.testing.assert_array_equal(D, np.abs(counts[:, None] - counts))
    apart = [np.array([0.1, 0.5]), np.array([0.1, 0.7]), np.array([])]
    np.testing.assert_array_equal(
        VictorPurpura(cost=1e12).between(apart), [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    )


@pytest.mark.parametrize("tau", [0.01, 0.3, 5.0])
def test_van_rossum_is_the_integral_of_smoothed_trains(tau):
    grid = np.linspace(0, 1 + 40 * tau, 400_001)
    step = grid[1] - grid[0]
    X = TRAINS[:4]
    D = VanRossum(tau=tau).between(X)
    for i, j in ((0, 1), (0, 2), (0, 3), (1, 3)):
        difference = sum(np.exp(-np.maximum(grid - t, 0) / tau) * (grid >= t) for t in X[i])
        difference = difference - sum(
            np.exp(-np.maximum(grid - t, 0) / tau) * (grid >= t) for t in X[j]
        )
        assert D[i, j] == pytest.approx(np.sqrt(2 / tau * (difference**2).sum() * step), rel=0.02)
    kernel = SpikeTrainKernel(tau, smoothing="exponential")
    np.testing.assert_allclose(D**2, 2 * tau * kernel.squared_distance(X), atol=1e-12)
    assert VanRossum(tau=tau)([0.4], []) == pytest.approx(1.0)


def test_both_are_elephants():
    reference = pytest.importorskip("elephant.spike_train_dissimilarity")
    neo, pq = pytest.importorskip("neo"), pytest.importorskip("quantities")
    X = [neo.SpikeTrain(x, units="s", t_stop=1.0) for x in TRAINS]
    for q in (0.0, 1.0, 25.0):
        expected = reference.victor_purpura_distance(X, cost_factor=q / pq.s)
        np.testing.assert_allclose(VictorPurpura(cost=q).between(X), expected, atol=1e-9)
    for tau in (0.02, 0.5):
        expected = reference.van_rossum_distance(X, time_constant=tau * pq.s)
        np.testing.assert_allclose(VanRossum(tau=tau).between(X), expected, atol=1e-6)


def test_both_are_metrics_and_one_is_euclidean():
    X = trains(3, (5, 9, 0, 7, 4, 6, 8, 3, 5, 6))
    edits = check_metric(VictorPurpura(cost=10.0), X, squared=False)
    assert edits.is_triangular
    assert check_metric(VanRossum(tau=0.1), X, squared=False).is_euclidean


def test_names_stand_for_metrics_fixed_on_the_training_trains():
    assert set(metrics(kind="trains")) == {"van_rossum", "victor_purpura"}
    assert describe_metric("victor_purpura").proximity == "dissimilarity"
    X = [[0.0, 0.1, 0.3], [0.5, 0.6], []]
    relation = Relation("victor_purpura", proximity="dissimilarity").fit(X)
    assert relation.metric_.cost == pytest.approx(2 / 0.1)
    np.testing.assert_array_equal(relation.matrix, relation.metric_.between(X))
    np.testing.assert_array_equal(pairwise(X, "victor_purpura"), relation.matrix)
    new = [[0.0, 0.11], [9.0]]
    np.testing.assert_array_equal(relation.to(new)[0], relation.metric_.between(new, X))
    rossum = Relation("van_rossum", proximity="dissimilarity", squared=False).fit(X)
    assert rossum.metric_.tau == pytest.approx(0.1)
    np.testing.assert_allclose(rossum.matrix, rossum.metric_.between(X) ** 2, atol=1e-12)
    assert rossum.is_positive
    landmarks = Relation("van_rossum", proximity="dissimilarity", n_landmarks=2).fit(X)
    assert landmarks.chart.Z.shape[0] == 3


@pytest.fixture(scope="module")
def data():
    return jittered_templates(40, jitter=0.003, random_state=0)


@pytest.mark.parametrize("name", ["victor_purpura", "van_rossum"])
def test_learners_take_them_by_name(name, data, tmp_path):
    X, y = data.trains, data.labels
    model = RelationalGLVQ(metric=name, random_state=0).fit(X, y)
    assert model.score(X, y) >= 0.95
    noneuclid.save(model, tmp_path / "model.skops")
    np.testing.assert_array_equal(
        noneuclid.load(tmp_path / "model.skops").predict(X), model.predict(X)
    )
    params = {"metric": name, "proximity": "dissimilarity", "random_state": 0}
    gas = ProximityNeuralGas(n_prototypes=2, **params).fit(X)
    agree = np.mean(gas.labels_ == y)
    assert max(agree, 1 - agree) >= 0.9
    assert ProximitySOM(shape=(2, 2), **params).fit(X).predict(X).shape == (40,)


def test_the_cost_is_searched(data):
    search = GridSearchCV(
        RelationalGLVQ(metric=VictorPurpura(), random_state=0, max_epochs=5),
        {"metric__cost": [1e-6, 200.0]},
        cv=2,
    ).fit(data.trains, data.labels)
    assert search.best_params_ == {"metric__cost": 200.0}


def test_what_they_refuse():
    with pytest.raises(ValueError, match=r"cost \(=-1\) must be"):
        VictorPurpura(cost=-1).between([[0.1]])
    with pytest.raises(ValueError, match=r"tau \(=0\) must be"):
        RelationalGLVQ(metric=VanRossum(tau=0)).fit([[0.1], [0.2]], [0, 1])
    with pytest.raises(ValueError, match=r'cost \(="auto"\) of VictorPurpura depends on the data'):
        VictorPurpura()([0.1], [0.2])
    with pytest.raises(ValueError, match="no train has two at different times: give a number"):
        RelationalGLVQ(metric="van_rossum").fit([[0.1], [0.2], [0.2, 0.2]], [0, 1, 1])
    with pytest.raises(ValueError, match="NaN or infinity"):
        VictorPurpura(cost=1.0).between([[np.nan]])
    assert clone(VictorPurpura(cost=3.0)).cost == 3.0
    assert VictorPurpura(cost=1.0).between([], [[0.1]]).shape == (0, 1)
