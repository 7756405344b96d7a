"""dHSIC: against the naive formula, its level, and dependence that no two variables show."""

import itertools

import numpy as np
import pytest

from noneuclid.information import independence_test, joint_independence_test
from noneuclid.information._shifts import Circles
from noneuclid.information._variables import ONE, Variable
from noneuclid.information.joint_independence import _shifts, _statistics
from noneuclid.kernels import Gaussian, Laplacian, SpikeTrainKernel

rng = np.random.default_rng(0)


def naive(grams):
    """The definition with sums over d + 1 indices, one expectation after the other."""
    n, d = len(grams[0]), len(grams)
    joint = sum(np.prod([K[i, j] for K in grams]) for i in range(n) for j in range(n)) / n**2
    marginal = np.prod([K.mean() for K in grams])
    cross = sum(
        np.prod([grams[v][i, js[v]] for v in range(d)])
        for i in range(n)
        for js in itertools.product(range(n), repeat=d)
    ) / n ** (d + 1)
    return joint - 2 * cross + marginal


@pytest.mark.parametrize(("d", "n"), [(2, 9), (3, 6), (4, 4)])
def test_statistic_and_null_are_those_of_the_definition(d, n):
    variables = [rng.normal(size=(n, v + 1)) for v in range(d)]
    kernels = [Gaussian(1.0), *[Laplacian(1.0 + v) for v in range(1, d)]]
    grams = [kernel(X) for kernel, X in zip(kernels, variables)]
    result = joint_independence_test(variables, kernels=kernels, n_permutations=19, random_state=0)
    assert result.statistic == pytest.approx(naive(grams), rel=1e-10)
    generator = np.random.default_rng(4)
    parts = [
        Variable(X, 1.0, k, "X", generator, parameter="kernel", many=ONE)
        for X, k in zip(variables, kernels)
    ]
    circles = Circles(n, 19, np.random.default_rng(1), n_others=d - 1)
    values, _ = _statistics(parts, circles, np.random.default_rng(2))
    shifts = _shifts(circles, d, np.random.default_rng(2))
    for b in (0, 1, 7, 19):
        orders = [np.roll(o, -k) for o, k in zip(_orders(circles, b), shifts[b])]
        permuted = [K[o][:, o] for K, o in zip(grams, orders)]
        assert values[b] == pytest.approx(naive(permuted), rel=1e-9)


def _orders(circles, b):
    return [circles.order, *circles.circles[circles.chosen[b] // circles.n]]


def test_two_variables_are_those_of_the_other_test():
    X, Y = rng.normal(size=(2, 40, 2))
    Y = Y + X
    joint = joint_independence_test([X, Y], n_permutations=99, random_state=0)
    kernels = [Gaussian("median").resolve(Z) for Z in (X, Y)]
    pair = independence_test(X, Y, kernel_x=kernels[0], kernel_y=kernels[1], random_state=0)
    assert joint.statistic == pytest.approx(pair.statistic)
    assert joint.pvalue == 0.01


def parity(g, n=60):
    bits = g.integers(0, 2, size=(2, n, 1))
    return [*bits.astype(float), (bits[0] ^ bits[1]).astype(float)]


def test_what_depends_together_but_not_in_pairs():
    three = parity(np.random.default_rng(1))
    assert joint_independence_test(three, n_permutations=99, random_state=0).pvalue == 0.01
    for A, B in itertools.combinations(three, 2):
        assert independence_test(A, B, n_permutations=99, random_state=0).pvalue > 0.05


def test_first_two_alone():
    """Dependence that shifting only the last variable would never break."""
    g = np.random.default_rng(3)
    x, z = g.normal(size=(2, 50, 1))
    call = {"n_permutations": 99, "random_state": 0}
    for variables in ([x, x + 0.1 * z, g.normal(size=(50, 1))], [g.normal(size=(50, 1)), z, -z]):
        assert joint_independence_test(variables, **call).pvalue == 0.01


@pytest.mark.parametrize("n", [8, 25])
def test_level(n):
    g = np.random.default_rng(0)
    rejected = [
        joint_independence_test(
            [g.normal(size=(n, 1)), g.exponential(size=(n, 1)), g.normal(size=(n, 2))],
            n_permutations=19,
            random_state=g,
        ).rejected
        for _ in range(200)
    ]
    assert np.mean(rejected) <= 0.05 + 3 * 0.0154


def test_objects_and_matrices():
    t = rng.random(8)
    trains = [np.sort(rng.random(rng.poisson(2 + 30 * s))) for s in t]
    K = Gaussian(0.5)(rng.normal(size=(8, 1)))
    result = joint_independence_test(
        [trains, t[:, None], K],
        ["median", 0.2, "median"],
        kernels=[SpikeTrainKernel(0.2), None, "precomputed"],
        n_permutations=99,
        random_state=0,
    )
    grams = [SpikeTrainKernel(0.2)(trains), Gaussian(0.2 * np.sqrt(2))(t[:, None]), K]
    assert result.statistic == pytest.approx(naive(grams), rel=1e-9)


def test_bad_input():
    X = rng.normal(size=(10, 1))
    for variables, options, sentence in (
        ([X], {}, "variables must be two or more; there are 1"),
        (X, {}, "variables must be a list of arrays"),
        (None, {}, "variables must be a list of arrays"),
        ([X, X[1:]], {}, r"variables\[0\] has 10 samples and variables\[1\] has 9"),
        ([X, X, X], {"width": [1.0, 1.0]}, "width has 2 entries for 3 variables"),
        ([X, X], {"kernels": ["rbf"]}, "kernels has 1 entries for 2 variables"),
        ([X, X], {"kernels": [["rbf"], "rbf"]}, r"kernels\[0\] must be one kernel"),
        ([X, X], {"kernels": ["rbff", None]}, r"kernels\[0\] .* must be a Kernel"),
        ([X, X], {"width": "wide"}, "must be one of"),
        ([X, X], {"width": "aggregate"}, "aggregate"),
        ([X, X], {"n_permutations": 10}, "is too few for level"),
        ([X, np.full((10, 1), np.nan)], {}, r"Input variables\[1\] contains NaN"),
    ):
        with pytest.raises(ValueError, match=sentence):
            joint_independence_test(variables, **options)


def test_dask_collections_are_refused():
    da = pytest.importorskip("dask.array")
    X = da.from_array(rng.normal(size=(10, 1)))
    with pytest.raises(ValueError, match="no dask collections"):
        joint_independence_test([X, X])
