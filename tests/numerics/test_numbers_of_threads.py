"""Work in Python threads: the order of the items, whatever happens."""

import time

import pytest

from noneuclid.numerics import threads
from noneuclid.numerics.threads import in_threads


def late(number):
    time.sleep(0.01 * (3 - number))
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_results_come_in_order_and_errors_come_through(cores, monkeypatch):
    monkeypatch.setattr(threads, "threads_here", lambda: cores)
    assert list(in_threads(late, range(4))) == [0, 1, 2, 3]
    assert list(in_threads(late, [])) == []
    with pytest.raises(ValueError, match="-1 is negative"):
        list(in_threads(late, [1, -1, 2]))
