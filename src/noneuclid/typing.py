"""The array types every signature uses."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.integer]
# Numbers or words, as the classes were given.
LabelArray: TypeAlias = NDArray[Any]
