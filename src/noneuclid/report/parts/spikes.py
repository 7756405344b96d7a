"""Spike trains: how much to smooth them, and their components as functions of time."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.displays.spikes import time_axis
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Block, Facts, Figure
from noneuclid.report.figures import Series, lines, raster, scatter
from noneuclid.report.parts.base import Part, Study
from noneuclid.spikes import SpikeTrainPCA, WidthSelection

_GRID = 400


@dataclass(eq=False)
class Trains(Part):
    """The trains, and the width of smoothing that predicts held-out events best."""

    study: Study
    found: WidthSelection
    width: float
    title = "The spike trains"

    def results(self) -> list[tuple[str, str]]:
        return [("width", number(self.width))]

    def code(self) -> list[str]:
        few = f".sample({len(self.study.rows)}, random_state={self.study.seed})"
        trains = f"data{few * self.study.is_large}.X"
        return [f"print(select_width({trains}, random_state={self.study.seed}).width)"]

    def blocks(self) -> list[Block]:
        data = self.study.data
        counts = np.array([len(train) for train in data.X])
        usual = f"{np.median(counts):g} ({counts.min()} to {counts.max()})"
        unit = data.units or "the unit of the times in the file"
        width = f"Width of the Gaussian that predicts held-out events best, see below; in {unit}."
        facts = Facts.of(
            ("Trains", str(len(data)), "Lines of the file, or trains of the array."),
            ("Events", f"{counts.sum():,}", "Over all trains."),
            ("Events per train", usual, "Median (smallest to largest)."),
            ("Width", number(self.width), width),
        )
        drawn = raster(
            data.X,
            data.labels,
            xlabel=data.axis_name,
            title="The spike trains",
            reading="Every line is a train, every mark an event"
            + (", coloured by class." if data.labels is not None else "."),
            how="Events as they are in the file, trains sorted by class; at most 200 trains and "
            "400 events of each.",
        )
        return [facts, drawn, self._widths()]

    def _widths(self) -> Figure:
        unit = self.study.data.units or "unit of the file"
        return lines(
            self.found.widths,
            [Series("log-likelihood", self.found.scores, marks=False)],
            title="How much to smooth",
            axes=(f"width of the smoothing ({unit}, logarithmic)", "log-likelihood per event"),
            reading="Events that were left out are predicted best with a width of "
            f"{number(self.width)}.",
            how="For every width the intensity is estimated from four fifths of the trains, and "
            "the others are judged as Poisson processes; sum over five folds "
            "(noneuclid.spikes.select_width).",
            log=True,
            height=300,
            vertical=(self.found.width, f"best: {number(self.found.width)}"),
        )


@dataclass(eq=False)
class TrainComponents(Part):
    """Components of the smoothed trains, and the trains' scores."""

    data: Dataset
    pca: SpikeTrainPCA
    title = "Components as functions of time"

    @property
    def width(self) -> float:
        """Of the smoothing."""
        return float(self.pca.kernel_.width)

    @cached_property
    def share(self) -> float:
        """Of the variance that all components explain."""
        return float(self.pca.explained_variance_ratio_.sum())

    @cached_property
    def sentence(self) -> str:
        start = f"Smoothed with a width of {number(self.width)}"
        what = f"{percent(self.share)} of the differences between trains"
        return f"{start}, {len(self.pca.explained_variance_ratio_)} components explain {what}."

    def results(self) -> list[tuple[str, str]]:
        return [("variance explained", percent(self.share))]

    def code(self) -> list[str]:
        k = len(self.pca.explained_variance_ratio_)
        return [
            f"pca = SpikeTrainPCA({k}, kernel=SpikeTrainKernel({self.width})).fit(data.X)",
            "print(pca.explained_variance_ratio_)",
        ]

    def blocks(self) -> list[Block]:
        data, scores = self.data, self.pca.transform(self.data.X)
        if scores.shape[1] < 2:
            return [self._functions()]
        first, second, *_ = map(percent, self.pca.explained_variance_ratio_)
        picture = scatter(
            scores[:, :2],
            data.names,
            data.labels,
            title="Scores of the trains",
            axes=(f"score 1 ({first})", f"score 2 ({second})"),
            reading="Trains near each other fire at the same times.",
            how="Projections of the smoothed trains on the first two components.",
            extra=[f"{len(train)} events" for train in data.X],
        )
        return [self._functions(), picture]

    def _functions(self) -> Figure:
        t = time_axis(self.data.X, self.width, _GRID)
        functions = self.pca.component_functions(t)
        shares = map(percent, self.pca.explained_variance_ratio_)
        names = [f"component {k} ({share})" for k, share in enumerate(shares, 1)]
        peak = float(t[np.abs(functions[0]).argmax()])
        return lines(
            t,
            [Series(*one) for one in zip(names, functions[:2])],
            title="Components as functions of time",
            axes=(self.data.axis_name, "component ξ(t)"),
            reading=f"Trains differ most around {number(peak)}, where the first component is "
            "largest.",
            how="ξ(t) = Σ b_i (λ_i(t) − mean), b the eigenvectors of the centred Gram matrix of "
            "the smoothed trains, scaled to ∫ξ² = 1 (noneuclid.SpikeTrainPCA).",
        )
