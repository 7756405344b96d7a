"""Bad input: the error says what was given and what is allowed. Names stand for spaces."""

import numpy as np
import pytest
from scipy import sparse

from noneuclid.spaces import (
    Euclidean,
    FourierSobolev,
    GeneralizedLp,
    Hilbert,
    LeeVerleysen,
    Lp,
    PseudoEuclidean,
    Sobolev,
    as_space,
)

ROWS = np.ones((2, 3))

BAD_PARAMETERS = [
    (Lp(0.5), ValueError, r"p \(=0.5\) must be at least 1"),
    (Lp(np.nan), ValueError, r"p \(=nan\) must be at least 1"),
    (Lp("two"), TypeError, r"p \(='two'\) must be a number"),
    (Lp(True), TypeError, r"p \(=True\) must be a number"),
    (GeneralizedLp(np.inf), ValueError, r"p \(=inf\) must be finite"),
    (Hilbert(np.ones((2, 3))), ValueError, r"square matrix; its shape is \(2, 3\)"),
    (Hilbert([1.0, 2.0]), ValueError, "gram .* must be a matrix of finite numbers"),
    (Hilbert([[1.0, 2.0], [2.0, 1.0]]), ValueError, "eigenvalues lie between -1 and 3"),
    (Hilbert([[1.0, 2.0], [0.0, 1.0]]), ValueError, "symmetric; it differs .* by up to 2"),
    (Hilbert([[np.nan]]), ValueError, "gram .* must be a matrix of finite numbers"),
    (PseudoEuclidean(signature=(0, 0)), ValueError, r"signature \(=\(0, 0\)\) must be two counts"),
    (PseudoEuclidean(signature=(1, -1)), ValueError, r"signature \(=\(1, -1\)\)"),
    (PseudoEuclidean(signature=3), ValueError, r"signature \(=3\)"),
    (LeeVerleysen(p=0), ValueError, r"p \(=0\)"),
    (LeeVerleysen(tau=0), ValueError, r"tau \(=0\) must be a positive number"),
    (FourierSobolev(order=-1), ValueError, r"order \(=-1\) must be a number, at least 0"),
    (FourierSobolev(alpha="a"), ValueError, r"alpha \(='a'\) must be a number"),
    (FourierSobolev(spacing=0), ValueError, r'spacing \(=0\) must be a positive number or "unit"'),
    (
        FourierSobolev(form="x"),
        ValueError,
        r'form .* must be one of "bessel", "derivative"',
    ),
    (Sobolev(p=0.9), ValueError, r"p \(=0.9\)"),
    (Sobolev(weights=()), ValueError, r"weights \(=\(\)\) must be a sequence of numbers"),
    (Sobolev(weights=1), ValueError, r"weights \(=1\) must be a sequence"),
    (Sobolev(weights=("a",)), ValueError, r"weights \(=\('a',\)\) must be a sequence of numbers"),
    (Sobolev(weights=(0, 1)), ValueError, r"weights \(=\(0, 1\)\) must start with a positive"),
    (Sobolev(weights=(1, -1)), ValueError, r"weights \(=\(1, -1\)\).* no negative one"),
    (Sobolev(weights=(1, np.inf)), ValueError, r"weights \(=\(1, inf\)\)"),
    (Sobolev(spacing=-1), ValueError, r"spacing \(=-1\) must be a positive number"),
    (Sobolev(spacing="one"), ValueError, r"spacing \(='one'\)"),
    (Sobolev(spacing=(1, 2)), ValueError, r"spacing \(=\(1, 2\)\) must have one entry per axis"),
    (Sobolev(grid=[0, 1, 1]), ValueError, "grid must increase; 1 at index 1 is followed by 1"),
    (Sobolev(grid=[0, 1, np.nan]), ValueError, r"grid \(=\[0, 1, nan\]\) must be a 1-d array"),
    (Sobolev(grid=[0]), ValueError, r"grid \(=\[0\]\).* at least two"),
    (Sobolev(grid=["a", "b"]), ValueError, r"grid \(=\['a', 'b'\]\)"),
    (Sobolev(grid=[0, 1, 2], shape=(1, 3)), ValueError, "either a grid"),
    (Sobolev(shape=(3, 0)), ValueError, r"shape \(=\(3, 0\)\) must be a tuple of positive"),
    (Sobolev(shape=3), ValueError, r"shape \(=3\) must be a tuple"),
    (Sobolev(shape=()), ValueError, r"shape \(=\(\)\) must be a tuple"),
    (Sobolev(quadrature="simpson"), ValueError, r"quadrature \(='simpson'\) must be one of"),
    (Sobolev(derivative="exact"), ValueError, r"derivative \(='exact'\) must be one of"),
    (
        Sobolev(derivative="savgol", window_length=5),
        ValueError,
        r"window_length \(=5\) exceeds the",
    ),
    (Sobolev(derivative="savgol", window_length=5.0), TypeError, r"window_length \(=5.0\)"),
    (Sobolev(derivative="savgol", polyorder=9), ValueError, r"polyorder \(=9\) must be less"),
    (
        Sobolev(derivative="savgol", polyorder=1, weights=(1, 1, 1)),
        ValueError,
        r"polyorder \(=1\) must be at least the order of the highest derivative, 2",
    ),
    (
        Sobolev(derivative="savgol", window_length=3, polyorder=2, grid=[0, 1, 3]),
        ValueError,
        "needs a uniform grid",
    ),
]


