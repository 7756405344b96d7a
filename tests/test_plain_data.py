"""The short way for plain matrices lets in what the long way lets in, and nothing else."""

import warnings

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.utils import validation

from noneuclid import GLVQ
from noneuclid._data import (
    _is_known_if_finite,
    _is_plain,
    all_finite,
    check_array,
    check_is_fitted,
)
from noneuclid.numerics.linalg import log_sum_exp

ROWS = np.random.default_rng(0).normal(size=(6, 3))
ODD = {
    "plain": ROWS,
    "one row": ROWS[:1],
    "columns first": np.asfortranarray(ROWS),
    "every second row": ROWS[::2],
    "no rows": ROWS[:0],
    "no columns": ROWS[:, :0],
    "single precision": ROWS.astype(np.float32),
    "counts": np.arange(6).reshape(2, 3),
    "a vector": ROWS[0],
    "NaN": np.where(ROWS > 1, np.nan, ROWS),
    "infinite": np.where(ROWS > 1, np.inf, ROWS),
    "huge": 1e200 * ROWS,
    "list": ROWS.tolist(),
    "masked": np.ma.masked_array(ROWS, mask=False),
    "times": ROWS.astype("datetime64[s]"),
}
OPTIONS = [
    {},
    {"dtype": np.float64, "order": "C"},
    {"dtype": np.float32},
    {"order": "F"},
    {"copy": True},
    {"ensure_min_samples": 0},
    {"ensure_min_samples": 4, "ensure_min_features": 2},
    {"ensure_all_finite": "allow-nan"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", ODD)
def test_whatever_goes_the_short_way_comes_back_from_the_long_one(name, options):
    X = ODD[name]
    if not _is_plain(X, options):
        return
    assert validation.check_array(X, **options) is X
    assert check_array(X, **options) is X


def test_plain_matrices_go_the_short_way():
    for X in (ROWS, ROWS[:1], ROWS[:, :1].copy()):
        assert _is_plain(X, {"dtype": np.float64, "order": "C"})
    refused = [name for name in ODD if not _is_plain(ODD[name], {})]
    assert set(ODD) - set(refused) == {"plain", "one row"}


@pytest.mark.parametrize("name", ODD)
def test_predictions_refuse_what_they_refused(name):
    model = GLVQ(random_state=0).fit(ROWS, [0, 1] * 3)
    X = ODD[name]
    if _is_known_if_finite(model, X, {"reset": False}) and all_finite(X):
        expected = validation.validate_data(model, X, reset=False)
        assert expected is X
    short = _said(model, X)
    model.feature_names_in_ = np.array(["a", "b", "c"], dtype=object)  # now the way is long
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert _said(model, X) == short


def _said(model, X):
    try:
        return model.predict(X).tolist()
    except (TypeError, ValueError) as error:
        return str(error)


def test_other_columns_and_forgotten_names_are_noticed():
    model = GLVQ(random_state=0).fit(ROWS, [0, 1] * 3)
    with pytest.raises(ValueError, match="2 features"):
        model.predict(ROWS[:, :2].copy())
    model.feature_names_in_ = np.array(["a", "b", "c"], dtype=object)
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(ROWS)


def test_models_that_learned_nothing_say_so():
    with pytest.raises(validation.NotFittedError):
        check_is_fitted(GLVQ())
    with pytest.raises(validation.NotFittedError):
        check_is_fitted(GLVQ().fit(ROWS, [0, 1] * 3), "absent_")


@pytest.mark.parametrize("values", [ROWS, 1e200 * ROWS, np.array([np.inf]), np.array([[np.nan]])])
def test_finite_numbers_are_told_also_where_squares_overflow(values):
    assert all_finite(values) == np.isfinite(values).all()


def test_log_sums_are_scipys():
    rng = np.random.default_rng(0)
    E = np.concatenate([rng.normal(size=(50, 4)), 300 * rng.normal(size=(50, 4))])
    E[3, :2], E[4], E[5, 0] = -np.inf, -np.inf, 0.0
    E[5, 1:] = -60.0  # log1p keeps what is beside the largest
    # Older releases of SciPy miss e^-60 beside 1.
    np.testing.assert_allclose(log_sum_exp(E), logsumexp(E, axis=1), rtol=1e-13, atol=1e-15)
    assert log_sum_exp(E)[5] == pytest.approx(3 * np.exp(-60.0), rel=1e-12)
    np.testing.assert_allclose(log_sum_exp(E[:, :1]), E[:, 0])
