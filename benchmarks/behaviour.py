"""Same results before and after: record what the library does on fixed seeds, and compare.

    python benchmarks/behaviour.py record FILE.npz [--only TEXT] [--every K]
    python benchmarks/behaviour.py compare OLD.npz NEW.npz [--rtol 1e-6] [--only TEXT]

``record`` fits every public estimator in many settings, calls the public functions, and keeps
decisions, numbers, refusals and warnings. It fails if an estimator has no case. ``compare`` prints
a line for each case that differs, and exits with 1 if there is one. ``--only`` takes the cases with
this text in their name, ``--every`` the first and each K-th of every estimator and function.
"""

import argparse
import inspect
import itertools
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.svm import SVC

import noneuclid as ne
from noneuclid import information, kernels, prototypes, proximities, spaces, spikes
from noneuclid.datasets import make_families, make_indefinite, make_spectra
from noneuclid.testing import all_estimators, example_kernels, example_points, example_spaces

Record = dict[str, np.ndarray]
# The data are of size one: results so small, as the error of an exact reconstruction, are nothing.
NOTHING = 1e-6
METHODS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "certainty",
    "transform",
    "reconstruction_error",
    "quantization_error",
    "topographic_error",
)


# --- data -----------------------------------------------------------------------------------


def blobs(n_classes: int = 3, d: int = 6, n: int = 15, seed: int = 0) -> tuple[Any, ...]:
    """Overlapping classes: training rows and labels, new rows and labels."""
    rng = np.random.default_rng(seed)
    centres = 1.2 * rng.normal(size=(n_classes, d))
    y = np.tile(np.arange(n_classes), n)
    y_new = np.tile(np.arange(n_classes), 5)
    X = centres[y] + rng.normal(size=(len(y), d)) * np.linspace(0.5, 1.5, d)
    X_new = centres[y_new] + rng.normal(size=(len(y_new), d))
    return X, y, X_new, y_new


X, Y, X_NEW, Y_NEW = blobs()
X2, Y2, X2_NEW, Y2_NEW = blobs(n_classes=2, seed=3)
WEIGHTS = np.random.default_rng(1).uniform(0.2, 3.0, size=len(Y))
HOLES = np.where(np.random.default_rng(2).random(X.shape) < 0.15, np.nan, X)


def _curves() -> tuple[Any, ...]:
    data = make_spectra(48, n_points=24, random_state=0)
    y = np.asarray(data.labels)
    return data.X[:36], y[:36], data.X[36:], y[36:]


CURVES, CURVES_Y, CURVES_NEW, CURVES_Y_NEW = _curves()


def _words() -> tuple[Any, ...]:
    data = make_families(12, n_families=3, length=12, random_state=0)
    everything, labels = list(data.X), np.asarray(data.labels)
    order = np.random.default_rng(0).permutation(len(labels))
    everything, labels = [everything[i] for i in order], labels[order]
    return everything[:28], labels[:28], everything[28:], labels[28:]


def _trains() -> tuple[Any, ...]:
    data = spikes.jittered_templates(36, n_templates=2, random_state=0)
    return data.trains[:26], data.labels[:26], data.trains[26:], data.labels[26:]


def _indefinite() -> tuple[Any, ...]:
    data = make_indefinite(60, random_state=0)
    P, y = np.asarray(data.X), np.asarray(data.labels)
    return P[:45, :45], y[:45], P[45:, :45], y[45:], np.diag(P)[45:]


def _bags() -> tuple[Any, ...]:
    rng = np.random.default_rng(5)
    y = np.tile([0, 1], 12)
    bags = [rng.normal(size=(rng.integers(2, 7), 2)) + 1.5 * label for label in y]
    return bags[:16], y[:16], bags[16:], y[16:]


TRAINS, TRAINS_Y, TRAINS_NEW, TRAINS_Y_NEW = _trains()
BAGS, BAGS_Y, BAGS_NEW, BAGS_Y_NEW = _bags()
S, S_Y, S_NEW, S_Y_NEW, S_OWN = _indefinite()
D, D_NEW = cdist(X, X, "cityblock"), cdist(X_NEW, X, "cityblock")
K, K_NEW = X @ X.T, X_NEW @ X.T


# Both meanings of a callable agree on it: whole matrices, or two objects.
def dot(x: Any, y: Any) -> Any:
    return x @ y.T


def dot_matrix(A: Any, B: Any) -> Any:
    return A @ B.T + 1.0


def furthest(x: Any, y: Any) -> float:
    return float(np.abs(np.asarray(x) - np.asarray(y)).max())


def letters(x: str, y: str) -> float:
    return float(len(set(x) ^ set(y)) + abs(len(x) - len(y)))


def shared_letters(x: str, y: str) -> float:
    return float(len(set(x) & set(y)))


def slope(u: Any) -> Any:
    return np.tanh(u) + 0.1


# --- cases ----------------------------------------------------------------------------------

CASES: dict[str, Callable[[], Mapping[str, Any]]] = {}
COVERED: set[str] = set()
ESTIMATORS = {cls.__name__: cls for cls in all_estimators()}


def label(value: Any) -> str:
    """A name that does not depend on how an object prints itself."""
    if hasattr(value, "get_params"):
        inside = value.get_params(deep=False)
        return f"{type(value).__name__}({', '.join(f'{k}={label(inside[k])}' for k in inside)})"
    if isinstance(value, np.ndarray):
        return f"array{value.shape}"
    if callable(value):
        return value.__name__
    return repr(value)


def add(name: str, function: Callable[[], Mapping[str, Any]]) -> None:
    if name in CASES:
        raise SystemExit(f"two cases are called {name!r}")
    CASES[name] = function


def model(
    name: str,
    data: tuple[Any, ...],
    what: str,
    *,
    fit_params: dict[str, Any] | None = None,
    extra: Callable[[Any], Mapping[str, Any]] | None = None,
    parts: int = 0,
    **params: Any,
) -> None:
    """A case: fit the estimator on (X, y, X_new, ...) and look at everything it then says.

    With ``parts`` it learns by ``partial_fit``, part by part.
    """
    cls = ESTIMATORS[name]
    fit_params = fit_params or {}
    COVERED.add(name)

    def run() -> Mapping[str, Any]:
        estimator = cls(**params)
        if parts:
            _learn_in_parts(estimator, data, parts)
        else:
            estimator.fit(data[0], data[1], **fit_params)
        found = observe(estimator, data[2])
        if extra is not None:
            found |= extra(estimator)
        return found

    given = ", ".join(f"{key}={label(value)}" for key, value in params.items())
    how = "".join(f" with {key}" for key in fit_params) + (" in parts" if parts else "")
    add(f"{name}({given}) on {what}{how}", run)


def _learn_in_parts(estimator: Any, data: tuple[Any, ...], parts: int) -> None:
    y = np.asarray(data[1])
    takes_classes = "classes" in inspect.signature(estimator.partial_fit).parameters
    for k, index in enumerate(np.array_split(np.arange(len(y)), parts)):
        options = {"classes": np.unique(y[y >= 0])} if takes_classes and k == 0 else {}
        estimator.partial_fit(data[0][index], y[index], **options)


def observe(estimator: Any, new: Any) -> dict[str, Any]:
    """What a fitted estimator says about new data, and its public fitted attributes."""
    found: dict[str, Any] = {}
    for method in METHODS:
        if hasattr(estimator, method):
            found[method] = attempt(getattr(estimator, method), new)
    if hasattr(estimator, "inverse_transform") and "transform" in found:
        found["inverse_transform"] = attempt(estimator.inverse_transform, found["transform"])
    for name in object.__dir__(estimator):
        if name.endswith("_") and not name.endswith("__") and not name.startswith("_"):
            value = attempt(getattr, estimator, name)
            if not isinstance(value, str):
                found[name] = value
    return found


def attempt(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return refusal(error)


def refusal(error: Exception) -> str:
    text = re.sub(r" at 0x[0-9a-f]+", "", str(error))
    text = re.sub(r"\{'.*?'\}", "{...}", text)  # a set prints in any order
    return f"refused, {type(error).__name__}: {text}"


def product(**choices: Any) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values))


# --- classifiers on proximities -------------------------------------------------------------

KINDS = ("similarity", "dissimilarity")
COSTS = ("glvq", "rslvq", "lvq1", "lvq21")
CORRECTIONS = (None, "clip", "flip", "shift", "square")


