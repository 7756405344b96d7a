"""Shared by all tests."""

import re


def pytest_make_parametrize_id(config, val, argname):
    """Spaces, kernels and costs name themselves; addresses would differ between processes."""
    if hasattr(val, "get_params"):
        return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", str(val)))
    return None
