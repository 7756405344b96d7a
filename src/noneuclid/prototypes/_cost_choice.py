"""The cost an estimator's parameters ask for."""

import warnings
from typing import Any

import numpy as np

from noneuclid.prototypes._parameters import positive_numbers
from noneuclid.prototypes.costs import Cost, GLVQCost, LVQ1Cost, LVQ21Cost, RSLVQCost
from noneuclid.prototypes.geometry import Geometry, S
from noneuclid.prototypes.solvers import Task
from noneuclid.typing import Array, IntArray


def make_cost(model: Any, geometry: Geometry[S], theta: S, task: Task) -> Cost:
    """Return the cost; RSLVQ's bandwidth is noted in ``model.sigma2_``."""
    if model.cost == "lvq1":
        return LVQ1Cost()
    if model.cost == "lvq21":
        return LVQ21Cost(model.window)
    if model.cost == "glvq":
        return _glvq(model, geometry, theta, task)
    m = task.own_of_class.shape[1]
    model.sigma2_ = _bandwidth(model.sigma2, geometry, task.y, m)
    prior = None if model.prior is None else positive_numbers(model.prior, m, "prior")
    return RSLVQCost(model.sigma2_, prior)


def _glvq(model: Any, geometry: Geometry[S], theta: S, task: Task) -> GLVQCost:
    transfer, slope = model.transfer, model.slope
    if transfer == "auto":
        literal = model.solver == "sgd" and model.learning_rate != "auto"
        transfer, slope = ("identity", 1.0) if literal else ("sigmoid", "auto")
    if slope != "auto":
        return GLVQCost(transfer, float(slope))
    D = geometry.distances(theta)
    return GLVQCost(transfer).with_automatic_slope(D, task.own, task.weights, model._steepness)


def _bandwidth(sigma2: Any, geometry: Geometry[S], y: IntArray, m: int) -> float | Array:
    if isinstance(sigma2, str):
        if sigma2 != "scale":
            raise ValueError(f'sigma2 (={sigma2!r}) must be "scale" or positive')
        return geometry.bandwidth_share * geometry.scale_within(y)
    if np.ndim(sigma2) == 0:
        return float(positive_numbers(np.reshape(sigma2, 1), 1, "sigma2")[0])
    return positive_numbers(sigma2, m, "sigma2")


def warn_refused(n: int) -> None:
    """Tell the caller of ``fit`` that n steps were left out."""
    warnings.warn(
        f"{n} sample steps had a GLVQ denominator that was not positive and were left out: the "
        'proximities are indefinite; correction="clip" or "flip", or the RSLVQ cost, avoid this',
        UserWarning,
        stacklevel=4,
    )