def sparse_results(fitted: Any) -> dict[str, Any]:
    chosen = prototypes.exemplars(fitted, 3)
    return {
        "n_exemplars": prototypes.n_exemplars(fitted),
        "exemplars": np.concatenate([found.objects for found in chosen]),
        "exemplar_coefficients": np.concatenate([found.coefficients for found in chosen]),
    }


def proximity_classifiers() -> None:
    given = {
        "similarity": (S, S_Y, S_NEW, "indefinite S"),
        "dissimilarity": (D, Y, D_NEW, "cityblock D"),
    }
    cube = product(
        cost=COSTS,
        proximity=KINDS,
        gradient=("riesz", "coordinates"),
        solver=("sgd", "lbfgs"),
        constraint=("convex", "affine", "none"),
    )
    for choice in cube:
        data = given[choice["proximity"]]
        model("ProximityLVQ", data, data[3], **choice, max_epochs=8, random_state=0)
    for choice in product(
        cost=COSTS, proximity=KINDS, correction=CORRECTIONS, n_landmarks=(None, 12, 0.5)
    ):
        data = given[choice["proximity"]]
        model("ProximityLVQ", data, data[3], **choice, max_epochs=6, random_state=0)
    for choice in product(
        proximity=KINDS,
        n_landmarks=(9,),
        landmarks=("uniform", "kmeans++", "pivoted", np.arange(0, 45, 5)),
        gradient=("riesz", "coordinates"),
        constraint=("convex", "affine", "none"),
    ):
        data = given[choice["proximity"]]
        model("ProximityLVQ", data, data[3], **choice, max_epochs=6, random_state=0)
    _proximity_options(given)
    _proximity_refusals(given)


def _proximity_options(given: Mapping[str, Any]) -> None:
    start = np.zeros((3, 45))
    for c in range(3):
        start[c, np.flatnonzero(c == Y)[:4]] = 0.25
    options: list[dict[str, Any]] = [
        {"sparsity_penalty": 0.01},
        {"sparsity_penalty": 0.5, "cost": "rslvq"},
        {"sparsity_penalty": 0.05, "n_landmarks": 12},
        {"n_prototypes": 3},
        {"n_prototypes": 2, "init": "kmedoids"},
        {"n_prototypes": 2, "init": "random"},
        {"n_prototypes": 2, "init": "kmeans", "cost": "rslvq", "n_landmarks": 15},
        {"learning_rate": 0.05},
        {"learning_rate": 0.05, "schedule": "linear"},
        {"learning_rate": 0.01, "schedule": "constant", "batch_size": 7},
        {"learning_rate": 0.02, "gradient": "coordinates", "cost": "rslvq"},
        {"batch_size": 10},
        {"shuffle": False},
        {"tol": 0.1, "n_iter_no_change": 1},
        {"class_weight": "balanced"},
        {"class_weight": "balanced", "cost": "rslvq", "n_landmarks": 12},
        {"transfer": "sigmoid"},
        {"transfer": "sigmoid", "slope": "auto"},
        {"transfer": "tanh", "slope": 3.0, "gradient": "coordinates", "solver": "lbfgs"},
        {"cost": "rslvq", "sigma2": 0.7},
        {"cost": "lvq21", "window": 0.6},
        {"gradient": "prototypes"},
        {"gradient": "coefficients"},
    ]
    for choice in options:
        for kind, data in given.items():
            model(
                "ProximityLVQ",
                data,
                data[3],
                **{"proximity": kind, "max_epochs": 8, "random_state": 0, **choice},
                extra=sparse_results if "sparsity_penalty" in choice else None,
            )
            model(
                "ProximityLVQ",
                data,
                data[3],
                **{"proximity": kind, "max_epochs": 5, "random_state": 1, **choice},
                fit_params={"sample_weight": WEIGHTS},
            )
    relational = given["dissimilarity"]
    for choice in (
        {"init": start},
        {"init": start, "gradient": "coordinates", "solver": "lbfgs"},
        {"cost": "rslvq", "sigma2": np.array([0.5, 1.0, 2.0])},
        {"cost": "rslvq", "prior": np.array([0.5, 0.3, 0.2])},
        {"n_prototypes": {0: 1, 1: 2, 2: 3}},
        {"class_weight": {0: 1.0, 1: 2.0, 2: 0.5}},
    ):
        model(
            "ProximityLVQ",
            relational,
            "cityblock D",
            **{"proximity": "dissimilarity", "max_epochs": 8, "random_state": 0, **choice},
        )
    model(
        "ProximityLVQ",
        (S, S_Y, S_NEW),
        "indefinite S, own similarities given",
        random_state=0,
        extra=lambda fitted: {"own": fitted.transform(S_NEW, self_similarity=S_OWN)},
    )
    columns = np.arange(0, 45, 5)
    for kind, data in given.items():
        model(
            "ProximityLVQ",
            (data[0][:, columns], data[1], data[2][:, columns]),
            f"columns of landmarks of {data[3]}",
            proximity=kind,
            n_landmarks=9,
            landmarks=columns,
            random_state=0,
        )


def _proximity_refusals(given: Mapping[str, Any]) -> None:
    wrong: list[dict[str, Any]] = [
        {"cost": "svm"},
        {"proximity": "likeness"},
        {"gradient": "steepest"},
        {"solver": "adam"},
        {"constraint": "box"},
        {"correction": "crop"},
        {"transfer": "relu"},
        {"schedule": "cosine"},
        {"metric": "no such kernel"},
        {"metric": "no such metric", "proximity": "dissimilarity"},
        {"n_prototypes": 0},
        {"n_prototypes": 99},
        {"n_prototypes": {0: 1}},
        {"sigma2": -1.0, "cost": "rslvq"},
        {"sigma2": "wide", "cost": "rslvq"},
        {"prior": [1.0], "cost": "rslvq"},
        {"slope": 0.0},
        {"window": 1.5},
        {"n_landmarks": 0},
        {"n_landmarks": 99, "random_state": 0},
        {"n_landmarks": 1.5},
        {"n_landmarks": 5, "landmarks": "random"},
        {"n_landmarks": 5, "landmarks": np.array([0, 0, 1, 2, 3])},
        {"landmarks": np.array([0, 1])},
        {"sparsity_penalty": -1.0},
        {"sparsity_penalty": 0.1, "constraint": "affine"},
        {"init": "best"},
        {"init": np.ones((2, 2))},
        {"learning_rate": 0.0},
        {"max_epochs": 0},
        {"batch_size": 0},
        {"tol": -1.0},
        {"n_iter_no_change": 0},
        {"class_weight": "even"},
        {"class_weight": {7: 1.0}},
    ]
    for choice in wrong:
        model("ProximityLVQ", given["similarity"], "indefinite S", **choice)
    for what, bad in {
        "a matrix that is not square": S[:, :9],
        "a matrix with NaN": np.where(np.eye(45) > 0, np.nan, S),
        "an asymmetric matrix": S + np.triu(np.ones_like(S)),
        "words": ["word"] * 45,
        "nothing": np.zeros((0, 0)),
    }.items():
        for kind in KINDS:
            model("ProximityLVQ", (bad, S_Y, S_NEW), what, proximity=kind)
    model("ProximityLVQ", (S, np.zeros(45), S_NEW), "one class")
    model("ProximityLVQ", (S, np.linspace(0, 1, 45), S_NEW), "numbers as labels")
    model("ProximityLVQ", (S, S_Y, S_NEW[:, :7]), "new rows too short", random_state=0)


