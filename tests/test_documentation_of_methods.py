"""Every public function and method says what it takes and what it returns."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import noneuclid
from noneuclid._documentation import Documented, bounds, complete_methods, entries_of


def _packages() -> list[str]:
    found = pkgutil.iter_modules(noneuclid.__path__, "noneuclid.")
    return ["noneuclid", *(module.name for module in found if "._" not in module.name)]


def _public() -> dict[str, Callable[..., Any]]:
    """Functions and own methods of everything in an ``__all__``, by name."""
    found: dict[str, Callable[..., Any]] = {}
    for package in _packages():
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isclass(thing):
                found.update(_methods(thing))
            elif inspect.isfunction(thing) and thing.__module__.startswith("noneuclid"):
                found[f"{thing.__module__}.{name}"] = inspect.unwrap(thing)
    return found


def _methods(cls: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for owner in cls.__mro__:
        if not owner.__module__.startswith("noneuclid"):
            continue
        for name, member in vars(owner).items():
            method = getattr(member, "__func__", getattr(member, "fn", member))
            if not name.startswith("_") and inspect.isfunction(method):
                yield f"{owner.__module__}.{owner.__qualname__}.{name}", inspect.unwrap(method)


PUBLIC = {name: method for name, method in _public().items() if method.__name__ != "<lambda>"}


def test_there_are_many() -> None:
    assert len(PUBLIC) > 450


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_parameters_and_returns_are_said(name: str) -> None:
    method = PUBLIC[name]
    text = inspect.cleandoc(method.__doc__ or "")
    parameters = [p for p in inspect.signature(method).parameters if p not in ("self", "cls")]
    described = {entry.lstrip("*") for entry in entries_of(text, "Parameters")}
    assert described == set(parameters)
    if method.__annotations__.get("return") not in (None, "None"):
        assert any(bounds(text, section)[0] is not None for section in ("Returns", "Yields"))


class Number(Documented):
    def plus(self, other: "Number") -> "Number":
        """The sum.

        Parameters
        ----------
        other : Number
            What is added.

        Returns
        -------
        Number
            A new one.

        Examples
        --------
        Of numbers.
        """
        return other

    def silent(self, other: "Number") -> None: ...


def test_who_overrides_inherits_sections_but_not_examples() -> None:
    class Complex(Number):
        def plus(self, other: Number) -> Number:
            """Both parts are added.

            Notes
            -----
            As vectors are.
            """
            return other

    text = Complex.plus.__doc__ or ""
    places = [text.index(word) for word in ("Both parts", "Parameters", "Returns", "Notes")]
    assert places == sorted(places)
    assert "Of numbers" not in text
    assert entries_of(text, "Parameters") == entries_of(
        inspect.cleandoc(Number.plus.__doc__ or ""), "Parameters"
    )


def test_own_sections_stay() -> None:
    class Own(Number):
        def plus(self, other: Number) -> Number:
            """Other words.

            Returns
            -------
            Own
                Of this class.
            """
            return other

    before = Own.plus.__doc__ or ""
    assert "Of this class." in before
    assert "A new one." not in before
    complete_methods(Own)
    assert Own.plus.__doc__ == before


def test_nothing_is_written_over_silence() -> None:
    class Quiet(Number):
        def plus(self, other: Number) -> Number:
            return other

    assert Quiet.plus.__doc__ is None
