"""First problems: what every estimator is tried on."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.utils import get_tags


def first_problem(cls: type) -> tuple[Any, Any, Any]:
    """An estimator with its defaults, a little data of its kind, and labels."""
    X, y = load_iris(return_X_y=True)
    model = cls()
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    tags = get_tags(model)
    if not tags.input_tags.two_d_array:
        from noneuclid.spikes import jittered_templates

        trains = jittered_templates(len(X), random_state=0).trains
        return model, trains, y
    if tags.input_tags.pairwise:
        unlike = getattr(model, "proximity", "similarity") == "dissimilarity"
        return model, cdist(X, X, "sqeuclidean") if unlike else X @ X.T, y
    return model, X, y
