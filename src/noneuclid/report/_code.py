"""Python code that gives the numbers of a report again."""

import re
from typing import Any

from noneuclid.report.comparison import Comparison, Score, Settings


def expression(estimator: Any) -> str:
    """The call that makes an estimator, without its defaults."""
    text = re.sub(r"\s+", " ", estimator.__repr__(N_CHAR_MAX=10_000))
    return text.replace("( ", "(").replace(" )", ")")


def names_in(text: str, known: dict[str, str]) -> list[str]:
    """Import lines of the known names that occur in a text."""
    wanted: dict[str, list[str]] = {}
    for name, module in known.items():
        if re.search(rf"\b{name}\(", text):
            wanted.setdefault(module, []).append(name)
    return [f"from {module} import {', '.join(sorted(n))}" for module, n in sorted(wanted.items())]


KNOWN = {
    "GridSearchCV": "sklearn.model_selection",
    "RepeatedStratifiedKFold": "sklearn.model_selection",
    "StratifiedKFold": "sklearn.model_selection",
    "cross_val_score": "sklearn.model_selection",
    "StandardScaler": "sklearn.preprocessing",
    "RobustScaler": "sklearn.preprocessing",
    "Pipeline": "sklearn.pipeline",
    "read_dataset": "noneuclid.datasets",
    "make_families": "noneuclid.datasets",
    "make_spectra": "noneuclid.datasets",
    "make_contaminated": "noneuclid.datasets",
    "make_indefinite": "noneuclid.datasets",
    "make_spike_trains": "noneuclid.datasets",
    "ProximityLVQ": "noneuclid.prototypes",
    "GLVQ": "noneuclid.prototypes",
    "GMLVQ": "noneuclid.prototypes",
    "RSLVQ": "noneuclid.prototypes",
    "exemplars": "noneuclid.prototypes",
    "ProximityNeuralGas": "noneuclid.prototypes",
    "NeuralGas": "noneuclid.prototypes",
    "GeneralizedPCA": "noneuclid.pca",
    "HebbianPCA": "noneuclid.pca",
    "pairwise": "noneuclid.proximities",
    "signature": "noneuclid.proximities",
    "to_similarity": "noneuclid.proximities",
    "to_dissimilarity": "noneuclid.proximities",
    "SpikeTrainPCA": "noneuclid.spikes",
    "SpikeTrainKernel": "noneuclid.kernels",
    "select_width": "noneuclid.spikes",
    "Euclidean": "noneuclid.spaces",
    "Lp": "noneuclid.spaces",
    "Sobolev": "noneuclid.spaces",
    "LeeVerleysen": "noneuclid.spaces",
    "cdist": "rapidfuzz.process",
}


def program(lines: list[str]) -> str:
    """The lines with the imports they need."""
    body = "\n".join(lines)
    return "\n".join([*names_in(body, KNOWN), "", body, ""])


def cross_validation(score: Score, found: Comparison, settings: Settings) -> list[str]:
    """Lines that repeat the nested cross-validation of one candidate on ``X``."""
    folds = len(found.splits) // settings.repeats
    return [
        f"model = {score.candidate.code or expression(score.candidate.estimator)}",
        f"choices = {score.candidate.grid!r}",
        f"inner = StratifiedKFold({found.inner.n_splits}, shuffle=True, "
        f"random_state={settings.random_state})",
        f"outer = RepeatedStratifiedKFold(n_splits={folds}, n_repeats={settings.repeats}, "
        f"random_state={settings.random_state})",
        "search = GridSearchCV(model, choices, cv=inner)",
        "scores = cross_val_score(search, X, data.labels, cv=outer)",
        'print(f"accuracy {100 * scores.mean():.1f} ± {100 * scores.std():.1f} %")',
    ]
