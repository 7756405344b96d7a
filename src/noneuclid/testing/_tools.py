"""What all checks share: finite differences, copies, bad input."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from noneuclid.kernels import Kernel
from noneuclid.spaces import Space
from noneuclid.typing import Array

SEEDS = range(5)


def example_points(thing: Space | Kernel, rng: np.random.Generator, n: int) -> Any:
    """Return n random points that a space or kernel takes: rows, or objects of its own kind.

    Parameters
    ----------
    thing : Space or Kernel
    rng : Generator
    n : int

    Returns
    -------
    points : array of shape (n, d), or list of n objects
    """
    if isinstance(thing, Kernel) and thing.takes_objects:
        return thing.example_objects(rng, n)
    return rng.normal(size=(n, thing.n_features or 6))


def assert_close(got: Array, expected: Array, sentence: str, tolerance: float = 1e-8) -> None:
    size = np.abs(expected).max(initial=1e-300)
    error = np.abs(got - expected).max(initial=0.0) / size
    assert np.shape(got) == np.shape(expected), f"{sentence}: shape {np.shape(got)}"
    assert error <= tolerance, f"{sentence} (relative error {error:.3g})"


def finite_differences(function: Callable[[Array], float], at: Array) -> tuple[Array, Array]:
    """Central differences, and where two step sizes agree (elsewhere a kink is near)."""
    estimates = []
    for step in (2e-6, 1e-6):
        units = step * np.eye(len(at))
        estimates.append([(function(at + h) - function(at - h)) / (2 * step) for h in units])
    coarse, fine = np.array(estimates)
    return fine, np.abs(coarse - fine) <= 1e-5 * (1e-3 + np.abs(fine).max())


def assert_gradient(got: Array, function: Callable[[Array], float], at: Array, what: str) -> None:
    expected, smooth = finite_differences(function, at)
    assert smooth.any(), f"{what}: no coordinate could be differentiated"
    size = np.abs(expected[smooth]).max() + 1e-3
    error = np.abs(got - expected)[smooth].max() / size
    assert error < 1e-4, f"{what} differs from finite differences (relative error {error:.3g})"


def check_copies(thing: object, evaluate: Callable[..., Array], X: Array) -> None:
    expected = evaluate(thing, X)
    for how, copy in (("clone", clone(thing)), ("pickle", pickle.loads(pickle.dumps(thing)))):
        assert type(copy) is type(thing), f"{how} of {thing} is {copy}"
        assert (evaluate(copy, X) == expected).all(), f"{how} of {thing} computes something else"
    assert repr(thing), "repr must not be empty"


def check_bad_input(thing: Space | Kernel, evaluate: Callable[..., Array], n_features: int) -> None:
    good = np.ones((3, n_features))
    empty = evaluate(good[:0], good[:0])
    assert empty.shape == (0, 0), f"{thing}: no rows must give an empty (0, 0) answer"
    bad = {
        "a 1-d array": good[0],
        "a NaN": np.where(np.eye(3, n_features) > 0, np.nan, good),
        "an infinity": np.where(np.eye(3, n_features) > 0, np.inf, good),
        "text": np.full(good.shape, "word"),
    }
    if thing.n_features is not None:
        bad["a feature too many"] = np.ones((3, n_features + 1))
    refused = {what: (value, value) for what, value in bad.items()}
    refused["rows of different lengths"] = (good, np.ones((3, n_features + 1)))
    check_refusals(thing, evaluate, refused)


def check_refusals(thing: object, evaluate: Callable[..., Array], bad: dict[str, Any]) -> None:
    for what, pair in bad.items():
        try:
            evaluate(*pair)
        except (TypeError, ValueError):
            continue
        raise AssertionError(f"{thing} accepts {what}")


def check_claim(thing: object, law: str, claimed: bool, worst: float, tolerance: float) -> None:
    """A law that is claimed holds in every trial; one that is not fails in some."""
    holds = worst <= tolerance
    assert holds or not claimed, f"{thing} claims {law}, violated by {worst:.3g}"
    assert claimed or not holds, f"{thing} does not claim {law}, but no trial violates it"


def check_gradients(
    what: str, gradient: Callable[..., Array], value: Callable[..., Array], X: Array, W: Array
) -> Array:
    """Derivatives of value(x, w) by w, of all pairs; those of the first x are checked."""
    gradients = np.array([gradient(x, W) for x in X])
    for w, found in zip(W, gradients[0]):
        assert_gradient(found, lambda v: float(value(X[:1], v[None, :])[0, 0]), w, what)
    return gradients
