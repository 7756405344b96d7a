"""Checks of constructor parameters: one clear sentence before any work is done."""

from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.prototypes.solvers import Gradient
from noneuclid.proximities.landmarks import landmark_count
from noneuclid.typing import Array

_GRADIENTS: dict[str, Gradient] = {
    "riesz": "riesz",
    "prototypes": "riesz",
    "coordinates": "coordinates",
    "coefficients": "coordinates",
}
_CHOICES: dict[str, tuple[Any, ...]] = {
    "cost": ("glvq", "rslvq", "lvq1", "lvq21"),
    "proximity": ("similarity", "dissimilarity"),
    "gradient": tuple(_GRADIENTS),
    "transfer": ("identity", "sigmoid", "tanh"),
    "constraint": ("convex", "affine", "none"),
    "correction": (None, "clip", "flip", "shift", "square"),
    "solver": ("sgd", "lbfgs"),
    "schedule": (None, "constant", "linear"),
}
# Learners of vectors choose these by themselves, if asked to.
_AUTOMATIC = ("gradient", "transfer")


def check_parameters(model: Any) -> Gradient:
    """Raise ValueError for parameters of a proximity learner that make no sense."""
    _check_choices(model, ())
    gradient = _GRADIENTS[model.gradient]
    _check_combinations(model, gradient)
    _check_numbers(model)
    _check_extras(model)
    return gradient


def check_vector_parameters(model: Any) -> Gradient | Literal["auto"]:
    """Raise ValueError for parameters of a learner of vectors that make no sense."""
    _check_choices(model, _AUTOMATIC)
    _check_heuristics(model)
    _check_numbers(model)
    return "auto" if model.gradient == "auto" else _GRADIENTS[model.gradient]


def _check_choices(model: Any, automatic: tuple[str, ...]) -> None:
    for name, allowed in _CHOICES.items():
        if not hasattr(model, name):
            continue
        if name in automatic:
            allowed = ("auto", *allowed)
        value = getattr(model, name)
        if not (isinstance(value, str) or value is None) or value not in allowed:
            raise ValueError(f"{name} (={value!r}) must be one of {allowed}")


def _check_combinations(model: Any, gradient: Gradient) -> None:
    if model.proximity == "dissimilarity" and model.constraint == "none":
        raise ValueError(
            'constraint="none" needs similarities: distances from dissimilarities hold for '
            'coefficients that sum to one, so use "affine" or "convex"'
        )
    if model.solver == "lbfgs" and gradient == "riesz":
        raise ValueError(LBFGS_NEEDS_COORDINATES)
    _check_heuristics(model)


LBFGS_NEEDS_COORDINATES = (
    'solver="lbfgs" follows the coordinate gradient: use gradient="coordinates"'
)


def _check_heuristics(model: Any) -> None:
    if model.solver == "lbfgs" and model.cost in ("lvq1", "lvq21"):
        raise ValueError(
            f'cost (={model.cost!r}) is a heuristic without a gradient: use solver="sgd"'
        )


def _check_extras(model: Any) -> None:
    penalty = model.sparsity_penalty
    if not (_is_number(penalty) and 0 <= penalty < np.inf):
        raise ValueError(f"sparsity_penalty (={penalty!r}) must be a number, at least 0")
    if penalty > 0 and model.constraint != "convex":
        raise ValueError(
            'sparsity_penalty needs constraint="convex": it works by clipping coefficients at zero'
        )
    if penalty > 0 and model.solver == "lbfgs":
        raise ValueError('sparsity_penalty is paid step by step: use solver="sgd"')
    if model.n_landmarks is None and not isinstance(model.landmarks, str):
        raise ValueError("landmarks are given, but n_landmarks is None: set it to their number")
    if model.n_landmarks is not None:
        landmark_count(model.n_landmarks, 1)
        if model.correction == "shift":
            raise ValueError(
                'correction="shift" has no features of low rank: use "clip", "flip" or "square" '
                "with n_landmarks"
            )


def _check_numbers(model: Any) -> None:
    for name in ("learning_rate", "slope"):
        value: Any = getattr(model, name, "auto")
        if value != "auto" and not (_is_number(value) and 0 < value < np.inf):
            raise ValueError(f'{name} (={value!r}) must be "auto" or a positive number')
    for name in ("max_epochs", "n_iter_no_change", "batch_size"):
        value = getattr(model, name)
        optional = name == "batch_size" and value is None
        if not optional and not (isinstance(value, Integral) and int(value) >= 1):
            raise ValueError(f"{name} (={value!r}) must be an integer, at least 1")
    if not (_is_number(model.tol) and 0 <= model.tol < np.inf):
        raise ValueError(f"tol (={model.tol!r}) must be a number, at least 0")
    window = getattr(model, "window", 0.3)
    if not (_is_number(window) and 0 < window < 1):
        raise ValueError(f"window (={window!r}) must be a number between 0 and 1")


def positive_numbers(values: ArrayLike, m: int, name: str) -> Array:
    """Return m positive numbers as an array, or raise."""
    array = np.asarray(values, dtype=float)
    if array.shape != (m,) or not (array > 0).all() or not np.isfinite(array).all():
        raise ValueError(f"{name} (={values!r}) must be positive, one number or {m} of them")
    return array


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
