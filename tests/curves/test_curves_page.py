"""The page of curves runs."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "curves.md"


def test_page_runs():
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=options)
    assert result.attempted > 30
    assert result.failed == 0
