"""The parts of relations: sources, choices of landmarks, spectra and charts, one by one."""

import pickle

import numpy as np
import pytest

from noneuclid.kernels import Gaussian, PairKernel
from noneuclid.kernels.pairs import Objects
from noneuclid.proximities import RelationChart, SpectrumCorrection, signature, to_dissimilarity
from noneuclid.proximities._measures import Dissimilarity, as_measure
from noneuclid.proximities._sources import ASK, Source
from noneuclid.proximities.corrections import CORRECTIONS, corrected_spectrum
from noneuclid.proximities.landmarks import check_indices, choose_landmarks, landmark_count
from noneuclid.spaces import PseudoEuclidean

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 4))
S = X * np.array([1.0, 1.0, -1.0, -1.0]) @ X.T
S = (S + S.T) / 2
D = to_dissimilarity(X @ X.T)


# --- sources --------------------------------------------------------------------------------

SOURCES = {
    "matrix": (lambda: Source(S), S),
    "kernel": (lambda: Source(X, Gaussian(2.0)), Gaussian(2.0)(X)),
    "rows": (lambda: Source(X, Dissimilarity("sqeuclidean")), D),
    "pairs": (lambda: Source(Objects(X), Dissimilarity(lambda a, b: ((a - b) ** 2).sum())), D),
    "squares": (lambda: Source(X, Dissimilarity("euclidean"), plain=True), D),
}


@pytest.mark.parametrize("name", SOURCES)
def test_parts_of_a_source_are_parts_of_its_matrix(name):
    make, P = SOURCES[name]
    source = make()
    rows, columns = np.array([3, 0, 3]), np.array([7, 3])
    assert source.n == source.n_columns == 20
    np.testing.assert_allclose(source.within(), P, atol=1e-9)
    np.testing.assert_allclose(source.block(rows, columns), P[np.ix_(rows, columns)], atol=1e-9)
    np.testing.assert_allclose(source.block(slice(2, 6), columns), P[2:6][:, columns], atol=1e-9)
    np.testing.assert_allclose(source.block(rows, slice(None)), P[rows], atol=1e-9)
    np.testing.assert_allclose(source.diagonal(), np.diag(P), atol=1e-9)
    small = source.restrict(columns)
    np.testing.assert_allclose(small.within(), P[np.ix_(columns, columns)], atol=1e-9)
    if name == "matrix":
        new, own = P[:5], None
    else:
        new, own = X[:5], np.diag(P)[:5]
    np.testing.assert_allclose(source.to(new), P[:5], atol=1e-9)
    np.testing.assert_allclose(source.to(new, columns), P[:5][:, columns], atol=1e-9)
    if own is None:
        assert source.own(new) is None
    else:
        np.testing.assert_allclose(source.own(new), own, atol=1e-9)
        only = source.only(columns)
        np.testing.assert_allclose(only.to(new), P[:5][:, columns], atol=1e-9)


def test_blocks_of_named_distances_are_zero_at_the_object_itself():
    far = X + 1e8  # where rounding is large
    source = Source(far, Dissimilarity("correlation"))
    block = source.block(np.array([4, 5]), np.array([5, 4]))
    assert block[0, 1] == block[1, 0] == 0.0
    assert block[0, 0] != 0.0


def test_a_matrix_is_not_pickled():
    source = pickle.loads(pickle.dumps(Source(S)))
    assert source.n == 20
    assert source.given is None
    for ask in (source.within, source.diagonal, lambda: source.block(slice(None), np.array([0]))):
        with pytest.raises(ValueError, match=ASK):
            ask()
    np.testing.assert_array_equal(source.to(S[:2], np.array([1])), S[:2, [1]])


def test_measures_of_either_kind():
    assert isinstance(as_measure("rbf", "similarity"), Gaussian)
    assert isinstance(as_measure(lambda a, b: 1.0, "similarity"), PairKernel)
    assert not as_measure("cityblock", "dissimilarity").takes_objects
    assert as_measure("jaro", "dissimilarity").takes_objects
    assert as_measure("rbf", "similarity").is_symmetric
    assert not as_measure(lambda a, b: 1.0, "similarity").is_symmetric


