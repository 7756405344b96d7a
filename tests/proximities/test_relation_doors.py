"""Relations in files, in estimators, and given what they cannot take."""

import pickle

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags

import noneuclid
from noneuclid.kernels import FunctionKernel, Gaussian, SpikeTrainKernel
from noneuclid.prototypes import RelationalGLVQ
from noneuclid.proximities import (
    Relation,
    RelationMixin,
    to_dissimilarity,
)
from noneuclid.testing import all_estimators

X, Y = make_blobs(30, random_state=0)
S = X @ X.T
D = to_dissimilarity(S)
WORDS = ["cat", "cart", "dog", "dot", "card", "cord", "word", "world"]
ASK = "the model did not keep the proximities of its training objects: pass them as P"


def letters(a, b):
    return float(len(set(a) ^ set(b)))


# --- files ----------------------------------------------------------------------------------


def through_file(relation, tmp_path):
    pytest.importorskip("skops")
    noneuclid.save(relation, tmp_path / "relation.skops")
    return noneuclid.load(tmp_path / "relation.skops")


def through_pickle(relation, tmp_path):
    return pickle.loads(pickle.dumps(relation))


PRECOMPUTED = [
    Relation(),
    Relation(proximity="dissimilarity"),
    Relation(correction="clip"),
    Relation(proximity="dissimilarity", correction="shift"),
    Relation(n_landmarks=6, random_state=0),
    Relation(proximity="dissimilarity", n_landmarks=6, correction="flip", random_state=0),
]
MEASURED = [
    (Relation("rbf"), X),
    (Relation(Gaussian(2.0), correction="clip"), X),
    (Relation("sqeuclidean", proximity="dissimilarity"), X),
    (Relation("seuclidean", proximity="dissimilarity", squared=False), X),
    (Relation("levenshtein", proximity="dissimilarity"), WORDS),
    (Relation("levenshtein", proximity="dissimilarity", n_landmarks=5, random_state=0), WORDS),
    (Relation("rbf", n_landmarks=6, random_state=0), X),
    (Relation(SpikeTrainKernel(0.5)), [[0.1, 0.4], [0.2], [0.5, 0.6, 0.9], [1.0, 1.2]]),
]


@pytest.mark.parametrize("copied", [through_file, through_pickle])
@pytest.mark.parametrize("relation", PRECOMPUTED)
def test_a_given_matrix_is_kept_in_memory_and_not_in_files(relation, copied, tmp_path):
    P = S if relation.proximity == "similarity" else D
    relation = clone(relation).fit(P)
    back = copied(relation, tmp_path)
    rows = P[:4]
    assert back.n_objects_ == 30
    np.testing.assert_array_equal(back.recall(P).to(rows)[0], relation.to(rows)[0])
    with pytest.raises(ValueError, match=ASK):
        back.chart  # noqa: B018
    with pytest.raises(ValueError, match=ASK):
        back.block([0], [1])
    if relation.n_landmarks is None:
        np.testing.assert_array_equal(back.to(rows)[0], relation.to(rows)[0])
        with pytest.raises(ValueError, match=ASK):
            back.matrix  # noqa: B018
    else:
        np.testing.assert_array_equal(back.vectors(rows), relation.vectors(rows))
        assert back.signature_ == relation.signature_
        columns = relation.landmark_indices_
        np.testing.assert_array_equal(back.recall(P[:, columns]).chart.Z, relation.chart.Z)
    again = back.recall(P)
    everything = np.arange(30)
    np.testing.assert_array_equal(again.diagonal, relation.diagonal)
    np.testing.assert_array_equal(
        again.block(everything, everything), relation.block(everything, everything)
    )
    assert again.signature_ == relation.signature_
    assert again.is_positive == relation.is_positive
    with pytest.raises(ValueError, match=ASK):  # recall gives a copy
        back.diagonal  # noqa: B018


