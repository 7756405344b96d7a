"""Curves: what they look like, where geometries look, components and prototypes over the grid."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.displays.style import class_order, colour
from noneuclid.pca import HebbianPCA
from noneuclid.prototypes import Groups
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Block, Columns, Facts, Figure
from noneuclid.report.classification import Classified
from noneuclid.report.figures import Prototypes, Series, lines
from noneuclid.report.models import Geometry
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.pictures import picture
from noneuclid.report.parts.prototypes import error_tables, model_records, prototype_table
from noneuclid.typing import Array, IntArray

PAIRS = 400
_BACKGROUND = 60


def positions(data: Dataset) -> Array:
    """Positions of the points; numbers from 1 where the data have none."""
    return np.arange(1.0, data.X.shape[1] + 1) if data.grid is None else data.grid


def _over(data: Dataset, series: list[Series], ylabel: str = "", **options: Any) -> Figure:
    """Curves over the axis of the data."""
    axes = (data.axis_name, ylabel or data.y_label or "value")
    return lines(positions(data), series, axes=axes, **options)


def _behind(data: Dataset, codes: IntArray | None = None) -> dict[str, Any]:
    """The curves that are drawn thin: a few, at random, always the same."""
    chosen = np.sort(np.random.default_rng(0).permutation(len(data))[:_BACKGROUND])
    colours = None if codes is None else [colour(codes[i]) for i in chosen]
    return {"background": data.X[chosen], "background_colours": colours}


@dataclass(eq=False)
class Curves(Part):
    """The curves themselves, and their means."""

    data: Dataset
    title = "The curves"

    def code(self) -> list[str]:
        return ["X = data.X"]

    def blocks(self) -> list[Block]:
        data, x = self.data, positions(self.data)
        source = "From the names of the columns."
        if data.grid is None:
            source = "The file gives no positions: points are numbered."
        facts = Facts.of(
            ("Curves", str(len(data)), "Rows of the file."),
            ("Points per curve", str(data.X.shape[1]), "Columns of the file."),
            ("Range of the axis", f"{number(x[0])} to {number(x[-1])}", source),
        )
        return [facts, self._figure()]

    def _figure(self) -> Figure:
        data = self.data
        classes, codes = class_order(data.labels, len(data))
        means = [
            Series(str(name), data.X[codes == k].mean(axis=0), colour=colour(k))
            for k, name in enumerate(classes)
        ] or [Series("mean of all curves", data.X.mean(axis=0))]
        behind = _behind(data, codes if classes else None)
        n = len(behind["background"])
        shown = f"{n} of {len(data)}" if n < len(data) else f"All {n}"
        return _over(
            data,
            means,
            title="The curves and their means",
            reading=f"{shown} curves are drawn thin, the "
            f"mean{'s of the classes' if classes else ''} thick.",
            how="Values as they are in the file; arithmetic means.",
            **behind,
        )


@dataclass(eq=False)
class Attention(Part):
    """Where on the axis the geometries look, by their names: shares of the positions."""

    data: Dataset
    shares: dict[str, Array]
    chosen: str = "Sobolev"
    """The geometry that is named beside the Euclidean one."""
    title = "Where the geometries differ along the axis"
    lead = ""  # the figure says it

    @cached_property
    def sentence(self) -> str:
        x = positions(self.data)
        euclid, other = (_widest(x, self.shares[name]) for name in ("Euclidean", self.chosen))
        return (
            f"The Euclidean distance looks mostly at {euclid[0]} ({percent(euclid[1], 0)} of it "
            f"comes from there), the {self.chosen} distance at {other[0]} "
            f"({percent(other[1], 0)})."
        )

    def blocks(self) -> list[Block]:
        of = "curves of different classes" if self.data.labels is not None else "curves"
        figure = _over(
            self.data,
            [Series(name, values) for name, values in self.shares.items()],
            "share (1: all positions alike)",
            title="Where distances come from",
            reading=self.sentence,
            how=f"Mean over up to {PAIRS} random pairs of {of} of v_j J(v)_j / ‖v‖², v their "
            "difference and J the duality map of the space, times the number of positions. "
            "Derivatives of neighbours may cancel, so that a share is below zero.",
            zero=True,
        )
        return [figure]


def _widest(x: Array, shares: Array) -> tuple[str, float]:
    """The window of a fifth of the axis with the largest share, and the share."""
    width = max(len(x) // 5, 1)
    sums = np.convolve(shares, np.ones(width), mode="valid") / len(x)
    start = int(sums.argmax())
    return f"{number(x[start])} to {number(x[start + width - 1])}", float(sums[start])


def curve_components(study: Study, chosen: list[Geometry]) -> dict[str, HebbianPCA]:
    """The first components of the curves in several geometries, by their names."""
    k = min(2, len(study.data) - 1, study.data.X.shape[1])
    return {
        g.name: HebbianPCA(n_components=k, space=g.space, random_state=study.seed).fit(study.data.X)
        for g in chosen
    }


def curve_places(pca: HebbianPCA, X: Array) -> Array:
    """Curves in the plane of the first two components: (n, 2)."""
    Z = pca.transform(X)
    return Z[:, :2] if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])


def curve_picture(
    study: Study, places: Array, drawn: Prototypes, groups: Array | None = None
) -> Figure:
    """The curves in the plane of two components, with prototypes."""
    return picture(
        study.few,
        places,
        drawn,
        groups,
        title="The curves in the plane of the first two components (Sobolev)",
        axes=("response to component 1", "response to component 2"),
        reading="Curves near each other are alike in values and derivatives, as far as two "
        "components show it.",
        how="Responses [x − mean, w_k] in the Sobolev space (noneuclid.HebbianPCA)."
        f"{study.sampled}",
    )


@dataclass(eq=False)
class CurveComponents(Part):
    """Components in several geometries; the last figure shows a model's prototypes."""

    study: Study
    components: dict[str, HebbianPCA]
    space: str
    """The Python expression for the Sobolev space."""
    classified: Classified | None = None
    title = "Components as curves"

    def code(self) -> list[str]:
        k = len(self.components["Sobolev"].components_)
        return [
            f"pca = HebbianPCA(n_components={k}, space={self.space}, "
            f"random_state={self.study.seed}).fit(X)",
            "print(pca.components_)",
        ]

    def blocks(self) -> list[Block]:
        data, pca, found = self.study.few, self.components["Sobolev"], self.classified
        reference = self.components["Euclidean"].components_
        blocks: list[Block] = [self._figure(k, w) for k, w in enumerate(reference)]
        if len(pca.components_) > 1 and found is not None:
            drawn = found.drawn(curve_places(pca, found.prototypes), rows=self.study.rows)
            blocks.append(curve_picture(self.study, curve_places(pca, data.X), drawn))
        return blocks

    def _figure(self, k: int, reference: Array) -> Figure:
        x = positions(self.study.data)
        series = []
        for name, pca in self.components.items():
            w = pca.components_[k] / np.abs(pca.components_[k]).max()
            series.append(Series(name, w if w @ reference >= 0 else -w))
        peaks = [f"{s.name} at {number(x[np.abs(s.y).argmax()])}" for s in series]
        return _over(
            self.study.data,
            series,
            "component (largest value 1)",
            title=f"Component {k + 1} in three geometries",
            reading=f"Largest value: {', '.join(peaks)}.",
            how="Principal components of the centred curves under the product of each space "
            "(noneuclid.HebbianPCA), scaled to the largest value 1 and turned to the same side.",
            zero=True,
        )