def object_classifiers() -> None:
    """Proximities that are computed from objects: rows, words, trains, bags."""
    rows, words = (X, Y, X_NEW), _words()
    some_kernels = (
        "rbf",
        "linear",
        "poly",
        "laplacian",
        kernels.Gaussian(1.5),
        kernels.Gaussian("median"),
        kernels.Laplacian(2.0),
        kernels.Polynomial(degree=2),
        kernels.FunctionKernel(dot_matrix),
        kernels.SemiInnerProduct(spaces.Lp(1.5)),
        dot,
    )
    for kernel, n_landmarks in itertools.product(some_kernels, (None, 10)):
        for name in ("KernelGLVQ", "KernelRSLVQ"):
            model(
                name,
                rows,
                "rows",
                kernel=kernel,
                n_landmarks=n_landmarks,
                n_prototypes=2,
                max_epochs=6,
                random_state=0,
            )
    for choice in product(gradient=("riesz", "coordinates"), correction=CORRECTIONS):
        for name in ("KernelGLVQ", "KernelRSLVQ"):
            model(name, rows, "rows", **choice, max_epochs=6, random_state=0)
            model(name, rows, "rows", **choice, n_landmarks=12, max_epochs=6, random_state=0)
    metrics = ("sqeuclidean", "euclidean", "cityblock", "cosine", "chebyshev", furthest)
    for metric, n_landmarks in itertools.product(metrics, (None, 10)):
        for name in ("RelationalGLVQ", "RelationalRSLVQ"):
            model(
                name,
                rows,
                "rows",
                metric=metric,
                n_landmarks=n_landmarks,
                n_prototypes=2,
                max_epochs=6,
                random_state=0,
            )
    for choice in product(
        solver=("sgd", "lbfgs"), correction=CORRECTIONS, gradient=("riesz", "coordinates")
    ):
        for name in ("RelationalGLVQ", "RelationalRSLVQ"):
            model(name, rows, "rows", **choice, max_epochs=6, random_state=0)
    for name in ("RelationalGLVQ", "RelationalRSLVQ", "MedianLVQ"):
        for metric in ("levenshtein", letters, "rbf", "cityblock"):
            model(name, words, "words", metric=metric, max_epochs=6, random_state=0)
        model(
            name,
            words,
            "words",
            metric="levenshtein",
            correction="clip",
            max_epochs=6,
            random_state=0,
        )
    for landmarks in ("uniform", "kmeans++", "pivoted", np.arange(0, 28, 4)):
        model(
            "RelationalGLVQ",
            words,
            "words",
            metric="levenshtein",
            n_landmarks=7,
            landmarks=landmarks,
            random_state=0,
        )
    trains = (TRAINS, TRAINS_Y, TRAINS_NEW)
    for smoothing in ("gaussian", "exponential", "laplacian", "alpha", "rectangular"):
        kernel = kernels.SpikeTrainKernel(0.005, smoothing=smoothing)
        for name in ("KernelGLVQ", "KernelRSLVQ"):
            model(name, trains, "trains", kernel=kernel, max_epochs=5, random_state=0)
            model(
                name, trains, "trains", kernel=kernel, n_landmarks=8, max_epochs=5, random_state=0
            )
        model("MedianLVQ", trains, "trains", metric=kernel, proximity="similarity", random_state=0)
    bag_kernel = kernels.CrossInformationPotential(1.0)
    model("KernelGLVQ", (BAGS, BAGS_Y, BAGS_NEW), "bags", kernel=bag_kernel, random_state=0)
    for choice in product(
        cost=("glvq", "rslvq", "lvq1"),
        correction=(None, "clip"),
        init=("kmedoids", "random"),
        n_prototypes=(1, 3),
    ):
        model("MedianLVQ", (D, Y, D_NEW), "cityblock D", **choice, random_state=0)
        model(
            "MedianLVQ", (S, S_Y, S_NEW), "indefinite S", **choice, proximity="similarity",
            random_state=0,
        )  # fmt: skip
    model("MedianLVQ", (D, Y, D_NEW), "cityblock D", init=np.array([0, 1, 2]))
    model("MedianLVQ", (D, Y, D_NEW), "cityblock D", transfer="sigmoid", slope="auto")
    model(
        "MedianLVQ", (D, Y, D_NEW), "cityblock D", cost="rslvq",
        fit_params={"sample_weight": WEIGHTS}, random_state=0,
    )  # fmt: skip
    for kind, metric in (("similarity", "rbf"), ("similarity", dot), ("dissimilarity", furthest)):
        for cost in COSTS:
            model(
                "ProximityLVQ", rows, "rows", metric=metric, proximity=kind, cost=cost,
                max_epochs=6, random_state=0,
            )  # fmt: skip


# --- classifiers of vectors -----------------------------------------------------------------


def vector_spaces(d: int) -> list[Any]:
    A = np.random.default_rng(0).normal(size=(d, d))
    return [
        "l1", "l1.5", "l2", "l2.5", "linf",
        spaces.Lp(3), spaces.GeneralizedLp(1.5), spaces.Euclidean(),
        spaces.Sobolev(), spaces.Sobolev(p=1, spacing="unit"), spaces.Sobolev(p=1.5),
        spaces.FourierSobolev(), spaces.FourierSobolev(form="derivative", order=2, alpha=0.1),
        spaces.LeeVerleysen(), spaces.LeeVerleysen(p=1), spaces.LeeVerleysen(p=4),
        spaces.Hilbert(A @ A.T + np.eye(d)), spaces.PseudoEuclidean(signature=(d - 2, 2)),
        spaces.KernelMetric(kernels.Gaussian(3.0)),
        spaces.KernelMetric(kernels.Polynomial(degree=2)),
    ]  # fmt: skip


def vector_classifiers() -> None:
    data = (X, Y, X_NEW)
    if any(cls.__name__ == "VectorLVQ" for cls in all_estimators()):  # commits before had none
        for cost in ("glvq", "rslvq", "cross_entropy"):
            model("VectorLVQ", data, "rows", cost=cost, space="l1.5", random_state=0)
    names = ("GLVQ", "RSLVQ", "LVQ1", "LVQ21", "GMLVQ")
    for space in vector_spaces(6):
        for name in names:
            for solver in ("sgd", "lbfgs"):
                model(
                    name, data, "rows", space=space, solver=solver, n_prototypes=2, max_epochs=6,
                    random_state=0,
                )  # fmt: skip
            model(
                name, data, "rows", space=space, gradient="riesz", solver="sgd", max_epochs=5,
                random_state=0,
            )  # fmt: skip
            model(
                name, data, "rows", space=space, gradient="coordinates", solver="sgd",
                max_epochs=5, random_state=0,
            )  # fmt: skip
            model(name, data, "rows", space=space, solver="sgd", parts=3, random_state=0)
    for space in vector_spaces(24):
        model("GLVQ", (CURVES, CURVES_Y, CURVES_NEW), "curves", space=space, random_state=0)
    options: list[dict[str, Any]] = [
        {"init": "kmedoids", "n_prototypes": 2},
        {"init": "random", "n_prototypes": 2},
        {"init": X[:3]},
        {"init": "worst"},
        {"learning_rate": 0.05, "solver": "sgd"},
        {"learning_rate": 0.05, "schedule": "linear", "batch_size": 5, "solver": "sgd"},
        {"shuffle": False, "solver": "sgd"},
        {"class_weight": "balanced"},
        {"class_weight": {0: 1.0, 1: 3.0, 2: 1.0}, "solver": "sgd"},
        {"n_prototypes": {0: 1, 1: 2, 2: 3}},
        {"n_prototypes": 0},
        {"space": "l0.5"},
        {"space": "no such space"},
        {"space": 3},
        {"max_epochs": -1},
        {"solver": "newton"},
    ]
    for choice in options:
        for name in names:
            setting = {"max_epochs": 6, "random_state": 0, **choice}
            model(name, data, "rows", **setting)
            model(name, data, "rows", **setting, fit_params={"sample_weight": WEIGHTS})
    for name in names:
        model(name, (HOLES, Y, X_NEW), "rows with NaN", max_epochs=6, random_state=0)
        model(name, (HOLES, Y, X_NEW), "rows with NaN", solver="sgd", max_epochs=6, random_state=0)
        model(name, (HOLES, Y, X_NEW), "rows with NaN", space="l1", random_state=0)
        model(name, (X2, Y2, X2_NEW), "two classes", max_epochs=6, random_state=0)
        model(name, (X2, np.array(["no", "yes"])[Y2], X2_NEW), "words as labels", random_state=0)
        model(name, (X, np.zeros(45), X_NEW), "one class")
    for transfer, rate in itertools.product(("auto", "identity", "sigmoid", "tanh"), (1.0, "auto")):
        for name in ("GLVQ", "GMLVQ"):
            model(name, data, "rows", transfer=transfer, slope=rate, max_epochs=6, random_state=0)
    for sigma2 in (0.5, "scale", np.array([0.5, 1.0, 2.0]), -1.0):
        model("RSLVQ", data, "rows", sigma2=sigma2, max_epochs=6, random_state=0)
    model("RSLVQ", data, "rows", prior=np.array([0.2, 0.3, 0.5]), max_epochs=6, random_state=0)
    for window in (0.1, 0.6, 2.0):
        model("LVQ21", data, "rows", window=window, max_epochs=6, random_state=0)
    for choice in product(kernel=(False, True), rank=(None, 1, 3, 9), solver=("sgd", "lbfgs")):
        model("GMLVQ", data, "rows", **choice, max_epochs=8, random_state=0, extra=_learned_metric)


