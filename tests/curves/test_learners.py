"""Every learner of rows takes curves, on a grid that it remembers."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import noneuclid
from noneuclid.curves import Curves
from noneuclid.kernels import Gaussian, SemiInnerProduct
from noneuclid.pca import BanachKernelPCA, GeneralizedPCA, HebbianPCA, KernelHebbianPCA
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    RSLVQ,
    KernelGLVQ,
    NeuralGas,
    PrototypeRegressor,
    RelationalGLVQ,
    SelfOrganizingMap,
)
from noneuclid.proximities import Relation
from noneuclid.spaces import Euclidean, Lp, ProductSpace, Sobolev

GRID = np.linspace(0, 1, 25) ** 1.3


def two_kinds(n=30, channels=1, irregular=True, seed=0):
    """Slow and fast waves; the mean over time tells nothing."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    pairs = []
    for label in y:
        inner = np.sort(rng.uniform(size=rng.integers(22, 28)))
        t = np.concatenate([[0.0], inner, [1.0]]) if irregular else GRID
        waves = [np.sin((6 + 6 * label + c) * t + rng.normal(0, 0.2)) for c in range(channels)]
        pairs.append((t, np.array(waves) if channels > 1 else waves[0]))
    return Curves(pairs, points=GRID), y


CLASSIFIERS = [
    GLVQ(space=Sobolev(), random_state=0),
    GLVQ(space="l1", max_epochs=20, random_state=0),
    RSLVQ(random_state=0),
    GMLVQ(space=Sobolev(), rank=2, max_epochs=20, random_state=0),
    KernelGLVQ(kernel=SemiInnerProduct(Sobolev()), random_state=0),
    KernelGLVQ(kernel=Gaussian(width="median", space=Sobolev()), random_state=0),
    RelationalGLVQ(metric="sqeuclidean", random_state=0),
]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("channels", [1, 2])
def test_classifiers(model, channels):
    curves, y = two_kinds(channels=channels)
    fitted = clone(model).fit(curves, y)
    assert fitted.score(curves, y) > 0.9
    new, label = two_kinds(n=6, channels=channels, seed=1)
    rows = fitted.curve_grid_.rows(new)
    assert rows.shape == (6, channels * len(GRID))
    np.testing.assert_array_equal(fitted.predict(new), fitted.predict(rows))
    assert (fitted.predict(new) == label).mean() > 0.8


@pytest.mark.parametrize(
    "model",
    [
        NeuralGas(n_prototypes=2, space=Sobolev(), max_epochs=10, random_state=0),
        SelfOrganizingMap(shape=(2, 2), max_epochs=10, random_state=0),
        HebbianPCA(space=Sobolev()),
        HebbianPCA(space="l1", n_components=1, n_init=2, random_state=0),
        GeneralizedPCA(n_components=1),
        KernelHebbianPCA(kernel=SemiInnerProduct(Sobolev()), random_state=0),
        BanachKernelPCA(kernel=SemiInnerProduct(Sobolev())),
    ],
    ids=lambda model: type(model).__name__,
)
def test_transformers_say_of_new_curves_what_they_say_of_rows(model):
    curves, _ = two_kinds()
    fitted = clone(model).fit(curves)
    new = two_kinds(n=6, seed=1)[0]
    np.testing.assert_allclose(
        fitted.transform(new), fitted.transform(fitted.curve_grid_.rows(new))
    )


def test_numbers_as_targets():
    curves, y = two_kinds()
    target = y + 0.1 * curves.n_points[:, 0]
    model = PrototypeRegressor(n_prototypes=4, space=Sobolev(), random_state=0).fit(curves, target)
    np.testing.assert_array_equal(model.space_.grid, GRID)
    rows = model.curve_grid_.rows(curves)
    np.testing.assert_array_equal(model.predict(curves), model.predict(rows))


def test_curves_on_a_grid_are_the_rows():
    curves, y = two_kinds(irregular=False)
    rows = curves.matrix()
    space = Sobolev(grid=GRID)
    by_curves = GLVQ(space=Sobolev(), random_state=0).fit(curves, y)
    by_rows = GLVQ(space=space, random_state=0).fit(rows, y)
    np.testing.assert_array_equal(by_curves.prototypes_, by_rows.prototypes_)
    np.testing.assert_array_equal(by_curves.space_.grid, GRID)
    assert by_curves.space.grid is None  # the parameter stays as it was


def test_a_kernel_gets_the_grid():
    curves, y = two_kinds(irregular=False)
    rows = curves.matrix()
    kernel = SemiInnerProduct(Sobolev(grid=GRID))
    relation = Relation(SemiInnerProduct("sobolev")).fit(curves)
    np.testing.assert_allclose(relation.matrix, kernel(rows))
    model = KernelGLVQ(kernel=SemiInnerProduct(Sobolev()), random_state=0).fit(curves, y)
    np.testing.assert_allclose(model.relation_.metric_(rows), kernel(rows))
    first = BanachKernelPCA(kernel=SemiInnerProduct(Sobolev())).fit(curves)
    np.testing.assert_array_equal(first.kernel_.space.grid, GRID)


def test_a_function_of_two_curves():
    curves, _ = two_kinds(n=6)

    def lengths(a, b):
        return float(abs(len(a[0]) - len(b[0])))

    relation = Relation(lengths, proximity="dissimilarity").fit(curves)
    sizes = curves.n_points[:, 0]
    np.testing.assert_allclose(relation.to(curves)[0], np.abs(sizes[:, None] - sizes))


