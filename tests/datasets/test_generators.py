"""Generators whose right answer is known: it is found where it was put."""

import dataclasses

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import noneuclid.datasets
from noneuclid.datasets import (
    KINDS,
    Dataset,
    guess_kind,
    make_contaminated,
    make_families,
    make_indefinite,
    make_spectra,
    make_spike_trains,
)
from noneuclid.datasets.kinds import asymmetry, is_proximity_like, proximity_kind, roughness

MAKERS = [make_contaminated, make_families, make_indefinite, make_spectra, make_spike_trains]


def values(data):
    return [np.asarray(x).tolist() for x in data.X]


@pytest.mark.parametrize("make", MAKERS)
def test_seeds_decide_and_the_code_gives_the_same_again(make):
    data = make(random_state=3)
    assert values(data) == values(make(random_state=3))
    assert values(data) != values(make(random_state=4))
    names = {name: getattr(noneuclid.datasets, name) for name in noneuclid.datasets.__all__}
    again = eval(data.code, names)
    assert values(again) == values(data)
    assert again.labels.tolist() == data.labels.tolist()
    assert len(data.names) == len(data) == len(set(data.names))


@pytest.mark.parametrize("make", MAKERS)
def test_generators_take_a_random_state_object(make):
    first, second = (make(random_state=np.random.RandomState(1)) for _ in range(2))
    assert values(first) == values(second)


def edit(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


@pytest.mark.parametrize(("mutation", "gaps", "ratio"), [(0.3, 0.15, 0.92), (0.1, 0.05, 0.5)])
def test_relatives_are_nearer_than_strangers(mutation, gaps, ratio):
    data = make_families(6, n_families=3, mutation=mutation, gaps=gaps, random_state=1)
    D = np.array([[edit(a, b) for b in data.X] for a in data.X], dtype=float)
    same = data.labels[:, None] == data.labels
    np.fill_diagonal(D, np.nan)
    assert np.nanmean(D[same]) < ratio * D[~same].mean()
    nearest = np.nanargmin(D, axis=1)
    assert (data.labels[nearest] == data.labels).mean() > (0.6 if gaps > 0.1 else 0.99)


def test_without_mutations_a_family_is_its_ancestor():
    data = make_families(3, n_families=2, mutation=0.0, gaps=0.0, length=12)
    assert len(set(data.X[:3])) == len(set(data.X[3:])) == 1
    assert all(len(x) == 12 and set(x) <= set("ACGT") for x in data.X)
    assert all(make_families(2, gaps=0.5, length=1).X)  # what would be empty is one letter


@pytest.mark.parametrize("n", [1, 9])
def test_families_are_from_two_to_eight(n):
    with pytest.raises(ValueError, match=rf"n_families \(={n}\) must be from 2 to 8"):
        make_families(n_families=n)


def test_spectra_hide_a_line_in_a_background():
    data = make_spectra(90, random_state=0)
    assert data.kind == "curves"
    assert (data.grid[0], data.grid[-1]) == (800.0, 1000.0)
    assert set(data.classes.values()) == {30}
    design = np.vander(np.linspace(0, 1, data.X.shape[1]), 3)  # the background is a parabola
    for label in data.classes:
        mean = data.X[data.labels == label].mean(axis=0)
        rest = mean - design @ np.linalg.lstsq(design, mean, rcond=None)[0]
        place = float(label.split()[1])
        assert abs(data.grid[rest.argmax()] - place) <= 6


def test_classical_components_turn_to_the_outliers():
    data = make_contaminated(200, random_state=0)
    inside = np.char.startswith(data.names, "row")
    assert inside.sum() == 196
    clean = PCA(1).fit(data.X[inside]).components_[0]
    dirty = PCA(1).fit(data.X).components_[0]
    assert abs(clean[-1]) < 0.2 < 0.9 < abs(dirty[-1])
    assert (np.abs(data.X[~inside, -1]) > 8).all()
    score = LinearDiscriminantAnalysis().fit(data.X, data.labels).score(data.X, data.labels)
    assert score > 0.85


def test_contamination_may_be_absent():
    data = make_contaminated(20, n_outliers=0)
    assert data.names[-1] == "row 20"
    with pytest.raises(ValueError, match=r"n_features \(=2\) must be at least 3"):
        make_contaminated(n_features=2)


@pytest.mark.parametrize("signature", [(1, 0), (2, 1), (3, 3), (1, 5)])
def test_similarities_have_the_signature_asked_for(signature):
    data = make_indefinite(30, signature=signature, random_state=2)
    found = np.linalg.eigvalsh(data.X)
    limit = 1e-10 * np.abs(found).max()
    assert ((found > limit).sum(), (found < -limit).sum()) == signature
    np.testing.assert_array_equal(data.X, data.X.T)


@pytest.mark.parametrize("signature", [(0, 2), (2, -1), (20, 20)])
def test_signatures_that_are_none(signature):
    with pytest.raises(ValueError, match=r"must be \(p, q\) with 1 <= p and p \+ q <= n"):
        make_indefinite(30, signature=signature)


# --- kinds ----------------------------------------------------------------------------------------


def test_roughness_is_von_neumanns_ratio():
    X = np.random.default_rng(0).normal(size=(5, 9))
    centred = X - X.mean(axis=0)
    above = sum((x[j + 1] - x[j]) ** 2 for x in centred for j in range(8))
    below = 2 * sum(((x - x.mean()) ** 2).sum() for x in centred)
    assert roughness(X) == pytest.approx(above / below, rel=1e-12)
    assert roughness(np.ones((3, 4))) == 1.0  # nothing varies: no curve


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_rough_and_sines_are_smooth(seed):
    rng = np.random.default_rng(seed)
    assert roughness(rng.normal(size=(200, 50))) == pytest.approx(1.0, abs=0.1)
    assert roughness(np.cumsum(rng.normal(size=(50, 100)), axis=1)) < 0.1
    t = np.linspace(0, 1, 40)
    assert roughness(np.sin(2 * np.pi * t + rng.normal(size=(30, 1)))) < 0.05


def test_asymmetry_is_the_largest_difference_and_its_place():
    P = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]])
    assert asymmetry(P) == (0.25, 0, 2)
    assert asymmetry(P + P.T)[0] == 0.0
    assert asymmetry(np.zeros((2, 2)))[0] == 0.0
    P[0, 2] = np.nan  # a hole is no asymmetry
    assert asymmetry(P)[0] == 0.0


