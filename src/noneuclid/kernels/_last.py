"""What was made last of objects that a model compares with again and again."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Remembers:
    """Objects in one form that keep, in memory and not in files, what was made of them last.

    Threads need no lock: what is kept is replaced as a whole, and two at worst make it twice.
    """

    def remembered(self, what: Any, make: Callable[[], T]) -> T:
        """What ``make`` returns, or returned last if ``what`` is the same again."""
        known = self.__dict__.get("_last")
        if known is not None and known[0] == what:
            return cast(T, known[1])
        value = make()
        self.__dict__["_last"] = what, value
        return value

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_last"}
