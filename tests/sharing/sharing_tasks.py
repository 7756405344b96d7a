"""What other processes are asked to do; a module of its own, so that they find it by name."""

import os

import numba
import numpy as np
from threadpoolctl import threadpool_info

import noneuclid
from noneuclid.numerics import _jit, lp_squared_distance
from noneuclid.spaces import Lp, Sobolev

ROWS = np.random.default_rng(0).normal(size=(40, 5))
LABELS = np.arange(40) % 2
SPACE = Sobolev(p=1.5)
CURVE = Sobolev()


def models():
    """Models that use compiled code, threads of it, and a shared space with a memory."""
    return [
        noneuclid.GLVQ(space=SPACE, max_epochs=2, random_state=0),
        noneuclid.NeuralGas(n_prototypes=3, space=Lp(1.5), max_epochs=2, random_state=0),
        noneuclid.HebbianPCA(n_components=1, space=CURVE, random_state=0),
        noneuclid.KernelGLVQ(max_epochs=2, random_state=0),
        noneuclid.ParzenClassifier(),
    ]


def answer(model):
    model.fit(ROWS, LABELS)
    methods = ("predict_proba", "decision_function", "transform")
    method = next(name for name in methods if hasattr(model, name))
    return np.asarray(getattr(model, method)(ROWS))


def answers(_=None):
    return [answer(model) for model in models()]


def threads(_=None):
    """How many threads compiled code and every BLAS would use here, and the process's number."""
    lp_squared_distance(ROWS, ROWS, 1.5)
    blas = [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]
    return min(_jit._share(), numba.get_num_threads()), max(blas, default=1), os.getpid()


def parallel_users():
    """Names of the estimators whose compiled code starts threads."""
    return [
        "BanachKernelPCA", "GeneralizedKernelPCA", "GMLVQ", "KernelGLVQ", "KernelHebbianPCA",
        "KernelICA", "KernelRSLVQ", "NeuralGas", "ParzenClassifier", "RSLVQ", "SpikeTrainPCA",
    ]  # fmt: skip