@pytest.mark.parametrize(("space", "error", "message"), BAD_PARAMETERS)
def test_bad_parameters_are_named_before_any_work(space, error, message):
    rows = np.ones((2, 2)) if isinstance(space, Hilbert) else ROWS
    for call in (lambda: space.squared_distance(rows, rows), lambda: space.dual(rows)):
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        ([[1.0, np.nan, 0.0]], ValueError, "X contains NaN"),
        ([[1.0, np.inf, 0.0]], ValueError, "X contains infinity"),
        ([1.0, 2.0, 3.0], ValueError, "two-dimensional"),
        ([["a", "b", "c"]], ValueError, "could not convert string"),
        (np.ones((2, 2, 3)), ValueError, "two-dimensional"),
        (np.ones((2, 3)) * 1j, ValueError, "[Cc]omplex"),
        (sparse.eye_array(3, format="csr"), TypeError, "[Ss]parse"),
        (np.ones((2, 4)), ValueError, "X has 4 features and W has 3"),
    ],
)
def test_bad_rows(bad, error, message):
    with pytest.raises(error, match=message):
        Lp(1.5).squared_distance(bad, ROWS)


def test_the_dimension_of_the_space_is_named():
    with pytest.raises(ValueError, match=r"X has 3 features, but Sobolev.* takes 4"):
        Sobolev(shape=(2, 2)).squared_distance(ROWS, ROWS)


def test_one_point_and_one_force_per_pair():
    with pytest.raises(
        ValueError, match=r"x must be one point, a 1-d array; its shape is \(2, 3\)"
    ):
        Euclidean().squared_distance_gradient(ROWS, ROWS)
    with pytest.raises(ValueError, match=r"F must be \(2, 2\), one force per pair, not \(3, 2\)"):
        Euclidean().pull(ROWS, ROWS, np.ones((3, 2)))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("l1", 1), ("l1.5", 1.5), ("l3", 3), ("linf", np.inf), ("l2.0", 2)],
)
def test_lp_by_name(name, expected):
    space = as_space(name)
    assert type(space) is Lp
    assert space.p == expected


def test_other_names():
    assert type(as_space("l2")) is type(as_space("euclidean")) is Euclidean
    assert type(as_space("sobolev")) is Sobolev
    space = Lp(3)
    assert as_space(space) is space


@pytest.mark.parametrize("name", ["l", "lp", "l0.5", "banach", "l-1", ""])
def test_unknown_names(name):
    with pytest.raises(ValueError, match=rf"space \(='{name}'\)"):
        as_space(name)


def test_a_space_is_not_a_number_or_a_class():
    with pytest.raises(TypeError, match=r"space \(=2\) must be a name or a Space$"):
        as_space(2)
    with pytest.raises(TypeError, match="must be a name or a Space"):
        as_space(Lp)
