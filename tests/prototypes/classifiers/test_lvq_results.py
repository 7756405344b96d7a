"""Results that must come out: training beats its own start and the untrained class means."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import StratifiedShuffleSplit

from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import RelationalGLVQ
from noneuclid.proximities import pairwise, signature, to_similarity


def string_families(n_families=4, n_each=100, length=30, change=0.6, seed=0):
    """Strings of a few ancestors, mutated by substitutions, deletions and insertions."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("ACGT"))
    words, family = [], np.repeat(np.arange(n_families), n_each)
    ancestors = rng.choice(letters, size=(n_families, length))
    for label in family:
        word = []
        for letter in ancestors[label]:
            event = rng.random() / change
            if event < 0.5:
                word.append(rng.choice(letters))
            elif event < 0.75:
                continue
            elif event < 1.0:
                word += [letter, rng.choice(letters)]
            else:
                word.append(letter)
        words.append("".join(word))
    return words, family


def accuracies(D, y, **params):
    """Held-out accuracy of the start, of the trained model, and of the untrained class means."""
    scores = []
    for train, test in StratifiedShuffleSplit(5, test_size=0.3, random_state=0).split(D, y):
        P, R = D[np.ix_(train, train)], D[np.ix_(test, train)]
        trained = RelationalGLVQ(metric="precomputed", random_state=0, **params)
        untrained = {"learning_rate": 1e-12, "max_epochs": 1}
        start = RelationalGLVQ(metric="precomputed", random_state=0, **{**params, **untrained})
        means = RelationalGLVQ(metric="precomputed", **untrained)
        models = [m.fit(P, y[train]) for m in (start, trained, means)]
        scores.append([m.score(R, y[test]) for m in models])
    return np.mean(scores, axis=0)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return squared_euclidean(X[:700] / 16, X[:700] / 16), y[:700]


@pytest.fixture(scope="module")
def strings():
    words, y = string_families()
    return pairwise(words, "levenshtein"), y


STEEP = {"transfer": "sigmoid", "slope": "auto", "max_epochs": 60}


@pytest.mark.parametrize(
    "params",
    [
        pytest.param({"n_prototypes": 1, **STEEP}, marks=pytest.mark.slow),
        {"n_prototypes": 3, **STEEP},
        pytest.param({"n_prototypes": 3, "init": "random"}, marks=pytest.mark.slow),
    ],
    ids=["one", "three", "three, random start, identity"],
)
def test_digits(digits, params):
    start, trained, means = accuracies(*digits, **params)
    assert trained > start
    assert trained > means


def test_strings_have_a_third_of_their_spectrum_below_zero(strings):
    share = signature(to_similarity(strings[0]), cutoff=1e-8).negative / 400
    assert 0.25 < share < 0.4


@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_strings(strings, init):
    """Each family has one ancestor, so one prototype is the right number."""
    start, trained, means = accuracies(*strings, **{"init": init, **STEEP})
    assert trained > start
    assert trained > means