def test_squares_that_are_no_proximities():
    rng = np.random.default_rng(0)
    assert not is_proximity_like(rng.normal(size=(12, 12)))
    assert is_proximity_like(rng.normal(size=(12, 12)), names_match=True)
    assert not is_proximity_like(np.ones((1, 1)))
    assert not is_proximity_like(np.ones((3, 4)))
    D = rng.random((12, 12))
    D = D + D.T
    noisy = D + 0.05 * rng.normal(size=D.shape)
    assert is_proximity_like(noisy)  # a matrix with errors in it


def test_kinds_of_proximities_by_the_diagonal():
    D = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    assert proximity_kind(D) == "dissimilarity"
    assert proximity_kind(-D) == "similarity"
    assert proximity_kind(D + np.eye(5)) == "similarity"
    assert proximity_kind(D + 1e-12 * np.eye(5)) == "dissimilarity"  # rounding


def test_guesses_follow_grids_and_smoothness():
    rng = np.random.default_rng(0)
    rough, smooth = rng.normal(size=(9, 30)), np.cumsum(rng.normal(size=(9, 30)), axis=1)
    assert guess_kind(rough) == "vectors"
    assert guess_kind(smooth) == "curves"
    assert guess_kind(rough, has_grid=True) == "curves"
    assert guess_kind(smooth[:, :10]) == "vectors"  # too few points
    smooth[2, 3] = np.nan
    assert guess_kind(smooth) == "curves"


# --- datasets -------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("n", [7, 20, 1000])
def test_samples_are_parts(make, n):
    data = make()
    part = data.sample(n, random_state=1)
    if n >= len(data):
        assert part is data
        return
    assert len(part) == n
    at = [data.names.index(name) for name in part.names]
    assert at == sorted(at)
    assert part.labels.tolist() == data.labels[at].tolist()
    if data.is_matrix:
        np.testing.assert_array_equal(part.X, data.X[np.ix_(at, at)])
    else:
        assert values(part) == [values(data)[i] for i in at]
    shares = np.array([part.classes.get(c, 0) / n - k / len(data) for c, k in data.classes.items()])
    assert np.abs(shares).max() <= 1.0 / n
    assert f"a random sample of {n} out of {len(data)}" in part.understood
    assert part.code.endswith(f".sample({n}, random_state=1)")


def test_what_was_understood_in_one_line():
    curves = Dataset("curves", np.zeros((3, 4)), grid=np.arange(4.0), source="c.csv")
    assert curves.understood == "c.csv: 3 curves of 4 points from 0 to 3, no classes"
    labels = np.array([f"c{k}" for k in range(8)] * 2)
    many = Dataset("vectors", np.zeros((16, 2)), labels, notes=("one", "two"))
    assert "8 classes (c0: 2, c1: 2, c2: 2, c3: 2, c4: 2, c5: 2, …), one, two" in many.understood
    spikes = Dataset("spikes", [np.arange(3.0), np.arange(1.0)])
    assert spikes.understood == "data: 2 spike trains of 1 to 3 events, no classes"
    assert many.with_notes("three").notes == ("one", "two", "three")
    assert many.notes == ("one", "two")


def test_datasets_do_not_change():
    data = make_spectra(6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.kind = "vectors"
    assert [data.kind in KINDS, data.noun, data.is_matrix] == [True, "curves", False]
