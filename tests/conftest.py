"""Shared by all tests."""

import re

from hypothesis import settings

# The same few examples every time: a test that fails here fails everywhere.
settings.register_profile(
    "noneuclid", deadline=None, derandomize=True, database=None, max_examples=8
)
settings.load_profile("noneuclid")


def pytest_make_parametrize_id(config, val, argname):
    """Spaces, kernels and costs name themselves; addresses would differ between processes."""
    if hasattr(val, "get_params"):
        return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", str(val)))
    return None
