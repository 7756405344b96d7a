"""Checks of constructor parameters: one clear sentence before any work is done."""

from numbers import Integral, Real
from typing import Any

import numpy as np

from noneuclid.prototypes.quantization.annealing import SCHEDULES, Annealing
from noneuclid.prototypes.quantization.neighbourhoods import Neighbourhood
from noneuclid.proximities.checks import check_kind
from noneuclid.proximities.landmarks import landmark_count

SOLVERS = ("batch", "online")


def is_number(value: Any) -> bool:
    """Whether it is a real number, and not a truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def check_count(value: Any, name: str) -> int:
    """Return a positive integer, or raise."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} (={value!r}) must be an integer, at least 1")
    return int(value)


def check_common(model: Any) -> None:
    """Raise for parameters that make no sense in any quantiser."""
    if model.solver not in SOLVERS:
        raise ValueError(f"solver (={model.solver!r}) must be one of {SOLVERS}")
    if model.schedule not in SCHEDULES:
        raise ValueError(f"schedule (={model.schedule!r}) must be one of {SCHEDULES}")
    check_count(model.max_epochs, "max_epochs")
    if not (is_number(model.tol) and 0 <= model.tol < np.inf):
        raise ValueError(f"tol (={model.tol!r}) must be a number, at least 0")


def width_annealing(model: Any, neighbourhood: Neighbourhood, final: float) -> Annealing:
    """The neighbourhood's width over the training; ``final`` is the default of its end."""
    for name in ("width", "final_width"):
        value = getattr(model, name)
        if value != "auto" and not (is_number(value) and 0 <= value < np.inf):
            raise ValueError(f'{name} (={value!r}) must be "auto" or a number, at least 0')
        if value != "auto" and value == 0 and model.schedule == "geometric":
            raise ValueError(
                f'{name} (=0) must be positive for schedule="geometric": no factor leads from or '
                'to zero; use "linear" or "constant"'
            )
    start = neighbourhood.widest() if model.width == "auto" else float(model.width)
    end = min(final, start) if model.final_width == "auto" else float(model.final_width)
    return Annealing(start, end, model.schedule)


def rate_annealing(model: Any, unit: float = 1.0) -> Annealing:
    """The learning rate over the training; ``unit`` divides the automatic one."""
    rate = model.learning_rate
    if rate == "auto":
        return Annealing(0.5 / unit, 0.01 / unit, "geometric")
    pair = isinstance(rate, (tuple, list)) and len(rate) == 2
    numbers = rate if pair else (rate, rate)
    if not all(is_number(value) and 0 < value <= 1 for value in numbers):
        raise ValueError(
            f'learning_rate (={rate!r}) must be "auto", a number above 0 and at most 1, or two of '
            "them, the first and the last"
        )
    start, end = map(float, numbers)
    return Annealing(start, end, model.schedule if pair else "constant")


def check_proximity_choices(model: Any) -> None:
    """Raise for parameters of proximities that make no sense."""
    check_kind(model.proximity)
    corrections = (None, "clip", "flip", "shift", "square")
    if model.correction not in corrections:
        raise ValueError(f"correction (={model.correction!r}) must be one of {corrections}")
    if model.n_landmarks is not None:
        landmark_count(model.n_landmarks, 1)
        if model.correction == "shift":
            raise ValueError(
                'correction="shift" has no features of low rank: use "clip", "flip" or "square" '
                "with n_landmarks"
            )
