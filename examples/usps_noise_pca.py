"""Digits in noise: per-class reconstruction with robust components, with standard errors.

300 training images per digit, 30 components per class, noise on training and test images, the
class of least reconstruction error. Published tables give one number per cell; here each cell is
a mean over random splits with its standard error, and each objective's difference to l2 is
tested on the same splits. Most differences are smaller than what the splits can tell apart.

Usage: ``python examples/usps_noise_pca.py [gaussian | salt | kernel] [number of seeds]``; the
folder of usps_zip.npz is named by the variable NONEUCLID_DATA.
"""

import os
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, SubspaceClassifier

# Classes are told apart long before the last digits of the components are.
warnings.filterwarnings("ignore", category=ConvergenceWarning)

OBJECTIVES = ("l2", "l1", "tanh", "sech", "tanh2")
KERNEL_OBJECTIVES = ("l2", "l1", "tanh")


def gaussian(X, level, rng):
    return X + level / 255.0 * rng.normal(size=X.shape)


def salt(X, level, rng):
    hit = rng.random(X.shape) < level
    return np.where(hit, rng.integers(0, 2, size=X.shape).astype(float), X)


def linear_model(objective):
    return GeneralizedPCA(n_components=30, objective=objective, tol=1e-4, max_iter=200)


def kernel_model(objective):
    # exp(−‖x−y‖²/σ²) with σ = 2500 on grey values 0…255
    kernel = Gaussian(width=2500 / 255 / np.sqrt(2))
    return GeneralizedKernelPCA(n_components=30, kernel=kernel, objective=objective, tol=1e-4)


TABLES = {
    "gaussian": (gaussian, (0, 50, 100), OBJECTIVES, linear_model),
    "salt": (salt, (0, 0.25, 0.5), OBJECTIVES, linear_model),
    "kernel": (gaussian, (0, 100), KERNEL_OBJECTIVES, kernel_model),
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


def main(table, n_seeds):
    noise, levels, objectives, model = TABLES[table]
    data = load()
    print(f"accuracy in %, mean ± standard error over {n_seeds} splits; in brackets: minus l2")
    print(f"{table:>9}" + "".join(f"{name:>28}" for name in objectives))
    for level in levels:
        cells = np.array(
            [accuracies(data, noise, level, objectives, model, seed) for seed in range(n_seeds)]
        )
        gains = cells - cells[:, :1]
        error, gain_error = (a.std(axis=0, ddof=1) / np.sqrt(n_seeds) for a in (cells, gains))
        rows = zip(cells.mean(axis=0), error, gains.mean(axis=0), gain_error)
        print(f"{level:>9}", end="")
        for mean, spread, gain, gain_spread in rows:
            print(f"{mean:9.2f}±{spread:.2f} ({gain:+5.2f}±{gain_spread:.2f})", end="")
        print(flush=True)


if __name__ == "__main__":
    table, n_seeds = (*sys.argv[1:], *("gaussian", "3")[len(sys.argv) - 1 :])
    main(table, int(n_seeds))
