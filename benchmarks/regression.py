"""Fat of meat from its spectrum, as a number: geometries, kernels and few prototypes.

Tecator's 215 spectra hold 22 exact duplicates, which are left out. Everything that is tuned is
tuned by inner cross-validation on the training part. RMSE is that of all predictions of one
ten-fold cross-validation; ± is the standard error over the repeats.

    python benchmarks/regression.py [--repeats 2] [--only PLS k-NN ...]
"""

import argparse
import warnings
from typing import Any

import numpy as np
from _data import load
from _record import quick, recorded
from sklearn.compose import TransformedTargetRegressor
from sklearn.cross_decomposition import PLSRegression
from sklearn.dummy import DummyRegressor
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from noneuclid.kernels import Gaussian
from noneuclid.prototypes import ConformalRegressor, PrototypeRegressor, ProximityRegressor
from noneuclid.spaces import Euclidean, Sobolev, Space

SLOPES = Sobolev(spacing="unit")
BENDS = Sobolev(weights=(1, 0, 1), spacing="unit")


def spectra() -> tuple[np.ndarray, np.ndarray]:
    """Spectra and fat, each spectrum once."""
    data = load("tecator")
    _, first = np.unique(data["absorbance"], axis=0, return_index=True)
    first = np.sort(first)
    return data["absorbance"][first], data["fat"][first]


def tuned(model: Any, grid: dict[str, Any]) -> GridSearchCV:
    return GridSearchCV(model, grid, cv=5, scoring="neg_mean_squared_error")


def kernel_ridge(space: Space, X: np.ndarray) -> Any:
    """Kernel ridge regression with the Gaussian of a space; widths in units of the data."""
    unit = float(np.sqrt(space.squared_distance(X, X.mean(axis=0, keepdims=True)).mean()))
    model = TransformedTargetRegressor(
        KernelRidge(kernel=Gaussian(unit, space=space)), transformer=StandardScaler()
    )
    return tuned(
        model,
        {
            "regressor__kernel__width": unit * 2.0 ** np.arange(5),
            "regressor__alpha": 10.0 ** np.arange(-11, -2, 2),
        },
    )


def gaussian_process(space: Space, d: int) -> Any:
    """scikit-learn's, whose widths are found by likelihood, in the chart of a space."""
    kernel = ConstantKernel() * RBF(3.0, (0.1, 1e3)) + WhiteKernel(1e-3, (1e-8, 1.0))
    process = GaussianProcessRegressor(kernel, normalize_y=True, random_state=0)
    return make_pipeline(FunctionTransformer(space.chart(d).forth), process)


def models(X: np.ndarray) -> dict[str, tuple[Any, np.ndarray]]:
    """Name, model, and what it is given."""
    D = SLOPES.squared_distance(X, X)
    near = {"n_neighbors": [1, 2, 3, 4, 5, 7], "weights": ["uniform", "distance"]}
    few = {"space": SLOPES, "random_state": 0}
    free = {"ridge": 1e-6, "fidelity": 0.0, "sigma2": 2.0}
    return {
        "the mean": (DummyRegressor(), X),
        "PLS, raw spectra": (
            tuned(PLSRegression(scale=False), {"n_components": range(1, 26)}),
            X,
        ),
        "kernel ridge, l2": (kernel_ridge(Euclidean(), X), X),
        "kernel ridge, Sobolev (1, 1)": (kernel_ridge(SLOPES, X), X),
        "kernel ridge, Sobolev (1, 0, 1)": (kernel_ridge(BENDS, X), X),
        "Gaussian process, l2": (gaussian_process(Euclidean(), X.shape[1]), X),
        "Gaussian process, Sobolev (1, 1)": (gaussian_process(SLOPES, X.shape[1]), X),
        "k-NN, l2": (tuned(KNeighborsRegressor(), near), X),
        "k-NN, Sobolev (1, 1)": (
            tuned(KNeighborsRegressor(metric="precomputed"), near),
            np.sqrt(np.maximum(D, 0.0)),
        ),
        "10 prototypes, Sobolev (1, 1)": (PrototypeRegressor(n_prototypes=10, **few), X),
        "20 prototypes, Sobolev (1, 1)": (PrototypeRegressor(n_prototypes=20, **few), X),
        "10 prototypes, free": (PrototypeRegressor(n_prototypes=10, **few, **free), X),
        "5 prototypes, linear": (PrototypeRegressor(n_prototypes=5, local="linear", **few), X),
        "10 prototypes, of distances": (
            ProximityRegressor(n_prototypes=10, proximity="dissimilarity", random_state=0),
            D,
        ),
    }


def rmse(model: Any, X: np.ndarray, y: np.ndarray, repeats: int, jobs: int) -> np.ndarray:
    """Of every repeat of ten-fold cross-validation."""
    found = []
    for seed in range(repeats):
        folds = KFold(10, shuffle=True, random_state=seed)
        said = cross_val_predict(model, X, y, cv=folds, n_jobs=jobs)
        found.append(np.sqrt(np.mean((np.ravel(said) - y) ** 2)))
    return np.array(found)


def coverage(X: np.ndarray, y: np.ndarray, repeats: int) -> tuple[float, float]:
    """Share of test spectra in the 90 % interval of 10 prototypes, and its mean width."""
    model = PrototypeRegressor(n_prototypes=10, space=SLOPES, random_state=0)
    inside, widths = [], []
    for seed in range(repeats):
        for train, test in KFold(10, shuffle=True, random_state=seed).split(X):
            conformal = ConformalRegressor(model, alpha=0.1, random_state=seed)
            low, high = conformal.fit(X[train], y[train]).predict_interval(X[test]).T
            inside.append((low <= y[test]) & (y[test] <= high))
            widths.append(high - low)
    return float(np.concatenate(inside).mean()), float(np.concatenate(widths).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1 if quick else 2)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--only", nargs="*", default=["the mean", "10 prototypes"] if quick else [""]
    )
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    X, y = spectra()
    print(f"{len(X)} spectra, {given.repeats} × 10-fold cross-validation: RMSE of fat in per cent")
    for name, (model, data) in models(X).items():
        if any(part in name for part in given.only):
            found = rmse(model, data, y, given.repeats, given.jobs)
            error = found.std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.nan
            print(f"{name:<36} {found.mean():6.3f} ± {error:.3f}", flush=True)
    if "" in given.only:
        share, width = coverage(X, y, min(given.repeats, 3))
        print(f"90 % intervals of 10 prototypes hold {share:.1%}, {width:.2f} per cent fat wide")


if __name__ == "__main__":
    with recorded(__file__):
        main()
