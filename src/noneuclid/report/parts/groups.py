"""Objects without classes: groups around prototypes, and a map."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noneuclid.datasets import DataError
from noneuclid.displays.maps import cells, winners
from noneuclid.prototypes import Groups, ProximitySOM, find_groups
from noneuclid.report._numbers import listing, number, percent
from noneuclid.report.blocks import Block, Columns, Facts, Figure, Table
from noneuclid.report.figures import Prototypes, Series, lines, map_figure
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.prototypes import prototype_rows, typical_columns
from noneuclid.typing import Array, IntArray

# Cells of the map touch nearly.
_CELL = 0.97
# Resamples of the objects, and which agreement of their groups is called how.
_RESAMPLES, _FEW_RESAMPLES = 10, 4
_STABLE, _UNSTABLE = 0.8, 0.5
_STABILITY = (
    "Stability: of random parts of the objects, each is grouped by itself, and all objects go to "
    "the nearest of its prototypes; mean agreement with the groups of all (adjusted Rand index: 1 "
    "is the same, 0 chance)."
)
# Objects whose proximities to the sample are held at a time, and members that are named.
_BLOCK, _SHOWN_MEMBERS = 2000, 40


def group_names(found: Groups) -> Any:
    """The group of every object, in words."""
    return np.array([f"group {j + 1}" for j in found.labels])


def drawn_groups(found: Groups, places: Array) -> Prototypes:
    """The prototypes of groups at their places in a figure."""
    own = np.maximum(found.distances.min(axis=1), 0.0)
    nameless = [""] * len(found)
    return Prototypes(places, nameless, found.coefficients, found.labels, own, found.typical())


def group_parts(
    study: Study,
    D: Array,
    code: list[str],
    pictures: Callable[[Groups], list[Figure]],
    others: Callable[[IntArray], Array],
    measure: str,
) -> list[Part]:
    """Find groups in dissimilarities, of a sample if there are many objects.

    The last line of code is the expression for the dissimilarities; ``others`` gives those of some
    of all objects to the sample; ``measure`` says in words what they are.
    """
    settings = study.settings
    D = (D + D.T) / 2
    try:
        found = find_groups(
            D,
            n_groups=settings.n_groups,
            n_resamples=_FEW_RESAMPLES if settings.quick else _RESAMPLES,
            random_state=study.seed,
            advance=study.advance,
        )
    except ValueError as error:
        words = str(error).replace("n_groups (=", "--groups-number (=")
        raise DataError(f"{study.data.source}: {words}") from None
    members = _assigned(study, found, others) if study.is_large else None
    own = GroupsPart(study, found, pictures(found), code, members, measure)
    return [own, MapPart(study, found)]


def _assigned(
    study: Study, found: Groups, others: Callable[[IntArray], Array]
) -> tuple[IntArray, Array]:
    """The group of every object: that of the prototype it is nearest to; and how far that is."""
    n = len(study.data)
    members, own = np.empty(n, dtype=int), np.empty(n)
    for some in np.array_split(np.arange(n), -(-n // _BLOCK)):
        D = np.maximum(found.model.transform(np.maximum(others(some), 0.0)), 0.0)
        members[some], own[some] = D.argmin(axis=1), D.min(axis=1)
    members[study.rows] = found.labels
    own[study.rows] = np.maximum(found.distances.min(axis=1), 0.0)
    return members, own


@dataclass(eq=False)
class GroupsPart(Part):
    """Groups around the prototypes of neural gas, with pictures of the objects."""

    study: Study
    found: Groups
    pictures: list[Figure]
    lines: list[str]
    others: tuple[IntArray, Array] | None = None
    """The group of every object and how far its prototype is, if more than were grouped."""
    measure: str = "the dissimilarities themselves"
    title = "Groups without classes"

    @property
    def members(self) -> tuple[IntArray, Array]:
        """The group of every object, and how far its prototype is."""
        own = np.maximum(self.found.distances.min(axis=1), 0.0)
        return (self.found.labels, own) if self.others is None else self.others

    @cached_property
    def sentence(self) -> str:
        best = self.found.silhouette
        word = "clear" if best > 0.5 else "visible" if best > 0.25 else "weak"
        return (
            f"The {self.study.data.noun} form {len(self.found)} groups of {word} structure "
            f"(silhouette {best:.2f}), which explain {percent(self.found.explained, 0)} of their "
            f"differences{self._again}."
        )

    @property
    def _again(self) -> str:
        """Whether resamples find the same groups."""
        if len(self.found) not in self.found.stability:
            return ""
        mean = float(self.found.stability[len(self.found)].mean())
        if mean >= _STABLE:
            return f" and come back in resamples (agreement {mean:.2f})"
        if mean >= _UNSTABLE:
            return f" and come back in resamples in part (agreement {mean:.2f})"
        return f"; resamples find other groups (agreement {mean:.2f}), so do not rely on them"

    def results(self) -> list[tuple[str, str]]:
        found = self.found
        rows = [("groups", str(len(found))), ("silhouette", f"{found.silhouette:.2f}")]
        if len(found) in found.stability:
            rows.append(("stability", f"{found.stability[len(found)].mean():.2f}"))
        return rows

    def code(self) -> list[str]:
        *before, D = self.lines
        few = ["data = few"]  # the diagnosis has made it, and X of it
        if self.study.data.kind in ("vectors", "curves"):
            sample = f"data.sample({len(self.study.rows)}, random_state={self.study.seed})"
            few = [f"data = {sample}", "X = data.X"]
        return [
            *(few if self.study.is_large else []),
            *before,
            f"gas = ProximityNeuralGas(n_prototypes={len(self.found)}, proximity='dissimilarity', "
            f"init='kmeans++', random_state={self.study.seed}).fit({D})",
            "for j in range(gas.n_prototypes):",
            "    print(j + 1, [data.names[i] for i in (gas.labels_ == j).nonzero()[0]])",
        ]

    def records(self) -> dict[str, Columns]:
        labels, own = self.members
        members = {"object": self.study.data.names, "group": labels + 1, "dissimilarity": own}
        few = typical_columns(self.study.few, self.found.typical())
        return {"groups": members, "typical objects": few}

    def blocks(self) -> list[Block]:
        return [self._facts(), *self.pictures, self._table(), *self._evidence(), self._members()]

    def _facts(self) -> Facts:
        number = "The number of prototypes with the largest silhouette."
        if self.study.settings.n_groups is not None:
            number = "As asked for."
        silhouette = (
            "Mean of (b − a)/max(a, b), a the mean distance to the own group and b that to the "
            f"next one; 1 is perfect, 0 is none. Of {self.measure}, as in the picture."
        )
        explained = (
            "One minus the mean dissimilarity to the nearest prototype over that to the mean of "
            "all objects."
        )
        return Facts.of(
            ("Groups", str(len(self.found)), number + self.study.sampled),
            ("Silhouette", f"{self.found.silhouette:.2f}", silhouette),
            ("Explained", percent(self.found.explained, 0), explained),
        )

    def _table(self) -> Table:
        data, found = self.study.few, self.found
        return Table(
            "The groups and their objects",
            ["prototype", data.noun, "typical"],
            prototype_rows(data.names, found.labels, found.typical()),
            "Batch neural gas on the dissimilarities (noneuclid.ProximityNeuralGas); every object "
            "belongs to the prototype it is nearest to, typical are the objects nearest to it."
            f"{self.study.sampled}",
            "The typical objects stand for their group.",
            numeric=(1,),
            prototypes=True,
        )

    def _evidence(self) -> list[Block]:
        found = self.found
        k, values = np.transpose(list(found.silhouettes.items()))
        series = [Series("silhouette", values, marks=True)]
        if found.stability:
            sizes = np.array([size for size in k if int(size) in found.stability])
            means = np.array([found.stability[int(size)].mean() for size in sizes])
            series.append(Series("stability", means, sizes, marks=True))
        best = max(found.silhouettes, key=lambda size: found.silhouettes[size])
        asked = f" {len(found)} were asked for." * (len(found) != best)
        figure = lines(
            k,
            series,
            title="How many groups?",
            axes=("number of groups", "silhouette, stability"),
            reading=f"{best} groups separate best.{asked}",
            how=f"Neural gas with each number of prototypes, on {self.measure}; silhouettes of "
            f"their square roots (scikit-learn's silhouette_score). {_STABILITY} Numbers that "
            "leave a group empty are left out.",
            height=280,
            whole=True,
            zero=True,
        )
        rows = [self._row(int(size)) for size in k]
        return [
            figure,
            Table(
                "Evidence for numbers of groups",
                ["groups", "silhouette", "stability", "lowest to highest"],
                rows,
                _STABILITY,
                "Good groups separate, and every resample finds them again.",
                numeric=(0, 1, 2, 3),
                strong=tuple(j for j, size in enumerate(k) if size == len(found)),
            ),
        ]

    def _row(self, size: int) -> list[str]:
        again = self.found.stability.get(size)
        row = [str(size), f"{self.found.silhouettes[size]:.2f}"]
        if again is None:
            return [*row, "–", "–"]
        ends = f"{again.min():.2f} to {again.max():.2f}".replace("-", "−")
        return [*row, f"{again.mean():.2f}".replace("-", "−"), ends]

    def _members(self) -> Table:
        names, most = self.study.data.names, _SHOWN_MEMBERS
        members, _ = self.members
        rows = []
        for j in range(len(self.found)):
            own = np.flatnonzero(members == j)
            rows.append([str(j + 1), f"{len(own):,}", listing([names[i] for i in own], most)])
        return Table(
            "Who is in which group",
            ["group", self.study.data.noun, "members"],
            rows,
            "Every object belongs to the prototype it is nearest to"
            + (", those outside of the sample, too." if self.study.is_large else "."),
            f"Up to {most} members of each group are named.",
            numeric=(1,),
        )


@dataclass(eq=False)
class MapPart(Part):
    """A self-organising map of the objects, coloured by group."""

    study: Study
    found: Groups
    title = "A map"

    def blocks(self) -> list[Block]:
        data, D = self.study.few, self.found.dissimilarities
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
