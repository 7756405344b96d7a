"""Objects without a label are drawn, grey, and named last."""

import copy
import pickle

import numpy as np
import pytest

from noneuclid.displays import (
    ClassMapDisplay,
    EmbeddingDisplay,
    HitMapDisplay,
)
from noneuclid.displays.style import NO_LABEL, ZERO, class_order
from noneuclid.prototypes import FuzzyLabelledProximitySOM, FuzzyLabelledSOM

mpl = pytest.importorskip("matplotlib")
mpl.use("agg")
from matplotlib.colors import to_rgba  # noqa: E402

X = np.random.default_rng(0).normal(size=(60, 3))
S = X @ X.T
SOME = [None if i % 3 else "ab"[i % 2] for i in range(60)]


def gaps(gap):
    return [gap if name is None else name for name in SOME]


@pytest.mark.parametrize(
    "labels",
    [
        gaps(None),
        gaps(np.nan),
        np.array(gaps(None), dtype=object),
        np.where([name is None for name in SOME], np.nan, 1.0),
    ],
    ids=["None", "NaN", "objects", "numbers"],
)
def test_objects_without_a_label_are_drawn_last(labels):
    display = EmbeddingDisplay.from_matrix(S, labels)
    drawn = display.ax_.collections
    assert sum(len(points.get_offsets()) for points in drawn) == 60
    assert drawn[-1].get_label() == "no label"
    assert len(drawn[-1].get_offsets()) == 40
    np.testing.assert_allclose(drawn[-1].get_facecolor()[0][:3], to_rgba(ZERO)[:3])


@pytest.mark.parametrize("gap", [None, np.nan])
def test_maps_of_classes_with_gaps(gap):
    som = FuzzyLabelledSOM(shape=(3, 3)).fit(X, SOME)
    display = ClassMapDisplay.from_estimator(som, gaps(gap))
    assert display.classes.tolist() == ["a", "b", NO_LABEL]
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["a", "b", "no label"]
    np.testing.assert_allclose(display.ax_.collections[-1].get_facecolor()[0], to_rgba(ZERO))
    numbers = np.where([name is None for name in SOME], np.nan, 1.0)
    assert ClassMapDisplay.from_estimator(som, numbers).classes.tolist() == [1.0, NO_LABEL]


def test_a_class_may_be_called_no_label():
    classes, codes = class_order(["no label", None, "a"], 3)
    assert codes.tolist() == [1, 2, 0]
    assert len(set(classes)) == 3
    assert pickle.loads(pickle.dumps(NO_LABEL)) is copy.deepcopy(NO_LABEL) is NO_LABEL


def test_hits_of_new_objects_on_a_map_of_similarities():
    som = FuzzyLabelledProximitySOM(shape=(3, 3)).fit(S, SOME)
    display = HitMapDisplay.from_estimator(som, S)
    np.testing.assert_array_equal(display.hits, np.bincount(som.labels_, minlength=9))