def group_curves(data: Dataset, found: Groups) -> Figure:
    """The prototypes of groups as curves."""
    return _over(
        data,
        [Series(f"P{j + 1}", w) for j, w in enumerate(found.coefficients @ data.X)],
        title="Prototypes as curves",
        reading="Every group has a curve that stands for it.",
        how="Prototypes Σ γ_l x_l of neural gas on the Sobolev distances.",
        **_behind(data, found.labels),
    )


@dataclass(eq=False)
class CurveModel(Part):
    """The best model of prototypes that are curves."""

    data: Dataset
    found: Classified
    title = "The model and its prototypes"

    def __post_init__(self) -> None:
        self.model = self.found.model

    @cached_property
    def lead(self) -> str:
        return f"{self.found.name} with {len(self.found.labels)} prototypes."

    def code(self) -> list[str]:
        return ["print(best.prototypes_)"]

    def records(self) -> dict[str, Columns]:
        return model_records(self.data, self.found)

    def blocks(self) -> list[Block]:
        table = prototype_table(self.data, self.found, values=False)
        return [self._figure(), table, *error_tables(self.data, self.found.predicted)]

    def _figure(self) -> Figure:
        data, labels = self.data, self.found.labels
        classes, codes = class_order(data.labels, len(data))
        number_of = {str(name): k for k, name in enumerate(classes)}
        series = []
        for j, (label, w) in enumerate(zip(labels, self.found.prototypes)):
            stroke, dash = colour(number_of[label]), ("", "8 4", "2 4")[labels[:j].count(label) % 3]
            series.append(Series(f"P{j + 1}: {label}", w, colour=stroke, dash=dash))
        return _over(
            data,
            series,
            title="Prototypes as curves",
            reading="Prototypes are curves themselves (thick); the data are drawn thin behind "
            "them.",
            how=f"Prototypes of {self.found.name}, fitted on all curves with the parameters "
            "chosen by cross-validation.",
            **_behind(data, codes),
        )
