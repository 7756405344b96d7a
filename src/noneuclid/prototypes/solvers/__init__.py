"""Solvers: a geometry and a cost in, a trained state out. They know neither data nor estimators."""

from noneuclid.prototypes.solvers.annealing import SCHEDULES, Annealing, Schedule
from noneuclid.prototypes.solvers.batch import Batch, Quantization
from noneuclid.prototypes.solvers.lbfgs import LBFGS
from noneuclid.prototypes.solvers.moves import Moves
from noneuclid.prototypes.solvers.online import Online
from noneuclid.prototypes.solvers.problem import FitResult, Problem, Solver
from noneuclid.prototypes.solvers.sgd import SGD, online_rate

__all__ = [
    "LBFGS",
    "SCHEDULES",
    "SGD",
    "Annealing",
    "Batch",
    "FitResult",
    "Moves",
    "Online",
    "Problem",
    "Quantization",
    "Schedule",
    "Solver",
    "online_rate",
]
