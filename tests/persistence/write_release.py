"""Write one model file of every kind, and what each says, to be loaded by later releases.

    python tests/persistence/write_release.py FOLDER

It needs the package only, not the tests, so that it also runs in a checkout of an older release:
set PYTHONPATH to its ``src``. Keep one folder per release, ``release_<version>``; a class that is
new since the last release needs a line in ``MODELS``, which ``test_releases.py`` asks for.
"""

import contextlib
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np

import noneuclid
from noneuclid.kernels import CrossInformationPotential, Gaussian, SpikeTrainKernel
from noneuclid.spaces import Hilbert, KernelMetric, Lp, Sobolev
from noneuclid.spikes import jittered_templates

RNG = np.random.default_rng(0)
LABELS = np.arange(18) % 3
ROWS = RNG.normal(size=(18, 4)) + 2.0 * np.eye(3, 4)[LABELS]
X, Y, NEW = ROWS[:12], LABELS[:12], ROWS[12:]
TRAINS = jittered_templates(18, random_state=0).trains
WORDS = ["cat", "cart", "bat", "bart", "dog", "dot", "dig", "fog", "tree", "three", "free", "thee"]
NEW_WORDS = ["cut", "fig", "bee", "tee", "bar", "dodge"]
GRAM = np.diag([1.0, 2.0, 3.0, 4.0]) + 0.1


def apart(A, B):
    return ((A[:, None, :] - B) ** 2).sum(axis=2)


VECTORS = (X, Y, NEW)
SIMILAR = (X @ X.T, Y, NEW @ X.T)
UNLIKE = (apart(X, X), Y, apart(NEW, X))
SPIKES = (TRAINS[:12], Y, TRAINS[12:])
LETTERS = (WORDS, np.repeat(np.arange(3), 4), NEW_WORDS)

