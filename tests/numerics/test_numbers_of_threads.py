"""Work in Python threads: the order of the items, whatever happens."""

import threading
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from noneuclid.numerics import threads
from noneuclid.numerics.threads import Beside, in_threads, one_blas_thread
from noneuclid.pca import generalized_kernel
from noneuclid.pca.kernel_components import gram


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


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_small_products_take_one_thread_and_leave_the_others_as_they_were():
    with threadpool_limits(2, "blas"):
        before = blas_threads()
        with one_blas_thread(1000):
            assert blas_threads() == {1}
            with one_blas_thread(1000):
                assert blas_threads() == {1}
            assert blas_threads() == {1}
        assert blas_threads() == before
        with one_blas_thread(10**12):
            assert blas_threads() == before
        with one_blas_thread(10**7):
            assert blas_threads() == {1}
        with one_blas_thread(10**7, of_vectors=True):  # it waits for memory
            assert blas_threads() == before
        with pytest.raises(ValueError, match="within"), one_blas_thread(1000):
            raise ValueError("within")
        assert blas_threads() == before


def test_other_threads_leave_the_number_alone():
    """One comes, another comes, the first one leaves: what was set before is not lost."""
    with threadpool_limits(2, "blas"):
        before, inside, leave = blas_threads(), threading.Event(), threading.Event()

        def other():
            with one_blas_thread(1000):
                inside.set()
                leave.wait(10)

        thread = threading.Thread(target=other)
        with one_blas_thread(1000):
            thread.start()
            assert inside.wait(10)
            assert blas_threads() == {1}
        assert blas_threads() == before
        leave.set()
        thread.join()
        assert blas_threads() == before


def test_fits_of_few_rows_take_one_thread(monkeypatch):
    """Scikit-learn's own parts of a fit, too; a fit of many rows decides product by product."""
    seen = []

    def looking(relation):
        seen.append(blas_threads())
        return gram(relation)

    monkeypatch.setattr(generalized_kernel, "gram", looking)
    rows = np.random.default_rng(0).normal(size=(1200, 2))
    model = generalized_kernel.GeneralizedKernelPCA(objective="l2")
    with threadpool_limits(2, "blas"):
        before = blas_threads()
        model.fit(rows[:50])
        assert seen.pop() == {1}
        model.fit(rows)
        assert seen.pop() == before == blas_threads()


def test_questions_are_answered_in_order_beside():
    def fails():
        raise ValueError("beside")

    with Beside() as other:
        other.ask(threading.get_ident)
        other.ask(fails)
        other.ask(late, 3)
        assert other.answer() != threading.get_ident()
        with pytest.raises(ValueError, match="beside"):
            other.answer()
        assert other.answer() == 3


@pytest.mark.parametrize("asked", [0, 1])
def test_nobody_works_on_after_an_error(asked):
    def interrupted():
        with Beside() as other:
            for _ in range(asked):
                other.ask(late, 2)
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert threading.active_count() == before


def test_a_block_that_never_came_to_its_end_keeps_no_thread():
    before = threading.active_count()
    other = Beside().__enter__()
    other.ask(late, 3)
    thread = other._thread
    del other
    thread.join(5.0)
    assert threading.active_count() == before


def test_errors_of_rounding_are_those_of_the_caller():
    def divided():
        return np.ones(1) / np.zeros(1)

    with Beside() as other:
        with np.errstate(divide="raise"):
            other.ask(divided)
            with pytest.raises(FloatingPointError):
                other.answer()
        with np.errstate(divide="ignore"):
            other.ask(divided)
            assert np.isinf(other.answer())
