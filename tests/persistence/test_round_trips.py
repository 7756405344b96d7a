"""What was saved and loaded says the same, to the last bit: parts, searches, and what is left out.

Every estimator, space and kernel is saved in ``test_contract.py`` and ``test_persistence.py``.
"""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import campaigns
import noneuclid
from noneuclid.kernels import FunctionKernel, Gaussian, PairKernel
from noneuclid.prototypes import compact, sparsify
from noneuclid.proximities import Relation, register_metric
from noneuclid.spaces import Lp
from noneuclid.testing import all_costs, example_kernels, example_points, example_spaces

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(20, 3)), RNG.normal(size=(7, 3))
Y = np.arange(20) % 2
WORDS = ["cat", "cart", "bat", "bart", "dog", "dot", "dig", "fog"]


@pytest.fixture
def back(tmp_path):
    def save_and_load(thing, **options):
        noneuclid.save(thing, tmp_path / "model.skops")
        return noneuclid.load(tmp_path / "model.skops", **options)

    return save_and_load


def counted(what):
    campaigns.record("Save and load", what, 1)


def assert_equal(found, expected):
    np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))


# --- parts ----------------------------------------------------------------------------------


@pytest.mark.trust
@pytest.mark.parametrize("thing", [*example_spaces(), *example_kernels()])
def test_spaces_and_kernels(thing, back):
    points = example_points(thing, np.random.default_rng(0), 5)

    def values(thing):
        own = thing.squared_distance if hasattr(thing, "squared_distance") else thing
        return own(points, points)

    function = getattr(thing, "function", None)
    names = [f"{function.__module__}.{function.__name__}"] if function else []
    counted("spaces and kernels saved and loaded")
    assert_equal(values(back(thing, trusted=names)), values(thing))


@pytest.mark.trust
@pytest.mark.parametrize("cost", [cost for cls in all_costs() for cost in cls.examples()])
def test_costs(cost, back):
    from noneuclid.prototypes.costs.base import Membership

    D = np.random.default_rng(0).gamma(2.0, size=(6, 4))
    who = Membership(np.array([0, 1, 0, 1, 0, 1]), np.array([0, 1, 0, 1]))
    params = cost.get_params()
    fixed = {name: 1.0 for name, value in params.items() if value in ("scale", "auto")}
    cost = type(cost)(**{**params, **fixed})
    counted("costs saved and loaded")
    found, expected = back(cost).evaluate(D, who), cost.evaluate(D, who)
    assert found.value == expected.value
    assert_equal(found.forces, expected.forces)


RELATIONS = [
    Relation(Gaussian(1.0)),
    Relation(Gaussian(1.0), n_landmarks=6, random_state=0),
    Relation("cityblock", proximity="dissimilarity", correction="flip"),
    Relation("cityblock", proximity="dissimilarity", squared=False),
    Relation("cityblock", proximity="dissimilarity", n_landmarks=0.3, random_state=0),
    Relation("rbf", correction="clip"),
]


@pytest.mark.trust
@pytest.mark.parametrize("relation", RELATIONS)
def test_relations(relation, back):
    relation.fit(X)
    loaded = back(relation)
    counted("relations saved and loaded")
    if relation.n_landmarks is not None:  # all else is about training objects, which are left out
        assert_equal(loaded.vectors(NEW), relation.vectors(NEW))
        loaded = loaded.recall(X)
    for found, expected in zip(loaded.to(NEW), relation.to(NEW), strict=True):
        assert_equal(found, expected)


@pytest.mark.trust
def test_matrices_are_left_out_and_can_be_given_again(back):
    """New rows need nothing else; what is about the training objects asks for their matrix."""
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    relation = Relation(proximity="dissimilarity").fit(D)
    loaded = back(relation)
    counted("relations saved and loaded")
    assert_equal(loaded.to(D[:4])[0], relation.to(D[:4])[0])
    with pytest.raises(ValueError, match=r"did not keep the proximities.*pass them as P"):
        loaded.matrix  # noqa: B018
    assert_equal(loaded.recall(D).matrix, relation.matrix)