def _learned_metric(fitted: Any) -> dict[str, Any]:
    rank = len(fitted.omega_)
    return {
        "projected": attempt(fitted.project, X_NEW, n_components=min(2, rank)),
        "kernel": fitted.to_kernel(2.0)(X_NEW),
    }


# --- quantisers -----------------------------------------------------------------------------


def quantizers() -> None:
    data, few = (X, Y, X_NEW), np.where(np.arange(45) % 3 == 0, Y, -1)
    sizes: dict[str, dict[str, Any]] = {
        "NeuralGas": {"n_prototypes": 5},
        "SelfOrganizingMap": {"shape": (3, 4)},
        "FuzzyLabelledNeuralGas": {"n_prototypes": 5},
        "FuzzyLabelledSOM": {"shape": (3, 4)},
    }
    for name, size in sizes.items():
        y = few if name.startswith("Fuzzy") else Y
        for space in vector_spaces(6):
            for solver in ("batch", "online"):
                model(
                    name, (X, y, X_NEW), "rows", space=space, solver=solver, **size, max_epochs=6,
                    random_state=0, extra=_distances_of_prototypes,
                )  # fmt: skip
            model(
                name, (X, y, X_NEW), "rows", space=space, solver="online", **size, random_state=0,
                parts=3,
            )  # fmt: skip
        options: list[dict[str, Any]] = [
            {"gradient": "riesz", "solver": "online", "space": "l1.5"},
            {"gradient": "coordinates", "solver": "online", "space": "l1.5"},
            {"gradient": "coordinates", "solver": "online", "space": spaces.Sobolev()},
            {"schedule": "linear"},
            {"schedule": "constant", "width": 1.0, "final_width": 1.0},
            {"width": 2.0, "final_width": 0.1},
            {"learning_rate": 0.1, "solver": "online"},
            {"learning_rate": (0.5, 0.01), "solver": "online", "schedule": "linear"},
            {"init": "random"},
            {"init": "kmeans++"},
            {"init": "pca"},
            {"init": X[:5] if "Gas" in name else X[:12]},
            {"init": X[:2]},
            {"shuffle": False, "solver": "online"},
            {"tol": 0.1},
            {"schedule": "wild"},
            {"solver": "sgd"},
            {"width": -1.0},
            {"learning_rate": 2.0, "solver": "online"},
            {"max_epochs": 0},
        ]
        if "SOM" in name or "Map" in name:
            options += [
                {"topology": "hex"},
                {"toroidal": True},
                {"topology": "hex", "toroidal": True, "shape": (4, 4)},
                {"topology": "ring"},
                {"shape": (0, 3)},
                {"shape": 7},
            ]
        else:
            options += [{"n_prototypes": 1}, {"n_prototypes": 0}, {"n_prototypes": 99}]
        for choice in options:
            setting = {**size, "max_epochs": 6, "random_state": 0, **choice}
            model(name, (X, y, X_NEW), "rows", **setting, extra=_distances_of_prototypes)
        model(name, (HOLES, y, X_NEW), "rows with NaN", **size, random_state=0)
    for name in ("FuzzyLabelledNeuralGas", "FuzzyLabelledSOM"):
        soft = np.random.default_rng(0).dirichlet(np.ones(3), size=45)
        for beta in (0.0, 0.5, 0.9, 2.0):
            model(name, (X, few, X_NEW), "rows", beta=beta, **sizes[name], random_state=0)
        model(name, (X, soft, X_NEW), "rows, soft labels", **sizes[name], random_state=0)
        words = np.where(few < 0, "?", np.array(["a", "b", "c"])[Y])
        model(
            name, (X, words, X_NEW), "rows, words as labels", missing_label="?", **sizes[name],
            random_state=0,
        )  # fmt: skip
        model(name, (X, np.full(45, -1), X_NEW), "rows without labels", **sizes[name])
    _proximity_quantizers(data)


def _distances_of_prototypes(fitted: Any) -> dict[str, Any]:
    if hasattr(fitted, "prototype_distances"):
        return {"prototype_distances": attempt(fitted.prototype_distances)}
    return {}


def _proximity_quantizers(rows: tuple[Any, ...]) -> None:
    given = {"similarity": (S, None, S_NEW), "dissimilarity": (D, None, D_NEW)}
    words = _words()
    sizes: dict[str, dict[str, Any]] = {
        "ProximityNeuralGas": {"n_prototypes": 4},
        "ProximitySOM": {"shape": (3, 3)},
    }
    for name, size in sizes.items():
        for choice in product(
            proximity=KINDS,
            solver=("batch", "online"),
            correction=CORRECTIONS,
            n_landmarks=(None, 12, 0.4),
        ):
            model(
                name, given[choice["proximity"]], "a matrix", **choice, **size, max_epochs=6,
                random_state=0, extra=_distances_of_prototypes,
            )  # fmt: skip
        sources = [
            ("similarity", "rbf", rows, "rows"),
            ("similarity", dot, rows, "rows"),
            ("similarity", kernels.Gaussian(2.0), rows, "rows"),
            ("similarity", kernels.SpikeTrainKernel(0.005), (TRAINS, None, TRAINS_NEW), "trains"),
            ("similarity", kernels.CrossInformationPotential(1.0), (BAGS, None, BAGS_NEW), "bags"),
            ("dissimilarity", "sqeuclidean", rows, "rows"),
            ("dissimilarity", "cityblock", rows, "rows"),
            ("dissimilarity", furthest, rows, "rows"),
            ("dissimilarity", "levenshtein", words, "words"),
            ("dissimilarity", letters, words, "words"),
            ("similarity", "levenshtein", words, "words"),
        ]
        for (kind, metric, data, what), n_landmarks in itertools.product(sources, (None, 8)):
            model(
                name, data, what, proximity=kind, metric=metric, n_landmarks=n_landmarks, **size,
                max_epochs=6, random_state=0,
            )  # fmt: skip
        for init in ("random", "kmeans++", "pca", "none", np.eye(45)[: 4 if "Gas" in name else 9]):
            model(
                name, given["dissimilarity"], "a matrix", proximity="dissimilarity", init=init,
                **size, max_epochs=6, random_state=0,
            )  # fmt: skip
    for choice in product(topology=("grid", "hex"), toroidal=(False, True)):
        model(
            "ProximitySOM", given["dissimilarity"], "a matrix", proximity="dissimilarity",
            shape=(4, 4), **choice, random_state=0,
        )  # fmt: skip


# --- components -----------------------------------------------------------------------------

OBJECTIVES: list[dict[str, Any]] = [
    *({"objective": name} for name in ("l1", "l2", "l1.5", "l0.5", "l3")),
    {"objective": "lp", "p": 1.2},
    *({"objective": name} for name in ("tanh", "sech", "tanh2", "sigmoid", "tanh_sech", "cosine")),
    {"objective": "skeleton"},
    {"objective": "skeleton", "a": 0.5},
    {"objective": "gaussian"},
    {"objective": "gaussian", "q": 1.0},
    {"objective": slope},
    {"objective": "lp"},
    {"objective": "entropy"},
    {"objective": "skeleton", "a": -1.0},
    {"objective": 3},
]


