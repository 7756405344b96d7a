"""Model files of every release load, and say what they said when they were written.

A release adds its folder by ``write_release.py``; ``release_next`` holds files of today, to be
written again when a model keeps something else, and to be renamed when it is released.
"""

import warnings
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
FILES = [path for folder in RELEASES for path in sorted(folder.glob("*.skops"))]
DATA = {f"{name}_{k}": data for name, k, _, data in write_release.cases()}
# Before there were relations, what these kept has no meaning any more; load says so.
BEFORE_RELATIONS = {
    "GeneralizedKernelPCA_1", "KernelGLVQ_0", "KernelGLVQ_1", "KernelRSLVQ_0", "MedianLVQ_0",
    "NystroemEmbedding_0", "ProximityLVQ_0", "ProximityLVQ_1", "ProximityLVQ_2", "ProximityLVQ_3",
    "ProximityLVQ_4", "ProximityNeuralGas_0", "ProximitySOM_0", "RelationalGLVQ_0",
    "RelationalGLVQ_1", "RelationalRSLVQ_0", "SpikeTrainPCA_0",
}  # fmt: skip


def load(path):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*was saved by noneuclid")
        warnings.filterwarnings("ignore", "Trying to unpickle")  # another scikit-learn
        return noneuclid.load(path)


@pytest.mark.trust
@pytest.mark.parametrize("path", FILES, ids=[f"{p.parent.name}-{p.stem}" for p in FILES])
def test_files_of_releases(path):
    if path.parent.name == "release_0.1.0.dev0" and path.stem in BEFORE_RELATIONS:
        with pytest.raises(ValueError, match=r"an early noneuclid saved it.*fit the model again"):
            load(path)
        campaigns.record("Save and load", "files of earlier releases refused in one sentence", 1)
        return
    new = DATA[path.stem][2]
    said = write_release.said(load(path), new)
    with np.load(path.parent / "expected.npz") as file:
        expected = {key.split()[1]: file[key] for key in file if key.split()[0] == path.stem}
    campaigns.record("Save and load", "files of earlier releases that load and say the same", 1)
    assert expected
    assert said.keys() == expected.keys()
    for name, values in expected.items():  # another processor rounds differently
        np.testing.assert_allclose(said[name], values, rtol=1e-8, atol=1e-9 * np.abs(values).max())


def test_every_estimator_has_a_file_for_the_next_release():
    kept = {path.stem.rsplit("_", 1)[0] for path in (HERE / "release_next").glob("*.skops")}
    assert kept == {cls.__name__ for cls in all_estimators()}, "run write_release.py"
    assert {path.stem for path in FILES} <= set(DATA)


def test_files_are_small():
    size = sum(path.stat().st_size for folder in RELEASES for path in folder.iterdir())
    assert size < 250_000 * len(RELEASES)


def test_moved_types_are_where_the_table_says():
    ours = {f"{cls.__module__}.{cls.__qualname__}" for cls in own_classes()}
    assert set(_moved.MOVED.values()) <= ours
    assert not (set(_moved.MOVED) | _moved.LOST) & ours
