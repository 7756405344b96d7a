"""Fits and predictions from several threads give what one thread gives, to the last bit."""

import copy
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.base import clone

import campaigns
import test_contract as contract
from noneuclid.kernels import Gaussian
from noneuclid.proximities import Relation, metrics, register_metric
from noneuclid.spaces import Hilbert, IncompatibleSpace, KernelMetric, Sobolev
from noneuclid.testing import example_kernels, example_points, example_spaces

N_THREADS = 4
GRAM = np.diag([1.0, 2.0, 3.0, 4.0]) + 0.1
PARTS = {
    "space": [Sobolev(p=1.5), Hilbert(GRAM), KernelMetric(Gaussian(2.0))],
    "kernel": [Gaussian(2.0)],
    "metric": [Gaussian(2.0)],
}


@pytest.fixture(autouse=True)
def _threads_change_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(work, n=N_THREADS):
    """What ``work(k)`` gives in n threads that begin together."""
    together = threading.Barrier(n)

    def begin(k):
        together.wait(60)
        return work(k)

    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(begin, range(n)))


def sharing():
    """(class, parameter, part that all threads share), for every estimator that takes one."""
    for cls in contract.CLASSES.values():
        found = False
        for name, default in cls().get_params(deep=False).items():
            for part in PARTS.get(name, []) if not isinstance(default, bool) else []:
                found = True
                yield (
                    cls,
                    name,
                    contract.OF_OBJECTS[cls](0.01) if cls in contract.OF_OBJECTS else part,
                )
        if not found:
            yield cls, None, None


def with_part(cls, name, part):
    model = contract.prepared(cls(**contract.settings(cls)[0].params))
    params = model.get_params()
    if name == "metric":
        if "proximity" not in params:
            return model, None
        model.set_params(proximity="similarity")
    if "max_epochs" in params:
        model.set_params(max_epochs=2)
    return model, part


@pytest.mark.trust
@pytest.mark.parametrize(
    ("cls", "name", "part"),
    [pytest.param(*case, id=f"{case[0].__name__}-{case[2]}") for case in sharing()],
)
def test_fits_that_share_their_parts(cls, name, part):
    model, part = with_part(cls, name, part)

    def fitted(shared):
        mine = clone(model)
        if shared is not None:
            setattr(mine, name, shared)
        X, y, new = contract.problem(mine)
        return contract.outputs(mine.fit(X, y), new)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so few epochs do not converge
        try:
            expected = fitted(copy.deepcopy(part))
        except IncompatibleSpace:
            return  # refused before anything is shared
        rounds = campaigns.size(1, 5)
        for _ in range(rounds):
            shared = copy.deepcopy(part)  # nothing is remembered yet
            found = in_threads(lambda _, shared=shared: fitted(shared))
            campaigns.record(
                "Threads and processes",
                "fits of all estimators in 4 threads that share a space, kernel or metric",
                tried=len(found),
                failed=sum(not same(f, expected) for f in found),
            )
            for one in found:
                contract.assert_same(one, expected, f"in a thread, sharing {part}")


def same(found, expected):
    return all(np.array_equal(found[name], expected[name]) for name in expected)


@pytest.mark.trust
@contract.every_model
def test_one_model_answers_many_threads(model):
    X, y, new = contract.problem(model)
    fitted = contract.prepared(model).fit(X, y)
    expected = contract.outputs(fitted, new)
    fresh = copy.deepcopy(fitted)  # what is computed on demand is not there yet
    found = in_threads(lambda _: contract.outputs(fresh, new))
    campaigns.record(
        "Threads and processes",
        "answers of one fitted model to 4 threads at once",
        tried=len(found),
        failed=sum(not same(f, expected) for f in found),
    )
    for one in found:
        contract.assert_same(one, expected, "in a thread")


@pytest.mark.parametrize("thing", [*example_spaces(), *example_kernels()])
def test_spaces_and_kernels_in_threads(thing):
    X = example_points(thing, np.random.default_rng(0), 6)

    def values(thing):
        return thing.squared_distance(X, X) if hasattr(thing, "squared_distance") else thing(X)

    expected, fresh = values(thing), copy.deepcopy(thing)
    for found in in_threads(lambda _: values(fresh)):
        np.testing.assert_array_equal(found, expected)


def test_parameters_set_by_one_thread_do_not_stay_in_the_memory_of_a_space():
    """A chart that was computed while p changed is that of one setting, and is not kept."""
    space = Hilbert(GRAM)
    factor = space._factor

    def slowly(d):
        found = factor(d)
        space.set_params(gram=4.0 * GRAM)  # as another thread would, in between
        return found

    space._factor = slowly
    space.chart(4)
    del space._factor
    X = np.eye(4)
    np.testing.assert_allclose(space.flatten(X) @ space.flatten(X).T, 4.0 * GRAM)


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_what_a_relation_computes_on_demand(proximity):
    X = np.random.default_rng(0).normal(size=(30, 3))
    metric = Gaussian(1.0) if proximity == "similarity" else "sqeuclidean"

    def known(relation):
        return relation.is_positive, relation.eigenvalues_, relation.chart.Z, relation.matrix

    expected = known(Relation(metric, proximity=proximity).fit(X))
    fresh = Relation(metric, proximity=proximity).fit(X)
    for found in in_threads(lambda _: known(fresh)):
        for got, value in zip(found, expected, strict=True):
            np.testing.assert_array_equal(got, value)


def _one(a, b):
    return 1.0


def test_a_metric_that_is_registered_again_is_never_missing():
    register_metric("one for all", _one, "similarity", replace=True)
    done = threading.Event()

    def register():
        for _ in range(300):
            register_metric("one for all", _one, "similarity", replace=True)
        done.set()

    writer = threading.Thread(target=register)
    writer.start()
    missing = 0
    while not done.is_set():
        missing += "one for all" not in metrics("similarity")
    writer.join()
    assert not missing
