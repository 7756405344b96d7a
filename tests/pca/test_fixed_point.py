"""Fixed points of the Hebbian rules where features are many."""

import numpy as np
import pytest

from noneuclid.pca import HebbianPCA
from noneuclid.pca._fixed_point import _extrapolated, normalise
from noneuclid.spaces import Lp


class Counting(Lp):
    """An l_p space that counts how many vectors it mapped."""

    asked = 0

    def _dual(self, V):
        Counting.asked += len(V)
        return super()._dual(V)


@pytest.mark.parametrize("p", [1, 1.5, 3])
def test_an_extrapolated_step_maps_one_vector(p):
    B = np.random.default_rng(0).normal(size=(6, 400))
    space, w = Counting(p), normalise(Lp(p), B[:1] + B[1:2])[0]
    Counting.asked = 0
    w, change, steps = _extrapolated(space, B, w, 2000, 1e-10)
    near = Counting.asked - steps  # moves that were looked at
    assert near <= 20
    assert change < 1e-10
    z = Lp(p).dual(w[None])[0]
    out = B @ z
    np.testing.assert_allclose(out @ B, (out @ out) * w, atol=1e-8 * (out @ out) * np.abs(w).max())
    assert Lp(p).norm(w[None])[0] == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("case", ["dependent rows", "one row", "one number"])
def test_few_directions(case):
    rng = np.random.default_rng(1)
    B = {
        "dependent rows": np.outer([1.0, -1.0, 1e-9], rng.normal(size=30)),
        "one row": rng.normal(size=(1, 30)),
        "one number": np.eye(1, 30),
    }[case]
    w, change, _ = _extrapolated(Lp(3), B, normalise(Lp(3), B[:1])[0], 100, 1e-10)
    assert change < 1e-10
    np.testing.assert_allclose(w, normalise(Lp(3), B[:1])[0], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("space", ["l1", "l3"])
def test_a_hundred_thousand_features(space):
    X = np.random.default_rng(0).normal(size=(10, 100_000))
    fitted = HebbianPCA(space=space, random_state=0).fit(X)  # a warning would be an error
    V, w = X - X.mean(axis=0), fitted.components_[0]
    out = V @ fitted.space_.dual(w[None])[0]
    # The first component rests: its expected update is along itself.
    np.testing.assert_allclose(out @ V, (out @ out) * w, atol=1e-6 * (out @ out) * np.abs(w).max())
    assert fitted.n_iter_ < 2000
