"""Published benchmarks of proximity LVQ, where their data are at hand.

The whole table is ``literature/c_proximities.py``; this is a part that runs in seconds.
"""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedShuffleSplit

import benchmark_data
from noneuclid.prototypes import KernelRSLVQ, RelationalGLVQ, RelationalRSLVQ
from noneuclid.proximities import signature, symmetrize, to_dissimilarity


def load(name):
    data = benchmark_data.load(name)
    return symmetrize(data["similarity"]), data["labels"]


@pytest.mark.parametrize(
    ("name", "published"), [("aural_sonar", (61, 38, 1)), ("voting", (16, 1, 418))]
)
def test_signatures(name, published):
    assert signature(load(name)[0]) == published


@pytest.mark.parametrize(
    ("name", "cls", "k", "correction", "limit"),
    [
        ("voting", KernelRSLVQ, 10, None, 0.075),
        ("voting", RelationalGLVQ, 10, None, 0.11),
        ("protein_similarity", KernelRSLVQ, 5, "flip", 0.04),
        ("protein_similarity", RelationalRSLVQ, 5, "flip", 0.07),
        ("aural_sonar", KernelRSLVQ, 5, "clip", 0.17),
    ],
)
def test_errors_are_near_the_published_ones(name, cls, k, correction, limit):
    S, y = load(name)
    relational = cls is not KernelRSLVQ
    P = to_dissimilarity(S) if relational else S
    source = {"metric" if relational else "kernel": "precomputed"}
    errors = []
    for train, test in StratifiedShuffleSplit(5, test_size=0.2, random_state=0).split(P, y):
        model = cls(**source, n_prototypes=k, correction=correction, random_state=0)
        model.fit(P[np.ix_(train, train)], y[train])
        errors.append(1 - model.score(P[np.ix_(test, train)], y[test]))
    assert np.mean(errors) <= limit
