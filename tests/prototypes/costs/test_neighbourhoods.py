"""Grids, annealing and pulls against the formulas written out."""

import numpy as np
import pytest

from noneuclid.prototypes import Grid
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood, RankNeighbourhood
from noneuclid.prototypes.costs.pulls import Pulls, Won
from noneuclid.prototypes.solvers.annealing import Annealing

GRIDS = [
    Grid((4, 5), "grid"),
    Grid((4, 5), "hex"),
    Grid((4, 5), "grid", toroidal=True),
    Grid((4, 5), "hex", toroidal=True),
    Grid((1, 7), "grid"),
    Grid((1, 1), "hex"),
]
IDS = [f"{g.shape}-{g.topology}-{g.toroidal}" for g in GRIDS]
WIDTHS = [0.0, 1e-5, 0.02, 0.3, 1.0, 5.0]


@pytest.mark.parametrize("grid", GRIDS, ids=IDS)
def test_grids_are_metric_and_neighbours_are_near(grid):
    g = np.sqrt(grid.squared_distances)
    np.testing.assert_array_equal(g, g.T)
    assert (np.diag(g) == 0).all()
    off = g[~np.eye(len(g), dtype=bool)]
    assert off.size == 0 or off.min() == pytest.approx(1.0)
    assert (g[:, None] <= g[:, :, None] + g[None] + 1e-9).all()
    neighbours = grid.neighbours
    assert (neighbours == neighbours.T).all()
    inside = neighbours.sum(axis=1).max()
    assert inside <= (6 if grid.topology == "hex" else 8)


def test_units_of_a_torus_are_all_alike():
    for topology, count in (("grid", 8), ("hex", 6)):
        torus = Grid((6, 6), topology, toroidal=True)
        rows = np.sort(torus.squared_distances, axis=1)
        np.testing.assert_allclose(rows, np.broadcast_to(rows[0], rows.shape), atol=1e-8)
        assert (torus.neighbours.sum(axis=1) == count).all()
    plane = Grid((6, 6), "hex")
    assert set(plane.neighbours.sum(axis=1)) == {2, 3, 4, 5, 6}


@pytest.mark.parametrize("shape", [(0, 3), (3,), (2, 3, 4), 5, "ab", (2.5, 2), (2, -1), (True, 2)])
def test_shapes_that_are_none(shape):
    with pytest.raises(ValueError, match=r"shape \(=.* must be two positive integers"):
        Grid(shape)


def test_a_hexagonal_torus_needs_an_even_number_of_rows():
    with pytest.raises(ValueError, match="even number of rows"):
        Grid((3, 4), "hex", toroidal=True)
    with pytest.raises(ValueError, match=r"topology \(='ring'\)"):
        Grid((3, 4), "ring")


@pytest.mark.parametrize("schedule", ["geometric", "linear", "constant"])
def test_annealing_runs_from_start_to_end(schedule):
    path = Annealing(8.0, 0.5, schedule)
    assert path.at(0.0) == pytest.approx(8.0)
    assert path.at(1.0) == path.at(3.0) == pytest.approx(8.0 if schedule == "constant" else 0.5)
    assert path.at(0.5) == pytest.approx(
        {"geometric": 2.0, "linear": 4.25, "constant": 8.0}[schedule]
    )


def literal_ranks(D, width):
    ranks = np.array([[sum(row < row[j]) for j in range(len(row))] for row in D])
    return (ranks == 0) * 1.0 if width < 1e-3 else np.exp(-ranks / width)


def literal_map(grid, D, width):
    g2 = grid.squared_distances
    T = np.eye(len(g2)) if width < 1e-3 else np.exp(-g2 / (2 * width**2))
    T = T * (T.sum(axis=1).min() / T.sum(axis=1))[:, None]
    return T[(D @ T.T).argmin(axis=1)]