def components() -> None:
    data = (X, Y, X_NEW)
    for choice, deflation in itertools.product(OBJECTIVES, ("greedy", "joint")):
        setting = {**choice, "deflation": deflation, "random_state": 0}
        model("GeneralizedPCA", data, "rows", **setting)
        model("GeneralizedKernelPCA", data, "rows", **setting, max_iter=100)
        model("GeneralizedKernelPCA", data, "rows", **setting, n_landmarks=12, max_iter=100)
        model("GeneralizedKernelPCA", data, "rows", **setting, kernel="linear", max_iter=100)
    for choice in (
        {"n_components": None}, {"n_components": 6}, {"n_components": 9}, {"n_components": 0},
        {"n_init": 4}, {"max_iter": 2}, {"deflation": "other"}, {"tol": 0.0}, {"n_init": 0},
    ):  # fmt: skip
        model("GeneralizedPCA", data, "rows", **choice, random_state=0)
        model("GeneralizedKernelPCA", data, "rows", **choice, random_state=0)
    for objective, kernel in itertools.product(
        ("l1", "l2", "tanh"),
        (
            "rbf",
            "poly",
            "laplacian",
            kernels.Gaussian(1.0),
            kernels.FunctionKernel(dot_matrix),
            dot,
        ),
    ):
        for choice in (
            {}, {"update": "serial"}, {"center": False}, {"n_landmarks": 8},
            {"n_landmarks": 8, "center": False}, {"n_landmarks": 8, "update": "serial"},
        ):  # fmt: skip
            model(
                "GeneralizedKernelPCA", data, "rows", objective=objective, kernel=kernel, **choice,
                max_iter=60, random_state=0,
            )  # fmt: skip
    for objective in ("l1", "l2", "tanh"):
        for choice in ({}, {"n_landmarks": 8}, {"center": False}, {"update": "serial"}):
            for kernel, what in (("precomputed", (K, Y, K_NEW)), ("precomputed", (S, Y, S_NEW))):
                model(
                    "GeneralizedKernelPCA", what, "K" if what[0] is K else "indefinite S",
                    objective=objective, kernel=kernel, **choice, random_state=0,
                )  # fmt: skip
            model(
                "GeneralizedKernelPCA", (TRAINS, None, TRAINS_NEW), "trains", objective=objective,
                kernel=kernels.SpikeTrainKernel(0.005), **choice, random_state=0,
            )  # fmt: skip
            model(
                "GeneralizedKernelPCA", (BAGS, None, BAGS_NEW), "bags", objective=objective,
                kernel=kernels.CrossInformationPotential(1.0), **choice, random_state=0,
            )  # fmt: skip
    _hebbian(data)
    _other_components(data)


def _hebbian(data: tuple[Any, ...]) -> None:
    for space in vector_spaces(6):
        for solver in ("auto", "online", "batch", "eigen"):
            for choice in ({}, {"rule": "subspace"}, {"deflation": "sanger"}):
                model(
                    "HebbianPCA", data, "rows", space=space, solver=solver, **choice,
                    max_iter=30, n_init=2, random_state=0,
                )  # fmt: skip
        model(
            "HebbianPCA", data, "rows", space=space, solver="online", parts=3, n_components=1,
            random_state=0,
        )  # fmt: skip
    for choice in (
        {"learning_rate": 0.01, "solver": "online"}, {"n_components": None}, {"n_components": 1},
        {"rule": "oja"}, {"solver": "svd"}, {"deflation": "none"}, {"learning_rate": -1.0},
        {"deflation": "residual", "space": "l1.5", "solver": "batch"}, {"n_init": 0},
    ):  # fmt: skip
        model("HebbianPCA", data, "rows", **choice, max_iter=20, random_state=0)
    for kernel in ("rbf", "linear", "poly", kernels.Gaussian(2.0), dot, "nothing"):
        for gain in ("eigenvalue", "constant"):
            model(
                "KernelHebbianPCA", data, "rows", kernel=kernel, gain=gain, max_iter=40,
                random_state=0,
            )  # fmt: skip
        model("BanachKernelPCA", data, "rows", kernel=kernel)
    model("KernelHebbianPCA", (K, Y, K_NEW), "K", kernel="precomputed", max_iter=40, random_state=0)
    model("BanachKernelPCA", (K, Y, K_NEW), "K", kernel="precomputed")
    for space in ("l1", "l1.5", spaces.Lp(3), spaces.Sobolev(p=1.5)):
        model("BanachKernelPCA", data, "rows", kernel=kernels.SemiInnerProduct(space))
    trains, kernel = (TRAINS, None, TRAINS_NEW), kernels.SpikeTrainKernel(0.005)
    model("KernelHebbianPCA", trains, "trains", kernel=kernel, max_iter=40, random_state=0)
    model("BanachKernelPCA", trains, "trains", kernel=kernel)


def _other_components(data: tuple[Any, ...]) -> None:
    curves, grid = (CURVES, None, CURVES_NEW), np.linspace(0, 1, 24) ** 1.5
    holes = np.where(np.random.default_rng(3).random(CURVES.shape) < 0.1, np.nan, CURVES)
    for choice in product(
        basis=("bspline", "fourier", "monomial"), smoothing=(0.0, 1e-4), grid=(None, grid)
    ):
        functions = lambda fitted: {"functions": fitted.component_functions([0.1, 0.5, 0.77])}  # noqa: E731
        model("FunctionalPCA", curves, "curves", **choice, extra=functions)
        model("FunctionalPCA", (holes, None, CURVES_NEW), "curves with NaN", **choice)
    for choice in (
        {"n_basis": 6}, {"n_basis": 40}, {"domain": (-0.5, 1.5)}, {"domain": (0.2, 0.4)},
        {"basis": "wavelet"}, {"smoothing": -1.0}, {"n_components": None}, {"n_components": 99},
        {"grid": np.zeros(24)},
    ):  # fmt: skip
        model("FunctionalPCA", curves, "curves", **choice)
    inner = (
        None,
        ne.GeneralizedPCA(n_components=2, objective="l2"),
        ne.GeneralizedPCA(n_components=9),
        ne.GeneralizedKernelPCA(objective="l2"),
        ne.GeneralizedKernelPCA(objective="l1", n_landmarks=5, random_state=0),
        ne.HebbianPCA(),
    )
    for estimator in inner:
        model("SubspaceClassifier", data, "rows", estimator=estimator)
    given = ne.GeneralizedKernelPCA(kernel="precomputed", objective="l2")
    model("SubspaceClassifier", (K, Y, K_NEW), "K", estimator=given)
    fitted = ne.GeneralizedKernelPCA(kernel=kernels.SpikeTrainKernel(0.005), objective="l2")
    model("SubspaceClassifier", (TRAINS, TRAINS_Y, TRAINS_NEW), "trains", estimator=fitted)
    for choice in product(
        contrast=("f_correlation", "qmi_cs"), n_components=(None, 2), width=(None, 0.8)
    ):
        model("KernelICA", (X[:, :3] ** 3, None, X_NEW[:, :3]), "rows", **choice, max_iter=5)
    for choice in ({"contrast": "kurtosis"}, {"n_components": 9}, {"regularization": 0.0}):
        model("KernelICA", data, "rows", **choice)
    t = np.linspace(0, 0.25, 7)
    for kernel in (None, *(kernels.SpikeTrainKernel(0.004, smoothing=s) for s in SMOOTHINGS)):
        model(
            "SpikeTrainPCA", (TRAINS, None, TRAINS_NEW), "trains", kernel=kernel, n_components=3,
            extra=lambda fitted: {
                "functions": fitted.component_functions(t),
                "mean": fitted.mean_intensity(t),
                "again": fitted.reconstruct(fitted.transform(TRAINS_NEW), t),
                "fit_transform": clone(fitted).fit_transform(TRAINS),
            },
        )  # fmt: skip
    for choice in ({"n_components": 0}, {"n_components": 99}, {"kernel": kernels.Gaussian()}):
        model("SpikeTrainPCA", (TRAINS, None, TRAINS_NEW), "trains", **choice)


SMOOTHINGS = ("gaussian", "exponential", "laplacian", "alpha", "rectangular")


# --- proximities ----------------------------------------------------------------------------