@pytest.mark.parametrize("copied", [through_file, through_pickle])
@pytest.mark.parametrize(("relation", "objects"), MEASURED)
def test_objects_are_enough_to_compute_everything_again(relation, objects, copied, tmp_path):
    relation = clone(relation).fit(objects)
    back = copied(relation, tmp_path)
    if relation.n_landmarks is not None:  # landmarks stand in for the objects
        assert back.objects_ is None
        np.testing.assert_allclose(back.vectors(objects[:2]), relation.vectors(objects[:2]))
        with pytest.raises(ValueError, match=ASK):
            back.to(objects[:2])
        back = back.recall(objects)
    everything = np.arange(len(objects))
    np.testing.assert_array_equal(back.to(objects[:2])[0], relation.to(objects[:2])[0])
    np.testing.assert_allclose(
        back.block(everything, everything), relation.block(everything, everything), atol=1e-14
    )
    np.testing.assert_allclose(back.vectors(objects[:2]), relation.vectors(objects[:2]))
    assert back.signature_ == relation.signature_
    assert back.n_objects_ == len(objects)


def test_the_signature_stays_if_it_was_asked_for():
    relation = Relation().fit(S)
    fresh = pickle.loads(pickle.dumps(relation))
    with pytest.raises(AttributeError, match="signature_ was not asked for before the model was"):
        fresh.signature_  # noqa: B018
    known = relation.signature_, relation.is_positive
    back = pickle.loads(pickle.dumps(relation))
    assert (back.signature_, back.is_positive) == known


def test_recall_takes_the_right_matrix_only():
    relation = Relation().fit(S)
    with pytest.raises(ValueError, match=r"shape \(29, 29\), but the model was trained on 30 obj"):
        relation.recall(S[:29, :29])
    with pytest.raises(ValueError, match="must be symmetric"):
        relation.recall(np.triu(S))
    few = Relation(n_landmarks=5, random_state=0).fit(S)
    with pytest.raises(ValueError, match="P has 29 rows, but the model was trained on 30 objects"):
        few.recall(S[:29])
    words = Relation("levenshtein", proximity="dissimilarity").fit(WORDS)
    assert (words.recall(words.matrix + 0.0).matrix == words.matrix).all()


# --- estimators -----------------------------------------------------------------------------


class NearestMean(RelationMixin, BaseEstimator):
    """Classes by the nearest mean: d(x, mean) up to a constant is γ'Sγ − 2 s̄."""

    def __init__(self, *, metric="precomputed", proximity="similarity", n_landmarks=None):
        self.metric = metric
        self.proximity = proximity
        self.n_landmarks = n_landmarks

    def fit(self, X, y):
        relation = self._fit_relation(X)
        self.classes_, y = np.unique(y, return_inverse=True)
        self.G_ = np.equal.outer(np.arange(len(self.classes_)), y) / np.bincount(y)[:, None]
        self.q_ = np.einsum("jl,jl->j", relation.dot(self.G_), self.G_)
        return self

    def predict(self, X):
        X = self._checked(X)
        values = self.relation_.to(X)[0] @ self.G_.T
        D = self.q_ - 2.0 * values if self.proximity == "similarity" else values + self.q_
        return self.classes_[D.argmin(axis=1)]

    def score(self, X, y):
        return np.mean(self.predict(X) == y)


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (NearestMean(), S),
        (NearestMean(metric="linear"), X),
        (NearestMean(metric=Gaussian("scale"), n_landmarks=0.5), X),
        (NearestMean(proximity="dissimilarity"), D),
        (NearestMean(metric=lambda a, b: float(a @ b)), X),
    ],
)
def test_a_learner_is_a_few_lines(model, data):
    assert model.fit(data, Y).score(data, Y) > 0.8
    assert model.relation_.n_objects_ == 30
    assert cross_val_score(model, data, Y, cv=3).mean() > 0.7


