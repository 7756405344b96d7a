"""Every estimator gives the same results under every BLAS kernel and instruction set."""

import importlib.util
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import campaigns
import machines
from machine_exceptions import EXCEPTIONS

RTOL = 1e-8
CATALOGUE = Path(__file__).parents[1] / "benchmarks" / "behaviour.py"
SETTINGS = campaigns.size(
    ("Sandybridge", "Nehalem"),
    tuple(name for name in machines.settings() if name not in ("one-thread", "random-order")),
)
# Nothing of a result may depend on the order of hashes, which every process draws anew.
HASHES = {"PYTHONHASHSEED": "random"}


def _behaviour():
    spec = importlib.util.spec_from_file_location("behaviour", CATALOGUE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _recorded(setting, path):
    """Everything the catalogue's cases say under a setting: case -> result -> array."""
    every = campaigns.size(40, 1)
    if setting.emulated is not None:  # a part, which is compiled here beforehand
        every = 20
        _record(setting.compiling(), path, every)
    _record(setting, path, every)
    return _behaviour().load(str(path))


def _record(setting, path, every):
    subprocess.run(
        [*setting.python, str(CATALOGUE), "record", str(path), "--every", str(every)],
        env={**setting.variables, **HASHES},
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if setting.emulated else None,  # of features it does not emulate
    )


def _exception(case, result):
    """The first exception that names a result of a case; None if there is none."""
    for exception in EXCEPTIONS:
        if re.match(exception.case, case) and re.fullmatch(exception.results, result):
            return exception
    return None


def _differences(usual, other, used):
    """One line for every result that differs; exceptions that were needed are added to used."""
    behaviour = _behaviour()
    for case in usual.keys() | other.keys():
        old, new = usual.get(case, {}), other.get(case, {})
        for result in sorted(old.keys() | new.keys()):
            pair = [{result: said[result]} if result in said else {} for said in (old, new)]
            found = list(behaviour.compare_case(*pair, RTOL))
            exception = _exception(case, result)
            if found and exception is not None:
                used.add(exception)
                loosely = behaviour.compare_case(*pair, exception.rtol or RTOL)
                found = [] if exception.rtol is None else list(loosely)
            for kind, sentence in found:
                yield f"{kind}: {case}: {sentence}"


@pytest.mark.trust
def test_results_do_not_depend_on_the_machine(tmp_path):
    chosen = {name: machines.settings()[name] for name in SETTINGS}
    here = {name: setting for name, setting in chosen.items() if setting.why_not_here() is None}
    if not here:
        pytest.skip(f"this machine has none of {', '.join(SETTINGS)}")
    usual = _recorded(machines.Setting({}), tmp_path / "usual.npz")
    used, faults = set(), []
    for name, setting in here.items():
        other = _recorded(setting, tmp_path / f"{name}.npz")
        same = usual if setting.emulated is None else {case: usual[case] for case in other}
        found = list(_differences(same, other, used))
        faults += [f"{name}: {line}" for line in found]
        what = "cases of all estimators with the same results under another setting of the machine"
        failed = len({line.split(": ")[1] for line in found})
        campaigns.record("Machines", what, len(same), failed, note=f"settings: {', '.join(here)}")
    idle = [exception.reason for exception in EXCEPTIONS if exception not in used]
    if campaigns.FOLDER and idle:
        print("exceptions that were not needed here:", *idle, sep="\n")
    assert not faults, "\n".join(faults)


def test_every_exception_has_a_reason_and_names_cases_that_exist():
    names = _behaviour().chosen_cases("", 1)
    for exception in EXCEPTIONS:
        assert len(exception.reason) > 20
        assert any(re.match(exception.case, name) for name in names), exception.case


def test_the_emulated_processor_is_another():
    setting = machines.settings()["emulated-Westmere"]
    if (absent := setting.why_not_here()) is not None:
        pytest.skip(absent)
    found = setting.compiling().environment
    assert found["NUMBA_CPU_NAME"] == "westmere"
    assert "-avx," in found["NUMBA_CPU_FEATURES"]


def test_a_difference_is_seen():
    usual = {"case": {"number": _array(1.0), "labels_": _array(1)}}
    moved = {"case": {"number": _array(1.0 + 1e-7), "labels_": _array(1)}}
    other = {"case": {"number": _array(1.0), "labels_": _array(2)}}
    assert list(_differences(usual, usual, set())) == []
    assert len(list(_differences(usual, moved, set()))) == 1
    assert len(list(_differences(usual, other, set()))) == 1
    assert list(_differences(usual, {}, set()))


def _array(value):
    return np.array([value])


def test_tests_that_a_signal_ends_have_not_passed(monkeypatch):
    """Faulty before: the page of trust counted them as passed."""
    ended = subprocess.CompletedProcess([], -9, stdout="", stderr="")
    monkeypatch.setattr(subprocess, "run", lambda *args, **kwargs: ended)
    counted = []
    monkeypatch.setattr(campaigns, "record", lambda *what: counted.append(what[-2:]))
    assert not machines.run_tests("one-thread", machines.Setting({}), [])
    assert counted == [(1, True)]
