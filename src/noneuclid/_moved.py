"""Model files of earlier releases: where their types are now.

0.1.0.dev0 had two arrangements of the package under one number; what is said of "before" is the
first of them.
"""

# Where classes were before, and where they are.
_MOVES = (
    ("pca._bases", "curves.bases", ("Fourier", "Monomial", "Splines")),
    (
        "prototypes.cells",
        "prototypes.classifiers.proximity",
        ("KernelGLVQ", "KernelRSLVQ", "RelationalGLVQ", "RelationalRSLVQ"),
    ),
    ("prototypes.gmlvq", "prototypes.classifiers.gmlvq", ("GMLVQ",)),
    ("prototypes.kohonen", "prototypes.classifiers.heuristics", ("LVQ1", "LVQ21")),
    ("prototypes.classifiers.vectors", "prototypes.classifiers.heuristics", ("LVQ1", "LVQ21")),
    ("prototypes.median", "prototypes.classifiers.median", ("MedianLVQ",)),
    ("prototypes.proximity", "prototypes.classifiers.proximity", ("ProximityLVQ",)),
    ("prototypes.vector_lvq", "prototypes.classifiers.vectors", ("GLVQ", "RSLVQ")),
    (
        "prototypes.quantization.fuzzy",
        "prototypes.quantizers.fuzzy",
        ("FuzzyLabelledNeuralGas", "FuzzyLabelledSOM"),
    ),
    ("prototypes.quantization.grids", "prototypes.costs.grids", ("Grid",)),
    ("prototypes.quantization.neural_gas", "prototypes.quantizers.vectors", ("NeuralGas",)),
    (
        "prototypes.quantization.proximity",
        "prototypes.quantizers.proximity",
        ("ProximityNeuralGas", "ProximitySOM"),
    ),
    ("prototypes.quantization.som", "prototypes.quantizers.vectors", ("SelfOrganizingMap",)),
    ("prototypes.costs", "prototypes.costs.glvq", ("GLVQCost",)),
    ("prototypes.costs", "prototypes.costs.kohonen", ("LVQ1Cost", "LVQ21Cost")),
    ("prototypes.costs", "prototypes.costs.rslvq", ("RSLVQCost",)),
)
# Classes that are gone; what their objects had becomes part of relations.
_GONE = (
    "prototypes._landmark_features.LandmarkFeatures",
    "prototypes._source.ProximitySource",
    "proximities.landmarks.ProximityFunction",
)
MOVED = {
    f"noneuclid.{old}.{name}": f"noneuclid.{new}.{name}"
    for old, new, names in _MOVES
    for name in names
} | {f"noneuclid.{old}": "noneuclid._upgrades.Kept" for old in _GONE}