def test_the_mixin_speaks_in_the_estimators_name():
    model = NearestMean(metric="linear").fit(X, Y)
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="X has 3 features, but NearestMean is expecting 2"):
        model.predict(np.ones((2, 3)))
    given = NearestMean().fit(S, Y)
    assert given.n_features_in_ == 30
    with pytest.raises(ValueError, match="X has 3 features, but NearestMean is expecting 30"):
        given.predict(np.ones((2, 3)))
    words = NearestMean(metric="levenshtein", proximity="dissimilarity")
    words.fit(WORDS, [0, 0, 1, 1, 0, 0, 2, 2])
    assert not hasattr(words, "n_features_in_")
    assert words.predict(["ward"]).shape == (1,)
    model.set_params(metric="levenshtein", proximity="dissimilarity")
    model.fit(WORDS, [0, 0, 1, 1, 0, 0, 2, 2])
    assert not hasattr(model, "n_features_in_"), "objects have no features to count"
    with pytest.raises(TypeError, match="must be a list of objects, not one str"):
        words.predict("ward")


def test_the_mixin_knows_names_of_columns():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = NearestMean(metric="linear").fit(frame, Y)
    np.testing.assert_array_equal(model.feature_names_in_, ["a", "b"])
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[["b", "a"]])
    pairs = NearestMean(metric=lambda a, b: float(a @ b)).fit(frame, Y)
    np.testing.assert_allclose(pairs.relation_.matrix, S)
    np.testing.assert_array_equal(pairs.feature_names_in_, ["a", "b"])
    model.set_params(metric="precomputed").fit(S, Y)
    assert not hasattr(model, "feature_names_in_")


def test_the_mixin_has_signature_landmarks_and_tags():
    model = NearestMean(n_landmarks=5)
    with pytest.raises(AttributeError, match="not fitted yet: it has no signature_"):
        model.signature_  # noqa: B018
    with pytest.raises(NotFittedError):
        model.predict(S)
    model.fit(S, Y)
    assert model.signature_ == model.relation_.signature_
    np.testing.assert_array_equal(model.landmark_indices_, model.relation_.landmark_indices_)
    with pytest.raises(AttributeError, match="there are no landmarks: n_landmarks is None"):
        NearestMean().fit(S, Y).landmark_indices_  # noqa: B018
    with pytest.raises(AttributeError, match="no matrix of all proximities with n_landmarks"):
        model.relation_.matrix  # noqa: B018
    tags = [
        get_tags(NearestMean(metric=metric, proximity=proximity)).input_tags
        for metric, proximity in (
            ("precomputed", "similarity"),
            ("rbf", "similarity"),
            ("levenshtein", "dissimilarity"),
            (SpikeTrainKernel(1.0), "similarity"),
        )
    ]
    assert [t.pairwise for t in tags] == [True, False, False, False]
    assert [t.two_d_array for t in tags] == [True, True, False, False]


def test_the_mixin_keeps_a_clone_of_the_kernel():
    model = NearestMean(metric=Gaussian(2.0)).fit(X, Y)
    before = model.relation_.to(X)[0]
    model.set_params(metric__width=0.01)
    np.testing.assert_array_equal(model.relation_.to(X)[0], before)
    assert model.relation_.metric.width == model.relation_.metric_.width == 2.0


# --- what it cannot take --------------------------------------------------------------------