@pytest.mark.trust
@pytest.mark.parametrize("given", ["a matrix", "words"])
def test_sparse_and_compacted_models(given, back):
    if given == "words":
        data, labels, metric, new = WORDS, np.repeat([0, 1], 4), "levenshtein", ["cut", "fig"]
    else:
        data, labels, metric = ((X[:, None] - X) ** 2).sum(axis=2), Y, "precomputed"
        new = data[:5]
    model = noneuclid.RelationalGLVQ(metric=metric, max_epochs=3, random_state=0)
    few = sparsify(model.fit(data, labels), method="hull", k=2)
    small = compact(few)
    if given == "a matrix":
        new = new[:, few.support_]
    counted("compacted models saved and loaded")
    assert_equal(back(small).predict(new), small.predict(new))


# --- searches and pipelines -----------------------------------------------------------------


@pytest.mark.trust
@pytest.mark.parametrize("scoring", [None, "accuracy"])
def test_searches_and_pipelines(scoring, back):
    learner = noneuclid.GLVQ(space=Lp(1.5), max_epochs=2, random_state=0)
    pipeline = make_pipeline(StandardScaler(), learner)
    choices = {"glvq__space__p": [1.5, 2.0]}
    search = GridSearchCV(pipeline, choices, cv=KFold(2), scoring=scoring, refit=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so few epochs do not converge
        search.fit(X, Y)
    loaded = back(search)
    counted("pipelines and searches saved and loaded")
    assert_equal(loaded.predict(NEW), search.predict(NEW))
    assert loaded.best_params_ == search.best_params_
    assert loaded.score(X, Y) == search.score(X, Y)


def test_trees_have_to_be_trusted(back):
    """A tree that somebody made up can crash the process that asks it."""
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"not trusted: sklearn\.tree\._tree\.Tree"):
        back(forest)
    loaded = back(forest, trusted="sklearn.tree._tree.Tree")
    assert_equal(loaded.predict(NEW), forest.predict(NEW))


# --- functions and names --------------------------------------------------------------------


def halves(a, b):
    return float(np.abs(np.asarray(a) - np.asarray(b)).sum() / 2)


def test_functions_of_a_module(back):
    name = f"{__name__}.halves"
    model = noneuclid.RelationalGLVQ(metric=halves, max_epochs=2, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=f"not trusted: {name}"):
        back(model)
    assert_equal(back(model, trusted=[name]).predict(NEW), model.predict(NEW))
    kernel = FunctionKernel(np.inner)
    assert_equal(back(kernel, trusted=["numpy.inner"])(X), kernel(X))


ELSEWHERE = """
import sys, noneuclid
path, new = sys.argv[1], [[0.0, 0.0, 0.0]]
try:
    noneuclid.load(path, trusted=["test_round_trips.halves"]).predict(new)
except ValueError as error:
    print(error)
"""


@pytest.mark.parametrize("metric", [halves, "halves of differences"])
def test_what_is_missing_elsewhere_is_named(metric, tmp_path):
    register_metric("halves of differences", halves, takes="rows", replace=True)
    path = tmp_path / "model.skops"
    noneuclid.save(
        noneuclid.RelationalGLVQ(metric=metric, max_epochs=2, random_state=0).fit(X, Y), path
    )
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, str(path)], capture_output=True, text=True, cwd=tmp_path
    )
    assert len(done.stdout.splitlines()) == 1, done.stderr
    if callable(metric):
        assert "needs something that is not installed here" in done.stdout
        assert "test_round_trips" in done.stdout
    else:
        assert "'halves of differences') is not known" in done.stdout
        assert "register_metric" in done.stdout


# --- what cannot be saved -------------------------------------------------------------------


def test_what_load_would_refuse_is_not_written(tmp_path):
    path = tmp_path / "model.skops"
    path.write_text("precious")
    loop = [1]
    loop.append(loop)
    for thing, match in {
        "a loop": (loop, "list cannot be saved: it contains itself"),
        "a sparse matrix": ([sparse.eye_array(3, format="csr")], "list cannot be saved: one of"),
        "a bound method": (PairKernel(_Held().method), "cannot be"),
    }.values():
        with pytest.raises(ValueError, match=match):
            noneuclid.save(thing, path)
    assert path.read_text() == "precious"


class _Held:
    def method(self, a, b):
        return 0.0
