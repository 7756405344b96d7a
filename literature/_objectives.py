"""The objectives of source B by the names of its columns, and what it does with them.

Pixels count from 0 to 255, as the noise and the widths of the kernel are given: so ``tanh`` and its
like, which bend at one grey level, are close to l1.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, SubspaceClassifier

# Classes are told apart long before the last digits of the components are.
warnings.filterwarnings("ignore", category=ConvergenceWarning)

NORMS = ["l0.5", "l1", "l1.5", "l2"]
CURVES = ["tanh", "sech", "tanh2"]
SKELETONS = [f"skeleton a={a}" for a in (1, 2, 3)]
GAUSSIANS = [f"gaussian q={q}" for q in (2, 3, 4)]
LINEAR, KERNEL = NORMS + CURVES + SKELETONS, NORMS + GAUSSIANS


def parameters(name: str) -> dict:
    """The objective and its parameter, as in "skeleton a=1"."""
    objective, *parameter = name.split()
    return {"objective": objective, **{p[0]: float(p[2:]) for p in parameter}}


def components(name: str, k: int, width: float | None = None, tol: float = 1e-3):
    """Generalised components; in the source's kernel exp(−‖x−y‖²/width²) if it has a width."""
    if width is None:
        return GeneralizedPCA(n_components=k, tol=tol, **parameters(name))
    kernel = Gaussian(width=width / np.sqrt(2))
    return GeneralizedKernelPCA(n_components=k, kernel=kernel, tol=tol, **parameters(name))


def rate(name, k, train, y, test, expected, width=None) -> float:
    """Share of test rows, in %, whose class rebuilds them best."""
    model = SubspaceClassifier(estimator=components(name, k, width)).fit(train, y)
    return 100 * model.score(test, expected)


def part(values, names, columns):
    """Columns of an array (repeat, row, objective) in the order of a published table."""
    return np.asarray(values)[:, :, [names.index(column) for column in columns]]
