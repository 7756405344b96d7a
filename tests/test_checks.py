"""One sentence for every wrong parameter: the name, what was given, what is allowed."""

import numpy as np
import pytest

from noneuclid import _checks
from noneuclid._checks import (
    check_at_least,
    check_choice,
    check_count,
    check_positive,
    check_share,
    is_count,
    is_number,
)

NUMBERS = [0, 1, -3, 2.5, np.float32(1), np.int8(3), np.float64("nan"), np.inf]
NO_NUMBERS = [True, np.bool_(False), "1", None, [1], np.ones(1), 1j, {}]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_numbers(value):
    assert is_number(value)


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_what_is_no_number(value):
    assert not is_number(value)
    assert not is_count(value)


@pytest.mark.parametrize(
    ("value", "least", "expected"),
    [
        (1, 1, True),
        (0, 1, False),
        (0, 0, True),
        (np.int64(4), 4, True),
        (np.uint8(4), 5, False),
        (2.0, 1, False),
        (True, 1, False),
        (-1, -2, True),
    ],
)
def test_counts(value, least, expected):
    assert is_count(value, least) is expected


def test_counts_come_back_as_plain_integers():
    assert type(check_count("k", np.int32(3))) is int
    assert check_count("k", 0, at_least=0) == 0


@pytest.mark.parametrize("value", ["newton", "", None, 1, ["sgd"], np.array(["sgd", "lbfgs"])])
def test_choices_of_words(value):
    with pytest.raises(ValueError, match=r'^solver \(=.*\) must be one of "sgd", "lbfgs"$'):
        check_choice("solver", value, ("sgd", "lbfgs"))
    check_choice("solver", "sgd", ("sgd", "lbfgs"))


def test_choices_of_none_and_truth_values():
    for value in (None, True, "auto"):
        check_choice("correction", value, (None, True, "auto"))
    with pytest.raises(ValueError, match=r'^correction \(=False\) must be one of None, True, "a"$'):
        check_choice("correction", False, (None, True, "a"))
    with pytest.raises(ValueError, match=r"one of None, True"):
        check_choice("correction", 1, (None, True))  # 1 == True, but it is no truth value


BAD_NUMBERS = [np.nan, np.inf, -np.inf, *NO_NUMBERS]


@pytest.mark.parametrize("value", [0, -1.0, *BAD_NUMBERS], ids=repr)
def test_positive(value):
    with pytest.raises(ValueError, match=r"^tol \(=.*\) must be a positive number$"):
        check_positive("tol", value)


@pytest.mark.parametrize("value", [-1e-300, *BAD_NUMBERS], ids=repr)
def test_at_least(value):
    with pytest.raises(ValueError, match=r"^tol \(=.*\) must be a number, at least 0$"):
        check_at_least("tol", value)


@pytest.mark.parametrize("value", [0, 1, 1.5, -0.5, *BAD_NUMBERS], ids=repr)
def test_shares(value):
    with pytest.raises(ValueError, match=r"^level \(=.*\) must be a number between 0 and 1$"):
        check_share("level", value)


def test_ends_of_shares_belong_to_them_or_not():
    check_share("window", 0.5)
    for end in (0, 1, 0.0, 1.0):
        check_share("window", end, ends=True)
    with pytest.raises(ValueError, match=r"between 0 and 1 inclusive$"):
        check_share("window", 1.0001, ends=True)


@pytest.mark.parametrize("check", [check_positive, check_at_least])
def test_auto_only_where_it_is_allowed(check):
    check("rate", "auto", auto=True)
    check("rate", 0.5, auto=True)
    with pytest.raises(ValueError, match=r"^rate \(='auto'\) must be a"):
        check("rate", "auto")
    for value in ("Auto", "automatic", -1, None, np.array(["auto", "auto"])):
        with pytest.raises(ValueError, match=r'must be "auto" or a'):
            check("rate", value, auto=True)


def test_another_least_number():
    check_at_least("p", 1, 1)
    with pytest.raises(ValueError, match=r"^p \(=0.5\) must be a number, at least 1$"):
        check_at_least("p", 0.5, 1)
    with pytest.raises(ValueError, match=r"at least -0.25$"):
        check_at_least("p", -1, -0.25)


@pytest.mark.parametrize("value", [0, 0.5, 1.0, "3", None, True], ids=repr)
def test_integers(value):
    with pytest.raises(ValueError, match=r"^k \(=.*\) must be an integer, at least 1$"):
        check_count("k", value)


def test_all_checks_take_the_name_first():
    for name in vars(_checks):
        if name.startswith("check_"):
            function = getattr(_checks, name)
            assert function.__code__.co_varnames[:2] == ("name", "value"), name
