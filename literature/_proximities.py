"""The similarity matrices of source C, and how they are split and corrected."""

import numpy as np
from _experiment import load
from sklearn.model_selection import StratifiedShuffleSplit

from noneuclid.proximities import SpectrumCorrection, symmetrize

FILES = {"Aural Sonar": "aural_sonar", "Protein": "protein_similarity", "Voting": "voting"}
PROTOTYPES = {"Aural Sonar": 5, "Protein": 5, "Voting": 10}  # per class, as many as the source
ABSENT = "Amazon47, Face Rec and Patrol cannot be had: their rows show the published numbers alone."
SPLITS = (
    "{k} random stratified splits of 80/20 (published: 20 folds); corrections, bandwidths and "
    "models see the training part only. "
)


def matrix(name):
    """Similarities, symmetrised, and labels."""
    data = load(FILES[name])
    return symmetrize(data["similarity"]), data["labels"].ravel()


def splits(S, y, k):
    """Random stratified splits, each with its number."""
    outer = StratifiedShuffleSplit(k, test_size=0.2, random_state=0)
    return list(enumerate(outer.split(S, y)))


def correct(S, train, test, method):
    """Corrected training matrix and test rows; the correction sees the training part only."""
    S_train, R = S[np.ix_(train, train)], S[np.ix_(test, train)]
    if method in (None, "none"):
        return S_train, R
    correction = SpectrumCorrection(method=method).fit(S_train)
    return correction.transform(S_train), correction.transform(R)
