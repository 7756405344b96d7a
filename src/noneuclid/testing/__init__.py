"""What a new part must satisfy: public checks, run on everything the package has.

Each raises an AssertionError with one sentence, or says nothing.
"""

from noneuclid._discovery import (
    all_costs,
    all_estimators,
    all_kernels,
    all_metrics,
    all_readers,
    all_spaces,
)
from noneuclid.testing._tools import example_points
from noneuclid.testing.costs import check_cost
from noneuclid.testing.kernels import check_kernel, example_kernels
from noneuclid.testing.metrics import MetricReport, check_metric
from noneuclid.testing.objectives import check_objective
from noneuclid.testing.readers import check_reader
from noneuclid.testing.spaces import check_space, example_spaces

__all__ = [
    "MetricReport",
    "all_costs",
    "all_estimators",
    "all_kernels",
    "all_metrics",
    "all_readers",
    "all_spaces",
    "check_cost",
    "check_kernel",
    "check_metric",
    "check_objective",
    "check_reader",
    "check_space",
    "example_kernels",
    "example_points",
    "example_spaces",
]
