"""Replicates and copies belong together."""

import numpy as np
import pytest

from noneuclid.datasets import Dataset, kept_together

RNG = np.random.default_rng(0)


def vectors(names, X=None):
    X = RNG.normal(size=(len(names), 3)) if X is None else X
    return Dataset("vectors", X, names=list(names), code="read_dataset('x.csv')")


@pytest.mark.parametrize(
    "pattern",
    [
        "S{}_a S{}_b S{}_c",
        "plant{}.1 plant{}.2",
        "sample {} rep 1|sample {} rep 2",
        "leaf-{}A leaf-{}B",
    ],
)
def test_replicates_are_known_by_their_names(pattern):
    parts = pattern.split("|") if "|" in pattern else pattern.split()
    names = [part.format(k) for k in range(10, 22) for part in parts]
    data = kept_together(vectors(names))
    assert data.groups.tolist() == np.repeat(np.arange(12), len(parts)).tolist()
    assert f"12 objects by {len(names)} names ({names[0]}, {names[1]} …)" in data.understood
    assert data.code == "kept_together(read_dataset('x.csv'))"


@pytest.mark.parametrize(
    "names",
    [
        [f"s{k}" for k in range(60)],
        [f"obj{k}" for k in range(10, 40)],
        [f"IMG_{k:04d}" for k in range(30)],
        [f"{c}_{k}" for c in ("setosa", "virginica") for k in range(9)],
        [f"2024-05-{k:02d}" for k in range(1, 29)],  # one object a day
        [str(k) for k in range(30)],
    ],
)
def test_other_names_that_count_are_no_replicates(names):
    data = vectors(names)
    assert kept_together(data) is data


def test_equal_objects_belong_together():
    X = RNG.normal(size=(12, 3))
    X[5], X[9] = X[2], X[2]
    data = kept_together(vectors(list("abcdefghijkl"), X))
    assert data.groups[2] == data.groups[5] == data.groups[9]
    assert len(np.unique(data.groups)) == 10
    assert "2 objects are equal to others, kept together" in data.understood
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    for kind, P in (("dissimilarity", D), ("similarity", X @ X.T)):
        found = kept_together(Dataset(kind, P))
        assert found.groups.tolist() == data.groups.tolist()
    words = kept_together(Dataset("sequences", ["ab", "b", "ab", "c"]))
    assert words.groups.tolist() == [0, 1, 0, 2]


def test_groups_of_names_and_of_copies_are_joined():
    names = [f"S{k}_{letter}" for k in range(10) for letter in "ab"]
    X = RNG.normal(size=(20, 3))
    X[19] = X[0]
    groups = kept_together(vectors(names, X)).groups
    assert groups[0] == groups[1] == groups[18] == groups[19] == 0
    assert len(np.unique(groups)) == 9


def test_groups_that_were_named_stay():
    data = Dataset("vectors", np.zeros((4, 2)), groups=np.array([1, 1, 2, 2]))
    assert kept_together(data) is data
