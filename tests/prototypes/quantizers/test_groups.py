"""Groups without classes: known ones are found, and measured as they are defined."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_score

from noneuclid.prototypes import find_groups
from noneuclid.proximities import to_dissimilarity

RNG = np.random.default_rng(0)
CENTRES = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 10.0]])
KNOWN = np.arange(40) % 4
X = CENTRES[KNOWN] + RNG.normal(size=(40, 2))
D = ((X[:, None] - X) ** 2).sum(axis=2)


def test_known_groups_are_found():
    found = find_groups(D, random_state=0)
    assert len(found) == 4
    assert adjusted_rand_score(KNOWN, found.labels) == 1
    assert found.silhouette == max(found.silhouettes.values())
    expected = silhouette_score(np.sqrt(D), found.labels, metric="precomputed")
    assert found.silhouette == pytest.approx(expected)


def test_similarities_give_the_same_groups():
    S = X @ X.T
    np.testing.assert_allclose(to_dissimilarity(S), D, atol=1e-9)
    found = find_groups(S, "similarity", random_state=0)
    np.testing.assert_array_equal(found.labels, find_groups(D, random_state=0).labels)


def test_prototypes_are_combinations_and_exemplars_are_near_them():
    found = find_groups(D, random_state=0)
    W = found.coefficients @ X
    distances = ((X[:, None] - W) ** 2).sum(axis=2)
    np.testing.assert_allclose(found.distances, distances, atol=1e-8)
    for j, members in enumerate(found.typical(3)):
        assert members == np.argsort(distances[:, j])[:3].tolist()
    explained = 1 - distances.min(axis=1).mean() / ((X - X.mean(axis=0)) ** 2).sum(axis=1).mean()
    assert found.explained == pytest.approx(explained)


def test_fewer_groups_where_asked_for_or_objects_are_few():
    assert set(find_groups(D, max_groups=3, random_state=0).silhouettes) <= {2, 3}
    assert len(find_groups(D[:9, :9], random_state=0)) == 2


def test_every_number_is_announced():
    done = []
    find_groups(D, random_state=0, advance=done.append)
    assert len(done) == 7


def test_negative_dissimilarities_count_as_zero():
    indefinite = X * [1.0, -0.3] @ X.T
    found = find_groups(to_dissimilarity(indefinite), random_state=0)
    assert found.dissimilarities.min() == 0


def test_what_has_no_groups():
    with pytest.raises(ValueError, match="7 objects: groups need at least 8"):
        find_groups(D[:7, :7])
    with pytest.raises(ValueError, match=r"max_groups \(=1\)"):
        find_groups(D, max_groups=1)
    with pytest.raises(ValueError, match="proximity"):
        find_groups(D, "distance")