def embeddings() -> None:
    given = {"similarity": (S, None, S_NEW), "dissimilarity": (D, None, D_NEW)}
    for choice in product(method=("clip", "flip", "shift", "square", "none"), proximity=KINDS):
        data = given[choice["proximity"]]
        model(
            "SpectrumCorrection", data, "a matrix", **choice,
            extra=lambda fitted, data=data: {"training": fitted.fit_transform(data[0])},
        )  # fmt: skip
    for choice in product(n_components=(None, 1, 4, 99), proximity=KINDS):
        data = given[choice["proximity"]]
        model("PseudoEuclideanEmbedding", data, "a matrix", **choice)
    every = ("uniform", "kmeans++", "pivoted", np.arange(0, 45, 4), "random")
    for choice in product(
        proximity=KINDS,
        landmarks=every,
        correction=(None, "clip", "flip", "square", "shift"),
        n_landmarks=(12, 0.3),
    ):
        data = given[choice["proximity"]]
        model(
            "NystroemEmbedding", data, "a matrix", **choice, random_state=0,
            extra=lambda fitted, data=data: {"training": fitted.fit_transform(data[0])},
        )  # fmt: skip
    words = _words()
    sources = [
        ("similarity", "rbf", (X, None, X_NEW), "rows"),
        ("similarity", "linear", (X, None, X_NEW), "rows"),
        ("similarity", kernels.Laplacian(2.0), (X, None, X_NEW), "rows"),
        ("similarity", dot, (X, None, X_NEW), "rows"),
        ("similarity", shared_letters, words, "words"),
        ("similarity", kernels.SpikeTrainKernel(0.005), (TRAINS, None, TRAINS_NEW), "trains"),
        ("similarity", kernels.CrossInformationPotential(1.0), (BAGS, None, BAGS_NEW), "bags"),
        ("dissimilarity", "sqeuclidean", (X, None, X_NEW), "rows"),
        ("dissimilarity", "cityblock", (X, None, X_NEW), "rows"),
        ("dissimilarity", furthest, (X, None, X_NEW), "rows"),
        ("dissimilarity", "levenshtein", words, "words"),
        ("dissimilarity", letters, words, "words"),
        ("dissimilarity", "nothing", (X, None, X_NEW), "rows"),
    ]
    for (kind, metric, data, what), landmarks in itertools.product(sources, every[:3]):
        for correction in (None, "clip"):
            model(
                "NystroemEmbedding", data, what, proximity=kind, metric=metric,
                landmarks=landmarks, n_landmarks=8, correction=correction, random_state=0,
            )  # fmt: skip
        if landmarks == "uniform":
            add(
                f"nystroem_check({kind}, {label(metric)}) of {what}",
                lambda kind=kind, metric=metric, data=data: _checked(
                    data[0], proximity=kind, metric=metric, n_landmarks=6
                ),
            )
    for choice in ({"cutoff": 0.01}, {"cutoff": 2.0}, {"cutoff": "low"}, {"n_landmarks": 0}):
        model("NystroemEmbedding", given["similarity"], "a matrix", **choice, random_state=0)
    for kind in KINDS:
        P = given[kind][0]
        add(
            f"nystroem_check of a matrix of {kind}",
            lambda P=P, kind=kind: _checked(P, proximity=kind),
        )


def _checked(P: Any, **choice: Any) -> dict[str, Any]:
    found = ne.nystroem_check(P, random_state=0, n_pairs=3, n_rows=12, **choice)
    return {
        "numbers": [found.rho_pairwise, found.rho_original or 0.0, *found.curve.values()],
        "landmarks": [found.n_landmarks, found.suggested_n_landmarks or 0],
        "suitable": found.suitable,
        "verdict": found.verdict,
    }


def conversions() -> None:
    for name in ("normalize", "symmetrize", "to_dissimilarity", "to_similarity"):
        function = getattr(proximities, name)
        for what, P in (("S", S), ("D", D), ("K", K), ("rows", X), ("asymmetric", np.triu(D))):
            add(f"{name}({what})", lambda function=function, P=P: {"value": function(P)})
    for what, P in (("S", S), ("D", D), ("K", K), ("rows", X)):
        add(f"signature({what})", lambda P=P: {"value": ne.signature(P)})
        add(f"signature({what}, 0.1)", lambda P=P: {"value": ne.signature(P, cutoff=0.1)})
        add(f"spectrum({what})", lambda P=P: {"value": proximities.spectrum(P)})
    words = _words()
    for metric in ("levenshtein", letters):
        add(
            f"pairwise({label(metric)})",
            lambda metric=metric: {
                "square": proximities.pairwise(words[0], metric),
                "rows": proximities.landmark_pairwise(words[2], words[0][:4], metric),
            },
        )


# --- sparse models --------------------------------------------------------------------------


def sparse_models() -> None:
    words = _words()
    sources: dict[str, tuple[str, dict[str, Any], tuple[Any, ...]]] = {
        "KernelRSLVQ": ("KernelRSLVQ", {}, (X, Y, X_NEW, Y_NEW)),
        "KernelGLVQ, landmarks": ("KernelGLVQ", {"n_landmarks": 12}, (X, Y, X_NEW, Y_NEW)),
        "RelationalGLVQ": ("RelationalGLVQ", {"n_prototypes": 2}, (X, Y, X_NEW, Y_NEW)),
        "RelationalRSLVQ, cityblock": (
            "RelationalRSLVQ", {"metric": "cityblock", "correction": "clip"}, (X, Y, X_NEW, Y_NEW)
        ),
        "words": ("RelationalGLVQ", {"metric": "levenshtein"}, words),
        "trains": (
            "KernelGLVQ",
            {"kernel": kernels.SpikeTrainKernel(0.005)},
            (TRAINS, TRAINS_Y, TRAINS_NEW, TRAINS_Y_NEW),
        ),
        "indefinite S": ("ProximityLVQ", {}, (S, S_Y, S_NEW, S_Y_NEW)),
        "D": ("ProximityLVQ", {"proximity": "dissimilarity"}, (D, Y, D_NEW, Y_NEW)),
        "D, landmarks": (
            "ProximityLVQ", {"proximity": "dissimilarity", "n_landmarks": 10}, (D, Y, D_NEW, Y_NEW)
        ),
        "LVQ1 on D": (
            "ProximityLVQ", {"proximity": "dissimilarity", "cost": "lvq1"}, (D, Y, D_NEW, Y_NEW)
        ),
        "MedianLVQ": ("MedianLVQ", {}, (D, Y, D_NEW, Y_NEW)),
    }  # fmt: skip
    for name, (cls, params, data) in sources.items():
        for method in ("nearest", "hull", "omp", "meb", "best"):
            for choice in ({"k": 1}, {"k": 3}, {"epsilon": 0.3}, {"k": 0}, {}):
                asked = ", ".join(f"{key}={value}" for key, value in choice.items())
                add(
                    f"sparsify({name}, {method}, {asked})",
                    lambda cls=cls, params=params, data=data, method=method, choice=choice: _sparse(
                        cls, params, data, method, choice
                    ),
                )
        add(f"measures of {name}", lambda c=cls, p=params, d=data: _measures(c, p, d))
        add(f"compact({name})", lambda c=cls, p=params, d=data: _compact(c, p, d))
        add(f"fit_sparse({name})", lambda c=cls, p=params, d=data: _fit_sparse(c, p, d))
        add(f"sparsity_front({name})", lambda c=cls, p=params, d=data: _front(c, p, d))


def _fitted(cls: str, params: dict[str, Any], data: tuple[Any, ...]) -> Any:
    return getattr(prototypes, cls)(**params, max_epochs=5, random_state=0).fit(data[0], data[1])


def _sparse(cls: str, params: Any, data: Any, method: str, choice: Any) -> dict[str, Any]:
    small = prototypes.sparsify(_fitted(cls, params, data), method=method, **choice)
    return observe(small, data[2]) | sparse_results(small)


def _measures(cls: str, params: Any, data: Any) -> dict[str, Any]:
    fitted = _fitted(cls, params, data)
    return sparse_results(fitted) | {
        "entropy": attempt(prototypes.assignment_entropy, fitted, data[2]),
        "bits": attempt(prototypes.description_length, fitted, data[2], data[3]),
    }


def _compact(cls: str, params: Any, data: Any) -> dict[str, Any]:
    fitted = _fitted(cls, params, data)
    small = prototypes.compact(fitted)
    is_matrix = cls in ("ProximityLVQ", "MedianLVQ")
    return observe(small, data[2][:, fitted.support_] if is_matrix else data[2])


def _fit_sparse(cls: str, params: Any, data: Any) -> dict[str, Any]:
    start = getattr(prototypes, cls)(**params, max_epochs=5, random_state=0)
    small = prototypes.fit_sparse(start, data[0], data[1], n_exemplars=4, max_fits=6)
    return observe(small, data[2]) | sparse_results(small)


def _front(cls: str, params: Any, data: Any) -> dict[str, Any]:
    found = prototypes.sparsity_front(
        _fitted(cls, params, data), data[2], data[3], ks=(1, 4), epsilons=(0.3,), max_fits=3
    )
    return {
        "method": [point.method for point in found.points],
        "n_exemplars": [point.n_exemplars for point in found.points],
        "accuracy": [point.accuracy for point in found.points],
        "front": [point.method for point in found.front],
        "skipped": " | ".join(f"{key}: {why}" for key, why in found.skipped.items()) or "none",
    }


