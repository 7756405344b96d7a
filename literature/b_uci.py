"""Source B, nine UCI tables: tables 2.5, 2.6, 2.11–2.13, 3.5, 3.10, 3.11 and figure 2.5.

python literature/b_uci.py [linear] [kernel] [letter] [--reduced]
"""

import numpy as np
from _experiment import Result, cell, claim, difference, load, published, run, table
from _objectives import CURVES, GAUSSIANS, KERNEL, LINEAR, NORMS, SKELETONS, part, rate
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedShuffleSplit

FILES = {
    "Iris": "iris",
    "Balance": "balance_scale",
    "Ionosphere": "ionosphere",
    "Yeast": "yeast",
    "Phishing": "website_phishing",
    "Liver": "liver_bupa",
    "Waveform": "waveform",
    "Letter": "letter_recognition",
    "Car": "car_evaluation",
}
RANKS = {
    "vhigh": 4, "high": 3, "med": 2, "low": 1, "5more": 5, "more": 6, "big": 3, "small": 1,
}  # fmt: skip
THRESHOLDS = [1, 2, 3, 5, 10, 20, 30, 50, 90, 200, 500]
LARGE = 4000  # rows of a table whose kernel is computed once per repeat
PROTOCOL = (
    "One component per class; class of least reconstruction error; values as they are in the files "
    "(words of the cars as ranks); {folds} stratified folds, {repeats} times over. The source says "
    "neither how many folds it drew nor whether it scaled."
)


def values(name):
    """Rows and classes of a table; words become ranks."""
    data = load(FILES[name])
    X = data["X"]
    if X.dtype.kind == "U":
        X = np.array([[RANKS.get(word) or int(word) for word in row] for row in X])
    return X.astype(float), data["y"].ravel()


def parts(X, y, folds, repeats, largest):
    """Training and test rows; of a large table as many training rows as ``largest`` allows."""
    if folds == 1:
        return StratifiedShuffleSplit(repeats, test_size=0.2, random_state=0).split(X, y)
    if len(y) <= largest:
        return RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=0).split(
            X, y
        )
    test = max(len(y) // folds, 2 * len(np.unique(y)))
    split = StratifiedShuffleSplit(
        folds * repeats, train_size=largest, test_size=test, random_state=0
    )
    return split.split(X, y)


def rates(name, names, folds, repeats, width=None, largest=10**9):
    """Rates (repeat, objective) of one table: means over the folds of a repeat."""
    X, y = values(name)
    if width and len(y) > LARGE:
        folds = 1
    found = [
        [rate(n, 1, X[a], y[a], X[b], y[b], width) for n in names]
        for a, b in parts(X, y, folds, repeats, largest)
    ]
    print(f"{name} done", flush=True)
    return np.reshape(found, (repeats, folds, -1)).mean(axis=1)


def wins(means, names, ours, theirs):
    """In how many tables one objective is ahead, less those in which it is behind."""
    a, b = (means[:, names.index(name)] for name in (ours, theirs))
    return int(np.sign(np.round(a, 2) - np.round(b, 2)).sum())


def counts(found, names, rows, columns):
    """Winning counts, from the means over the repeats."""
    means = found.mean(axis=0)
    return {r: {c: cell(wins(means, names, c, r)) for c in columns} for r in rows}


def measured(setting, names, widths, folds, repeats, largest=10**9):
    """Rates (repeat, table, objective), names of the tables, and the protocol."""
    chosen = list(FILES)
    if setting == "reduced":
        folds, repeats, chosen, largest = 3, 2, ["Iris", "Car"], 300
    found = [rates(n, names, folds, repeats, widths.get(n), largest) for n in chosen]
    return np.stack(found, axis=1), chosen, PROTOCOL.format(folds=folds, repeats=repeats)


def spread(found, names, ours, theirs):
    """How far apart two objectives are beyond chance, per table."""
    clear = 0
    for k in range(found.shape[1]):
        mean, error = difference(found[:, k, names.index(ours)], found[:, k, names.index(theirs)])
        clear += abs(mean) > 2 * error
    return f"{ours} and {theirs} differ by more than two standard errors in {clear} tables"


def items(found, names, chosen, protocol, tables, winning):
    """Results of tables of rates and of winning counts."""
    seeds = list(range(len(found)))
    made = {
        item: Result(
            protocol, table(part(found, names, own), chosen, own, average="Average"), [], seeds
        )
        for item, own in tables.items()
    }
    for item, (rows, columns) in winning.items():
        text = protocol + " Tables won less tables lost, by means to two digits. "
        text += spread(found, names, columns[0], rows[-1]) + "; the rest is decided by chance."
        cells = counts(found, names, rows, columns)
        made[item] = Result(
            text, cells, [], seeds, "counts of differences that are mostly within chance"
        )
    return made


def linear(setting):
    """Components of the values themselves."""
    found, chosen, protocol = measured(setting, LINEAR, {}, folds=10, repeats=3)
    protocol += (
        " Of Balance, Phishing and Car the source must have used other classes or another coding: "
        "without its rare middle class, for example, Phishing reaches 86.7 in l2 (published 85.8)."
    )
    tables = {"B-table-2.5": NORMS + CURVES, "B-table-2.11": ["l1", *SKELETONS]}
    winning = {"B-table-2.6": (NORMS, CURVES), "B-table-2.12": (NORMS, SKELETONS)}
    return items(found, LINEAR, chosen, protocol, tables, winning)


def kernel(setting):
    """Components in the feature space, with the widths of table 3.5."""
    widths = {row: float(cells["width"] or 0) for row, cells in published("B-table-3.5").items()}
    found, chosen, protocol = measured(setting, KERNEL, widths, folds=5, repeats=3)
    protocol += " Waveform and Letter: one split of 80/20 each time."
    tables = {"B-table-3.5": NORMS, "B-table-3.10": ["l1", *GAUSSIANS]}
    winning = {"B-table-3.11": (["l1", "l2"], GAUSSIANS)}
    return items(found, KERNEL, chosen, protocol, tables, winning)


def letter(setting):
    """Where the skeleton should bend for letters."""
    names = [f"skeleton a={a}" for a in THRESHOLDS] + ["l1", "l2"]
    folds, repeats, largest = (10, 2, 10**9) if setting == "full" else (2, 2, 1000)
    found = rates("Letter", names, folds, repeats, largest=largest)
    protocol = PROTOCOL.format(folds=folds, repeats=repeats)
    cells = {name: {"rate": cell(found[:, k])} for k, name in enumerate(names)}
    columns = [found[:, names.index(f"skeleton a={a}")] for a in (30, 1)]
    mean, error = difference(*columns)
    shown = claim(
        "Large thresholds are better than small ones for letters",
        mean > 2 * error,
        f"a = 30 − a = 1: {mean:+.2f} ± {error:.2f} points",
    )
    few = {n: cells[n] for n in ("skeleton a=30", "skeleton a=90", "l1", "l2")}
    seeds = list(range(repeats))
    return {
        "B-figure-2.5": Result(protocol, cells, [shown], seeds),
        "B-table-2.13": Result(protocol, few, [], seeds),
    }


if __name__ == "__main__":
    run(linear, kernel, letter)