def test_a_space_with_a_grid_keeps_it():
    own = 2 * GRID
    curves, y = two_kinds(irregular=False)
    model = GLVQ(space=Sobolev(grid=own), max_epochs=2, random_state=0).fit(curves, y)
    np.testing.assert_array_equal(model.space_.grid, own)


def test_several_channels_are_a_product():
    curves, y = two_kinds(channels=2)
    model = GLVQ(space=Sobolev(), max_epochs=2, random_state=0).fit(curves, y)
    assert isinstance(model.space_, ProductSpace)
    assert [part.grid.tolist() for part in model.space_.spaces] == [GRID.tolist()] * 2
    assert isinstance(GLVQ(random_state=0).fit(curves, y).space_, Euclidean)
    weighted = ProductSpace([Sobolev(), Lp(1)], weights=[1.0, 0.5])
    model = GLVQ(space=weighted, max_epochs=2, random_state=0).fit(curves, y)
    assert model.space_.weights == [1.0, 0.5]
    assert model.space_.n_features == 50
    with pytest.raises(ValueError, match="3 parts, and the curves have 2 channels"):
        GLVQ(space=ProductSpace(["l2", "l2", "l1"])).fit(curves, y)


def test_cross_validation_and_search():
    curves, y = two_kinds(n=40)
    model = GLVQ(space=Sobolev(), max_epochs=5, random_state=0)
    assert cross_val_score(model, curves, y, cv=3).mean() > 0.8
    search = GridSearchCV(model, {"space__weights": [(1, 1), (1, 0.1)]}, cv=2).fit(curves, y)
    assert search.score(curves, y) > 0.8


def test_curves_of_own_ranges_in_cross_validation():
    """The sentence names the learner, and what it says cures."""
    rng = np.random.default_rng(0)
    y = np.arange(30) % 2
    starts, ends = rng.uniform(0, 0.1, size=30), rng.uniform(0.9, 1, size=30)
    times = [np.linspace(start, end, 20) for start, end in zip(starts, ends)]
    pairs = [(t, np.sin((6 + 6 * label) * t)) for t, label in zip(times, y)]
    model = GLVQ(max_epochs=2, random_state=0)
    with pytest.raises(ValueError, match=r"grid of this GLVQ goes from .* points=.*to_grid"):
        cross_val_score(model, Curves(pairs), y, cv=3, error_score="raise")
    inside = Curves(pairs, points=np.linspace(0.1, 0.9, 20))
    assert cross_val_score(model, inside, y, cv=3).min() > 0.8
    assert cross_val_score(model, Curves(pairs).to_grid(20).rows, y, cv=3).min() > 0.8
    apart = Curves([(t + 2 * label, x) for (t, x), label in zip(pairs, y)])
    with pytest.raises(ValueError, match=r"no common range.*GLVQ needs one"):
        model.fit(apart, y)


def test_times_in_single_precision_are_the_same_times():
    curves, y = two_kinds()
    cut = Curves([(0.1 + 0.7 * t, x) for t, x in curves])
    single = Curves([(t.astype(np.float32), x) for t, x in cut])
    for learned, asked in ((cut, single), (single, cut)):
        model = GLVQ(max_epochs=2, random_state=0).fit(learned, y)
        np.testing.assert_array_equal(model.predict(asked), model.predict(learned))


def test_refusals_in_one_sentence():
    curves, y = two_kinds()
    model = GLVQ(max_epochs=2, random_state=0).fit(curves, y)
    short = Curves([(GRID[:20], GRID[:20])])
    with pytest.raises(ValueError, match="curve 0 was observed from 0 to"):
        model.predict(short)
    with pytest.raises(ValueError, match="channels"):
        model.predict(two_kinds(n=2, channels=2)[0])
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(curves[:0])
    both = GLVQ(max_epochs=2, random_state=0).fit(two_kinds(channels=2)[0], y)
    with pytest.raises(ValueError, match="channel 1 of curve 0 has no observed value"):
        both.predict(Curves([(GRID, [GRID, np.nan * GRID])]))
    by_rows = GLVQ(max_epochs=2, random_state=0).fit(curves.to_grid().rows, y)
    with pytest.raises(ValueError, match="fitted on a table"):
        by_rows.predict(curves)
    again = model.fit(curves.to_grid().rows, y)
    assert not hasattr(again, "curve_grid_")


def test_a_checkpointed_fit(tmp_path):
    curves, _ = two_kinds()
    plain = HebbianPCA(space=Sobolev()).fit(curves)
    kept = HebbianPCA(space=Sobolev(), checkpoint=tmp_path).fit(curves)
    np.testing.assert_allclose(kept.components_, plain.components_, atol=1e-9)
    np.testing.assert_allclose(kept.transform(curves), plain.transform(curves), atol=1e-9)
    assert kept.score(curves) == pytest.approx(plain.score(curves))


@pytest.mark.parametrize("method", ["linear", "kriging"])
def test_models_persist_with_their_grid(tmp_path, method):
    curves, y = two_kinds(n=12)
    curves.method = method
    model = GLVQ(space=Sobolev(), max_epochs=2, random_state=0).fit(curves, y)
    noneuclid.save(model, tmp_path / "model.skops")
    loaded = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(loaded.decision_function(curves), model.decision_function(curves))
