"""Functions of two objects as kernels."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from noneuclid._parameters import InvalidParameter
from noneuclid.kernels import FunctionKernel, PairKernel, as_kernel
from noneuclid.kernels.pairs import Objects, all_pairs, as_object_list
from noneuclid.pca import GeneralizedKernelPCA
from noneuclid.prototypes import KernelGLVQ
from noneuclid.proximities import DTW, Relation, VanRossum, VictorPurpura, pairwise

WORDS = ["cat", "cart", "dog", "dot"]


def shared(a, b):
    return len(set(a) & set(b))


def product(x, y):
    assert x.ndim == y.ndim == 1
    return x @ y


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(9, 4)), rng.normal(size=(5, 4))


def test_all_pairs_of_objects():
    expected = [[shared(a, b) for b in WORDS[:2]] for a in WORDS]
    kernel = PairKernel(shared)
    np.testing.assert_array_equal(kernel(WORDS, WORDS[:2]), expected)
    np.testing.assert_array_equal(kernel(WORDS)[:, :2], expected)
    np.testing.assert_array_equal(kernel.diag(WORDS), [3, 4, 3, 3])
    np.testing.assert_array_equal(kernel(np.array(WORDS))[:, :2], expected)
    assert kernel([], WORDS).shape == (0, 4)
    assert kernel.takes_objects


def test_rows_of_tables_come_as_arrays(rows):
    X, Y = rows
    kernel = as_kernel(product)
    assert isinstance(kernel, PairKernel)
    np.testing.assert_allclose(kernel(X, Y), X @ Y.T)
    np.testing.assert_allclose(kernel.diag(X), (X**2).sum(axis=1))
    pd = pytest.importorskip("pandas")
    np.testing.assert_allclose(kernel(pd.DataFrame(X)), X @ X.T)


def test_half_the_calls_if_symmetric():
    calls = []

    def counted(a, b):
        calls.append(1)
        return shared(a, b)

    full = PairKernel(counted)(WORDS)
    assert len(calls) == 16
    calls.clear()
    kernel = PairKernel(counted, symmetric=True)
    np.testing.assert_array_equal(kernel(WORDS), full)
    assert len(calls) == 10
    assert kernel.is_symmetric
    assert not PairKernel(counted).is_symmetric
    np.testing.assert_array_equal(kernel(WORDS, WORDS), full)


def test_in_learners(rows):
    X, _ = rows
    y = np.arange(9) % 2
    ours = SVC(kernel=PairKernel(product)).fit(X, y).decision_function(X)
    np.testing.assert_allclose(ours, SVC(kernel="linear").fit(X, y).decision_function(X), atol=1e-9)
    by_pairs = GeneralizedKernelPCA(kernel=product, random_state=0).fit(X)
    by_matrix = GeneralizedKernelPCA(kernel=FunctionKernel(lambda A, B: A @ B.T), random_state=0)
    np.testing.assert_allclose(
        np.abs(by_pairs.transform(X)), np.abs(by_matrix.fit(X).transform(X)), atol=1e-8
    )
    words = KernelGLVQ(kernel=PairKernel(shared), random_state=0).fit(WORDS, [0, 0, 1, 1])
    assert words.predict(["card", "god"]).tolist() == [0, 1]


@pytest.mark.parametrize(
    "whole", [rbf_kernel, lambda A, B: np.exp(-np.abs(A[:, None] - B).sum(axis=2))]
)
def test_functions_of_whole_matrices_are_told_apart(whole, rows):
    with pytest.raises(ValueError, match=r"gave no number for two objects.*FunctionKernel") as info:
        as_kernel(whole)(*rows)
    assert info.value.__cause__ is not None
    assert FunctionKernel(whole)(*rows).shape == (9, 5)


def test_an_array_is_no_number(rows):
    with pytest.raises(ValueError, match=r"<lambda> gave no number .*FunctionKernel\(function\)"):
        as_kernel(lambda a, b: a * b)(*rows)
    with pytest.raises(ValueError, match="metric returned inf for objects 0 and 1"):
        as_kernel(lambda a, b: 0.0 if a is b else np.inf)(Objects("ab"))


def test_wrong_parameters_and_objects():
    with pytest.raises(TypeError, match=r"function \(=3\) must be callable"):
        PairKernel(3)(WORDS)
    with pytest.raises(ValueError, match=r"='nobody'.*is not known here: .*register_metric"):
        PairKernel("nobody")(WORDS)
    with pytest.raises(TypeError, match="X must be a list of objects, not one str"):
        PairKernel(shared)("cat")
    with pytest.raises(TypeError, match="Y must be a list of objects, not one float"):
        PairKernel(shared)(WORDS, 3.0)


def test_parameters_clone():
    kernel = clone(PairKernel(shared, symmetric=True))
    assert kernel.get_params() == {"function": shared, "symmetric": True}


def test_objects_take_indices_as_arrays_do():
    objects = Objects("abcd")
    assert objects[np.array([2, 0])] == ["c", "a"]
    assert objects[np.array([True, False, False, True])] == ["a", "d"]
    assert isinstance(objects[1:], Objects)
    assert objects[-1] == "d"
    assert objects[np.int64(1)] == "b"
    table = np.eye(3)
    assert as_object_list(table) is table
    assert as_object_list(objects) is objects
    assert as_object_list(iter("ab")) == ["a", "b"]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_many_pairs_are_split_into_tasks(n_jobs):
    numbers = list(range(300))
    D = all_pairs(numbers, numbers, lambda a, b: abs(a - b), symmetric=True, n_jobs=n_jobs)
    np.testing.assert_array_equal(D, np.abs(np.subtract.outer(numbers, numbers)))


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        (VictorPurpura(cost=-1), r"cost \(=-1\)"),
        (VanRossum(tau=0), r"tau \(=0\)"),
        (DTW(window=1.5), r"window \(=1.5\)"),
    ],
)
def test_a_parameter_is_named_as_such(metric, name):
    objects = [np.array([0.0, 1.0]), np.array([0.5, 2.0])]
    with pytest.raises(InvalidParameter, match=rf"^{name} must be"):
        pairwise(objects, metric=metric)
    relation = Relation(metric=metric, proximity="dissimilarity")
    with pytest.raises(InvalidParameter, match=rf"^{name} must be"):
        relation.fit(objects)
