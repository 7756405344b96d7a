"""Speed and power of information-theoretic estimates and tests, as ratios measured in one run.

    python benchmarks/information.py [--cpu] [--only PART]

``--cpu`` compares the processor time of all threads instead of the time on the wall, which means
little on a machine that is busy with other things.

The peers run in environments of their own. What is not installed, or fails there, is skipped with
the reason. Peers with many permutations do fewer of them, and their time is given per permutation.
"""

import argparse
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from _peers import missing, peer_python
from _record import quick, recorded
from _timing import report
from numba import get_num_threads

from noneuclid.information import (
    KernelICA,
    f_correlation,
    independence_test,
    information_potential,
    two_sample_test,
)
from noneuclid.numerics._exp import exp_block

N, D, WIDTH = 2_000 if quick else 20_000, 3, 0.5
TEST_N, TEST_D, PERMUTATIONS = 200 if quick else 1000, 10, 200

PEERS = {
    "pykeops": """
import os
from pykeops.numpy import Vi, Vj
x = np.ascontiguousarray(X / (2 * width))
def run():
    K = (-((Vi(x) - Vj(x)) ** 2).sum(-1)).exp()
    return K.sum(1).sum() / len(X) ** 2 / (4 * np.pi * width ** 2) ** (X.shape[1] / 2)
""",
    "hyppo": """
from hyppo.ksample import MMD
half = len(X) // 2
gamma = 1 / (2 * width ** 2)
def run():
    np.random.seed(0)
    test = MMD(compute_kernel="rbf", gamma=gamma).test
    return test(X[:half], X[half:], reps=reps, workers=1, auto=False)[1]
""",
    "alibi-detect": """
import torch
from alibi_detect.cd import MMDDrift
from alibi_detect.utils.pytorch import GaussianRBF
half = len(X) // 2
x = X.astype(np.float32)
def run():
    cd = MMDDrift(x[:half], backend="pytorch", n_permutations=reps, device="cpu",
                  kernel=GaussianRBF(torch.tensor([width])), configure_kernel_from_x_ref=False)
    return cd.predict(x[half:])["data"]["p_val"]
""",
}

MAIN = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
X, width = np.load(sys.argv[1]), float(sys.argv[2])
reps, repeat = int(sys.argv[3]), int(sys.argv[4])
clock = time.process_time if sys.argv[5] == "cpu" else time.perf_counter
{peer}
run()
times = []
for _ in range(repeat):
    start = clock(); value = run(); times.append(clock() - start)