# --- information ----------------------------------------------------------------------------


def information_functions() -> None:
    A, B = X[:, :2], X_NEW[:, :2] + 0.4
    a, b = np.linspace(1, 2, len(A)), np.linspace(1, 3, len(B))
    calls: dict[str, Callable[[], Any]] = {}
    for width in (0.7, None):
        calls |= {
            f"information_potential {width}": lambda w=width: ne.information_potential(A, w),
            f"renyi_entropy {width}": lambda w=width: ne.renyi_entropy(A, w),
        }
    calls |= {
        "information_potential gradient": lambda: information.information_potential(
            A, 0.7, return_gradient=True
        ),
        "information_potential log": lambda: information.information_potential(A, 0.7, a, log=True),
        "information_potential low rank": lambda: information.information_potential(
            A, 0.7, low_rank=1e-6
        ),
        "renyi_entropy gradient": lambda: ne.renyi_entropy(A, 0.7, a, return_gradient=True),
        "cross_information_potential": lambda: information.cross_information_potential(
            A, B, 0.7, (a, b), return_gradient=True
        ),
        "cauchy_schwarz_divergence": lambda: ne.cauchy_schwarz_divergence(
            A, B, 0.7, return_gradient=True
        ),
        "cauchy_schwarz_divergence low rank": lambda: ne.cauchy_schwarz_divergence(
            A, B, 0.7, low_rank=1e-6
        ),
        "euclidean_divergence": lambda: ne.euclidean_divergence(A, B, 0.7, return_gradient=True),
        "euclidean_divergence weights": lambda: ne.euclidean_divergence(A, B, 0.7, (a, b)),
        "angle": lambda: information.angle(A, B, 0.7),
        "geodesic_distance": lambda: information.geodesic_distance(A, B, width=0.7),
        "svm_as_parzen": _svm,
    }
    for kind in ("ed", "cs", "none"):
        calls[f"quadratic_mutual_information {kind}"] = lambda kind=kind: (
            ne.quadratic_mutual_information(A[:, :1], A[:, 1:], 0.7, kind, return_gradient=True)
        )
    for norm in ("hilbert-schmidt", "operator", "none"):
        calls[f"cross_covariance_norm {norm}"] = lambda norm=norm: (
            information.cross_covariance_norm(A[:, :1], A[:, 1:], 0.7, norm=norm)
        )
    for kernel in ("rbf", kernels.Laplacian(1.0), dot):
        calls[f"f_correlation {label(kernel)}"] = lambda kernel=kernel: information.f_correlation(
            A[:, :1], A[:, 1:], kernel
        )
    for method in ("silverman", "median", "loo", "none"):
        calls[f"bandwidth {method}"] = lambda method=method: ne.bandwidth(A, method)
    for name, function in calls.items():
        add(name, lambda function=function: _numbered(function()))
    for width, statistic in itertools.product(("median", "silverman", 0.8), ("ed", "cs", "none")):
        for name in ("two_sample_test", "independence_test"):
            add(
                f"{name}({width}, {statistic})",
                lambda name=name, width=width, statistic=statistic: _tested(
                    name, A, B, width, statistic
                ),
            )
    add(
        "two_sample_test(bags)",
        lambda: _result(
            ne.two_sample_test(
                BAGS[:8], BAGS[8:], kernel=kernels.CrossInformationPotential(1.0),
                n_permutations=99, random_state=0,
            )
        ),
    )  # fmt: skip
    for correction in ("holm", "benjamini-hochberg", "none", "bh"):
        add(
            f"drifted_columns({correction})",
            lambda correction=correction: {
                "drifted": [
                    str(name)
                    for name in information.drifted_columns(
                        X, X_NEW, correction=correction, n_permutations=199, random_state=0
                    ).drifted
                ]
                or "none"
            },
        )
    for choice in product(width=("silverman", "median", "loo", 0.9), rule=("ded", "map", "knn")):
        for data, what in (((X, Y, X_NEW), "rows"), ((X2, Y2, X2_NEW), "two classes")):
            model("ParzenClassifier", data, what, **choice)
        model(
            "ParzenClassifier", (X, Y, X_NEW), "rows", **choice,
            fit_params={"sample_weight": WEIGHTS},
        )  # fmt: skip


def _numbered(value: Any) -> dict[str, Any]:
    values = value if isinstance(value, (tuple, list)) else (value,)
    return {f"value{k}": part for k, part in enumerate(values)}


def _svm() -> tuple[Any, ...]:
    view = information.svm_as_parzen(SVC(C=1.0).fit(X2, Y2))
    return view.density(X2_NEW, 0), view.decision_function(X2_NEW), view.intercept, view.omega


def _tested(name: str, A: Any, B: Any, width: Any, statistic: str) -> dict[str, Any]:
    pair = (A, B) if name == "two_sample_test" else (A[:, :1], A[:, 1:])
    found = getattr(ne, name)(*pair, width, statistic=statistic, n_permutations=99, random_state=0)
    return _result(found)


def _result(found: Any) -> dict[str, Any]:
    return {"statistic": found.statistic, "pvalue": found.pvalue, "null": found.null}


# --- spikes, spaces and kernels -------------------------------------------------------------


def spike_functions() -> None:
    t = np.linspace(0, 0.25, 9)
    for smoothing in SMOOTHINGS:
        add(
            f"intensity({smoothing})",
            lambda s=smoothing: {"value": spikes.intensity(TRAINS[0], t, 0.01, smoothing=s)},
        )
        add(f"select_width({smoothing})", lambda s=smoothing: _selected(s))
    add("jittered_templates", lambda: {"times": np.concatenate(TRAINS), "labels": TRAINS_Y})
    add(
        "poisson_trains",
        lambda: {
            "times": np.concatenate(
                spikes.poisson_trains(4, rate=30.0, duration=1.0, random_state=0)
            )
        },
    )


def _selected(smoothing: Any) -> dict[str, Any]:
    found = spikes.select_width(TRAINS, [0.001, 0.004, 0.02], smoothing=smoothing, random_state=0)
    return {"width": found.width}


def geometries() -> None:
    named = [spaces.as_space(name) for name in ("l1", "l1.5", "l2", "linf")]
    for k, space in enumerate([*example_spaces(), *named]):
        add(f"space {k} {label(space)}", lambda space=space: _measured(space))
    for k, kernel in enumerate(example_kernels()):
        add(f"kernel {k} {label(kernel)}", lambda kernel=kernel: _evaluated(kernel))


