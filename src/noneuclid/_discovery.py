"""Finds what the package offers, so that nothing has to be registered."""

import importlib
import inspect
import pkgutil
from typing import TypeVar

from sklearn.base import BaseEstimator

import noneuclid
from noneuclid.kernels import Kernel
from noneuclid.spaces import Space

T = TypeVar("T")

# Importing these needs an extra or has side effects.
_SKIPPED = ("noneuclid.cli", "noneuclid.displays", "noneuclid.report", "noneuclid.testing")


def public_subclasses(base: type[T]) -> list[type[T]]:
    """All public, concrete subclasses of ``base`` that the package defines, by name."""
    found: dict[str, type[T]] = {}
    for module in pkgutil.walk_packages(noneuclid.__path__, "noneuclid."):
        if module.name.startswith(_SKIPPED) or "._" in module.name:
            continue
        for name, cls in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            ours = cls.__module__.startswith("noneuclid.") and not name.startswith("_")
            if ours and issubclass(cls, base) and not _is_abstract(cls):
                found[name] = cls
    return [found[name] for name in sorted(found)]


def _is_abstract(cls: type) -> bool:
    if inspect.isabstract(cls) or cls in (Space, Kernel, BaseEstimator):
        return True
    return any(getattr(getattr(cls, m, None), "__isabstractmethod__", False) for m in dir(cls))


def all_spaces() -> list[type[Space]]:
    """Every space of the package."""
    return public_subclasses(Space)


def all_kernels() -> list[type[Kernel]]:
    """Every kernel of the package."""
    return public_subclasses(Kernel)  # type: ignore[type-abstract]


def all_estimators() -> list[type[BaseEstimator]]:
    """Every learner of the package: what has a ``fit``."""
    return [cls for cls in public_subclasses(BaseEstimator) if hasattr(cls, "fit")]
