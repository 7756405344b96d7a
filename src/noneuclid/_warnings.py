"""Warnings that point at the line of the person who called, not into the libraries between."""

import sys
import warnings
from types import FrameType

# Frames of these packages lie between the caller and the warning.
_BETWEEN = ("noneuclid", "sklearn", "joblib")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first line of the call stack that belongs to none of the libraries."""
    depth = 2  # 1 is this function
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in _BETWEEN:
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)
