"""Objects without classes: groups around prototypes, and a map."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noneuclid.displays.maps import cells, winners
from noneuclid.prototypes import Groups, ProximitySOM, find_groups
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Block, Columns, Facts, Figure, Table
from noneuclid.report.figures import Prototypes, Series, lines, map_figure
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.prototypes import exemplar_columns, prototype_rows
from noneuclid.typing import Array

# Cells of the map touch nearly.
_CELL = 0.97


def group_names(found: Groups) -> Any:
    """The group of every object, in words."""
    return np.array([f"group {j + 1}" for j in found.labels])


def drawn_groups(found: Groups, places: Array) -> Prototypes:
    """The prototypes of groups at their places in a figure."""
    own = np.maximum(found.distances.min(axis=1), 0.0)
    nameless = [""] * len(found)
    return Prototypes(places, nameless, found.coefficients, found.labels, own, found.typical())


def group_parts(
    study: Study, D: Array, code: list[str], pictures: Callable[[Groups], list[Figure]]
) -> list[Part]:
    """Find groups in dissimilarities; the last line of code is the expression for these."""
    D = (D + D.T) / 2
    found = find_groups(D, random_state=study.seed, advance=study.advance)
    return [GroupsPart(study, found, pictures(found), code), MapPart(study, found)]


@dataclass(eq=False)
class GroupsPart(Part):
    """Groups around the prototypes of neural gas, with pictures of the objects."""

    study: Study
    found: Groups
    pictures: list[Figure]
    lines: list[str]
    title = "Groups without classes"

    @cached_property
    def sentence(self) -> str:
        best = self.found.silhouette
        word = "clear" if best > 0.5 else "visible" if best > 0.25 else "weak"
        return (
            f"The {self.study.data.noun} form {len(self.found)} groups of {word} structure "
            f"(silhouette {best:.2f}), which explain {percent(self.found.explained, 0)} of their "
            "differences."
        )

    def results(self) -> list[tuple[str, str]]:
        return [("groups", str(len(self.found))), ("silhouette", f"{self.found.silhouette:.2f}")]

    def code(self) -> list[str]:
        *before, D = self.lines
        return [
            *before,
            f"gas = ProximityNeuralGas(n_prototypes={len(self.found)}, proximity='dissimilarity', "
            f"init='kmeans++', random_state={self.study.seed}).fit({D})",
            "for j in range(gas.n_prototypes):",
            "    print(j + 1, [data.names[i] for i in (gas.labels_ == j).nonzero()[0]])",
        ]

    def records(self) -> dict[str, Columns]:
        data, found = self.study.data, self.found
        own = np.maximum(found.distances.min(axis=1), 0.0)
        members = {"object": data.names, "group": found.labels + 1, "dissimilarity": own}
        return {"groups": members, "exemplars": exemplar_columns(data, found.typical())}

    def blocks(self) -> list[Block]:
        return [self._facts(), *self.pictures, self._table(), self._sizes()]

    def _facts(self) -> Facts:
        number = "The number of prototypes with the largest silhouette."
        silhouette = (
            "Mean of (b − a)/max(a, b), a the mean distance to the own group and b that to the "
            "next one; 1 is perfect, 0 is none."
        )
        explained = (
            "One minus the mean dissimilarity to the nearest prototype over that to the mean of "
            "all objects."
        )
        return Facts.of(
            ("Groups", str(len(self.found)), number),
            ("Silhouette", f"{self.found.silhouette:.2f}", silhouette),
            ("Explained", percent(self.found.explained, 0), explained),
        )

    def _table(self) -> Table:
        data, found = self.study.data, self.found
        return Table(
            "The groups and their exemplars",
            ["prototype", data.noun, "exemplars"],
            prototype_rows(data.names, found.labels, found.typical()),
            "Batch neural gas on the dissimilarities (noneuclid.ProximityNeuralGas); every object "
            "belongs to the prototype it is nearest to, exemplars are the objects nearest to it.",
            "The exemplars stand for their group.",
            numeric=(1,),
            prototypes=True,
        )

    def _sizes(self) -> Figure:
        k, values = np.transpose(list(self.found.silhouettes.items()))
        return lines(
            k,
            [Series("silhouette", values, marks=True)],
            title="How many groups?",
            axes=("number of groups", "mean silhouette"),
            reading=f"{len(self.found)} groups separate best.",
            how="Neural gas with each number of prototypes; silhouettes of the square roots of "
            "the dissimilarities (scikit-learn's silhouette_score). Numbers that leave a group "
            "empty are left out.",
            height=280,
            whole=True,
            zero=True,
        )


@dataclass(eq=False)
class MapPart(Part):
    """A self-organising map of the objects, coloured by group."""

    study: Study
    found: Groups
    title = "A map"

    def blocks(self) -> list[Block]:
        data, D = self.study.data, self.found.dissimilarities
        side = int(np.clip(round(np.sqrt(len(D)) / 2), 2, 6))
        shape, seed = (side, side + 1), self.study.seed
        som = ProximitySOM(
            shape=shape, topology="hex", proximity="dissimilarity", random_state=seed
        ).fit(D)
        self.study.advance("map")
        distances, units = som.transform(D), winners(som)
        inside = []
        for unit in range(len(som.grid_)):
            members = np.flatnonzero(units == unit)
            inside.append(members[np.argsort(distances[members, unit], kind="stable")])
        own = [self.found.labels[members] for members in inside]
        counts = np.array([len(members) for members in inside])
        figure = map_figure(
            cells(som.grid_, _CELL),
            counts,
            [[data.names[i] for i in members] for members in inside],
            [int(np.bincount(groups).argmax()) if len(groups) else -1 for groups in own],
            reading=f"Neighbouring cells hold similar {data.noun}; {(counts == 0).sum()} of "
            f"{len(counts)} cells are empty, and they are gaps between groups.",
            how="Self-organising map on a hexagonal grid (noneuclid.ProximitySOM). Numbers: "
            "objects in a cell; colours: the group above that most of them belong to. Topographic "
            f"error {number(float(som.topographic_error(D)))}: the share of objects whose two "
            "nearest cells do not touch.",
        )
        return [figure]