def _measured(space: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    A, W = example_points(space, rng, 7), example_points(space, rng, 4)
    F = rng.normal(size=(7, 4))
    found: dict[str, Any] = {"squared_distance": space.squared_distance(A, W)}
    for name, args in (
        ("dual", (W,)), ("product", (A, W)), ("norm", (A,)), ("squared_norm", (A,)),
        ("pull", (A, W, F)), ("squared_distance_gradient", (A[0], W)), ("flatten", (A,)),
    ):  # fmt: skip
        if hasattr(space, name):
            found[name] = attempt(getattr(space, name), *args)
    return found


def _evaluated(kernel: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    both = example_points(kernel, rng, 9)
    found: dict[str, Any] = {"gram": kernel(both), "diag": kernel.diag(both)}
    if hasattr(kernel, "gradient"):
        found["gradient"] = kernel.gradient(both[0], both[5:])
    return found


# --- numbers --------------------------------------------------------------------------------


def regressors() -> None:
    y = X[:, 0] - X[:, 1] ** 2
    both = np.column_stack([y, X[:, 2]])
    few = {"n_prototypes": 4, "max_epochs": 20, "random_state": 0}
    for choice in product(space=("l2", spaces.Sobolev()), local=("constant", "linear")):
        model("PrototypeRegressor", (X, y, X_NEW), "rows", **few, **choice)
    model("PrototypeRegressor", (X, y, X_NEW), "rows", **few, space="l1")
    # Of so few samples each step of this one magnifies rounding about ten times.
    first = {**few, "max_epochs": 5, "space": "l1", "local": "linear"}
    model("PrototypeRegressor", (X, y, X_NEW), "rows", **first)
    model("PrototypeRegressor", (X, both, X_NEW), "rows, two targets", **few)
    model("PrototypeRegressor", (X, np.ones(len(X)), X_NEW), "a constant", **few)
    for choice in product(constraint=("convex", "affine"), n_landmarks=(None, 10)):
        kind = {"proximity": "dissimilarity", "extra": sparse_results}
        model("ProximityRegressor", (D, y, D_NEW), "cityblock D", **few, **kind, **choice)
    model("ProximityRegressor", (X, y, X_NEW), "rows", **few, metric="rbf", constraint="none")


# --- decisions, matrices, medians, searches ---------------------------------------------------


def later_estimators() -> None:
    few = {"max_epochs": 10, "random_state": 0}
    rows, pairs = (X, Y, X_NEW), (D, Y, D_NEW)
    held = {"alpha": 0.3, "calibration": 0.5, "random_state": 0}
    for conditional in (False, True):
        model("ConformalClassifier", rows, "rows", **held, class_conditional=conditional)
    model("ConformalRegressor", (X, X[:, 0], X_NEW), "rows", **held)
    for name in ("GRLVQ", "MatrixRSLVQ"):
        for space in ("l2", spaces.Sobolev()):
            model(name, rows, "rows", space=space, **few)
    for per in ("prototype", "class"):
        model("LGMLVQ", rows, "rows", per=per, n_prototypes=2, **few)
    model("MedianNeuralGas", pairs, "cityblock D", n_prototypes=4, random_state=0)
    model("MedianSOM", pairs, "cityblock D", shape=(2, 2))
    fuzzy = {"proximity": "dissimilarity", **few}
    model("FuzzyLabelledProximityNeuralGas", pairs, "cityblock D", n_prototypes=4, **fuzzy)
    model("FuzzyLabelledProximitySOM", pairs, "cityblock D", shape=(2, 2), **fuzzy)
    bag_kernel = kernels.CrossInformationPotential(1.0)
    model("DistributionPCA", (BAGS, None, BAGS_NEW), "bags", kernel=bag_kernel)
    model(
        "GeometrySearch",
        rows,
        "rows",
        estimators=ESTIMATORS["GLVQ"](random_state=0),
        geometries=["l2", "l1"],
        cv=2,
        inner_cv=2,
        random_state=0,
    )


# --- recording ------------------------------------------------------------------------------

GROUPS = (
    proximity_classifiers,
    object_classifiers,
    vector_classifiers,
    quantizers,
    components,
    embeddings,
    conversions,
    sparse_models,
    information_functions,
    spike_functions,
    geometries,
    regressors,
    later_estimators,
)


def chosen_cases(only: str, every: int) -> dict[str, Callable[[], Mapping[str, Any]]]:
    for group in GROUPS:
        group()
    missing = ESTIMATORS.keys() - COVERED
    if missing:
        raise SystemExit(f"no case for {', '.join(sorted(missing))}: add one")
    seen: Counter[str] = Counter()
    chosen = {}
    for name, function in CASES.items():
        kind = re.split(r"[( ]", name)[0]
        if only in name and seen[kind] % every == 0:
            chosen[name] = function
        seen[kind] += only in name
    return chosen


def record(path: str, only: str, every: int) -> None:
    kept: Record = {}
    started = time.perf_counter()
    chosen = chosen_cases(only, every)
    for name, function in chosen.items():
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            try:
                found = function()
            except Exception as error:
                found = {"refused": refusal(error)}
        said = {f"{w.category.__name__}: {w.message}" for w in caught}
        said = {text for text in said if not text.startswith(("DeprecationWarning", "Numba"))}
        if said:
            found = {**found, "warnings": " | ".join(sorted(said))}
        for field, value in found.items():
            array = as_array(value)
            if array is not None:
                kept[f"{name}\n{field}"] = array
    np.savez_compressed(path, **{f"v{k}": v for k, v in enumerate(kept.values())}, names=list(kept))
    took = time.perf_counter() - started
    print(f"{len(chosen)} cases, {len(kept)} results, {took:.0f} s -> {path}")


def as_array(value: Any) -> np.ndarray | None:
    """The value as numbers or text; None for what is neither."""
    if value is None:
        return None
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array if array.dtype.kind in "biufUS" else None


# --- comparing ------------------------------------------------------------------------------


def load(path: str) -> dict[str, Record]:
    cases: dict[str, Record] = {}
    with np.load(path) as file:
        for k, full in enumerate(file["names"]):
            name, field = str(full).split("\n", 1)
            cases.setdefault(name, {})[field] = file[f"v{k}"]
    return cases


def difference(old: np.ndarray, new: np.ndarray) -> float:
    """Largest difference relative to the largest number; infinite if shapes or gaps differ."""
    if old.shape != new.shape:
        return np.inf
    old, new = old.astype(float), new.astype(float)
    if (np.isnan(old) != np.isnan(new)).any() or (np.isinf(old) != np.isinf(new)).any():
        return np.inf
    finite = np.isfinite(old)
    if not finite.any():
        return 0.0
    gap = np.abs(old[finite] - new[finite]).max()
    return float(gap / max(np.abs(old[finite]).max(), NOTHING))


def is_text(array: np.ndarray, start: str = "") -> bool:
    return array.dtype.kind in "US" and array.ndim == 0 and str(array).startswith(start)


def compare_case(old: Record, new: Record, rtol: float) -> Iterator[tuple[str, str]]:
    """What differs: (what kind of difference, a sentence)."""
    for field in sorted(old.keys() | new.keys()):
        if field == "warnings":
            before, after = (str(part.get(field, "none")) for part in (old, new))
            if before != after:
                yield "warnings", f"{before} -> {after}"
        elif field not in old:
            if field == "refused":
                yield "refusals", f"worked before; now {new[field]}"
        elif field not in new:
            if field == "refused":
                yield "refusals", f"works now; before: {old[field]}"
            elif "refused" not in new:
                yield "missing", f"{field} is gone"
        elif is_text(old[field]) or is_text(new[field]):
            if str(old[field]) != str(new[field]):
                kind = "refusals" if "refused" in str(old[field]) + str(new[field]) else "decisions"
                before, after = (
                    str(value) if is_text(value) else f"array {value.shape}"
                    for value in (old[field], new[field])
                )
                yield kind, f"{field}: {before} -> {after}"
        elif old[field].dtype.kind in "biuUS":
            if old[field].shape != new[field].shape:
                yield "decisions", f"{field}: shape {old[field].shape} -> {new[field].shape}"
            elif (old[field] != new[field]).any():
                yield "decisions", f"{field}: {int((old[field] != new[field]).sum())} differ"
        else:
            error = difference(old[field], new[field])
            if not error <= rtol:
                yield "numbers", f"{field}: relative difference {error:.2g}"


def compare(old_path: str, new_path: str, rtol: float, only: str) -> int:
    old, new = (
        {name: case for name, case in load(path).items() if only in name}
        for path in (old_path, new_path)
    )
    counts = dict.fromkeys(("decisions", "numbers", "refusals", "warnings", "missing", "added"), 0)
    same = 0
    for name in old:
        if name not in new:
            counts["missing"] += 1
            print(f"missing    {name}")
            continue
        found: dict[str, list[str]] = {}
        for kind, sentence in compare_case(old[name], new[name], rtol):
            found.setdefault(kind, []).append(sentence)
        same += not found
        for kind, sentences in found.items():
            counts[kind] += 1
            print(f"{kind:<10} {name}: {'; '.join(sentences)}")
    for name in new.keys() - old.keys():
        counts["added"] += 1
        print(f"added      {name}")
    told = ", ".join(f"{number} {kind}" for kind, number in counts.items())
    print(f"{same} of {len(old)} cases are the same (rtol {rtol:g}); cases that differ: {told}")
    return int(same < len(old))


def main() -> int:
    parser = argparse.ArgumentParser(description="Same results before and after?")
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run all cases")
    recording.add_argument("file")
    recording.add_argument("--every", type=int, default=1, help="only each so many-th case")
    comparing = commands.add_parser("compare", help="compare two recordings")
    comparing.add_argument("old")
    comparing.add_argument("new")
    comparing.add_argument("--rtol", type=float, default=1e-6)
    for command in (recording, comparing):
        command.add_argument("--only", default="", help="cases with this text in their name")
    given = parser.parse_args()
    if given.command == "compare":
        return compare(given.old, given.new, given.rtol, given.only)
    record(given.file, given.only, given.every)
    return 0


if __name__ == "__main__":
    sys.exit(main())
