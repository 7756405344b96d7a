"""Components of sparse curves, against FDApy on the same data in one run: quality and time.

Curves known on a common grid are thinned to 5 to 10 noisy points each;
both libraries find two components and scores by conditional expectation, and both are judged
here against a fit of the whole curves: the angle of the components, the correlation of the
scores, the error of the reconstructed curves relative to their standard deviation. Means of the
runs and their standard errors. Times are processor times of one thread, the best of three fits.
FDApy smooths with its own bandwidth; others from 0.1 to 0.3 change its error by less than a tenth
of it on the simulated curves.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
os.environ.update(ONE_THREAD)  # before anything reads it

import numpy as np  # noqa: E402
from _data import load  # noqa: E402
from _peers import missing, peer_python  # noqa: E402
from _record import quick, recorded  # noqa: E402
from _timing import report  # noqa: E402

from noneuclid.curves import Curves  # noqa: E402
from noneuclid.pca import FunctionalPCA  # noqa: E402

RUNS, REPEAT = (2, 1) if quick else (5, 3)

PEER = """
import sys, time, warnings, numpy as np
warnings.simplefilter("ignore")
from FDApy.representation.argvals import DenseArgvals, IrregularArgvals
from FDApy.representation.values import IrregularValues
from FDApy.representation.functional_data import IrregularFunctionalData
from FDApy.preprocessing.dim_reduction.ufpca import UFPCA
data = np.load(sys.argv[1]); t, X = data["t"], data["X"]
there = [~np.isnan(row) for row in X]
times = IrregularArgvals({k: DenseArgvals({"input_dim_0": t[s]}) for k, s in enumerate(there)})
values = IrregularValues({k: X[k, s] for k, s in enumerate(there)})
curves = IrregularFunctionalData(times, values)
seconds = []
for _ in range(int(sys.argv[3])):
    start = time.process_time()
    model = UFPCA(n_components=2, method="covariance")
    points = DenseArgvals({"input_dim_0": t})
    model.fit(curves, points=points, method_smoothing=sys.argv[4])
    scores = model.transform(curves, method="PACE", method_smoothing=sys.argv[4])
    seconds.append(time.process_time() - start)
np.savez(sys.argv[2], seconds=min(seconds), scores=np.asarray(scores),
         components=np.asarray(model.eigenfunctions.values),
         curves=np.asarray(model.inverse_transform(scores).values))
"""


def simulated(rng):
    """Two known components, on a grid of 51 points."""
    t = np.linspace(0, 1, 51)
    waves = np.sqrt(2) * np.array([np.sin(2 * np.pi * t), np.cos(2 * np.pi * t)])
    return t, t + rng.normal(size=(100, 2)) * [2.0, 1.0] @ waves, 0.25


def growth(rng):
    """Heights of 93 children, at 31 ages from 1 to 18 years."""
    data = load("berkeley_growth")
    return (data["age"] - 1.0) / 17.0, data["height"], 0.0


def weather(rng):
    """Temperatures of 35 places, every tenth day."""
    days = np.arange(0, 365, 10)
    return days / 364.0, load("canadian_weather")["temperature"][:, days], 0.0


def thinned(X, noise, rng):
    """5 to 10 points of each curve; every point of the grid is seen once at least."""
    kept = np.zeros(X.shape, dtype=bool)
    for row in kept:
        row[rng.choice(len(row), rng.integers(5, 11), replace=False)] = True
    for k in np.flatnonzero(~kept.any(axis=0)):
        kept[rng.integers(len(X)), k] = True
    return np.where(kept, X + noise * rng.normal(size=X.shape), np.nan)


def ours(t, thin):
    curves, seconds = Curves.from_array(thin, t), []
    for _ in range(REPEAT):
        start = time.process_time()
        model = FunctionalPCA(n_components=2, grid=t).fit(curves)
        scores = model.transform(curves)
        seconds.append(time.process_time() - start)
    whole = model.reconstruct(curves, t).mean
    return {"seconds": min(seconds), "scores": scores, "components": model.components_} | {
        "curves": whole
    }


def theirs(t, thin, python, smoothing):
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.npz"), Path(folder, "out.npz")
        np.savez(source, t=t, X=thin)
        command = [python, "-c", PEER, str(source), str(target), str(REPEAT), smoothing]
        subprocess.run(command, check=True, capture_output=True)
        with np.load(target) as file:
            return dict(file)


def judged(found, t, X):
    """Angles and correlations of two components, the relative error of the curves, seconds."""
    whole = FunctionalPCA(n_components=2, grid=t).fit(X)
    w, scores = np.gradient(t), whole.transform(X)
    angles = []
    for a, b in zip(found["components"], whole.components_):
        cosine = abs((a * w) @ b) / np.sqrt(((a * w) @ a) * ((b * w) @ b))
        angles.append(np.degrees(np.arccos(min(1.0, cosine))))
    correlations = [_correlation(found["scores"][:, k], scores[:, k]) for k in (0, 1)]
    error = np.sqrt(np.mean((found["curves"] - X) ** 2)) / (X - X.mean(axis=0)).std()
    return [*angles, *correlations, error, found["seconds"]]


def _correlation(a, b):
    """Scores that are all the same, of a component without variance, tell nothing."""
    return abs(np.corrcoef(a, b)[0, 1]) if np.ptp(a) > 0 else 0.0


def main():
    python = peer_python("FDApy")
    if not python:
        print(missing("FDApy"))
    head = "angle 1  angle 2   score 1  score 2   error   seconds"
    print(f"{'':<34}{head}   (means of {RUNS} runs ± standard errors)")
    for make in (simulated,) if quick else (simulated, growth, weather):
        results = {"noneuclid": [], "FDApy, local polynomials": [], "FDApy, P-splines": []}
        for seed in range(RUNS):
            rng = np.random.default_rng(seed)
            t, X, noise = make(rng)
            thin = thinned(X, noise, rng)
            results["noneuclid"].append(judged(ours(t, thin), t, X))
            if python:
                for name, smoothing in zip(list(results)[1:], ("LP", "PS")):
                    results[name].append(judged(theirs(t, thin, python, smoothing), t, X))
        show(make.__name__, {name: np.array(rows) for name, rows in results.items() if rows})


def show(data, results):
    """Every library's line, then the ratios of the times with the errors of the curves beside."""
    for name, rows in results.items():
        mean, error = rows.mean(axis=0), rows.std(axis=0) / np.sqrt(RUNS - 1)
        shown = [f"{m:.3g}±{e:.2g}" for m, e in zip(mean, error)]
        print(f"{data:<10}{name:<24}" + "  ".join(shown), flush=True)
    mine = results.pop("noneuclid").mean(axis=0)
    for name, rows in results.items():
        *_, error, seconds = rows.mean(axis=0)
        reached = f"relative error {mine[-2]:.3f}; {error:.3f}"
        report("FunctionalPCA", mine[-1], seconds, on=data, against=name, quality=reached)


if __name__ == "__main__":
    with recorded(__file__):
        main()
