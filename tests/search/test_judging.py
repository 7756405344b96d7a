import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.prototypes import GLVQ
from noneuclid.search._scaling import Standardised
from noneuclid.search.candidates import Candidate
from noneuclid.search.judging import SampleParts, judged, score
from noneuclid.spaces import Lp


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X[::2], y[::2]


@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize(
    "model",
    [make_pipeline(StandardScaler(), SVC()), make_pipeline(Standardised(), GLVQ()), GLVQ()],
)
def test_scores_are_those_of_cross_validation(iris, model, scoring):
    X, y = iris
    splits = list(StratifiedKFold(3).split(X, y))
    one = Candidate("it", "l1", model, Lp(1))
    expected = cross_val_score(one.on(X), X, y, cv=splits, scoring=scoring).mean()
    assert judged(one, SampleParts(X, y, splits), scoring) == pytest.approx(expected)


def test_labels_of_another_kind_are_left_to_scikit_learn(iris):
    class Words:
        classes_ = np.array(["0", "1", "2"])
        _estimator_type = "classifier"

        def predict(self, X):
            return np.full(len(X), "1")

    def tried(judge, *how):
        try:
            return judge(Words(), *iris, *how)
        except (TypeError, ValueError, AttributeError) as error:
            return type(error)

    assert tried(score, "accuracy") == tried(get_scorer("accuracy"))


def test_one_row_is_scaled_as_scikit_learn_does(iris):
    X, _ = iris
    X = np.column_stack([X, np.ones(len(X))])  # a constant column, too
    ours, theirs = Standardised().fit(X), StandardScaler().fit(X)
    np.testing.assert_array_equal(ours.transform(X[:1]), theirs.transform(X[:1]))
    before = X.copy()
    ours.transform(X)
    np.testing.assert_array_equal(X, before)
    with pytest.raises(ValueError, match="features"):
        ours.transform(X[:, :2])
    gap = np.array([[1.0, np.nan, 2.0, 3.0, 1.0]])
    np.testing.assert_array_equal(ours.transform(gap), theirs.transform(gap))
    with pytest.raises(ValueError, match="infinity"):
        ours.transform(np.full((1, 5), np.inf))
