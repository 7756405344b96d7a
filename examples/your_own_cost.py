"""Your own cost: write value and forces, and every prototype learner minimises it."""

import numpy as np
from sklearn.datasets import load_iris

from noneuclid import MedianLVQ, ProximityLVQ
from noneuclid.prototypes import VectorLVQ
from noneuclid.prototypes.costs import Cost
from noneuclid.testing import check_cost


class MarginCost(Cost):
    """Σ max(0, margin + μ), μ = (d₊ − d₋)/(d₊ + d₋): samples that are safe pull no more."""

    name = "margin"
    per_distance = True  # forces are reciprocal distances

    def __init__(self, *, margin=0.5):
        self.margin = margin

    def per_sample(self, D, who):
        """∂μ/∂d₊ = 2d₋/(d₊ + d₋)², ∂μ/∂d₋ = −2d₊/(d₊ + d₋)²."""
        rows = np.arange(len(D))
        right = np.where(who.own, D, np.inf).argmin(axis=1)
        wrong = np.where(who.own, np.inf, D).argmin(axis=1)
        plus, minus = D[rows, right], D[rows, wrong]
        total = np.where(plus + minus > 0, plus + minus, 1.0)
        values = np.maximum(self.margin + (plus - minus) / total, 0.0)
        F = np.zeros_like(D)
        F[rows, right] = np.where(values > 0, 2 * minus / total**2, 0.0)
        F[rows, wrong] = np.where(values > 0, -2 * plus / total**2, 0.0)
        return values, F


if __name__ == "__main__":
    check_cost(MarginCost())
    X, y = load_iris(return_X_y=True)
    learners = [
        VectorLVQ(cost="margin", random_state=0),
        VectorLVQ(cost=MarginCost(margin=0.2), space="l1", random_state=0),
        ProximityLVQ(cost="margin", metric="rbf", random_state=0),
        MedianLVQ(cost="margin", metric="sqeuclidean", random_state=0),
    ]
    for learner in learners:
        print(f"{type(learner).__name__}: {learner.fit(X, y).score(X, y):.2f}")
