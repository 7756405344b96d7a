"""What a kernel must satisfy."""

from typing import Any

import numpy as np

from noneuclid._discovery import all_kernels
from noneuclid.kernels import Kernel
from noneuclid.testing._tools import (
    SEEDS,
    assert_close,
    check_bad_input,
    check_copies,
    check_gradients,
    check_refusals,
    example_points,
)
from noneuclid.typing import Array


def example_kernels() -> list[Kernel]:
    """Instances of every kernel of the package.

    Returns
    -------
    list of Kernel
        What ``examples()`` of every kernel returns.
    """
    return [kernel for cls in all_kernels() for kernel in cls.examples()]


def check_kernel(kernel: Kernel) -> None:
    """Raise AssertionError, with a sentence, unless the kernel keeps its promises.

    Symmetry and positivity are claimed exactly if they hold; ``diag``, ``gradient`` and ``pull``
    agree with the kernel itself; it clones and pickles; bad input gives a ValueError.

    Parameters
    ----------
    kernel : Kernel
        Any instance, of the package or your own.

    Examples
    --------
    >>> from noneuclid.kernels import Gaussian
    >>> check_kernel(Gaussian(width=2.0))
    """
    if not isinstance(kernel, Kernel):
        raise TypeError(f"check_kernel takes an instance of Kernel, not {kernel!r}")
    holds = {"symmetry": True, "positivity": True}
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        both = example_points(kernel, rng, 13)
        X, W = both[:9], both[9:]
        K = kernel(X)
        size = np.abs(K).max()
        assert_close(kernel(X, X), K, f"{kernel}: k(X, X) differs from k(X)")
        assert_close(kernel.diag(X), np.diag(K), f"{kernel}: diag(X) is not k(X)'s diagonal")
        assert_close(kernel(X, W), kernel(both)[:9, 9:], f"{kernel}: k(X, Y) differs")
        asymmetry = np.abs(K - K.T).max()
        holds["symmetry"] &= bool(asymmetry <= 1e-10 * size)
        lowest = np.linalg.eigvalsh((K + K.T) / 2).min() if asymmetry <= 1e-10 * size else -size
        holds["positivity"] &= bool(lowest >= -1e-10 * size)
        if not kernel.takes_objects:
            holds["positivity"] &= _is_positive_on_corners(kernel, X.shape[1], rng)
        if hasattr(kernel, "gradient"):
            _check_kernel_gradient(kernel, X, W, rng)
    for law, held in holds.items():
        assert held or law not in kernel.laws, f"{kernel} claims {law}, which fails"
        assert not held or law in kernel.laws, f"{kernel} does not claim {law}, which holds"
    check_copies(kernel, lambda k, X: k(X), X)
    if kernel.takes_objects:
        _check_objects(kernel, X)
    else:
        check_bad_input(kernel, kernel, X.shape[1])


def _is_positive_on_corners(kernel: Kernel, d: int, rng: np.random.Generator) -> bool:
    """Positivity where it fails first: on the corners of cubes, some small against a width."""
    corners = rng.integers(-1, 2, size=(40, d)).astype(np.float64)
    for size in (1.0, 0.1):
        K = kernel(size * corners)
        if np.linalg.eigvalsh((K + K.T) / 2).min() < -1e-10 * np.abs(K).max():
            return False
    return True


def _check_kernel_gradient(kernel: Kernel, X: Array, W: Array, rng: np.random.Generator) -> None:
    gradients = check_gradients(f"{kernel}: gradient", kernel.gradient, kernel, X, W)
    if hasattr(kernel, "pull"):
        F = rng.normal(size=(len(X), len(W)))
        expected = np.einsum("ij,ijk->jk", F, gradients)
        assert_close(kernel.pull(X, W, F), expected, f"{kernel}: pull is not Σ F ∂κ")


def _check_objects(kernel: Kernel, X: Any) -> None:
    assert kernel(X[:0], X[:0]).shape == (0, 0), f"{kernel}: no objects must give a (0, 0) answer"
    assert_close(kernel(list(X)), kernel(X), f"{kernel}: a list of objects gives other values")
    bad = {"a number": 3.0, "text": "word", "no object": [None]}
    check_refusals(kernel, kernel, {what: (value, value) for what, value in bad.items()})
