"""Two-sample and independence tests with any kernel: words, trains, bags, curves, matrices."""

import re

import numpy as np
import pytest

from noneuclid.information import independence_test, joint_independence_test, two_sample_test
from noneuclid.kernels import (
    CrossInformationPotential,
    FunctionKernel,
    Gaussian,
    Laplacian,
    Linear,
    PairKernel,
    SemiInnerProduct,
    SpikeTrainKernel,
)
from noneuclid.spaces import Lp

rng = np.random.default_rng(0)
n = 24
T = rng.random((n, 1))
WORDS = ["a" * int(1 + 6 * t) + "b" * int(k) for t, k in zip(T[:, 0], rng.integers(0, 3, n))]
TRAINS = [np.sort(rng.random(rng.poisson(4 + 20 * t))) for t in T[:, 0]]
BAGS = [rng.normal(0, 0.5 + 2 * t, size=(15, 1)) for t in T[:, 0]]
CURVES = np.sin(np.linspace(0, 3, 20) * (1 + T)) + 0.05 * rng.normal(size=(n, 20))
NOISE = rng.normal(size=(n, 2))


def shared_letters(a, b):
    return float(sum(min(a.count(c), b.count(c)) for c in "ab"))


OBJECTS = {
    "words": (WORDS, shared_letters),
    "pairs": (WORDS, PairKernel(shared_letters, symmetric=True)),
    "trains": (TRAINS, SpikeTrainKernel(0.1)),
    "bags": (BAGS, CrossInformationPotential("median")),
    "curves": (CURVES, Laplacian("median")),
    "matrix": (Gaussian(1.0)(CURVES), "precomputed"),
    "named": (CURVES, "linear"),
}


def matrix_of(objects, kernel):
    if isinstance(kernel, str) and kernel == "precomputed":
        return objects
    if kernel is shared_letters:
        return np.array([[shared_letters(a, b) for b in objects] for a in objects])
    kernel = Linear() if isinstance(kernel, str) else kernel
    return kernel.resolve(objects)(objects)


@pytest.mark.parametrize("name", OBJECTS)
def test_independence_of_objects(name):
    objects, kernel = OBJECTS[name]
    K, L = matrix_of(objects, kernel), Gaussian(0.3)(T)
    H = np.eye(n) - 1 / n
    result = independence_test(
        objects, T, kernel_x=kernel, kernel_y=Gaussian(0.3), n_permutations=99, random_state=0
    )
    assert result.statistic == pytest.approx(np.trace(K @ H @ L @ H) / n**2, rel=1e-9)
    assert result.pvalue == 0.01
    turned = independence_test(NOISE, objects, kernel_y=kernel, n_permutations=99, random_state=1)
    assert turned.pvalue > 0.01


@pytest.mark.parametrize("name", OBJECTS)
def test_two_samples_of_objects(name):
    objects, kernel = OBJECTS[name]
    K, first = matrix_of(objects, kernel), T[:, 0] < 0.5
    labels = np.where(first, "low", "some")
    order = np.argsort(~first, kind="stable")
    K = K[order][:, order]
    k = int(first.sum())
    by_matrix = two_sample_test(
        K, labels[order], kernel="precomputed", n_permutations=99, random_state=0
    )
    expected = K[:k, :k].mean() - 2 * K[:k, k:].mean() + K[k:, k:].mean()
    assert by_matrix.statistic == pytest.approx(expected, rel=1e-9)
    if name == "matrix":
        return
    parts = [[objects[i] for i in order[:k]], [objects[i] for i in order[k:]]]
    by_kernel = two_sample_test(*parts, kernel=kernel, n_permutations=99, random_state=0)
    assert by_kernel.statistic == pytest.approx(expected, rel=1e-9)
    assert by_kernel.pvalue == by_matrix.pvalue == 0.01


def test_kernels_on_blocks_of_rows(monkeypatch):
    call = {"kernel_x": Laplacian(1.0), "kernel_y": Gaussian(1.0), "random_state": 0}
    held = independence_test(CURVES, NOISE, n_permutations=50, **call)
    monkeypatch.setattr("noneuclid.information._diagonals._HELD", 2)
    by_tiles = independence_test(CURVES, NOISE, n_permutations=50, **call)
    np.testing.assert_allclose(by_tiles.null, held.null, rtol=1e-9)


def test_several_kernels_of_objects():
    kernels = [SpikeTrainKernel(w) for w in (0.02, 0.1, 0.5)]
    result = independence_test(TRAINS, T, "median", kernel_x=kernels, random_state=0)
    assert len(result.kernels) == 3
    assert result.deciding[0][0] in kernels
    order = np.argsort(T[:, 0])
    slow, fast = ([TRAINS[i] for i in part] for part in (order[:12], order[12:]))
    result = two_sample_test(slow, fast, kernel=kernels, random_state=0)
    assert result.rejected
    mixed = two_sample_test(WORDS[:12], WORDS[12:], kernel=[shared_letters, shared_letters])
    assert mixed.statistics[0] == mixed.statistics[1]


