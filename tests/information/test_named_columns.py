"""Tables whose columns are in another order are the same tables."""

import numpy as np
import pytest

from noneuclid.information import (
    angle,
    cauchy_schwarz_divergence,
    conditional_cauchy_schwarz_divergence,
    cross_information_potential,
    euclidean_divergence,
    geodesic_distance,
    information_potential,
    two_sample_test,
)
from noneuclid.kernels import CrossInformationPotential
from noneuclid.pca import DistributionPCA
from noneuclid.proximities import Wasserstein

pd = pytest.importorskip("pandas")

A = pd.DataFrame(np.random.default_rng(7).normal(size=(40, 2)) * [1, 9], columns=["a", "b"])
B = A[["b", "a"]]
OTHER = A.rename(columns={"a": "c"})


def test_divergences():
    for divergence in (euclidean_divergence, cauchy_schwarz_divergence, angle):
        assert divergence(A, B, 1.0) == pytest.approx(0.0, abs=1e-7)
        with pytest.raises(ValueError, match="only one of the two tables has the columns a, c"):
            divergence(A, OTHER, 1.0)
    assert cross_information_potential(A, B, 1.0) == pytest.approx(information_potential(A, 1.0))
    assert np.diag(geodesic_distance(A, B, width=1.0)).max() == 0.0
    numbers = pd.Series(np.arange(40.0))
    assert conditional_cauchy_schwarz_divergence((A, numbers), (B, numbers), 1.0) == pytest.approx(
        0
    )


def test_bags():
    kernel = CrossInformationPotential(1.0, normalize=True)
    np.testing.assert_allclose(kernel([A, B]), 1.0)
    np.testing.assert_allclose(kernel([A], [B]), 1.0)
    np.testing.assert_allclose(Wasserstein().between([A, B]), 0.0, atol=1e-9)
    np.testing.assert_allclose(Wasserstein().between([A], [B]), 0.0, atol=1e-9)
    shifted = [[table + 0.1 * k for k in range(6)] for table in (A, B)]
    assert two_sample_test(*shifted, kernel=kernel, n_permutations=19).pvalue == 1.0
    for wrong in (
        [A, OTHER],
        [A, pd.concat([A, A], axis=1).iloc[:, :2].set_axis(["a", "a"], axis=1)],
    ):
        with pytest.raises(ValueError, match=r"X\[1\] has the columns .* and the first table"):
            kernel(wrong)
    with pytest.raises(ValueError, match=r"X has the columns .* and Y"):
        kernel([A], [OTHER])


def test_new_bags_are_compared_by_name():
    model = DistributionPCA(n_components=1).fit([A, A + 1, A * 2])
    np.testing.assert_array_equal(model.transform([A]), model.transform([B]))


def test_bags_of_numbers_may_be_series():
    rng = np.random.default_rng(0)
    bags = [rng.normal(size=size) for size in (5, 6, 7)]
    scores = [
        DistributionPCA(n_components=1).fit_transform(given)
        for given in (bags, [pd.Series(bag) for bag in bags])
    ]
    np.testing.assert_array_equal(*scores)
