"""Speed of the spike-train kernel and metrics, as ratios measured in one run.

The peers, elephant and PySpike, run in an environment of their own. They do fewer trains than ours,
and their time is scaled by the number of pairs.

    python benchmarks/spikes.py [--peer-trains 100]
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from _peers import missing, peer_python
from _record import quick, recorded
from _timing import best_times, report

from noneuclid.kernels import SpikeTrainKernel
from noneuclid.proximities import VictorPurpura

N, SPIKES, WIDTH = 200 if quick else 1000, 100, 0.01


def trains(n, spikes, seed=0):
    return np.sort(np.random.default_rng(seed).random((n, spikes)), axis=1)


PEER = """
import sys, time, numpy as np
X, width = np.load(sys.argv[2]), float(sys.argv[3])
if sys.argv[1] == "elephant":
    import neo, quantities as pq
    from elephant.spike_train_dissimilarity import van_rossum_distance
    T = [neo.SpikeTrain(x, units="s", t_stop=1.0) for x in X]
    run = lambda: van_rossum_distance(T, time_constant=width * pq.s)
elif sys.argv[1] == "elephant_edits":
    import neo, quantities as pq
    from elephant.spike_train_dissimilarity import victor_purpura_distance
    T = [neo.SpikeTrain(x, units="s", t_stop=1.0) for x in X]
    run = lambda: victor_purpura_distance(T, cost_factor=2.0 / width / pq.s)
else:
    import pyspike
    T = [pyspike.SpikeTrain(x, (0.0, 1.0)) for x in X]
    run = lambda: pyspike.isi_distance_matrix(T)
run()
times = []
for _ in range(3):
    start = time.perf_counter(); result = run(); times.append(time.perf_counter() - start)
compiled = ""
if sys.argv[1] == "pyspike":
    try:
        import pyspike.cython.cython_distances
        compiled = "compiled"
    except ImportError:
        compiled = "not-compiled"
np.save(sys.argv[2], np.asarray(result))
print(min(times), compiled)
"""


def peer_time(name, X):
    python = peer_python(name.partition("_")[0])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npy"
        np.save(path, X)
        command = [python, "-W", "ignore", "-c", PEER, name, str(path), str(WIDTH)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{name} failed: {done.stderr.strip().splitlines()[-1]}")
        seconds, *note = done.stdout.split()
        return float(seconds), " ".join(note), np.load(path)


def ours():
    X, longer = trains(N, SPIKES), trains(N, 2 * SPIKES)
    exponential = SpikeTrainKernel(WIDTH, smoothing="exponential")
    kernels = {s: SpikeTrainKernel(WIDTH, smoothing=s) for s in ("gaussian", "alpha")}
    once, twice, gaussian, alpha, distance = best_times(
        lambda: exponential(X),
        lambda: exponential(longer),
        lambda: kernels["gaussian"](X),
        lambda: kernels["alpha"](X),
        lambda: exponential.squared_distance(X),
        repeat=7,
    )
    print(
        f"{N} x {N} Gram matrix, {SPIKES} spikes each, width {WIDTH} s, exponential: {once:.3f} s"
    )
    print(f"  twice the spikes: {twice / once:.2f} times the time (goal at most 2.3)")
    print(f"  Gaussian: {gaussian / once:.2f} times the time (goal at most 1.5)")
    print(f"  alpha and Laplacian: {alpha / once:.2f} times the time")
    return distance


def against_peers(distance, n):
    X, pairs = trains(N, SPIKES)[:n], (N / n) ** 2
    for name, what, goal in (
        ("elephant", "van Rossum", "20 times"),
        ("pyspike", "ISI distance", "5 times"),
    ):
        seconds, note, D = peer_time(name, X)
        label, quality = f"{name} {what} {note}".strip(), "another distance"
        if name == "elephant":
            mine = SpikeTrainKernel(WIDTH, smoothing="exponential").squared_distance(X)
            quality = f"√(2τ d) differs by {np.abs(np.sqrt(2 * WIDTH * mine) - D).max():.0e}"
        what = f"distances of {N} trains"
        report(what, distance, seconds * pairs, against=label, goal=goal, quality=quality)


def edits(n):
    """Victor and Purpura's distance, of as many trains as the peer compares."""
    X, metric = trains(n, SPIKES), VictorPurpura(cost=2.0 / WIDTH)
    (mine,) = best_times(lambda: metric.between(X), repeat=5)
    seconds, _, D = peer_time("elephant_edits", X)
    report(
        f"edit distances of {n} trains",
        mine,
        seconds,
        against="elephant Victor-Purpura",
        goal="20 times",
        quality=f"differ by {np.abs(metric.between(X) - D).max():.0e}",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer-trains", type=int, default=100, help="trains the peers compare")
    args = parser.parse_args()
    distance = ours()
    if peer_python("elephant"):
        against_peers(distance, args.peer_trains)
        edits(min(args.peer_trains, 40))
    else:
        print(missing("elephant"))


if __name__ == "__main__":
    with recorded(__file__):
        main()
