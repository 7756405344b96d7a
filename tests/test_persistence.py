import functools

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import noneuclid
from noneuclid import _persistence
from noneuclid.kernels import FunctionKernel, Gaussian, PairKernel
from noneuclid.spaces import LinearSpace, Lp
from noneuclid.testing import example_kernels, example_points, example_spaces


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skops"


def values(thing, X):
    return thing.squared_distance(X, X) if hasattr(thing, "squared_distance") else thing(X)


@pytest.mark.parametrize(
    "thing",
    [k for k in example_kernels() if not isinstance(k, (FunctionKernel, PairKernel))]
    + example_spaces(),
    ids=str,
)
def test_everything_comes_back(thing, path):
    X = example_points(thing, np.random.default_rng(0), 4)
    expected = values(thing, X)  # before saving: what is remembered must not hinder
    noneuclid.save(thing, path)
    back = noneuclid.load(path)
    assert type(back) is type(thing)
    np.testing.assert_array_equal(values(back, X), expected)


def test_fitted_scikit_learn_models_with_our_kernels(path):
    X = np.random.default_rng(0).normal(size=(30, 3))
    y = np.arange(30) % 2
    model = make_pipeline(PCA(2), SVC(kernel=Gaussian(0.5))).fit(X, y)
    noneuclid.save(model, str(path))
    np.testing.assert_array_equal(noneuclid.load(str(path)).predict(X), model.predict(X))


@pytest.mark.parametrize("basis", ["bspline", "fourier", "monomial"])
def test_functional_components_come_back(basis, path):
    X = np.random.default_rng(0).normal(size=(12, 20))
    model = noneuclid.FunctionalPCA(basis=basis).fit(X)
    noneuclid.save(model, path)
    np.testing.assert_array_equal(noneuclid.load(path).transform(X), model.transform(X))


def test_compiled_functions_are_refused_and_nothing_written(path):
    rapidfuzz = pytest.importorskip("rapidfuzz")
    words, y = ["aa", "ab", "ba", "xxx", "xxy", "yxx"], [0, 0, 0, 1, 1, 1]
    metric = rapidfuzz.distance.Levenshtein.distance
    model = noneuclid.RelationalGLVQ(metric=metric, max_epochs=1).fit(words, y)
    with pytest.raises(ValueError, match="holds something that cannot be written"):
        noneuclid.save(model, path)
    assert not path.exists()


def linear(X, Y):
    return X @ Y.T


def test_functions_have_to_be_trusted_by_name(path):
    noneuclid.save(FunctionKernel(linear), path)
    name = f"{__name__}.linear"
    with pytest.raises(ValueError, match=rf"not trusted: {name}.*trusted=\[\.\.\.\]"):
        noneuclid.load(path)
    assert noneuclid.load(path, trusted=[name])(np.eye(2)).tolist() == np.eye(2).tolist()


class Foreign(LinearSpace):
    def dual(self, V):
        return V


def test_foreign_types_have_to_be_trusted_by_name(path):
    noneuclid.save(Foreign(), path)
    with pytest.raises(ValueError, match=f"not trusted: {__name__}.Foreign"):
        noneuclid.load(path)
    assert type(noneuclid.load(path, trusted=[f"{__name__}.Foreign"])) is Foreign


def inner_function():
    def inner(X, Y):
        return X @ Y.T

    return inner


def inner_class():
    class Inner(Lp):
        pass

    return Inner


@pytest.mark.parametrize(
    "model",
    [
        FunctionKernel(lambda X, Y: X @ Y.T),
        FunctionKernel(inner_function()),
        FunctionKernel(functools.partial(lambda X, Y, c: c * X @ Y.T, c=2.0)),
        make_pipeline(PCA(), SVC(kernel=FunctionKernel(lambda X, Y: X @ Y.T))),
        {"list": [FunctionKernel(lambda X, Y: X @ Y.T)]},
        inner_class()(),
    ],
)
def test_what_cannot_be_found_again_is_refused_and_nothing_written(model, path):
    path.write_text("precious")
    with pytest.raises(ValueError, match=r"cannot save .*<l.*top level of a module"):
        noneuclid.save(model, path)
    assert path.read_text() == "precious"


def test_another_version_warns(path, monkeypatch):
    monkeypatch.setattr(_persistence, "__version__", "0.0.1")
    noneuclid.save(Lp(1.5), path)
    monkeypatch.undo()
    with pytest.warns(UserWarning, match=f"noneuclid 0.0.1, this is {noneuclid.__version__}"):
        assert noneuclid.load(path).p == 1.5


def test_missing_and_strange_files(path, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no model file .*model\.skops"):
        noneuclid.load(path)
    path.write_text("not a model")
    with pytest.raises(ValueError, match="not a model saved by noneuclid"):
        noneuclid.load(path)
    import skops.io

    skops.io.dump({"some": "thing"}, path)
    with pytest.raises(ValueError, match="not a model saved by noneuclid"):
        noneuclid.load(path)
    with pytest.raises(FileNotFoundError):
        noneuclid.load(tmp_path)


def test_without_skops_the_extra_is_named(path, monkeypatch):
    monkeypatch.setattr(_persistence.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install \"noneuclid\[io\]\""):
        noneuclid.save(Lp(), path)