FEW = {"max_epochs": 2, "random_state": 0}
DISTANCES = {"proximity": "dissimilarity", **FEW}
HELD_OUT = {"alpha": 0.5, "calibration": 0.5, "random_state": 0}
MODELS = {
    "BanachKernelPCA": [({"kernel": Gaussian(2.0)}, VECTORS)],
    "ConformalClassifier": [(HELD_OUT, VECTORS)],
    "ConformalRegressor": [(HELD_OUT, VECTORS)],
    "DistributionPCA": [({"kernel": CrossInformationPotential(0.05)}, SPIKES)],
    "FunctionalPCA": [({"basis": "monomial"}, VECTORS)],
    "FuzzyLabelledNeuralGas": [({"n_prototypes": 4, **FEW}, VECTORS)],
    "FuzzyLabelledProximityNeuralGas": [({"n_prototypes": 4, **DISTANCES}, UNLIKE)],
    "FuzzyLabelledProximitySOM": [({"shape": (2, 2), "metric": Gaussian(2.0), **FEW}, VECTORS)],
    "FuzzyLabelledSOM": [({"shape": (2, 2), **FEW}, VECTORS)],
    "GLVQ": [
        (FEW, VECTORS),
        ({"space": Sobolev(), **FEW}, VECTORS),
        ({"space": Lp(1.5), **FEW}, VECTORS),
    ],
    "GMLVQ": [({"random_state": 0}, VECTORS)],
    "GeneralizedKernelPCA": [
        ({"kernel": Gaussian(2.0)}, VECTORS),
        ({"n_landmarks": 6, "random_state": 0}, VECTORS),
    ],
    "GeneralizedPCA": [({"n_components": 2}, VECTORS)],
    "GRLVQ": [(FEW, VECTORS)],
    "GeometrySearch": [
        ({"geometries": ["l2", "l1"], "cv": 2, "inner_cv": 2, "random_state": 0}, VECTORS)
    ],
    "HebbianPCA": [({"n_components": 2, "space": Hilbert(GRAM), "random_state": 0}, VECTORS)],
    "KernelGLVQ": [(FEW, VECTORS), ({"n_landmarks": 6, **FEW}, VECTORS)],
    "KernelHebbianPCA": [({"kernel": Gaussian(2.0), "random_state": 0}, VECTORS)],
    "KernelICA": [({"max_iter": 1}, VECTORS)],
    "KernelRSLVQ": [(FEW, VECTORS)],
    "LVQ1": [(FEW, VECTORS)],
    "LVQ21": [(FEW, VECTORS)],
    "LGMLVQ": [(FEW, VECTORS)],
    "MatrixRSLVQ": [(FEW, VECTORS)],
    "MedianLVQ": [({"metric": "levenshtein", **FEW}, LETTERS)],
    "MedianNeuralGas": [({"n_prototypes": 3, **FEW}, UNLIKE)],
    "MedianSOM": [({"shape": (2, 2), "metric": "levenshtein", **FEW}, LETTERS)],
    "NeuralGas": [({"n_prototypes": 3, **FEW}, VECTORS)],
    "NystroemEmbedding": [({"metric": "rbf", "n_landmarks": 5, "random_state": 0}, VECTORS)],
    "ParzenClassifier": [({}, VECTORS)],
    "PrototypeRegressor": [({"n_prototypes": 3, **FEW}, (X, X[:, 0], NEW))],
    "ProximityLVQ": [
        (FEW, SIMILAR),
        ({"correction": "clip", **DISTANCES}, UNLIKE),
        ({"metric": "levenshtein", **DISTANCES}, LETTERS),
        ({"metric": Gaussian(2.0), "cost": "rslvq", **FEW}, VECTORS),
        ({"n_landmarks": 5, **FEW}, SIMILAR),
    ],
    "ProximityNeuralGas": [({"n_prototypes": 3, **DISTANCES}, UNLIKE)],
    "ProximityRegressor": [({"n_prototypes": 3, **DISTANCES}, (UNLIKE[0], X[:, 0], UNLIKE[2]))],
    "ProximitySOM": [({"shape": (2, 2), **DISTANCES}, UNLIKE)],
    "PseudoEuclideanEmbedding": [({"proximity": "dissimilarity"}, UNLIKE)],
    "RSLVQ": [(FEW, VECTORS), ({"space": KernelMetric(Gaussian(2.0)), **FEW}, VECTORS)],
    "RelationalGLVQ": [(FEW, UNLIKE), ({"metric": "levenshtein", **FEW}, LETTERS)],
    "RelationalRSLVQ": [(FEW, UNLIKE)],
    "SelfOrganizingMap": [({"shape": (2, 2), **FEW}, VECTORS)],
    "SpectrumCorrection": [({"method": "clip"}, SIMILAR)],
    "SpikeTrainPCA": [({"n_components": 1, "kernel": SpikeTrainKernel(0.05)}, SPIKES)],
    "SubspaceClassifier": [({}, VECTORS)],
    "VectorLVQ": [(FEW, VECTORS)],
}
METHODS = ("predict", "predict_proba", "decision_function", "transform")


def cases():
    """(name, parameters, training data, labels, new data) of all that this release has."""
    for name, settings in MODELS.items():
        for k, (params, data) in enumerate(settings):
            if hasattr(noneuclid, name):
                yield name, k, params, data


def said(model, new):
    """All that a model says about new data; a matrix may not suffice for distances."""
    found = {}
    for name in METHODS:
        with contextlib.suppress(AttributeError, ValueError):
            found[name] = np.asarray(getattr(model, name)(new))
    return found


def pack(model, path):
    """Save a model, and compress the file: a repository keeps it for ever."""
    noneuclid.save(model, path)
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")  # so few epochs do not converge
    expected = {}
    for name, k, params, (points, labels, new) in cases():
        model = getattr(noneuclid, name)(**params).fit(points, labels)
        pack(model, folder / f"{name}_{k}.skops")
        expected |= {f"{name}_{k} {method}": v for method, v in said(model, new).items()}
    np.savez_compressed(folder / "expected.npz", **expected)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
