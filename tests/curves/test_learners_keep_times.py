"""What learners of rows make of curves: the times are not lost, wherever the curves come in."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from noneuclid.curves import Curves
from noneuclid.kernels import Gaussian
from noneuclid.pca import (
    FunctionalPCA,
    GeneralizedKernelPCA,
    HebbianPCA,
    KernelHebbianPCA,
    SubspaceClassifier,
)
from noneuclid.prototypes import GLVQ
from noneuclid.proximities import NystroemEmbedding
from noneuclid.search import GeometrySearch
from noneuclid.spaces import FourierSobolev, LeeVerleysen, Sobolev

Y = np.arange(60) % 2
T = np.linspace(0, 1, 30) ** 2


def waves():
    rng = np.random.default_rng(0)
    height = rng.normal(size=(60, 1))
    return height + 0.3 * np.sin(12 * T + 1.5 * Y[:, None]) + 0.05 * rng.normal(size=(60, 30))


def test_a_search_scores_as_the_learner_itself():
    """Faulty before: Sobolev spaces took the rows for equally spaced, with spacing 1."""
    curves = Curves.from_array(waves(), T)
    cv = list(StratifiedKFold(3, shuffle=True, random_state=0).split(Y, Y))
    model = GLVQ(random_state=0, max_epochs=5)
    geometries = {"curves": Sobolev(weights=(1e-3, 1)), "name": "sobolev"}
    search = GeometrySearch(estimators=model, geometries=geometries, cv=cv, random_state=0)
    search.fit(curves, Y)
    for name, scores in zip(search.results_["geometry"], search.split_scores_):
        space = geometries["curves"] if name == "curves" else "sobolev"
        alone = cross_val_score(GLVQ(space=space, random_state=0, max_epochs=5), curves, Y, cv=cv)
        np.testing.assert_array_equal(scores[~np.isnan(scores)], alone[~np.isnan(scores)])
    np.testing.assert_array_equal(search.best_estimator_.space_.grid, T)
    assert search.predict(curves).shape == (60,)


def test_a_search_has_no_neighbours_across_channels():
    X = waves()
    curves = Curves([([T, T], [x, -x[::-1]]) for x in X])
    search = GeometrySearch(
        estimators=GLVQ(random_state=0, max_epochs=2),
        geometries={"curves": Sobolev()},
        cv=2,
        random_state=0,
    ).fit(curves, Y)
    alone = GLVQ(space=Sobolev(), random_state=0, max_epochs=2).fit(curves, Y)
    np.testing.assert_array_equal(search.best_estimator_.prototypes_, alone.prototypes_)


@pytest.mark.parametrize(
    ("own", "on_rows"),
    [
        (HebbianPCA(space=Sobolev()), HebbianPCA(space=Sobolev(grid=T))),
        (
            GeneralizedKernelPCA(kernel=Gaussian(2.0, space=Sobolev())),
            GeneralizedKernelPCA(kernel=Gaussian(2.0, space=Sobolev(grid=T))),
        ),
        (FunctionalPCA(), FunctionalPCA(grid=T)),
    ],
    ids=["hebbian", "kernel", "functional"],
)
def test_components_of_classes(own, on_rows):
    X = waves()
    curves = Curves.from_array(X, T)
    found = SubspaceClassifier(estimator=own).fit(curves, Y).decision_function(curves)
    expected = SubspaceClassifier(estimator=on_rows).fit(X, Y).decision_function(X)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_functional_components_of_several_channels_are_refused():
    curves = Curves([([T, T], [x, x]) for x in waves()])
    with pytest.raises(ValueError, match="curves of one channel, not of 2"):
        SubspaceClassifier(estimator=FunctionalPCA()).fit(curves, Y)


def test_landmarks():
    X = waves()
    kernel = Gaussian(2.0, space=Sobolev())
    model = NystroemEmbedding(n_landmarks=60, metric=kernel, random_state=0)
    curves = Curves.from_array(X, T)
    Z = model.fit_transform(curves)
    expected = Gaussian(2.0, space=Sobolev(grid=T))(X)
    np.testing.assert_allclose(Z @ Z.T, expected, atol=1e-6)
    np.testing.assert_allclose(model.transform(curves[:3]), Z[:3], atol=1e-6)


def test_streams_of_kernel_components_know_the_times():
    curves = Curves.from_array(waves()[:20], T)
    kernel = Gaussian(2.0, Sobolev())
    with_grid = Gaussian(2.0, Sobolev(grid=T))
    few = {"n_components": 2, "budget": 20, "random_state": 0}
    found = KernelHebbianPCA(kernel=kernel, **few).fit(curves).transform(curves)
    expected = KernelHebbianPCA(kernel=with_grid, **few).fit(waves()[:20]).transform(waves()[:20])
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    stream = KernelHebbianPCA(kernel=kernel, **few).partial_fit(curves)
    np.testing.assert_array_equal(stream.kernel_.space.grid, T)


@pytest.mark.parametrize(
    ("space", "squared_norm"),
    [
        (FourierSobolev(), (1 + 4 * np.pi**2) / 2),
        (FourierSobolev(spacing="unit"), (1 + 4 * np.pi**2) / 2),
        (LeeVerleysen(p=1), (2 / np.pi) ** 2),
        (LeeVerleysen(p=1, tau=2.0), (128 * 2 / np.pi) ** 2),
    ],
)
def test_spaces_of_equal_steps_know_the_step_and_refuse_others(space, squared_norm):
    t = np.arange(64) / 64
    wave = np.sin(2 * np.pi * t)
    model = HebbianPCA(n_components=1, space=space, random_state=0)
    found = model.fit(Curves([(t, wave), (t, -wave)])).explained_variance_
    assert found[0] == pytest.approx(squared_norm, rel=3e-3)
    with pytest.raises(ValueError, match="needs curves at equally spaced positions"):
        model.fit(Curves([(t**2, wave), (t**2, -wave)]))


@pytest.mark.parametrize("space", [Sobolev(), FourierSobolev(), LeeVerleysen(p=1)])
def test_when_the_clock_began_does_not_matter(space):
    rows, step = waves()[:6], np.arange(30) * 0.1
    variances = [
        HebbianPCA(n_components=1, space=space, random_state=0)
        .fit(Curves.from_array(rows, begin + step))
        .explained_variance_[0]
        for begin in (0.0, 1.7e9)
    ]
    assert variances[1] == pytest.approx(variances[0], rel=1e-4)  # times have ten digits left
