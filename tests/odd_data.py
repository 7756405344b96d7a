"""Odd data, made from ordinary ones: whatever people really pass to ``fit`` and ``predict``.

An :class:`Odd` changes an ordinary problem and says what may come of it. ``"same"``: the answers
are those to the ordinary data. ``"scaled"``: so are the predicted labels, or the data are refused.
``"same labels"``: it learns, and they are. ``"fits"``: it learns as from the same numbers in
double precision. ``"refused"``: one sentence. ``"missing"``: that, unless the learner takes missing
values. ``"ends"``: it learns or refuses. All that is said must be finite.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.kernels import Polynomial, SemiInnerProduct
from noneuclid.pca import GeneralizedKernelPCA
from noneuclid.spaces import KernelMetric, Sobolev


@dataclass(frozen=True)
class Problem:
    """Training objects, their labels, and new objects."""

    X: Any
    y: Any
    new: Any


@dataclass(frozen=True)
class Odd:
    """What is odd, the change that makes it so, and what may come of it."""

    name: str
    change: Callable[[Problem], Problem]
    must: str = "ends"
    where: str = "fit"  # or "new": the training data are ordinary ones
    needs_y: bool = False  # makes no sense for learners without labels
    rows_only: bool = False  # makes no sense for matrices of pairs
    long: bool = False  # takes seconds: not in `make test`


def both(change: Callable[[Any], Any]) -> Callable[[Problem], Problem]:
    """Change training and new objects alike."""
    return lambda p: Problem(change(p.X), p.y, change(p.new))


def training(change: Callable[[Any], Any]) -> Callable[[Problem], Problem]:
    return lambda p: replace(p, X=change(p.X))


def new(change: Callable[[Any], Any]) -> Callable[[Problem], Problem]:
    return lambda p: replace(p, new=change(p.new))


def labels(change: Callable[[Any], Any]) -> Callable[[Problem], Problem]:
    return lambda p: replace(p, y=change(p.y))


def with_entry(value: Any, dtype: Any = float) -> Callable[[Any], Any]:
    """One entry is this."""

    def changed(X: Any) -> Any:
        X = np.array(X, dtype=dtype)
        X[1, 1] = value
        return X

    return changed


def with_columns(value: float, which: Any) -> Callable[[Any], Any]:
    """Some columns are constant."""

    def changed(X: Any) -> Any:
        X = X.copy()
        X[:, which] = value
        return X

    return changed


def few(rows: Any) -> Callable[[Problem], Problem]:
    """Only some training objects; of a matrix of pairs, their columns."""

    def changed(p: Problem) -> Problem:
        index = np.asarray(rows, dtype=int)
        if p.X.shape[0] == p.X.shape[1]:
            return Problem(p.X[np.ix_(index, index)], p.y[index], p.new[:, index])
        return Problem(p.X[index], p.y[index], p.new)

    return changed


def masked(X: Any) -> Any:
    mask = np.zeros(X.shape, dtype=bool)
    mask[1, 1] = True
    return np.ma.MaskedArray(X, mask)


def memory_mapped(X: Any) -> Any:
    """A read-only view of a file."""
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".npy") as file:
        np.save(file, X)
        file.flush()
        return np.load(file.name, mmap_mode="r")


def read_only(X: Any) -> Any:
    X = X.copy()
    X.flags.writeable = False
    return X


def strided(X: Any) -> Any:
    """Every second column of a larger array, read backwards."""
    wide = np.repeat(X, 2, axis=1)[::-1]
    return wide[::-1, ::2]


def table(kind: str) -> Callable[[Any], Any]:
    """A pandas table."""

    def made(X: Any) -> Any:
        import pandas

        frame = pandas.DataFrame(X, columns=[f"c{k}" for k in range(np.shape(X)[1])])
        if kind in ("nullable", "nullable with gaps"):
            frame = frame.astype("Float64")
        if kind == "nullable with gaps":
            frame.iloc[1, 1] = pandas.NA
        if kind == "categorical":
            frame["c0"] = pandas.Categorical(["a", "b"] * (len(X) // 2) + ["a"] * (len(X) % 2))
        if kind == "words":
            frame["c0"] = "word"
        if kind == "times":
            frame["c0"] = pandas.Timestamp("2020-01-01")
        if kind == "two of a name":
            frame.columns = ["c", "c", *frame.columns[2:]]
        return frame

    return made


def polars_table(X: Any) -> Any:
    import polars

    return polars.DataFrame(X, schema=[f"c{k}" for k in range(np.shape(X)[1])])


def wide(p: Problem) -> Problem:
    """Ten rows of a hundred thousand features."""
    rng = np.random.default_rng(3)
    y = np.arange(10) % 2
    X = rng.normal(size=(10, 100_000)) + 0.1 * y[:, None]
    return Problem(X, y, X[:4] + 0.01)


def scaled(factor: float) -> Callable[[Problem], Problem]:
    return both(lambda X: X * factor)


# Powers of two: all roundings are those of the ordinary data, so the answers are, too.
POWERS = {"1e300": 996, "1e160": 531, "1e100": 332, "1e60": 199, "1e30": 100}
SCALES = {**POWERS, **{name.replace("e", "e-"): -power for name, power in POWERS.items()}}

ODDS = [
    *(
        Odd(f"scale {name}", scaled(2.0**power), "scaled" if abs(power) > 100 else "same labels")
        for name, power in SCALES.items()
    ),
    Odd("one huge column", both(lambda X: X * np.r_[2.0**531, np.ones(X.shape[1] - 1)])),
    Odd("one tiny column", both(lambda X: X * np.r_[2.0**-531, np.ones(X.shape[1] - 1)])),
    Odd("one huge value", training(with_entry(1e300))),
    Odd("one large value", training(with_entry(1e30))),
    Odd("far from zero", both(lambda X: X + 1e8)),
    Odd("lost in rounding", both(lambda X: X + 1e20)),
    Odd("constant column", both(with_columns(0.1, 0))),
    Odd("all columns but one constant", both(with_columns(0.1, slice(1, None)))),
    Odd("zero column", both(with_columns(0.0, 0))),
    Odd("all zero", both(np.zeros_like)),
    Odd("all rows equal", both(lambda X: np.tile(X[:1], (len(X), 1)))),
    Odd("all values equal", both(lambda X: np.full_like(X, 0.1))),
    Odd("all values equal and huge", both(lambda X: np.full_like(X, 1e200))),
    Odd("duplicates", training(lambda X: np.repeat(X[: len(X) // 4], 4, axis=0)), rows_only=True),
    Odd("equal columns", both(lambda X: np.repeat(X[:, :1], X.shape[1], axis=1)), rows_only=True),
    Odd("one class", labels(np.zeros_like), needs_y=True),
    Odd("one sample per class", few([0, 1, 2]), needs_y=True),
    Odd("a class of one", labels(lambda y: np.r_[7, y[1:]]), needs_y=True),
    Odd("two samples", few([0, 1])),
    Odd("one sample", few([0])),
    Odd("no sample", few([])),
    Odd("one feature", both(lambda X: X[:, :1]), rows_only=True),
    Odd("no feature", both(lambda X: X[:, :0]), "refused"),
    Odd("many features", wide, rows_only=True, long=True),
    Odd("float16", both(lambda X: X.astype(np.float16)), "fits"),
    Odd("float32", both(lambda X: X.astype(np.float32)), "fits"),
    Odd("longdouble", both(lambda X: X.astype(np.longdouble)), "same"),
    Odd("integers", both(lambda X: np.round(10 * X).astype(np.int32)), "fits"),
    Odd("bytes", both(lambda X: np.clip(np.round(10 * X), 0, 255).astype(np.uint8)), "fits"),
    Odd("truth values", both(lambda X: X > 0)),
    Odd("complex", both(lambda X: X + 1j), "refused"),
    Odd("objects that are numbers", both(lambda X: X.astype(object)), "same"),
    Odd("objects that are none", both(with_entry("x", object)), "refused"),
    Odd("an integer beyond all floats", both(with_entry(10**400, object)), "refused"),
    Odd("None inside", both(with_entry(None, object)), "missing"),
    Odd("text of numbers", both(lambda X: X.astype(str)), "same"),
    Odd("words", both(lambda X: np.full(X.shape, "word")), "refused"),
    Odd("times", both(lambda X: np.full(X.shape, np.datetime64("2020-01-01"))), "refused"),
    Odd("lists", both(lambda X: X.tolist()), "same"),
    Odd("Fortran order", both(np.asfortranarray), "same"),
    Odd("read-only", both(read_only), "same"),
    Odd("memory-mapped", both(memory_mapped), "same"),
    Odd("strided", both(strided), "same"),
    Odd("big-endian", both(lambda X: X.astype(">f8")), "same"),
    Odd("matrix", both(lambda X: X.view(np.matrix))),
    Odd("masked", both(masked), "missing"),
    Odd("masked without a mask", both(np.ma.MaskedArray), "same"),
    Odd("sparse rows", both(sparse.csr_matrix), "refused"),
    Odd("sparse array", both(sparse.coo_array), "refused"),
    Odd("pandas", both(table("plain")), "same"),
    Odd("pandas, nullable", both(table("nullable")), "same"),
    Odd("pandas, with gaps", both(table("nullable with gaps")), "missing"),
    Odd("pandas, categorical", both(table("categorical")), "refused"),
    Odd("pandas, words", both(table("words")), "refused"),
    Odd("pandas, times", both(table("times"))),
    Odd("pandas, two of a name", both(table("two of a name"))),
    Odd("polars", both(polars_table), "same"),
    Odd("NaN", both(with_entry(np.nan)), "missing"),
    Odd("infinity", both(with_entry(np.inf)), "refused"),
    Odd("a row of NaN", training(lambda X: np.vstack([X[:-1], np.full_like(X[:1], np.nan)]))),
    Odd("one-dimensional", training(lambda X: X[:, 0]), "refused"),
    Odd("three-dimensional", training(lambda X: X[:, :, None]), "refused"),
    Odd("a number", training(lambda X: 1.0), "refused"),
    Odd("nothing", training(lambda X: None), "refused"),
    Odd("ragged", training(lambda X: [row[: 2 + i % 2] for i, row in enumerate(X.tolist())])),
    Odd("labels with None", labels(lambda y: [None, *y[1:].tolist()]), needs_y=True),
    Odd("labels with NaN", labels(lambda y: np.r_[np.nan, y[1:]]), needs_y=True),
    Odd("labels of infinity", labels(lambda y: np.r_[np.inf, y[1:]]), "refused", needs_y=True),
    Odd("labels of two types", labels(lambda y: ["a", *y[1:].tolist()]), needs_y=True),
    Odd("labels that are fractions", labels(lambda y: y + 0.5), "refused", needs_y=True),
    Odd("labels that are words", labels(lambda y: np.array(list("abc"))[y]), "fits", needs_y=True),
    Odd("labels that are truth values", labels(lambda y: y > 0), "fits", needs_y=True),
    Odd("huge labels", labels(lambda y: y * 2**61), "fits", needs_y=True),
    Odd("labels in a column", labels(lambda y: y[:, None]), needs_y=True),
    Odd(
        "masked labels",
        labels(lambda y: np.ma.MaskedArray(y, np.arange(len(y)) == 1)),
        needs_y=True,
    ),
    Odd("too few labels", labels(lambda y: y[:-1]), "refused", needs_y=True),
    Odd("no labels", labels(lambda y: None), "refused", needs_y=True),
    Odd("labels in three dimensions", labels(lambda y: y[:, None, None]), "refused", needs_y=True),
    Odd("new rows of 1e300", new(lambda X: X * 2.0**996), where="new"),
    Odd("new rows of 1e160", new(lambda X: X * 2.0**531), where="new"),
    Odd("new rows of 1e30", new(lambda X: X * 2.0**100), where="new"),
    Odd("new rows of 1e-300", new(lambda X: X * 2.0**-996), where="new"),
    Odd("new rows all zero", new(np.zeros_like), where="new"),
    Odd("a new huge value", new(with_entry(1e300)), where="new"),
    Odd("new NaN", new(with_entry(np.nan)), "missing", where="new"),
    Odd("a new integer beyond all floats", new(with_entry(10**400, object)), "refused", "new"),
    Odd("new infinity", new(with_entry(np.inf)), "refused", where="new"),
    Odd("new masked", new(masked), "missing", where="new"),
    Odd("new sparse", new(sparse.csr_matrix), "refused", where="new"),
    Odd("new complex", new(lambda X: X + 1j), "refused", where="new"),
    Odd("new float32", new(lambda X: X.astype(np.float32)), "fits", where="new"),
    Odd("no new rows", new(lambda X: X[:0]), where="new"),
    Odd("new rows that are wider", new(lambda X: np.c_[X, X]), "refused", where="new"),
    Odd("new rows that are narrower", new(lambda X: X[:, :-1]), "refused", where="new"),
    Odd("one new row, one-dimensional", new(lambda X: X[0]), "refused", where="new"),
    Odd("new three-dimensional", new(lambda X: X[:, :, None]), "refused", where="new"),
    Odd("new words", new(lambda X: np.full(X.shape, "word")), "refused", where="new"),
    Odd("nothing new", new(lambda X: None), "refused", where="new"),
]

# What is expected of those who predict numbers instead of labels.
FOR_NUMBERS = {
    "one class": "refused",
    "labels that are fractions": "fits",
    "labels that are words": "refused",
    "labels of two types": "refused",
    "labels with None": "refused",
    "labels with NaN": "refused",
}

# Settings beside those of the contract: products, powers and solvers that square other numbers.
MORE: dict[str, list[dict[str, Any]]] = {
    "BanachKernelPCA": [{"kernel": SemiInnerProduct("l1.5")}],
    "FunctionalPCA": [{"basis": "fourier", "n_basis": 3, "smoothing": 0.1}],
    "GLVQ": [{"space": "l1"}, {"space": Sobolev()}, {"solver": "sgd"}],
    "GeneralizedKernelPCA": [{"kernel": "linear"}, {"kernel": Polynomial()}],
    "GeneralizedPCA": [{"objective": "l2"}, {"n_components": 1, "random_state": 0}],
    "HebbianPCA": [{"space": "l3", "random_state": 0}],
    "KernelGLVQ": [{"kernel": "linear"}, {"kernel": Polynomial()}, {"kernel": "laplacian"}],
    "KernelHebbianPCA": [{"kernel": "linear"}],
    "KernelRSLVQ": [{"kernel": "linear"}],
    "MedianLVQ": [{"metric": "cosine"}, {"metric": "correlation"}, {"metric": "canberra"}],
    "NeuralGas": [{"solver": "online"}, {"space": Sobolev()}],
    "NystroemEmbedding": [{"metric": "linear", "n_landmarks": 5}],
    "ParzenClassifier": [{"width": "median"}, {"width": "loo"}],
    "ProximityLVQ": [
        {},
        {"metric": "linear"},
        {"metric": "euclidean", "proximity": "dissimilarity"},
        {"metric": "seuclidean", "proximity": "dissimilarity"},
        {"metric": "mahalanobis", "proximity": "dissimilarity"},
        {"proximity": "dissimilarity", "correction": "flip"},
    ],
    "PrototypeRegressor": [{"space": Sobolev(), "local": "linear"}, {"n_prototypes": 1}],
    "ProximityNeuralGas": [{"metric": "braycurtis", "proximity": "dissimilarity"}],
    "PseudoEuclideanEmbedding": [{"proximity": "dissimilarity"}],
    "SpectrumCorrection": [{"method": "square"}],
    "SpikeTrainPCA": [{}],
    "SubspaceClassifier": [{"estimator": GeneralizedKernelPCA(kernel="linear")}],
    "VectorLVQ": [{"cost": "cross_entropy"}, {"space": KernelMetric(Polynomial())}],
}
