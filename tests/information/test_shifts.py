"""All shifts round a circle at once, against sums one by one; and that their level is exact."""

import numba
import numpy as np
import pytest

from noneuclid.information import _shifts
from noneuclid.information._diagonals import (
    GaussianDiagonals,
    GramDiagonals,
    KernelDiagonals,
    Together,
)
from noneuclid.information._shifts import Circles, correlations, label_sums, pair_sums
from noneuclid.kernels import Gaussian, Laplacian

rng = np.random.default_rng(0)


@pytest.mark.parametrize("n", [2, 3, 8, 13])
@pytest.mark.parametrize("B", [5, 40])
def test_sums_are_those_of_plain_permutations(n, B):
    X, Y = rng.normal(size=(n, 3)), rng.normal(size=(n, 2))
    first = GaussianDiagonals(X, 2.0, squarings=1, count=3)
    laplacian = Laplacian(1.5)(Y)
    second = Together([GramDiagonals(laplacian), KernelDiagonals(Gaussian(1.0), Y)])
    circles = Circles(n, B, rng)
    orders = np.concatenate(list(circles.some(7)))
    assert len(orders) == B + 1
    sums, k, l = pair_sums(first, second, circles)  # noqa: E741
    side = (np.arange(n) < max(1, n // 3)).astype(float)
    within, with_all, rows = label_sums(first, side, circles)
    np.testing.assert_allclose(rows, k)
    for p, kernel in enumerate(first.labels):
        K = kernel(X)
        np.testing.assert_allclose(k[p], K.sum(axis=1))
        for q, L in enumerate([laplacian, Gaussian(1.0)(Y)]):
            np.testing.assert_allclose(l[q], L.sum(axis=1))
            np.testing.assert_allclose(sums[p, q], [(K * L[o][:, o]).sum() for o in orders])
        expected = [[side[o] @ K @ side[o], side[o] @ K.sum(axis=1)] for o in orders]
        np.testing.assert_allclose(np.stack([within[p], with_all[p]], axis=1), expected, atol=1e-12)
    np.testing.assert_allclose(
        correlations(X[:, 0], Y[:, 0], circles), [X[:, 0] @ Y[o, 0] for o in orders], atol=1e-12
    )


def test_widths_of_a_chain_are_those_of_the_kernels():
    X = rng.normal(size=(6, 40))  # too many coordinates for differences one by one
    chain = GaussianDiagonals(X, 12.0, squarings=2, count=3)
    assert [k.width for k in chain.labels] == [12.0, 6.0, 3.0]
    order = np.arange(6)
    for K, kernel in zip(chain.between(0, 4, order), chain.labels):
        expected = [[kernel(X)[i, (i + o) % 6] for i in range(6)] for o in range(4)]
        np.testing.assert_allclose(K, expected)


@pytest.mark.parametrize("safe", [True, False])
def test_sums_do_not_depend_on_the_number_of_threads(safe, monkeypatch):
    monkeypatch.setattr(_shifts, "_NUMBERS", 1)  # each offset is a block, several are a group
    monkeypatch.setattr(_shifts, "_FEW_BLOCKS", 4)
    X, Y = rng.normal(size=(60, 3)), rng.normal(size=(60, 2))
    second = GaussianDiagonals(Y, 1.0) if safe else KernelDiagonals(Gaussian(1.0), Y)
    sources, circles = (GaussianDiagonals(X, 2.0, count=2), second), Circles(60, 30, rng)
    before = numba.get_num_threads()
    found = []
    for cores in (1, min(2, before)):
        numba.set_num_threads(cores)
        found.append([*pair_sums(*sources, circles), *label_sums(sources[0], Y[:, 0], circles)])
    numba.set_num_threads(before)
    for one, two in zip(*found):
        np.testing.assert_array_equal(one, two)
    monkeypatch.undo()
    whole = [*pair_sums(*sources, circles), *label_sums(sources[0], Y[:, 0], circles)]
    for one, two in zip(found[0], whole):
        np.testing.assert_allclose(one, two, atol=1e-12)


def test_every_permutation_of_a_circle_is_another():
    circles = Circles(11, 10, np.random.default_rng(1))
    orders = np.concatenate(list(circles.some(4)))
    np.testing.assert_array_equal(orders[0], np.arange(11))
    assert len({tuple(order) for order in orders}) == 11
    assert len(Circles(5, 99, rng).partners) == 20


def test_ranks_are_uniform():
    """The rank of the data among shifts, for any statistic: here one far from symmetric."""
    generator, n, B, repetitions = np.random.default_rng(0), 7, 19, 4000
    ranks = np.empty(repetitions)
    for r in range(repetitions):
        x, y = generator.exponential(size=(2, n)) ** 3
        values = correlations(x, y, Circles(n, B, generator))
        ranks[r] = (values >= values[0] - 1e-9).mean()
    for level in (0.05, 0.1, 0.25, 0.5):  # ties make it smaller, never larger
        error = np.sqrt(level * (1 - level) / repetitions)
        assert (ranks <= level + 1e-9).mean() <= level + 3.5 * error
        assert (ranks <= level + 1e-9).mean() >= level - 3.5 * error - 0.01
