r"""What a geometry is.

A semi-inner product :math:`[x, w]` is linear in :math:`x`, so it is
:math:`\langle x, J(w)\rangle` for one map :math:`J`, the *duality map* of the space. With it

.. math::
    [x, w] = \langle x, J(w)\rangle, \qquad \|w\|^2 = \langle w, J(w)\rangle, \qquad
    \frac{\partial \|x - w\|^2}{\partial w} = -2 J(x - w),

and a learner needs nothing else.
"""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from sklearn.base import clone

from noneuclid._parameters import check_parameters_once
from noneuclid._sklearn import BaseEstimator
from noneuclid.spaces.charts import Chart
from noneuclid.spaces.forms import Form
from noneuclid.spaces.rows import RowInput
from noneuclid.typing import Array

SEMI_INNER_PRODUCT_LAWS = frozenset(
    {"positivity", "linearity", "homogeneity", "cauchy_schwarz", "triangle"}
)
"""Laws of every semi-inner product (Lumer 1961; Giles 1967)."""

HILBERT_LAWS = SEMI_INNER_PRODUCT_LAWS | {"symmetry", "additivity"}
"""Symmetry, and additivity in the second argument, hold in Hilbert spaces only."""

T = TypeVar("T")


# What a space is called that has a method.
_KINDS = {"flatten": " (a Hilbert space)"}


class IncompatibleSpace(TypeError):
    """A learner needs something of its space that makes no sense there."""


def require(space: object, learner: str, *methods: str) -> None:
    """Raise :class:`IncompatibleSpace` unless the space has all the methods.

    Parameters
    ----------
    space : Space
        What a learner was given.
    learner : str
        Its name, for the message.
    *methods : str
        What it needs.

    Examples
    --------
    >>> from noneuclid.spaces import PseudoEuclidean
    >>> require(PseudoEuclidean(signature=(2, 1)), "HebbianPCA", "product", "norm")
    Traceback (most recent call last):
    ...
    noneuclid.spaces.base.IncompatibleSpace: HebbianPCA needs a space with `norm`;
    PseudoEuclidean(signature=(2, 1)) has none
    """
    for method in methods:
        if not hasattr(space, method):
            kind = _KINDS.get(method, "")
            raise IncompatibleSpace(
                f"{learner} needs a space with `{method}`{kind}; {space} has none"
            )


class Space(RowInput, BaseEstimator):
    """Where data live. Parameters only: a space clones, prints and grid-searches.

    A method that makes no sense for a space is absent.

    Attributes
    ----------
    laws : frozenset of str
        The laws the space claims; ``noneuclid.testing.check_space`` holds it to the claim, and
        to what it does not claim as well.
    n_features : int or None
        The dimension, where the parameters fix it.
    """

    if TYPE_CHECKING:  # what makes no sense for a space is absent, which learners ask for by name

        def __getattr__(self, name: str) -> Any: ...

    laws: frozenset[str] = frozenset()

    @property
    def is_hilbert(self) -> bool:
        """Whether the product is an inner product."""
        return self.laws >= HILBERT_LAWS

    @property
    def negative_type(self) -> float:
        r"""The largest q ≤ 2 for which :math:`d^q` is known to be of negative type; 0 if none is.

        Then :math:`\sum_{ij} c_i c_j d^q(x_i, x_j) \le 0` for all coefficients that sum to 0, and
        :math:`e^{-s d^q}` is a positive definite kernel for every s > 0 (Schoenberg 1938): 2 in
        Hilbert spaces, p in l_p with p ≤ 2.
        """
        return 2.0 if self.is_hilbert else 0.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a few small instances; every test over all spaces runs on them.

        Returns
        -------
        list of Space
            Of this class.
        """
        return [cls()]

    def chart(self, d: int) -> Chart | None:
        """Coordinates of d-dimensional rows in which the product is diagonal.

        +1 first, then −1; None where the product is not bilinear and symmetric.

        Parameters
        ----------
        d : int
            Dimension of the rows.

        Returns
        -------
        Chart or None
            Coordinates, and the sign of each.
        """
        check_parameters_once(self)
        if self.n_features not in (None, d):
            raise ValueError(f"X has {d} features, but {self} takes {self.n_features}")
        return self._remember(("chart", d), lambda: self._chart(d))

    def _chart(self, d: int) -> Chart | None:
        return None

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks of a space without a chart.

        Parameters
        ----------
        d : int
            Dimension of the rows.

        Returns
        -------
        Form or None
            None where learning has to ask the space itself.
        """
        return None

    def on_grid(self, positions: Sequence[Array]) -> "Space":
        """The space for curves at these positions, for each channel.

        What has no grid of its own gets it from the data; rows are the channels side by side.

        Parameters
        ----------
        positions : list of arrays

        Returns
        -------
        Space
        """
        return parts_on_grid(self, positions)

    def _remember(self, what: object, make: Callable[[], T]) -> T:
        """Compute once per parameter setting. An array changed in place is not noticed.

        Threads that share a space need no lock: what is known is replaced as a whole, never
        changed, so that two threads at worst compute the same thing; and what was computed while
        another thread set parameters is not kept.
        """
        params = self._values()
        known = self._remembered(params)
        if what in known:
            return cast(T, known[what])
        value = make()
        if _same_values(self._values(), params):
            self.__dict__["_memory"] = (params, {**self._remembered(params), what: value})
        return value

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _names(type(self))}  # type: ignore[arg-type]

    def _remembered(self, params: dict[str, Any]) -> dict[object, Any]:
        memory: tuple[dict[str, Any], dict[object, Any]] | None = self.__dict__.get("_memory")
        return memory[1] if memory is not None and _same_values(memory[0], params) else {}

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_memory"}


@functools.cache
def _names(cls: type) -> list[str]:
    """The parameters of a class; to ask scikit-learn takes longer than most answers."""
    return cast(list[str], cls._get_param_names())  # type: ignore[attr-defined]


def parts_on_grid(thing: T, positions: Sequence[Array]) -> T:
    """The same space or kernel; spaces and kernels among its parameters on the grid of curves."""
    parts = {
        name: part.on_grid(positions)
        for name, part in cast(Any, thing).get_params(deep=False).items()
        if hasattr(part, "on_grid")
    }
    return cast(T, clone(thing, safe=False).set_params(**parts)) if parts else thing


def _same_values(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[name] is other[name] for name in other)
