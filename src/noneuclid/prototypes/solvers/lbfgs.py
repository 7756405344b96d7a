"""Quasi-Newton descent, in any geometry with any cost that has a gradient."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from noneuclid._progress import progress
from noneuclid.prototypes.geometries.base import S
from noneuclid.prototypes.solvers.problem import FitResult, Problem
from noneuclid.typing import Array


@dataclass(frozen=True, kw_only=True)
class LBFGS:
    """Quasi-Newton descent along the coordinate gradient (L-BFGS-B).

    Convex coefficients are γ = u/Σu with u ≥ 0, affine ones γ = γ₀ + u − mean(u), and free
    parameters θ = θ₀ + cu with the units c of the geometry, so that neither steps nor the end
    depend on the unit of the data; the derivative is taken through each.
    """

    max_epochs: int = 30
    tol: float = 1e-4
    verbose: bool = False

    def run(
        self, problem: Problem[S], theta: S, rng: np.random.RandomState | None = None
    ) -> FitResult[S]:
        """Descend from ``theta``."""
        geometry, n, shape = problem.geometry, problem.n_samples, theta.parameters.shape
        start, convex = theta.parameters.copy(), geometry.constraint == "convex"
        units = geometry.units(len(start)) if geometry.constraint == "none" else 1.0
        result = FitResult(theta, [])

        def coefficients(u: Array) -> Array:
            U = u.reshape(shape)
            if convex:
                total = U.sum(axis=1, keepdims=True)
                return np.where(total > 0, U / np.where(total > 0, total, 1.0), start)
            if geometry.constraint == "affine":
                return start + U - U.mean(axis=1, keepdims=True)
            return start + units * U

        def objective(u: Array) -> tuple[float, Array]:
            G = coefficients(u)
            state = geometry.state(G)
            value, slope, result.refused = problem.value_and_slope(state)
            slope = geometry.tangent(slope, G)
            if convex:
                total = u.reshape(shape).sum(axis=1, keepdims=True)
                slope = slope / np.where(total > 0, total, 1.0)
            elif geometry.constraint == "none":
                slope = slope * units
            return value / n, slope.ravel() / n

        u = start.ravel() if convex else np.zeros(start.size)
        bounds = [(0.0, None)] * u.size if convex else None
        result.loss_curve.append(objective(u)[0])
        bar = progress(range(self.max_epochs), self.max_epochs, "iterations", self.verbose)
        iterations = iter(bar)

        def note(intermediate_result: Any) -> None:
            next(iterations, None)
            result.loss_curve.append(float(intermediate_result.fun))

        gtol = 0.0 if self.tol == 0 else 1e-8
        options = {"maxiter": self.max_epochs, "ftol": min(self.tol, 1.0), "gtol": gtol}
        found = minimize(
            objective, u, jac=True, method="L-BFGS-B", bounds=bounds, callback=note, options=options
        )
        result.theta = geometry.state(coefficients(found.x))
        return result
