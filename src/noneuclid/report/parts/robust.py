"""Components of rows, with and without outliers, and the outliers themselves."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.pca import RobustComponents
from noneuclid.report._numbers import Shown, listing, number
from noneuclid.report.blocks import Block, Columns, Figure, Table
from noneuclid.report.classification import Classified
from noneuclid.report.figures import Prototypes
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.pictures import picture
from noneuclid.report.parts.prototypes import feature_names
from noneuclid.typing import Array

_SHOWN_OUTLIERS = 10
_SHOWN_FEATURES = 15


def robust_places(found: RobustComponents, X: Array) -> Array:
    """Rows in the plane of the robust components: (n, 2)."""
    Z = found.robust.transform(found.scaler.transform(X))
    return Z if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])


def robust_picture(
    study: Study, found: RobustComponents, drawn: Prototypes, groups: Array | None = None
) -> Figure:
    """The rows in the plane of the robust components, with prototypes."""
    return picture(
        study.few,
        robust_places(found, study.few.X),
        drawn,
        groups,
        title="The rows in the plane of the robust components",
        axes=("robust component 1", "robust component 2"),
        reading="Rows near each other are alike in the directions that most rows vary in.",
        how="Projections on the robust components of the rows, scaled by median and interquartile "
        f"range.{study.sampled}",
        extra=[f"{value:.1f} robust sd away" for value in found.outlyingness[study.rows]],
    )


@dataclass(eq=False)
class RobustPart(Part):
    """Classical and robust components; the picture shows a model's prototypes, if there is one."""

    study: Study
    found: RobustComponents
    classified: Classified | None = None
    title = "Components, with and without outliers"

    @cached_property
    def sentence(self) -> str:
        angle, outliers = self.found.angle, self.found.outliers
        turned = "The first component is the same, classical and robust"
        if angle >= 1:
            turned = f"The first component, classical and robust, differs by {number(angle)}°"
        if not len(outliers):
            return f"{turned}; no row is far from the others."
        names = listing([self.study.data.names[i] for i in outliers], 3)
        return f"{turned}; {len(outliers)} rows are far from the others: {names}."

    def results(self) -> list[tuple[str, str]]:
        return [
            ("angle of components", f"{number(self.found.angle)}°"),
            ("outliers", str(len(self.found.outliers))),
        ]

    def code(self) -> list[str]:
        return [
            "X = data.X",
            f"found = robust_components(X, random_state={self.study.seed})",
            "print(found.angle, [data.names[i] for i in found.outliers])",
        ]

    def blocks(self) -> list[Block]:
        blocks: list[Block] = [self._table()]
        if self.classified is not None and len(self.found.robust.components_) > 1:
            places = robust_places(self.found, self.classified.prototypes)
            drawn = self.classified.drawn(places[:, :2], rows=self.study.rows)
            blocks.append(robust_picture(self.study, self.found, drawn))
        return blocks

    def _table(self) -> Table:
        names = feature_names(self.study.data)
        plain, robust = self.found.plain.components_[0], self.found.robust.components_[0]
        plain = -plain if plain @ robust < 0 else plain
        order = np.argsort(-np.maximum(np.abs(plain), np.abs(robust)))[:_SHOWN_FEATURES]
        numbers = np.column_stack([plain, robust, robust - plain])
        return Table(
            "The first component: classical and robust",
            ["feature", "classical", "robust", "difference"],
            [[names[j], *map(number, numbers[j])] for j in order],
            "Loadings of unit length on features scaled by median and interquartile range. "
            "Classical: largest variance (l2); robust: largest mean modulus (l1), which outliers "
            "hardly turn (noneuclid.GeneralizedPCA).",
            f"The two directions differ by {number(self.found.angle)}°.",
            numeric=(1, 2, 3),
        )


@dataclass(eq=False)
class Outliers(Part):
    """The rows that are farthest from the others, ranked."""

    data: Dataset
    found: RobustComponents
    title = "Outliers, ranked"

    def records(self) -> dict[str, Columns]:
        far = np.isin(np.arange(len(self.data)), self.found.outliers)
        sd = self.found.outlyingness
        return {"outliers": {"object": self.data.names, "robust sd": sd, "outlier": far}}

    def blocks(self) -> list[Block]:
        data, found = self.data, self.found
        names, Z = feature_names(data), found.scaler.transform(data.X)
        classes, labels = ([], ()) if data.labels is None else (["class"], data.labels)
        rows = []
        for i in np.argsort(-found.outlyingness, kind="stable")[:_SHOWN_OUTLIERS]:
            j = int(np.abs(Z[i]).argmax())
            label = [str(c) for c in labels[i : i + 1]]
            unusual = f"{names[j]} = {number(data.X[i, j])}"
            far = Shown(f"{found.outlyingness[i]:.1f}", found.outlyingness[i])
            rows.append([data.names[i], *label, far, unusual])
        table = Table(
            "Rows that are far from the others",
            ["row", *classes, "robust sd", "most unusual"],
            rows,
            "The larger of two distances of the scaled row: off the plane of the robust "
            "components, and within the plane off the middle; each from the median, over 1.4826 "
            f"times the median absolute deviation. Beyond {found.cutoff:g} counts as an outlier. "
            "Last column: the feature that is farthest from its median.",
            f"{len(found.outliers)} of {len(data)} rows are beyond {found.cutoff:g}.",
            numeric=(1 + len(classes),),
        )
        return [table]


class Rows(Part):
    """What programs call the rows."""

    def code(self) -> list[str]:
        return ["X = data.X"]
