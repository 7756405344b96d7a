"""Digits in noise: per-class reconstruction with robust components, with standard errors.

300 training images per digit, 30 components per class, noise on training and test images, the
class of least reconstruction error. Published tables give one number per cell; here each cell is
a mean over random splits with its standard error, and each objective's difference to l2 is
tested on the same splits. Most differences are smaller than what the splits can tell apart.

Usage: ``python examples/usps_noise_pca.py [gaussian | salt | kernel-gaussian | kernel-salt] [number
of splits]``; the folder of usps_zip.npz is named by the variable NONEUCLID_DATA.
"""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy import stats
from sklearn.exceptions import ConvergenceWarning

from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, SubspaceClassifier

# Classes are told apart long before the last digits of the components are.
warnings.filterwarnings("ignore", category=ConvergenceWarning)

SKELETONS = tuple(f"skeleton a={a}" for a in (1, 2, 3))
OBJECTIVES = ("l2", "l0.5", "l1", "l1.5", "tanh", "sech", "tanh2", *SKELETONS)
KERNEL_OBJECTIVES = ("l2", "l0.5", "l1", "l1.5", *(f"gaussian q={q}" for q in (2, 3, 4)))
SIGMAS, SHARES = (0, 20, 40, 60, 80, 100), (0, 0.1, 0.2, 0.3, 0.4, 0.5)


def gaussian(X, level, rng):
    return X + level / 255.0 * rng.normal(size=X.shape)


def salt(X, level, rng):
    hit = rng.random(X.shape) < level
    return np.where(hit, rng.integers(0, 2, size=X.shape).astype(float), X)


def parameters(name):
    """The name of an objective and its parameter, as in "skeleton a=1"."""
    objective, *parameter = name.split()
    return {"objective": objective, **{p[0]: float(p[2:]) for p in parameter}}


def linear_model(name):
    return GeneralizedPCA(n_components=30, tol=1e-4, max_iter=200, **parameters(name))


def kernel_model(name):
    # exp(−‖x−y‖²/σ²) with σ = 2500 on grey values 0…255
    kernel = Gaussian(width=2500 / 255 / np.sqrt(2))
    return GeneralizedKernelPCA(n_components=30, kernel=kernel, tol=1e-4, **parameters(name))


TABLES = {
    "gaussian": (gaussian, SIGMAS, OBJECTIVES, linear_model),
    "salt": (salt, SHARES, OBJECTIVES, linear_model),
    "kernel-gaussian": (gaussian, SIGMAS, KERNEL_OBJECTIVES, kernel_model),
    "kernel-salt": (salt, SHARES, KERNEL_OBJECTIVES, kernel_model),
}


def load():
    default = Path(__file__).parents[2] / "shared" / "data"
    path = Path(os.environ.get("NONEUCLID_DATA", default)) / "usps_zip.npz"
    if not path.is_file():
        sys.exit(f"{path} is not there: name its folder in NONEUCLID_DATA")
    with np.load(path, allow_pickle=False) as data:
        images = [(data[name].astype(float) + 1) / 2 for name in ("X_train", "X_test")]
        labels = [data[name].ravel().astype(int) for name in ("y_train", "y_test")]
    return *images, *labels


def accuracies(data, noise, level, objectives, model, seed):
    """Test accuracy in percent per objective, all on one split and one draw of the noise."""
    train, test, y, expected = data
    rng = np.random.default_rng(seed)
    picks = [rng.choice(np.flatnonzero(y == digit), 300, replace=False) for digit in range(10)]
    rows = np.concatenate(picks)
    noisy, noisy_test = noise(train[rows], level, rng), noise(test, level, rng)
    reached = []
    for objective in objectives:
        classifier = SubspaceClassifier(estimator=model(objective)).fit(noisy, y[rows])
        reached.append(100 * classifier.score(noisy_test, expected))
    return reached


def print_table(table, levels, objectives, cells):
    """Rows are objectives, columns noise levels; cells has axes (seed, level, objective)."""
    n_seeds = len(cells)
    gains = cells - cells[:, :, :1]
    error, gain_error = (a.std(axis=0, ddof=1) / np.sqrt(n_seeds) for a in (cells, gains))
    clear = np.abs(gains.mean(axis=0)) > stats.t.ppf(0.975, n_seeds - 1) * gain_error
    print(f"{table}: accuracy in %, mean over {n_seeds} splits; l2 ± its standard error, others")
    print("with (difference to l2 ± its standard error), * where a paired t-test at 5 % sees it")
    print(f"{'':>12}" + "".join(f"{level:>21}" for level in levels))
    for j, objective in enumerate(objectives):
        print(f"{objective:>12}", end="")
        for i in range(len(levels)):
            text = f"{cells[:, i, j].mean():.2f} "
            if j == 0:
                text += f"±{error[i, j]:.2f} "
            else:
                mark = "*" if clear[i, j] else " "
                text += f"({gains[:, i, j].mean():+.2f}±{gain_error[i, j]:.2f}){mark}"
            print(f"{text:>21}", end="")
        print()


def main(table, n_seeds):
    noise, levels, objectives, model = TABLES[table]
    data, cells = load(), []
    for seed in range(n_seeds):
        one = [accuracies(data, noise, level, objectives, model, seed) for level in levels]
        cells.append(one)
        print(f"{table}: {seed + 1} of {n_seeds} splits done", file=sys.stderr, flush=True)
    print_table(table, levels, objectives, np.array(cells))


if __name__ == "__main__":
    table, n_seeds = (*sys.argv[1:], *("gaussian", "3")[len(sys.argv) - 1 :])
    if table not in TABLES or not n_seeds.isdigit() or int(n_seeds) < 2:
        sys.exit(f"give one of {', '.join(TABLES)} and a number of splits, at least 2")
    main(table, int(n_seeds))