# --- landmarks ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["similarity", "dissimilarity"])
def test_the_next_pivot_is_the_worst_approximated_object(kind):
    P = S if kind == "similarity" else D
    chosen = choose_landmarks("pivoted", Source(P), 4, kind, np.random.RandomState(0))
    first = 0 if kind == "similarity" else 1
    if kind == "similarity":
        K = P
    else:  # seen from the first landmark
        o = chosen[0]
        K = 0.5 * (P[:, [o]] + P[[o]] - P)
    for k in range(first, 4):
        before = chosen[first:k]
        W = K[np.ix_(before, before)]
        rest = K - K[:, before] @ np.linalg.pinv(W) @ K[before] if len(before) else K
        residual = np.abs(np.diag(rest)).copy()
        residual[chosen[:k]] = -1.0
        assert residual.argmax() == chosen[k]


def test_far_landmarks_lie_in_different_clusters():
    centres = np.array([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 100.0]])
    rows = np.repeat(centres, 5, axis=0) + 0.01 * RNG.normal(size=(20, 2))
    for metric, kind in (("sqeuclidean", "dissimilarity"), ("linear", "similarity")):
        source = Source(rows, as_measure(metric, kind))
        for seed in range(5):
            rng = np.random.RandomState(seed)
            chosen = choose_landmarks("kmeans++", source, 4, kind, rng)
            assert sorted(chosen // 5) == [0, 1, 2, 3]


@pytest.mark.parametrize("method", ["uniform", "kmeans++", "pivoted"])
def test_landmarks_are_distinct_even_among_duplicates(method):
    rows = np.repeat(X[:2], 5, axis=0)
    for metric, kind in (("sqeuclidean", "dissimilarity"), ("linear", "similarity")):
        source = Source(rows, as_measure(metric, kind))
        chosen = choose_landmarks(method, source, 7, kind, np.random.RandomState(0))
        assert len(np.unique(chosen)) == 7


@pytest.mark.parametrize(
    ("wanted", "n", "count"), [(5, 20, 5), (50, 20, 20), (0.25, 20, 5), (0.001, 20, 1)]
)
def test_counts_and_shares(wanted, n, count):
    assert landmark_count(wanted, n) == count


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "many", None, float("nan")])
def test_wrong_counts(wrong):
    with pytest.raises(ValueError, match=r"n_landmarks \(=.*\) must be a positive integer, or a"):
        landmark_count(wrong, 20)


def test_given_indices():
    np.testing.assert_array_equal(check_indices([3, 1], 4), [3, 1])
    with pytest.raises(ValueError, match="holds index -1, but there are 4 objects"):
        check_indices([-1, 2], 4)
    with pytest.raises(ValueError, match="names an object twice"):
        check_indices([1, 1], 4)


# --- spectra and charts ---------------------------------------------------------------------


@pytest.mark.parametrize("method", CORRECTIONS)
def test_one_formula_corrects_spectra(method):
    values = np.array([-2.0, -0.5, 0.0, 1.0, 3.0])
    expected = {
        "clip": [0.0, 0.0, 0.0, 1.0, 3.0],
        "flip": [2.0, 0.5, 0.0, 1.0, 3.0],
        "square": [4.0, 0.25, 0.0, 1.0, 9.0],
        "shift": [0.0, 1.5, 2.0, 3.0, 5.0],
    }[method]
    np.testing.assert_array_equal(corrected_spectrum(values, method), expected)
    positive = np.array([0.5, 2.0])
    if method != "square":
        np.testing.assert_array_equal(corrected_spectrum(positive, method), positive)
    corrected = SpectrumCorrection(method=method).fit_transform(S)
    np.testing.assert_allclose(
        np.linalg.eigvalsh(corrected),
        np.sort(corrected_spectrum(np.linalg.eigvalsh(S), method)),
        atol=1e-9,
    )


def test_a_chart_is_a_pseudo_euclidean_space():
    signs = np.array([1.0, 1.0, -1.0])
    Z = RNG.normal(size=(6, 3))
    chart = RelationChart(Z, signs)
    K = Z * signs @ Z.T
    assert chart.signature == (2, 1)
    assert chart.space.get_params() == PseudoEuclidean(signature=(2, 1)).get_params()
    np.testing.assert_allclose(chart.similarities(), K)
    np.testing.assert_allclose(chart.similarities([1, 2], slice(3)), K[[1, 2], :3])
    np.testing.assert_allclose(chart.diagonal, np.diag(K))
    np.testing.assert_allclose(chart.dot(np.ones(6)), K.sum(axis=0))
    np.testing.assert_allclose(chart.dot(np.eye(6)[:2]), K[:2])
    assert signature(K) == (2, 1, 3)
