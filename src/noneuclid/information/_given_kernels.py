"""Kernels that users give to a test: of rows, of objects, a function of two, or a Gram matrix."""

from collections.abc import Sequence
from typing import Any

from noneuclid._checks import shown
from noneuclid._parameters import check_parameters
from noneuclid.information._checks import check_enough
from noneuclid.information._diagonals import Diagonals, GramDiagonals, Together, of_kernel
from noneuclid.kernels import Kernel, as_kernel
from noneuclid.proximities import Relation
from noneuclid.proximities.checks import check_symmetric
from noneuclid.typing import Array


def is_precomputed(kernel: Any) -> bool:
    """Whether the matrix itself is given."""
    return isinstance(kernel, str) and kernel == "precomputed"


def check_kernel(parameter: str, kernel: Any) -> None:
    """Raise unless it is what ``kernel=`` of a test may be."""
    several = isinstance(kernel, (list, tuple))
    if several and not kernel:
        raise ValueError(f"{parameter} (={kernel!r}) is a list without kernels")
    if several and any(map(is_precomputed, kernel)):
        raise ValueError(f'{parameter}: "precomputed" cannot be one of several kernels')
    for one in kernel if several else [kernel]:
        if one is not None and not is_precomputed(one):
            check_parameters(as_kernel(one, parameter))


def refuse_idle_widths(width: Any, parameters: Sequence[str], kernels: Sequence[Any]) -> None:
    """Raise if a width is given where a kernel is, too: nothing would come of it.

    One width for all variables is that of those without a kernel, if there are any; ``"median"``,
    the default, and None say nothing.
    """
    named = list(zip(parameters, kernels))
    each = isinstance(width, (list, tuple)) and len(width) == len(named) > 1
    for w, beside in zip(width, [[one] for one in named]) if each else [(width, named)]:
        silent = w is None or (isinstance(w, str) and w == "median")
        if not silent and all(kernel is not None for _, kernel in beside):
            those = ", ".join(f"{name} (={shown(kernel)})" for name, kernel in beside)
            raise ValueError(
                f"width (={shown(w)}) would be ignored beside {those}: it is that of the default "
                "kernel, give only one of both"
            )


def given_diagonals(kernel: Any, X: Any, name: str = "X", parameter: str = "kernel") -> Diagonals:
    """The values of a kernel, or of several, on samples or on what the kernel takes."""
    if isinstance(kernel, (list, tuple)):
        return Together([given_diagonals(k, X, name, parameter) for k in kernel])
    if is_precomputed(kernel):
        return GramDiagonals(gram_matrix(X, name))
    resolved, objects = on_objects(kernel, X, name, parameter)
    if resolved.is_positive_definite:
        return of_kernel(resolved, objects)
    return GramDiagonals(positive(resolved(objects), str(resolved)), resolved)


def on_objects(kernel: Any, X: Any, name: str, parameter: str) -> tuple[Kernel, Any]:
    """The kernel with its width fixed, and the samples in the form that it takes."""
    found = as_kernel(kernel, parameter)
    objects = found.as_objects(X, name)
    check_enough(objects, name)
    return found.resolve(objects), objects


def gram_matrix(K: Any, name: str) -> Array:
    """A Gram matrix that was given, checked."""
    matrix = positive(K, name)
    check_enough(matrix, name)
    return matrix


_INSTEAD = 'correct its matrix with SpectrumCorrection and give it with "precomputed"'


def positive(K: Any, name: str, instead: str = _INSTEAD) -> Array:
    """The matrix, symmetric after rounding; raises unless it is symmetric and positive."""
    relation = Relation().fit(check_symmetric(K, name))
    if not relation.is_positive:
        raise ValueError(
            f"{name} is not a positive kernel, {relation.signature_.negative} eigenvalues are "
            f"negative: it has no means to compare; {instead}"
        )
    return relation.matrix


def refuse_kernels_of_blocks(kernels: Any) -> None:
    """Raise if a kernel is given for dask collections."""
    for kernel in kernels:
        if kernel is not None:
            raise ValueError(
                f"{shown(kernel)} is for samples in memory: dask collections are compared by "
                "features of the Gaussian kernel, whose width is `width`"
            )