BAD = [
    ({"proximity": "distance"}, S, r"proximity \(='distance'\) must be one of"),
    ({"correction": "cut"}, S, r"correction \(='cut'\) must be one of"),
    ({"correction": "shift", "n_landmarks": 3}, S, 'shift" has no features of low rank'),
    ({"n_landmarks": 0}, S, r"n_landmarks \(=0\) must be a positive integer"),
    ({"n_landmarks": 2, "landmarks": "best"}, S, r"landmarks \(='best'\) must be"),
    ({}, S[:, :5], "must be a square matrix of proximities"),
    ({}, np.triu(S), "X must be symmetric, but differs from its transpose"),
    ({"proximity": "dissimilarity"}, S, "its diagonal is not zero"),
    ({}, [[np.nan, 1.0], [1.0, 0.0]], "contains NaN"),
    ({"metric": "cosin", "proximity": "dissimilarity"}, X, "not known; did you mean 'cosine'"),
    ({"metric": "gausian"}, X, "must be a Kernel, .* did you mean 'gaussian'"),
    ({"metric": "cosine"}, X, "gives dissimilarities, and similarities are asked for"),
    ({"metric": "rbf", "proximity": "dissimilarity"}, X, "gives similarities, and dissimilarities"),
    ({"metric": "rbf"}, X[:1], "minimum of 2 is required"),
    ({"metric": "rbf"}, WORDS, "X holds words, and 'rbf' takes numbers: .*levenshtein"),
    ({}, WORDS, "X holds words, and 'precomputed' takes numbers"),
    ({"metric": SpikeTrainKernel(1.0)}, [], "X is empty"),
    ({"metric": letters, "proximity": "dissimilarity"}, [], "X is empty"),
    ({"metric": letters, "proximity": "dissimilarity", "n_landmarks": 2}, ["a"], "at least two"),
    ({"metric": lambda a, b: np.nan}, WORDS, "metric returned nan for objects 0 and 0"),
    ({"metric": lambda A, B: A @ B.T * np.ones(3)}, X, r"FunctionKernel\(function\)"),
    ({"metric": lambda A, B: A[:, 0] @ B}, X, r"gave no number for two objects \(IndexError"),
    ({"metric": lambda a, b: a[0] - b[0]}, X, "the Gram matrix must be symmetric"),
    (
        {"metric": lambda a, b: max(a[0] - b[0], 0.0), "proximity": "dissimilarity"},
        X,
        "X must be symmetric",
    ),
    (
        {"metric": lambda a, b: 1.0, "proximity": "dissimilarity"},
        X,
        "given as dissimilarities, but its diagonal is not zero",
    ),
    ({"metric": "levenshtein", "proximity": "dissimilarity"}, [1, 2], "'levenshtein' compares str"),
]


@pytest.mark.parametrize(("params", "data", "sentence"), BAD)
def test_wrong_input_is_one_sentence(params, data, sentence):
    with pytest.raises(ValueError, match=sentence):
        Relation(**params).fit(data)


def test_wrong_types():
    with pytest.raises(TypeError, match="X must be a list of objects, not one str"):
        Relation(letters, proximity="dissimilarity").fit("cat")
    with pytest.raises(TypeError, match="is a kernel: kernels give similarities"):
        Relation(Gaussian(), proximity="dissimilarity").fit(X)
    with pytest.raises(TypeError, match=r"metric \(=3\) must be a name or a function of two"):
        Relation(3, proximity="dissimilarity").fit(X)
    with pytest.raises(TypeError, match=r"metric \(=3\)"):
        Relation(3).fit(X)
    with pytest.raises(NotFittedError):
        Relation().to(S)


def test_a_matrix_of_distances_given_as_similarities_is_doubted():
    with pytest.warns(UserWarning, match='is it proximity="dissimilarity"') as caught:
        Relation().fit(D)
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match='is it proximity="dissimilarity"'):
        Relation(n_landmarks=4, random_state=0).fit(D)


def test_a_matrix_of_pairs_given_as_rows_is_doubted():
    """Learners of relations take rows by default: a matrix of distances is one, to the eye."""
    model = noneuclid.RelationalGLVQ(random_state=0)
    y = np.arange(len(D)) % 2
    with pytest.warns(
        UserWarning, match=r"zero diagonal .*: is it metric=\"precomputed\""
    ) as caught:
        model.fit(D, y)
    assert caught[0].filename == __file__
    skewed = D * np.triu(np.full_like(D, 2.0))
    with pytest.warns(UserWarning, match=r"matrix of distances"):
        model.fit(skewed, y)
    with pytest.warns(UserWarning, match=r"matrix of similarities, symmetric"):
        noneuclid.KernelGLVQ(random_state=0).fit(S, y)
    for rows in (X, D[:5, :5], D[:, :-1], np.zeros_like(D)):  # nobody can tell, or it is none
        Relation("sqeuclidean", proximity="dissimilarity").fit(rows)


