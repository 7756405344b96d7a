"""Settings in which every estimator is held to the contract, and what they are excused from.

A class that is not named here is tested as it comes, with no exception. An exception belongs to one
exact setting and says why; it is strict, so that one that is no longer needed is an error.
"""

from dataclasses import dataclass, field
from typing import Any

from sklearn.linear_model import Ridge

from noneuclid.kernels import Gaussian, SpikeTrainKernel
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA
from noneuclid.prototypes import GLVQ, RSLVQ, KernelGLVQ
from noneuclid.spaces import KernelMetric, Lp


@dataclass(frozen=True)
class Setting:
    """Parameters of an estimator, and scikit-learn's checks that do not fit it: {check: why}."""

    params: dict[str, Any] = field(default_factory=dict)
    excused: dict[str, str] = field(default_factory=dict)


STEPS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "it starts at class-wise k-means and moves sample by sample: a repeated sample makes two "
        "steps, a weighted one a longer one"
    )
}
GROUND = {
    "check_class_weight_classifiers": (
        "prototypes cannot leave the data, and the nearest one decides: however heavy one class, "
        "samples beside a prototype of another stay there"
    )
}
STARTED = {
    "check_sample_weight_equivalence_on_dense_data": (
        "it starts at clusters of the samples that have a weight: a repeated sample counts twice "
        "there, a heavy one once"
    )
}
EQUAL_OBJECTS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "prototypes never share an object, but of a repeated one they may have both copies"
    )
}
_ROWS = "it gives rows of numbers where a matrix of pairs is asked for"
PAIRS = {"check_positive_only_tag_during_fit": _ROWS}
CLUSTERED_PAIRS = PAIRS | {"check_clustering": _ROWS}
CLASSIFIED_PAIRS = PAIRS | {
    "check_classifiers_one_label_sample_weights": _ROWS,
    "check_fit2d_1sample": "one object is refused for its one class, which is named",
}
NO_LABEL = {"check_classifiers_classes": "it names a class -1, which means no label here"}
_NO_FEATURES = "trains have any number of events: there are no features to count"
_OWN_WORDS = "refused, in words about trains"
TRAINS = {
    "check_n_features_in": _NO_FEATURES,
    "check_n_features_in_after_fitting": _NO_FEATURES,
    "check_transformer_general": _NO_FEATURES,
    "check_estimators_empty_data_messages": "trains without events are legal; " + _OWN_WORDS,
    "check_complex_data": _OWN_WORDS,
    "check_dtype_object": _OWN_WORDS,
    "check_fit2d_1sample": _OWN_WORDS,
    "check_fit2d_predict1d": _OWN_WORDS,
}

# scikit-learn gives distances to whatever takes a matrix of pairs: so dissimilarities are said.
_GIVEN = {"proximity": "dissimilarity"}
# Its check of clusterings asks for three blobs themselves: so many prototypes, or units, give them.
_THREE = {"n_prototypes": 3, "max_epochs": 20}
_ROW_OF_THREE = {"shape": (1, 3), "max_epochs": 20}
_TORUS = {"shape": (2, 2), "topology": "hex", "toroidal": True, "solver": "online"}

# Few samples, of which every check holds out enough for this share of errors.
_HELD_OUT = {"alpha": 0.4, "calibration": 0.5, "random_state": 0}

