"""A function of two objects as a kernel, and its values for all pairs."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Self

import numpy as np
from joblib import Parallel, delayed

from noneuclid._checks import shown
from noneuclid._memory import require_matrices
from noneuclid._parameters import InvalidParameter, Rule, check_parameters
from noneuclid._progress import progress
from noneuclid.kernels.base import Kernel, ObjectKernel
from noneuclid.typing import Array, IntArray

PairFunction = Callable[[Any, Any], float]
FEWER_PAIRS = "use landmark_pairwise, or a learner with n_landmarks=…"

# Pairs per task: enough work to hide the cost of sending it, enough tasks to balance.
_TASK_PAIRS = 20_000
# Functions of users by name: (function, whether the objects are rows of a numeric table).
REGISTERED: dict[str, tuple[PairFunction, bool]] = {}


class Objects(list[Any]):
    """A list of objects that takes arrays of indices too.

    Examples
    --------
    >>> Objects(["a", "b", "c"])[[2, 0]]
    ['c', 'a']
    """

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return Objects(super().__getitem__(which))
        if np.ndim(which):
            return Objects(list.__getitem__(self, i) for i in np.arange(len(self))[which])
        return super().__getitem__(which)


def as_object_list(objects: Any, name: str = "X") -> Any:
    """Return objects in a form that takes indices, or raise: one word is no list of its letters.

    The rows of an array or of a data frame are objects: 1-d arrays.

    Examples
    --------
    >>> as_object_list(("cat", "cart"))
    ['cat', 'cart']
    """
    if isinstance(objects, (str, bytes)) or not np.iterable(objects):
        kind = type(objects).__name__
        raise TypeError(f"{name} must be a list of objects, not one {kind}: give [{name}]")
    if hasattr(objects, "to_numpy"):
        objects = objects.to_numpy()
    if isinstance(objects, np.ndarray) and objects.ndim > 1:
        return objects
    return objects if isinstance(objects, Objects) else Objects(objects)


def all_pairs(
    objects: Sequence[Any],
    others: Sequence[Any],
    function: PairFunction,
    *,
    symmetric: bool = False,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> Array:
    """``function(a, b)`` for all pairs, on joblib; if symmetric, of the upper triangle only."""
    n, m = len(objects), len(others)
    require_matrices(f"the matrix of {n:,} and {m:,} objects", n, m, instead=FEWER_PAIRS)
    P = np.empty((n, m))
    pairs = np.cumsum([m - i if symmetric else m for i in range(n)]) // _TASK_PAIRS
    tasks = np.split(np.arange(n), np.flatnonzero(np.diff(pairs)) + 1)
    calls = (delayed(_rows)(objects, others, function, rows, symmetric) for rows in tasks)
    blocks = Parallel(n_jobs=n_jobs, return_as="generator")(calls)
    for rows, block in progress(zip(tasks, blocks), len(tasks), "pairs", bool(verbose)):
        for i, values in zip(rows, block):
            start = i if symmetric else 0
            P[i, start:] = values
            if symmetric:
                P[start:, i] = values
    return P


def _rows(
    objects: Any, others: Any, function: PairFunction, rows: IntArray, upper: bool
) -> list[list[float]]:
    block = []
    for i in map(int, rows):
        first = i if upper else 0
        values = pair_values(function, ((objects[i], b) for b in others[first:]))
        bad = ~np.isfinite(values)
        if bad.any():
            j = int(np.argmax(bad))
            raise ValueError(
                f"metric returned {values[j]} for objects {i} and {j + first}: proximities must "
                "be finite numbers"
            )
        block.append(values)
    return block


def pair_values(function: PairFunction, pairs: Any) -> list[float]:
    """Return the values of some pairs, or raise with one sentence if the function has none."""
    try:
        return [float(function(a, b)) for a, b in pairs]
    except InvalidParameter:  # says what is wrong, and it is none of the objects
        raise
    except Exception as error:
        name = getattr(function, "__name__", type(function).__name__)
        reason = " ".join([f"{type(error).__name__}:", *str(error).splitlines()[:1]])
        raise ValueError(
            f"{name} gave no number for two objects ({reason}): it is called with one pair at a "
            "time; a function of whole matrices is a kernel as FunctionKernel(function)"
        ) from error


_FunctionOrName = Annotated[
    PairFunction | str,
    Rule(
        "callable",
        lambda f: isinstance(f, str) or (callable(f) and not isinstance(f, type)),
    ),
]


class PairKernel(ObjectKernel):
    """A function ``f(a, b) -> float`` of two objects as a kernel.

    The objects are anything the function understands; the rows of a table come as 1-d arrays.

    Parameters
    ----------
    function : callable or str
        Takes two objects and returns a number; or the name it was registered by.
    symmetric : bool, default=False
        Whether f(a, b) = f(b, a): a Gram matrix then takes half the calls. Nothing else is
        claimed.

    Examples
    --------
    >>> PairKernel(lambda a, b: len(set(a) & set(b)))(["cat", "cart", "dog"], ["tac"])
    array([[3.],
           [3.],
           [0.]])
    """

    def __init__(self, function: _FunctionOrName, *, symmetric: bool = False):
        self.function = function
        self.symmetric = symmetric

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a function that is not symmetric, and one that is; neither is positive."""
        return [cls(_letters_kept), cls(_letters_apart, symmetric=True)]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Symmetric if that is said."""
        return frozenset({"symmetry"} if self.symmetric else ())

    @property
    def takes_objects(self) -> bool:  # type: ignore[override]
        """Whether the objects are anything; a registered function may ask for numeric rows."""
        return not (isinstance(self.function, str) and REGISTERED.get(self.function, (0, 0))[1])

    def _check_params(self) -> None:
        self._function  # noqa: B018 - complains about a name that nobody registered

    def example_objects(self, rng: np.random.Generator, n: int) -> Objects:
        """Return n random words."""
        return Objects("".join(rng.choice(list("abc"), size=k)) for k in rng.integers(1, 9, size=n))

    def as_objects(self, X: Any, name: str = "X") -> Any:
        """Return the objects in a form that takes indices."""
        if not self.takes_objects:
            return Kernel._check(self, X, name)
        check_parameters(self)
        return as_object_list(X, name)

    def _check_pair(self, X: Any, Y: Any) -> tuple[Any, Any]:
        kind = ObjectKernel if self.takes_objects else Kernel
        return kind._check_pair(self, X, Y)

    @property
    def _function(self) -> PairFunction:
        name = self.function
        if isinstance(name, str) and name not in REGISTERED:
            raise ValueError(
                f"function (={shown(name)}): the metric is not known here: call "
                "noneuclid.proximities.register_metric(name, function) first"
            )
        return REGISTERED[name][0] if isinstance(name, str) else name

    def _evaluate(self, X: Any, Y: Any) -> Array:
        return all_pairs(X, Y, self._function, symmetric=self.symmetric and Y is X)

    def diag(self, X: Any) -> Array:
        """f(a, a) of each object."""
        return np.array(pair_values(self._function, ((a, a) for a in self._check(X))))


def _letters_kept(a: str, b: str) -> float:
    return sum(letter in b for letter in a) - 2.0


def _letters_apart(a: str, b: str) -> float:
    return -abs(len(a) - len(b))
