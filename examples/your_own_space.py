"""Your own space: write the duality map, and every learner works in it."""

import numpy as np

from noneuclid.spaces import LinearSpace
from noneuclid.testing import check_space


class GroupNorm(LinearSpace):
    """Sum of the lengths of groups of coordinates, ‖w‖ = Σ_g ‖w_g‖₂ (a path in the plane, say)."""

    def __init__(self, *, size=2):
        self.size = size

    def dual(self, V):
        """J(w)_g = ‖w‖ w_g / ‖w_g‖₂, and 0 where a group is 0."""
        groups = V.reshape(len(V), -1, self.size)
        lengths = np.linalg.norm(groups, axis=2, keepdims=True)
        directions = groups / np.where(lengths > 0, lengths, 1.0)
        return (lengths.sum(axis=1, keepdims=True) * directions).reshape(V.shape)


if __name__ == "__main__":
    space = GroupNorm(size=2)
    check_space(space)
    print(f"{space} keeps its promises: {', '.join(sorted(space.laws))}")
    print("norms:", space.norm([[3.0, 4.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]))
