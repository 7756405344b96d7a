"""Objects without classes: groups around prototypes, and a map."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import silhouette_score

from noneuclid.datasets import Dataset
from noneuclid.prototypes import ProximityNeuralGas, ProximitySOM
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Block, Fact, Facts, Figure, Section, Table
from noneuclid.report.comparison import Settings
from noneuclid.report.diagnosis import dissimilarities
from noneuclid.report.figures import Prototypes, Series, lines, map_figure
from noneuclid.typing import Array, IntArray

_MOST_GROUPS = 8
_TYPICAL = 4


@dataclass(frozen=True)
class Groups:
    """Groups of objects around the prototypes of neural gas, and a self-organising map."""

    model: ProximityNeuralGas
    silhouettes: dict[int, float]
    """By number of groups."""
    nearest: IntArray
    distances: Array
    typical: list[list[int]]
    """The objects nearest to every prototype."""
    som: ProximitySOM
    topographic_error: float
    explained: float
    """Share of the total dissimilarity that the groups explain."""

    @property
    def coefficients(self) -> Array:
        """(m, n): prototypes as combinations of the objects."""
        return self.model.coefficients_

    @property
    def names(self) -> Any:
        """The group of every object, in words."""
        return np.array([f"group {j + 1}" for j in self.nearest])

    def drawn(self, Z: Array) -> Prototypes:
        """The prototypes among objects with the coordinates Z."""
        G = self.coefficients
        labels = [""] * len(G)
        return Prototypes(G @ Z, labels, G, self.nearest, self.distances, self.typical)


def steps(n: int) -> int:
    """How often ``find_groups`` reports progress."""
    return len(_sizes(n)) + 1


def _sizes(n: int) -> range:
    return range(2, min(_MOST_GROUPS, n // 4) + 1)


def find_groups(
    P: Array, proximity: str, settings: Settings, advance: Callable[[str], None]
) -> Groups:
    """Neural gas with the number of prototypes of the largest silhouette, and a map."""
    D = np.maximum(dissimilarities(P, proximity), 0.0)
    np.fill_diagonal(D, 0.0)
    seed = settings.random_state
    models, scores = {}, {}
    for k in _sizes(len(D)):
        model = ProximityNeuralGas(
            n_prototypes=k, proximity="dissimilarity", init="kmeans++", random_state=seed
        ).fit(D)
        advance("neural gas")
        if len(np.unique(model.labels_)) == k:
            models[k] = model
            scores[k] = float(silhouette_score(np.sqrt(D), model.labels_, metric="precomputed"))
    best = max(scores, key=lambda k: scores[k])
    model = models[best]
    distances = model.transform(D)
    nearest = distances.argmin(axis=1)
    side = int(np.clip(round(np.sqrt(len(D)) / 2), 2, 6))
    som = ProximitySOM(
        shape=(side, side + 1), topology="hex", proximity="dissimilarity", random_state=seed
    ).fit(D)
    advance("map")
    own = np.maximum(distances[np.arange(len(D)), nearest], 0.0)
    return Groups(
        model,
        scores,
        nearest,
        own,
        [np.argsort(d, kind="stable")[:_TYPICAL].tolist() for d in distances.T],
        som,
        float(som.topographic_error(D)),
        float(1 - own.mean() / (D.mean() / 2)),
    )


def finding(data: Dataset, found: Groups) -> str:
    """The groups in one sentence."""
    k = len(found.typical)
    best = found.silhouettes[k]
    word = "clear" if best > 0.5 else "visible" if best > 0.25 else "weak"
    return (
        f"The {data.noun} form {k} groups of {word} structure (silhouette {best:.2f}), which "
        "explain "
        f"{percent(found.explained, 0)} of their differences."
    )


def sections(data: Dataset, found: Groups, picture: Figure) -> list[Section]:
    """Groups and map as parts of a report."""
    blocks: list[Block] = [_facts(found), picture, _group_table(data, found), _sizes_figure(found)]
    return [
        Section("Groups without classes", blocks, finding(data, found)),
        Section("A map", [_map(data, found)]),
    ]


def _facts(found: Groups) -> Facts:
    k = len(found.typical)
    return Facts(
        [
            Fact("Groups", str(k), "The number of prototypes with the largest silhouette."),
            Fact(
                "Silhouette",
                f"{found.silhouettes[k]:.2f}",
                "Mean of (b − a)/max(a, b), a the mean distance to the own group and b that to the "
                "next one; 1 is perfect, 0 is none.",
            ),
            Fact(
                "Explained",
                percent(found.explained, 0),
                "One minus the mean dissimilarity to the nearest prototype over that to the mean "
                "of "
                "all objects.",
            ),
        ]
    )


def _group_table(data: Dataset, found: Groups) -> Table:
    rows = [
        [
            str(j + 1),
            str(int((found.nearest == j).sum())),
            ", ".join(data.names[i] for i in typical),
        ]
        for j, typical in enumerate(found.typical)
    ]
    return Table(
        "The groups and their exemplars",
        ["prototype", data.noun, "exemplars"],
        rows,
        "Batch neural gas on the dissimilarities (noneuclid.ProximityNeuralGas); every object "
        "belongs "
        "to the prototype it is nearest to, exemplars are the objects nearest to it.",
        "The exemplars stand for their group.",
        numeric=(1,),
        prototypes=True,
    )


def _sizes_figure(found: Groups) -> Figure:
    k = np.array(list(found.silhouettes))
    values = np.array(list(found.silhouettes.values()))
    best = int(k[values.argmax()])
    return lines(
        k.astype(float),
        [Series("silhouette", values, marks=True)],
        title="How many groups?",
        axes=("number of groups", "mean silhouette"),
        reading=f"{best} groups separate best.",
        how="Neural gas with each number of prototypes; silhouettes of the square roots of the "
        "dissimilarities (scikit-learn's silhouette_score). Numbers that leave a group empty are "
        "left out.",
        height=280,
        whole=True,
        zero=True,
    )


def _map(data: Dataset, found: Groups) -> Figure:
    som = found.som
    counts = np.bincount(som.labels_, minlength=len(som.grid_))
    names = []
    D = som.transform(found.model._training) if hasattr(found.model, "_training") else None
    for unit in range(len(counts)):
        members = np.flatnonzero(som.labels_ == unit)
        if D is not None and len(members):
            members = members[np.argsort(D[members, unit], kind="stable")]
        names.append([data.names[i] for i in members])
    groups = [
        int(np.bincount(found.nearest[som.labels_ == unit]).argmax()) if counts[unit] else -1
        for unit in range(len(counts))
    ]
    return map_figure(
        som.grid_.positions,
        counts,
        names,
        groups,
        reading=f"Neighbouring cells hold similar {data.noun}; {int((counts == 0).sum())} of "
        f"{len(counts)} cells are empty, and they are gaps between groups.",
        how="Self-organising map on a hexagonal grid (noneuclid.ProximitySOM). Numbers: objects "
        "in a "
        "cell; colours: the group above that most of them belong to. "
        f"Topographic error {number(found.topographic_error)}: the share of objects whose two "
        "nearest "
        "cells do not touch.",
    )


def groups_code(n_prototypes: int, settings: Settings, D: str) -> list[str]:
    """Lines that find the groups again."""
    return [
        f"gas = ProximityNeuralGas(n_prototypes={n_prototypes}, proximity='dissimilarity', "
        f"init='kmeans++', random_state={settings.random_state}).fit({D})",
        "for j in range(gas.n_prototypes):",
        "    print(j + 1, [data.names[i] for i in (gas.labels_ == j).nonzero()[0]])",
    ]


def result_rows(found: Groups) -> list[tuple[str, Any]]:
    """The groups for the terminal."""
    k = len(found.typical)
    return [("groups", str(k)), ("silhouette", f"{found.silhouettes[k]:.2f}")]
