"""partial_fit: the steps of ``solver="sgd"`` in every space, whichever solver fit has."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from noneuclid.prototypes import GLVQ, RSLVQ
from noneuclid.testing import example_spaces

X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("cls", [GLVQ, pytest.param(RSLVQ, marks=pytest.mark.slow)])
@pytest.mark.parametrize("space", example_spaces(), ids=repr)
def test_streams_do_not_depend_on_the_solver_of_fit(cls, space):
    """Slow before: outside of Hilbert spaces, steps in coordinates, one sample at a time."""
    try:
        online = cls(space=space, solver="sgd", random_state=0).partial_fit(X[::3], Y[::3])
    except ValueError as error:  # a space of other vectors, or without what learners need
        with pytest.raises(type(error)):
            cls(space=space, random_state=0).partial_fit(X[::3], Y[::3])
        return
    usual = cls(space=space, random_state=0).partial_fit(X[::3], Y[::3])
    for _ in range(2):
        online.partial_fit(X[1::3], Y[1::3])
        usual.partial_fit(X[1::3], Y[1::3])
    np.testing.assert_array_equal(usual.prototypes_, online.prototypes_)


@pytest.mark.parametrize("space", ["l1", "linf"])
def test_a_stream_after_fit_goes_on_in_the_unit_of_its_steps(space):
    model = GLVQ(space=space, random_state=0).fit(X, Y)
    before = model.score(X, Y)
    for _ in range(5):
        model.partial_fit(X, Y)
    assert model.score(X, Y) > before - 0.05


def test_models_of_the_first_release_keep_their_gradient():
    """Its files say one gradient, in whose unit the learning rate is."""
    model = GLVQ(space="l1", random_state=0).partial_fit(X, Y)
    old = clone(model).set_params(gradient="coordinates").partial_fit(X, Y)
    expected = old.partial_fit(X, Y).prototypes_
    old = clone(model).set_params(gradient="coordinates").partial_fit(X, Y)
    del old._online_gradient
    np.testing.assert_array_equal(old.partial_fit(X, Y).prototypes_, expected)
