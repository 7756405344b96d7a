"""Products of spaces, against the formula part by part."""

import numpy as np
import pytest

from noneuclid.spaces import (
    Euclidean,
    GeneralizedLp,
    Hilbert,
    LeeVerleysen,
    Lp,
    ProductSpace,
    PseudoEuclidean,
    Sobolev,
)
from noneuclid.testing import check_space

X = np.random.default_rng(0).normal(size=(5, 7))
W = np.random.default_rng(1).normal(size=(3, 7))


def test_is_the_weighted_sum_of_its_parts():
    parts, weights, sizes = [Sobolev(p=1.5), Lp(1), "l2"], (0.5, 2.0, 3.0), (3, 2, 2)
    space = ProductSpace(parts, weights=weights, splits=sizes)
    cuts = [slice(0, 3), slice(3, 5), slice(5, 7)]
    whole = [Sobolev(p=1.5), Lp(1), Euclidean()]
    expected = sum(
        a * part.squared_distance(X[:, cut], W[:, cut])
        for a, part, cut in zip(weights, whole, cuts)
    )
    np.testing.assert_allclose(space.squared_distance(X, W), expected)
    np.testing.assert_allclose(space.squared_norm(X - W[0]), expected[:, 0])


def test_sizes_cuts_and_what_follows_from_the_parts():
    by_sizes = ProductSpace(["l1", "l2"], splits=(3, 4))
    by_cuts = ProductSpace(["l1", "l2"], splits=(3,))
    by_array = ProductSpace(["l1", "l2"], splits=np.array([3, 4]))
    np.testing.assert_array_equal(by_sizes.dual(X), by_cuts.dual(X))
    np.testing.assert_array_equal(by_sizes.dual(X), by_array.dual(X))
    known = ProductSpace([Hilbert(np.eye(3)), "l1"])
    assert known.n_features is None
    assert by_sizes.n_features == 7
    np.testing.assert_allclose(
        known.squared_norm(X)[0], X[0, :3] @ X[0, :3] + abs(X[0, 3:]).sum() ** 2
    )
    assert ProductSpace([Hilbert(np.eye(3)), PseudoEuclidean(signature=(1, 1))]).n_features == 5


def test_products_of_euclidean_spaces_are_euclidean():
    space = ProductSpace(["l2", "l2"], splits=(3, 4))
    np.testing.assert_allclose(space.product(X, W), X @ W.T)
    assert space.is_hilbert
    assert space.chart(7).is_positive


@pytest.mark.parametrize(
    "space",
    [
        ProductSpace([PseudoEuclidean(signature=(0, 2)), PseudoEuclidean(signature=(0, 3))]),
        ProductSpace([PseudoEuclidean(signature=(0, 2)), PseudoEuclidean(signature=(3, 0))]),
        ProductSpace([LeeVerleysen(p=2), "l1"]),
        ProductSpace([ProductSpace(["l1", "l2"]), "linf"], splits=(4, 2)),
        ProductSpace([Sobolev(weights=(1, 1, 1)), "l2"], weights=(1e-6, 1e6)),
    ],
    ids=["negative", "mixed", "no norm", "nested", "ill-scaled"],
)
def test_unusual_products_keep_their_promises(space):
    check_space(space)


def test_a_part_that_changes_changes_the_product():
    part = Sobolev(weights=(1, 1))
    space = ProductSpace([part, "l2"], splits=(3, 4))
    before = space.flatten(X)
    part.set_params(weights=(1, 5))
    fresh = ProductSpace([Sobolev(weights=(1, 5)), "l2"], splits=(3, 4))
    np.testing.assert_array_equal(space.flatten(X), fresh.flatten(X))
    assert (space.flatten(X) != before).any()


@pytest.mark.parametrize(
    ("space", "sentence"),
    [
        (ProductSpace([]), "spaces"),
        (ProductSpace(["l2", 3]), "list of spaces or their names"),
        (ProductSpace(["l2", "l-1"]), "spaces: space"),
        (ProductSpace([GeneralizedLp(3), "l2"]), "duality map of degree 1"),
        (ProductSpace(["l2", Lp(0.5)]), "at least 1"),
        (ProductSpace(["l1", "l2"], weights=(1.0,)), "must be 2 numbers"),
        (ProductSpace(["l1", "l2"], weights=(1.0, -1.0)), "positive"),
        (ProductSpace(["l1", "l2"], splits=(1, 2, 4)), "sizes of 2 parts, or 1 cuts"),
        (ProductSpace(["l1", "l2", "l2"], splits=(4, 2)), "must increase"),
        (ProductSpace(["l1", "l2", "l2"], splits=np.array([4, 2], np.uint8)), "must increase"),
        (ProductSpace(["l1", "l2"], splits=np.array(2)), "splits .* must be a sequence of"),
        (ProductSpace(["l1", "l2"], splits=np.array([])), "splits .* must be the sizes of 2"),
        (ProductSpace(["l1", "l2"]), "cannot be shared equally"),
        (ProductSpace(["l1", "l2"], splits=(7,)), "take"),
        (ProductSpace(["l1", Hilbert(np.eye(3))], splits=(5, 2)), "takes 3"),
    ],
)
def test_bad_parameters_in_one_sentence(space, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        space.squared_norm(X)
