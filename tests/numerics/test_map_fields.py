"""Winners of a map and sums over their samples, against all distances times the neighbourhoods."""

import numpy as np
import pytest

from noneuclid.numerics import first_argmin
from noneuclid.numerics.map_fields import map_fields
from noneuclid.prototypes.costs.grids import Grid
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.spaces import Euclidean, Hilbert, PseudoEuclidean

GRIDS = [Grid((4, 6)), Grid((4, 6), "hex"), Grid((4, 6), toroidal=True), Grid((1, 1))]


def simple(Z, W, T, signs):
    """The same with every distance at once."""
    D = ((Z[:, None] - W) ** 2) @ signs
    errors = D @ T.T
    winner = first_argmin(errors)
    fields = np.eye(len(W))[winner]
    return errors[np.arange(len(Z)), winner].sum(), fields.T @ Z, fields.sum(axis=0)


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("width", [3.0, 0.7, 0.3, 0.0])
@pytest.mark.parametrize("signs", [(1.0, 1.0, 1.0), (1.0, 1.0, -1.0)])
def test_as_from_all_distances(grid, width, signs):
    rng = np.random.default_rng(3)
    Z, W, signs = rng.normal(size=(500, 3)), rng.normal(size=(len(grid), 3)), np.array(signs)
    T = GridNeighbourhood(grid).smoothing(width)
    found = map_fields(lambda rows: Z[rows], len(Z), W, T, signs)
    for got, expected in zip(found, simple(Z, W, T, signs)):
        np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-11)


def test_all_rows_of_a_neighbourhood_have_the_same_total():
    for grid in GRIDS:
        totals = GridNeighbourhood(grid).smoothing(1.3).sum(axis=1)
        np.testing.assert_allclose(totals, totals[0], rtol=1e-14)


def test_rounding_does_not_say_which_of_equal_units_wins():
    rng = np.random.default_rng(0)
    Z = np.repeat(1e3 * rng.normal(size=(5, 4)), 200, axis=0)
    W = np.vstack([Z[::200], Z[::200]])  # every sample is two prototypes at once
    cost, _, counts = map_fields(lambda rows: Z[rows], len(Z), W, np.eye(10), np.ones(4))
    np.testing.assert_array_equal(counts, np.repeat([200.0, 0.0], 5))
    assert cost == 0.0


@pytest.mark.parametrize("shift", [0.0, 1e6])
@pytest.mark.parametrize(
    "space",
    [Euclidean(), Hilbert(np.diag([1.0, 2.0, 3.0]) + 0.5), PseudoEuclidean(signature=(2, 1))],
    ids=lambda space: type(space).__name__,
)
def test_centres_are_those_of_single_pulls(space, shift):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 3)) + shift
    neighbourhood, geometry = GridNeighbourhood(Grid((5, 5))), VectorGeometry(space, X)
    theta = geometry.state(X[:25])
    for width in (2.0, 0.5):
        loss, fields = geometry.meet(neighbourhood, theta, width)
        values, pulls = neighbourhood.assign(geometry.distances(theta), width)
        assert loss == pytest.approx(values.mean(), rel=1e-8)
        np.testing.assert_allclose(fields.mass, pulls.mass, rtol=1e-9)
        centres, expected = geometry.centres(fields, theta), geometry.centres(pulls, theta)
        np.testing.assert_allclose(centres.W, expected.W, rtol=1e-12, atol=1e-8)
