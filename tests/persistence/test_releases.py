"""Model files of every release load, and say what they said when they were written.

A release adds its folder by ``write_release.py``; ``release_next`` holds files of today, to be
written again when a model keeps something else, and to be renamed when it is released.
"""

import inspect
import json
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
import write_release

import campaigns
import noneuclid
from noneuclid import _moved
from noneuclid._discovery import own_classes
from noneuclid.testing import all_estimators

HERE = Path(__file__).parent
RELEASES = sorted(HERE.glob("release_*"))
EARLY = HERE / "release_0.1.0.dev0"
FILES = [path for folder in RELEASES for path in sorted(folder.glob("*.skops"))]
DATA = {f"{name}_{k}": data for name, k, _, data in write_release.cases()}


def load(path):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*was saved by noneuclid")
        warnings.filterwarnings("ignore", "Trying to unpickle")  # another scikit-learn
        return noneuclid.load(path)


@pytest.mark.trust
@pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}-{p.stem}" for p in FILES])
def test_files_of_releases(path):
    new = DATA[path.stem][2]
    said = write_release.said(load(path), new)
    with np.load(path.parent / "expected.npz") as file:
        expected = {key.split()[1]: file[key] for key in file if key.split()[0] == path.stem}
    campaigns.record("Save and load", "files of earlier releases that load and say the same", 1)
    assert expected
    assert said.keys() == expected.keys()
    for name, values in expected.items():  # another processor rounds differently
        np.testing.assert_allclose(said[name], values, rtol=1e-8, atol=1e-9 * np.abs(values).max())


# What models learn beside the rest since then: they say in one sentence that they must be fitted
# again for what needs it.
LATER = {"nearest_distances_", "_typical_total", "reject_thresholds_"}
LATER |= {"n_iter_", "_mean_weights", "grid_", "_smoother"}
# Parameters whose default is another one now; early models keep the one they were fitted with.
CHANGED = {"transfer", "slope", "smoothing", "cost_.transfer", "cost_.slope"}


def kept(thing, before=""):
    """Names of all that a model keeps, and of what its parts keep.

    Without parameters that have their defaults, which are in the class.
    """
    names = set()
    if type(thing).__module__.startswith("noneuclid."):
        usual = defaults(type(thing))
        for name, value in getattr(thing, "__dict__", {}).items():
            if name not in usual or repr(value) != repr(usual[name]):
                names |= {before + name} | kept(value, f"{before}{name}.")
    return names


def settings(model):
    return {k: repr(v) for k, v in model.get_params().items() if k not in CHANGED}


def defaults(cls):
    """Default values of the parameters of a class."""
    parameters = inspect.signature(cls).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}


@pytest.mark.parametrize("name", sorted(path.name for path in EARLY.glob("*.skops")))
def test_early_models_keep_what_models_keep_now(name, tmp_path):
    model, today = load(EARLY / name), load(HERE / "release_next" / name)
    parameters = set(today.get_params(deep=False))  # of a new one the default is in the class
    unknown = set(LATER)
    if name == "GeneralizedKernelPCA_1.skops":  # with landmarks, it did not count its objects
        sizes = ("n_objects_", "_view.source.n", "_view.source.n_columns")
        unknown |= {f"relation_.{size}" for size in sizes}
    assert kept(model) - CHANGED <= kept(today)
    assert kept(today) - kept(model) <= parameters | unknown | CHANGED
    assert settings(model) == settings(today)
    noneuclid.save(model, tmp_path / name)
    new = DATA[Path(name).stem][2]
    said, again = (write_release.said(m, new) for m in (model, load(tmp_path / name)))
    assert said.keys() == again.keys()
    for method in said:
        np.testing.assert_array_equal(said[method], again[method])


def rewritten(name, path, change):
    """An early file whose description of the model was changed."""
    with zipfile.ZipFile(EARLY / f"{name}.skops") as old, zipfile.ZipFile(path, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            if member == "schema.json":
                schema = json.loads(content)
                change(schema["content"]["model"]["content"]["content"])
                content = json.dumps(schema)
            new.writestr(member, content)
    return path


def test_what_early_files_do_not_hold_is_refused(tmp_path):
    def of_data(state):
        for part in (state, state["_source"]["content"]["content"]):
            part["metric"]["content"] = '"seuclidean"'

    def not_fitted(state):
        del state["coefficients_"]

    def damaged(state):
        state["coefficients_"] = state["random_state"]

    again = "an early noneuclid saved it.*fit the model again"
    for change, why in ((of_data, again), (not_fitted, again), (damaged, "RelationalGLVQ is dam")):
        path = rewritten("RelationalGLVQ_1", tmp_path / "model.skops", change)
        with pytest.raises(ValueError, match=why):
            load(path)


def test_every_estimator_has_a_file_for_the_next_release():
    there = {path.stem.rsplit("_", 1)[0] for path in (HERE / "release_next").glob("*.skops")}
    assert there == {cls.__name__ for cls in all_estimators()}, "run write_release.py"
    assert {path.stem for path in FILES} <= set(DATA)


def test_files_are_small():
    size = sum(path.stat().st_size for folder in RELEASES for path in folder.iterdir())
    assert size < 250_000 * len(RELEASES)


def test_moved_types_are_where_the_table_says():
    ours = {f"{cls.__module__}.{cls.__qualname__}" for cls in own_classes()}
    assert set(_moved.MOVED.values()) <= ours
    assert not set(_moved.MOVED) & ours