SETTINGS: dict[str, list[Setting]] = {
    "ConformalClassifier": [
        Setting(_HELD_OUT),
        Setting({**_HELD_OUT, "estimator": RSLVQ(), "class_conditional": True}),
    ],
    "ConformalRegressor": [Setting(_HELD_OUT)],
    "FuzzyLabelledNeuralGas": [
        Setting({"n_prototypes": 20, "max_epochs": 15, "random_state": 0}, NO_LABEL)
    ],
    "FuzzyLabelledProximityNeuralGas": [
        Setting(
            {"n_prototypes": 20, "max_epochs": 15, "random_state": 0, "metric": "rbf"}, NO_LABEL
        ),
        Setting({"n_prototypes": 5, "max_epochs": 15, **_GIVEN}, PAIRS | NO_LABEL),
    ],
    "FuzzyLabelledProximitySOM": [
        Setting({"shape": (4, 4), "max_epochs": 15, **_GIVEN, "metric": "sqeuclidean"}, NO_LABEL)
    ],
    "FuzzyLabelledSOM": [Setting({"shape": (4, 4), "max_epochs": 15}, NO_LABEL)],
    "GLVQ": [Setting(), Setting({"solver": "sgd", "space": "l1"}, STEPS | GROUND)],
    "GMLVQ": [Setting(), Setting({"kernel": True})],
    "GeneralizedKernelPCA": [
        Setting(),
        Setting({"objective": "l2"}),
        Setting({"n_landmarks": 15}),
    ],
    "GeneralizedPCA": [Setting(), Setting({"objective": "skeleton", "deflation": "joint"})],
    "GeometrySearch": [
        Setting(
            {
                "estimators": GLVQ(random_state=0),
                "geometries": ["l2", "l1"],
                "cv": 2,
                "inner_cv": 2,
                "random_state": 0,
            }
        )
    ],
    "HebbianPCA": [
        Setting(),
        Setting({"space": "l1", "random_state": 0}),
        Setting({"solver": "online", "tol": 1e-2, "random_state": 0}),
    ],
    "LGMLVQ": [Setting(), Setting({"per": "class", "rank": 1, "cost": "rslvq"})],
    "KernelGLVQ": [Setting({}, STEPS | GROUND), Setting({"n_landmarks": 20}, STEPS | GROUND)],
    "KernelICA": [
        Setting({"max_iter": 1}),
        Setting({"max_iter": 1, "space": "sobolev"}),
        Setting({"contrast": "qmi_cs", "max_iter": 1}),
    ],
    "KernelRSLVQ": [Setting({}, STEPS | GROUND)],
    "LVQ1": [Setting({}, GROUND)],
    "MedianLVQ": [
        Setting({"metric": "sqeuclidean"}, GROUND),
        Setting({"metric": "sqeuclidean", "cost": "rslvq"}, EQUAL_OBJECTS | GROUND),
    ],
    "MedianNeuralGas": [
        Setting({}, CLUSTERED_PAIRS),
        Setting({**_THREE, "metric": "sqeuclidean"}),
    ],
    "MedianSOM": [Setting({**_ROW_OF_THREE, "metric": "sqeuclidean"})],
    "NeuralGas": [
        Setting(),
        Setting(_THREE),
        Setting({"n_prototypes": 3, "space": "l1", "max_epochs": 3, "random_state": 0}),
    ],
    "NystroemEmbedding": [
        Setting(),
        Setting({"metric": "rbf", "landmarks": "kmeans++", "correction": "flip"}),
    ],
    "ParzenClassifier": [Setting(), Setting({"rule": "map"})],
    "PrototypeRegressor": [
        Setting({}, STARTED),
        Setting({"n_prototypes": 3, "space": "l1", "local": "linear", "random_state": 0}, STARTED),
    ],
    "ProximityLVQ": [
        Setting(_GIVEN, CLASSIFIED_PAIRS | GROUND),
        Setting({"metric": "rbf", "cost": "lvq1"}, STEPS | GROUND),
        Setting({"metric": "rbf", "gradient": "coordinates", "solver": "lbfgs"}, STEPS),
    ],
    "ProximityNeuralGas": [
        Setting(_GIVEN, CLUSTERED_PAIRS),
        Setting({**_THREE, "metric": "rbf"}),
        Setting({**_THREE, "metric": "rbf", "n_landmarks": 10}),
    ],
    "ProximityRegressor": [
        Setting(_GIVEN, PAIRS),
        Setting({"metric": "rbf", "n_prototypes": 3}, STARTED),
        Setting({"metric": "rbf", "n_landmarks": 12, "local": "linear"}, STARTED),
    ],
    "ProximitySOM": [
        Setting({"shape": (3, 3), **_GIVEN}, CLUSTERED_PAIRS),
        Setting({**_ROW_OF_THREE, **_GIVEN, "metric": "sqeuclidean"}),
    ],
    "RSLVQ": [Setting(), Setting({"space": KernelMetric(Gaussian(width=3.0))}, GROUND)],
    "RelationalGLVQ": [Setting({}, STEPS | GROUND)],
    "RelationalRSLVQ": [Setting({}, STEPS | GROUND), Setting({"n_landmarks": 20}, STEPS | GROUND)],
    "SelfOrganizingMap": [Setting(_ROW_OF_THREE), Setting({**_TORUS, "max_epochs": 20})],
    "SpectrumCorrection": [Setting(), Setting({"method": "shift"})],
    "SpikeTrainPCA": [Setting({"n_components": 1, "kernel": SpikeTrainKernel(1.0)}, TRAINS)],
    "SubspaceClassifier": [Setting(), Setting({"estimator": GeneralizedKernelPCA()})],
}

# Estimators that take no matrix, which is all that scikit-learn's checks have, and why.
NO_MATRICES = {"DistributionPCA": "a matrix is one bag of samples, and it takes many"}

# Transformers without names of their columns, and why.
NAMELESS = {"SpectrumCorrection": "its columns are those of its input: the training objects"}

# An object to pass for each parameter that takes one, and what to change in it afterwards; for a
# parameter of that name of all classes, or of one.
OBJECTS: dict[str, list[tuple[Any, dict[str, Any]]]] = {
    "space": [
        (Lp(1.5), {"p": 1}),
        (KernelMetric(Gaussian(2.0)), {"kernel": Gaussian(0.1)}),
        (KernelMetric(Gaussian(2.0)), {"kernel__width": 0.1}),
    ],
    "kernel": [(Gaussian(2.0), {"width": 0.1})],
    "metric": [(Gaussian(2.0), {"width": 0.1})],
    "estimator": [
        (GeneralizedPCA(n_components=1), {"n_components": 2}),
        (GeneralizedKernelPCA(kernel=Gaussian(2.0)), {"kernel__width": 0.1}),
    ],
    "ConformalClassifier.estimator": [
        (RSLVQ(space="l2"), {"space": "l1", "n_prototypes": 2}),
        (KernelGLVQ(kernel=Gaussian(2.0)), {"kernel__width": 0.1}),
    ],
    "ConformalRegressor.estimator": [(Ridge(), {"alpha": 10.0})],
}
