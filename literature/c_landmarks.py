"""Source C, table 5.1: kernel RSLVQ on landmarks, with the quick check beside.

python literature/c_landmarks.py [--reduced]
"""

from itertools import pairwise

import numpy as np
from _experiment import Result, cell, claim, run
from _proximities import ABSENT, FILES, PROTOTYPES, SPLITS, correct, matrix, splits
from scipy.stats import spearmanr

from noneuclid.prototypes import KernelRSLVQ
from noneuclid.prototypes.geometries.combinations import SimilarityGeometry
from noneuclid.proximities import SpectrumCorrection

SHARES = {"10 %": 0.10, "25 %": 0.25}
WIDTH = 0.2  # of the variance within classes


def error(K, R, y, expected, k, n_landmarks, seed):
    """Test error in % of one model, on all proximities or on landmarks."""
    within = SimilarityGeometry(K).scale_within(np.unique(y, return_inverse=True)[1])
    model = KernelRSLVQ(
        kernel="precomputed",
        n_prototypes=k,
        n_landmarks=n_landmarks,
        sigma2=WIDTH * within,
        random_state=seed,
    )
    return 100 * (1 - model.fit(K, y).score(R, expected))


def approximated(K, m, rng):
    """The matrix seen through m of its columns."""
    chosen = rng.choice(len(K), m, replace=False)
    return K[:, chosen] @ np.linalg.pinv(K[np.ix_(chosen, chosen)], rcond=1e-10) @ K[chosen]


def correlations(K, m, seed, n_sets=10):
    """Mean rank correlations of rows: to the matrix, and between two sets of landmarks."""
    rng = np.random.default_rng(seed)
    near = [approximated(K, m, rng) for _ in range(n_sets)]
    rows = rng.choice(len(K), min(20, len(K)), replace=False)
    to_own = [_rank(a, K, rows) for a in near]
    between = [_rank(a, b, rows) for a, b in pairwise(near)]
    return np.array(to_own), np.array(between)


def _rank(A, B, rows):
    return np.mean([spearmanr(A[i], B[i]).statistic for i in rows])


def row(name, method, n_splits):
    """Errors and correlations of one set with one correction."""
    S, y = matrix(name)
    found = {"all": [], "10 %": [], "25 %": []}
    for seed, (train, test) in splits(S, y, n_splits):
        K, R = correct(S, train, test, method)
        for column, values in found.items():
            m = round(SHARES[column] * len(K)) if column in SHARES else None
            values.append(error(K, R, y[train], y[test], PROTOTYPES[name], m, seed))
    whole = SpectrumCorrection(method=method).fit_transform(S)
    cells = {column: cell(values) for column, values in found.items()}
    for column, share in SHARES.items():
        own, between = correlations(whole, round(share * len(S)), 0)
        cells[f"ρ original, {column}"] = cell(own)
        cells[f"ρ pairwise, {column}"] = cell(between)
    print(f"{name}, {method} done", flush=True)
    return cells


def landmarks(setting):
    """Table 5.1."""
    n_splits, sets = (10, list(FILES)) if setting == "full" else (2, ["Aural Sonar"])
    cells = {f"{n}, {c}": row(n, c, n_splits) for n in sets for c in ("clip", "flip")}
    lowest = min(r[f"ρ pairwise, {c}"]["value"] for r in cells.values() for c in SHARES)
    lost = max(r["25 %"]["value"] - r["all"]["value"] for r in cells.values())
    claims = [
        claim(
            "The rank correlation between two sets of landmarks is at least 0.5 on these sets",
            lowest >= 0.5,
            f"Lowest: {lowest:.2f}",
        ),
        claim(
            "A quarter of the objects as landmarks preserves the accuracy",
            lost <= 4,
            f"Largest loss: {lost:.1f} points (published: 2.75)",
        ),
    ]
    protocol = SPLITS.format(k=n_splits) + (
        f"One bandwidth for all (σ² of {WIDTH} of the variance within classes). Correlations of 20 "
        "rows over ten sets of landmarks, on the whole corrected matrix. " + ABSENT
    )
    return {"C-table-5.1": Result(protocol, cells, claims, list(range(n_splits)))}


if __name__ == "__main__":
    run(landmarks)