print(min(times), float(value))
"""

POWER = """
import sys
import warnings
warnings.simplefilter("ignore")
import numpy as np
from hyppo.ksample import MMD
data, width, reps = np.load(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
np.random.seed(0)
half = data.shape[1] // 2
gamma = 1 / (2 * width ** 2)
test = MMD(compute_kernel="rbf", gamma=gamma).test
print(*[test(z[:half], z[half:], reps=reps, workers=1, auto=False)[1] for z in data])
"""


CLOCKS = {"cpu": time.process_time, "wall": time.perf_counter}
clock = "wall"


def best_times(*functions, repeat=5):
    """Shortest time of each function; their calls alternate, so that load hits all alike."""
    now = CLOCKS[clock]
    found = [np.inf] * len(functions)
    for k in range(repeat + 1):
        for i, function in enumerate(functions):
            start = now()
            function()
            if k:  # the first call compiles
                found[i] = min(found[i], now() - start)
    return found


def run_peer(python, code, X, *arguments, timeout=900):
    """What a peer printed, or a sentence why it did not."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npy"
        np.save(path, X)
        command = [python, "-c", code, str(path), *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, str(error).splitlines()[0][:120]
        if done.returncode:
            return None, (done.stderr.strip().splitlines() or ["no message"])[-1][:120]
        return [float(x) for x in done.stdout.strip().splitlines()[-1].split()], ""


def peer_seconds(name, X, width, reps=1, repeat=3):
    python = peer_python(name)
    if not python:
        return None, None, missing(name)
    found, reason = run_peer(python, MAIN.format(peer=PEERS[name]), X, width, reps, repeat, clock)
    return (*found, "") if found else (None, None, reason)


def blocked_numpy(X, width, rows=256):
    """What one writes without compiled code: blocks, a matrix product, exp."""
    squares = (X**2).sum(axis=1)
    total = 0.0
    for start in range(0, len(X), rows):
        block = slice(start, start + rows)
        D = squares[block, None] + squares - 2.0 * (X[block] @ X.T)
        total += np.exp(D * (-1 / (4 * width**2))).sum()
    return total / len(X) ** 2 / (4 * np.pi * width**2) ** (X.shape[1] / 2)


def potential():
    X = np.random.default_rng(0).normal(size=(N, D))
    numbers = np.ones(2**13)  # stay in the cache

    def exps():
        for _ in range(5000):
            exp_block(numbers, -1e-9)  # in place; they stay near 1

    ours, limit, plain = best_times(
        lambda: information_potential(X, WIDTH),
        exps,
        lambda: blocked_numpy(X, WIDTH),
        repeat=3,
    )
    # One thread was measured; on the wall, all of them work.
    throughput = 5000 * len(numbers) / limit * (1 if clock == "cpu" else get_num_threads())
    value = information_potential(X, WIDTH)
    assert abs(value / blocked_numpy(X, WIDTH) - 1) < 1e-10
    print(f"exp throughput of this machine, same run: {throughput / 1e6:.0f} M/s")
    pairs = N * (N - 1) / 2
    print(
        f"potential of {N} samples, d={D}: {1e3 * ours:.0f} ms, {ours * throughput / pairs:.2f} "
        f"times the limit of its {pairs:.1e} exps; goal: at most 2"
    )
    report("information potential", ours, plain, against="NumPy in blocks", goal="10 times")
    seconds, theirs, reason = peer_seconds("pykeops", X, WIDTH)
    if reason:
        print(f"  pykeops skipped: {reason}")
    else:
        report(
            "information potential",
            ours,
            seconds,
            against="pykeops float64",
            goal="3 times",
            quality=f"values differ by {abs(value / theirs - 1):.0e} of them",
        )


def tests():
    X = np.random.default_rng(0).normal(size=(TEST_N, TEST_D))
    half, kernel_width = TEST_N // 2, 3.0
    width = kernel_width / np.sqrt(2)

    def ours():
        return two_sample_test(
            X[:half], X[half:], width, n_permutations=PERMUTATIONS, random_state=0
        )

    def dependence():
        return independence_test(
            X[:, :5], X[:, 5:], width, n_permutations=PERMUTATIONS, random_state=0
        )

    def line():
        return independence_test(X[:, :1], X[:, 1:2], n_permutations=PERMUTATIONS, random_state=0)

    seconds, second, third = (t / PERMUTATIONS for t in best_times(ours, dependence, line))
    print(f"\nN={TEST_N}, {PERMUTATIONS} permutations, time per permutation")
    print(f"  independence test: {1e3 * second:.3f} ms (d=5+5), {1e3 * third:.3f} ms (d=1+1)")
    for name, reps, goal in (
        ("hyppo", 20, "300 times"),
        ("alibi-detect", PERMUTATIONS, "20 times"),
    ):
        theirs, pvalue, reason = peer_seconds(name, X, kernel_width, reps)
        if reason:
            print(f"  {name} skipped: {reason}")
            continue
        what, reached = f"two-sample test, d={TEST_D}", f"p = {ours().pvalue:.2f}; {pvalue:.2f}"
        report(what, seconds, theirs / reps, against=name, goal=goal, quality=reached)


def large():
    """Dependence of many samples: exact statistics of all permutations, in seconds."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(16_000, 10))
    few, sources = X[:1000], rng.uniform(-1, 1, size=(1000, 4))
    mixed = sources @ rng.normal(size=(4, 4))
    for what, goal, repeat, call in (
        (
            "independence, 1000, d=5+5, 200 permutations",
            0.1,
            5,
            lambda: independence_test(few[:, :5], few[:, 5:], n_permutations=200, random_state=0),
        ),
        (
            "independence, 16000, d=5+5, 999 permutations",
            5.0,
            1,
            lambda: independence_test(X[:, :5], X[:, 5:], random_state=0),
        ),
        ("F-correlation, 4000, d=1+1", 1.0, 3, lambda: f_correlation(X[:4000, :1], X[:4000, 1:2])),
        ("F-correlation, 4000, d=5+5", 1.0, 3, lambda: f_correlation(X[:4000, :5], X[:4000, 5:])),
        ("KernelICA, 1000 x 4", 1.0, 3, lambda: KernelICA().fit(mixed)),
        ("KernelICA, 24 x 4", 1.0, 3, lambda: KernelICA().fit(mixed[:24])),
    ):
        (seconds,) = best_times(call, repeat=repeat)
        print(f"  {what:<48} {seconds:7.3f} s" + (f"   goal: {goal} s" if goal else ""), flush=True)


def power(repetitions):
    """Share of rejections at 5 % on Gaussians shifted by 0.5, with the same width as hyppo."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(repetitions, 80, 2))
    data[:, 40:, 0] += 0.6
    kernel_width, reps = 1.5, 199
    p = [
        two_sample_test(
            z[:40], z[40:], kernel_width / np.sqrt(2), n_permutations=reps, random_state=rng
        ).pvalue
        for z in data
    ]
    ours = np.mean(np.array(p) <= 0.05)
    print(
        f"\npower on {repetitions} pairs of Gaussians shifted by 0.6, n=40+40: ours {ours:.3f}",
        end="",
    )
    python = peer_python("hyppo")
    found, reason = (
        run_peer(python, POWER, data, kernel_width, reps) if python else (None, missing("hyppo"))
    )
    if found:
        print(f", hyppo {np.mean(np.array(found) <= 0.05):.3f}")
        print(f"  smallest p-value: ours {min(p):.4f}, hyppo {min(found):.4f}")
    else:
        print(f"; hyppo skipped: {reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--repetitions", type=int, default=10 if quick else 100, help="of the comparison of power"
    )
    parser.add_argument("--cpu", action="store_true", help="compare processor time")
    parser.add_argument("--only", choices=("potential", "tests", "large", "power"), help="one part")
    args = parser.parse_args()
    global clock
    clock = "cpu" if args.cpu else "wall"
    parts = {
        "potential": potential,
        "tests": tests,
        "large": large,
        "power": lambda: power(args.repetitions),
    }
    for name, part in parts.items():
        if args.only == name or (args.only is None and not (quick and name == "large")):
            part()


if __name__ == "__main__":
    with recorded(__file__):
        main()
