"""Objects with proximities in the plane."""

from collections.abc import Callable

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.displays.scaling import scale_matrix
from noneuclid.report._numbers import percent
from noneuclid.report.blocks import Figure
from noneuclid.report.figures import Prototypes, scatter
from noneuclid.report.matrices import Matrix
from noneuclid.typing import Array


def embedding_picture(
    data: Dataset,
    matrix: Matrix,
    G: Array,
    drawn: Callable[[Array], Prototypes],
    *,
    groups: Array | None = None,
) -> Figure:
    """The objects in the two directions of largest eigenvalue, with prototypes.

    Prototypes are the combinations G of the objects; ``drawn`` says what is drawn of them at their
    places.
    """
    found = scale_matrix(matrix.S, G)
    shares = np.full(2, np.nan) if found.shares is None else found.shares
    reading = (
        "What is near here may still be far apart in the directions left out."
        if found.shares is None
        else f"The picture shows {percent(float(shares.sum()))} of the spectrum: what is near here "
        "may still be far apart in the directions left out."
    )
    if (found.eigenvalues < 0).any():
        reading += " One direction is negative: along it, objects that are far apart are alike."
    names = [
        f"{'negative ' if value < 0 else ''}direction {k + 1}"
        + ("" if found.shares is None else f": {percent(shares[k])} of the spectrum")
        for k, value in enumerate(found.eigenvalues)
    ]
    return scatter(
        found.points,
        data.names,
        data.labels if groups is None else groups,
        title="The objects in two dimensions, with prototypes",
        axes=(names[0], names[1]),
        reading=reading,
        how="Classical scaling in pseudo-Euclidean space: coordinates q_k |λ_k|^½ of the two "
        "eigenvalues of largest modulus of the centred similarities; prototypes are the same "
        "combinations of these coordinates as of the objects "
        "(noneuclid.displays.EmbeddingDisplay).",
        prototypes=drawn(found.prototypes),
        word="class" if groups is None else "",
    )
