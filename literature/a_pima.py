"""Source A, figures 11 to 14 and §4.4: Pima diabetes with a metric learned inside a kernel.

python literature/a_pima.py [--reduced]
"""

import numpy as np
from _experiment import Result, cell, claim, difference, drawn, load, run
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noneuclid.kernels import MatrixGaussian
from noneuclid.pca import HebbianPCA, KernelHebbianPCA
from noneuclid.prototypes import GLVQ, GMLVQ

PUBLISHED_ROWS = {
    "GLVQ, Euclidean": GLVQ(random_state=0),
    "GLVQ, kernel with learned Ω": GMLVQ(kernel=True, random_state=0),
    "the same, steps sample by sample": GMLVQ(kernel=True, solver="sgd", random_state=0),
    "the same, until it comes to rest": GMLVQ(
        kernel=True, max_epochs=100, tol=1e-6, random_state=0
    ),
}


def accuracies(model, X, y, repeats):
    """Mean accuracy in % of ten folds, once per repeat."""
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=0)
    learner = make_pipeline(StandardScaler(), model)
    return 100 * cross_val_score(learner, X, y, cv=folds).reshape(repeats, -1).mean(axis=1)


def separated(fit, X, y, repeats):
    """Accuracy in % of a linear discriminant on two scores that never saw the test part."""
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=0)
    found = []
    for train, test in folds.split(X, y):
        scaler = StandardScaler().fit(X[train])
        a, b = scaler.transform(X[train]), scaler.transform(X[test])
        model = fit(a, y[train])
        line = LinearDiscriminantAnalysis().fit(model.transform(a), y[train])
        found.append(100 * line.score(model.transform(b), y[test]))
    return np.reshape(found, (repeats, -1)).mean(axis=1)


def euclidean(X, y):
    """Two Euclidean components."""
    return HebbianPCA(n_components=2, random_state=0).fit(X)


def learned(X, y):
    """The matrix Ω of the classifier."""
    return GMLVQ(kernel=True, random_state=0).fit(X, y).omega_


def kernelised(X, y):
    """Two components in the kernel with Ω learned on the same training part."""
    kernel = MatrixGaussian(omega=learned(X, y))
    return KernelHebbianPCA(kernel=kernel, n_components=2, random_state=0).fit(X)


def figures(setting):
    """§4.4 with its four figures."""
    data = load("pima_diabetes")
    X, y, names = data["X"].astype(float), data["y"].ravel(), data["feature_names"]
    repeats = 5 if setting == "full" else 1
    if setting == "reduced":
        X, y = X[:300], y[:300]
    rates = {n: accuracies(m, X, y, repeats) for n, m in PUBLISHED_ROWS.items()}
    whole = StandardScaler().fit_transform(X)
    omega = learned(whole, y)
    relevance = np.diag(omega.T @ omega) / np.trace(omega.T @ omega)
    plain = np.abs(euclidean(whole, y).components_)
    scores = {"Euclidean": separated(euclidean, X, y, repeats)}
    scores["kernel with Ω"] = separated(kernelised, X, y, repeats)
    gain = difference(scores["kernel with Ω"], scores["Euclidean"]) if repeats > 1 else (0.0, 0.0)
    top = [str(names[i]) for i in np.argsort(-relevance)[:3]]
    said = f"kernel − Euclidean: {gain[0]:+.2f} ± {gain[1]:.2f} points"
    seeds = list(range(repeats))
    diabetes = {"diabetes": (y == np.unique(y)[-1]).astype(int).tolist()}
    clouds = {
        name: diabetes | {name: drawn(fit(whole, y).transform(whole).T, 3)}
        for name, fit in (("Euclidean", euclidean), ("kernel with Ω", kernelised))
    }
    rated = f"Accuracy in %, one prototype per class, standardised, ten folds {repeats} times over."
    projected = (
        f"Accuracy in % of a linear discriminant on two scores, ten folds {repeats} times over; "
        "scaling, components and Ω see the training part only. The figure has no numbers."
    )
    return {
        "A-figure-11": Result(
            rated + " Published: one run each.",
            {n: {"accuracy": cell(v)} for n, v in rates.items()},
            [],
            seeds,
            series={"variables": [str(name) for name in names], "Ω'Ω": drawn(omega.T @ omega)},
        ),
        "A-figure-12": Result(
            "Share of each variable in Ω'Ω (its diagonal), and its weight in the two Euclidean "
            "components.",
            {
                str(name): {
                    "Ω'Ω": cell(relevance[i]),
                    "first": cell(plain[0, i]),
                    "second": cell(plain[1, i]),
                }
                for i, name in enumerate(names)
            },
            not_comparable=f"the figure has no numbers (here {', '.join(top)} weigh most in Ω)",
        ),
        "A-figure-13": Result(
            projected,
            {"Euclidean": {"accuracy": cell(scores["Euclidean"])}},
            [],
            seeds,
            not_comparable="the figure is a cloud of points without numbers",
            series=clouds["Euclidean"],
        ),
        "A-figure-14": Result(
            projected,
            {"kernel with Ω": {"accuracy": cell(scores["kernel with Ω"])}},
            [
                claim(
                    "The classes are slightly better separable than in the Euclidean projection",
                    gain[0] > 2 * gain[1],
                    said,
                )
            ],
            seeds,
            series=clouds["kernel with Ω"],
        ),
    }


if __name__ == "__main__":
    run(figures)
