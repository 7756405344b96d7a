"""How the neighbourhood and the learning rate shrink."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

Schedule = Literal["geometric", "linear", "constant"]
SCHEDULES = ("geometric", "linear", "constant")


@dataclass(frozen=True)
class Annealing:
    """A number that goes from ``start`` to ``end`` while time goes from 0 to 1.

    Examples
    --------
    >>> Annealing(4.0, 0.25).at(0.5)
    1.0
    >>> Annealing(4.0, 0.0, "linear").at(0.75)
    1.0
    """

    start: float
    end: float
    schedule: Schedule = "geometric"

    def at(self, time: float) -> float:
        """The number at a time; it stays at the end afterwards."""
        time = min(max(time, 0.0), 1.0)
        if self.schedule == "constant" or self.start == self.end:
            return self.start
        if self.schedule == "linear":
            return self.start + time * (self.end - self.start)
        return float(np.exp((1 - time) * np.log(self.start) + time * np.log(self.end)))
