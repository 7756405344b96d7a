"""One step along the gradient of a distance, beside finite differences."""

import numpy as np
import pytest

from noneuclid.numerics.profiles import EXPONENTIAL, RATIONAL, Profile
from noneuclid.numerics.space_steps import space_steps
from noneuclid.spaces.forms import LeeForm, LpForm
from noneuclid.spaces.radial_form import RadialForm

PROFILES = {
    "laplacian": Profile(EXPONENTIAL, 0.02, 1.0),
    "gaussian": Profile(EXPONENTIAL, 0.02),
    "rational": Profile(RATIONAL, 0.02, 1.0, 0.5),
}
FORMS = {f"l{p:g}": LpForm(p) for p in (1, 1.5, 3, np.inf)} | {"lee": LeeForm(2.0, 1.0)}


def slope(form, x, w, h=1e-6):
    """Of the distance, in w."""
    near = w + h * np.vstack([np.eye(w.size), -np.eye(w.size)])
    d = form.squared_distance(x[None, :], near)[0]
    return (d[: w.size] - d[w.size :]) / (2 * h)


@pytest.mark.parametrize("base", FORMS)
@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_prototypes_go_down_the_gradient_of_their_distance(base, profile):
    form = FORMS[base] if profile is None else RadialForm(FORMS[base], PROFILES[profile])
    rng = np.random.default_rng(0)
    x, W = rng.normal(size=7), rng.normal(size=(45, 7))  # two blocks, one of them not full
    pulls, rate = np.linspace(1.0, 0.0, len(W)), 0.03
    ranks = np.argsort(np.argsort(form.squared_distance(x[None, :], W)[0]))
    steps = [-rate * pulls[r] * slope(form, x, w) for r, w in zip(ranks, W)]
    code, order = form.code(7, along_gradient=True), np.array([0])
    moved = W.copy()
    table = np.ones((1, 1)), pulls[None, :]
    space_steps(x[None, :], code, order, table, True, rate, None, moved)
    np.testing.assert_allclose(moved - W, steps, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("profile", [None, *PROFILES])
def test_a_prototype_that_is_the_sample_stays(profile):
    form = FORMS["l1"] if profile is None else RadialForm(FORMS["l1"], PROFILES[profile])
    W = np.array([[1.0, 2.0, 3.0], [1.0, 2.5, 3.0]])
    moved = W.copy()
    table = np.ones((1, 1)), np.ones((1, 2))
    code = form.code(3, along_gradient=True)
    space_steps(W[:1].copy(), code, np.array([0]), table, True, 0.1, None, moved)
    np.testing.assert_array_equal(moved[0], W[0])
    assert moved[1, 1] < W[1, 1]
    np.testing.assert_array_equal(moved[1, ::2], W[1, ::2])
