"""MATLAB's files, against SciPy's reader on all the files SciPy tests itself with."""

import io
from pathlib import Path

import numpy as np
import pytest
import scipy.io
from scipy import sparse

from noneuclid.datasets import DataError
from noneuclid.datasets._matlab import matlab_arrays

FOLDER = Path(scipy.io.__file__).parent / "matlab" / "tests" / "data"
FILES = sorted(path.name for path in FOLDER.glob("*.mat"))
# What SciPy reads and we do not, or the other way round.
DIFFERENT = {"bad_miutf8_array_name.mat": "a name that is no ASCII is one nevertheless"}


def written(compress=False, version="5", **arrays):
    stream = io.BytesIO()
    scipy.io.savemat(stream, arrays, do_compression=compress, format=version)
    return stream.getvalue()


def flat(value):
    return value.ravel() if value.ndim == 2 and 1 in value.shape else value


def plain(value):
    """What SciPy gives, in our form; None for what is for MATLAB only."""
    if sparse.issparse(value):
        return flat(value.toarray())
    if value.dtype.names or type(value) is not np.ndarray:
        return None
    if value.dtype == object:
        cells = [np.squeeze(cell) for cell in value.ravel()]
        if any(cell.dtype == object or cell.dtype.names for cell in cells):
            return None
        if cells and all(cell.dtype.kind == "U" for cell in cells):
            return np.array([str(cell) if cell.size else "" for cell in cells])
        return [np.atleast_1d(cell) if cell.size else cell.ravel() for cell in cells]
    if value.dtype.kind == "U":
        return np.array([str(word).rstrip() for word in value.ravel()], dtype=str)
    return flat(value)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not FILES, reason="SciPy was installed without its tests")
@pytest.mark.parametrize("name", FILES)
def test_as_scipy_reads_it(name):
    content = (FOLDER / name).read_bytes()
    try:
        expected = scipy.io.loadmat(io.BytesIO(content))
    except Exception:
        if name in DIFFERENT:
            assert len(matlab_arrays(content, name)) == 1
            return
        with pytest.raises(DataError, match=f"^{name} is (not )?a MATLAB"):
            matlab_arrays(content, name)
        return
    found = matlab_arrays(content, name)
    compared = {key: plain(value) for key, value in expected.items() if key[:2] != "__"}
    for key, value in compared.items():
        if value is None:
            assert key not in found or isinstance(found[key], list) or found[key].dtype == object
        elif isinstance(value, list):
            assert len(found[key]) == len(value)
            for one, other in zip(found[key], value):
                np.testing.assert_array_equal(one, np.squeeze(other))
        elif value.size:
            np.testing.assert_array_equal(found[key], value)
        else:
            assert not any(found[key].tolist())


@pytest.mark.parametrize("compress", [False, True])
def test_what_is_saved_is_read(compress):
    rng = np.random.default_rng(0)
    for dtype in ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "bool"]:
        X = (10 * rng.normal(size=(5, 3))).astype(dtype)
        np.testing.assert_array_equal(matlab_arrays(written(compress, X=X), "d.mat")["X"], X)
    S = sparse.random(6, 4, 0.4, random_state=0).tocsc()
    cells = np.empty(2, dtype=object)
    cells[:] = [np.arange(3.0), np.zeros(0)]
    words = np.array(["größer", "b", ""], dtype=object)
    content = written(
        compress, S=S, Z=1j * np.ones((2, 2)), c=cells, w=words, t=np.array(["ab", "c"])
    )
    found = matlab_arrays(content, "d.mat")
    np.testing.assert_array_equal(found["S"], S.toarray())
    np.testing.assert_array_equal(found["Z"], 1j * np.ones((2, 2)))
    assert [cell.tolist() for cell in found["c"]] == [[0, 1, 2], []]
    assert found["w"].tolist() == ["größer", "b", ""]
    assert found["t"].tolist() == ["ab", "c"]


def test_version_four():
    found = matlab_arrays(written(version="4", X=np.eye(2), S=sparse.eye(3).tocsc(), t="text"), "d")
    np.testing.assert_array_equal(found["X"], np.eye(2))
    np.testing.assert_array_equal(found["S"], np.eye(3))
    assert found["t"].tolist() == ["text"]


def test_every_beginning_of_a_file_is_read_or_refused():
    whole = written(True, X=np.arange(40.0).reshape(8, 5)) + written(D=sparse.eye(4).tocsc())[128:]
    read = 0
    for end in range(len(whole)):
        try:
            read += len(matlab_arrays(whole[:end], "d.mat")) > 0
        except DataError:
            read += 0
    assert 0 < read < 20  # the end of the first array, and the blanks that fill it up
