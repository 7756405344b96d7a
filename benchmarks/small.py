"""Small problems: a fit of 150 rows, and the prediction of one.

    python benchmarks/small.py

Fits are compared with KMeans within every class and a nearest-centroid rule, and the accuracy on
the training data stands beside. Predictions and transforms of one row are given in microseconds,
with scikit-learn's nearest centroid first: machines differ by more than two.
Times are the least of several, of the processor with one thread, both sides in turn.
"""

import os
import warnings

os.environ["OMP_NUM_THREADS"] = "1"  # before anything reads it

from _record import quick, recorded
from _timing import report
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid
from smoke import _least_times, _per_class

from noneuclid import prototypes
from noneuclid._warm_up import first_problem
from noneuclid.testing import all_estimators

GOAL, MOST_MICROSECONDS = "1/5", 150
PEER = "scikit-learn KMeans per class, NearestCentroid"
FITTED = ("GLVQ", "RSLVQ", "LVQ1", "LVQ21", "GRLVQ", "GMLVQ", "KernelGLVQ", "RelationalGLVQ")
SECONDS = 0.02 if quick else 0.4


def fits():
    X, y = load_iris(return_X_y=True)
    for name in FITTED:
        cls = getattr(prototypes, name)
        ours, theirs = _least_times(
            (lambda cls=cls: cls(random_state=0).fit(X, y), lambda: _per_class(X, y)), SECONDS
        )
        accuracy = cls(random_state=0).fit(X, y).score(X, y)
        other = NearestCentroid().fit(X, y).score(X, y)
        reached = f"accuracy {accuracy:.3f}; {other:.3f}"
        report(f"{name}, 150 rows", ours, theirs, against=PEER, goal=GOAL, quality=reached)


def one_row():
    X, y = load_iris(return_X_y=True)
    peer = NearestCentroid().fit(X, y)
    (least,) = _least_times((lambda: peer.predict(X[:1]),), SECONDS / 4)
    print(f"one row; goal: {MOST_MICROSECONDS} µs")
    print(f"  {'scikit-learn NearestCentroid':34}{1e6 * least:8.0f} µs, on this machine")
    for cls in all_estimators():
        model, X, y = first_problem(cls)
        model.fit(X, y)
        says = getattr(model, "predict", None) or getattr(model, "transform", None)
        if says is None or model.__sklearn_tags__().input_tags.pairwise:
            continue
        row = X[:1].copy() if hasattr(X, "copy") and hasattr(X, "shape") else X[:1]
        (least,) = _least_times((lambda says=says, row=row: says(row),), SECONDS / 4)
        print(f"  {cls.__name__:34}{1e6 * least:8.0f} µs", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with recorded(__file__):
        fits()
        one_row()
