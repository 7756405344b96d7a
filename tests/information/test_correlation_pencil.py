"""F-correlations by steps are those of the whole equation, or are not given."""

import numpy as np
import pytest
from scipy import linalg

from noneuclid.information import _correlation_pencil as pencil
from noneuclid.information import f_correlation, f_correlations
from noneuclid.kernels import FunctionKernel, Gaussian, Laplacian


def by_its_equation(kernel, variables, regularization):
    """1 − λ of the whole equation, by one dense decomposition; ρ for two variables."""
    n, k = len(variables[0]), len(variables)
    H = np.eye(n) - 1 / n
    K = [H @ kernel(V) @ H for V in variables]
    c = n * regularization / 2
    right = linalg.block_diag(*[(M + c * np.eye(n)) @ (M + c * np.eye(n)) for M in K])
    left = np.block(
        [[K[i] @ K[j] if i != j else np.zeros((n, n)) for j in range(k)] for i in range(k)]
    )
    values = linalg.eigh(left, right, eigvals_only=True)
    return values[-1] if k == 2 else -values[0]


def variables_of(kind, n=160, k=2):
    rng = np.random.default_rng(3)
    V = [rng.normal(size=(n, 4)) for _ in range(k)]
    if kind != "independent":
        V[1] = np.sin(V[0]) + 0.5 * V[1]
    if kind == "outliers":
        for Z in V:
            Z[:6] += 30 * rng.normal(size=(6, 4))
    if kind == "duplicates":
        V = [np.repeat(Z[: n // 8], 8, axis=0) for Z in V]
    if kind == "same":
        V[1] = V[0]
    return V


@pytest.fixture
def steps(monkeypatch):
    """Few samples are many, few landmarks known, and it is told what the steps found."""
    found = []

    def by_steps(*args):
        found.append(pencil.correlation_by_steps(*args))
        return found[-1]

    monkeypatch.setattr(f_correlations, "_SMALL", 10)
    monkeypatch.setattr(f_correlations, "_MANY", 20)
    monkeypatch.setattr(f_correlations, "correlation_by_steps", by_steps)
    monkeypatch.setattr(pencil, "_LANDMARKS", 30)
    return found


@pytest.mark.parametrize("kernel", [Gaussian(2.0), Gaussian(0.1), Laplacian(2.0)], ids=str)
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kind", ["dependent", "independent", "outliers", "duplicates", "same"])
def test_steps_find_the_solution_of_the_equation(steps, kind, k, kernel):
    V = variables_of(kind, k=k)
    for regularization in (0.5, 0.02):
        expected = by_its_equation(kernel, V, regularization)
        rho = f_correlation(*V[:2], kernel, regularization, others=V[2:])
        assert rho == pytest.approx(expected, rel=1e-9, abs=1e-11)
    if kernel == Gaussian(2.0) and kind in ("dependent", "outliers", "same"):
        assert len(steps) == 2
        assert None not in steps


@pytest.mark.parametrize("regularization", [1e-4, 1e-8])
def test_where_steps_are_many_whole_matrices_are_factorised(steps, regularization):
    V = variables_of("dependent")
    expected = by_its_equation(Gaussian(1.0), V, regularization)
    rho = f_correlation(*V, Gaussian(1.0), regularization)
    assert rho == pytest.approx(expected, abs=1e-7)
    assert steps == [None]


def test_a_search_that_does_not_come_to_rest_is_not_believed(steps, monkeypatch):
    V = variables_of("dependent")
    expected = by_its_equation(Gaussian(1.0), V, 0.02)
    monkeypatch.setattr(pencil, "_STEPS", 1)
    monkeypatch.setattr(pencil, "_ROUNDS", 1)
    assert f_correlation(*V, Gaussian(1.0), 0.02) == pytest.approx(expected, rel=1e-9)
    assert steps == [None]


def test_few_features_stand_beside_whole_matrices(steps):
    X, Y = variables_of("dependent", n=200)
    Z = X[:, :1]
    expected = by_its_equation(Gaussian(2.0), [X, Z, Y], 0.05)
    rho = f_correlation(X, Z, Gaussian(2.0), 0.05, others=[Y])
    assert rho == pytest.approx(expected, rel=1e-9)
    assert len(steps) == 1
    assert steps[0] is not None


def test_a_constant_variable_depends_on_nothing(steps):
    X, _ = variables_of("dependent")
    for kernel in (Gaussian(1.0), FunctionKernel(Gaussian(1.0))):  # of few features, and whole
        assert f_correlation(X, np.ones((160, 1)), kernel) == 0.0


def test_what_no_landmark_sees_is_found(steps, monkeypatch):
    """A dependence of samples far from all others, none of which is a landmark."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 160, 4))
    some = np.random.default_rng(0).choice(160, 30, replace=False)
    far = np.setdiff1d(np.arange(160), some)[:40]
    X[far] = 40 + 0.1 * X[far]
    Y[far] = 40 + 0.1 * Y[far]
    whole = f_correlations._centred(Gaussian(1.0)(X))
    seen = pencil.WholeMatrix(whole, np.random.default_rng(0))
    K = [
        seen,
        pencil.WholeMatrix(f_correlations._centred(Gaussian(1.0)(Y)), np.random.default_rng(0)),
    ]
    for regularization in (0.5, 0.2):
        expected = by_its_equation(Gaussian(1.0), [X, Y], regularization)
        found = pencil._Pencil(K, 80 * regularization).largest()
        assert found is None or found == pytest.approx(expected, rel=1e-9)
        assert f_correlation(X, Y, Gaussian(1.0), regularization) == pytest.approx(
            expected, rel=1e-9
        )


@pytest.mark.parametrize("gap", [3e-4, 3e-3])
def test_of_two_that_nearly_agree_the_larger_is_found(steps, gap):
    """Pairs of groups far from each other; no landmark is in the pair that is the tightest."""
    n, pairs = 300, 5
    rng = np.random.default_rng(0)
    some = [rng.choice(n, 30, replace=False) for _ in range(2)]
    hidden = np.setdiff1d(np.arange(n), some)
    m = n // (2 * pairs)
    order = np.r_[hidden[: 2 * m], np.setdiff1d(np.arange(n), hidden[: 2 * m])]
    X = np.empty((n, 6))
    rng = np.random.default_rng(3)
    for pair in range(pairs):
        spread = np.sqrt(0.05**2 + (gap / 6 if pair else 0.0))
        offsets = spread * rng.normal(size=(m, 6))
        for group in (2 * pair, 2 * pair + 1):
            X[order[group * m : (group + 1) * m]] = offsets
            X[order[group * m : (group + 1) * m], 0] += 100.0 * group
    for regularization in (0.2, 0.083):
        expected = by_its_equation(Gaussian(1.0), [X, X], regularization)
        rho = f_correlation(X, X.copy(), Gaussian(1.0), regularization)
        assert rho == pytest.approx(expected, rel=1e-9)


def test_matrices_beside_which_the_regularisation_loses_its_digits_are_factorised(steps):
    class Large(Gaussian):
        def __call__(self, X, Y=None):
            return 1e9 * super().__call__(X, Y)

        def diag(self, X):
            return 1e9 * super().diag(X)

    V = variables_of("dependent")
    assert f_correlation(*V, Large(1.0)) == pytest.approx(1.0)
    assert steps == [None]


@pytest.mark.parametrize("keeps", [False, True])
def test_the_matrix_of_a_function_stays_as_it_is(steps, keeps):
    X, Y = variables_of("dependent")
    given = {}

    def product(A, B):
        key = A.tobytes() + B.tobytes()
        if key not in given:
            given[key] = Gaussian(1.0)(A, B)
            given[key].flags.writeable = keeps
        return given[key]

    for regularization in (0.02, 0.02, 1e-6, 1e-6):
        expected = by_its_equation(Gaussian(1.0), [X, Y], regularization)
        assert f_correlation(X, Y, FunctionKernel(product), regularization) == pytest.approx(
            expected, abs=1e-7
        )
