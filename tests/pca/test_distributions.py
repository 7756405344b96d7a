"""Components of distributions: integrals of component densities, kernel PCA, input and refusals."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA

from noneuclid.kernels import CrossInformationPotential
from noneuclid.pca import DistributionPCA

rng = np.random.default_rng(0)
SHIFTS = rng.uniform(-1.5, 1.5, size=12)
BAGS = [rng.normal(s, 1.0, size=(size, 1)) for s, size in zip(SHIFTS, rng.integers(20, 40, 12))]
KERNEL = CrossInformationPotential(0.4)
GRID = np.linspace(-12, 12, 2401)[:, None]
STEP = float(GRID[1, 0] - GRID[0, 0])


def parzen(bag, points, width):
    squares = ((points[:, None, :] - bag[None]) ** 2).sum(axis=2)
    norm = (2 * np.pi * width**2) ** (bag.shape[1] / 2)
    return np.exp(-squares / (2 * width**2)).mean(axis=1) / norm


@pytest.mark.parametrize("normalize", [False, True])
def test_densities_are_parzen_estimates(normalize):
    kernel = CrossInformationPotential(0.4, normalize=normalize)
    expected = np.array([parzen(bag, GRID, 0.4) for bag in BAGS])
    if normalize:
        expected /= np.sqrt((expected**2).sum(axis=1, keepdims=True) * STEP)
    found = kernel.densities(BAGS, GRID)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    np.testing.assert_allclose(found @ found.T * STEP, kernel(BAGS), atol=1e-9)
    planar = [rng.normal(size=(5, 2)), rng.normal(size=(3, 2))]
    points = rng.normal(size=(4, 2))
    expected = [parzen(bag, points, 0.7) for bag in planar]
    np.testing.assert_allclose(CrossInformationPotential(0.7).densities(planar, points), expected)


@pytest.mark.parametrize("normalize", [False, True])
def test_components_are_orthonormal_functions(normalize):
    kernel = CrossInformationPotential(0.4, normalize=normalize)
    pca = DistributionPCA(3, kernel=kernel).fit(BAGS)
    xi = pca.component_densities(GRID)
    np.testing.assert_allclose(xi @ xi.T * STEP, np.eye(3), atol=1e-8)
    if not normalize:
        np.testing.assert_allclose(xi.sum(axis=1) * STEP, 0, atol=1e-8)
        assert pca.mean_density(GRID).sum() * STEP == pytest.approx(1)
    values = kernel.densities(BAGS, GRID)
    scores = (values - values.mean(axis=0)) @ xi.T * STEP  # products of functions
    np.testing.assert_allclose(pca.transform(BAGS), scores, atol=1e-8)
    np.testing.assert_allclose(pca.explained_variance_, scores.var(axis=0))


def test_scores_are_those_of_kernel_pca():
    scores = DistributionPCA(4, kernel=KERNEL).fit_transform(BAGS)
    reference = KernelPCA(4, kernel="precomputed").fit_transform(KERNEL(BAGS))
    np.testing.assert_allclose(np.abs(scores), np.abs(reference), atol=1e-9)
    pca = DistributionPCA(4, kernel=KERNEL).fit(BAGS)
    np.testing.assert_allclose(pca.transform(BAGS), scores, atol=1e-10)
    assert pca.explained_variance_ratio_.sum() <= 1 + 1e-12


def test_all_components_reconstruct_the_densities():
    bags = BAGS[:4]
    pca = DistributionPCA(3, kernel=KERNEL).fit(bags)
    np.testing.assert_allclose(
        pca.reconstruct(pca.transform(bags), GRID), KERNEL.densities(bags, GRID), atol=1e-9
    )
    with pytest.raises(ValueError, match="scores must have 3 columns"):
        pca.reconstruct(np.ones((2, 2)), GRID)


def test_bags_of_numbers_and_the_default_width():
    pca = DistributionPCA(1).fit(BAGS)
    numbers = DistributionPCA(1).fit([bag[:, 0] for bag in BAGS])
    np.testing.assert_array_equal(pca.dual_coefficients_, numbers.dual_coefficients_)
    np.testing.assert_array_equal(pca.transform(BAGS), numbers.transform([b[:, 0] for b in BAGS]))
    spread = np.sqrt(np.mean([bag.var() for bag in BAGS]))
    silverman = spread * (4 / (3 * np.mean([len(bag) for bag in BAGS]))) ** 0.2
    assert pca.kernel_.width == pytest.approx(silverman)
    assert abs(np.corrcoef(pca.transform(BAGS)[:, 0], SHIFTS)[0, 1]) > 0.9
    cube = rng.normal(size=(5, 7, 2))
    assert DistributionPCA(2).fit_transform(cube).shape == (5, 2)
    single = DistributionPCA(1).fit([[[0.0]], [[1.0]], [[5.0]]])  # one sample each
    assert single.kernel_.width == 4.0


def test_refusals():
    pca = DistributionPCA(1, kernel=KERNEL)
    for X, sentence in (
        (BAGS[:1], "DistributionPCA needs at least two bags; there are 1"),
        (np.ones((4, 3)), "X is a single bag"),
        ([BAGS[0], BAGS[0], BAGS[0]], r"n_components \(=1\) is more than the 0 directions"),
        ([BAGS[0], np.ones((3, 2))], "samples of different dimensions"),
        ([BAGS[0], np.full((3, 1), np.nan)], r"X\[1\] holds NaN"),
    ):
        for model in (pca, DistributionPCA(1)):
            with pytest.raises(ValueError, match=sentence):
                model.fit(X)
    fitted = pca.fit(BAGS)
    with pytest.raises(ValueError, match="have 1 features and the points 2"):
        fitted.component_densities(np.ones((3, 2)))
    with pytest.raises(ValueError, match="have 2 features and those of Y 1"):
        fitted.transform([np.ones((3, 2))])
    with pytest.raises(ValueError, match="beyond floating-point"):
        CrossInformationPotential(1e-9).densities([np.zeros((2, 60))], np.zeros((1, 60)))


def test_points_of_bags_of_numbers():
    pca = DistributionPCA(2, kernel=KERNEL).fit([bag[:, 0] for bag in BAGS])
    points = GRID[::100]
    np.testing.assert_array_equal(pca.mean_density(points[:, 0]), pca.mean_density(points))
    np.testing.assert_array_equal(
        pca.component_densities(list(points[:, 0])), pca.component_densities(points)
    )
    planar = DistributionPCA(1).fit(rng.normal(size=(4, 6, 2)))
    with pytest.raises(ValueError, match="points must be an array of samples"):
        planar.mean_density([0.0, 1.0])


def test_bags_are_no_scores():
    pca = DistributionPCA(2, kernel=KERNEL).fit(BAGS)
    with pytest.raises(ValueError, match=r"^scores must be numbers in 2 columns.* transform gives"):
        pca.reconstruct(BAGS, GRID)
    with pytest.raises(ValueError, match="scores must have 2 columns"):
        pca.reconstruct([bag[:20] for bag in BAGS], GRID)
