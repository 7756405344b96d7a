"""What a search over geometries cannot judge is refused in one sentence, before any work."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid.prototypes import GLVQ
from noneuclid.search import GeometrySearch

X = np.random.default_rng(0).normal(size=(60, 4))
Y = (X[:, 0] > 0).astype(int)
GROUPS = np.repeat(np.arange(10), 6)


def search(estimators):
    return GeometrySearch(
        estimators=estimators, geometries=["l1", "l2"], cv=3, inner_cv=2, random_state=0
    )


@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (
            GridSearchCV(GLVQ(), {"space": ["linf"]}, cv=2),
            "param_grid of GridSearchCV names 'space'",
        ),
        (
            GridSearchCV(
                make_pipeline(StandardScaler(), GLVQ()), [{}, {"glvq__space": ["l2"]}], cv=2
            ),
            "names 'glvq__space'",
        ),
        (
            make_pipeline(RandomizedSearchCV(GLVQ(), {"space": ["l1", "l2"]}, n_iter=1)),
            "param_distributions of RandomizedSearchCV names 'space'",
        ),
    ],
)
def test_searches_inside_that_choose_the_geometry(learner, words):
    with pytest.raises(ValueError, match=words):
        search(learner).fit(X, Y)


def test_searches_inside_may_choose_all_else():
    inner = GridSearchCV(GLVQ(random_state=0), {"n_prototypes": [1, 2]}, cv=2)
    found = search(inner).fit(X, Y)
    grid = found.best_estimator_
    assert repr(grid.best_estimator_.space) == repr(grid.estimator.space)


def test_a_class_in_one_group():
    with pytest.raises(ValueError, match="class 1 lies in one group only") as told:
        search(GLVQ()).fit(X, (GROUPS == 0).astype(int), GROUPS)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("gap", [None, np.nan])
@pytest.mark.parametrize("name", [str, float], ids=["text", "numbers"])
def test_samples_without_a_group(gap, name):
    groups = [gap if g == 3 else name(g) for g in GROUPS]
    for given in (groups, np.array(groups, dtype=object)):
        with pytest.raises(ValueError, match=f"groups has no group for sample 18 \\({gap}\\)"):
            search(GLVQ()).fit(X, Y, given)


def test_groups_in_lists_are_those_of_arrays():
    scores = [search(GLVQ(random_state=0)).fit(X, Y, g).score_ for g in (GROUPS, GROUPS.tolist())]
    assert scores[0] == scores[1]
