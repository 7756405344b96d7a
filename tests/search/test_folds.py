"""Folds of samples: parameters are chosen on few rows, models learn from all."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

from noneuclid.search import SampledFolds, sampled_rows


@pytest.mark.parametrize("seed", range(5))
def test_samples_keep_proportions_and_rare_classes(seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b", "c"], 3000, p=[0.7, 0.29, 0.01])
    rows = sampled_rows(y, 300, random_state=seed)
    assert (np.diff(rows) > 0).all()
    assert 300 <= len(rows) <= 324
    assert abs((y[rows] == "b").mean() - (y == "b").mean()) < 0.01
    assert (y[rows] == "c").sum() >= min((y == "c").sum(), 8)
    assert sampled_rows(y, 3000).tolist() == list(range(3000))
    assert len(sampled_rows(rng.normal(size=500), 60)) == 60


def test_folds_divide_the_sample_and_no_group():
    y, groups = np.arange(900) % 3, np.arange(900) // 9
    for given in (y, y / 7 + 0.01):
        for together in (None, groups):
            parts = list(SampledFolds(3, 120).split(given, given, together))
            tests = np.concatenate([test for _, test in parts])
            assert len(parts) == SampledFolds(3, 120).get_n_splits() == 3
            assert len(np.unique(tests)) == len(tests) == 120
            for train, test in parts:
                assert set(train) | set(test) == set(tests)
                if together is not None:
                    assert not set(groups[train]) & set(groups[test])
    assert sum(len(test) for _, test in SampledFolds(2, 50).split(range(200))) == 50


def test_a_search_refits_on_all_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 2)), np.arange(400) % 2
    grid = {"n_neighbors": [1, 3]}
    found = GridSearchCV(KNeighborsClassifier(), grid, cv=SampledFolds(3, 60)).fit(X, y)
    assert found.best_estimator_.n_samples_fit_ == 400


def test_numbers_of_folds_are_checked():
    with pytest.raises(ValueError, match=r"n_splits \(=1\) must be"):
        SampledFolds(1, 60)
    with pytest.raises(ValueError, match=r"n_samples \(=3\) must be"):
        SampledFolds(2, 3)
