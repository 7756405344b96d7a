"""The analysis of sequences: an edit distance first, then as dissimilarities."""

import importlib
from typing import Any

import numpy as np
from sklearn.base import clone

from noneuclid.datasets import Dataset
from noneuclid.report.blocks import Analysis
from noneuclid.report.comparison import Settings
from noneuclid.report.proximities import Advance, analyze_matrix
from noneuclid.typing import Array

# Names of modules of rapidfuzz.distance, and what they count.
METRICS = {
    "levenshtein": ("Levenshtein", "insertions, deletions and substitutions"),
    "indel": ("Indel", "insertions and deletions"),
    "osa": ("OSA", "insertions, deletions, substitutions and swaps of neighbours"),
    "lcs": ("LCSseq", "letters outside of the longest common subsequence"),
}


def edit_distances(sequences: list[str], metric: str = "levenshtein") -> Array:
    """Edit distances between all sequences.

    Parameters
    ----------
    sequences : list of str
    metric : {"levenshtein", "indel", "osa", "lcs"}, default="levenshtein"

    Examples
    --------
    >>> edit_distances(["cat", "cart"])
    array([[0., 1.],
           [1., 0.]])
    """
    from rapidfuzz.process import cdist

    if metric not in METRICS:
        raise ValueError(f"metric (={metric!r}) must be one of {tuple(METRICS)}")
    scorer = getattr(importlib.import_module("rapidfuzz.distance"), METRICS[metric][0]).distance
    return cdist(sequences, sequences, scorer=scorer, dtype=np.int32, workers=1).astype(float)


def analyze_sequences(
    data: Dataset, settings: Settings, advance: Advance, *, metric: str = "levenshtein"
) -> Analysis:
    """Compare sequences by an edit distance, and go on as with dissimilarities."""
    D = edit_distances(data.X, metric)
    advance("edit distances")
    if metric == "levenshtein":
        expression = 'pairwise(data.X, "levenshtein")'
    else:
        expression = f"edit_distances(data.X, {metric!r})"

    def portable(model: Any) -> Any:
        if metric != "levenshtein":
            return model
        return clone(model).set_params(metric="levenshtein").fit(data.X, data.labels)

    noted = data.with_notes(
        f"compared by their {METRICS[metric][0]} distance ({METRICS[metric][1]})"
    )
    return analyze_matrix(
        noted, D, "dissimilarity", expression, settings, advance, portable=portable
    )
