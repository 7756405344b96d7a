"""Ctrl-C at any moment: what was fitted stays as it was, what was written is whole.

Interrupts are injected by counting the calls of a run without one, so that the moments are the same
on every machine.
"""

import errno
import gc
import os
import pickle
import re
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import numpy as np
import pytest

import campaigns
import noneuclid
from noneuclid import _writing
from test_contract import MODELS, is_pairwise, prepared, problem

MOMENTS = campaigns.size(4, 60)
AREA = "Interruption"
# An interrupt that falls into the end of a generator is dropped by Python, which says so.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Interrupts:
    """Counts calls, of Python and C functions, and raises at one of them.

    That is where the interpreter looks for signals: when a Python function begins and when a C
    function has ended. Before a C function begins it does not look: an interrupt there would leave
    locked what ``with lock`` is about to release, which no signal can do.

    Garbage is not collected meanwhile: whose it is depends on the tests before, and an interrupt
    that falls into its destructors is dropped. Filters of warnings and NumPy's error state are put
    back at the end: an interrupt between their change and their ``with`` leaves them changed.
    """

    def __init__(self, moment=None):
        self.moment, self.calls = moment, 0

    def __call__(self, frame, event, argument):
        if event in ("call", "c_return") and frame.f_code.co_filename != __file__:
            self.calls += 1
            if self.calls == self.moment:
                raise KeyboardInterrupt

    def __enter__(self):
        self.stack = ExitStack()
        self.stack.enter_context(warnings.catch_warnings())
        self.stack.enter_context(np.errstate())
        self.stack.callback(gc.enable)
        gc.disable()
        sys.setprofile(self)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)
        self.stack.close()


def moments(run, *args, n=MOMENTS):
    """Numbers of calls after which to interrupt, from the first to the last of the run."""
    with Interrupts() as clean:
        run(*args)
    return np.unique(np.linspace(1, clean.calls, n).astype(int)).tolist()


def some_of(X, model, n=18):
    return X[:n, :n] if is_pairwise(model) else X[:n]


def brief(model):
    """The same with few steps: they are all alike."""
    few = {"max_epochs": 2, "max_iter": 2, "n_components": 2}
    given = model.get_params(deep=False)
    return prepared(model).set_params(**{name: few[name] for name in few if name in given})


CASES = [
    pytest.param(model, method, id="".join(f"{method}:{model!r}".split()))
    for model in MODELS
    for method in ("fit", "partial_fit")
    if hasattr(model, method)
]


@pytest.mark.trust
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:partial_fit begins a new stream")
@pytest.mark.parametrize(("model", "method"), CASES)
def test_an_estimator_stays_as_it_was(model, method):
    X, y, _ = problem(model)
    few = some_of(X, model), y[:18]
    subjects = [brief(model).fit(X, y)] + [brief(model)] * (method == "fit")
    tried, failed = 0, []
    for subject in subjects:
        content = pickle.dumps(pickle.loads(pickle.dumps(subject)))
        getattr(pickle.loads(content), method)(*few)  # compiles
        for moment in moments(getattr(pickle.loads(content), method), *few):
            copy = pickle.loads(content)
            names = sorted(vars(copy))
            try:
                with Interrupts(moment):
                    getattr(copy, method)(*few)
            except (KeyboardInterrupt, Exception):  # other libraries make other errors of it
                tried += 1
                if pickle.dumps(copy) != content or sorted(vars(copy)) != names:
                    failed.append(moment)
    campaigns.record(AREA, f"interrupts during {method}", tried, len(failed))
    assert not failed, f"changed by an interrupt after {failed} calls"
    assert tried >= len(subjects)


def test_an_error_leaves_an_estimator_as_it_was():
    model = noneuclid.NeuralGas(n_prototypes=3, random_state=0).fit(np.eye(5))
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.full((9, 2), np.nan))
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(np.ones((4, 2)))
    assert pickle.dumps(model) == before


# --- files ----------------------------------------------------------------------------------


@pytest.mark.trust
def test_a_saved_model_is_the_old_or_the_new_one(tmp_path, monkeypatch):
    pytest.importorskip("skops")
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # archives that were not finished
    path = tmp_path / "model.skops"
    old, new = noneuclid.Lp(1.25), noneuclid.Lp(1.75)
    noneuclid.save(old, path)
    tried, failed = 0, []
    for moment in moments(noneuclid.save, new, path, n=campaigns.size(40, 2000)):
        noneuclid.save(old, path)
        interrupted = False
        try:
            with Interrupts(moment):
                noneuclid.save(new, path)
        except (KeyboardInterrupt, ValueError):  # an archive that is closed too early complains
            interrupted = True
        if interrupted:  # and its traceback gone, which holds what was being written
            tried += 1
            whole = noneuclid.load(path).p in (1.25, 1.75)
            if not whole or os.listdir(tmp_path) != ["model.skops"]:
                failed.append(moment)
    gc.collect()
    campaigns.record(AREA, "interrupts during save", tried, len(failed))
    assert not failed
    assert tried > 20
    assert not _writing.UNFINISHED


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("where", ["fsync", "replace"])
def test_a_disk_that_does_not_take_it_leaves_the_old_file(tmp_path, monkeypatch, number, where):
    path = tmp_path / "page.html"
    _writing.write_atomically(path, "old")

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, where, refuse)
    with pytest.raises(OSError, match=re.escape(os.strerror(number))) as raised:
        _writing.write_atomically(path, "new")
    assert raised.value.filename == str(path)
    assert raised.value.errno == number
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.html"]


def test_writers_of_one_file_do_not_mix(tmp_path):
    """The last one wins, wholly, and nothing is left of the others."""
    path = tmp_path / "page.html"
    texts = [letter * 200_000 for letter in "abcdefgh"]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: [_writing.write_atomically(path, text)] * 3, texts * 3))
    assert path.read_text() in texts
    assert os.listdir(tmp_path) == ["page.html"]
