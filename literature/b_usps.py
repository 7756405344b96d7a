"""Source B, USPS digits in noise: tables 2.1, 2.2, 2.7, 2.8, 3.1, 3.2, 3.6, 3.7 and figure 2.4.

python literature/b_usps.py [linear] [kernel] [thresholds] [--reduced]
"""

import numpy as np
from _experiment import Result, claim, difference, load, run, table
from _objectives import CURVES, GAUSSIANS, KERNEL, LINEAR, NORMS, SKELETONS, part, rate

SIGMAS = list(range(0, 101, 10))
SHARES = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
WIDTH = 2500.0
THRESHOLDS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000]
PROTOCOL = (
    "{k} draws of {train} training and {test} test images per digit from the 9,298 of the zip code "
    "set (published: first 300 and last 800 of another selection of 1,100 per digit); the same "
    "noise on training and test images, values not cut off; 30 components per digit; class of "
    "least reconstruction error; iterations to a change of 1e-3."
)

OTHER = "the digits are another selection of the same source, which is not to be had as it was"


def gaussian(X, level, rng):
    """Normal noise, its deviation in grey levels."""
    return X + level * rng.normal(size=X.shape)


def salt(X, level, rng):
    """A share of the pixels turned black or white."""
    hit = rng.random(X.shape) < level
    return np.where(hit, 255.0 * rng.integers(0, 2, size=X.shape), X)


def draw(seed, n_train, n_test):
    """Training and test images with their digits, equally many of each."""
    data = load("usps_zip")
    X = np.vstack([data["X_train"], data["X_test"]]).astype(float)
    y = np.r_[data["y_train"].ravel(), data["y_test"].ravel()].astype(int)
    rng = np.random.default_rng(seed)
    picks = np.array(
        [rng.permutation(np.flatnonzero(y == d))[: n_train + n_test] for d in range(10)]
    )
    train, test = picks[:, :n_train].ravel(), picks[:, n_train:].ravel()
    return 127.5 * (X[train] + 1), y[train], 127.5 * (X[test] + 1), y[test], rng


def rates(seed, noise, levels, names, width, sizes):
    """Rates (level, objective) of one draw; every objective sees the same noise."""
    train, y, test, expected, rng = draw(seed, *sizes)
    found = []
    for level in levels:
        a, b = noise(train, level, rng), noise(test, level, rng)
        found.append([rate(name, 30, a, y, b, expected, width) for name in names])
        print(f"USPS {noise.__name__} {level}: draw {seed} done", flush=True)
    return found


def measured(setting, noise, levels, names, width, repeats, sizes=(300, 400)):
    """Rates (draw, level, objective), and the protocol in words."""
    sizes = sizes if setting == "full" else (60, 20)
    if setting == "reduced":
        repeats, levels = 2, levels[:: len(levels) - 1]
    found = [rates(seed, noise, levels, names, width, sizes) for seed in range(repeats)]
    return np.array(found), levels, PROTOCOL.format(k=repeats, train=sizes[0], test=sizes[1])


def gain_of(found, names, better, worse, level=-1):
    """Whether one objective beats another by two standard errors, and the sentence that says it."""
    pair = (found[:, level, names.index(name)] for name in (better, worse))
    mean, error = difference(*pair)
    return mean > 2 * error, f"{better} − {worse}: {mean:+.2f} ± {error:.2f} points"


def items(setting, noise, levels, names, columns, width=None, repeats=3, sizes=(300, 400)):
    """Results of the tables that one noise fills: item -> its columns."""
    found, levels, protocol = measured(setting, noise, levels, names, width, repeats, sizes)
    made = {}
    for item, (own, better, worse) in columns.items():
        cells = table(part(found, names, own), levels, own, average="Average")
        text = f"In the strongest noise {better} is ahead of {worse}"
        claims = [claim(text, *gain_of(found, names, better, worse))]
        made[item] = Result(protocol, cells, claims, list(range(len(found))), OTHER)
    return made


def linear(setting):
    """Components of the pixels."""
    wide = NORMS + CURVES
    return {
        **items(
            setting,
            gaussian,
            SIGMAS,
            LINEAR,
            {
                "B-table-2.1": (wide, "sech", "l2"),
                "B-table-2.7": (["sech", *SKELETONS], "skeleton a=1", "l2"),
            },
        ),
        **items(
            setting,
            salt,
            SHARES,
            LINEAR,
            {
                "B-table-2.2": (wide, "sech", "l2"),
                "B-table-2.8": (["sech", *SKELETONS], "skeleton a=1", "l2"),
            },
        ),
    }


def kernel(setting):
    """Components in the feature space of the Gaussian kernel."""
    gaussian_tables = {
        "B-table-3.1": (NORMS, "l1", "l2"),
        "B-table-3.6": (["l2", *GAUSSIANS], "gaussian q=3", "l2"),
    }
    salt_tables = {
        "B-table-3.2": (NORMS, "l0.5", "l2"),
        "B-table-3.7": (["l2", *GAUSSIANS], "gaussian q=3", "l2"),
    }
    small = (150, 200)  # a kernel costs the cube of the images
    return {
        **items(setting, gaussian, SIGMAS, KERNEL, gaussian_tables, WIDTH, 2, small),
        **items(setting, salt, SHARES, KERNEL, salt_tables, WIDTH, 2, small),
    }


def thresholds(setting):
    """Where the skeleton should bend."""
    names = [f"skeleton a={a}" for a in THRESHOLDS] + ["l1", "l2"]
    levels = [0.1, 0.3, 0.5]
    found, _, protocol = measured(setting, salt, levels, names, None, 2, (150, 200))
    means = found.mean(axis=1, keepdims=True)
    cells = dict(zip(names, _transposed(means, names)))
    best = names[int(means.mean(axis=(0, 1)).argmax())]
    small, large = means[:, 0, 0], means[:, 0, len(THRESHOLDS) - 1]
    gain, error = difference(small, large)
    claims = [
        claim(
            "Small thresholds are better than large ones in salt and pepper",
            gain > 2 * error,
            f"a = 1 − a = {THRESHOLDS[-1]}: {gain:+.2f} ± {error:.2f} points; best: {best}",
        )
    ]
    protocol += " Means over the shares 0.1, 0.3 and 0.5."
    return {"B-figure-2.4": Result(protocol, cells, claims, list(range(len(found))))}


def _transposed(means, names):
    return [{"rate": table(means, ["all"], names)["all"][name]} for name in names]


if __name__ == "__main__":
    run(linear, kernel, thresholds)
