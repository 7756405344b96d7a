"""Speed of proximity LVQ, as ratios measured in one run.

The peer, proto-dist-ml, runs in an environment of its own, with an older numpy.

python benchmarks/proximity_lvq.py
"""

import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from _peers import missing, peer_python
from _record import quick, recorded
from _timing import best_time, report
from sklearn.datasets import load_digits, make_blobs

from noneuclid.kernels import Gaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import RelationalGLVQ
from noneuclid.prototypes.costs import RSLVQCost
from noneuclid.prototypes.costs.base import Membership
from noneuclid.prototypes.geometries.combinations import SimilarityGeometry


def problem(n, m_per_class=10, seed=0):
    X, y = make_blobs(n, centers=2, n_features=10, cluster_std=6.0, random_state=seed)
    S = Gaussian(width=10.0)(X)
    labels = np.repeat([0, 1], m_per_class)
    G = np.random.default_rng(seed).random((2 * m_per_class, n)) * (y == labels[:, None])
    return S, y, labels, G / G.sum(axis=1, keepdims=True)


def fast_epoch(S, y, labels, G, rate=0.05, sigma2=0.1):
    """Coefficients after one epoch, and a function that runs one more."""
    geometry = SimilarityGeometry(S)
    theta = geometry.state(G)
    code, order = RSLVQCost(sigma2=sigma2).code(len(G)), np.arange(len(y))
    who, step = Membership(y, labels), np.full(len(y), rate)

    def run():
        geometry.riesz_epoch(theta, who, order, step, code)

    run()
    return theta.G.copy(), run


def literal_epoch(S, y, labels, G, rate=0.05, sigma2=0.1):
    """The published rule: distances by γ'Sγ, O(N²) per prototype and step."""
    G, n = G.copy(), len(y)
    for i in range(n):
        d = np.array([S[i, i] - 2 * S[i] @ g + g @ S @ g for g in G])
        e = np.exp(-(d - d.min()) / sigma2)
        own = labels == y[i]
        own_e = np.where(own, np.exp(-(d - d[own].min()) / sigma2), 0.0)
        a = rate * (own_e / own_e.sum() - e / e.sum())
        for j in range(len(G)):
            new = (1 - a[j]) * G[j]
            new[i] += a[j]
            new = np.maximum(new, 0)
            if new.sum() > 0:
                G[j] = new / new.sum()
    return G


def matrix_epoch(S, y, labels, G, rate=0.05, sigma2=0.1):
    """The same with all prototypes in one matrix product per step."""
    G, n = G.copy(), len(y)
    for i in range(n):
        d = S[i, i] - 2 * G @ S[i] + np.einsum("jk,kl,jl->j", G, S, G, optimize=True)
        e = np.exp(-(d - d.min()) / sigma2)
        own = labels == y[i]
        own_e = np.where(own, np.exp(-(d - d[own].min()) / sigma2), 0.0)
        a = rate * (own_e / own_e.sum() - e / e.sum())
        new = (1 - a)[:, None] * G
        new[:, i] += a
        new = np.maximum(new, 0)
        total = new.sum(axis=1, keepdims=True)
        G = np.where(total > 0, new / np.where(total > 0, total, 1), G)
    return G


def epochs():
    S, y, labels, G = problem(400)
    fast, run = fast_epoch(S, y, labels, G)
    ours = best_time(run, repeat=20)
    for name, epoch in (
        ("the naive rule (goal 300)", literal_epoch),
        ("its matrix form", matrix_epoch),
    ):
        start = time.perf_counter()
        slow = epoch(S, y, labels, G)
        ratio = (time.perf_counter() - start) / ours
        difference = np.abs(fast - slow).max()
        print(
            f"kernel RSLVQ epoch, N=400, m=20: {ratio:.0f} times {name}; differs {difference:.0e}"
        )
    times = {}
    for n in (1000, 2000) if quick else (1000, 2000, 4000):
        S, y, labels, G = problem(n)
        times[n] = best_time(fast_epoch(S, y, labels, G)[1], repeat=3)
        if n == 2000:
            gram_pass = best_time(lambda S=S: S.sum())
            ratio = times[n] / gram_pass
            print(f"epoch at N=2000, m=20: {ratio:.1f} passes over the Gram matrix (goal 15)")
    if not quick:
        ratio = times[4000] / times[1000]
        print(f"epoch time, N=4000 to N=1000: {ratio:.1f} times (goal below 20)")


PEER = """
import sys, time, numpy as np
from proto_dist_ml.rglvq import RGLVQ
data = np.load(sys.argv[1])
D, R, y, t = data["D"], data["R"], data["y"], data["t"]
seconds = []
for seed in range(3):
    np.random.seed(seed)
    start = time.perf_counter()
    model = RGLVQ(int(sys.argv[2])); model.fit(np.sqrt(D), y)
    seconds.append(time.perf_counter() - start)
print(min(seconds), np.mean(model.predict(np.sqrt(R)) == t))
"""


def relational():
    X, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    extra = rng.choice(len(X), 2600 - len(X), replace=False)
    X = np.vstack([X, X[extra] + rng.normal(scale=1.0, size=(len(extra), 64))]) / 16
    y = np.r_[y, y[extra]]
    order = rng.permutation(len(X))
    train, test = order[:2000], order[2000:]
    D, R = squared_euclidean(X[train], X[train]), squared_euclidean(X[test], X[train])
    peer = rglvq(D, R, y[train], y[test]) if peer_python("proto-dist-ml") else None
    for name, params in (
        ("identity", {}),
        ("steep sigmoid", {"transfer": "sigmoid", "slope": "auto"}),
    ):
        model = RelationalGLVQ(metric="precomputed", n_prototypes=2, random_state=0, **params)
        seconds = best_time(lambda model=model: model.fit(D, y[train]), repeat=3)
        accuracy = model.score(R, y[test])
        what = f"RelationalGLVQ ({name}), N=2000"
        if peer is None:
            print(f"{what}: {seconds:.2f} s, accuracy {accuracy:.3f}; {missing('proto-dist-ml')}")
            continue
        reached = f"accuracy {accuracy:.3f}; {peer[1]:.3f}"
        report(what, seconds, peer[0], against="proto-dist-ml RGLVQ", goal="1", quality=reached)


def rglvq(D, R, y, t):
    """Seconds and accuracy of the peer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, D=D, R=R, y=y, t=t)
        command = [peer_python("proto-dist-ml"), "-W", "ignore", "-c", PEER, str(path), "2"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return tuple(map(float, output.split()))


if __name__ == "__main__":
    with recorded(__file__):
        epochs()
        relational()
