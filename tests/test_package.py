import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

import noneuclid

OPTIONAL = ("matplotlib", "dask", "plotly", "pandas", "skops", "typer")


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_needs_no_extra_and_not_even_scikit_learn():
    loaded = run("import sys, noneuclid; print(*sys.modules)")
    assert not {"sklearn", "numba", *OPTIONAL} & set(loaded)


def test_spaces_and_kernels_need_no_extra():
    loaded = run(
        "import sys, numpy as np, noneuclid\n"
        "noneuclid.Lp(1.5).squared_distance(np.eye(2), np.eye(2))\n"
        "noneuclid.Gaussian()(np.eye(2))\n"
        "print(*sys.modules)"
    )
    assert "sklearn" in loaded
    assert not set(OPTIONAL) - {"pandas"} & set(loaded)


@pytest.mark.parametrize("name", noneuclid.__all__)
def test_every_public_name_is_there(name):
    assert getattr(noneuclid, name) is not None
    assert name in dir(noneuclid)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="module 'noneuclid' has no attribute 'Banach'"):
        noneuclid.Banach  # noqa: B018


def test_version_and_typing_marker():
    assert importlib.metadata.version("noneuclid") == noneuclid.__version__
    assert (Path(noneuclid.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("cls", noneuclid.testing.all_spaces() + noneuclid.testing.all_kernels())
def test_public_classes_are_documented(cls):
    assert cls.__doc__
    for name in cls._get_param_names():
        assert name in cls.__doc__, f"{cls.__name__} does not document {name}"
    for name in dir(cls):
        method = getattr(cls, name)
        if not name.startswith("_") and callable(method) and method.__module__.startswith("noneu"):
            assert method.__doc__, f"{cls.__name__}.{name} has no docstring"
