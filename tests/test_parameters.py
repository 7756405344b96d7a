"""Every parameter of every class, given anything: refused in one sentence that names it, or used.

What is allowed is said by annotations (``noneuclid._parameters``); here they are compared with the
documentation, and ``fit`` with both. What is excused, and why, is in parameter_exceptions.py.
"""

import inspect
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone

from noneuclid._parameters import allowed, check_value
from noneuclid.kernels import Gaussian, Kernel, Polynomial
from noneuclid.pca import GeneralizedPCA, Objective
from noneuclid.prototypes.costs import Cost, GLVQCost
from noneuclid.proximities import Relation
from noneuclid.spaces import KernelMetric, Lp, Sobolev, Space
from noneuclid.testing import all_costs, all_estimators, all_kernels, all_spaces
from parameter_exceptions import EXAMPLES

# --- what is tried -------------------------------------------------------------------------------


class Opaque:
    """A thing of no known kind, with a long name of many lines."""

    def __repr__(self):
        return "Opaque(\n" + 50 * "and so on\n" + ")"


VALUES = [
    *(
        "",
        "nonsense",
        "Auto",
        "auto",
        "scale",
        "median",
        "l2",
        "l0.5",
        "l1.5",
        "glvq",
        "precomputed",
    ),
    *(np.str_("nonsense"), b"sgd", "x" * 3000, "\n", "sgd\x00"),
    *(None, True, False, np.True_, np.False_),
    *(0, 1, 2, 3, -1, -(2**40), 2**32, 2**63, 10**30),
    *(np.int8(2), np.int64(2), np.uint8(0), np.int64(-1), np.timedelta64(2), np.datetime64(2, "s")),
    *(0.0, -0.0, 0.5, 1.0, 1.5, 2.5, -0.5, -1e300, 1e-12, 1e300, 5e-324),
    *(np.float32(0.5), np.float16(1.5), np.longdouble(0.5), Fraction(1, 2), Decimal("0.5")),
    *(float("nan"), float("inf"), -float("inf"), np.float32("nan"), np.float64("inf")),
    *(1j, np.complex64(1.0), np.array(2), np.array(-1.0), np.array([]), np.array([-1.0, 2.0])),
    *(np.zeros((2, 3)), np.ones(40), np.full((3, 3), np.nan), np.array(["a", "b"])),
    *(np.array([1, None]), np.ma.masked_array([1.0, 2.0], [True, False])),
    *([], [1, 2], [1, "a"], [None], [[1.0], [2.0, 3.0]], (1,), (2, 3), (2, 3, 4), (0, 1), (-1, 2)),
    *((0.5, 0.1), (float("nan"), 1.0), (True, True), range(3), {1, 2}, iter([1]), slice(3)),
    *({}, {"unknown": 1}, {0: -1}, {None: 1}, {0: "a"}, {0: 1, 1: 1}, {0: 0.5, 1: 2.0}),
    *(object(), Opaque(), int, len, re, np.random, np.random.default_rng(0)),
    *(np.random.RandomState(0), Gaussian, Lp, GeneralizedPCA),
    *(Lp(0.5), Lp("two"), Sobolev(weights=(-1,)), KernelMetric("rbf"), KernelMetric(Gaussian(-1))),
    *(Gaussian(-1), Gaussian("wide"), Polynomial(degree=0.5), GLVQCost(slope=-1), Objective()),
    *(Relation(3), GeneralizedPCA(n_components=0), GeneralizedPCA(p=-1)),
]


class Untouchable:
    """Data that say so when anybody looks at them."""

    def __getattribute__(self, name):
        raise LookedAtError(name)

    def __len__(self):
        raise LookedAtError("len")

    def __iter__(self):
        raise LookedAtError("iter")


class LookedAtError(Exception):
    """Somebody looked at the data."""


PARTS = [*all_spaces(), *all_kernels(), *all_costs(), Objective]
LEARNERS = [*all_estimators(), Relation]
CLASSES = {cls.__name__: cls for cls in [*LEARNERS, *PARTS]}
NAMES = [(name, p) for name, cls in CLASSES.items() for p in inspect.signature(cls).parameters]
every_parameter = pytest.mark.parametrize(("name", "parameter"), NAMES)


def example(cls):
    """An instance whose parameters are all right."""
    if cls.__name__ in EXAMPLES:
        return EXAMPLES[cls.__name__]()
    return cls.examples()[0] if hasattr(cls, "examples") else cls()


def with_value(cls, parameter, value):
    """An instance with one parameter changed, not cloned: what cannot be copied is tried, too."""
    made = clone(example(cls), safe=False)
    setattr(made, parameter, value)
    return made


def begin(thing):
    """Do what checks the parameters of a thing first, then looks at data that cannot be looked at."""
    if isinstance(thing, Cost):
        thing.check()
        raise LookedAtError
    if isinstance(thing, Objective):
        GeneralizedPCA(objective=thing).fit(Untouchable())
    if isinstance(thing, Space | Kernel):
        thing._check(Untouchable())
    with_labels = "y" in inspect.signature(thing.fit).parameters
    thing.fit(Untouchable(), Untouchable()) if with_labels else thing.fit(Untouchable())


def is_allowed(cls, parameter, value):
    """What the annotation says."""
    rules = allowed(cls).get(parameter)
    try:
        if rules is not None:
            check_value(parameter, value, rules)
    except (ValueError, TypeError):
        return False
    return True
