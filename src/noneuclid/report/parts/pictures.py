"""Objects with proximities in the plane."""

from typing import Any

from noneuclid.datasets import Dataset
from noneuclid.displays.scaling import Scaling
from noneuclid.report._numbers import percent
from noneuclid.report.blocks import Figure
from noneuclid.report.figures import Prototypes, scatter
from noneuclid.typing import Array


def picture(
    data: Dataset, points: Array, drawn: Prototypes, groups: Array | None = None, **options: Any
) -> Figure:
    """The objects in a plane by class, or by group where there are some, with prototypes."""
    labels, word = (data.labels, "class") if groups is None else (groups, "")
    return scatter(points, data.names, labels, prototypes=drawn, word=word, **options)


def embedding_picture(
    data: Dataset, found: Scaling, drawn: Prototypes, groups: Array | None = None
) -> Figure:
    """The objects in the two directions of largest eigenvalue, with prototypes."""
    reading = "What is near here may still be far apart in the directions left out."
    signs = ["negative " if value < 0 else "" for value in found.eigenvalues]
    names = [f"{sign}direction {k + 1}" for k, sign in enumerate(signs)]
    if found.shares is not None:
        shown = percent(float(found.shares.sum()))
        reading = f"The picture shows {shown} of the spectrum: w{reading[1:]}"
        names = [f"{n}: {percent(s)} of the spectrum" for n, s in zip(names, found.shares)]
    if (found.eigenvalues < 0).any():
        reading += " One direction is negative: along it, objects that are far apart are alike."
    return picture(
        data,
        found.points,
        drawn,
        groups,
        title="The objects in two dimensions, with prototypes",
        axes=(names[0], names[1]),
        reading=reading,
        how="Classical scaling in pseudo-Euclidean space: coordinates q_k |λ_k|^½ of the two "
        "eigenvalues of largest modulus of the centred similarities; prototypes are the same "
        "combinations of these coordinates as of the objects "
        "(noneuclid.displays.EmbeddingDisplay).",
    )
