"""Several threads read one npy file: Python's parser, which reads headers, is not made for that."""

import gc
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from noneuclid._files import DataError
from noneuclid._npy import read_npy
from noneuclid.datasets.large.arrays import array_blocks


class Litter:
    """Garbage in a cycle, whose finaliser lets another thread run in the middle of anything."""

    def __init__(self):
        self.me = self

    def __del__(self):
        time.sleep(1e-5)


@pytest.fixture
def eager_collector():
    """The garbage collector runs all the time."""
    before = gc.get_threshold()
    gc.set_threshold(3, 1, 1)
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("way", ["blocks", "whole"])
def test_threads_read_one_file(tmp_path, eager_collector, order, way):
    X = np.asarray(np.random.default_rng(0).normal(size=(64, 3)), order=order)
    path = tmp_path / "x.npy"
    np.save(path, X)
    blocks, _ = array_blocks(path, 8 * X.shape[1] * 8)

    def read(k):
        Litter()
        block = blocks[k % len(blocks)]
        rows = slice(block.start, block.start + block.n_rows)
        if way == "blocks":
            return np.array_equal(block.load([0], []).numbers([0, 1, 2]), X[rows])
        return np.array_equal(read_npy(path), X)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, range(600)))


def test_a_file_that_changes_between_passes_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.zeros((64, 3)))
    blocks, _ = array_blocks(path, 8 * 3 * 8)
    np.save(path, np.zeros((63, 3)))
    with pytest.raises(DataError, match=r"x\.npy has changed: start again"):
        blocks[0].load([0], [])