def test_tiny_huge_duplicated_and_constant_data():
    for scale in (1e-150, 1e100):
        relation = Relation(proximity="dissimilarity").fit(scale * D)
        np.testing.assert_allclose(
            relation.diagonal / scale, Relation(proximity="dissimilarity").fit(D).diagonal
        )
        assert relation.is_positive
    twice = np.vstack([X, X])
    for params in ({}, {"n_landmarks": 40, "random_state": 0}):
        relation = Relation("linear", **params).fit(twice)
        np.testing.assert_allclose(relation.to(X)[0], X @ twice.T, atol=1e-9)
        assert relation.chart.Z.shape[1] == 2
    zero = Relation(proximity="dissimilarity").fit(np.zeros((3, 3)))
    assert zero.is_positive
    assert zero.chart.Z.shape == (3, 0)
    assert zero.vectors(np.zeros((2, 3))).shape == (2, 0)
    one = Relation(letters, proximity="dissimilarity").fit(["a"])
    assert one.to(["ab", "c"])[0].tolist() == [[1.0], [2.0]]


def test_functions_of_whole_matrices_are_function_kernels():
    whole = Relation(FunctionKernel(lambda A, B: A @ B.T)).fit(X)
    pairs = Relation(lambda a, b: a @ b).fit(X)
    np.testing.assert_allclose(whole.matrix, pairs.matrix)
    assert whole.takes_rows
    assert not pairs.takes_rows


# --- dissimilarities below zero -------------------------------------------------------------

BELOW = "X holds negative dissimilarities, down to"


def of_dissimilarities(cls):
    """An estimator of a matrix of dissimilarities, or None if it takes none."""
    model = cls()
    wanted = {"proximity": "dissimilarity", "metric": "precomputed", "random_state": 0}
    model.set_params(**{k: v for k, v in wanted.items() if k in model.get_params()})
    unlike = getattr(model, "proximity", None) == "dissimilarity"
    return model if unlike and get_tags(model).input_tags.pairwise else None


UNLIKE = [model for cls in all_estimators() if (model := of_dissimilarities(cls)) is not None]
LARGE = cdist(*2 * [make_blobs(40, random_state=0)[0]], "sqeuclidean")
CLASSES = make_blobs(40, random_state=0)[1]


@pytest.mark.parametrize("model", UNLIKE, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_new_dissimilarities_below_zero_are_not_taken_silently(model):
    fitted = clone(model).fit(LARGE, CLASSES)
    asked = [name for name in ("predict", "transform", "decision_function") if hasattr(model, name)]
    for ask in (getattr(fitted, name) for name in asked):
        ask(LARGE[:2] - 1e-9 * LARGE.max())  # that is rounding
        with pytest.warns(
            UserWarning, match=f"{BELOW} -100, and {type(model).__name__} was"
        ) as told:
            ask(LARGE[:2] - 100)
        assert len(told) == 1


@pytest.mark.parametrize("correction", [None, "flip"])
@pytest.mark.parametrize("n_landmarks", [None, 10])
def test_dissimilarities_below_zero_are_told_once(correction, n_landmarks):
    params = {"correction": correction, "n_landmarks": n_landmarks, "random_state": 0}
    relation = Relation(proximity="dissimilarity", **params).fit(LARGE)
    for ask in (relation.to, relation.vectors):
        with pytest.warns(UserWarning, match=BELOW) as told:
            ask(LARGE[:2] - 100)
        assert len(told) == 1


def test_indefinite_dissimilarities_are_taken_below_zero():
    indefinite = LARGE - 1.0 + np.eye(40)
    fitted = RelationalGLVQ(metric="precomputed", random_state=0).fit(indefinite, CLASSES)
    assert fitted.score(indefinite, CLASSES) > 0.8


def test_a_part_of_an_indefinite_matrix_may_have_none_below_zero():
    one_pair = LARGE.copy()
    one_pair[0, -1] = one_pair[-1, 0] = -1.0  # which are never in the same part
    model = RelationalGLVQ(metric="precomputed", random_state=0)
    with pytest.warns(UserWarning, match=BELOW):
        scores = cross_val_score(model, one_pair, CLASSES, error_score="raise")
    assert scores.mean() > 0.8


def test_plain_distances_below_zero_are_refused_and_not_told_twice():
    relation = Relation(proximity="dissimilarity", squared=False).fit(np.sqrt(LARGE))
    with pytest.raises(ValueError, match="distances are not negative"):
        relation.to(np.sqrt(LARGE[:2]) - 1)
