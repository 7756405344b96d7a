"""Pima diabetes with a metric learned inside a kernel, beside the published figures.

Published, of one run each: GLVQ 75.1 %, and 78.3 % with Ω learned inside the distance of the kernel
κ_Ω(x, w) = exp(−‖Ω(x − w)‖²). Here every learner is the one that comes with the package, one
prototype per class, over standardised features, in ten stratified folds, five times over. The
standard error is that of the mean over these five. Nothing is tuned on the test part.

    python benchmarks/published_matrix.py
"""

import numpy as np
from _data import load
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid.prototypes import GLVQ, GMLVQ, GRLVQ, LGMLVQ, RSLVQ, MatrixRSLVQ

REPETITIONS = 5
LEARNERS = {
    "GLVQ (published 75.1)": GLVQ(),
    "GMLVQ(kernel=True) (published 78.3)": GMLVQ(kernel=True),
    "the same, steps sample by sample": GMLVQ(kernel=True, solver="sgd"),
    "the same, until it comes to rest": GMLVQ(kernel=True, max_epochs=100, tol=1e-6),
    "GMLVQ": GMLVQ(),
    "GRLVQ": GRLVQ(),
    "LGMLVQ": LGMLVQ(),
    "RSLVQ": RSLVQ(),
    'RSLVQ(sigma2="learn")': RSLVQ(sigma2="learn"),
    "MatrixRSLVQ": MatrixRSLVQ(),
}


def main():
    data = load("pima_diabetes")
    X, y = data["X"].astype(float), data["y"]
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=REPETITIONS, random_state=0)
    for what, model in LEARNERS.items():
        learner = make_pipeline(StandardScaler(), model.set_params(random_state=0))
        runs = cross_val_score(learner, X, y, cv=folds).reshape(REPETITIONS, -1).mean(axis=1)
        error = runs.std(ddof=1) / np.sqrt(REPETITIONS)
        print(f"{what:<40} {100 * runs.mean():.2f} ± {100 * error:.2f} %", flush=True)


if __name__ == "__main__":
    main()
