"""Power of tests over many widths against that of one, and what many widths cost.

    python benchmarks/aggregate.py [--repetitions 300] [--only {two,pairs,sets,time}]

Shares of rejections at 5 %, with standard errors: on five alternatives for two samples and five
for two variables, with a true hypothesis before each; and between classes of data sets, of which
so few samples are drawn (n per class) that no test always rejects. "silverman" is the width for
densities, the others that of ``two_sample_test`` and ``independence_test``.
"""

import argparse
import warnings

import numpy as np
from _data import load
from _record import quick, recorded
from _timing import best_times
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

from noneuclid.information import independence_test, two_sample_test

WIDTHS = ("silverman", "median", "aggregate")
PERMUTATIONS = 199


def blobs(g, n, angle):
    """Nine narrow Gaussians on a grid, turned or not."""
    spread = np.array([[0.25, angle * 0.2], [angle * 0.2, 0.25]])
    return 2.0 * g.integers(0, 3, size=(n, 2)) + g.normal(size=(n, 2)) @ spread


def wavy(g, n, waves):
    """A uniform density with so many waves on it."""
    x = g.random((6 * n, 1))
    keep = g.random(6 * n) < 0.5 * (1 + np.sin(2 * np.pi * waves * x[:, 0]) * (waves > 0))
    return x[keep][:n]


TWO = {
    "the same": lambda g: (g.normal(size=(60, 3)), g.normal(size=(60, 3))),
    "shifted mean": lambda g: (g.normal(size=(60, 3)), g.normal([0.5, 0, 0], size=(60, 3))),
    "other variance": lambda g: (g.normal(size=(60, 3)), 1.35 * g.normal(size=(60, 3))),
    "waves": lambda g: (wavy(g, 60, 0), wavy(g, 60, 4)),
    "blobs": lambda g: (blobs(g, 250, 0), blobs(g, 250, 1)),
    "heavy tails": lambda g: (g.normal(size=(80, 2)), g.standard_t(2, size=(80, 2)) / 1.3),
}


def curve(g, f, noise, n=80):
    x = g.uniform(-1, 1, size=(n, 1))
    return x, f(x) + noise * g.normal(size=(n, 1))


def ring(g, n=80):
    t = 2 * np.pi * g.random((n, 1))
    return np.cos(t) + 0.4 * g.normal(size=(n, 1)), np.sin(t) + 0.4 * g.normal(size=(n, 1))


PAIRS = {
    "independent": lambda g: (g.normal(size=(80, 1)), g.exponential(size=(80, 1))),
    "line": lambda g: curve(g, lambda x: x, 1.6),
    "parabola": lambda g: curve(g, lambda x: x**2, 0.5),
    "ring": ring,
    "sine": lambda g: curve(g, lambda x: np.sin(3 * np.pi * x), 0.8),
    "variance": lambda g: curve(g, lambda x: np.abs(x) * g.normal(size=x.shape), 0.25),
}


def between_classes(X, y, first, second, n):
    """Samples of two classes, drawn anew each time."""
    A, B = X[y == first], X[y == second]

    def draw(g):
        return tuple(Z[g.choice(len(Z), n, replace=False)] for Z in (A, B))

    return draw


def from_npz(name, first, second, n):
    data = load(name)
    X, y = (np.concatenate([data[k] for k in data if k[0] == letter]) for letter in "Xy")
    X = X.astype(float)
    classes = np.unique(y)
    return between_classes(X.reshape(len(X), -1), y, classes[first], classes[second], n)


def data_sets():
    wine, cancer, digits = load_wine(), load_breast_cancer(), load_digits()
    scaled = (cancer.data - cancer.data.mean(axis=0)) / cancer.data.std(axis=0)
    return {
        "wine, 0 and 1 (13)": between_classes(wine.data[:, 1:12], wine.target, 0, 1, 10),
        "breast cancer (30)": between_classes(scaled, cancer.target, 0, 1, 6),
        "digits, 3 and 9 (64)": between_classes(digits.data, digits.target, 3, 9, 5),
        "digits, 1 and 8 (64)": between_classes(digits.data, digits.target, 1, 8, 5),
        "iris, 1 and 2 (4)": from_npz("iris", 1, 2, 8),
        "ionosphere (33)": from_npz("ionosphere", 0, 1, 12),
        "pima diabetes (8)": from_npz("pima_diabetes", 0, 1, 40),
        "waveform, 0 and 1 (21)": from_npz("waveform", 0, 1, 10),
        "gunpoint (150)": from_npz("ucr_gunpoint", 0, 1, 20),
        "ecg200 (96)": from_npz("ucr_ecg200", 0, 1, 12),
        "usps, 4 and 9 (256)": from_npz("usps_zip", 4, 9, 8),
    }


def powers(test, draw, repetitions):
    """Share of rejections with each width, on the same data."""
    rejected = np.empty((repetitions, len(WIDTHS)))
    for r in range(repetitions):
        g = np.random.default_rng([r, 1])
        data = draw(g)
        for w, width in enumerate(WIDTHS):
            result = test(*data, width, n_permutations=PERMUTATIONS, random_state=r)
            rejected[r, w] = result.rejected
    return rejected


def table(title, test, cases, repetitions):
    print(f"\n{title}: share of rejections (standard error), {repetitions} repetitions")
    print(f"{'':<24}" + "".join(f"{w:>18}" for w in WIDTHS) + f"{'difference':>20}")
    for name, draw in cases.items():
        rejected = powers(test, draw, repetitions)
        cells = [
            f"{m:9.3f} ({np.sqrt(m * (1 - m) / repetitions):.3f})" for m in rejected.mean(axis=0)
        ]
        gain = rejected[:, 2] - rejected[:, 1]
        error = gain.std(ddof=1) / np.sqrt(repetitions)
        line = "".join(f"{cell:>18}" for cell in cells)
        print(f"{name:<24}{line}{gain.mean():+12.3f} ({error:.3f})", flush=True)


def times():
    print("\ntime of all widths over that of one, 999 permutations, in one run")
    for n, d in ((200, 2),) if quick else ((500, 2), (500, 10), (1000, 10), (1000, 100)):
        X, Y = np.random.default_rng(0).normal(size=(2, n, d))
        one, many = best_times(
            lambda X=X, Y=Y: two_sample_test(X, Y, random_state=0),
            lambda X=X, Y=Y: two_sample_test(X, Y, "aggregate", random_state=0),
        )
        print(
            f"  n = {n} + {n}, d = {d:<4} one {1e3 * one:7.1f} ms, ten {1e3 * many:7.1f} ms, "
            f"ratio {many / one:.2f}   goal: 3",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=4 if quick else 300)
    parser.add_argument("--only", choices=("two", "pairs", "sets", "time"), help="one part")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    reps = args.repetitions
    parts = {
        "two": lambda: table("two samples", two_sample_test, TWO, reps),
        "pairs": lambda: table("two variables", independence_test, PAIRS, reps),
        "sets": lambda: table("classes of data sets", two_sample_test, data_sets(), reps),
        "time": times,
    }
    for name, part in parts.items():
        if args.only in (None, name):
            part()


if __name__ == "__main__":
    with recorded(__file__):
        main()
