"""Machines in one: the settings under which results must be the same, and the tests under each.

    python tests/machines.py [--only NAME,NAME] [pytest arguments]

A BLAS kernel, an instruction set or a number of threads changes the last bits of sums; the order of
tests and of hashes changes what ran before. Without pytest arguments the fast tests run under every
setting; a setting this machine does not have is told in one line. Settings that do not touch each
other are taken in one run of the tests (``together``); ``--only`` runs them one by one, to find the
one that a failure is due to.

Where qemu's user mode is installed (Debian: ``qemu-user``) a processor of another make is emulated,
so that BLAS, numpy and numba choose for themselves what they take for it. It is slow: say which
tests, ``--only emulated-Westmere tests/numerics``. Processes that tests start are not emulated.
"""

import os
import platform
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

import campaigns

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
TWO_THREADS = {"OPENBLAS_NUM_THREADS": "2", "MKL_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "2"}
DEFAULT = "the default here"
KERNELS = ("Haswell", "SkylakeX", "Zen", "Sandybridge", "Nehalem")
EMULATOR = "qemu-x86_64"
EMULATED = ("Westmere",)  # Intel's, without AVX; an emulated Haswell ended by a signal (qemu 7.2)

# Prints the BLAS kernels in use, after some work: a processor without their instructions ends it.
_PROBE = """
import numpy as np
from scipy import linalg
from threadpoolctl import threadpool_info
A = np.random.default_rng(0).normal(size=(200, 200))
linalg.eigh(A @ A.T), np.linalg.svd(A)
print(*sorted({str(pool["architecture"]) for pool in threadpool_info() if "architecture" in pool}))
"""

# Prints what numba compiles for.
_TARGET = """
import llvmlite.binding as llvm
print(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
"""


@dataclass(frozen=True)
class Setting:
    """Environment variables, pytest arguments or a processor that make one machine another."""

    environment: dict[str, str]
    arguments: tuple[str, ...] = ()
    kernel: str | None = None
    missing: str | None = field(default=None, compare=False)
    emulated: str | None = None

    @property
    def python(self) -> list[str]:
        """The command that starts Python under this setting."""
        emulator = [] if self.emulated is None else [EMULATOR, "-cpu", self.emulated]
        return [*emulator, sys.executable]

    @property
    def variables(self) -> dict[str, str]:
        """The whole environment of a process under this setting."""
        return {**os.environ, **ONE_THREAD, **self.environment}

    def compiling(self) -> "Setting":
        """Here, what numba compiles for the emulated processor, which then finds it in the cache.

        An emulated compiler takes minutes.
        """
        done = subprocess.run(
            [*self.python, "-c", _TARGET], capture_output=True, text=True, check=True
        )
        name, features = done.stdout.split()
        return Setting({"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features})

    def why_not_here(self) -> str | None:
        """Why this machine cannot run, or need not run, under the setting; None if it can."""
        if self.emulated is not None and platform.machine() not in ("x86_64", "AMD64"):
            return f"no emulation of {self.emulated} on a processor of another kind was tried"
        if self.emulated is not None and shutil.which(EMULATOR) is None:
            return f"{EMULATOR} is not installed"
        if self.kernel is None:
            return self.missing
        usual, found = _kernels({}), _kernels(self.environment)
        if found is None:
            return f"this processor has not the instructions of {self.kernel}"
        if found != self.kernel:
            return f"the BLAS here takes {found or 'no kernel by name'} for {self.kernel}"
        return DEFAULT if found == usual else None


def _kernels(environment: dict[str, str]) -> str | None:
    """BLAS kernels in use under an environment; None if the processor cannot run them."""
    variables = {**os.environ, **ONE_THREAD, **environment}
    command = [sys.executable, "-c", _PROBE]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode == -signal.SIGILL:
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.strip()


def _numpy_features() -> list[str]:
    """Instruction sets that numpy uses here beyond those it needs."""
    return list(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))


def settings(seed: int = 0) -> dict[str, Setting]:
    """All settings by name; the seed is that of the order of tests and of hashes."""
    kernels = {name: Setting({"OPENBLAS_CORETYPE": name}, kernel=name) for name in KERNELS}
    features = _numpy_features()
    return {
        **kernels,
        "numpy-baseline": Setting(
            {"NPY_DISABLE_CPU_FEATURES": " ".join(features)},
            missing=None if features else "numpy uses no instructions beyond its baseline here",
        ),
        # numba keeps what it compiled by processor name, so that the cache can be shared.
        "numba-generic": Setting({"NUMBA_CPU_NAME": "generic"}),
        "one-thread": Setting(ONE_THREAD),
        "two-threads": Setting(TWO_THREADS),
        "random-order": Setting(
            {"PYTHONHASHSEED": str(seed)}, ("--random-order", f"--random-order-seed={seed}")
        ),
        **{f"emulated-{name}": Setting({}, ("-n", "0"), emulated=name) for name in EMULATED},
    }


def together(chosen: dict[str, Setting]) -> dict[str, Setting]:
    """As few settings as hold all that this machine has: every kernel once, the others beside."""
    kernels, others = {}, {}
    for name, setting in chosen.items():
        absent = setting.why_not_here()
        if absent is None and setting.emulated is not None:
            absent = f"too slow for all tests: say --only {name} and which"
        if absent is not None and absent != DEFAULT:
            print(f"{name}: left out, {absent}", flush=True)
        elif setting.kernel is None:
            others[name] = setting
        else:
            kernels[name] = replace(setting, kernel=None)
    runs = [[item] for item in kernels.items()]
    for k, item in enumerate(others.items()):
        runs[k % len(runs)].append(item)
    return {", ".join(name for name, _ in run): _merged([s for _, s in run]) for run in runs}


def _merged(parts: list[Setting]) -> Setting:
    environment = {key: value for part in parts for key, value in part.environment.items()}
    return Setting(environment, tuple(word for part in parts for word in part.arguments))


def run_tests(name: str, setting: Setting, arguments: Sequence[str]) -> bool:
    """Run pytest under a setting and print one line, before it what failed; whether all passed."""
    absent = setting.why_not_here()
    if absent is not None:
        print(f"{name}: left out, {absent}", flush=True)
        return True
    tests = ["-m", "pytest", "-q", "--no-header", *arguments, *setting.arguments]
    if setting.emulated is not None:
        compiling = setting.compiling().variables
        subprocess.run([sys.executable, *tests], env=compiling, capture_output=True, check=False)
    variables = {**setting.variables, "NONEUCLID_SETTING": f"the fast tests, {name}"}
    done = subprocess.run(
        [*setting.python, *tests], env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(done.stdout, done.stderr, flush=True)
    told = " ".join(f"{key}={value}" for key, value in setting.environment.items())
    summary = (done.stdout.strip().splitlines() or ["nothing ran"])[-1].strip("= ")
    print(f"{name} ({told}): {summary}", flush=True)
    tried, failed = name.count(",") + 1, done.returncode != 0  # negative: by a signal
    campaigns.record("Machines", "settings under which the fast tests pass", tried, failed)
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    """Run the tests under the settings wanted; 1 if any failed."""
    chosen = settings(random.SystemRandom().randrange(2**16))
    if arguments[:1] == ["--only"]:
        names = arguments[1].split(",")
        if unknown := set(names) - chosen.keys():
            sys.exit(f"no setting is called {', '.join(sorted(unknown))}; there are {[*chosen]}")
        chosen, arguments = {name: chosen[name] for name in names}, arguments[2:]
    else:
        chosen = together(chosen)
    arguments = ["-n", "auto", "--dist", "worksteal", "-m", "not slow and not trust", *arguments]
    passed = [run_tests(name, setting, arguments) for name, setting in chosen.items()]
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