def test_what_is_no_positive_kernel_is_refused():
    D = np.abs(T - T.T)
    with (
        pytest.warns(UserWarning, match="dist"),
        pytest.raises(ValueError, match="is not a positive kernel"),
    ):
        independence_test(D, T, kernel_x="precomputed")
    sentence = "is not a positive kernel, .* eigenvalues are negative: it has no means"
    indefinite = FunctionKernel(lambda A, B: A @ B.T - 3.0 * np.outer(A[:, 0], B[:, 0]))
    with pytest.raises(ValueError, match=sentence):
        two_sample_test(NOISE[:9], NOISE[9:], kernel=indefinite)
    with pytest.raises(ValueError, match=sentence):
        independence_test(NOISE, T, kernel_x=indefinite)
    with pytest.raises(ValueError, match="must be symmetric"):
        two_sample_test(NOISE[:9], NOISE[9:], kernel=SemiInnerProduct(Lp(1.5)))
    with pytest.raises(ValueError, match="must be symmetric"):
        independence_test(np.triu(np.ones((n, n))), T, kernel_x="precomputed")


def test_bad_kernels_and_matrices():
    K = np.eye(6)
    with pytest.raises(ValueError, match="Y must hold 6 labels of two kinds"):
        two_sample_test(K, [0, 0, 0, 1, 1, 2], kernel="precomputed")
    with pytest.raises(ValueError, match="Y must hold 6 labels of two kinds"):
        two_sample_test(K, [0, 1], kernel="precomputed")
    with pytest.raises(ValueError, match="the second sample must hold at least two"):
        two_sample_test(K, [0, 0, 0, 0, 0, 1], kernel="precomputed")
    with pytest.raises(ValueError, match="X must be a square matrix"):
        independence_test(np.ones((6, 2)), T[:6], kernel_x="precomputed")
    with pytest.raises(ValueError, match=r"kernel_x .* must be a Kernel, a function or one of"):
        independence_test(NOISE, T, kernel_x="gausian")
    with pytest.raises(ValueError, match="low_rank is for Gaussian kernels"):
        independence_test(NOISE, T, kernel_x="linear", low_rank=1e-3)
    with pytest.raises(ValueError, match="X has 24 samples and Y has 23"):
        independence_test(WORDS, T[1:], kernel_x=shared_letters)


@pytest.mark.parametrize("rule", ["silverman", "loo"])
def test_rules_for_densities_say_that_they_see_nothing(rule):
    A, B = np.random.default_rng(0).normal(size=(2, 30, 300))
    with pytest.warns(UserWarning, match=f'width="{rule}" finds .* for both samples.*"median"'):
        assert two_sample_test(A, B + 1.0, rule, n_permutations=19).pvalue == 1.0
    for width in ("median", "aggregate"):
        assert two_sample_test(A, B + 1.0, width, n_permutations=19).pvalue == 0.05
    with pytest.warns(UserWarning, match="for X"), pytest.warns(UserWarning, match="for Y"):
        independence_test(A, A, rule, n_permutations=19)


@pytest.mark.parametrize("width", [0.01, "aggregate", "silverman"])
def test_a_width_beside_a_kernel_is_refused(width):
    A, B = NOISE[:9], NOISE[9:]
    shown = re.escape(f"width (={width!r}) would be ignored beside ")
    for call, named in (
        (lambda: two_sample_test(A, B, width, kernel="rbf"), r"kernel \(='rbf'\)"),
        (lambda: two_sample_test(A, B, width, kernel=["rbf", "linear"]), "kernel"),
        (
            lambda: independence_test(NOISE, T, width, kernel_x="rbf", kernel_y="linear"),
            r"kernel_x \(='rbf'\), kernel_y \(='linear'\)",
        ),
        (lambda: independence_test(NOISE, T, ("median", width), kernel_y="rbf"), "kernel_y"),
        (lambda: joint_independence_test([NOISE, T], width, kernels="rbf"), r"kernels\[0\]"),
        (
            lambda: joint_independence_test([NOISE, T], ["median", width], kernels=[None, "rbf"]),
            r"kernels\[1\]",
        ),
    ):
        with pytest.raises(ValueError, match=shown + named):
            call()
    with pytest.raises(ValueError, match="low_rank is for the Gaussian kernel"):
        two_sample_test(A, B, kernel="rbf", low_rank=1e-6)


def test_a_width_of_the_variable_without_a_kernel():
    call = {"kernel_x": Laplacian(1.0), "n_permutations": 19, "random_state": 0}
    one = independence_test(NOISE, T, 0.3, **call)
    pair = independence_test(NOISE, T, (None, 0.3), **call)
    np.testing.assert_array_equal(one.null, pair.null)
    assert one.statistic != independence_test(NOISE, T, 0.6, **call).statistic
