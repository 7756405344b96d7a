"""Finds what the package offers, so that nothing has to be registered."""

import importlib
import inspect
import pkgutil
from typing import TYPE_CHECKING, Any, TypeVar

import noneuclid
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels import Kernel
from noneuclid.spaces import Space

if TYPE_CHECKING:
    from noneuclid.datasets import Reader

T = TypeVar("T")

# Importing these needs an extra or has side effects.
_SKIPPED = (
    "noneuclid.__main__",
    "noneuclid._terminal",
    "noneuclid.cli",
    "noneuclid.displays",
    "noneuclid.report",
    "noneuclid.testing",
)


def own_classes() -> list[type]:
    """All classes the package defines, those inside private modules included."""
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(noneuclid.__path__, "noneuclid."):
        if module.name.startswith(_SKIPPED):
            continue
        for _, cls in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if cls.__module__.startswith("noneuclid."):
                found[f"{cls.__module__}.{cls.__qualname__}"] = cls
    return [found[name] for name in sorted(found)]


def public_subclasses(base: type[T]) -> list[type[T]]:
    """All public, concrete subclasses of ``base`` that the package defines, by name."""
    concrete = [cls for cls in own_classes() if issubclass(cls, base) and not _is_abstract(cls)]
    public = [cls for cls in concrete if "._" not in f"{cls.__module__}.{cls.__name__}"]
    return sorted(public, key=lambda cls: cls.__name__)


def _is_abstract(cls: type) -> bool:
    if inspect.isabstract(cls) or cls in (Space, Kernel, BaseEstimator):
        return True
    return any(getattr(getattr(cls, m, None), "__isabstractmethod__", False) for m in dir(cls))


def all_spaces() -> list[type[Space]]:
    """Every space of the package.

    Returns
    -------
    list of type
        Classes, in the order of their names.
    """
    return public_subclasses(Space)


def all_kernels() -> list[type[Kernel]]:
    """Every kernel of the package.

    Returns
    -------
    list of type
        Classes, in the order of their names.
    """
    return public_subclasses(Kernel)  # type: ignore[type-abstract]


def all_estimators() -> list[type[BaseEstimator]]:
    """Every learner of the package: what fits, and then answers.

    A ``Relation`` is none: like spaces and kernels it is a part that learners have, and what it
    was given need not be in its file.

    Returns
    -------
    list of type
        Classes, in the order of their names.
    """
    answers = ("predict", "transform", "fit_predict", "fit_transform")
    learners = [cls for cls in public_subclasses(BaseEstimator) if hasattr(cls, "fit")]
    return [cls for cls in learners if any(hasattr(cls, method) for method in answers)]


def all_costs() -> list[type[Any]]:
    """Every cost of learning vector quantisation of the package.

    Returns
    -------
    list of type
        Classes, in the order of their names.
    """
    from noneuclid.prototypes.costs import Cost

    return public_subclasses(Cost)  # type: ignore[type-abstract]


def all_metrics() -> list[str]:
    """Name of every metric that ``metric=`` takes.

    Returns
    -------
    list of str
        In the order of the alphabet.
    """
    from noneuclid.proximities import metrics

    return list(metrics())  # type: ignore[operator,unused-ignore]


def all_readers() -> list["Reader"]:
    """Every reader of files, in the order in which they are asked.

    Returns
    -------
    list of Reader
        Instances.
    """
    from noneuclid import datasets

    return datasets.all_readers()