def same_up_to_a_factor_per_column(H, expected):
    used = expected.max(axis=0) > 1e-150
    np.testing.assert_allclose(
        (H / H.max(axis=0))[:, used], (expected / expected.max(axis=0))[:, used], atol=1e-15
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("m", [1, 2, 7, 30])
def test_ranks_pull_as_the_formula_says(m, width):
    D = np.random.default_rng(m).exponential(size=(40, m))
    expected = literal_ranks(D, width)
    near = RankNeighbourhood(m)
    values, pulls = near.assign(D, width)
    np.testing.assert_allclose(values, (expected * D).sum(axis=1), rtol=1e-12)
    H = pulls.dense()
    assert (H.max(axis=0) > 0).all()  # no prototype is without pull
    same_up_to_a_factor_per_column(H, np.maximum(expected, 1e-300))
    for d, h in zip(D, expected):
        np.testing.assert_allclose(near.pulls_of(d, width), h, atol=1e-300)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("grid", GRIDS, ids=IDS)
def test_maps_pull_as_the_formula_says(grid, width):
    D = np.random.default_rng(0).exponential(size=(30, len(grid)))
    expected = literal_map(grid, D, width)
    near = GridNeighbourhood(grid)
    values, pulls = near.assign(D, width)
    np.testing.assert_allclose(values, (expected * D).sum(axis=1), rtol=1e-9)
    H = pulls.dense()
    assert (H.max(axis=0) > 0).all()
    same_up_to_a_factor_per_column(H, np.maximum(expected, 1e-300))
    for d, h in zip(D, expected):
        np.testing.assert_allclose(near.pulls_of(d, width), h, atol=1e-300)


@pytest.mark.parametrize("width", [0.3, 0.8, 5.0])
@pytest.mark.parametrize("grid", [*GRIDS, Grid((3, 5)), Grid((6, 4), toroidal=True), Grid((5, 1))])
def test_the_table_of_a_map_is_a_product(grid, width):
    near = GridNeighbourhood(grid)
    rows, columns = near.table(width)
    np.testing.assert_allclose(np.kron(rows, columns), near._T(width).T, rtol=1e-13, atol=1e-16)
    if grid.topology == "grid" and min(grid.shape) > 3:
        assert (len(rows), len(columns)) == grid.shape


@pytest.mark.parametrize("width", [0.05, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("grid", [Grid((10, 11)), Grid((3, 5)), Grid((8, 6), toroidal=True)])
def test_winners_of_many_samples_are_those_of_the_whole_table(grid, width):
    D = np.random.default_rng(0).exponential(size=((1 << 16) // len(grid) + 1, len(grid)))
    near = GridNeighbourhood(grid)
    values, pulls = near.assign(D, width)
    errors = D @ near._T(width).T
    np.testing.assert_allclose(values, errors.min(axis=1), rtol=1e-12)
    np.testing.assert_array_equal(pulls.fields.units, errors.argmin(axis=1))


def test_winners_that_are_equal_are_the_first_ones():
    near = GridNeighbourhood(Grid((10, 10), toroidal=True))
    _, pulls = near.assign(np.ones((700, 100)), 1.0)
    assert not pulls.fields.units.any()


@pytest.mark.parametrize("spacing", [1.7, 3.0, 20.0])
@pytest.mark.parametrize("shape", [(10, 10), (12, 7), (40, 1), (4, 9)])
def test_units_between_coarse_ones_follow_from_them(shape, spacing):
    grid = Grid(shape)
    coarse = grid.coarse(spacing)
    if coarse is None:
        assert spacing < 2 or shape == (4, 9)
        return
    assert len(coarse.units) <= len(grid) / 2
    x, y = grid.positions.T
    # Splines through at least four knots keep all polynomials of degree three.
    values = np.column_stack([np.ones(len(x)), x**3 - 2 * x, y**2 * x**3, y**3])
    values = values if min(shape) > 3 else values[:, [0, 3]]
    np.testing.assert_allclose(coarse.spread(values[coarse.units]), values, atol=1e-7)
    eye = np.eye(len(coarse.units))
    np.testing.assert_allclose(coarse.spread(eye)[coarse.units], eye, atol=1e-12)


def test_units_between_coarse_ones_of_a_torus():
    grid = Grid((12, 12), toroidal=True)
    coarse = grid.coarse(2.0)
    x, y = 2 * np.pi * grid.positions.T / 12
    values = np.column_stack([np.sin(x), np.cos(x + y)])
    np.testing.assert_allclose(coarse.spread(values[coarse.units]), values, atol=0.03)
    assert Grid((12, 12), "hex").coarse(2.0) is None


@pytest.mark.parametrize("n", [25, 2000])  # the second is summed by compiled code
def test_fields_that_one_unit_won_are_those_of_a_sparse_matrix(n):
    rng = np.random.default_rng(1)
    D, X, weights = rng.exponential(size=(n, 12)), rng.normal(size=(n, 9)), rng.random(n)
    near = GridNeighbourhood(Grid((3, 4)))
    pulls = near.assign(D, 1.0)[1]
    won = pulls.weighted(weights).fields
    matrix = np.zeros((n, 12))
    matrix[np.arange(n), (D @ near._T(1.0).T).argmin(axis=1)] = weights
    np.testing.assert_allclose(won.sums(X), matrix.T @ X, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(won.mass, matrix.sum(axis=0))
    np.testing.assert_allclose(won.times(near._T(1.0)), matrix @ near._T(1.0), rtol=1e-12)
    np.testing.assert_array_equal(Pulls(won).dense(), matrix)
    assert not isinstance(RankNeighbourhood(12).assign(D, 1.0)[1].fields, Won)


def test_sums_mass_and_weights_are_those_of_the_dense_matrix():
    rng = np.random.default_rng(1)
    X, u = rng.normal(size=(25, 3)), rng.random(25)
    D = rng.exponential(size=(25, 12))
    for near in (RankNeighbourhood(12), GridNeighbourhood(Grid((3, 4)))):
        for width in (0.01, 0.5, 3.0):
            pulls = near.assign(D, width)[1]
            for some, H in (
                (pulls, pulls.dense()),
                (pulls.weighted(u), u[:, None] * pulls.dense()),
            ):
                np.testing.assert_allclose(some.dense(), H)
                np.testing.assert_allclose(some.mass, H.sum(axis=0))
                np.testing.assert_allclose(some.sums(X), H.T @ X)
                mass = np.where(H.sum(axis=0) > 0, H.sum(axis=0), 1.0)
                np.testing.assert_allclose(some.shares(), H / mass)


def test_equal_distances_still_get_different_ranks():
    D = np.ones((5, 4))
    H = RankNeighbourhood(4).assign(D, 1.0)[1].dense()
    expected = np.exp(-np.arange(4.0))
    np.testing.assert_allclose(np.sort(H / H.max(), axis=1)[:, ::-1], np.tile(expected, (5, 1)))


def test_the_cost_is_the_least_over_all_choices():
    rng = np.random.default_rng(2)
    D = rng.exponential(size=(10, 6))
    grid = Grid((2, 3))
    near = GridNeighbourhood(grid)
    values, _ = near.assign(D, 0.8)
    T = near._T(0.8)
    np.testing.assert_allclose(T.sum(axis=1), T.sum(axis=1)[0])
    np.testing.assert_allclose(values, np.min(D @ T.T, axis=1))
    gas = RankNeighbourhood(6)
    values, _ = gas.assign(D, 0.8)
    h = np.exp(-np.arange(6) / 0.8)
    others = [(D[:, rng.permutation(6)] @ h) for _ in range(200)]
    assert (values <= np.min(others, axis=0) + 1e-12).all()
