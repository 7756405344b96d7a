"""Figures of matrices, prototypes, components and training: what is drawn is what was computed."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from noneuclid.displays import (  # noqa: E402
    ComponentDisplay,
    EmbeddingDisplay,
    LossDisplay,
    PrototypeDisplay,
    SparsityDisplay,
    SpectrumDisplay,
)
from noneuclid.displays.scaling import scale_matrix  # noqa: E402
from noneuclid.pca import BanachKernelPCA, FunctionalPCA, GeneralizedPCA  # noqa: E402
from noneuclid.prototypes import (  # noqa: E402
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    exemplars,
    sparsity_front,
)
from noneuclid.proximities import (  # noqa: E402
    PseudoEuclideanEmbedding,
    SpectrumCorrection,
    to_dissimilarity,
)

X, Y = load_iris(return_X_y=True)
X, Y = X[::2], Y[::2]
SIGNS = np.array([1.0, 1.0, 1.0, -1.0])
S = X * SIGNS @ X.T
D = to_dissimilarity(S)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


def legend_texts(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def heights(display):
    """Of the lines of a spectrum, left to right."""
    return np.concatenate(
        [[end[1] for _, end in lines.get_segments()] for lines in display.ax_.collections]
    )


# --- spectrum -------------------------------------------------------------------------------


def test_spectrum_shows_every_eigenvalue_with_its_sign():
    display = SpectrumDisplay.from_matrix(S)
    expected = np.linalg.eigvalsh(S)[::-1]
    np.testing.assert_allclose(heights(display), expected, atol=1e-10)
    assert display.signature == (3, 1, 71)
    assert legend_texts(display) == ["3 positive", "71 zero", "1 negative"]
    mass = -expected[expected < 0].sum() / np.abs(expected).sum()
    assert display.negative_mass == pytest.approx(mass)
    assert f"{mass:.1%}" in display.ax_.get_xlabel()
    assert SpectrumDisplay.from_matrix(S, log=True).ax_.get_yscale() == "symlog"


def test_spectrum_of_estimators():
    of_matrix = SpectrumDisplay.from_matrix(D, proximity="dissimilarity").eigenvalues
    for estimator in (
        SpectrumCorrection(proximity="dissimilarity").fit(D),
        ProximityLVQ(cost="rslvq", proximity="dissimilarity", random_state=0).fit(D, Y),
    ):
        found = SpectrumDisplay.from_estimator(estimator)
        np.testing.assert_allclose(found.eigenvalues, of_matrix, atol=1e-9)
    embedding = PseudoEuclideanEmbedding(proximity="dissimilarity").fit(D)
    assert SpectrumDisplay.from_estimator(embedding).signature.negative == 1
    with pytest.raises(ValueError, match=r"LinearRegression .* use SpectrumDisplay.from_matrix"):
        SpectrumDisplay.from_estimator(LinearRegression().fit(X, Y))
    assert SpectrumDisplay(np.zeros(3)).plot(log=True).negative_mass == 0


# --- embedding ------------------------------------------------------------------------------


def test_points_are_principal_coordinates():
    display = EmbeddingDisplay.from_matrix(X @ X.T, Y)
    expected = PCA(2).fit_transform(X)
    np.testing.assert_allclose(np.abs(display.points), np.abs(expected), atol=1e-9)
    drawn = np.vstack([points.get_offsets() for points in display.ax_.collections])
    np.testing.assert_allclose(drawn, display.points)  # iris is sorted by class
    assert legend_texts(display) == ["0", "1", "2"]
    share = PCA().fit(X).explained_variance_ratio_[0]
    assert f"dimension 1 (+, {share:.1%} of the spectrum)" == display.ax_.get_xlabel()
    same = EmbeddingDisplay.from_matrix(to_dissimilarity(X @ X.T), proximity="dissimilarity")
    np.testing.assert_allclose(same.points, display.points, atol=1e-9)


@pytest.mark.parametrize("n_landmarks", [None, 20])
def test_prototypes_lie_among_their_objects(n_landmarks):
    model = KernelRSLVQ(kernel="linear", n_prototypes=2, random_state=0, n_landmarks=n_landmarks)
    model.fit(X, Y)
    display = EmbeddingDisplay.from_estimator(model, n_exemplars=2)
    np.testing.assert_allclose(display.prototypes, model.coefficients_ @ display.points, atol=1e-8)
    pca = PCA(2).fit(X)
    np.testing.assert_allclose(
        np.abs(display.prototypes), np.abs(pca.transform(model.coefficients_ @ X)), atol=1e-7
    )
    expected = np.unique([i for found in exemplars(model, 2) for i in found.objects])
    np.testing.assert_array_equal(display.exemplars, expected)
    assert legend_texts(display) == ["0", "1", "2", "exemplar", "prototype"]
    assert len(EmbeddingDisplay.from_estimator(model, n_exemplars=0).exemplars) == 0


def test_combinations_need_not_sum_to_one():
    G = np.array([[2.0, 0.0, 1.0] + [0.0] * 72])
    found = scale_matrix(X @ X.T, G)
    pca = PCA(2).fit(X)
    signs = np.sign((found.points * pca.transform(X)).sum(axis=0))
    np.testing.assert_allclose(found.prototypes * signs, pca.transform(G @ X), atol=1e-8)


def test_negative_directions_are_marked():
    Z = np.random.default_rng(0).normal(size=(30, 3))
    display = EmbeddingDisplay.from_matrix(Z * [3.0, 0.1, -2.0] @ Z.T)
    assert display.ax_.get_xlabel().startswith("dimension 1 (+")
    assert display.ax_.get_ylabel().startswith("dimension 2 (−")


def test_wrong_predictions_are_crossed_out():
    wrong = np.where(np.arange(75) % 10 == 0, 1 - Y, Y)
    display = EmbeddingDisplay.from_predictions(S, Y, wrong)
    crosses = display.ax_.collections[-1].get_offsets()
    np.testing.assert_allclose(crosses, display.points[wrong != Y])
    assert legend_texts(display)[-1] == "wrong"
    with pytest.raises(ValueError, match="75 labels but 3 predictions"):
        EmbeddingDisplay.from_predictions(S, Y, Y[:3])


def test_embedding_of_large_matrices_draws_two_directions(monkeypatch):
    expected = EmbeddingDisplay.from_matrix(S)
    monkeypatch.setattr("noneuclid.displays.scaling._ALL_EIGENVALUES", 10)
    found = EmbeddingDisplay.from_matrix(S)
    np.testing.assert_allclose(found.points, expected.points, atol=1e-8)
    assert found.ax_.get_xlabel() == "dimension 1 (+)"


def test_names_and_bad_arguments_of_embeddings():
    model = RelationalGLVQ(random_state=0).fit(X, Y)
    names = [f"flower {i}" for i in range(75)]
    display = EmbeddingDisplay.from_estimator(model, names=names)
    assert {text.get_text() for text in display.ax_.texts} == {names[i] for i in display.exemplars}
    with pytest.raises(ValueError, match="2 names for 75 objects"):
        display.plot(names=["a", "b"])
    with pytest.raises(ValueError, match="75 objects but labels of shape"):
        EmbeddingDisplay.from_matrix(S, Y[:3])
    with pytest.raises(ValueError, match=r"coefficients have shape \(1, 2\)"):
        EmbeddingDisplay.from_matrix(S, coefficients=[[0.5, 0.5]])
    assert EmbeddingDisplay.from_matrix([[1.0]]).points.shape == (1, 2)


# --- prototypes and components --------------------------------------------------------------


def test_prototypes_as_curves():
    model = RelationalGLVQ(n_prototypes=2, random_state=0).fit(X, Y)
    grid = np.array([1.0, 2.0, 4.0, 8.0])
    display = PrototypeDisplay.from_estimator(model, X, grid=grid, xlabel="position (cm)")
    for line, gamma in zip(display.ax_.lines, model.coefficients_, strict=True):
        np.testing.assert_allclose(line.get_xdata(), grid)
        np.testing.assert_allclose(line.get_ydata(), gamma @ X)
    assert display.ax_.get_xlabel() == "position (cm)"
    assert legend_texts(display) == ["class 0", "class 1", "class 2"]
    with pytest.raises(ValueError, match=r"grid has shape \(2,\), but there are 4 positions"):
        PrototypeDisplay.from_estimator(model, X, grid=[0, 1])
    with pytest.raises(ValueError, match="X holds 3 objects, but the model has 75"):
        PrototypeDisplay.from_estimator(model, X[:3])
    with pytest.raises(ValueError, match="KMeans has neither prototypes nor coefficients"):
        PrototypeDisplay.from_estimator(KMeans(2, n_init=1).fit(X))


def test_prototypes_as_images():
    digits, y = load_digits(return_X_y=True)
    model = RelationalGLVQ(random_state=0, max_epochs=1).fit(digits[:200], y[:200])
    display = PrototypeDisplay.from_estimator(model, digits[:200], shape=(8, 8))
    assert len(display.axes_) == 10
    shown = display.axes_[3].images[0].get_array()
    np.testing.assert_allclose(shown, (model.coefficients_[3] @ digits[:200]).reshape(8, 8))
    assert display.axes_[3].get_title() == "class 3"
    with pytest.raises(ValueError, match=r"shape \(=\(8, 9\)\) must be two numbers"):
        PrototypeDisplay.from_estimator(model, digits[:200], shape=(8, 9))
    with pytest.raises(ValueError, match="10 panels but 2 axes"):
        PrototypeDisplay.from_estimator(
            model, digits[:200], shape=(8, 8), ax=matplotlib.pyplot.subplots(1, 2)[1]
        )
    with pytest.raises(ValueError, match="200 images are more than"):
        PrototypeDisplay(digits[:200], shape=(8, 8)).plot()
    assert len(PrototypeDisplay(digits[:3].reshape(3, 8, 8), shape=(8, 8)).plot().axes_) == 3


def test_prototypes_as_exemplars():
    model = RelationalGLVQ(n_prototypes=2, random_state=0).fit(X, Y)
    names = [f"flower {i}" for i in range(75)]
    display = PrototypeDisplay.from_estimator(model, names=names, n_exemplars=3)
    for panel, found in zip(display.axes_, exemplars(model, 3, names), strict=True):
        assert [text.get_text() for text in panel.get_yticklabels()] == found.objects
        np.testing.assert_allclose([bar.get_width() for bar in panel.patches], found.coefficients)


def test_one_axes_is_divided_into_panels():
    figure, ax = matplotlib.pyplot.subplots(1, 2)
    model = RelationalGLVQ(random_state=0).fit(X, Y)
    display = PrototypeDisplay.from_estimator(model, ax=ax[1])
    assert display.figure_ is figure
    assert len(display.axes_) == 3
    assert not ax[1].axison


def test_components():
    pca = PCA(3).fit(X)
    display = ComponentDisplay.from_estimator(pca)
    for line, row in zip(display.ax_.lines[1:], pca.components_, strict=True):
        np.testing.assert_allclose(line.get_ydata(), row)
    assert legend_texts(display)[0] == f"component 1 ({pca.explained_variance_ratio_[0]:.1%})"
    grid = np.array([0.0, 0.1, 0.5, 1.0])
    functional = FunctionalPCA(n_components=1, basis="bspline", n_basis=4, grid=grid).fit(X)
    np.testing.assert_allclose(
        ComponentDisplay.from_estimator(functional).ax_.lines[-1].get_xdata(), grid
    )
    images = ComponentDisplay.from_estimator(pca, shape=(2, 2))
    np.testing.assert_allclose(
        images.axes_[1].images[0].get_array(), pca.components_[1].reshape(2, 2)
    )
    low, high = images.axes_[1].images[0].get_clim()
    assert low == -high
    with pytest.raises(ValueError, match="no components_ as vectors"):
        ComponentDisplay.from_estimator(BanachKernelPCA(kernel="rbf", n_components=1).fit(X))
    with pytest.raises(ValueError, match="components must have one row each"):
        ComponentDisplay([1.0, 2.0])


# --- training -------------------------------------------------------------------------------


def test_sparsity_shows_every_point_and_the_front():
    model = KernelRSLVQ(random_state=0).fit(X, Y)
    found = sparsity_front(model, X, Y, ks=(1, 3))
    display = SparsityDisplay.from_front(found)
    shown = np.vstack([points.get_offsets() for points in display.ax_.collections])
    expected = np.array([(p.n_exemplars, p.accuracy) for p in found.points])
    np.testing.assert_allclose(shown[np.lexsort(shown.T)], expected[np.lexsort(expected.T)])
    steps = np.column_stack(display.ax_.lines[0].get_data())
    np.testing.assert_allclose(steps[:-1], [(p.n_exemplars, p.accuracy) for p in found.front])
    again = SparsityDisplay.from_estimator(model, X, Y, ks=(1,), legend=False)
    assert {p.method for p in again.found.points} >= {"full", "nearest", "hull", "omp", "meb"}
    assert again.ax_.get_legend() is None


def test_losses_of_several_models_share_axes():
    first = KernelRSLVQ(random_state=0).fit(X, Y)
    second = KernelRSLVQ(gradient="coordinates", solver="lbfgs", random_state=0).fit(X, Y)
    display = LossDisplay.from_estimator(first)
    assert display.ax_.get_xlabel() == "epoch"
    both = LossDisplay.from_estimator(second, name="quasi-Newton", ax=display.ax_)
    assert both.ax_ is display.ax_
    for line, model in zip(both.ax_.lines, (first, second), strict=True):
        np.testing.assert_allclose(line.get_ydata(), model.loss_curve_)
    assert legend_texts(both) == ["KernelRSLVQ", "quasi-Newton"]
    assert both.ax_.lines[0].get_color() != both.ax_.lines[1].get_color()
    objective = LossDisplay.from_estimator(GeneralizedPCA(n_components=1).fit(X))
    assert objective.ax_.get_ylabel() == "objective"
    with pytest.raises(ValueError, match="neither a loss_curve_ nor"):
        LossDisplay.from_estimator(PCA(1).fit(X))
    with pytest.raises(ValueError, match="one value per epoch"):
        LossDisplay([[1.0]])
