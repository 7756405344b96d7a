"""Decisions one can rely on: what a fitted model may be trusted with, and what not."""

from noneuclid.prototypes.decisions.changes import SmallestChange, smallest_change
from noneuclid.prototypes.decisions.conformal_classifier import ConformalClassifier
from noneuclid.prototypes.decisions.conformal_regressor import ConformalRegressor
from noneuclid.prototypes.decisions.thresholds import choose_thresholds

__all__ = [
    "ConformalClassifier",
    "ConformalRegressor",
    "SmallestChange",
    "choose_thresholds",
    "smallest_change",
]
