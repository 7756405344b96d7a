"""Kernels by name."""

from collections.abc import Callable
from typing import Any

from noneuclid.kernels.base import FunctionKernel, Kernel
from noneuclid.kernels.dot import Linear, Polynomial
from noneuclid.kernels.radial import Gaussian, Laplacian

_NAMED: dict[str, Callable[[], Kernel]] = {
    "linear": Linear,
    "rbf": lambda: Gaussian(width="scale"),
    "gaussian": lambda: Gaussian(width="scale"),
    "laplacian": lambda: Laplacian(width="scale"),
    "poly": Polynomial,
    "polynomial": Polynomial,
}


def as_kernel(kernel: str | Kernel | Callable[[Any, Any], Any]) -> Kernel:
    """Return the kernel itself, the one a name stands for, or a function wrapped as one.

    Named radial kernels have ``width="scale"``: a learner fixes it on its data with ``resolve``.
    A function takes two whole matrices of rows.

    Examples
    --------
    >>> as_kernel("rbf")
    Gaussian(width='scale')
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        if kernel not in _NAMED:
            names = ", ".join(f'"{name}"' for name in sorted(_NAMED))
            raise ValueError(f"kernel (={kernel!r}) must be a Kernel, a function or one of {names}")
        return _NAMED[kernel]()
    if callable(kernel) and not isinstance(kernel, type):
        return FunctionKernel(kernel)
    raise TypeError(f"kernel (={kernel!r}) must be a name, a Kernel instance or a function")
