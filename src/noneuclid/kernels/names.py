"""Kernels by name."""

import difflib
from collections.abc import Callable
from typing import Annotated, Any

from noneuclid._checks import shown
from noneuclid._parameters import Made
from noneuclid.kernels.alignment import Alignment
from noneuclid.kernels.base import Kernel
from noneuclid.kernels.dot import Linear, Polynomial
from noneuclid.kernels.pairs import REGISTERED, PairKernel
from noneuclid.kernels.radial import Gaussian, Laplacian

_NAMED: dict[str, Callable[[], Kernel]] = {
    "linear": Linear,
    "rbf": lambda: Gaussian(width="scale"),
    "gaussian": lambda: Gaussian(width="scale"),
    "laplacian": lambda: Laplacian(width="scale"),
    "poly": Polynomial,
    "polynomial": Polynomial,
    "needleman_wunsch": Alignment,
    "smith_waterman": lambda: Alignment("local"),
}


def kernel_names() -> list[str]:
    """Names of the kernels of the package."""
    return sorted(_NAMED)


def as_kernel(kernel: str | Kernel | Callable[[Any, Any], Any], name: str = "kernel") -> Kernel:
    """Return the kernel itself, the one a name stands for, or a function wrapped as one.

    Named radial kernels have ``width="scale"``: a learner fixes it on its data with ``resolve``.
    A function takes two objects, such as two rows; one that takes two whole matrices of rows is
    ``FunctionKernel(function)``. An error calls it by the name of the parameter.

    Parameters
    ----------
    kernel : str, Kernel or callable
        A name such as ``"gaussian"``, a kernel, or a function.
    name : str, default="kernel"
        What an error calls it.

    Returns
    -------
    Kernel
        Itself if it is one already.

    Examples
    --------
    >>> as_kernel("rbf")
    Gaussian(width='scale')
    >>> as_kernel(lambda a, b: a[0] * b[0])([[1.0], [2.0]], [[3.0]])
    array([[3.],
           [6.]])
    """
    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str) and kernel in _NAMED:
        return _NAMED[kernel]()
    if isinstance(kernel, str) and kernel not in REGISTERED:
        names = ", ".join(f'"{name}"' for name in kernel_names())
        raise ValueError(
            f"{name} (={shown(kernel)}) must be a Kernel, a function or one of {names}"
            + did_you_mean(kernel, kernel_names())
        )
    if isinstance(kernel, str) or (callable(kernel) and not isinstance(kernel, type)):
        return PairKernel(kernel)
    raise TypeError(f"{name} (={shown(kernel)}) must be a name, a Kernel instance or a function")


KernelLike = Annotated[str | Kernel | Callable[[Any, Any], Any], Made(as_kernel)]


def did_you_mean(name: str, known: list[str]) -> str:
    """The end of a sentence about an unknown name: what is spelt alike, if anything."""
    near = difflib.get_close_matches(name.lower(), known)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
