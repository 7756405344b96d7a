"""The Hebbian rule in the data space with responses of semi-inner-product kernels."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import noneuclid
from noneuclid import GLVQ, HebbianPCA, NeuralGas
from noneuclid.kernels import BanachGaussian, Gaussian, SemiInnerProduct
from noneuclid.pca._kernel_rule import _Rule
from noneuclid.spaces import IncompatibleSpace, KernelMetric, KernelResponse, Lp
from noneuclid.testing import all_estimators

X = load_iris().data


def rests(model, X):
    """How far the expected update is from zero, relative to the component."""
    V = X - model.mean_
    W = model.components_
    out = model.space_.product(V, W)
    out = out - out.mean(axis=0)
    update = out.T @ V / (out**2).sum(axis=0)[:, None] - W
    return np.linalg.norm(update, axis=1) / np.linalg.norm(W, axis=1)


def test_at_two_it_is_the_gaussian_rule():
    kernels = BanachGaussian(p=2.0, width=3.0), Gaussian(3.0)
    models = [HebbianPCA(space=KernelResponse(kernel)).fit(X) for kernel in kernels]
    metric = HebbianPCA(space=KernelMetric(Gaussian(3.0))).fit(X)
    for model in models:
        np.testing.assert_allclose(model.transform(X), metric.transform(X), atol=1e-6)


@pytest.mark.parametrize("p", [1.3, 1.5, 3.0])
def test_a_linear_kernel_rests_where_the_rule_of_the_space_rests(p):
    """γ(v, w) = [v, w] of l_p: the first component is that of the space, up to centring."""
    V = np.random.default_rng(0).normal(size=(400, 3)) * [3.0, 1.0, 0.5]
    V = np.vstack([V, -V])  # then responses are centred anyhow
    space = Lp(p)
    ours = HebbianPCA(space=KernelResponse(SemiInnerProduct(space)), n_components=1).fit(V)
    theirs = HebbianPCA(space=space, n_components=1).fit(V)
    w, expected = ours.components_[0], theirs.components_[0]
    w = w * np.sign(w @ expected)
    np.testing.assert_allclose(w, expected, atol=1e-4)
    assert space.norm(w[None, :])[0] == pytest.approx(1.0, abs=1e-4)
    assert rests(ours, V)[0] < 1e-4


@pytest.mark.parametrize("p", [1.5, 3.0])
def test_responses_of_a_banach_kernel_carry_the_structure(p):
    """Two classes that differ in one direction: the first response tells them apart."""
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 100)
    V = rng.normal(size=(200, 4)) * 0.3
    V[:, 2] += 2.0 * y
    model = HebbianPCA(space=KernelResponse(BanachGaussian(p=p, width=2.0)), n_components=2)
    scores = model.fit_transform(V)
    np.testing.assert_allclose(scores.mean(axis=0), 0.0, atol=1e-12)
    assert abs(np.corrcoef(scores[:, 0], y)[0, 1]) > 0.95
    assert abs(np.corrcoef(scores.T)[0, 1]) < 0.9
    assert np.argmax(np.abs(model.components_[0])) == 2


def test_it_is_not_symmetric():
    space = KernelResponse(BanachGaussian(p=3.0))
    A = space.product(X[:5] - X.mean(axis=0), X[:5] - X.mean(axis=0))
    assert not np.allclose(A, A.T)


def test_copies_and_files(tmp_path):
    model = HebbianPCA(space=KernelResponse(BanachGaussian(p=1.5, width=3.0))).fit(X)
    noneuclid.save(model, tmp_path / "model.skops")
    for copy in (pickle.loads(pickle.dumps(model)), noneuclid.load(tmp_path / "model.skops")):
        np.testing.assert_array_equal(copy.transform(X), model.transform(X))
    assert clone(model).space.kernel.p == 1.5
    assert clone(model).set_params(space__kernel__width=2.0).space.kernel.width == 2.0


@pytest.mark.parametrize("kernel", [3, "gaussian", None])
def test_what_is_no_kernel_is_refused(kernel):
    with pytest.raises(TypeError, match="KernelResponse needs a kernel with `__call__`"):
        HebbianPCA(space=KernelResponse(kernel)).fit(X)


TAKING_SPACES = sorted(
    cls.__name__ for cls in all_estimators() if "space" in cls().get_params(deep=False)
)


@pytest.mark.parametrize("name", [name for name in TAKING_SPACES if name != "HebbianPCA"])
def test_learners_of_distances_refuse_it(name):
    cls = next(cls for cls in all_estimators() if cls.__name__ == name)
    y = X[:, 0] if "Regressor" in name else load_iris().target
    with pytest.raises(IncompatibleSpace, match=r"needs a (space with|Hilbert|linear)"):
        cls(space=KernelResponse(BanachGaussian())).fit(X, y)


def test_examples_of_refusal():
    for model in (GLVQ, NeuralGas):
        with pytest.raises(IncompatibleSpace):
            model(space=KernelResponse(BanachGaussian())).fit(X, load_iris().target)


def test_a_function_responds_as_the_kernel_does():
    """What has no formula of its own for rows that are valid already is asked in public."""
    gaussian = Gaussian(3.0)
    by_function = HebbianPCA(space=KernelResponse(lambda A, B: gaussian(A, B)), max_iter=20)
    by_kernel = HebbianPCA(space=KernelResponse(gaussian), max_iter=20)
    with pytest.warns(ConvergenceWarning):
        models = by_function.fit(X), by_kernel.fit(X)
    np.testing.assert_allclose(models[0].components_, models[1].components_, rtol=1e-9)


def test_a_start_is_the_longest_that_the_rule_pushes_outward():
    rule = _Rule(KernelMetric(Gaussian(0.5)), X - X.mean(axis=0), np.empty((0, 4)))
    axis = np.array([0.5, -0.5, 0.5, 0.5])

    def outward(w):
        return rule.move(w, rule.responses(w[None, :])[:, 0]) @ w > 0

    w = rule.start(axis)
    halvings = round(np.log2(rule.size / np.linalg.norm(w)))
    assert outward(w)
    assert not any(outward(rule.size * axis / 2.0**j) for j in range(halvings))


def test_starts_looked_at_together_are_told_apart_as_one_by_one():
    """`pushes` of many rows is the sign of `move` of each, with and without earlier components."""
    V, rng = X - X.mean(axis=0), np.random.default_rng(0)
    for earlier in (np.empty((0, 4)), rng.normal(size=(2, 4))):
        rule = _Rule(KernelMetric(Gaussian(1.0)), V, earlier)
        W = rng.normal(size=(40, 4)) * 10.0 ** rng.uniform(-2, 1, size=(40, 1))
        out = rule.responses(W)
        one_by_one = [rule.move(w, o) @ w > 0 for w, o in zip(W, out.T.copy())]
        assert 0 < sum(one_by_one) < 40
        np.testing.assert_array_equal(rule.pushes(W, out), one_by_one)
