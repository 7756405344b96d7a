"""The 59 tables and figures of the sources that can be computed, one line each.

Sources. A: M. Lange, M. Biehl, T. Villmann, Non-Euclidean principal component analysis by Hebbian
learning, Neurocomputing 147 (2015). B: S. Battaglino, Generalized Principal Component Analysis
Theory, thesis, Politecnico di Torino, 2019. C: D. Hofmann, Learning vector quantization for
proximity data, thesis, Bielefeld. E: J. Principe, Information Theoretic Learning, chapter 9.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Item:
    """A table or figure: what it shows, which direction is better, what its print has wrong."""

    id: str
    title: str
    script: str
    better: str | dict = "same"
    misprints: dict = field(default_factory=dict)
    settings: tuple = ()
    no_data: str = ""

    @property
    def source(self) -> str:
        """Letter of the source."""
        return self.id[0]

    @property
    def name(self) -> str:
        """As people say it: "table 2.1"."""
        return self.id[2:].replace("-", " ")


RATES, ERRORS = "higher", "lower"
RANKS = [f"ρ {of}, {share}" for of in ("original", "pairwise") for share in ("10 %", "25 %")]
NYSTROEM = dict.fromkeys(("all", "10 %", "25 %"), ERRORS) | dict.fromkeys(RANKS, RATES)
_A = [
    ("figure-1", "Principal directions of a circle in l1, l2 and l∞", "a_toy"),
    ("figure-2", "Principal directions of an ellipse in l1", "a_toy"),
    ("figure-3", "Faces of two persons", "a_faces"),
    ("figure-4", "Eigenfaces in l2 and l1", "a_faces"),
    ("figure-5", "Faces rebuilt from two components", "a_faces"),
    ("figure-6", "The meat spectra", "a_tecator"),
    ("figure-7", "First two components of the spectra in four norms", "a_tecator"),
    ("figure-8", "What the derivative changes in the components", "a_tecator"),
    ("figure-9", "Scores of the spectra in l1", "a_tecator"),
    ("figure-10", "Scores of the spectra in the Sobolev norm", "a_tecator"),
    ("figure-11", "The matrix Ω learned for Pima, with the accuracies of §4.4", "a_pima", RATES),
    ("figure-12", "Components of Pima, Euclidean and with the kernel", "a_pima"),
    ("figure-13", "Scores of Pima, Euclidean", "a_pima"),
    ("figure-14", "Scores of Pima with the kernel", "a_pima"),
]
_B = [
    ("table-2.1", "USPS, Gaussian noise", "b_usps", RATES),
    ("table-2.2", "USPS, salt and pepper", "b_usps", RATES),
    ("table-2.3", "Yale faces with dummies", "b_yale", ERRORS),
    ("table-2.4", "MNIST, speckle", "b_mnist", ERRORS),
    ("table-2.5", "Nine UCI tables", "b_uci", RATES),
    ("table-2.6", "Winning counts over the UCI tables", "b_uci", RATES),
    ("table-2.7", "USPS, Gaussian noise, skeleton", "b_usps", RATES),
    ("table-2.8", "USPS, salt and pepper, skeleton", "b_usps", RATES),
    ("table-2.9", "Yale faces with dummies, skeleton", "b_yale", ERRORS),
    ("table-2.10", "MNIST, speckle, skeleton", "b_mnist", ERRORS),
    ("table-2.11", "Nine UCI tables, skeleton", "b_uci", RATES),
    ("table-2.12", "Winning counts, skeleton", "b_uci", RATES),
    ("table-2.13", "Letter with the best thresholds", "b_uci", RATES),
    ("figure-2.4", "Which threshold: USPS, salt and pepper", "b_usps", RATES),
    ("figure-2.5", "Which threshold: Letter", "b_uci", RATES),
    ("table-3.1", "USPS, Gaussian noise, kernel", "b_usps", RATES),
    ("table-3.2", "USPS, salt and pepper, kernel", "b_usps", RATES),
    ("table-3.3", "Yale faces with dummies, kernel", "b_yale", ERRORS),
    ("table-3.4", "MNIST, speckle, kernel", "b_mnist", ERRORS),
    ("table-3.5", "Nine UCI tables, kernel", "b_uci", RATES),
    ("table-3.6", "USPS, Gaussian noise, Gaussian-like objectives", "b_usps", RATES),
    ("table-3.7", "USPS, salt and pepper, Gaussian-like objectives", "b_usps", RATES),
    ("table-3.8", "Yale faces, Gaussian-like objectives", "b_yale", ERRORS),
    ("table-3.9", "MNIST, speckle, Gaussian-like objectives", "b_mnist", ERRORS),
    ("table-3.10", "Nine UCI tables, Gaussian-like objectives", "b_uci", RATES),
    ("table-3.11", "Winning counts, Gaussian-like objectives", "b_uci", RATES),
]
_C = [
    ("figure-4.2", "Spectra of the similarities", "c_proximities"),
    ("table-4.2", "Errors of k-NN, SVM and four LVQ", "c_proximities", ERRORS),
    ("table-5.1", "Kernel RSLVQ on landmarks, and the quick check", "c_landmarks", NYSTROEM),
    ("figure-6.1", "Prototypes of sparse training and of OMP", "c_sparse"),
    ("figure-6.2", "Exemplars of MEB and of the nearest exemplar", "c_sparse"),
    ("table-6.2", "Errors of sparse models", "c_sparse", ERRORS),
    ("table-6.3", "Exemplars per prototype", "c_sparse", ERRORS),
    ("figure-6.3", "Accuracy against sparsity", "c_sparse"),
    ("table-6.4", "Description lengths", "c_sparse", ERRORS),
    ("table-6.5", "Entropies of the assignment", "c_sparse", ERRORS),
    ("figure-6.4", "Exemplars at the extremes of the entropy", "c_sparse"),
    ("figure-6.5", "The Berlin network", "c_berlin"),
    ("figure-6.6", "Two-dimensional data and their sparse prototypes", "c_berlin"),
    ("figure-6.7", "Prototypes in the Berlin network", "c_berlin"),
    ("table-6.6", "Two illustrative examples", "c_berlin", ERRORS),
]
_E = [
    ("figure-9.3", "Jittered spike trains of two templates", "e_spikes"),
    ("figure-9.4", "Eigenvalues and eigenvectors", "e_spikes"),
    ("figure-9.5", "Principal component functions", "e_spikes"),
    ("figure-9.6", "Projections on two components", "e_spikes"),
]
# What the print has wrong, and the value meant: from its neighbours, its row or its average.
MISPRINTS = {
    "B-table-2.4": {("0.8", "tanh"): "6.58"},
    "B-table-2.11": {
        ("Car", "skeleton a=1"): "83.17",
        ("Car", "skeleton a=2"): "82.23",
        ("Car", "skeleton a=3"): "82.22",
    },
    "B-table-3.1": {("60", "l0.5"): "95.20", ("0", "l1.5"): "96.41"},
    "B-table-3.2": {("0", "l1.5"): "96.41", ("0.2", "l1.5"): "93.37"},
    "B-table-3.4": {
        ("Average", "l0.5"): "5.86",
        ("Average", "l1.5"): "5.75",
        ("Average", "l2"): "5.79",
    },
    "B-table-3.7": {("0.45", "gaussian q=4"): "67.25"},
}
# Columns that are set, not found: they are shown and not judged.
SETTINGS = {"B-table-3.5": ("width",), "C-table-6.3": ("OMP", "MEB", "training")}


def _item(source, short, title, script, better="same"):
    whole = f"{source}-{short}"
    return Item(whole, title, script, better, MISPRINTS.get(whole, {}), SETTINGS.get(whole, ()))


ITEMS = [_item(s, *rest) for s, rows in zip("ABCE", (_A, _B, _C, _E)) for rest in rows]
BY_ID = {item.id: item for item in ITEMS}
