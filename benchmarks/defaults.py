"""What the defaults of GLVQ over proximities are worth: the same folds with each transfer function.

python benchmarks/defaults.py            # all data sets, accuracies with standard errors
python benchmarks/defaults.py landmarks  # strings of growing number, with 50 landmarks
"""

import sys
import warnings

import numpy as np
from _data import load
from _record import quick, recorded
from scipy.spatial.distance import cdist
from sklearn.model_selection import StratifiedKFold

from noneuclid.prototypes import ProximityLVQ
from noneuclid.proximities import pairwise

warnings.simplefilter("ignore")
FOLDS, REPEATS = 10, 1 if quick else 2
SETTINGS = {
    "identity": {"transfer": "identity"},
    "auto": {"transfer": "auto"},
}
CELLS = [("riesz", 1), ("riesz", 3), ("coordinates", 1), ("coordinates", 3)]


def edit_distances(name, n):
    """A sample of sequences by the distances between them."""
    found = load(name)
    chosen = np.random.default_rng(0).permutation(len(found["labels"]))[:n]
    words = [str(found["sequences"][i]) for i in chosen]
    return pairwise(words, "levenshtein"), found["labels"][chosen]


def curves(name):
    """Curves by their mean absolute differences."""
    found = load(name)
    X = np.vstack([found["X_train"], found["X_test"]]).astype(float)
    return cdist(X, X, "cityblock"), np.concatenate([found["y_train"], found["y_test"]])


def tecator():
    """One of every pair of duplicates, by plain distances of spectra."""
    found = load("tecator")
    X, first = np.unique(found["absorbance"], axis=0, return_index=True)
    return cdist(X, X), (found["fat"][first] > 20).astype(int)


def matrix(name, kind):
    """A published matrix."""
    found = load(name)
    return found[kind], found["labels"]


SETS = {
    "aural_sonar": ("similarity", lambda: matrix("aural_sonar", "similarity")),
    "voting": ("similarity", lambda: matrix("voting", "similarity")),
    "protein_similarity": ("similarity", lambda: matrix("protein_similarity", "similarity")),
    "protein": ("dissimilarity", lambda: matrix("protein_dissimilarity", "dissimilarity")),
    "cat_cortex": ("dissimilarity", lambda: matrix("cat_cortex", "dissimilarity")),
    "balls3d": ("dissimilarity", lambda: matrix("balls3d", "dissimilarity")),
    "promoters": ("dissimilarity", lambda: edit_distances("promoter_gene_dna", 106)),
    "splice": ("dissimilarity", lambda: edit_distances("splice_dna", 500)),
    "tecator": ("dissimilarity", tecator),
    "gunpoint": ("dissimilarity", lambda: curves("ucr_gunpoint")),
    "ecg200": ("dissimilarity", lambda: curves("ucr_ecg200")),
}


def folds(y):
    """The same folds for everyone: (training, test)."""
    for seed in range(REPEATS):
        yield from StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(y, y)


def scores(P, y, proximity, gradient, n_prototypes, setting):
    """Accuracy in every fold."""
    found = []
    for seed, (train, test) in enumerate(folds(y)):
        model = ProximityLVQ(
            proximity=proximity,
            gradient=gradient,
            n_prototypes=n_prototypes,
            random_state=seed,
            **setting,
        ).fit(P[np.ix_(train, train)], y[train])
        found.append(model.score(P[np.ix_(test, train)], y[test]))
    return 100 * np.array(found)


def mean_and_error(values):
    """Over folds, as if they were independent."""
    return f"{np.mean(values):5.1f} ± {np.std(values) / np.sqrt(len(values)):.1f}"


def transfers():
    """Every data set, gradient and number of prototypes: both transfers, and their difference."""
    print(f"{FOLDS} folds × {REPEATS}; differences with the standard error over paired folds")
    gains = []
    for name, (proximity, read) in list(SETS.items())[: 1 if quick else None]:
        P, y = read()
        for gradient, k in CELLS:
            found = [scores(P, y, proximity, gradient, k, s) for s in SETTINGS.values()]
            gain = found[-1] - found[0]
            gains.append(gain.mean())
            shown = "  ".join(f"{s} {mean_and_error(v)}" for s, v in zip(SETTINGS, found))
            print(f"{name:20} {gradient:12} {k}  {shown}  gain {mean_and_error(gain)}", flush=True)
    better, worse = sum(g > 0.05 for g in gains), sum(g < -0.05 for g in gains)
    print(
        f"mean gain {mean_and_error(gains)}; better in {better}, worse in {worse} of {len(gains)}"
    )


def strings(n, seed=0, length=30):
    """Noisy copies of three words per class, four classes."""
    rng = np.random.default_rng(seed)
    words, y = rng.integers(4, size=(4, 3, length)), rng.integers(4, size=n)
    made = words[y, rng.integers(3, size=n)]
    changed = np.where(rng.random(made.shape) < 0.35, rng.integers(4, size=made.shape), made)
    kept = rng.random(made.shape) >= 0.1
    return np.array(["".join("ACGT"[c] for c in r[k]) for r, k in zip(changed, kept)]), y


def landmarks(n_landmarks=50, seeds=5):
    """Accuracy on 1,000 new strings; with all eigenvalues of the block, and without noise."""
    from noneuclid.proximities import _features

    X, y = strings(9_000)
    whole = _features.noise_share
    for name, share in (("all eigenvalues", lambda *_: 0.0), ("default", whole)):
        _features.noise_share = share
        for n in (500, 1_000, 2_000, 4_000, 8_000):
            found = []
            for seed in range(seeds):
                order = np.random.RandomState(seed).permutation(len(y))
                train, test = order[:n], order[-1_000:]
                model = ProximityLVQ(
                    metric="levenshtein",
                    proximity="dissimilarity",
                    gradient="coordinates",
                    n_prototypes=3,
                    n_landmarks=n_landmarks,
                    random_state=seed,
                    **SETTINGS["auto"],
                ).fit(list(X[train]), y[train])
                found.append(100 * model.score(list(X[test]), y[test]))
            span = f"from {min(found):.1f} to {max(found):.1f}"
            print(f"{name:16} {n:6,} strings: {mean_and_error(found)}, {span}", flush=True)
    _features.noise_share = whole


if __name__ == "__main__":
    with recorded(__file__):
        landmarks() if "landmarks" in sys.argv[1:] else transfers()
